"""Whether a freeze's signature still holds of the test that it froze."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pytest

from ledgergate.freeze import Freeze
from ledgergate.freeze.signature import broken_signature, signature_of
from support.lane_reports import PATH, frozen, ledger

TEST = b"""\
import pytest


def helper():
    assert 1 == 1


class TestRetry:
    async def test_jitter(self):
        with pytest.raises(ValueError):
            retry()


def test_budget():
    for attempt in range(3):
        assert budget(
            attempt
        )   <= 3, "\xc3\xbc"
    check(attempt)
    if attempt: raise RuntimeError("late")
"""
SPLIT = 'assert budget(\n            attempt\n        )   <= 3, "ü"'


def freeze(**fields: Any) -> Freeze:
    (found,) = ledger(frozen(**fields)).freezes
    return found


def broken(found: Freeze, files: Mapping[str, bytes]) -> str | None:
    return broken_signature(found, files.get)


def test_the_formula() -> None:
    text = 'assert budget( attempt ) <= 3, "ü"'.encode()
    assert signature_of(SPLIT) == f"sha256:{hashlib.sha256(text).hexdigest()}"
    assert signature_of("x", (b"one", b"two")) == f"sha256:{hashlib.sha256(b'xonetwo').hexdigest()}"


@pytest.mark.parametrize(
    ("check", "case_id"),
    [
        (SPLIT, "budget"),
        (SPLIT, "test_budget"),
        (SPLIT, f"{PATH}::test_budget"),
        (SPLIT, f"{PATH}::test_budget[1]"),
        ("check(attempt)", "budget"),
        ('raise RuntimeError("late")', "budget"),
        ("pytest.raises(ValueError)", "jitter"),
        ("retry()", f"{PATH}::TestRetry::test_jitter"),
        ("assert 1 == 1", "helper"),
    ],
)
def test_it_holds(check: str, case_id: str) -> None:
    assert broken(freeze(signature=signature_of(check), case_id=case_id), {PATH: TEST}) is None


@pytest.mark.parametrize(
    ("check", "case_id", "files", "said"),
    [
        ("assert budget(attempt) <= 3", "budget", {PATH: TEST}, "No check"),
        ("assert 1 == 1", "budget", {PATH: TEST}, "No check"),
        (SPLIT, "budget", {PATH: TEST.replace(b"<= 3", b"<= 4")}, "No check"),
        (SPLIT, "budget", {PATH: TEST.replace(b"test_budget", b"test_limit")}, "no functions"),
        (SPLIT, "budget", {PATH: TEST + b"\ndef test_budget(): pass\n"}, "2 functions"),
        (SPLIT, f"{PATH}::TestOther::test_budget", {PATH: TEST}, "no functions"),
        (SPLIT, "tests/other.py::test_budget", {PATH: TEST}, "tests/other.py"),
        (SPLIT, "budget", {PATH: b"def ("}, "cannot read"),
        (SPLIT, "budget", {}, "no file"),
    ],
)
def test_it_is_broken(check: str, case_id: str, files: dict[str, bytes], said: str) -> None:
    why = broken(freeze(signature=signature_of(check), case_id=case_id), files)
    assert why is not None
    assert said in why


def test_a_comment_or_another_line_does_not_break_it() -> None:
    moved = TEST.replace(b"def test_budget", b"# flaky\n\ndef test_budget").replace(
        b"    check", b"    x = 1\n    check"
    )
    assert broken(freeze(signature=signature_of(SPLIT)), {PATH: moved}) is None


class TestFixtures:
    FREEZE = freeze(signature=signature_of(SPLIT, (b"data",)), fixtures=["tests/data.bin"])

    def test_they_are_part_of_it(self) -> None:
        assert broken(self.FREEZE, {PATH: TEST, "tests/data.bin": b"data"}) is None
        assert broken(self.FREEZE, {PATH: TEST, "tests/data.bin": b"other"}) is not None

    def test_one_is_gone(self) -> None:
        assert "tests/data.bin" in (broken(self.FREEZE, {PATH: TEST}) or "")


class TestOtherLanguages:
    FILE = "tests/retry.test.ts"

    def frozen(self, **fields: Any) -> Freeze:
        text = "expect(budget()).toBe(3)"
        return freeze(**{"path": self.FILE, "assertion": text, "signature": signature_of(text), **fields})

    def test_the_file_holds_the_text(self) -> None:
        source = b"it('stays', () => {\n  expect(budget()).toBe(3)\n})\n"
        assert broken(self.frozen(), {self.FILE: source}) is None
        assert broken(self.frozen(), {self.FILE: source.replace(b"3", b"4")}) is not None

    def test_the_text_is_not_the_signed_one(self) -> None:
        assert (
            broken(self.frozen(signature=signature_of("other")), {self.FILE: b"expect(budget()).toBe(3)"}) is not None
        )

    def test_there_is_no_text(self) -> None:
        empty = self.frozen(assertion=None, signature=signature_of(""))
        assert broken(empty, {self.FILE: b"anything"}) is not None
