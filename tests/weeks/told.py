"""The weeks as docs/adoption.md tells them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weeks.play import Move
from weeks.project import Project

BEGIN, END = "<!-- weeks: written by scripts/play-weeks -->", "<!-- end of weeks -->"


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


def tell(played: Sequence[tuple[Project, Sequence[Move], Sequence[Move]]]) -> str:
    """The block of the document: the counts, what mended each refusal, and the transcript of each project.

    Each project comes with its week of mindful people, and with the one in which everybody forgets the commands.
    """
    return "\n".join([BEGIN, "", *_counts(played), "", *_mended(played), "", *_transcripts(played), END]) + "\n"


def _counts(played: Sequence[tuple[Project, Sequence[Move], Sequence[Move]]]) -> Iterator[str]:
    yield "| project | people | honest commits | refused: humans | refused: agents | tampering refused |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for project, mindful, forgetful in played:
        for people, moves in (("use the commands", mindful), ("forget them", forgetful)):
            counts = Counts(moves)
            honest = len(counts.humans) + len(counts.agents)
            yield (
                f"| {project.sdist.name} {project.sdist.version} | {people} | {honest} "
                f"| {counts.refused_humans} of {len(counts.humans)} | {counts.refused_agents} of {len(counts.agents)} "
                f"| {sum(move.refused for move in counts.tampering)} of {len(counts.tampering)} |"
            )


def _mended(played: Sequence[tuple[Project, Sequence[Move], Sequence[Move]]]) -> Iterator[str]:
    yield "What was refused at first, and the command of the refusal after which the same commit passed:"
    yield ""
    yield "| project | commit | rules | mended by |"
    yield "| --- | --- | --- | --- |"
    for project, *weeks in played:
        for moves in weeks:
            for move in Counts(moves).refused:
                by = f"`{move.mended_by}`" if move.mended_by else "nothing that was printed"
                yield f"| {project.sdist.name} | {move.title} | {_rules(move)} | {by} |"


def _transcripts(played: Sequence[tuple[Project, Sequence[Move], Sequence[Move]]]) -> Iterator[str]:
    for project, mindful, _ in played:
        yield f"<details><summary>The week of {project.sdist.name}</summary>"
        yield ""
        yield "| | who | commit | hooks |"
        yield "| --- | --- | --- | --- |"
        for number, move in enumerate(mindful, 1):
            said = f"refused: {_rules(move)}" if move.refused else "accepted"
            yield f"| {number} | {move.who}{'' if move.honest else ', tampering'} | {move.title} | {said} |"
        yield ""
        yield "</details>"
        yield ""


def _rules(move: Move) -> str:
    return ", ".join(f"`{rule}`" for rule in move.rules)
