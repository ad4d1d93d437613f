"""Three times ten more spellings of each kind of move, written before the guard was looked at, and what it tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from ledgergate.values import Finding
from support.repo import Repo
from support.spellings import Spelling, findings_of, spellings

FOLDERS = ("spellings", "more_spellings", "natural_spellings")
SPELLINGS = tuple(one for folder in FOLDERS for one in spellings(Path(__file__).parent / folder))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Finding]]:
    """What the guard says of each spelling as the staged edit of an agent who may write anywhere."""
    repo = Repo(tmp_path_factory.mktemp("spellings") / "repo")
    found = findings_of(repo, SPELLINGS)
    return {f"{one.kind} {one.title}": findings for one, findings in zip(SPELLINGS, found, strict=True)}


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda one: f"{one.kind}-{one.title}")
def test_a_spelling_is_told(judged: Mapping[str, list[Finding]], spelling: Spelling) -> None:
    assert bool(judged[f"{spelling.kind} {spelling.title}"]) is spelling.is_told


def test_nearly_all_are_told(judged: Mapping[str, list[Finding]]) -> None:
    assert sum(map(bool, judged.values())) >= 0.9 * len(SPELLINGS)


def test_there_are_three_times_ten_of_each_kind() -> None:
    assert set(Counter(one.kind for one in SPELLINGS).values()) == {30}
    assert len(SPELLINGS) == 1290
    assert len({(one.kind, one.title) for one in SPELLINGS}) == len(SPELLINGS)
