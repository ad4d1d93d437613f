"""What a ledger's bytes must be before they can be read as YAML at all."""

from __future__ import annotations

import re

_BREAKS_OR_CONTROLS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)|^ *\t", re.MULTILINE
)
_NAMES = {"\x00": "a NUL byte", "\ufeff": "a byte order mark (U+FEFF)", "\r": "a carriage return without a line feed"}


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


def check_text(text: str) -> None:
    """Refuse what YAML would pass over or read otherwise than an editor shows it.

    A lone carriage return and U+0085, U+2028 and U+2029 end a line, and with it a comment, for YAML 1.1 but not for
    editors and diffs: a row could hide behind one. Raises `Unreadable`.
    """
    found = _BREAKS_OR_CONTROLS.search(text)
    if found is None:
        return
    line = text.count("\n", 0, found.start()) + 1
    if found[0].endswith("\t"):
        raise Unreadable(line, "the line is indented with a tab", "Indent with spaces.")
    name = _NAMES.get(found[0], f"the character U+{ord(found[0]):04X}")
    raise Unreadable(line, f"the line holds {name}", "Remove it, or write it as an escape in a double-quoted text.")
