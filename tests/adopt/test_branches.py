from __future__ import annotations

import pytest

from ledgergate.adopt.branches import protected_refs, release_patterns
from ledgergate.git import Repository
from ledgergate.policy import Policy
from support.repo import Repo

PATTERNS = [
    (["release/1.2", "main"], []),
    (["releases/1.2", "stable/4"], ["releases/**", "stable/**"]),
    (["release-1.2", "release-1.3"], ["release-*"]),
    (["1.x", "v2.3.x"], ["*.x"]),
    (["3.12", "3.13"], ["3.12", "3.13"]),
    (["develop", "stable"], ["develop", "stable"]),
    (["fix-release", "feature/1.x", "v1-cleanup"], []),
]


@pytest.mark.parametrize(("names", "expected"), PATTERNS)
def test_branches_that_releases_come_from(names: list[str], expected: list[str]) -> None:
    assert release_patterns(names) == expected


def test_the_branches_of_a_repository(repo: Repo) -> None:
    repo.stage({"a": ""})
    repo.commit()
    for name in ("release/1", "4.x", "topic"):
        repo.git("branch", name)
    repo.git("update-ref", "refs/remotes/origin/trunk", "HEAD")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    found = protected_refs(Repository(repo.path))
    assert found == (*Policy().protected_refs, "refs/heads/trunk", "refs/heads/*.x")
