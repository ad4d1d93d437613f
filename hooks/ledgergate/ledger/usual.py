"""The rows that nearly every ledger consists of, recognised at a glance."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ledgergate.ledger.paths import PLACEHOLDER
from ledgergate.ledger.rows import Value

_PART = r"[^./\\:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]*+"
_PATH = rf"{_PART}(?:/{_PART})*+"
_ARTIFACT = rf"{_PATH}(?:/|(?:::[A-Za-z_]\w*+)++)?"
_ID = rf"{_PATH}::[^\[\x00-\x20\x7f][^\[\x00-\x1f\x7f]*+(?:\[[ -~]*\])?"
_TEXT = r"[!-~][^\n]*+"
_DATE = r"[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"

# By class (a draft's with what it proposes): the other fields of a usual row, and what their texts look like.
_SHAPES = {
    "locked_fixture": (("artifact", "digest"), (_ARTIFACT, "sha256:[0-9a-f]{64}")),
    "property": (("invariant", "seeds"), (_TEXT, rf"{_PATH}/?")),
    "quarantine": (("opened", "reason", "owner"), (_DATE, _TEXT, _TEXT)),
    "draft of property": (("proposed_class", "source", "invariant"), (_TEXT, _TEXT, _TEXT)),
    "draft of locked_fixture": (("proposed_class", "source", "artifact"), (_TEXT, _TEXT, _ARTIFACT)),
}


def is_sound(fields: Mapping[str, Value], latest: str) -> bool:
    """Whether the row is of a usual form and obeys every rule: True is certain, False says nothing.

    `latest` is today's date in ISO form.
    """
    try:
        class_ = fields["class"]
        kind = f"draft of {fields['proposed_class']}" if class_ == "draft" else str(class_)
        names = _SHAPES[kind][0]
        # A field that holds a list ends in the TypeError.
        text = "\n".join((fields["id"], *[fields[name] for name in names]))  # type: ignore[arg-type]
    except (KeyError, TypeError):
        return False
    if len(fields) != len(names) + 2 or not text.isascii() or _pattern(kind).fullmatch(text) is None:
        return False
    if PLACEHOLDER in text:
        return False
    return kind != "quarantine" or fields["opened"] <= latest  # type: ignore[operator]


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile("\n".join((_ID, *_SHAPES[kind][1])))
