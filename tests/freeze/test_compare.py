"""What a change does to the freeze ledger."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.freeze import (
    FreezeDifference,
    FreezeLedger,
    compare_freezes,
    fingerprint_of,
    horizon_problems,
    read_freeze_ledger,
)

PATH = "tests/freeze_ledger.json"
NOW = datetime(2026, 10, 1, tzinfo=UTC)


def freeze(identity: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": identity,
        "signature": "sha256:" + "a" * 64,
        "path": "tests/test_a.py",
        "case_id": "a",
        "reason": "slow runners",
        "expires_utc": "2026-10-06T00:00:00Z",
    } | changes


def ledger(*freezes: dict[str, Any], indent: int | None = None, **changes: Any) -> FreezeLedger:
    document = {"schema": "freeze-ledger.v1", "required_lanes": ["a"], "cardinality_floor": {"a": 64}} | changes
    data = json.dumps(document | {"freezes": freezes}, indent=indent).encode()
    read = read_freeze_ledger(PATH, data, remote_lanes=frozenset())
    assert not read.problems
    return read


def differences(base: FreezeLedger | None, head: FreezeLedger | None) -> list[FreezeDifference]:
    return list(compare_freezes(base, head, path=PATH))


def summary(base: FreezeLedger | None, head: FreezeLedger | None) -> list[tuple[str, str, str]]:
    return [(found.kind, found.subject, found.label) for found in differences(base, head)]


def test_order_and_layout_are_no_difference() -> None:
    base = ledger(freeze("x"), freeze("y"))
    head = ledger(dict(reversed(freeze("y").items())), freeze("x"), indent=3)
    assert differences(base, head) == []


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (ledger(freeze("x"), freeze("y"), freeze("z")), [("freeze", "z", "added")]),
        (ledger(freeze("y")), [("freeze", "x", "removed")]),
        (
            ledger(freeze("x", expires_utc="2026-10-09T00:00:00Z", owner="kim"), freeze("y")),
            [
                (
                    "freeze",
                    "x",
                    "expires_utc: 2026-10-06T00:00:00Z -> 2026-10-09T00:00:00Z, owner: nothing -> kim",
                )
            ],
        ),
        (ledger(freeze("w"), freeze("y")), [("freeze", "w", "added"), ("freeze", "x", "removed")]),
        (
            ledger(freeze("x"), freeze("y"), cardinality_floor={"a": 1}),
            [("settings", PATH, "cardinality_floor.a: 64 -> 1")],
        ),
        (
            ledger(freeze("x"), freeze("y"), required_lanes=["a", "b"]),
            [("settings", PATH, 'required_lanes: ["a"] -> ["a", "b"]')],
        ),
    ],
)
def test_differences(head: FreezeLedger, expected: list[tuple[str, str, str]]) -> None:
    base = ledger(freeze("x"), freeze("y"))
    assert summary(base, head) == expected
    for found in differences(base, head):
        assert found.old == fingerprint_of(base, found.kind, found.subject)
        assert found.new == fingerprint_of(head, found.kind, found.subject)
        assert found.old != found.new


def test_a_whole_file_that_comes_or_goes() -> None:
    there = ledger(freeze("x"))
    assert summary(None, there) == [("settings", PATH, "added"), ("freeze", "x", "added")]
    assert summary(there, None) == [("settings", PATH, "removed"), ("freeze", "x", "removed")]
    assert summary(None, None) == []


def test_a_file_that_cannot_be_read_has_lost_everything() -> None:
    broken = read_freeze_ledger(PATH, b"{", remote_lanes=frozenset())
    assert summary(ledger(freeze("x")), broken) == [("settings", PATH, "removed"), ("freeze", "x", "removed")]


def test_fingerprints_of_what_is_not_there() -> None:
    assert fingerprint_of(None, "settings", PATH) is None
    assert fingerprint_of(ledger(), "freeze", "x") is None


@pytest.mark.parametrize(
    ("expires", "days", "refused"),
    [
        (NOW + timedelta(days=30), 30, False),
        (NOW + timedelta(days=30, seconds=1), 30, True),
        (NOW - timedelta(days=400), 30, False),
        (datetime(9999, 12, 31, 23, 59, tzinfo=UTC), 30, True),
        (datetime(9999, 12, 31, 23, 59, tzinfo=UTC), 10**12, False),
        ((NOW + timedelta(days=1)).astimezone(tz=None), 1, False),
    ],
)
def test_how_far_ahead_a_freeze_may_end(expires: datetime, days: int, refused: bool) -> None:
    head = ledger(freeze("x", expires_utc=expires.isoformat()))
    found = list(horizon_problems(None, head, now=NOW, max_days=days))
    assert [(problem.rule, problem.subject) for problem in found] == [("freeze-invalid", "x")] * refused


def test_a_freeze_that_stays_is_not_judged_by_the_horizon() -> None:
    far, other = freeze("x", expires_utc="2027-10-01T00:00:00Z"), freeze("y")
    assert not list(horizon_problems(ledger(far), ledger(far, other), now=NOW, max_days=30))
    assert list(horizon_problems(ledger(far), ledger(far | {"case_id": "b"}), now=NOW, max_days=30))
    assert not list(horizon_problems(ledger(far), None, now=NOW, max_days=30))


@given(ids=st.lists(st.sampled_from("abcd"), unique=True), others=st.lists(st.sampled_from("abcd"), unique=True))
def test_each_freeze_that_differs_is_one_difference(ids: list[str], others: list[str]) -> None:
    found = differences(ledger(*map(freeze, ids)), ledger(*map(freeze, others)))
    assert {difference.subject for difference in found} == set(ids) ^ set(others)
    assert len(found) == len(set(ids) ^ set(others))
