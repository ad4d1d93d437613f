"""What CI does: a check that the change cannot alter, a job that runs the tests, and who owns the files of both."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ledgergate.adopt.codeowners import unowned
from ledgergate.doctor.model import Line
from ledgergate.doctor.seen import Seen
from ledgergate.doctor.workflows import Workflow, read_workflow
from ledgergate.policy.model import POLICY_PATH, Policy
from ledgergate.values import display_path

_PAGE = "docs/ci.md"
_COPY = f"Copy the workflows of examples/ ({_PAGE})."
_TRUSTED = ("pull_request_target", "merge_group")
_ON_PULL = ("pull_request", "pull_request_target", "merge_group")


def ci(seen: Seen) -> Iterator[Line]:
    """The check, the evidence, what runs after a merge, and CODEOWNERS."""
    read = {path: read_workflow(path, data) for path, data in seen.workflows.items()}
    for path, workflow in read.items():
        if workflow is None and b"ledgergate" in seen.workflows[path]:
            yield Line("ci-check", "unknown", f"{display_path(path)} cannot be read", "Mend its YAML.")
    workflows = [workflow for workflow in read.values() if workflow is not None]
    pipeline = next((path for path, data in seen.pipelines.items() if b"ledgergate" in data), None)
    if pipeline is not None and not any(workflow.checks for workflow in workflows):
        yield _elsewhere(pipeline)
    else:
        yield _check(workflows, seen.default_policy)
        yield _evidence(workflows)
        yield _after(workflows)
    yield _owners(seen)


def _elsewhere(path: str) -> Line:
    message = (
        f"{display_path(path)} names ledgergate; whether it comes from the target's revision is not seen from here"
    )
    return Line("ci-check", "unknown", message, f"See {_PAGE}: which mechanism of your CI makes a job trusted.")


def _check(workflows: list[Workflow], policy: object) -> Line:
    topic = "ci-check"
    judging = [workflow for workflow in workflows if workflow.checks]
    trusted = [workflow for workflow in judging if workflow.triggers.intersection(_TRUSTED)]
    if not judging:
        return Line(topic, "missing", "no workflow runs `ledgergate check` on what would be merged", _COPY)
    if not trusted:
        path = display_path(judging[0].path)
        message = f"{path} comes from the branch that it judges, which can switch it off"
        return Line(topic, "stale", message, f"Let it run on pull_request_target. {_COPY}")
    path = display_path(trusted[0].path)
    if any(workflow.checks_out for workflow in trusted):
        message = f"{path} checks the change out in a job that is trusted: what lies there can be executed"
        return Line(topic, "stale", message, f"Fetch it as data. {_COPY}")
    if not trusted[0].is_filled_in:
        return _unfinished(topic, trusted[0])
    humans = policy.vouch.humans if isinstance(policy, Policy) else ()
    if humans and not any(workflow.passes_facts for workflow in trusted):
        message = f"{path} passes no facts, so that approvals by `[vouch] humans` count for nothing"
        return Line(topic, "stale", message, f"Pass --facts. {_COPY}")
    return Line(topic, "ok", f"{path} judges changes, and comes from the target's revision")


def _evidence(workflows: list[Workflow]) -> Line:
    testing = [workflow for workflow in workflows if workflow.tests and workflow.triggers.intersection(_ON_PULL)]
    if not testing:
        message = "no workflow runs `ledgergate run` on a change: all that is known of its tests is red or green"
        return Line("ci-evidence", "missing", message, _COPY)
    unsafe = [workflow for workflow in testing if "pull_request_target" in workflow.triggers]
    if unsafe:
        message = f"{display_path(unsafe[0].path)} runs the change's own code with the rights of a trusted job"
        return Line("ci-evidence", "stale", message, f"Let it run on pull_request. {_COPY}")
    if not testing[0].is_filled_in:
        return _unfinished("ci-evidence", testing[0])
    return Line("ci-evidence", "ok", f"{display_path(testing[0].path)} runs the lanes, in a job of its own")


def _unfinished(topic: str, workflow: Workflow) -> Line:
    message = (
        f"{display_path(workflow.path)} is unfinished, and cannot run: it names no commit of ledgergate, only zeros"
    )
    return Line(topic, "stale", message, f"Name the repository and a full commit there ({_PAGE}).")


def _after(workflows: list[Workflow]) -> Line:
    after = [workflow for workflow in workflows if "push" in workflow.triggers and workflow.verifies]
    if not after:
        message = "no workflow runs `ledgergate verify` after a push, so what slips through stays unseen"
        return Line("ci-push", "missing", message, _COPY)
    return Line("ci-push", "ok", f"{display_path(after[0].path)} looks at what has been pushed")


def _owners(seen: Seen) -> Line:
    topic = "codeowners"
    if not seen.code_owners:
        message = f"{seen.default_shown} has no CODEOWNERS: the forge asks nobody in particular about contracts"
        return Line(topic, "missing", message, f"Write one ({_PAGE}).")
    # A forge heeds the first file that it finds.
    path, data = next(iter(seen.code_owners.items()))
    left = unowned(data, _contracts(seen.default_policy))
    if left:
        message = f"{display_path(path)} of {seen.default_shown} has no line of its own for {', '.join(left)}"
        lines = ", ".join(f"`/{path} @TEAM`" for path in left)
        return Line(topic, "missing", message, f"Add at its end: {lines} ({_PAGE}).")
    return Line(topic, "ok", f"{display_path(path)} gives policy and ledgers to an owner")


def _contracts(policy: object) -> list[str]:
    """The paths of what belongs to humans, as far as they are names and no globs."""
    known = policy if isinstance(policy, Policy) else Policy()
    ledgers = [path for path in known.ledger if not re.search(r"[*?\[]", path)]
    return [POLICY_PATH, ".ledgergate/", *ledgers, known.freeze_ledger]
