"""Kept evidence: whole, or not there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository
from ledgergate.lanes.store import EvidenceStore
from support.repo import Repo

TREE, OTHER = "a" * 40, "b" * 40


@pytest.fixture
def store(repo: Repo) -> EvidenceStore:
    return EvidenceStore(Repository(str(repo.path)))


def test_what_is_kept_is_read_again(store: EvidenceStore) -> None:
    assert (store.trees(), store.reports(TREE)) == ([], {})
    kept = store.keep(TREE, {"properties": b"1", "a/../b é": b"2"}, {"score.json": b"{}"})
    assert store.reports(TREE) == {"a%2F..%2Fb%20%C3%A9.json": b"2", "properties.json": b"1"}
    assert (kept / "score.json").read_bytes() == b"{}"
    assert kept.parent.name == "evidence"


def test_a_later_run_takes_the_place_of_an_earlier_one(store: EvidenceStore) -> None:
    store.keep(TREE, {"a": b"1", "b": b"1"}, {})
    store.keep(TREE, {"a": b"2"}, {})
    assert store.reports(TREE) == {"a.json": b"2"}


def test_the_newest_comes_first(store: EvidenceStore) -> None:
    for number, tree in enumerate((TREE, OTHER)):
        os.utime(store.keep(tree, {}, {}), (number, number))
    assert store.trees() == [OTHER, TREE]


def test_only_the_newest_are_kept(store: EvidenceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledgergate.lanes.store._MOST", 2)
    for number in range(4):
        kept = store.keep(f"{number}" * 40, {}, {})
        os.utime(kept, (number, number))
        (kept.parent / f".part-{number}").mkdir()
        os.utime(kept.parent / f".part-{number}", (number, number) if number < 2 else None)
    assert store.trees() == ["3" * 40, "2" * 40]
    assert sorted(path.name for path in kept.parent.glob(".part-*")) == [".part-2", ".part-3"]


def test_what_is_forgotten(store: EvidenceStore) -> None:
    store.forget(TREE)
    store.keep(TREE, {"a": b"1"}, {})
    store.forget(TREE)
    assert (store.trees(), store.reports(TREE)) == ([], {})


def test_a_failure_half_way_leaves_nothing(store: EvidenceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.keep(OTHER, {"a": b"1"}, {})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(LedgergateError, match="evidence cannot be kept"):
        store.keep(TREE, {"a": b"1"}, {})
    assert store.trees() == [OTHER]


def test_what_was_begun_by_a_run_that_was_killed_is_no_evidence(store: EvidenceStore) -> None:
    kept = store.keep(TREE, {"a": b"1"}, {})
    kept.rename(kept.with_name(".part-x"))
    assert store.trees() == []


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_what_is_no_file_is_no_evidence(store: EvidenceStore, make: Callable[[Path], object]) -> None:
    make(store.keep(TREE, {"a": b"1"}, {}) / "reports" / "b.json")
    with pytest.raises(LedgergateError, match="no regular file"):
        store.reports(TREE)
