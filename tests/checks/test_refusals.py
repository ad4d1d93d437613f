"""The texts that people see: for each rule that can refuse a staged change, what is said, whole, as a golden."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledgergate.rules import RULES
from ledgergate.rules.evidence import EVIDENCE
from ledgergate.rules.lanes import LANES
from support.refusals import REFUSALS, told
from support.repo import Repo

pytestmark = pytest.mark.slow

GOLDENS = Path(__file__).parent.parent / "goldens" / "refusals"
# Not seen in a small staged change: they need a broken repository, a bug, time, no policy at all, or a run.
ELSEWHERE = {"git-unreadable", "internal-error", "quarantine-stale", "not-enforced", "contract-change", "test-edited"}
ELSEWHERE.update(("facts-unreadable", "ref-malformed", "ref-deleted", "deadline"))
ELSEWHERE.update(entry[0] for entry in (*EVIDENCE, *LANES))


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_said(repo: Repo, name: str) -> None:
    assert told(repo, name) == (GOLDENS / f"{name}.txt").read_text(encoding="utf-8")


def test_each_rule_has_a_text() -> None:
    named = {name for name in REFUSALS if name in RULES}
    assert named | ELSEWHERE == set(RULES)


def test_no_golden_is_left_over() -> None:
    assert {path.stem for path in GOLDENS.iterdir()} == set(REFUSALS)
