"""The rules that a row obeys, each with rows that break it and a twin that does not."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.ledger.rows import Row, Value
from ledgergate.ledger.usual import is_sound
from ledgergate.ledger.validate import append_problem, row_problems
from support.ledgers import DIGEST, TODAY, row_fields, texts

FIXTURE: dict[str, Value] = {
    "id": "t/test_a.py::test_x",
    "class": "locked_fixture",
    "artifact": "g/a",
    "digest": DIGEST,
}
PROPERTY: dict[str, Value] = {
    "id": "t/test_a.py::test_x",
    "class": "property",
    "invariant": "holds",
    "seeds": "seeds/x/",
}
QUARANTINE: dict[str, Value] = {
    "id": "t/test_a.py::test_x",
    "class": "quarantine",
    "opened": "2026-09-10",
    "reason": "order",
    "owner": "infra",
}
DRAFT: dict[str, Value] = {
    "id": "t/test_a.py::test_x",
    "class": "draft",
    "source": "agent",
    "proposed_class": "property",
    "invariant": "holds",
}


def problems(fields: dict[str, Value], today: date = TODAY) -> list[tuple[str, str]]:
    found = row_problems(Row.of(fields, 7), today, lambda _: 7)
    assert all(problem.line == 7 for problem in found)
    if found:
        assert not is_sound(fields, today.isoformat())
    return [(problem.rule, f"{problem.message} | {problem.remedy}") for problem in found]


GOOD: list[dict[str, Value]] = [
    FIXTURE,
    PROPERTY,
    QUARANTINE,
    DRAFT,
    {**FIXTURE, "lfs": "true", "allow_empty": "false", "params": "12"},
    {**QUARANTINE, "artifact": "g/a"},
    {**QUARANTINE, "artifact": ("g/a", "g/b/")},
    {**FIXTURE, "artifact": "g/folder/"},
    {**FIXTURE, "artifact": ("g/a", "g/b/"), "digest": (DIGEST, DIGEST)},
    {**FIXTURE, "artifact": ("g/a",), "digest": (DIGEST,)},
    {**FIXTURE, "artifact": "-x/a b/.hidden/.gitignore/git/..a/é\n:(top)x#1"},
    {**FIXTURE, "artifact": "a/.github/x"},
    {**PROPERTY, "seeds": "seeds/x"},
    {**PROPERTY, "params": "3"},
    {**QUARANTINE, "opened": TODAY.isoformat()},
    {**QUARANTINE, "opened": "2024-02-29", "owner": "no", "reason": "12:30"},
    {**DRAFT, "seeds": "seeds/"},
    {**DRAFT, "proposed_class": "locked_fixture", "artifact": "g/a"} | {"invariant": ""},
]
GOOD[-1].pop("invariant")


@pytest.mark.parametrize("fields", GOOD)
def test_rows_that_obey(fields: dict[str, Value]) -> None:
    assert problems(fields) == []


def without(fields: dict[str, Value], name: str) -> dict[str, Value]:
    return {key: value for key, value in fields.items() if key != name}


BAD: list[tuple[dict[str, Value], str, str]] = [
    (without(FIXTURE, "id"), "row-invalid", "no `id`"),
    (without(FIXTURE, "class"), "row-invalid", "no `class`"),
    (without(FIXTURE, "digest"), "row-invalid", "needs `digest`"),
    (without(FIXTURE, "artifact"), "row-invalid", "needs `artifact`"),
    (without(PROPERTY, "seeds"), "row-invalid", "needs `seeds`"),
    (without(QUARANTINE, "owner"), "row-invalid", "needs `owner`"),
    (without(DRAFT, "proposed_class"), "row-invalid", "needs `proposed_class`"),
    ({**FIXTURE, "class": "locked_fixtures"}, "row-invalid", "Did you mean `locked_fixture`"),
    ({**FIXTURE, "class": "no"}, "row-invalid", "'no' is no class"),
    ({**FIXTURE, "class": ("draft",)}, "row-invalid", "holds a list"),
    ({**FIXTURE, "digests": DIGEST}, "row-invalid", "Did you mean `digest`"),
    ({**FIXTURE, "owner": "me"}, "row-invalid", "`owner` is no field of a locked_fixture row"),
    ({**DRAFT, "artifact": "g/a"}, "row-invalid", "`artifact` is no field of a draft row"),
    ({**DRAFT, "proposed_class": "quarantine"}, "row-invalid", "no class that a draft can propose"),
    ({**DRAFT, "proposed_class": ("property",)}, "row-invalid", "holds a list"),
    ({**FIXTURE, "digest": DIGEST.upper()}, "row-invalid", "lower-case hex"),
    ({**FIXTURE, "digest": DIGEST[:-1]}, "row-invalid", "64 lower-case hex"),
    ({**FIXTURE, "digest": DIGEST + "\n"}, "row-invalid", "64 lower-case hex"),
    ({**FIXTURE, "digest": (DIGEST,)}, "row-invalid", "both be lists"),
    ({**FIXTURE, "artifact": ("g/a",)}, "row-invalid", "both be lists"),
    ({**FIXTURE, "artifact": ("g/a", "g/b"), "digest": (DIGEST,)}, "row-invalid", "lists 2, and `digest` 1"),
    ({**FIXTURE, "artifact": ("g/a", "g/a"), "digest": (DIGEST, DIGEST)}, "row-invalid", "g/a twice"),
    ({**FIXTURE, "artifact": (), "digest": ()}, "row-invalid", "empty list"),
    ({**FIXTURE, "artifact": ""}, "row-invalid", "empty"),
    ({**FIXTURE, "artifact": "t/test_a.py::test_x[1]"}, "row-invalid", "no path to a Python function"),
    ({**FIXTURE, "artifact": "t/test_a.py::"}, "row-invalid", "empty name"),
    ({**FIXTURE, "artifact": "t/test_a.py::T::"}, "row-invalid", "empty name"),
    ({**FIXTURE, "artifact": "t/::test_x"}, "row-invalid", "test in a folder"),
    ({**FIXTURE, "artifact": "../t.py::test_x"}, "artifact-outside", "`..`"),
    ({**FIXTURE, "artifact": "/t.py::test_x"}, "artifact-outside", "absolute"),
    ({**FIXTURE, "artifact": "t.ts::a\nb"}, "row-invalid", "control character"),
    ({**FIXTURE, "artifact": "t.py::test_x", "lfs": "true"}, "row-invalid", "pins a test"),
    ({**QUARANTINE, "artifact": "t.py::test_x"}, "row-invalid", "names a test"),
    ({**QUARANTINE, "artifact": ("g/a", "../b")}, "artifact-outside", "../b"),
    ({**QUARANTINE, "artifact": "g/a", "digest": DIGEST}, "row-invalid", "`digest` is no field"),
    ({**FIXTURE, "artifact": "/etc/passwd"}, "artifact-outside", "absolute"),
    ({**FIXTURE, "artifact": "g/../../a"}, "artifact-outside", "`..`"),
    ({**FIXTURE, "artifact": ".git/config"}, "artifact-outside", ".git folder"),
    ({**FIXTURE, "artifact": "g/.GIT/"}, "artifact-outside", ".git folder"),
    ({**FIXTURE, "artifact": "g\\a"}, "row-invalid", "backslash"),
    ({**FIXTURE, "artifact": "./g/a"}, "row-invalid", "`.` part"),
    ({**FIXTURE, "artifact": "g//a"}, "row-invalid", "empty part"),
    ({**FIXTURE, "artifact": ("g/a", "../b"), "digest": (DIGEST, DIGEST)}, "artifact-outside", "../b"),
    ({**PROPERTY, "seeds": "../seeds/"}, "artifact-outside", "`..`"),
    ({**PROPERTY, "seeds": ("seeds/",)}, "row-invalid", "holds a list"),
    ({**PROPERTY, "invariant": ""}, "row-invalid", "`invariant` is empty"),
    ({**PROPERTY, "invariant": "\u00a0"}, "row-invalid", "`invariant` is empty"),
    ({**FIXTURE, "lfs": "yes"}, "row-invalid", "neither `true` nor `false`"),
    ({**FIXTURE, "allow_empty": "True"}, "row-invalid", "neither `true` nor `false`"),
    *(
        ({**FIXTURE, "params": text}, "row-invalid", "whole number")
        for text in ("0", "-1", "1.5", "true", "1_000", "٣")
    ),
    ({**FIXTURE, "id": "t/test_a.py::test_x[1]", "params": "2"}, "row-invalid", "one parametrised case"),
    ({**FIXTURE, "id": "t/test_a.py"}, "row-invalid", "no `::`"),
    ({**FIXTURE, "id": "/t/test_a.py::x"}, "artifact-outside", "absolute"),
    ({**FIXTURE, "id": "../test_a.py::x"}, "artifact-outside", "`..`"),
    ({**FIXTURE, "id": "t\\test_a.py::x"}, "row-invalid", "backslash"),
    ({**FIXTURE, "id": ("x",)}, "row-invalid", "holds a list"),
    *(
        ({**QUARANTINE, "opened": text}, "row-invalid", "no date")
        for text in (
            *("2026-02-30", "2026-01-31T10:00:00Z", "2026-01-31T10:00:00+02:00", "2026-01-31 10:00", "20260131"),
            *("2026-1-31", "null", "~", "2026-13-01", "0000-01-01", "2026-W05-6", "２０２６-01-01"),
        )
    ),
    ({**QUARANTINE, "opened": ""}, "row-invalid", "empty"),
    ({**QUARANTINE, "opened": "2026-10-02"}, "row-invalid", "in the future"),
    ({**QUARANTINE, "opened": "9999-12-31"}, "row-invalid", "in the future"),
]


@pytest.mark.parametrize(("fields", "rule", "text"), BAD)
def test_rows_that_break_a_rule(fields: dict[str, Value], rule: str, text: str) -> None:
    found = problems(fields)
    assert [found_rule for found_rule, _ in found] == [rule]
    assert text in found[0][1]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("t/a.py::test[\xe9]", r"t/a.py::test[\xe9]"),
        ("t/a.py::test[\x1b[31m]", r"t/a.py::test[\x1b[31m]"),
        ("t/a.py::test[\u2028]", r"t/a.py::test[\u2028]"),
        ("t/a.py::test[\u0100-\\xe9]", r"t/a.py::test[\u0100-\xe9]"),
        ("t/a.py::test[x\ny]", r"t/a.py::test[x\ny]"),
        ("t/test_\xe9.py::test_\xe8[\xe9]", "t/test_\xe9.py::test_\xe8[\\xe9]"),
        ("t/a.test.js::handles \x07", r"t/a.test.js::handles \x07"),
    ],
)
def test_an_id_that_pytest_would_have_escaped(written: str, meant: str) -> None:
    [(rule, text)] = problems({**FIXTURE, "id": written})
    assert rule == "row-invalid"
    assert f"Did you mean {meant} ?" in text


@pytest.mark.parametrize(
    "id_",
    [
        *(
            r"t/a.py::test[\xe9]",
            r"t/a.py::test[\ud800]",
            "t/a.py::test[]",
            "t/a.py::test[a]b]",
            "t/a.py::test[<&>\"']",
        ),
        *("t/a.py::test[a: b]", "t/a.py::test[a #1]", "t/a.py::test[a::b]", "t/a.py::T::test", "t/tést.py::test_é"),
        *(
            *("tests/snippets/c/test_string.txt::", "tests/examplefiles/python/py3_test.py::"),
            "com.acme.FooTest::bar",
            "a.test.js::parses é [",
            "t/a.py::test[" + "x" * 1100 + "]",
            "t/a.py::test[a]@g1",
        ),
    ],
)
def test_ids_that_runners_print(id_: str) -> None:
    assert problems({**FIXTURE, "id": id_}) == []


def test_an_id_that_a_comment_cut_short() -> None:
    [(rule, text)] = problems({**FIXTURE, "id": "t/a.py::test[a"})
    assert rule == "row-invalid"
    assert "single quotes" in text


def test_a_draft_is_appended_with_the_contract_that_it_proposes() -> None:
    assert append_problem(Row.of(DRAFT)) is None
    assert append_problem(Row.of(FIXTURE)) is None
    bare = without(DRAFT, "invariant")
    assert problems(bare) == []
    problem = append_problem(Row.of(bare))
    assert problem is not None
    assert (problem.rule, "`invariant`" in problem.message) == ("row-invalid", True)


@given(row_fields)
def test_generated_rows_obey(fields: dict[str, Value]) -> None:
    assert problems(fields) == []


_values = st.one_of(
    texts, st.just(""), st.lists(texts, max_size=2).map(tuple), st.sampled_from(["a/../b", "2026-12-01"])
)


@given(row_fields, st.data())
def test_the_quick_look_accepts_no_row_with_a_problem(fields: dict[str, Value], data: st.DataObject) -> None:
    for name in data.draw(st.lists(st.sampled_from([*fields, "params", "owner"]), min_size=1, max_size=2)):
        fields = {**fields, name: data.draw(_values)}
    problems(fields)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"source": None, "sauce": "agent"}, "`sauce` is no field of a draft row | Did you mean `source`?"),
        ({"source": None, "Source": "agent"}, "`Source` is no field of a draft row | Did you mean `source`?"),
        ({"sauce": "agent"}, "`sauce` is no field of a draft row | Did you mean `source`?"),
        ({"source": None}, "a draft row needs `source` | Add `source:` to the row."),
    ],
    ids=["misspelt", "in capitals", "one too many", "not there"],
)
def test_a_slip_in_the_name_of_a_field_is_told_once(fields: dict[str, Value | None], said: str) -> None:
    row = {name: value for name, value in {**DRAFT, **fields}.items() if value is not None}
    assert problems(row) == [("row-invalid", said)]


def test_a_field_like_none_and_one_that_is_missing_are_told_both() -> None:
    row = {name: value for name, value in DRAFT.items() if name != "source"}
    assert len(problems({**row, "xyzzy": "1"})) == 2


def test_the_file_of_an_id_is_no_folder() -> None:
    ((rule, said),) = problems({**DRAFT, "id": "tests/agent_drafts/::test_x"})
    assert rule == "row-invalid"
    assert "names a folder" in said


def test_a_golden_that_is_python_has_a_placeholder() -> None:
    assert problems({**DRAFT, "id": "tests/agent_drafts/::golden.py"}) == []


@pytest.mark.parametrize("id_", ["tests/FILE.py::NAME", "tests/agent_drafts/FILE.py::NAME"])
def test_the_id_of_a_message_is_none(id_: str) -> None:
    ((rule, said),) = problems({**DRAFT, "id": id_})
    assert rule == "row-invalid"
    assert "copied from" in said
    assert problems({**DRAFT, "id": id_.replace("FILE", "PROFILE").replace("NAME", "test_x")}) == []
