"""The weeks as docs/adoption.md tells them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from weeks.play import Move
from weeks.project import Project

BEGIN, END = "<!-- weeks: written by scripts/play-weeks -->", "<!-- end of weeks -->"

# A project with its weeks by who plays them: people who use the commands, or people who forget them.
Played = tuple[Project, Mapping[str, Sequence[Move]]]
MINDFUL, FORGETFUL = "use the commands", "forget them"


class Counts:
    """How many honest commits humans and agents wanted, and how many of them were refused at first."""

    def __init__(self, moves: Sequence[Move]) -> None:
        honest = [move for move in moves if move.honest]
        self.humans = [move for move in honest if move.who == "human"]
        self.agents = [move for move in honest if move.who == "agent"]
        self.tampering = [move for move in moves if not move.honest]

    @property
    def refused(self) -> list[Move]:
        return [move for move in (*self.humans, *self.agents) if move.refused]

    @property
    def refused_humans(self) -> int:
        return sum(move.refused for move in self.humans)

    @property
    def refused_agents(self) -> int:
        return sum(move.refused for move in self.agents)


def tell(played: Sequence[Played]) -> str:
    """The block of the document: the counts, what mended each refusal, and what the refusals said."""
    parts = (_counts(played), _mended(played), _tampering(played), _transcripts(played))
    return "\n".join([BEGIN, "", *(line for part in parts for line in (*part, ""))]).rstrip("\n") + f"\n\n{END}\n"


def _counts(played: Sequence[Played]) -> Iterator[str]:
    yield "| project | people | honest commits | refused: humans | refused: agents | tampering refused |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for project, weeks in played:
        for people, moves in weeks.items():
            counts = Counts(moves)
            honest = len(counts.humans) + len(counts.agents)
            yield (
                f"| {project.sdist.name} {project.sdist.version} | {people} | {honest} "
                f"| {counts.refused_humans} of {len(counts.humans)} | {counts.refused_agents} of {len(counts.agents)} "
                f"| {sum(move.refused for move in counts.tampering)} of {len(counts.tampering)} |"
            )


def _mended(played: Sequence[Played]) -> Iterator[str]:
    yield "Honest commits that were refused, and the printed command after which the same commit passed:"
    yield ""
    yield "| project | people | commits | rules | mended by |"
    yield "| --- | --- | --- | --- | --- |"
    for project, weeks in played:
        for people, moves in weeks.items():
            for (rules, by), alike in _kinds(Counts(moves).refused).items():
                titles = "; ".join(move.title for move in alike)
                yield f"| {project.sdist.name} | {people} | {titles} | {_coded(rules)} | {_command(by)} |"


def _tampering(played: Sequence[Played]) -> Iterator[str]:
    yield "What agents tried in each week, and which rules refused it:"
    yield ""
    yield "| project | attempt | rules |"
    yield "| --- | --- | --- |"
    for project, weeks in played:
        tried = {move.title: move.rules for moves in weeks.values() for move in Counts(moves).tampering}
        for title, rules in tried.items():
            yield f"| {project.sdist.name} | {title} | {_coded(rules)} |"


def _transcripts(played: Sequence[Played]) -> Iterator[str]:
    """One refusal of each kind, the shortest, as the hooks said it."""
    every = [move for _, weeks in played for moves in weeks.values() for move in Counts(moves).refused]
    for (rules, by), alike in _kinds(every).items():
        move = min(alike, key=lambda move: len(move.told))
        yield f"<details><summary>{_coded(rules)}, mended by {_command(by)}: “{move.title}”</summary>"
        yield from ("", "```text", *move.told.splitlines(), "```", "", "</details>", "")


def _kinds(moves: Sequence[Move]) -> dict[tuple[tuple[str, ...], str | None], list[Move]]:
    """Refused commits by the rules that refused them and the command that mended them."""
    kinds: dict[tuple[tuple[str, ...], str | None], list[Move]] = {}
    for move in moves:
        kinds.setdefault((move.rules, move.mended_by), []).append(move)
    return kinds


def _coded(rules: Sequence[str]) -> str:
    return ", ".join(f"`{rule}`" for rule in rules)


def _command(by: str | None) -> str:
    return f"`{by}`" if by else "nothing that was printed"
