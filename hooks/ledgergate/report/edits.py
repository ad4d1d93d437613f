"""What was done to the lines of a text, apart from the lines themselves: keys by which many changes become few."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile, zip_longest

Edit = tuple[bytes, bytes]

_TOKENS = re.compile(rb"\w+|\W")
_NUMBERS = re.compile(rb"\b(?=[0-9a-f]*[0-9])[0-9a-f]{7,}\b|\d+")


def edits_of(old: bytes, new: bytes) -> frozenset[Edit]:
    """The distinct edits of a change: for each line that went and the one that came for it, the words that differ."""
    return frozenset(_core(*pair) for pair in zip_longest(_gone(old, new), _gone(new, old), fillvalue=b""))


def without_numbers(edits: frozenset[Edit]) -> frozenset[Edit]:
    """The edits with every number, and every long hexadecimal one, made the same."""
    return frozenset((_NUMBERS.sub(b"0", one), _NUMBERS.sub(b"0", two)) for one, two in edits)


def _gone(old: bytes, new: bytes) -> Iterator[bytes]:
    """The lines of one text that the other lacks, as often as it lacks them, in their order."""
    left = Counter(old.split(b"\n")) - Counter(new.split(b"\n"))
    for line in old.split(b"\n"):
        if left[line] > 0:
            left[line] -= 1
            yield line


def _core(old: bytes, new: bytes) -> Edit:
    """The words in which two lines differ, without those before and behind that are equal."""
    before, after = _TOKENS.findall(old), _TOKENS.findall(new)
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    before, after = before[start:], after[start:]
    tail = zip(reversed(before), reversed(after), strict=False)
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], tail))
    return b"".join(before[: len(before) - end]), b"".join(after[: len(after) - end])
