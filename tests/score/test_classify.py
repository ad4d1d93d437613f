"""What a lane is worth, step by step."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from ledgergate.policy import Policy
from ledgergate.policy.model import Run
from ledgergate.report.remedy import filled_remedy
from ledgergate.rules import finding
from ledgergate.score import Decision, score
from ledgergate.values import State
from support.lane_reports import BEFORE, CASE, NOW, OTHER, RECEIPT, frozen, judge, lane, ledger, read

SKIPPED = {"skipped_case_ids": [CASE], "receipts": [RECEIPT]}


class Cell(NamedTuple):
    name: str
    report: dict[str, Any] | None
    state: State
    rules: set[str]
    freezes: tuple[dict[str, Any], ...] = ()
    floor: int = 1
    broken: tuple[str, ...] = ()


def unscored(name: str, report: dict[str, Any] | None, *rules: str, **more: Any) -> Cell:
    return Cell(name, report, State.UNSCORED, set(rules), **more)


def passing(name: str, report: dict[str, Any], **more: Any) -> Cell:
    return Cell(name, report, State.PASS, set(), **more)


FROZEN = (frozen(),)
CELLS = (
    passing("plain", lane()),
    unscored("no report", None, "lane-missing"),
    *(
        unscored(f"status {status}", lane(status=status), "lane-incomplete")
        for status in ("timeout", "crash", "empty", "parse_error")
    ),
    *(unscored(f"status {status!r}", lane(status=status), "lane-incomplete") for status in ("OK", "passed", 1, True)),
    Cell(
        "a timeout after a violation",
        lane(status="timeout", violations=["x"]),
        State.FAIL,
        {"lane-incomplete", "lane-violation"},
    ),
    Cell(
        "a violation beside a field of the wrong type",
        lane(executed="3", violations=["x"]),
        State.FAIL,
        {"lane-incomplete", "lane-violation"},
    ),
    *(
        unscored(f"executed is {count!r}", lane(executed=count), "lane-incomplete")
        for count in (True, "3", 2.5, -1, [3])
    ),
    *(
        unscored(
            f"{field} is missing", {key: value for key, value in lane().items() if key != field}, "lane-incomplete"
        )
        for field in lane()
    ),
    *(
        unscored(f"{field} is a text", lane(**{field: "x"}), "lane-incomplete")
        for field in ("violations", "ran_case_ids", "receipts", "skipped")
    ),
    *(
        unscored(f"{field} names nothing", lane(**{field: [" "]}), "lane-incomplete")
        for field in ("ran_case_ids", "skipped_case_ids", "outside_evidence", "plugins", "flaky_case_ids")
    ),
    unscored("an update by nobody knows what", lane(golden_update=""), "golden-update-run"),
    unscored("a receipt without a signature", lane(receipts=[{"id": "fx-1"}]), "lane-incomplete"),
    unscored("a violation of nothing", lane(violations=[{}]), "lane-incomplete"),
    Cell("a violation", lane(violations=["1 is not 2"]), State.FAIL, {"lane-violation"}),
    Cell(
        "a violation with its case", lane(violations=[{"case": "a", "message": "no"}]), State.FAIL, {"lane-violation"}
    ),
    Cell(
        "a violation below the floor", lane(violations=["no"]), State.FAIL, {"lane-violation", "floor-missed"}, floor=9
    ),
    unscored("below the floor", lane(executed=11), "floor-missed", floor=64),
    passing("at the floor", lane(executed=64), floor=64),
    unscored("a count without a name", lane(executed=9, ran_case_ids=[]), "lane-incomplete"),
    unscored("one case for nine", lane(executed=9, ran_case_ids=["a"] * 9), "lane-incomplete"),
    passing("a property's examples", lane(executed=100, ran_case_ids=["a"])),
    unscored("nothing ran", lane(executed=0, ran_case_ids=[]), "floor-missed"),
    unscored("nothing ran and nothing had to", lane(executed=0, ran_case_ids=[]), "lane-incomplete", floor=0),
    unscored("it would have rewritten goldens", lane(golden_update="--snapshot-update"), "golden-update-run"),
    unscored(
        "it refused to rewrite goldens",
        lane(status="crash", golden_update="--snapshot-update"),
        "lane-incomplete",
        "golden-update-run",
    ),
    unscored("an artifact differed", lane(differing_artifacts=[{"case": "a", "path": "g"}]), "artifact-differs"),
    unscored("a plugin of nobody", lane(plugins=["pytest-randomly"]), "plugin-unlisted"),
    passing("no plugin but our own", lane(plugins=["ledgergate"])),
    passing("cases that are the gate's to judge", lane(flaky_case_ids=["a"])),
    *(
        unscored(f"{key} of the wrong type", lane(**{key: value}), "lane-incomplete")
        for key, value in (
            ("golden_update", True),
            ("differing_artifacts", ["a"]),
            ("differing_artifacts", [{"case": "a"}]),
            ("plugins", "pytest-xdist"),
            ("flaky_case_ids", "a"),
            ("reason", 1),
            ("skip_reasons", ["a"]),
            ("skip_reasons", {"a": 1}),
        )
    ),
    passing("frozen, and skipped", lane(**SKIPPED), freezes=FROZEN),
    passing("frozen, and skipped without a list", lane(receipts=[RECEIPT]), freezes=FROZEN),
    passing("frozen, and it ran all the same", lane(ran_case_ids=[CASE]), freezes=FROZEN),
    passing("frozen, and one of its parameters ran", lane(ran_case_ids=[f"{CASE}[1]"]), freezes=FROZEN),
    passing("frozen by the name with test_", lane(**SKIPPED), freezes=(frozen(case_id="test_budget"),)),
    passing("frozen by the exact id", lane(**SKIPPED), freezes=(frozen(case_id=CASE),)),
    passing(
        "frozen with parameters",
        lane(receipts=[RECEIPT], skipped_case_ids=[f"{CASE}[1]", f"{CASE}[2]"]),
        freezes=FROZEN,
    ),
    unscored("frozen, neither run nor skipped", lane(), "receipt-missing", freezes=FROZEN),
    unscored(
        "a function of that name elsewhere ran",
        lane(ran_case_ids=["tests/other.py::test_budget"]),
        "receipt-missing",
        freezes=FROZEN,
    ),
    unscored("another signature", lane(receipts=[{**RECEIPT, "signature": OTHER}]), "receipt-mismatch", freezes=FROZEN),
    unscored("two receipts", lane(receipts=[RECEIPT, RECEIPT]), "receipt-mismatch", freezes=FROZEN),
    unscored("no owner", lane(**SKIPPED), "freeze-unowned", freezes=(frozen(owner=None),)),
    passing("no owner, and it ran", lane(ran_case_ids=[CASE]), freezes=(frozen(owner=None),)),
    unscored("the check was edited", lane(**SKIPPED), "freeze-signature", freezes=FROZEN, broken=("fx-1",)),
    passing("the check was edited, and it ran", lane(ran_case_ids=[CASE]), freezes=FROZEN, broken=("fx-1",)),
    unscored("expired, with a receipt", lane(**SKIPPED), "freeze-expired", freezes=(frozen(expires_utc=BEFORE),)),
    unscored("expired, and not run", lane(), "freeze-expired", freezes=(frozen(expires_utc=BEFORE),)),
    passing("expired, and run", lane(ran_case_ids=[CASE]), freezes=(frozen(expires_utc=BEFORE),)),
    unscored("a receipt that no freeze explains", lane(receipts=[RECEIPT]), "receipt-unknown"),
    unscored("a skip without a receipt", lane(skipped_case_ids=[CASE]), "receipt-missing"),
    passing("kept out on purpose", lane(skipped_case_ids=[CASE], outside_evidence=[CASE])),
    unscored(
        "a skip beyond the receipts",
        lane(receipts=[RECEIPT], skipped_case_ids=[CASE, "b"]),
        "receipt-missing",
        freezes=FROZEN,
    ),
    unscored("skipped without the list", lane(skipped=True, receipts=[RECEIPT]), "lane-incomplete", freezes=FROZEN),
    unscored(
        "all skipped, below the floor",
        lane(executed=0, ran_case_ids=[], skipped=True, **SKIPPED),
        "floor-missed",
        freezes=FROZEN,
    ),
    Cell(
        "all skipped",
        lane(executed=0, ran_case_ids=[], skipped=True, **SKIPPED),
        State.SKIP,
        {"lane-incomplete"},
        FROZEN,
        0,
    ),
)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.name)
def test_every_step(cell: Cell) -> None:
    own = ledger(*cell.freezes, cardinality_floor={"properties": cell.floor})
    reports = [] if cell.report is None else [{"properties": cell.report}]
    found = judge(own, *reports, broken=cell.broken)
    problems = {problem.rule for problem in own.problems}
    assert problems <= {"freeze-invalid"}
    assert (dict(found.lanes)["properties"], {finding.rule for finding in found.findings} - problems) == (
        cell.state,
        cell.rules,
    )


@pytest.mark.parametrize("name", ["pytest-xdist", "pytest_xdist", "Pytest.XDist"])
def test_a_plugin_that_the_policy_names(name: str) -> None:
    report = {"properties": lane(plugins=[name])}
    policy = Policy(run=Run(plugins=("pytest-xdist",)))
    assert judge(ledger(), report, policy=policy).decision is Decision.ALLOW
    assert judge(ledger(), report).decision is Decision.BLOCK


def test_a_skip_says_why_and_how_to_go_on() -> None:
    case = f"{CASE}[a b]"
    (found,) = judge(ledger(), {"properties": lane(skipped_case_ids=[case], skip_reasons={case: "no disk"})}).findings
    assert found.message == "lane properties: This case was skipped (no disk), and no one freeze accounts for it."
    shown = filled_remedy([found])
    assert f"`ledgergate quarantine '{case}' " in shown
    assert f"`ledgergate freeze '{case}' " in shown


def test_an_incomplete_lane_says_why() -> None:
    found = judge(ledger(), {"properties": lane(status="crash", reason="it ended with status 139")})
    assert "crash (it ended with status 139)" in found.findings[0].message


@pytest.mark.parametrize(("tree", "is_stale"), [("a" * 40, False), ("b" * 40, True), (None, True)])
def test_a_report_about_another_tree_is_stale(tree: str | None, is_stale: bool) -> None:
    reports = read({"properties": lane(tree=tree)})
    found = score(ledger(), reports, Policy(), NOW, lambda _: None, is_tested=lambda tested: tested == "a" * 40)
    assert {seen.rule for seen in found.findings} == ({"report-stale"} if is_stale else set())
    assert (found.decision is Decision.ALLOW) == (not is_stale)


def test_findings_of_other_checks_fold_with_the_required_lanes() -> None:
    seen = finding("unclassified", "junit-evidence", "no row")
    found = score(ledger(), read({"properties": lane()}), Policy(), NOW, lambda _: None, checks=(seen,))
    assert (found.required_fold, found.decision, found.findings) == (State.FAIL, Decision.BLOCK, (seen,))
