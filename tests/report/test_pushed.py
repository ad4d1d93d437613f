"""What a pusher hears from the server names commands that they can type, and what those need."""

from __future__ import annotations

import pytest

from ledgergate.report.pushed import Moved, render_pushed
from ledgergate.rules import finding
from ledgergate.values import Actor, Item, Report, State

NEW = "c" * 40
WAITING = Report(
    State.FAIL,
    (("ledger-edits", State.FAIL),),
    Actor("human"),
    "a" * 40,
    "b" * 40,
    "sha256:" + "d" * 64,
    (Item("row", "tests/test_a.py::test_a", None, "sha256:" + "e" * 64),),
    (),
    (finding("digest-mismatch", "ledger-edits", "It differs.", path="tests/ledger.yaml"),),
)
MAIN = "refs/heads/main"


def told(*, old: str | None, default: str | None, own: bool) -> str:
    return " ".join(render_pushed("what", WAITING, Moved(MAIN, old, NEW, default, own)).split())


@pytest.mark.parametrize(
    ("old", "default", "start"),
    [
        ("a" * 40, MAIN, "origin/main"),
        (None, "refs/heads/trunk", "origin/trunk"),
        (None, None, "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_what_approves_it(old: str | None, default: str | None, start: str, own: bool) -> None:
    said = told(old=old, default=default, own=own)
    assert f"`ledgergate ack --from {start} --to {NEW[:12]} --target {MAIN}`" in said
    assert "FILE" not in said
    assert ("its own list of signers" in said) is own
    assert ("once a list of signers is in force" in said) is (default is None and old is None and not own)


def test_where_nobodys_key_counts_the_server_has_to_name_signers_first() -> None:
    report = WAITING._replace(lacks_signers=True)
    said = " ".join(render_pushed("what", report, Moved(MAIN, "a" * 40, NEW, MAIN)).split())
    assert "names signers in its configuration first" in said
    assert f"`ledgergate ack --from origin/main --to {NEW[:12]} --target {MAIN} --signers FILE`" in said
    assert "a signer approves it" not in said
