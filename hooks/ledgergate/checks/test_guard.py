"""`test-guard`: of its rules, `write-path`. Where may an agent edit tests?"""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.checks.new_tests import is_new_test_file, shadowed_module, why_shadowed
from ledgergate.git import PathChange
from ledgergate.policy.paths import PathClass, classify, may_agent_write, underlying_class
from ledgergate.rules import finding
from ledgergate.values import Finding, State
from ledgergate.vouch import Case

CHECK = "test-guard"
_HUMAN = "Human: commit it from a shell that no agent started."


def check(case: Case) -> Iterator[Finding]:
    """A finding for each test or golden that an agent edited where it may not; a note where a human did."""
    for change in case.change.edits:
        shadowed = _shadowed(case, change)
        kept = shadowed is not None or _is_kept_from_agents(case, change)
        state = _state(case, change.path) if kept else None
        if state is not None and shadowed is not None:
            yield finding(
                "write-path",
                CHECK,
                why_shadowed(shadowed),
                state=state,
                remedy=f"Agent: rename it.\n{_HUMAN}",
                path=change.path,
                subject=change.path,
            )
        elif state is not None:
            done = "added" if change.old is None else "removed" if change.new is None else "edited"
            yield finding(
                "write-path",
                CHECK,
                f"It was {done} below the tests, outside what agents may write "
                f"({case.policy.drafts} and the policy's agent_write_paths).",
                state=state,
                remedy=_remedy(done, case.policy.drafts),
                path=change.path,
                subject=change.path,
            )


def _remedy(done: str, drafts: str) -> str:
    if done == "added":
        return (
            f"Agent: move it below the drafts folder (at the top: `mkdir -p {drafts} && git mv PATH {drafts}`), and "
            "append a row for each of its tests (or let `ledgergate draft` do it):\n"
            f"{_draft_row(drafts)}\n{_HUMAN}"
        )
    first = (
        ""
        if done == "removed"
        else f"first copy what you added into a new file below {drafts}, with a `draft` row; then "
    )
    return f"Agent: {first}put this one back with `git restore --staged --worktree :PATH`.\n{_HUMAN}"


def _draft_row(drafts: str) -> str:
    lines = (
        f"  - id: {drafts}FILE.py::NAME",
        "    class: draft",
        "    source: agent",
        "    proposed_class: property",
        "    invariant: WHAT_ALWAYS_HOLDS",
    )
    return "\n".join(f"  {line}" for line in lines)


def _is_kept_from_agents(case: Case, change: PathChange) -> bool:
    """What a row names is left out: its digest, or the rules about seeds, decide there. A pinned test is but a part."""
    path, policy = change.path, case.policy
    if _class(case, path) not in (PathClass.TEST, PathClass.GOLDEN) or may_agent_write(policy, path):
        return False
    if is_new_test_file(case, path):
        return False
    return not (case.base.ledgers.naming(path) or case.head.ledgers.naming(path))


def _shadowed(case: Case, change: PathChange) -> str | None:
    """The module whose place a new test file would take; those in the drafts folder harm no evidence."""
    if change.old is not None or change.new is None or change.path.startswith(case.policy.drafts):
        return None
    return shadowed_module(case.change.head, change.path) if is_new_test_file(case, change.path) else None


def _class(case: Case, path: str) -> PathClass:
    """The path's class; where only parts of a file are protected and none of them changed, what it is otherwise."""
    found = classify(case.policy, path)
    if found is PathClass.PROTECTED and all(difference.path != path for difference in case.differences):
        return underlying_class(case.policy, path)
    return found


def _state(case: Case, path: str) -> State | None:
    """FAIL for an agent, a note for a human; on a range only commits that carry a signal are judged (else None)."""
    if case.change.moment == "staged":
        return State.FAIL if case.actor.is_agent else State.PASS
    return State.FAIL if case.attribution.signals_on_path(path) else None
