"""How a text stands in a ledger: the forms that load back as exactly that text.

The patterns are for texts without `text.UNSAFE` characters, so that their sets stay small: Python takes milliseconds to
compile a set that reaches beyond Latin-1, and the hooks have few of them.
"""

from __future__ import annotations

import re

from ledgergate.ledger.text import UNSAFE

# What may stand in a comment or between quotes.
SAFE = r"[^\x00-\x1f\x7f]"
# A plain scalar on one line: no indicator in front, no `: ` or ` #` within, no blank or colon at its end.
_RUN = r"[^\x00-\x20:\x7f]"
# The last repeat is not possessive: early versions of Python 3.11 lose their place behind a lookahead in one.
PLAIN = rf"[^\x00-#%&'*,\-:>-@\[\]`{{-}}\x7f]{_RUN}*+(?:(?::++| (?!#)){_RUN}++)*"
# A quoted one that needs no escape.
QUOTED = r"(?:'[^\x00-\x1f'\\\x7f]*+'|\"[^\x00-\x1f\"\\\x7f]*+\")"

_FLOW_INDICATORS = frozenset(",[]{}?")


def write_scalar(text: str, style: str = "", *, flow: bool = False) -> str:
    """The text as a scalar on one line, in the wanted style if it can stand in it.

    `style` is `'`, `"` or anything else for plain; what cannot be plain gets single quotes, and what these cannot hold
    double ones, with escapes. `flow`: it stands inside a `[...]` or `{...}`.
    """
    safe = UNSAFE.isdisjoint(text)
    if safe and style not in ("'", '"') and re.fullmatch(PLAIN, text) and not (flow and _FLOW_INDICATORS & set(text)):
        return text
    if safe and style != '"' and re.fullmatch(f"{SAFE}*", text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable() and char not in UNSAFE:
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
