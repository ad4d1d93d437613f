"""A fast reader for ledgers of the ordinary shape, which leaves every other file to the strict one.

It accepts what an editor or a command usually writes: `version: 1`, `rows:`, every row at one indent, a `key: value` a
line, values plain or quoted on their line without escapes, and comments. Whatever it accepts, the strict reader
reads the same and finds nothing wrong with; a file with a problem is never accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache

from ledgergate.ledger.paths import PLACEHOLDER
from ledgergate.ledger.rows import Row, Value
from ledgergate.ledger.scalars import PLAIN, QUOTED, SAFE
from ledgergate.ledger.text import is_safe
from ledgergate.ledger.usual import is_sound
from ledgergate.ledger.validate import row_problems

_TAIL = rf"(?: ++(?:#{SAFE}*+)?)?\n"
_GAP = rf"(?: *(?:#{SAFE}*)?\n)"
_START = re.compile(rf"{_GAP}*+version: 1{_TAIL}{_GAP}*+rows:(?: \[\]{_TAIL}{_GAP}*+\Z|{_TAIL}{_GAP}*+(?= {{0,16}}- ))")
_LINE = rf"(?:{PLAIN}|{QUOTED}){_TAIL}"

# Plain scalars in ASCII, narrowed to what the rules for ids, paths, dates and texts accept.
_ASCII_REST = r"[!-9;-~]*+(?:(?::++| (?!#))[!-9;-~]++)*"
_PART = r"[A-Za-z0-9_][A-Za-z0-9_.+@=,()~-]*+"
_PATH = rf"{_PART}(?:/{_PART})*+"
_ARTIFACT = rf"{_PATH}(?:/|(?:::[A-Za-z_][A-Za-z0-9_]*+)++)?"
_ID = rf"{_PATH}::[A-Za-z0-9_][A-Za-z0-9_.:/-]*+(?<!:)(?:\[{_ASCII_REST}(?<=\]))?"
_TEXT = rf"[A-Za-z0-9_(/.]{_ASCII_REST}"
_DATE = r"[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"


# The last group of each alternative in the usual shape, which tells them apart; and the group of a quarantine's date.
_LOCKED, _PROPERTY, _QUARANTINE, _OPENED = 3, 5, 8, 6


@cache
def _usual(indent: int) -> re.Pattern[str]:
    """A row in the usual order of fields, and nothing more, whose dash stands in column `indent`."""
    first, inner = " " * indent + "- ", "\n" + " " * (indent + 2)
    usual = (
        f"{first}id: ({_ID}){inner}class: (?:"
        f"locked_fixture{inner}artifact: ({_ARTIFACT}){inner}digest: (sha256:[0-9a-f]{{64}})"
        f"|property{inner}invariant: ({_TEXT}){inner}seeds: ({_PATH}/?)"
        f"|quarantine{inner}opened: ({_DATE}){inner}reason: ({_TEXT}){inner}owner: ({_TEXT})"
        f"|draft{inner}source: ({_TEXT}){inner}proposed_class: property{inner}invariant: ({_TEXT})"
        rf")\n(?! {{{indent + 2}}})"
    )
    return re.compile(usual)


@cache
def _general(indent: int) -> re.Pattern[str]:
    """Any row of one key a line whose dash stands in column `indent`, or else the lines without content before one."""
    inner = f" {{{indent + 2}}}"
    # The list is not possessive: early versions of Python 3.11 lose a match where one such repeat stands in another.
    field = rf"[a-z_]++:(?: {_LINE}|\n(?:{inner}(?:  )?- {_LINE})+)"
    return re.compile(rf"( {{{indent}}}- ){field}(?:{inner}{field}|{_GAP})*+|{_GAP}++")


# Rows in the usual shape by the text that they were read from, for each indent.
Known = dict[int, dict[str, Row]]


def scan(text: str, today: date, known: Known | None = None) -> dict[str, Row] | None:
    """The ledger's rows by id, or None for a file that the strict reader must judge.

    `known` are rows of other versions, read on the same day: those of the same text share their fields with them. It
    takes in the rows of this one.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if not text.endswith("\n"):
        text += "\n"
    start = _START.match(text) if is_safe(text) and PLACEHOLDER not in text else None
    if start is None:
        return None
    rows: dict[str, Row] = {}
    count = 0
    for row in _rows(text, start.end(), today, known):
        if row is None:
            return None
        rows[row.id] = row
        count += 1
    return rows if len(rows) == count else None


def _rows(text: str, at: int, today: date, known: Known | None) -> Iterator[Row | None]:
    """The rows from the offset `at` on; None, at last, where the text is not of the ordinary shape."""
    end, line, latest = len(text), text.count("\n", 0, at) + 1, today.isoformat()
    if at == end:
        return
    indent = text.index("-", at) - at
    usual, following, own = _usual(indent), f"\n{' ' * indent}- ", ""
    alike = None if known is None else known.setdefault(indent, {})
    while at < end:
        if alike is not None:
            own = text[at : text.find(following, at) + 1 or end]
            if (row := alike.get(own)) is not None:
                yield row if row.line == line else Row(row.id, row.class_, line, row.fields)
                line += len(row.fields)
                at += len(own)
                continue
        found = usual.match(text, at)
        if found is not None and (found.lastindex != _QUARANTINE or found[_OPENED] <= latest):
            row = _usual_row(found, line)
            line += len(row.fields)
            if alike is not None and found.end() == at + len(own):
                alike[own] = row
            at = found.end()
            yield row
            continue
        found = _general(indent).match(text, at)
        if found is None:
            yield None
            return
        if found[1]:
            yield _general_row(found[0], line, today)
        line += found[0].count("\n")
        at = found.end()


def _usual_row(found: re.Match[str], line: int) -> Row:
    last, id_ = found.lastindex, found[1]
    fields: dict[str, Value]
    if last == _LOCKED:
        artifact, digest = found.group(2, 3)
        fields = {"id": id_, "class": "locked_fixture", "artifact": artifact, "digest": digest}
        return Row(id_, "locked_fixture", line, fields)
    if last == _PROPERTY:
        invariant, seeds = found.group(4, 5)
        return Row(id_, "property", line, {"id": id_, "class": "property", "invariant": invariant, "seeds": seeds})
    if last == _QUARANTINE:
        opened, reason, owner = found.group(6, 7, 8)
        fields = {"id": id_, "class": "quarantine", "opened": opened, "reason": reason, "owner": owner}
        return Row(id_, "quarantine", line, fields)
    source, invariant = found.group(9, 10)
    fields = {"id": id_, "class": "draft", "source": source, "proposed_class": "property", "invariant": invariant}
    return Row(id_, "draft", line, fields)


def _general_row(text: str, line: int, today: date) -> Row | None:
    fields = _fields(text.replace("-", " ", 1).split("\n"))
    id_, class_ = (fields or {}).get("id"), (fields or {}).get("class")
    if fields is None or not isinstance(id_, str) or not isinstance(class_, str):
        return None
    row = Row(id_, class_, line, fields)
    if not is_sound(fields, today.isoformat()) and row_problems(row, today, lambda _: line):
        return None
    return row


def _fields(lines: Iterable[str]) -> dict[str, Value] | None:
    """The fields of a row whose dash was blanked; None where a key stands twice."""
    fields: dict[str, Value] = {}
    key = ""
    for line in lines:
        content = line.strip(" ")
        if not content or content[0] == "#":
            continue
        if content.startswith("- "):
            fields[key] = (*fields[key], _scalar(content[2:]))
            continue
        key, _, value = content.partition(":")
        if key in fields:
            return None
        fields[key] = _scalar(value[1:]) if value else ()
    return fields


def _scalar(text: str) -> str:
    """The text of a scalar, without its quotes and the comment behind it. Inside its quotes stand no others."""
    if text[0] in "'\"":
        return text[1 : text.index(text[0], 1)]
    return text.partition(" #")[0].rstrip(" ")
