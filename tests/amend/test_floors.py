"""How many cases of the lane `fixtures` are sure to run, and the command by which its floor follows them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledgergate.amend.floors import fixtures_floor
from ledgergate.ledger import Row
from support.gate import AS_AGENT, approved, gate, verdict
from support.lane_reports import BEFORE, CASE, LATER, NOW, PATH, frozen, ledger
from support.project import FREEZES, GOLDEN, LEDGER, SOUND, TEST_FILE, Project, freezes
from support.repo import Repo

OTHER = f"{PATH}::TestA::test_other"
MANY = f"{PATH}::test_many"
WHY = ("--reason", "slow", "--owner", "kim")
HELD = "def test_header():\n    assert 1 == 1"
TESTS = TEST_FILE.replace("def test_header(): pass", HELD)
HEADER = "tests/test_parse.py::test_header"


def rows(*more: dict[str, Any]) -> list[Row]:
    locked = {"class": "locked_fixture", "artifact": "a", "digest": "sha256:" + "0" * 64}
    known = [{"id": CASE}, {"id": OTHER}, {"id": MANY, "params": "3"}]
    return [Row.of({**locked, **one}) for one in (*known, *more)]


@pytest.mark.parametrize(
    ("freezes", "frozen_cases"),
    [
        pytest.param([], 0, id="no freeze"),
        pytest.param([frozen(lane="fixtures")], 1, id="of this lane"),
        pytest.param([frozen(lane=None)], 1, id="of whichever lane reports it"),
        pytest.param([frozen(lane="properties")], 0, id="of another lane"),
        pytest.param([frozen(lane=None, expires_utc=BEFORE)], 0, id="that has expired"),
        pytest.param([frozen(lane=None, case_id="gone")], 0, id="of no row"),
        pytest.param([frozen(lane=None), frozen(lane=None, id="fx-2")], 1, id="two of one case"),
        pytest.param([frozen(lane=None, case_id=MANY)], 3, id="of all cases of a function"),
        pytest.param([frozen(lane=None, case_id="many")], 3, id="of a function by its name"),
        pytest.param([frozen(lane=None, case_id=f"{MANY}[a]")], 1, id="of a single case"),
        pytest.param([frozen(lane=None), frozen(lane=None, id="fx-2", case_id=OTHER)], 2, id="of two"),
    ],
)
def test_what_is_sure_to_run(freezes: list[dict[str, Any]], frozen_cases: int) -> None:
    own = ledger(*freezes, required_lanes=["fixtures", "properties"], cardinality_floor={"fixtures": 5})
    others = [{"id": f"{PATH}::test_q", "class": "quarantine"}, {"id": f"{PATH}::test_p", "class": "property"}]
    found = fixtures_floor(rows(*others, {"id": "tests/goldens/a.txt::golden"}), own, NOW)
    assert found == (5, 5, frozen_cases)
    assert found is not None and found.in_reach == 5 - frozen_cases


def test_a_lane_that_runs_nothing_is_no_test() -> None:
    own = ledger(frozen(lane=None, expires_utc=LATER), required_lanes=["fixtures"], cardinality_floor={"fixtures": 1})
    found = fixtures_floor(rows()[:1], own, NOW)
    assert found is not None and (found.wanted, found.frozen, found.in_reach) == (1, 1, 1)


def test_a_lane_without_a_floor_of_its_own_is_left_alone() -> None:
    assert fixtures_floor(rows(), ledger(cardinality_floor={"properties": 9}), NOW) is None


@pytest.fixture
def repo(repo: Repo) -> Repo:
    """A project as `init` leaves it: the floor is the number of locked cases, which is 2."""
    Project(repo, {**SOUND, FREEZES: freezes(floor=2), "tests/test_parse.py": TESTS})
    return repo


def floor(repo: Repo) -> int:
    found = json.loads((repo.path / FREEZES).read_text())["cardinality_floor"]["fixtures"]
    assert isinstance(found, int)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("command", ["freeze", "quarantine"])
def test_the_floor_follows_what_is_taken_out_and_comes_back(repo: Repo, command: str) -> None:
    said = approved(repo, command, HEADER, *WHY)
    assert said.status == 0, said
    assert "lane fixtures can no longer reach its floor of 2: rows hold " in said.err
    assert said.out.endswith("Next:\n  ledgergate collect --floors\n  git commit\n"), said
    before = (repo.path / FREEZES).read_text()
    shown = gate(repo, "collect", "--floors")
    assert (shown.status, floor(repo)) == (1, 2)
    assert f"floor of lane fixtures in {FREEZES}: 2 -> 1\n" in shown.out
    said = approved(repo, "collect", "--floors")
    assert said.status == 0 and said.out.endswith(f"Wrote {FREEZES}.\nStaged it.\nNext:\n  git commit\n"), said
    assert (repo.path / FREEZES).read_text() == before.replace('"fixtures": 2', '"fixtures": 1')
    assert "freeze-edited" in verdict(repo, env=AS_AGENT).refusals
    back = ("thaw", HEADER) if command == "freeze" else ("release", HEADER, "--artifact", GOLDEN)
    said = approved(repo, *back)
    assert said.status == 0 and "can no longer reach" not in said.err, said
    assert approved(repo, "collect", "--floors").status == 0
    assert floor(repo) == 2
    assert "Nothing to write" in gate(repo, "collect", "--floors").out


@pytest.mark.slow
def test_floors_are_a_humans(repo: Repo) -> None:
    approved(repo, "freeze", HEADER, *WHY)
    said = gate(repo, "collect", "--floors", env=AS_AGENT)
    assert (said.status, floor(repo)) == (1, 2)
    assert "`ledgergate collect --floors` is for humans" in said.err
    for beside in ("--add", "--prune", "--params", "--all"):
        assert (gate(repo, "collect", "--floors", beside).status, floor(repo)) == (2, 2)


@pytest.mark.slow
def test_a_quarantine_without_a_freeze_ledger_says_nothing_of_floors(repo: Repo) -> None:
    (repo.path / FREEZES).unlink()
    said = approved(repo, "quarantine", HEADER, *WHY)
    assert said.status == 0, said
    assert "floor" not in said.err
    assert "class: quarantine" in (repo.path / LEDGER).read_text()
