"""Which list of signers counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, between
from ledgergate.vouch import Case, Trust, rules_for
from ledgergate.vouch.acks.signers_file import signers_for
from support.project import BASE, HUMAN, NOW, OTHER_SIGNERS, SIGNERS, Edit, Project
from support.repo import Repo

KIM, EVE = "kim@example.org", "eve"
LIST = ".ledgergate/allowed_signers"


@pytest.mark.parametrize(
    ("target", "is_known"),
    [(None, True), ("refs/heads/main", True), ("refs/heads/master", True), ("refs/heads/release/1", False)],
)
def test_whose_word_counts_for_another_branch_the_default_one_has_to_say(
    repo: Repo, target: str | None, is_known: bool
) -> None:
    Project(repo)
    change = between(Repository(str(repo.path)), "main", "main")
    trust = Trust(target)
    rules = rules_for(change, HUMAN, trust)
    assert rules is not None
    case = Case(change, rules, NOW, HUMAN, trust)
    if is_known:
        assert signers_for(case).keys
        return
    with pytest.raises(LedgergateError, match="does not know which that is"):
        signers_for(case)


@pytest.mark.parametrize(
    ("release", "default", "who"),
    [
        ({}, {LIST: OTHER_SIGNERS}, EVE),
        ({LIST: OTHER_SIGNERS}, {}, KIM),
        ({}, {"ledgergate.toml": "version = 1\n[vouch]\nsigners = 'keys'\n", "keys": OTHER_SIGNERS}, EVE),
        (
            {},
            {"ledgergate.toml": "version = 1\n[vouch]\nsigners = 'keys'\n", "keys": OTHER_SIGNERS, LIST: SIGNERS},
            EVE,
        ),
        ({}, {"ledgergate.toml": None, LIST: OTHER_SIGNERS}, KIM),
        ({}, {"ledgergate.toml": "version = 1\n[vouch]\nmode = 'signals'\n", LIST: OTHER_SIGNERS}, KIM),
    ],
    ids=[
        "default's",
        "not release's",
        "where default's policy says",
        "not where it said once",
        "no policy, no guard",
        "no signatures, no guard",
    ],
)
def test_of_another_branch_the_default_branchs_list_counts(repo: Repo, release: Edit, default: Edit, who: str) -> None:
    Project(repo, {**BASE, **release})
    repo.git("checkout", "-q", "-b", "default")
    repo.commit({**BASE, **default})
    repo.git("checkout", "-q", "-b", "topic", "main")
    repo.commit({"src/app.py": "x = 2\n"})
    repository = Repository(str(repo.path))
    change = between(repository, "main", "topic")
    change = replace(change, find_default=lambda: repository.snapshot(repository.commit_id("default")))
    trust = Trust("refs/heads/release/1", default_branch="refs/heads/main")
    rules = rules_for(change, HUMAN, trust)
    assert rules is not None
    signers = signers_for(Case(change, rules, NOW, HUMAN, trust))
    assert [one.principals for one in signers.keys] == [(who,)]
