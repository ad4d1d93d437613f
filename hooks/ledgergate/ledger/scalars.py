"""How a text stands in a ledger: the forms that load back as exactly that text."""

from __future__ import annotations

import re

# Characters that YAML takes as they are: printable, neither a line end for YAML nor a byte order mark.
WIDE = "\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
SAFE = rf"[ -~{WIDE}]"

# A plain scalar on one line: no indicator in front, no `: ` or ` #` within, no blank or colon at its end.
_REST = rf"[!-9;-~{WIDE}]*+(?:(?::++| (?!#))[!-9;-~{WIDE}]++)*+"
PLAIN = rf"[$(+./0-9;<=A-Z\\^_a-z~{WIDE}]{_REST}"
# A quoted one that needs no escape.
QUOTED = rf"(?:'[ -&(-\[\]-~{WIDE}]*+'|\"[ !#-\[\]-~{WIDE}]*+\")"

_PLAIN = re.compile(PLAIN)
_ONE_LINE = re.compile(rf"{SAFE}*")
_FLOW_INDICATOR = re.compile(r"[,\[\]{}?]")
_ESCAPED = re.compile(rf"[^ !#-\[\]-~{WIDE}]")


def write_scalar(text: str, style: str = "", *, flow: bool = False) -> str:
    """The text as a scalar on one line, in the wanted style if it can stand in it.

    `style` is `'`, `"` or anything else for plain; what cannot be plain gets single quotes, and what these cannot hold
    double ones, with escapes. `flow`: it stands inside a `[...]` or `{...}`.
    """
    if style not in ("'", '"') and _PLAIN.fullmatch(text) and not (flow and _FLOW_INDICATOR.search(text)):
        return text
    if style != '"' and _ONE_LINE.fullmatch(text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if char in '"\\':
        return f"\\{char}"
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
