from __future__ import annotations

import pytest

from ledgergate.adopt.suites import Suite, find_suites, ledger_globs, nearest_ledger

A = ("services/a/pyproject.toml", "services/a/tests/test_m.py")
B = ("services/b/setup.cfg", "services/b/tests/unit/test_m.py")
SUITES = {
    "one project": (("pyproject.toml", "tests/test_a.py"), {}, [("", (), "tests/")]),
    "a single project below": (A, {}, [("", (), "tests/")]),
    "several": ((*A, *B), {}, [("services/a", (), "services/a/tests/"), ("services/b", (), "services/b/tests/")]),
    "several and the root": (
        (*A, *B, "tests/test_r.py", "pyproject.toml"),
        {"pyproject.toml": b"[tool.ruff]\n"},
        [
            ("", ("tests/",), "tests/"),
            ("services/a", (), "services/a/tests/"),
            ("services/b", (), "services/b/tests/"),
        ],
    ),
    "a root that runs all": ((*A, *B, "tox.ini"), {"tox.ini": b"[tox]\n[pytest]\n"}, [("", (), "tests/")]),
    "tests beside the code": (
        ("a/setup.py", "a/test_x.py", *B),
        {},
        [("a", (), "a/tests/"), ("services/b", (), "services/b/tests/")],
    ),
}


@pytest.mark.parametrize(("paths", "contents", "expected"), SUITES.values(), ids=SUITES.keys())
def test_suites(
    paths: tuple[str, ...], contents: dict[str, bytes], expected: list[tuple[str, tuple[str, ...], str]]
) -> None:
    assert find_suites(paths, "tests/", contents.get) == tuple(Suite(*suite) for suite in expected)


@pytest.mark.parametrize(
    ("homes", "globs"),
    [
        (["tests/"], ("tests/ledger.yaml",)),
        (["services/a/tests/", "services/b/tests/"], ("services/*/tests/ledger.yaml",)),
        (["a/tests/", "b/tests/"], ("a/tests/ledger.yaml", "b/tests/ledger.yaml")),
        (["tests/", "x/a/tests/"], ("tests/ledger.yaml", "x/a/tests/ledger.yaml")),
    ],
)
def test_the_globs_of_the_ledgers(homes: list[str], globs: tuple[str, ...]) -> None:
    assert ledger_globs([Suite("", (), home) for home in homes]) == globs


@pytest.mark.parametrize(
    ("id_", "ledger"),
    [
        ("services/b/tests/test_x.py::test_y", "services/b/tests/ledger.yaml"),
        ("services/b/src/test_x.py::test_y", "services/b/tests/ledger.yaml"),
        ("tests/test_x.py::test_y", "tests/ledger.yaml"),
        ("other/test_x.py::test_y", "tests/ledger.yaml"),
    ],
)
def test_a_row_goes_to_the_ledger_of_its_project(id_: str, ledger: str) -> None:
    ledgers = ["tests/ledger.yaml", "services/a/tests/ledger.yaml", "services/b/tests/ledger.yaml"]
    assert nearest_ledger(ledgers, id_) == ledger
