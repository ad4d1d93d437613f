from __future__ import annotations

import pytest

from ledgergate.ledger.match import Matcher, is_its_file

MOD = "tests/test_mod.py"

FOUND = [
    # golden, ids of the suite, ids that read it
    ("tests/snippets/a.txt", ["tests/snippets/a.txt::"], ["tests/snippets/a.txt::"]),
    ("tests/cases/a.yaml", ["tests/cases/a.yaml::one", "tests/cases/a.yaml::two"], None),
    ("tests/ex/a.js.output", ["tests/ex/a.js::"], ["tests/ex/a.js::"]),
    ("tests/ex/py3.py", ["tests/ex/py3.py::"], ["tests/ex/py3.py::"]),
    ("tests/ex/py3.py.output", ["tests/ex/py3.py::"], ["tests/ex/py3.py::"]),
    ("tests/goldens/case_a.txt", [f"{MOD}::test_x[tests/goldens/case_a.txt]"], None),
    (
        "tests/goldens/case_a.txt",
        [f"{MOD}::test_x[case_a.txt]", f"{MOD}::test_x[case_b.txt]"],
        [f"{MOD}::test_x[case_a.txt]"],
    ),
    ("tests/goldens/case_a.txt", [f"{MOD}::test_x[True-case_a-3]"], None),
    ("tests/goldens/case-a.txt", [f"{MOD}::test_x[True-case-a-3]"], None),
    ("tests/goldens/case_a.golden.txt", [f"{MOD}::test_x[case_a]"], None),
    # the nearest module wins over one further away, the exact name over the stem
    (
        "tests/u/goldens/aa.txt",
        ["tests/u/test_m.py::test_x[aa]", "tests/v/test_m.py::test_x[aa]"],
        ["tests/u/test_m.py::test_x[aa]"],
    ),
    ("tests/goldens/aa.txt", [f"{MOD}::test_x[aa.txt]", f"{MOD}::test_y[aa]"], [f"{MOD}::test_x[aa.txt]"]),
    # pytest-regressions, and the folders of snapshot plugins
    ("tests/test_mod/test_f.yml", [f"{MOD}::test_f", f"{MOD}::test_g"], [f"{MOD}::test_f"]),
    ("tests/test_mod/test_f_a_1_.yml", [f"{MOD}::test_f[a-1]"], None),
    ("tests/test_mod/test_f.yml", [f"{MOD}::TestX::test_f"], None),
    ("tests/__snapshots__/test_mod/test_f[a].raw", [f"{MOD}::test_f[a]", f"{MOD}::test_f[b]"], [f"{MOD}::test_f[a]"]),
    ("tests/snapshots/test_mod/test_f/out.txt", [f"{MOD}::test_f", f"{MOD}::test_g"], [f"{MOD}::test_f"]),
    ("tests/snapshots/test_mod/test_f/a/out.txt", [f"{MOD}::test_f[a]", f"{MOD}::test_f[b]"], [f"{MOD}::test_f[a]"]),
    # approved files, and snapshots that carry the class or a number
    ("tests/test_mod.test_f.approved.txt", [f"{MOD}::test_f", f"{MOD}::test_g"], [f"{MOD}::test_f"]),
    (
        "tests/approved_files/test_mod.TestX.test_f.approved.txt",
        [f"{MOD}::TestX::test_f", f"{MOD}::test_f"],
        [f"{MOD}::TestX::test_f"],
    ),
    (
        "tests/__snapshots__/test_mod/TestX.test_f.1.raw",
        [f"{MOD}::TestX::test_f", f"{MOD}::TestY::test_f"],
        [f"{MOD}::TestX::test_f"],
    ),
    (
        "tests/__snapshots__/test_mod/test_f[1.5].png",
        [f"{MOD}::test_f[1.5]", f"{MOD}::test_f[1]"],
        [f"{MOD}::test_f[1.5]"],
    ),
    (
        "tests/__inline_snapshot__/test_mod/test_f/0a1b-22.json",
        [f"{MOD}::test_f", f"{MOD}::test_g"],
        [f"{MOD}::test_f"],
    ),
]


@pytest.mark.parametrize(("golden", "ids", "expected"), FOUND)
def test_the_test_of_a_golden_is_found(golden: str, ids: list[str], expected: list[str] | None) -> None:
    match = Matcher(ids, [golden]).match(golden)
    assert (list(match.ids), match.doubt) == (ids if expected is None else expected, None)


def test_what_names_a_golden_counts_last() -> None:
    ids = [f"{MOD}::test_x[aa]", f"{MOD}::test_y", f"{MOD}::test_z[bb]", f"{MOD}::test_w[bb]"]
    named = dict.fromkeys(("tests/g/aa.txt", "tests/g/bb.txt", "tests/g/cc.txt"), (f"{MOD}::test_y",))
    matcher = Matcher(ids, named, named)
    assert [matcher.match(path).ids for path in named] == [(ids[0],), (ids[1],), (ids[1],)]
    assert matcher.match("tests/g/cc.txt").doubt is None


NOT_TOLD = [
    ("tests/goldens/aa.txt", [f"{MOD}::test_x[bb]"], "no test id"),
    ("tests/goldens/aa.txt", [f"{MOD}::test_x[aa]", f"{MOD}::test_y[aa]"], "several"),
    ("tests/goldens/aa.txt", [f"{MOD}::test_x[aaa]", f"{MOD}::test_aa"], "no test id"),
    ("tests/goldens/1.txt", [f"{MOD}::test_x[1]"], "no test id"),
    ("tests/goldens/true.txt", [f"{MOD}::test_x[True]", f"{MOD}::test_x[true]"], "no test id"),
    ("tests/goldens/aa.txt", ["other/test_m.py::test_x[aa]"], "no test id"),
    ("tests/test_mod/test_f.yml", [f"{MOD}::TestX::test_f", f"{MOD}::TestY::test_f"], "several"),
    ("tests/test_mod/test_h.yml", [f"{MOD}::test_f"], "no test id"),
    ("tests/docs/page.rst", ["tests/docs/page.rst::page.rst"], "no test id"),
]


@pytest.mark.parametrize(("golden", "ids", "doubt"), NOT_TOLD)
def test_what_cannot_be_told_is_not_guessed(golden: str, ids: list[str], doubt: str) -> None:
    match = Matcher(ids, [golden]).match(golden)
    assert match.ids == ()
    assert doubt in (match.doubt or "")


@pytest.mark.parametrize(
    ("id_", "expected"),
    [
        ("t/a.txt::", True),
        ("t/a.py::", True),
        ("t/a.yaml::case", True),
        ("t/test_a.py::test_x", False),
        ("docs/a.rst::a.rst", False),
    ],
)
def test_a_file_that_is_a_test_itself(id_: str, expected: bool) -> None:
    assert is_its_file(id_) is expected
