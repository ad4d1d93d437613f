"""Where an agent may edit tests: the rule `write-path`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ledgergate.checks.collisions import Twins
from ledgergate.checks.new_tests import in_place_of, is_new_test_file, why_taken
from ledgergate.git import PathChange
from ledgergate.policy.paths import PathClass, classify, may_agent_write, underlying_class
from ledgergate.rules import finding
from ledgergate.rules.undo import OWN_COMMIT
from ledgergate.values import Finding, State
from ledgergate.vouch import Case

_DEFINITION = rb"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)"
_HUMAN = f"Human: {OWN_COMMIT}."


def written(case: Case, check: str) -> Iterator[Finding]:
    """A finding for each test or golden that an agent edited where it may not; a note where a human did."""
    twins, moves = Twins(case.change.head), _undone_moves(case.change.edits)
    for change in case.change.edits:
        is_kept = _is_kept_from_agents(case, change)
        taken = None if is_kept else _why_taken(case, twins, change)
        state = edit_state(case, change.path) if is_kept or taken is not None else None
        if state is not None and taken is not None:
            yield finding(
                "write-path",
                check,
                taken,
                state=state,
                remedy=_committed(case, f"Agent: rename it.\n{_HUMAN}"),
                path=change.path,
                subject=change.path,
            )
        elif state is not None:
            done = "added" if change.old is None else "removed" if change.new is None else "edited"
            yield finding(
                "write-path",
                check,
                f"It was {done} {_why_kept(case, change.path)}.",
                state=state,
                remedy=_committed(case, moves.get(change.path) or _remedy(case, change, done)),
                path=change.path,
                subject=change.path,
            )


def _why_kept(case: Case, path: str) -> str:
    if _is_quarantined(case, path):
        return "while the test that reads it is in quarantine, and would be held to it as it is now when it is released"
    return f"below the tests, outside what agents may write ({case.policy.drafts} and the policy's agent_write_paths)"


def _committed(case: Case, remedy: str) -> str:
    """The remedy; what is in commits already is to be looked at by whoever approves it."""
    if case.change.names is None:
        return remedy
    return remedy.replace(OWN_COMMIT, f"look at it; if it is right, {OWN_COMMIT}")


def _remedy(case: Case, change: PathChange, done: str) -> str:
    drafts = case.policy.drafts
    if done == "added" and _is_quarantined(case, change.path):
        return f"Agent: leave it out with `git rm --cached :PATH`.\n{_HUMAN}"
    if done == "added":
        return (
            f"Agent: move it below the drafts folder (in the root: `mkdir -p {drafts} && git mv PATH {drafts}`), and "
            "append a row for each of its tests (or let `ledgergate draft` do it):\n"
            f"{_draft_row(drafts)}\n{_HUMAN}"
        )
    first = ""
    if done == "edited" and _brings_tests(case, change):
        first = (
            f"first copy the tests that you added into a new file below {drafts}, and give each a row with "
            "`ledgergate draft FILE::NAME`; then "
        )
    return f"Agent: {first}put this one back with `git restore --staged --worktree :PATH`.\n{_HUMAN}"


def _draft_row(drafts: str) -> str:
    from ledgergate.ledger.own import own_draft
    from ledgergate.ledger.row_text import row_lines

    return "\n".join(f"  {line.rstrip()}" for line in row_lines(own_draft(f"{drafts}FILE.py::NAME")))


def _undone_moves(edits: Iterable[PathChange]) -> dict[str, str]:
    """How to undo the moves of files that kept their bytes, by the old path and by the new; only of printable paths."""
    from shlex import quote

    edits = [one for one in edits if one.path.isprintable()]
    gone = {one.old.oid: one.path for one in edits if one.new is None and one.old is not None and one.old.is_file}
    remedies: dict[str, str] = {}
    for one in edits:
        old = gone.get(one.new.oid) if one.old is None and one.new is not None and one.new.is_file else None
        if old is not None:
            undo = f"Agent: undo the move with `git mv {quote(one.path)} {quote(old)}`, and ask your human for it."
            remedies.setdefault(old, f"{undo}\n{_HUMAN}")
            remedies[one.path] = f"{undo}\n{_HUMAN}"
    return remedies


def _brings_tests(case: Case, change: PathChange) -> bool:
    """Whether an edited file defines what it did not define before, and what would be lost with the edit."""
    if change.old is None or change.new is None or not (change.old.is_file and change.new.is_file):
        return True
    old, new = case.change.base.read_entry(change.old), case.change.head.read_entry(change.new)
    if not change.path.endswith(".py"):
        return len(new.split()) > len(old.split())
    return not set(re.findall(_DEFINITION, new, re.MULTILINE)) <= set(re.findall(_DEFINITION, old, re.MULTILINE))


def _is_kept_from_agents(case: Case, change: PathChange) -> bool:
    """What a row names is left out: its digest, or the rules about seeds, decide there. A pinned test is but a part."""
    if _is_quarantined(case, change.path):
        return True
    if case.base.ledgers.naming(change.path) or case.head.ledgers.naming(change.path):
        return False
    return any(_is_anothers(case, path) for path in _places(change))


def _is_quarantined(case: Case, path: str) -> bool:
    """Whether no digest holds a golden now, and a release will pin it as it is by then."""
    base, head = case.base.ledgers, case.head.ledgers
    return not head.naming(path) and (base.is_quarantined(path) or head.is_quarantined(path))


def _is_anothers(case: Case, path: str) -> bool:
    if _class(case, path) not in (PathClass.TEST, PathClass.GOLDEN) or may_agent_write(case.policy, path):
        return False
    return not is_new_test_file(case, path)


def _places(change: PathChange) -> tuple[str, ...]:
    """What a change is about: the path; of a link or submodule, which stands for a folder, one inside it as well."""
    if all(entry is None or entry.is_file for entry in (change.old, change.new)):
        return (change.path,)
    return (change.path, f"{change.path}/{change.path.rpartition('/')[2]}")


def _why_taken(case: Case, twins: Twins, change: PathChange) -> str | None:
    """Why the place of an added path is another test's; what the drafts folder holds harms no evidence."""
    path, head = change.path, case.change.head
    if change.old is not None or change.new is None or path.startswith(case.policy.drafts):
        return None
    if is_new_test_file(case, path):
        return why_taken(head, twins, path)
    return next((in_place_of(twin) for twin in twins.of(path) if _holds_tests(case, twin)), None)


def _holds_tests(case: Case, twin: str) -> bool:
    """Whether a path is a test or golden that agents may not write, or a folder with one in it."""
    paths = [path for path, _ in case.change.head.files(twin)] or [twin]
    return any(
        classify(case.policy, path) in (PathClass.TEST, PathClass.GOLDEN) and not may_agent_write(case.policy, path)
        for path in paths
    )


def _class(case: Case, path: str) -> PathClass:
    """The path's class; where only parts of a file are protected and none of them changed, what it is otherwise."""
    found = classify(case.policy, path)
    if found is PathClass.PROTECTED and all(difference.path != path for difference in case.differences):
        return underlying_class(case.policy, path)
    return found


def edit_state(case: Case, path: str) -> State | None:
    """FAIL for an agent, a note for a human; on a range only commits that carry a signal are judged (else None)."""
    if case.change.moment == "staged":
        return State.FAIL if case.actor.is_agent else State.PASS
    if case.is_first_and_free:
        return None
    return State.FAIL if case.attribution.signals_on_path(path) else None
