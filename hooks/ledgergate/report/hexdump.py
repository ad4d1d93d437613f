"""An excerpt of binary contents around the first byte in which they differ."""

from __future__ import annotations

from collections.abc import Iterator

_WIDTH = 16
_ROWS = 3


def hex_excerpt(old: bytes | None, new: bytes | None) -> Iterator[str]:
    """At most a few rows of each side, from the row of the first difference on: offset, bytes, printable characters."""
    before, after = old or b"", new or b""
    first = _first_difference(before, after)
    start = first - first % _WIDTH
    yield f"from byte {first:,} on:" if old is not None and new is not None else "it begins with:"
    for sign, data in (("-", before), ("+", after)):
        for at in range(start, min(start + _ROWS * _WIDTH, len(data)), _WIDTH):
            row = data[at : at + _WIDTH]
            text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
            yield f"{sign}{at:08x}  {row.hex(' '):<{3 * _WIDTH - 1}}  {text}"


def _first_difference(one: bytes, two: bytes) -> int:
    """Where they differ first, found by halving; where one ends if the other goes on."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == two[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
