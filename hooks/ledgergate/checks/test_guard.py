"""`test-guard`: of its rules, `write-path`. Where may an agent edit tests?"""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import PathChange
from ledgergate.policy.paths import PathClass, classify, may_agent_write, underlying_class
from ledgergate.rules import finding
from ledgergate.values import Finding, State
from ledgergate.vouch import Case

CHECK = "test-guard"


def check(case: Case) -> Iterator[Finding]:
    """A finding for each test or golden that an agent edited where it may not; a note where a human did."""
    for change in case.change.edits:
        state = _state(case, change.path) if _is_kept_from_agents(case, change) else None
        if state is not None:
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
    human = "Human: commit it from a shell that no agent started."
    if done == "added":
        return (
            f"Agent: move it below the drafts folder (at the top: `mkdir -p {drafts} && git mv PATH {drafts}`), and "
            f"append a row for each of its tests:\n{_draft_row(drafts)}\n{human}"
        )
    first = (
        ""
        if done == "removed"
        else f"first copy what you added into a new file below {drafts}, with a `draft` row; then "
    )
    return f"Agent: {first}put this one back with `git restore --staged --worktree :PATH`.\n{human}"


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
    """What a row pins is left out: its digest, or the rules about seeds, decide there."""
    path, policy = change.path, case.policy
    if _class(case, path) not in (PathClass.TEST, PathClass.GOLDEN) or may_agent_write(policy, path):
        return False
    if policy.agent_new_tests and change.old is None and _is_test_file(path):
        return False
    return not (case.base.ledgers.pinning(path) or case.head.ledgers.pinning(path))


def _class(case: Case, path: str) -> PathClass:
    """The path's class; where only parts of a file are protected and none of them changed, what it is otherwise."""
    found = classify(case.policy, path)
    if found is PathClass.PROTECTED and all(difference.path != path for difference in case.differences):
        return underlying_class(case.policy, path)
    return found


def _is_test_file(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _state(case: Case, path: str) -> State | None:
    """FAIL for an agent, a note for a human; on a range only commits that carry a signal are judged (else None)."""
    if case.change.moment == "staged":
        return State.FAIL if case.actor.is_agent else State.PASS
    return State.FAIL if case.attribution.signals_on_path(path) else None
