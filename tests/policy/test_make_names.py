"""Which names a pattern of a makefile may stand for."""

from __future__ import annotations

from fnmatch import fnmatchcase

from hypothesis import given
from hypothesis import strategies as st

from ledgergate.policy.make_names import Names, by_parts

names = st.text(alphabet="ab.*-", max_size=6)


@given(st.lists(names, max_size=4), st.text(alphabet="ab.*?[]-", max_size=7))
def test_names_fit_as_the_library_says(known: list[str], glob: str) -> None:
    assert Names(known).fit(glob) == any(fnmatchcase(name, glob) for name in known)


def test_many_patterns_and_names_take_no_time() -> None:
    known = Names(f"test{number}" for number in range(2_000))
    assert not any(known.fit(f"*v{number}") for number in range(500))
    assert not Names(["a" * 2_000]).fit("*a" * 200 + "b")
    assert not by_parts(["A = " + " " * 100_000 + "x y"], known, ())("$(A)y: x")
