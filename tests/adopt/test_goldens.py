from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.adopt.golden_globs import golden_globs
from ledgergate.adopt.goldens import Group, Sureness, ending, find_goldens
from ledgergate.policy.globs import compile_globs

SURE, LIKELY, GUESS = Sureness

IN_TESTS = compile_globs(["tests/**"])

SINGLE = [
    # path, where it is listed and how sure; None where it is no golden
    ("tests/goldens/a.txt", ("tests/goldens/", SURE)),
    ("tests/golden/deep/a", ("tests/golden/", SURE)),
    ("tests/unit/snapshots/test_x/a.json", ("tests/unit/snapshots/", SURE)),
    ("tests/fixtures/expected/a.json", ("tests/fixtures/expected/", SURE)),
    ("tests/html_expected_output/a.html", ("tests/html_expected_output/", LIKELY)),
    ("tests/baseline/a.png", ("tests/baseline/", LIKELY)),
    ("src/ui/__snapshots__/a.test.tsx.snap", ("src/ui/__snapshots__/", SURE)),
    ("src/ui/report.approved.txt", ("src/", SURE)),
    ("tests/x/a.golden", ("tests/x/", SURE)),
    ("tests/x/a.golden.json", ("tests/x/", SURE)),
    ("tests/a.snap", ("tests/", SURE)),
    ("tests/x/a.output", ("tests/x/", LIKELY)),
    ("tests/x/a.expected", ("tests/x/", LIKELY)),
    ("tests/x/a.raw", ("tests/x/", LIKELY)),
    ("src/codegen/snapshots/parse__a.snap", ("src/codegen/snapshots/", SURE)),
    ("tests/__snaps__/test_a.ambr", ("tests/__snaps__/", SURE)),
    ("tests/test_mod.test_f.approved.json", ("tests/", SURE)),
    (".inline-snapshot/external/0a1b.json", (".inline-snapshot/", SURE)),
    ("tests/__inline_snapshot__/test_mod/test_f/0a.json", ("tests/__inline_snapshot__/", SURE)),
    ("tests/x/a.json", None),
    ("tests/goldens/README.md", None),
    ("tests/goldens/.gitkeep", None),
    ("tests/goldens/__init__.py", None),
    ("tests/goldens/conftest.py", None),
    ("tests/goldens/test_them.py", None),
    ("tests/x/a.received.txt", None),
    ("tests/goldens/a.received.txt", None),
    # outside the tests such names mean other things
    ("db/snapshots/2024.sql", None),
    ("src/expected/a.py", None),
    ("tools/build.output", None),
    ("src/snap/core.snap", None),
    ("tests/unexpected/a.txt", None),
]


@pytest.mark.parametrize(("path", "expected"), SINGLE)
def test_goldens_are_told_from_names(path: str, expected: tuple[str, Sureness] | None) -> None:
    groups = find_goldens([path], IN_TESTS, ())
    assert [(group.home, group.sureness) for group in groups] == ([expected] if expected else [])


NAMED = [
    ("tests/cases/a.json", True),
    ("tests/a.bin", True),
    # code, settings, and what lies outside the tests, is no data of a test
    ("tests/cases/plugin.py", False),
    ("tests/cases/pytest.ini", False),
    ("tests/cases/README.md", False),
    ("tests/cases/LICENSE", False),
    ("src/schema.json", False),
]


@pytest.mark.parametrize(("path", "is_golden"), NAMED)
def test_data_that_a_test_names(path: str, is_golden: bool) -> None:
    groups = find_goldens([path], IN_TESTS, (), [path])
    assert [(group.sureness, group.reasons) for group in groups] == (
        [(LIKELY, ("named in the source of a test",))] if is_golden else []
    )


def test_what_the_suite_collects_tells_more() -> None:
    paths = [
        "tests/ex/a.js",
        "tests/ex/a.js.want",
        "tests/ex/b.txt",
        "tests/test_mod/test_f.yml",
        "docs/x.rst",
        "tests/x.rst",
    ]
    ids = ["tests/ex/a.js::", "tests/test_mod.py::test_f", "docs/x.rst::x.rst", "tests/x.rst::x.rst"]
    groups = find_goldens(paths, IN_TESTS, ids)
    assert [(group.home, group.sureness, group.paths) for group in groups] == [
        ("tests/ex/", SURE, ("tests/ex/a.js", "tests/ex/a.js.want")),
        ("tests/test_mod/", LIKELY, ("tests/test_mod/test_f.yml",)),
    ]


def test_a_collected_module_is_no_golden_wherever_it_stands() -> None:
    paths = ["tests/expected/check_a.py", "tests/expected/out.py"]
    (group,) = find_goldens(paths, IN_TESTS, ["tests/expected/check_a.py::test_x"])
    assert group.paths == ("tests/expected/out.py",)


def test_large_families_are_only_a_guess() -> None:
    family = [f"tests/data/{number}.json" for number in range(20)]
    (group,) = find_goldens([*family, "tests/data/x.csv", *(f"src/{n}.json" for n in range(30))], IN_TESTS, ())
    assert (group.home, group.sureness, group.paths) == ("tests/data/", GUESS, tuple(family))
    assert "20 files named *.json" in group.reasons[0]
    assert find_goldens(family[1:], IN_TESTS, ()) == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.txt", ".txt"),
        ("a.approved.tar.gz", ".approved.tar.gz"),
        ("a.golden.json", ".golden.json"),
        ("a", ""),
        (".a", ""),
    ],
)
def test_endings(name: str, expected: str) -> None:
    assert ending(name) == expected


GLOBS = [
    # goldens, home, other files, globs
    (["tests/g/a", "tests/g/b/c"], "tests/g/", ["tests/x"], ["tests/g/**"]),
    (["tests/g/a.out", "tests/g/b/c.out"], "tests/g/", ["tests/g/a.in"], ["tests/g/**/*.out"]),
    (["tests/g/a.txt"], "tests/g/", ["tests/g/README.txt"], ["tests/g/**", "!tests/g/README.txt"]),
    (["tests/a.snap"], "tests/", ["tests/test_a.py"], ["tests/**/*.snap"]),
    (["tests/a.snap"], "tests/", ["tests/other/b.snap"], ["tests/a.snap"]),
    (["a.snap"], "", ["a.py"], ["**/*.snap"]),
    (["tests/[g]/a"], "tests/[g]/", [], [r"tests/\[g]/**"]),
]


@pytest.mark.parametrize(("paths", "home", "others", "expected"), GLOBS)
def test_the_shortest_globs_that_match_no_more(
    paths: list[str], home: str, others: list[str], expected: list[str]
) -> None:
    group = Group(home, Sureness.SURE, ("because",), tuple(paths))
    assert list(golden_globs([group], others)) == expected


_NAMES = st.sampled_from(["a.out", "b.out", "c", "README", "[x].out", "!n", "d.in", "*.in", "#h", "é.out"])
_FOLDERS = st.sampled_from(["tests/", "tests/g/", "tests/g/deep/", "tests/[h]/", "src/"])


@given(st.sets(st.tuples(_FOLDERS, _NAMES).map("".join), min_size=1), st.data())
def test_globs_match_exactly_the_goldens(paths: set[str], data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.sampled_from(sorted(paths)), min_size=1))
    homes = {"tests/": [], "tests/g/": [], "tests/[h]/": [], "src/": []}  # type: dict[str, list[str]]
    for path in sorted(chosen):
        homes["/".join(path.split("/")[:2]) + "/" if path.count("/") > 1 else path.partition("/")[0] + "/"].append(path)
    groups = [Group(home, Sureness.SURE, (), tuple(members)) for home, members in homes.items() if members]
    matches = compile_globs(golden_globs(groups, paths - chosen))
    assert {path for path in paths if matches(path)} == chosen


def test_the_next_folder_of_a_usual_name_is_guarded_too() -> None:
    homes = [f"tests/{name}/__snapshots__/" for name in "abc"]
    groups = [Group(home, Sureness.SURE, (), (f"{home}x.ambr",)) for home in homes]
    assert golden_globs(groups, ["tests/a/test_a.py"]) == ("**/__snapshots__/**",)
    assert golden_globs(groups, ["docs/__snapshots__/x"]) == tuple(f"{home}**" for home in homes)
    assert golden_globs(groups[:2], []) == tuple(f"{home}**" for home in homes[:2])
