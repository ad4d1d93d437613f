"""What holds of the gate for any run: worse input never makes it green, no order matters, no nonsense passes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from ledgergate.evidence import JUnitReport, Run, judge
from ledgergate.evidence.junit import Name, Outcome, Result
from ledgergate.lanes.results import read_report
from ledgergate.ledger import Row
from ledgergate.rules import finding
from ledgergate.values import Cases, Finding, State, fold
from support.lane_reports import lane

FUNCTIONS = ("test_a", "test_b", "test_p")
CASES = ("test_a", "test_b", "test_p[1]", "test_p[2]", "test_new")
EVIDENCE = ("locked_fixture", "property")


class Setting(NamedTuple):
    """All that the gate looks at. `broken` are the ids of rows whose digest or seeds do not hold."""

    rows: tuple[Row, ...]
    reports: tuple[dict[str, Outcome] | None, ...]  # by the case's name; None: it cannot be read
    kept_out: frozenset[str] = frozenset()
    collected: frozenset[str] | None = None
    excused: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()


def id_of(name: str) -> str:
    return f"tests/t.py::{name}"


def row_of(name: str, class_: str) -> Row:
    more = {"params": "2"} if name == "test_p" else {}
    return Row.of({"id": id_of(name), "class": class_, **more})


def report_of(cases: dict[str, Outcome] | None, kept_out: frozenset[str]) -> JUnitReport:
    if cases is None:
        return JUnitReport("r.xml", {}, (), None, "it was cut")
    results = {Name("tests.t", name, "", ""): Result(outcome) for name, outcome in cases.items()}
    return JUnitReport("r.xml", results, tuple(sorted(kept_out)), None)


def gate(one: Setting) -> tuple[Cases, tuple[Finding, ...]]:
    def holds(row: Row) -> Sequence[Finding]:
        return [finding("digest-mismatch", "junit-evidence", "x", subject=row.id)] if row.id in one.broken else []

    run = Run(
        tuple(report_of(cases, one.kept_out) for cases in one.reports),
        collected=one.collected,
        excused=one.excused.__contains__,
    )
    return judge(one.rows, run, holds)


def is_green(one: Setting) -> bool:
    return fold((State.PASS, *(seen.state for seen in gate(one)[1]))) is State.PASS


IDS = st.frozensets(st.sampled_from([*map(id_of, CASES), id_of("test_p")]))
OUTCOMES = st.sampled_from([*[Outcome.PASSED] * 4, *Outcome])
REPORTS = st.lists(st.dictionaries(st.sampled_from(CASES), OUTCOMES) | st.none(), min_size=1, max_size=3).map(tuple)
ROWS = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from([*EVIDENCE, "quarantine", "draft"]) for name in FUNCTIONS}
).map(lambda classes: tuple(row_of(name, class_) for name, class_ in classes.items()))
SETTINGS = st.builds(Setting, ROWS, REPORTS, IDS, st.none() | IDS, IDS, IDS)
# Runs that are likely to pass, so that there is something to spoil.
GOOD = st.builds(
    lambda classes, lost: Setting(
        tuple(row_of(name, class_) for name, class_ in zip(FUNCTIONS, classes, strict=True)),
        ({name: Outcome.PASSED for name in CASES[:4] if name not in lost},),
    ),
    st.lists(st.sampled_from(EVIDENCE), min_size=3, max_size=3),
    st.sets(st.sampled_from(CASES), max_size=1),
)


def _is_evidence(one: Setting, case: str) -> bool:
    return any(row.class_ in EVIDENCE and row.id in (id_of(case), id_of(case.partition("[")[0])) for row in one.rows)


Worse = Callable[[Setting, Random], Setting]


def _spoil_case(one: Setting, random: Random) -> Setting:
    """A result of a test that counts as evidence gets worse, or goes."""
    place = random.randrange(len(one.reports))
    cases = dict(one.reports[place] or {})
    wanted = [name for name in cases if _is_evidence(one, name)]
    if not wanted:
        return one
    name = random.choice(wanted)
    worse = list(Outcome)[list(Outcome).index(cases.pop(name)) + 1 :]
    if worse and random.random() < 0.7:
        cases[name] = random.choice(worse)
    return one._replace(reports=(*one.reports[:place], cases, *one.reports[place + 1 :]))


def _cut_report(one: Setting, random: Random) -> Setting:
    place = random.randrange(len(one.reports))
    return one._replace(reports=(*one.reports[:place], None, *one.reports[place + 1 :]))


WORSE: tuple[Worse, ...] = (
    _spoil_case,
    _cut_report,
    lambda one, _: one._replace(reports=(*one.reports, None)),
    lambda one, _: one._replace(reports=(*one.reports, {})),
    lambda one, _: one._replace(reports=(*one.reports, {"test_new": Outcome.PASSED})),
    lambda one, random: one._replace(broken=one.broken | {random.choice(one.rows).id} if one.rows else one.broken),
    lambda one, _: one._replace(excused=frozenset()),
    lambda one, _: one._replace(collected=None),
    lambda one, _: one._replace(kept_out=one.kept_out | {id_of("test_gone")}),
)


@given(SETTINGS | GOOD, st.sampled_from(WORSE), st.randoms(use_true_random=False))
def test_worse_input_never_makes_it_green(one: Setting, worse: Worse, random: Random) -> None:
    assert is_green(one) or not is_green(worse(one, random))


@given(SETTINGS | GOOD, st.randoms(use_true_random=False))
def test_no_order_matters(one: Setting, random: Random) -> None:
    mixed = one._replace(
        rows=tuple(random.sample(one.rows, len(one.rows))),
        reports=tuple(
            None if cases is None else dict(random.sample(list(cases.items()), len(cases)))
            for cases in random.sample(one.reports, len(one.reports))
        ),
    )
    (cases, findings), (other_cases, other_findings) = gate(one), gate(mixed)
    assert sorted(cases.judged) == sorted(other_cases.judged)
    assert cases[:3] == other_cases[:3]
    assert sorted(map(repr, findings)) == sorted(map(repr, other_findings))


@given(SETTINGS | GOOD)
def test_green_means_that_every_row_is_accounted_for(one: Setting) -> None:
    if is_green(one):
        verdicts = {judged.id: judged.verdict for judged in gate(one)[0].judged}
        assert set(verdicts.values()) <= {"admitted", "recorded"}
        for row in one.rows:
            if row.class_ in EVIDENCE and row.id not in one.excused:
                assert verdicts[row.id] == "admitted"
        assert all(one.reports)


@given(SETTINGS | GOOD)
def test_what_is_admitted_passed_and_holds(one: Setting) -> None:
    for judged in gate(one)[0].judged:
        if judged.verdict == "admitted":
            outcomes = [
                outcome
                for cases in one.reports
                for name, outcome in (cases or {}).items()
                if judged.id in (id_of(name), id_of(name.partition("[")[0]))
            ]
            assert Outcome.PASSED in outcomes
            assert not {Outcome.FAILED, Outcome.FLAKY} & set(outcomes)
            assert judged.id not in one.broken
            assert judged.class_ in EVIDENCE


def judged_bytes(data: bytes) -> tuple[Cases, tuple[Finding, ...]]:
    results = read_report("report", io.BufferedReader(io.BytesIO(data))).results  # type: ignore[arg-type]
    return judge([row_of("test_a", "property")], Run(results), lambda _: ())


@given(st.binary(max_size=200))
def test_no_bytes_pass(data: bytes) -> None:
    cases, findings = judged_bytes(data)
    assert not cases.admitted
    assert findings


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["ok", id_of("test_a"), ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*lane(), "x"]), inner, max_size=6),
    max_leaves=12,
)


@given(JSON, st.sampled_from(["lane", "report", "spoilt"]), st.sampled_from(sorted(lane())))
def test_no_nonsense_in_a_lane_report_passes(value: Any, place: str, key: str) -> None:
    good = lane(ran_case_ids=[id_of("test_a")])
    fields = {**good, key: value}
    document = {"lane": {"properties": value}, "report": value, "spoilt": {"properties": fields}}[place]
    cases, findings = judged_bytes(json.dumps(document).encode())
    if place == "spoilt" and not findings:
        kinds = {
            "status": value == "ok",
            "executed": type(value) is int and value >= 0,
            "skipped": type(value) is bool,
            "ran_case_ids": isinstance(value, list) and id_of("test_a") in value,
        }
        assert kinds.get(key, isinstance(value, list))
    elif place != "spoilt":
        is_lane = isinstance(value, dict)
        assert findings or is_lane
    assert cases.admitted == 0 or not [seen for seen in findings if seen.subject == id_of("test_a")]


@given(st.data())
def test_a_whole_report_with_bytes_lost_is_no_pass(data: st.DataObject) -> None:
    inner = "".join(f'<testcase classname="tests.t" name="{name}"><failure/></testcase>' for name in ("test_a", "x"))
    whole = f'<testsuites><testsuite name="s" tests="2" failures="2">{inner}</testsuite></testsuites>'.encode()
    start = data.draw(st.integers(0, len(whole) - 1))
    end = data.draw(st.integers(start + 1, len(whole)))
    cases, findings = judged_bytes(whole[:start] + whole[end:])
    assert not cases.admitted
    assert findings
