from __future__ import annotations

import pytest

from ledgergate.adopt.layout import escape_glob, find_layout, is_test_file, layout_of
from ledgergate.policy.globs import compile_globs

LAYOUTS = [
    # paths, globs, home, whether there is a doubt
    (["src/app.py", "tests/test_app.py"], ("tests/**",), "tests/", False),
    (["lib/app.js", "test/app.js"], ("test/**",), "test/", False),
    (["app/app.py", "app/tests/test_app.py"], ("app/tests/**",), "app/tests/", False),
    (["a/tests/test_a.py", "b/tests/test_b.py", "b/tests/x.txt"], ("a/tests/**", "b/tests/**"), "b/tests/", True),
    (["tests/test_a.py", "b/tests/test_b.py"], ("b/tests/**", "tests/**"), "tests/", True),
    (["app/app.py", "app/test_app.py"], ("test_*.py",), "tests/", True),
    (["tests/test_a.py", "app/app_test.go"], ("tests/**", "*_test.go"), "tests/", True),
    (["src/app.py", "README.md"], ("tests/**",), "tests/", True),
    (["src/app.py", "testing/test_app.py"], ("testing/**",), "testing/", False),
    (["app/testing/helpers.py", "tests/test_a.py"], ("tests/**",), "tests/", False),
    # a folder of that name without a test in it is documentation, and vendored tests are somebody else's
    (["spec/format.md", "tests/test_a.py"], ("tests/**",), "tests/", False),
    (["vendor/x/tests/test_x.py", "tests/test_a.py"], ("tests/**",), "tests/", False),
    (["tests [old]/test_a.py"], ("test_*.py",), "tests/", True),
    (
        [f"p{number}/tests/test_x.py" for number in range(12)],
        ("**/tests/**",),
        "p9/tests/",
        True,
    ),
]


@pytest.mark.parametrize(("paths", "globs", "home", "doubtful"), LAYOUTS)
def test_layouts_are_told_from_paths(paths: list[str], globs: tuple[str, ...], home: str, doubtful: bool) -> None:
    layout = find_layout(paths)
    assert (layout.globs, layout.home, layout.doubt is not None) == (globs, home, doubtful)


@pytest.mark.parametrize(
    ("globs", "home"),
    [
        (("checks/**",), "checks/"),
        (("/pkg/checks/*.py",), "pkg/checks/"),
        (("**/checks/**",), "tests/"),
        (("*_test.py",), "tests/"),
    ],
)
def test_the_ledgers_follow_a_humans_globs(globs: tuple[str, ...], home: str) -> None:
    assert layout_of(globs).home == home


@pytest.mark.parametrize(
    "path", ["a*b", "a?b/c", "x/[1].txt", "x/a\\b", "!bang", "#hash", "x/!y", "plain", "x/[a", "x/a]b"]
)
def test_an_escaped_glob_matches_its_path_alone(path: str) -> None:
    matches = compile_globs([escape_glob(path)])
    assert matches(path)
    assert not matches(path.replace("*", "zz").replace("?", "z").replace("[1]", "1") + "x")
    assert not matches(f"deeper/{path}")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("t/test_a.py", True),
        ("t/conftest.py", True),
        ("a.spec.ts", True),
        ("t/helper.py", False),
        ("testdata.json", False),
    ],
)
def test_names_of_tests(path: str, expected: bool) -> None:
    assert is_test_file(path) is expected
