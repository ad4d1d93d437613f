"""What a ledger's text says of one row, without reading the rest of it."""

from __future__ import annotations

import re

_DASH = re.compile(rb"( *)- id: (['\"]?)")
_REST = re.compile(rb"[ \t]*(?:#.*)?\r?")
# What cannot stand within an id, or the end of the line.
_ENDS = re.compile(rb"[ \t\r,}'\"#]|\Z")


def glance(data: bytes, row_id: str) -> bytes | None:
    """The lines of the row as they stand in the file, or nothing where it names no such row; None: not without reading.

    Where two files say the same lines of a row, they say the same of it. It takes the place of a reader only where
    nothing but that is to be known, since it looks at no other line.
    """
    name = row_id.encode("utf-8", "surrogateescape")
    found: list[bytes] = []
    at = data.find(name)
    while at != -1:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        before, after = data[start:at], data[at + len(name) : end if end != -1 else len(data)]
        dash = _DASH.fullmatch(before)
        if dash and after.startswith(dash[2]) and _REST.fullmatch(after.removeprefix(dash[2])):
            found.append(_lines(data, start, len(dash[1])))
        elif _could_be_id(before) and _ENDS.match(after):
            return None
        at = data.find(name, at + 1)
    if not found:
        # An escape, or a line that goes on in the next one, could spell the id in another way.
        return None if (b"\\" in data and b'"' in data) or b" " in name else b""
    return found[0] if len(found) == 1 else None


def _could_be_id(before: bytes) -> bool:
    """Whether what stands before the name on its line may be the key `id`, or the end of one on an earlier line."""
    text = before.rstrip(b" \t'\"")
    return not text or text[-1:] in b"?" or re.search(rb"(?:\bid['\"]?[ \t]*|^[ \t]*):\Z", text) is not None


def _lines(data: bytes, start: int, indent: int) -> bytes:
    """The lines from `start` on, up to the next that stands at most as far to the right as their dash."""
    after = re.compile(rb"^ {0,%d}[^ \r\n#]" % indent, re.MULTILINE).search(
        data, data.find(b"\n", start) + 1 or len(data)
    )
    return data[start : after.start() if after else len(data)]
