"""How the commands of a human say why they write nothing."""

from __future__ import annotations

import pytest

from ledgergate.cli.amending import say_refusals
from ledgergate.rules import finding


def test_the_lines_of_a_message_stand_below_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    message = "It does not hash to the digest in its row. (row at tests/ledger.yaml:3)\n+def test_one():\n-    \x1b[2J"
    say_refusals([finding("digest-mismatch", "fixture-digests", message, remedy="Human: look.", path="a")])
    assert capsys.readouterr().err == (
        "ledgergate: refused: digest-mismatch: It does not hash to the digest in its row.\n"
        "    +def test_one():\n"
        "    -    \\x1b[2J\n"
        "  > Human: look.\n"
        "Nothing was written.\n"
    )
