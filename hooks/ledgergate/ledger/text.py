"""What a ledger's bytes must be before they can be read as YAML at all."""

from __future__ import annotations

import re

# Beyond ASCII: control characters, what ends a line for YAML 1.1 and for no editor, byte order marks, no characters.
UNSAFE = frozenset(map(chr, (*range(0x80, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)))

_NAMES = {"\x00": "a NUL byte", "\ufeff": "a byte order mark (U+FEFF)", "\r": "a carriage return without a line feed"}

_CONFLICT = (
    "Resolve it: keep the rows of both sides, and of two digests of one row either; stage it. Where you kept one of "
    "two digests, `ledgergate relock --staged` writes the right one."
)


class Unreadable(Exception):  # noqa: N818 - it is caught at the reader's own edge and becomes a problem there
    """The file as a whole cannot be read. `line` counts from 1."""

    def __init__(self, line: int, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.remedy = remedy


def decode(data: bytes) -> str:
    """The file's text, without the byte order mark that one may lead it. Raises `Unreadable` where it is not UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Unreadable(1, "the file is UTF-16, and a ledger is UTF-8", "Save it as UTF-8.")
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise Unreadable(line, message, "Save the file as UTF-8.") from None


def is_safe(text: str) -> bool:
    """Whether the text has none of the characters in `UNSAFE`."""
    return text.isascii() or not any(char in text for char in UNSAFE)


def check_text(text: str) -> None:
    """Refuse what YAML would pass over or read otherwise than an editor shows it.

    A lone carriage return and U+0085, U+2028 and U+2029 end a line, and with it a comment, for YAML 1.1 but not for
    editors and diffs: a row could hide behind one. Raises `Unreadable`.
    """
    conflict = re.search(r"^(<{7}|={7}|>{7})(?= |\r?$)", text, re.MULTILINE)
    if conflict is not None:
        line = text.count("\n", 0, conflict.start()) + 1
        raise Unreadable(line, "a merge conflict is left here", _CONFLICT)
    looks = [re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)", text)]
    looks += [re.search("^ *\t", text, re.MULTILINE)] if "\t" in text else []
    places = [(found.end() - 1, found[0][-1]) for found in looks if found is not None]
    if not is_safe(text):
        places += [(text.index(char), char) for char in UNSAFE if char in text]
    if not places:
        return
    at, char = min(places)
    line = text.count("\n", 0, at) + 1
    if char == "\t":
        raise Unreadable(line, "the line is indented with a tab", "Indent with spaces.")
    name = _NAMES.get(char, f"the character U+{ord(char):04X}")
    raise Unreadable(line, f"the line holds {name}", "Remove it, or write it as an escape in a double-quoted text.")
