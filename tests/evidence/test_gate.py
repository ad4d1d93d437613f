"""The evidence table, row by row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.evidence import JUnitReport, Run, judge
from ledgergate.evidence.junit import Name, Outcome, Result
from ledgergate.ledger import Row
from ledgergate.rules import finding
from ledgergate.values import Cases, Finding, State, fold

ID = "tests/test_a.py::test_x"
NAME = Name("tests.test_a", "test_x", "", "")
PASSED, SKIPPED, FLAKY, FAILED = Outcome.PASSED, Outcome.SKIPPED, Outcome.FLAKY, Outcome.FAILED
EVIDENCE = ("locked_fixture", "property")


def report(
    cases: Mapping[Name, Outcome],
    *,
    kept_out: tuple[str, ...] = (),
    tree: str | None = None,
    problem: str | None = None,
) -> JUnitReport:
    return JUnitReport("r.xml", {name: Result(outcome) for name, outcome in cases.items()}, kept_out, tree, problem)


def row(class_: str, id_: str = ID, **fields: str) -> Row:
    return Row.of({"id": id_, "class": class_, **fields})


def gate(rows: list[Row], run: Run, broken: str | None = None) -> tuple[Cases, tuple[Finding, ...]]:
    """Judge; `broken` is the rule that every row breaks whose digest or seeds are measured."""

    def holds(one: Row) -> tuple[Finding, ...]:
        return () if broken is None else (finding(broken, "junit-evidence", "broken", subject=one.id),)

    return judge(rows, run, holds)


class Cell(NamedTuple):
    """One row of the table: what the reports say of a test of some class, and what becomes of it."""

    name: str
    class_: str
    outcomes: tuple[Outcome, ...]  # in one report each; none: no report has it
    verdict: str
    kept_out: bool = False
    collected: bool | None = None
    excused: bool = False
    broken: str | None = None


BROKEN = "digest-mismatch"
OTHER = Name("tests.test_a", "test_other", "", "")


def _cells() -> list[Cell]:
    cells = [
        Cell("pass, digest does not hold", "locked_fixture", (PASSED,), "digest-mismatch", broken="digest-mismatch"),
        Cell("pass, seeds empty", "property", (PASSED,), "seeds-empty", broken="seeds-empty"),
        Cell("pass", "quarantine", (PASSED,), "quarantine-cited"),
        Cell("pass after a retry", "quarantine", (FLAKY,), "quarantine-cited"),
        Cell("failure", "quarantine", (FAILED,), "recorded"),
        Cell("skipped", "quarantine", (SKIPPED,), "quarantine-skipped"),
        Cell("absent", "quarantine", (), "quarantine-skipped"),
        Cell("skipped, with a receipt", "quarantine", (SKIPPED,), "recorded", excused=True),
        Cell("absent, with a receipt", "quarantine", (), "recorded", excused=True),
        Cell("kept out", "quarantine", (), "recorded", kept_out=True),
        Cell("kept out, and cited all the same", "quarantine", (PASSED,), "quarantine-cited", kept_out=True),
        Cell("collected and absent", "quarantine", (), "recorded", collected=True),
        Cell("collected and skipped", "quarantine", (SKIPPED,), "quarantine-skipped", collected=True),
        Cell("no longer collected", "quarantine", (), "quarantine-skipped", collected=False),
        Cell("pass in one, failure in another", "quarantine", (PASSED, FAILED), "recorded"),
        Cell("pass", "draft", (PASSED,), "draft-cited"),
        Cell("pass after a retry", "draft", (FLAKY,), "draft-cited"),
        *(Cell(outcome.value, "draft", (outcome,), "recorded") for outcome in (FAILED, SKIPPED)),
        Cell("absent", "draft", (), "recorded"),
        Cell("kept out", "draft", (), "recorded", kept_out=True),
    ]
    for class_ in EVIDENCE:
        cells += [
            Cell("pass", class_, (PASSED,), "admitted"),
            Cell("failure", class_, (FAILED,), "case-failed"),
            Cell("failure in one of two", class_, (PASSED, FAILED), "case-failed"),
            Cell("failure, and its digest broken", class_, (FAILED,), "case-failed", broken="digest-mismatch"),
            Cell("skipped everywhere", class_, (SKIPPED, SKIPPED), "case-missing"),
            Cell("absent everywhere", class_, (), "case-missing"),
            Cell("absent, though collected", class_, (), "case-missing", collected=True),
            Cell("skipped in one of two", class_, (SKIPPED, PASSED), "admitted"),
            Cell("skipped, with a receipt", class_, (SKIPPED,), "recorded", excused=True),
            Cell("absent, with a receipt", class_, (), "recorded", excused=True),
            Cell("skipped, with a receipt, and edited", class_, (SKIPPED,), BROKEN, excused=True, broken=BROKEN),
            Cell("failure, with a receipt", class_, (FAILED,), "case-failed", excused=True),
            Cell("pass only after a retry", class_, (FLAKY,), "case-flaky"),
            Cell("pass after a retry, pass elsewhere", class_, (FLAKY, PASSED), "case-flaky"),
        ]
    return cells


@pytest.mark.parametrize("cell", _cells(), ids=lambda cell: f"{cell.class_}: {cell.name}")
def test_every_row_of_the_table(cell: Cell) -> None:
    kept_out = (ID,) if cell.kept_out else ()
    other = Name("tests.test_a", "test_other", "", "")
    reports = [report({NAME: outcome, other: PASSED}, kept_out=kept_out) for outcome in cell.outcomes]
    run = Run(
        reports=tuple(reports) or (report({other: PASSED}, kept_out=kept_out),),
        collected=None if cell.collected is None else frozenset({ID} if cell.collected else ()),
        excused=lambda id_: cell.excused and id_ == ID,
    )
    rows = [row(cell.class_), row("property", "tests/test_a.py::test_other")]
    cases, findings = gate(rows, run, cell.broken)
    verdicts = {judged.id: judged.verdict for judged in cases.judged}
    assert verdicts[ID] == cell.verdict
    own = [seen.rule for seen in findings if seen.subject == ID]
    assert bool(own) == (cell.verdict not in ("admitted", "recorded"))
    assert set(own) <= {cell.verdict}


@pytest.mark.parametrize(
    ("other", "is_said"),
    [(report({}), True), (report({OTHER: PASSED}, problem="cut"), True), (report({OTHER: PASSED}), False)],
)
def test_an_absent_flake_is_told_with_the_report_that_may_have_it(other: JUnitReport, is_said: bool) -> None:
    _, findings = gate([row("quarantine")], Run((report({OTHER: PASSED}), other)))
    (found,) = [seen for seen in findings if seen.rule == "quarantine-skipped"]
    assert ("not every report counts" in found.message) == is_said
    assert found.state is State.FAIL


@pytest.mark.parametrize(
    ("reports", "collected", "state"),
    [
        ((), None, State.UNSCORED),
        ((report({}),), None, State.UNSCORED),
        ((report({NAME: PASSED}, problem="cut")._replace(cases={}),), None, State.UNSCORED),
        ((report({}),), frozenset({"tests/test_a.py::test_other"}), State.FAIL),
        ((report({OTHER: PASSED}),), None, State.FAIL),
        ((report({NAME: Outcome.SKIPPED}),), None, State.FAIL),
    ],
    ids=["no report", "an empty one", "a broken one", "no longer collected", "not in it", "skipped in it"],
)
def test_without_a_report_that_counts_a_flake_is_unknown_and_not_gone(
    reports: tuple[JUnitReport, ...], collected: frozenset[str] | None, state: State
) -> None:
    _, findings = gate([row("quarantine")], Run(reports, collected=collected))
    assert {seen.state for seen in findings if seen.rule == "quarantine-skipped"} == {state}


class TestCasesWithoutARow:
    @pytest.mark.parametrize("outcome", list(Outcome))
    def test_any_result_of_theirs_is_refused(self, outcome: Outcome) -> None:
        cases, findings = gate([], Run((report({NAME: outcome}),)))
        assert [seen.rule for seen in findings] == ["unclassified"]
        assert (cases.total, cases.admitted, cases.refused) == (1, 0, 1)

    def test_once_over_all_reports(self) -> None:
        _, findings = gate([], Run((report({NAME: PASSED}), report({NAME: SKIPPED}))))
        assert len(findings) == 1

    def test_what_cannot_be_told_apart(self) -> None:
        rows = [row("property", "a/b.py::test_c"), row("property", "a.b.py::test_c")]
        _, findings = gate(rows, Run((report({Name("a.b", "test_c", "", ""): PASSED}),)))
        assert {seen.rule for seen in findings} == {"case-ambiguous", "case-missing"}


class TestCasesOfSeveralFiles:
    """Some runners call all tests of a folder by one class name."""

    ROW = "com.acme::adds"
    NAMES = tuple(Name("com.acme", "adds", file, "") for file in ("a.js", "b.js"))

    @pytest.mark.parametrize(
        ("outcomes", "verdict"),
        [
            ((PASSED, PASSED), "case-ambiguous"),
            ((PASSED, SKIPPED), "case-missing"),
            ((PASSED, FAILED), "case-failed"),
            ((PASSED,), "admitted"),
        ],
    )
    def test_nobody_knows_which_one_is_meant(self, outcomes: tuple[Outcome, ...], verdict: str) -> None:
        found = report(dict(zip(self.NAMES, outcomes, strict=False)))
        cases, findings = gate([row("property", self.ROW)], Run((found,)))
        assert cases.judged[-1].verdict == verdict
        assert [seen.rule for seen in findings] == ([] if verdict == "admitted" else [verdict])

    def test_machines_of_a_matrix_may_have_them_in_other_places(self) -> None:
        reports = tuple(report({name: PASSED}) for name in self.NAMES)
        assert gate([row("property", self.ROW)], Run(reports))[0].admitted == 1

    def test_exact_ids_tell_them_apart(self) -> None:
        exact = [name._replace(classname="tests.test_a", name="test_x", nodeid=ID) for name in self.NAMES]
        assert gate([row("property")], Run((report(dict.fromkeys(exact, PASSED)),)))[0].admitted == 1


class TestParameters:
    @pytest.mark.parametrize(
        ("outcomes", "verdict"),
        [
            ((PASSED, PASSED), "admitted"),
            ((PASSED, PASSED, PASSED), "admitted"),
            ((PASSED, PASSED, SKIPPED), "admitted"),
            ((PASSED, SKIPPED), "case-missing"),
            ((PASSED,), "case-missing"),
            ((PASSED, PASSED, FAILED), "case-failed"),
            ((PASSED, PASSED, FLAKY), "case-flaky"),
            ((), "case-missing"),
        ],
    )
    def test_as_many_as_the_row_says(self, outcomes: tuple[Outcome, ...], verdict: str) -> None:
        seen = {NAME._replace(name=f"test_x[{number}]"): outcome for number, outcome in enumerate(outcomes)}
        cases, _ = gate([row("property", params="2")], Run((report(seen),)))
        assert cases.judged[-1].verdict == verdict

    @pytest.mark.parametrize(("passed", "verdict"), [(0, "recorded"), (1, "recorded"), (2, "admitted")])
    def test_a_receipt_excuses_what_did_not_run_and_makes_no_evidence(self, passed: int, verdict: str) -> None:
        seen = {NAME._replace(name=f"test_x[{number}]"): PASSED if number < passed else SKIPPED for number in range(2)}
        cases, findings = gate([row("property", params="2")], Run((report(seen),), excused=lambda id_: id_ == ID))
        assert (cases.judged[-1].verdict, findings) == (verdict, ())

    @pytest.mark.parametrize(
        ("outcomes", "frozen", "verdict"),
        [
            ((PASSED, SKIPPED), (1,), "recorded"),
            ((SKIPPED, SKIPPED), (0, 1), "recorded"),
            ((PASSED, PASSED, SKIPPED), (2,), "admitted"),
            ((PASSED, SKIPPED), (0,), "case-missing"),
            ((SKIPPED, SKIPPED), (1,), "case-missing"),
            ((PASSED,), (1,), "case-missing"),
            ((PASSED, FAILED), (1,), "case-failed"),
        ],
    )
    def test_a_receipt_of_one_case_excuses_that_one(
        self, outcomes: tuple[Outcome, ...], frozen: tuple[int, ...], verdict: str
    ) -> None:
        seen = {NAME._replace(name=f"test_x[{number}]"): outcome for number, outcome in enumerate(outcomes)}
        ids = {f"{ID}[{number}]" for number in frozen}
        cases, _ = gate([row("property", params="2")], Run((report(seen),), excused=lambda id_: id_ in ids))
        assert cases.judged[-1].verdict == verdict

    def test_the_same_parameter_twice_counts_once(self) -> None:
        one = report({NAME._replace(name="test_x[1]"): PASSED})
        cases, _ = gate([row("property", params="2")], Run((one, one)))
        assert cases.judged[-1].verdict == "case-missing"

    @pytest.mark.parametrize("twice", [PASSED, SKIPPED, FAILED])
    def test_one_case_under_two_names_counts_once_and_with_its_worst(self, twice: Outcome) -> None:
        names = (NAME._replace(name="test_x[1]"), Name("", "test_x[1]", "tests/test_a.py", ""))
        cases, _ = gate([row("property", params="2")], Run((report(dict(zip(names, (PASSED, twice), strict=True))),)))
        assert cases.judged[-1].verdict == ("case-failed" if twice is FAILED else "case-missing")
        cases, _ = gate([row("property", params="1")], Run((report(dict(zip(names, (PASSED, twice), strict=True))),)))
        assert (cases.admitted == 1) == (twice is PASSED)

    def test_a_row_of_its_own_is_more_exact(self) -> None:
        rows = [row("property", params="1"), row("quarantine", f"{ID}[1]")]
        seen = {NAME._replace(name="test_x[1]"): FAILED, NAME._replace(name="test_x[2]"): PASSED}
        cases, findings = gate(rows, Run((report(seen),)))
        assert (cases.admitted, findings) == (1, ())


class TestReports:
    @pytest.mark.parametrize(
        ("given_report", "rule"),
        [
            (report({}, problem="line 3: no element found"), "report-unreadable"),
            (report({}), "report-empty"),
            (report({NAME: PASSED}, tree="b" * 40), "report-stale"),
            (report({NAME: PASSED}), "report-stale"),
        ],
    )
    def test_one_that_does_not_count_spoils_the_run(self, given_report: JUnitReport, rule: str) -> None:
        good = report({NAME: PASSED}, tree="a" * 40)
        _, findings = gate([row("property")], Run((good, given_report), is_tested=lambda tree: tree == "a" * 40))
        assert [(seen.rule, seen.state) for seen in findings] == [(rule, State.UNSCORED)]

    def test_production_changed_and_nothing_proves_it(self) -> None:
        only_drafts = [row("draft")]
        _, findings = gate(only_drafts, Run((report({NAME: FAILED}),), production_changed=True))
        assert [seen.rule for seen in findings] == ["no-evidence"]
        _, findings = gate([row("property")], Run((report({NAME: PASSED}),), production_changed=True))
        assert findings == ()

    @pytest.mark.parametrize("class_", EVIDENCE)
    def test_only_quarantine_and_drafts_may_be_kept_out(self, class_: str) -> None:
        _, findings = gate([row(class_)], Run((report({NAME: PASSED}, kept_out=(ID, "unknown")),)))
        assert [(seen.rule, seen.subject) for seen in findings] == [("case-missing", ID), ("case-missing", "unknown")]

    @pytest.mark.parametrize("class_", ["quarantine", "draft"])
    def test_cases_of_a_function_that_are_kept_out(self, class_: str) -> None:
        kept_out = (f"{ID}[1]", f"{ID}[2]")
        other = NAME._replace(name="test_other")
        rows = [row(class_, params="2"), row("property", "tests/test_a.py::test_other")]
        assert gate(rows, Run((report({other: PASSED}, kept_out=kept_out),)))[1] == ()
        _, findings = gate([row(class_), rows[1]], Run((report({other: PASSED}, kept_out=kept_out),)))
        assert {seen.rule for seen in findings} >= {"case-missing"}


RESULTS = st.dictionaries(st.sampled_from([NAME, NAME._replace(name="test_x[1]")]), st.sampled_from(list(Outcome)))
ROWS = st.sampled_from(["locked_fixture", "property", "quarantine", "draft"]).map(row)


@given(ROWS, st.lists(RESULTS, min_size=1, max_size=3), st.randoms())
def test_the_order_of_the_reports_does_not_matter(one: Row, results: list[dict[Name, Outcome]], random: object) -> None:
    reports = [report(cases) for cases in results]
    mixed = sorted(reports, key=lambda _: random.random())  # type: ignore[attr-defined]
    one_way, other_way = gate([one], Run(tuple(reports))), gate([one], Run(tuple(mixed)))
    assert sorted(one_way[0].judged) == sorted(other_way[0].judged)
    assert fold(seen.state for seen in one_way[1]) == fold(seen.state for seen in other_way[1])


@given(st.sampled_from(EVIDENCE), st.lists(RESULTS, min_size=1, max_size=3))
def test_evidence_needs_a_pass_and_no_failure(class_: str, results: list[dict[Name, Outcome]]) -> None:
    cases, _ = gate([row(class_)], Run(tuple(report(found) for found in results)))
    own = {found[NAME] for found in results if NAME in found}
    assert (cases.admitted == 1) == (PASSED in own and not own & {FAILED, FLAKY})


@pytest.mark.parametrize(
    ("results", "params", "message"),
    [
        ((Result(Outcome.SKIPPED, "no numpy"),), None, "It was skipped: no numpy"),
        ((Result(Outcome.SKIPPED),), None, "It was skipped."),
        (
            (Result(Outcome.SKIPPED, "no numpy"),),
            "2",
            "0 of its cases passed, and the row wants 2; 1 skipped: no numpy",
        ),
        ((), None, "No report has it."),
    ],
)
def test_a_missing_case_says_why_it_was_skipped_and_how_to_go_on(
    results: tuple[Result, ...], params: str | None, message: str
) -> None:
    row = Row.of({"id": "t.py::test", "class": "locked_fixture", **({"params": params} if params else {})})
    bracket = "[a]" if params else ""
    cases = {Name("t", f"test{bracket}", "", f"t.py::test{bracket}"): result for result in results}
    _, (found,) = judge([row], Run([JUnitReport("r", cases, (), None)] if cases else []), lambda _: ())
    assert (found.rule, found.message) == ("case-missing", message)
    assert ("quarantine --skipped-in" in found.remedy) is bool(results)
