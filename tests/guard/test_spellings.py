"""Twice ten more spellings of each kind of move, written before the guard was looked at, and how many it tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledgergate.checks import test_guard
from ledgergate.git import Change, Repository
from ledgergate.policy.model import Policy
from ledgergate.values import Actor, Finding
from ledgergate.vouch import Case, Rules
from support.repo import Repo
from support.spellings import Spelling, spellings

FOLDERS = ("spellings", "more_spellings")
SPELLINGS = tuple(one for folder in FOLDERS for one in spellings(Path(__file__).parent / folder))
AGENT = Actor("agent", ("env:AI_AGENT",))
POLICY = Policy(tests=("tests/**",), goldens=(), agent_write_paths=("**",))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Finding]]:
    """What the guard says of each spelling as the staged edit of an agent who may write anywhere."""
    repo = Repo(tmp_path_factory.mktemp("spellings") / "repo")
    trees = [tree for one in SPELLINGS for tree in (one.before, one.after)]
    repo.git("fast-import", "--quiet", stdin=b"".join(_commit(number, tree) for number, tree in enumerate(trees)))
    told = repo.git("for-each-ref", "--format=%(refname:lstrip=3) %(objectname)").splitlines()
    commits = dict(line.split() for line in told)
    repository = Repository(str(repo.path))
    return {
        f"{one.kind} {one.title}": list(_findings(repository, commits[f"{2 * number}"], commits[f"{2 * number + 1}"]))
        for number, one in enumerate(SPELLINGS)
    }


def _commit(number: int, tree: Mapping[str, str]) -> bytes:
    lines = [f"commit refs/heads/n/{number}\ncommitter K <k@example.org> 1700000000 +0000\ndata 0\n".encode()]
    for path, text in tree.items():
        data = text.encode()
        lines.append(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")
    return b"".join(lines)


def _findings(repository: Repository, before: str, after: str) -> Iterator[Finding]:
    base, head = repository.snapshot(before), repository.snapshot(after)
    change = Change("staged", base=base, head=head, target=base)
    case = Case(change, Rules(POLICY, "base"), datetime.now(UTC), AGENT)
    return (one for one in test_guard.check(case) if not one.is_note)


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda one: f"{one.kind}-{one.title}")
def test_a_spelling_is_told(judged: Mapping[str, list[Finding]], spelling: Spelling) -> None:
    assert bool(judged[f"{spelling.kind} {spelling.title}"]) is spelling.is_told


def test_nearly_all_are_told(judged: Mapping[str, list[Finding]]) -> None:
    assert sum(map(bool, judged.values())) >= 0.9 * len(SPELLINGS)


def test_there_are_twice_ten_of_each_kind() -> None:
    assert set(Counter(one.kind for one in SPELLINGS).values()) == {20}
    assert len(SPELLINGS) == 860
    assert len({(one.kind, one.title) for one in SPELLINGS}) == len(SPELLINGS)
