"""Edits of files of settings, as policy compares them."""

from __future__ import annotations

from ledgergate.policy import protected_difference


def edit(path: str, text: str, old: str, new: str) -> str | None:
    """What a human has to approve where the first `old` of a protected file's text becomes `new`."""
    assert old in text
    return protected_difference(path, text.encode(), text.replace(old, new, 1).encode())
