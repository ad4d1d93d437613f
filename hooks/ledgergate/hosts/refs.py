"""The lines by which git tells a hook what happens to which ref."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ledgergate.values import display_text

_ID = re.compile(r"0+|[0-9a-f]{40}|[0-9a-f]{64}")
# What `git check-ref-format` takes; any byte beyond ASCII may be in a name.
_REF = re.compile(r"refs/(?![/.]|.*(?:\.\.|@\{|//|/\.|\.lock(?:/|\Z)|\.\Z|/\Z))[^\x00-\x20\x7f~^:?*\[\\]+", re.DOTALL)


class RefUpdate(NamedTuple):
    """A ref by its full name, and the objects that it has before and after; None where it does not exist.

    Where nobody names the ref, its name is empty.
    """

    ref: str
    old: str | None
    new: str | None


class Malformed(NamedTuple):
    """A line that says nothing that could be judged, and why."""

    line: str
    reason: str


def read_pushed(data: bytes) -> Iterator[RefUpdate | Malformed]:
    """What git writes to a pre-push hook: `<local ref> <local id> <remote ref> <remote id>`, a line for each ref.

    A local ref may be any expression, blanks included. Bytes that are no UTF-8 stand as surrogates.
    """
    for line in _lines(data):
        fields = line.rsplit(" ", 3)
        if len(fields) == 4:
            _, new, ref, old = fields
            yield update_of(line, ref, old, new)
        else:
            yield Malformed(line, "it has too few parts")


def read_received(data: bytes) -> Iterator[RefUpdate | Malformed]:
    """What git writes to a pre-receive hook: `<old id> <new id> <ref>`, a line for each ref.

    A last line without an end was cut, and says nothing. Bytes that are no UTF-8 stand as surrogates.
    """
    for line in _lines(data if data.endswith(b"\n") else data + b" (cut)"):
        fields = line.split(" ")
        if len(fields) == 3:
            old, new, ref = fields
            yield update_of(line, ref, old, new)
        else:
            yield Malformed(line, "it has too few parts, or too many")


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def update_of(line: str, ref: str, old: str, new: str) -> RefUpdate | Malformed:
    """What a line says of a ref, or why it says nothing."""
    for id_ in (old, new):
        if not _ID.fullmatch(id_):
            return Malformed(line, f"{display_text(id_)!r} is no id of an object")
    if not _REF.fullmatch(ref):
        return Malformed(line, f"{display_text(ref)!r} is no full name of a ref")
    if is_nothing(old) and is_nothing(new):
        return Malformed(line, "it goes from nothing to nothing")
    return RefUpdate(ref, *(None if is_nothing(id_) else id_ for id_ in (old, new)))


def is_whole(id_: str) -> bool:
    """Whether a text is the whole id of an object."""
    return _ID.fullmatch(id_) is not None and not is_nothing(id_)


def is_nothing(id_: str) -> bool:
    """Whether an id is the one that stands for no object, of whatever length."""
    return set(id_) == {"0"}
