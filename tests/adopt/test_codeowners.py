from __future__ import annotations

import pytest

from ledgergate.adopt.codeowners import add_block, is_owner

PATHS = ("tests/ledger.yaml", ".ledgergate/")
BLOCK = (
    b"# ledgergate: begin (contracts belong to humans)\n/tests/ledger.yaml @acme/qa\n/.ledgergate/ @acme/qa\n"
    b"# ledgergate: end\n"
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", BLOCK),
        (b"* @acme/all\n", b"* @acme/all\n\n" + BLOCK),
        (b"* @acme/all", b"* @acme/all\n\n" + BLOCK),
        (b"# caf\xe9\r\n* @acme/all\r\n", b"# caf\xe9\r\n* @acme/all\r\n\r\n" + BLOCK.replace(b"\n", b"\r\n")),
        (b"* @a\n" + BLOCK.replace(b"acme/qa", b"old") + b"/x @b\n", b"* @a\n" + BLOCK + b"/x @b\n"),
        (b"# ledgergate: end\n", b"# ledgergate: end\n\n" + BLOCK),
    ],
)
def test_every_other_byte_stays(before: bytes, after: bytes) -> None:
    assert add_block(before, PATHS, "@acme/qa") == after
    assert add_block(after, PATHS, "@acme/qa") == after


def test_odd_paths_are_escaped() -> None:
    assert b"/a\\ b/ledger.yaml @x\n" in add_block(b"", ("a b/ledger.yaml",), "@x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@acme", True),
        ("@acme/qa", True),
        ("qa@example.org", True),
        ("test-infra", False),
        ("@a b", False),
        ("@", False),
    ],
)
def test_owners_that_a_forge_knows(text: str, expected: bool) -> None:
    assert is_owner(text) is expected
