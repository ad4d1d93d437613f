"""Which new digests rows would take, and which rows can take none."""

from __future__ import annotations

import pytest

from ledgergate.errors import UsageError
from ledgergate.git import Repository, Snapshot
from ledgergate.ledger import Ledger, Row
from ledgergate.ledger.relock import Relocked, Unlockable, relock, select_locked
from support.project import sha256
from support.repo import Repo

POINTER = f"version https://git-lfs.github.com/spec/v1\noid {sha256('real')}\nsize 4\n"
WRONG = "sha256:" + "0" * 64


def snapshot(repo: Repo, files: dict[str, str | bytes]) -> Snapshot:
    repository = Repository(str(repo.path))
    return repository.snapshot(repo.commit(files))


def row(artifact: str | tuple[str, ...], digest: str | tuple[str, ...] = WRONG, **more: str) -> Row:
    return Row.of({"id": "t.py::t", "class": "locked_fixture", "artifact": artifact, "digest": digest, **more}, 3)


def only(found: Snapshot, one: Row) -> Relocked | Unlockable:
    (result,) = relock([one], found)
    return result


@pytest.mark.parametrize(
    ("one", "digest"),
    [
        (row("a"), sha256("1")),
        (row(("a", "b"), (WRONG, WRONG)), (sha256("1"), sha256("2"))),
        (row(("a", "b"), (sha256("1"), WRONG)), (sha256("1"), sha256("2"))),
        (row(("a",), (WRONG,)), (sha256("1"),)),
        (row("pointer", lfs="true"), sha256("real")),
        (row("empty", allow_empty="true"), sha256("")),
        (row("f/"), sha256(f"{sha256('3')[7:]}  x\n")),
    ],
)
def test_new_digests(repo: Repo, one: Row, digest: str | tuple[str, ...]) -> None:
    found = snapshot(repo, {"a": "1", "b": "2", "f/x": "3", "empty": "", "pointer": POINTER})
    relocked = only(found, one)
    assert isinstance(relocked, Relocked)
    assert relocked.old is one
    assert relocked.new == Row.of({**one.fields, "digest": digest}, 3)
    assert {new.artifact for new in relocked.digests} == {
        artifact
        for artifact, old, new in zip(one.artifacts, one.digests, relocked.new.digests, strict=True)
        if old != new
    }


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (row("gone"), "gone is not there"),
        (row(("a", "gone"), (WRONG, WRONG)), "gone is not there"),
        (row("f"), "f is a folder"),
        (row("a/"), "a is a file"),
        (row("empty"), "empty has no bytes"),
        (row("pointer"), "pointer is a Git LFS pointer, not the real bytes: add `lfs: true`"),
        (row("pointers/"), "pointers/x is a Git LFS pointer, not the real bytes: add `lfs: true`"),
        (row("a", lfs="true"), "a is no LFS pointer"),
        (row("linked"), "linked is a link"),
    ],
)
def test_rows_that_cannot_be_locked(repo: Repo, one: Row, reason: str) -> None:
    repo.stage_blob("linked", b"a", mode="120000")
    files: dict[str, str | bytes] = {"a": "1", "f/x": "3", "empty": "", "pointer": POINTER, "pointers/x": POINTER}
    unlockable = only(snapshot(repo, files), one)
    assert isinstance(unlockable, Unlockable)
    assert reason in "; ".join(unlockable.reasons)


def test_a_row_that_holds_is_left_alone(repo: Repo) -> None:
    one = row("a", sha256("1"))
    assert only(snapshot(repo, {"a": "1"}), one) == Relocked(one, one, ())


OTHERS = (
    Row.of({"id": "t.py::test_one", "class": "locked_fixture", "artifact": "a", "digest": WRONG}),
    Row.of({"id": "t.py::test_two", "class": "locked_fixture", "artifact": ("a", "b"), "digest": (WRONG, WRONG)}),
    Row.of({"id": "t.py::test_flaky", "class": "quarantine", "opened": "2026-01-01", "reason": "x", "owner": "y"}),
    Row.of({"id": "u.py::test_three", "class": "locked_fixture", "artifact": "c", "digest": WRONG}),
)
LEDGERS = [
    Ledger("one", OTHERS[:3], {row.id: row for row in OTHERS[:3]}, ()),
    Ledger("two", OTHERS[3:], {row.id: row for row in OTHERS[3:]}, ()),
]


@pytest.mark.parametrize(
    ("ids", "selected"),
    [
        ((), [0, 1, 3]),
        (("u.py::test_three", "t.py::test_one"), [0, 3]),
        (("t.py::test_two", "t.py::test_two"), [1]),
    ],
)
def test_selection(ids: tuple[str, ...], selected: list[int]) -> None:
    assert select_locked(LEDGERS, ids) == [OTHERS[number] for number in selected]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("t.py::test_onee", "the nearest is t.py::test_one"),
        ("t.py::test_too", "the nearest is t.py::test_two"),
        ("b", "that is the artifact of t.py::test_two"),
        ("a", "that is the artifact of t.py::test_one, t.py::test_two"),
        ("t.py::test_flaky", "is a quarantine row, and only locked_fixture rows"),
    ],
)
def test_ids_that_cannot_be_meant(wrong: str, said: str) -> None:
    with pytest.raises(UsageError, match=wrong) as caught:
        select_locked(LEDGERS, ("t.py::test_one", wrong))
    assert said in str(caught.value)


def test_no_rows_at_all() -> None:
    with pytest.raises(UsageError, match="the ledgers hold no rows"):
        select_locked([], ("t.py::test_one",))
