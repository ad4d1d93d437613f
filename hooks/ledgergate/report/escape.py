"""Forms of a text that suit an output: digests that fit a line, Unicode that encodes."""

from __future__ import annotations

import re

_DIGEST = re.compile(r"\b(sha256:[0-9a-f]{12})[0-9a-f]{52}\b")


def short_digests(text: str) -> str:
    """The text with twelve hex digits of each sha256."""
    return _DIGEST.sub(r"\1", text)


def encodable(text: str) -> str:
    """The text as valid Unicode: a byte that was no UTF-8 becomes `%XX`, any other lone surrogate an escape."""
    if text.isascii():
        return text
    return "".join(_unsurrogate(char) if "\ud800" <= char <= "\udfff" else char for char in text)


def _unsurrogate(char: str) -> str:
    return f"%{ord(char) - 0xDC00:02X}" if "\udc80" <= char <= "\udcff" else f"\\u{ord(char):04x}"
