"""Workflows of the kind that GitHub, Forgejo and Gitea read: what starts one, and what it does with ledgergate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ledgergate.source.documents import read_yaml

_CHECK = re.compile(r"\bledgergate\s+check\b")
_VERIFY = re.compile(r"\bledgergate\s+verify\b")
_RUN = re.compile(r"\bledgergate\s+run\b")
_ACTION = re.compile(r"ledgergate", re.IGNORECASE)
_ZEROS = b"@" + b"0" * 40
_HEAD = re.compile(r"pull_request\.head|github\.head_ref|refs/pull/|pull/\S*/(?:head|merge)")
_CHECKS_OUT = re.compile(r"\bgit\s+(?:checkout|switch|worktree|pull|reset)\b|\bgh\s+pr\s+checkout\b")


class Workflow(NamedTuple):
    """`checks`: it judges a change; `passes_facts`: with the approvals of the forge; `checks_out`: a job that judges
    has the change's own files; `tests`: it runs the lanes; `is_filled_in`: it names no commit of zeros.
    """

    path: str
    triggers: frozenset[str]
    checks: bool
    verifies: bool
    passes_facts: bool
    checks_out: bool
    tests: bool
    is_filled_in: bool


def read_workflow(path: str, data: bytes) -> Workflow | None:
    """What a workflow is about; None where it cannot be read."""
    try:
        document = read_yaml(data.decode("utf-8"))
    except ValueError:
        return None
    jobs = document.get("jobs") if isinstance(document, dict) else None
    if not isinstance(jobs, dict):
        return None
    # In YAML 1.1 the key `on` is a truth.
    triggers = document.get("on", document.get(True))
    found = [_Job(job, data) for job in jobs.values() if isinstance(job, dict)]
    judging = [job for job in found if job.checks]
    return Workflow(
        path,
        frozenset(_names(triggers)),
        checks=bool(judging),
        verifies=any(job.verifies for job in found),
        passes_facts=any(job.passes_facts for job in judging),
        checks_out=any(job.checks_out for job in judging),
        tests=any(job.tests for job in found),
        is_filled_in=_ZEROS not in data,
    )


def _names(triggers: Any) -> Iterator[str]:
    if isinstance(triggers, str):
        yield triggers
    elif isinstance(triggers, (list, dict)):
        yield from (name for name in triggers if isinstance(name, str))


class _Job:
    def __init__(self, job: dict[Any, Any], file: bytes) -> None:
        listed = job.get("steps")
        steps = [step for step in listed if isinstance(step, dict)] if isinstance(listed, list) else []
        shell = "\n".join(_text(step, "run") for step in steps)
        used = [_text(job, "uses"), *(_text(step, "uses") for step in steps)]
        # Of its own, this action or workflow judges, verifies and reads the facts.
        is_action = any(_ACTION.search(name) for name in used)
        self.checks = is_action or _CHECK.search(shell) is not None
        self.verifies = is_action or _VERIFY.search(shell) is not None
        self.passes_facts = is_action or "--facts" in shell
        self.tests = _RUN.search(shell) is not None
        # A shell may be told the change's names by variables, which stand anywhere in the file.
        is_told = _HEAD.search(file.decode("utf-8", "replace")) is not None
        self.checks_out = any(map(_takes_head, steps)) or (_CHECKS_OUT.search(shell) is not None and is_told)


def _takes_head(step: dict[Any, Any]) -> bool:
    given = step.get("with")
    if not isinstance(given, dict) or "checkout" not in _text(step, "uses"):
        return False
    return any(_HEAD.search(_text(given, name)) for name in ("ref", "repository"))


def _text(mapping: dict[Any, Any], key: str) -> str:
    """A text in a mapping; anything else that stands there is none."""
    value = mapping.get(key)
    return value if isinstance(value, str) else ""
