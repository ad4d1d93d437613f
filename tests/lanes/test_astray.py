"""What is said of a lane that left no report where it should."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ledgergate.lanes.astray import none_written
from ledgergate.lanes.child import Ended
from ledgergate.lanes.settle import settle
from ledgergate.policy.model import Lane

LANE = Lane("unit", "pytest", 60)
PLAIN = "it wrote no report"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["python", "-m", "pytest"], PLAIN),
        (["tox", "-e", "py"], "tox"),
        (["python", "-m", "nox"], "nox"),
        (["sh", "-c", "cd x && tox"], "tox"),
        (["python", "toxic.py"], PLAIN),
    ],
)
def test_a_tool_that_may_keep_the_variables_is_named(tmp_path: Path, command: list[str], said: str) -> None:
    found = none_written(LANE, command, tmp_path, 0)
    assert (found == PLAIN) == (said == PLAIN)
    assert said == PLAIN or f"where {said} starts the tests" in found


@pytest.mark.parametrize(("age_ns", "is_said"), [(0, True), (1, True), (-1, False)])
def test_a_report_of_this_run_at_the_default_place_is_seen(tmp_path: Path, age_ns: int, is_said: bool) -> None:
    file = tmp_path / ".ledgergate/reports/unit.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    os.utime(file, ns=(10**18 + age_ns, 10**18 + age_ns))
    assert (".ledgergate/reports/unit.json" in none_written(LANE, ["pytest"], tmp_path, 10**18)) == is_said


def test_a_lane_of_another_runner_says_where_it_was_looked(tmp_path: Path) -> None:
    lane = LANE._replace(junit=("build/*.xml",))
    assert none_written(lane, ["tox"], tmp_path, 0) == "it wrote no report at build/*.xml"


@pytest.mark.parametrize(("status", "state"), [(0, "empty"), (1, "crash")])
def test_the_report_says_so(status: int, state: str) -> None:
    ended = Ended(status, False, 1.0, b"")
    found = json.loads(settle(LANE, None, ended, "a" * 40, none_written="lost"))["unit"]
    assert (found["status"], found["reason"].endswith("lost")) == (state, True)
