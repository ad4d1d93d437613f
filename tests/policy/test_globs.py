"""The glob predicates: gitignore's meaning, on every path that git can hold."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from ledgergate.policy.globs import check_glob, compile_globs, fold_path

PLAIN_GLOBS = st.from_regex(r"/?(?:[ab.]|\*(?!\*)){1,3}(?:/(?:[ab.]|\*(?!\*)){1,3}){0,2}(?:/\*\*|/)?", fullmatch=True)
PATHS = st.from_regex(r"(?!\./)[ab.\n]{1,3}(?:/[ab.\n]{1,3}){0,3}", fullmatch=True)


@given(globs=st.lists(PLAIN_GLOBS, max_size=3), path=PATHS)
def test_plain_globs_mean_what_pathspec_says(globs: list[str], path: str) -> None:
    expected = GitIgnoreSpec.from_lines(globs).match_file(path.replace("\n", "\0"))
    assert compile_globs(globs)(path) is expected


@pytest.mark.parametrize(
    ("globs", "path", "expected"),
    [
        (["tests/**"], "tests/a.py", True),
        (["tests/**"], "tests/deep/a\nb.py", True),
        (["tests/**"], "tests", False),
        (["tests/**"], "src/tests/a.py", False),
        (["tests/"], "src/tests/a.py", True),
        (["tests"], "src/tests/a.py", True),
        (["/tests"], "tests", True),
        (["/tests"], "src/tests", False),
        (["*.snap"], "a/b/c.snap", True),
        (["*.snap"], "a/b/c.snap.py", False),
        (["/*.md"], "README.md", True),
        (["/*.md"], "docs/README.md", False),
        (["**/goldens/**"], "goldens/x", True),
        (["**/goldens/**"], "a\nb/goldens/x", True),
        (["**/goldens/**"], "a/b/goldens/x", True),
        (["a/**/b"], "a/b", True),
        (["a/**/b"], "a/x/y/b", True),
        (["[ab].txt"], "x/a.txt", True),
        (["tests/**", "!tests/helpers/**"], "tests/helpers/x.py", False),
        (["tests/**", "!tests/helpers/**"], "tests/x.py", True),
        (["caf\u00e9.txt"], "caf\u00e9.txt", True),
        (["tests/**"], "tests/caf\udce9", True),
        (["t?sts/**"], "t\udce9sts/x", True),
        (["a b/**"], "a b/c", True),
        ([], "anything", False),
    ],
)
def test_globs(globs: list[str], path: str, expected: bool) -> None:
    assert compile_globs(globs)(path) is expected


def test_anchored_globs_start_at_the_root() -> None:
    matches = compile_globs(["ledger-*.yaml"], anchored=True)
    assert matches("ledger-a.yaml")
    assert not matches("docs/ledger-a.yaml")


@pytest.mark.parametrize("path", ["Tests/A.py", "TESTS/a.py", "tests/a.py", "te\u017fts/a.py"])
def test_folded_globs_also_match_what_is_one_file_on_other_disks(path: str) -> None:
    assert compile_globs(["tests/**"], folded=True)(path)


def test_folding_is_canonical() -> None:
    assert fold_path("Cafe\u0301.TXT") == fold_path("caf\u00c9.txt")
    assert compile_globs(["Caf\u00e9/**"], folded=True)("cafe\u0301/x")


def test_without_folding_the_case_counts() -> None:
    assert not compile_globs(["tests/**"])("Tests/a.py")


@pytest.mark.parametrize(
    "glob",
    [
        "",
        "/",
        "!",
        "!/",
        "//",
        " a",
        "a ",
        "#a",
        "a//b",
        "../a",
        "a/../b",
        "./a",
        "a\\",
        "[",
        "[z-a]",
        "[Z-a]",
        "[[:alpha:]]",
        "a\nb",
        "a\tb",
    ],
)
def test_globs_that_mean_nothing_are_refused(glob: str) -> None:
    with pytest.raises(ValueError, match=r"has |is |holds |cannot "):
        check_glob(glob)


@pytest.mark.parametrize("glob", ["**", "*", "/**", "a/", "!a", r"\#a", "[ab]c", "a?b", "caf\u00e9/**", "a b"])
def test_globs_that_mean_something_are_accepted(glob: str) -> None:
    check_glob(glob)


@given(glob=st.text(max_size=12), path=st.text(min_size=1, max_size=12))
def test_any_text_is_compiled_or_refused(glob: str, path: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            check_glob(glob)
        except ValueError:
            return
        assert compile_globs([glob], folded=True)(path) in (True, False)
