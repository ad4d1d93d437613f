from __future__ import annotations

import pytest

from ledgergate.adopt.worth import Worth, Worths
from ledgergate.source.inline import inline_digest
from ledgergate.source.strength import Strength

SOURCE = b"""\
def test_checks(): assert one() == 1
def test_smoke(): one()
def helper(): pass
class TestX:
    def test_inner(self): assert one() == 1
"""
FILES = {"tests/test_a.py": SOURCE, "tests/test_broken.py": b"def test_x(:"}


@pytest.mark.parametrize("inline", [False, True])
def test_the_digest_is_that_of_tests_that_can_fail_where_someone_asks(inline: bool) -> None:
    worths = Worths(FILES.get, inline=inline)
    digest = inline_digest(SOURCE, ("test_checks",)) if inline else None
    assert worths.of("tests/test_a.py", ("test_checks",)) == Worth(Strength.CAN_FAIL, digest)  # type: ignore[arg-type]
    assert worths.of("tests/test_a.py", ("test_smoke",)) == Worth(Strength.NONE, None)
    assert worths.of("tests/test_broken.py", ("test_x",)) == Worth(Strength.UNKNOWN, None)
    assert worths.of("tests/gone.py", ("test_x",)) is None


def test_what_was_looked_at_beforehand_is_not_read_again() -> None:
    asked: list[str] = []

    def read(path: str) -> bytes | None:
        asked.append(path)
        return FILES.get(path)

    worths = Worths(read, inline=True)
    worths.prepare([*FILES, "tests/gone.py"])
    before = len(asked)
    assert worths.of("tests/test_a.py", ("TestX", "test_inner")) is not None
    assert len(asked) == before
