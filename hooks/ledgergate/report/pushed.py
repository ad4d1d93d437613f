"""What a pusher hears of a ref from the server: what was found, and the commands that go on in their clone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledgergate.git.revisions import EMPTY_TREE
from ledgergate.report.summary import SHORT, counted, notes_to_show, summary_line
from ledgergate.report.text import findings_lines, note_lines, wrapped
from ledgergate.values import Finding, Report, State, shell_word

# What these say no clone would find once more, so that here alone is told how to go on.
_OF_THE_SERVER = ("refs", "rules")
_BRANCHES = "refs/heads/"
_OWN_LIST = (
    " This server has its own list of signers, and nobody else's word counts here. Where the repository has another "
    "list, or none, get a copy from whoever runs the server, and add `--signers` with its name."
)
_NO_LIST = (
    " That counts once a list of signers is in force: whoever runs this server names one in its configuration "
    "(`signers`), or lets a first policy in without it (`require = false`)."
)


_NOBODY_YET = (
    "nobody's key counts for this branch yet, so whoever runs this server names signers in its configuration first "
    "(`signers`). Then `ledgergate ack {} --signers FILE` shows it, and asks, FILE being a copy of that list."
)


class Moved(NamedTuple):
    """A ref by its full name that gets another object, its old one (None where it is new), and the default branch.

    `has_own_signers`: the server's own list says who may vouch.
    """

    ref: str
    old: str | None
    new: str
    default: str | None
    has_own_signers: bool = False


def render_pushed(what: str, report: Report, moved: Moved | None) -> str:
    """The report for the lines that a server sends to whoever pushes, short enough to be read there.

    `what` names the ref, `moved` is None where nothing of it could be looked at in a clone.
    """
    found = [seen if seen.check in _OF_THE_SERVER else seen._replace(remedy="") for seen in report.findings]
    lines = [what]
    lines += findings_lines(found, all_findings=False, colour=False, more="the command below")
    lines += _notes(report)
    if moved is not None:
        lines += _ways_on(moved, report)
    if report.aside:
        lines += wrapped(report.aside, "", "")
    return "\n".join((*lines, summary_line(report))) + "\n"


def _notes(report: Report) -> Iterator[str]:
    for note, others in _first_of_each(notes_to_show(report)):
        yield from note_lines(note)
        if others:
            yield f"     and {counted(others, 'more note')} of this kind"


def _first_of_each(notes: list[Finding]) -> Iterator[tuple[Finding, int]]:
    by_rule: dict[str, list[Finding]] = {}
    for note in notes:
        by_rule.setdefault(note.rule, []).append(note)
    for first, *others in by_rule.values():
        yield first, len(others)


def _ways_on(moved: Moved, report: Report) -> Iterator[str]:
    """What shows the rest of it in a clone, and what approves it; of a proposal, for the branch that it may go to."""
    if all(seen.check in _OF_THE_SERVER for seen in (*report.findings, *report.notes)):
        return
    if report.state is State.PASS and report.aside is None:
        return
    start = _in_a_clone(moved)
    change = f"--from {EMPTY_TREE if start is None else shell_word(start)} --to {moved.new[:SHORT]}"
    if report.aside is None:
        change += f" --target {shell_word(moved.ref)}"
    told = f"Agent, human: `ledgergate check {change} --exact` says how to mend it."
    yield from wrapped(told, "  > ", "    ")
    vouched = {item for item, _ in report.vouched}
    if any(item not in vouched for item in report.items):
        approve = f"`ledgergate ack {change}` shows it, and asks; commit what it writes, and push again."
        if moved.has_own_signers:
            approve += _OWN_LIST
        elif start is None:
            approve += _NO_LIST
        elif report.lacks_signers:
            approve = _NOBODY_YET.format(change)
        who = "somebody has to approve it" if report.lacks_signers and start is not None else "a signer approves it"
        yield from wrapped(f"Human: if it is right, {who}: {approve}", "  > ", "    ")


def _in_a_clone(moved: Moved) -> str | None:
    """What a clone calls the state that the push was compared with."""
    if moved.old is not None and not moved.ref.startswith(_BRANCHES):
        return moved.old[:SHORT]
    branch = moved.ref if moved.old is not None else moved.default
    return None if branch is None else f"origin/{branch.removeprefix(_BRANCHES)}"
