"""Freezes into the freeze ledger's bytes and out of them, and its floors; no byte of anything else changes."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.freeze.strict_json import JsonError, read_json

Fields = Mapping[str, str | Sequence[str]]
_SPACE = re.compile(r"[ \t\r\n]*")
# Numbers stay texts: Python makes none of very long ones.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


class _Span(NamedTuple):
    start: int
    end: int


class _Document(NamedTuple):
    """A freeze ledger's text. `listed` is its list of freezes with the brackets, None where it has none."""

    text: str
    members: tuple[_Span, ...]
    listed: _Span | None
    freezes: tuple[_Span, ...]
    ids: tuple[str, ...]


def insert_freeze(data: bytes, fields: Fields) -> bytes:
    """The ledger with one more freeze, in the order that the ids there have and written as its neighbours are.

    `fields` hold texts and lists of texts. Raises `LedgergateError` where that cannot be done.
    """
    document = _scan(data)
    if document.listed is None:
        edited = _with_list(document, fields)
    elif not document.freezes:
        edited = _replaced(document.text, document.listed, _first(document, document.listed.start, fields))
    else:
        edited = _beside(document, fields)
    before, after = _freezes(data), _freezes(edited)
    if [freeze for freeze in after if freeze != fields] != before or fields not in after:
        raise _refusal()
    return _same_beside(data, edited)


def remove_freeze(data: bytes, identity: str) -> bytes:
    """The ledger without the one freeze that has this id. Raises `LedgergateError` where that cannot be done."""
    document = _scan(data)
    if document.listed is None or document.ids.count(identity) != 1:
        raise _refusal()
    place, freezes = document.ids.index(identity), document.freezes
    if len(freezes) == 1:
        edited = _replaced(document.text, document.listed, "[]")
    elif place + 1 < len(freezes):
        edited = _replaced(document.text, _Span(freezes[place].start, freezes[place + 1].start), "")
    else:
        edited = _replaced(document.text, _Span(freezes[place - 1].end, freezes[place].end), "")
    before = _freezes(data)
    if _freezes(edited) != [*before[:place], *before[place + 1 :]]:
        raise _refusal()
    return _same_beside(data, edited)


def set_floor(data: bytes, lane: str, floor: int) -> bytes:
    """The ledger with another floor of a lane that has one. Raises `LedgergateError` where that cannot be done."""
    _scan(data)
    text = data.decode("utf-8")
    listed = dict(_members(text, _top(text))).get("cardinality_floor")
    span = dict(_members(text, listed.start)).get(lane) if listed and text[listed.start] == "{" else None
    if span is None:
        raise _refusal()
    edited = _replaced(text, span, str(floor))
    old, new = _read(text), _read(edited)
    floors = old["cardinality_floor"]
    if not isinstance(floors, dict) or new != {**old, "cardinality_floor": {**floors, lane: str(floor)}}:
        raise _refusal()
    return edited.encode("utf-8")


def _scan(data: bytes) -> _Document:
    if not _read(data):
        raise _refusal()
    text = data.decode("utf-8")
    members = list(_members(text, _top(text)))
    listed = next((span for key, span in members if key == "freezes"), None)
    freezes = () if listed is None or text[listed.start] != "[" else tuple(_elements(text, listed.start))
    ids = tuple(_id_of(text, span) for span in freezes)
    return _Document(text, tuple(span for _, span in members), listed, freezes, ids)


def _top(text: str) -> int:
    return _skip(text, 1 if text.startswith("\ufeff") else 0)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def _elements(text: str, at: int) -> Iterator[_Span]:
    at = _skip(text, at + 1)
    while text[at] != "]":
        end = _DECODER.raw_decode(text, at)[1]
        yield _Span(at, end)
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at


def _members(text: str, at: int) -> Iterator[tuple[str, _Span]]:
    """(key, place of its value) of the object whose brace stands there."""
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        start = _skip(text, _skip(text, end) + 1)
        end = _DECODER.raw_decode(text, start)[1]
        yield key, _Span(start, end)
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at


def _id_of(text: str, span: _Span) -> str:
    found = _DECODER.raw_decode(text, span.start)[0]
    return str(found.get("id", "")) if isinstance(found, dict) else ""


def _beside(document: _Document, fields: Fields) -> str:
    """The text with the freeze between, before or behind those that are there."""
    text, freezes, ids = document.text, document.freezes, list(document.ids)
    new = str(fields["id"])
    if ids == sorted(ids):
        place = bisect(ids, new)
    elif ids == sorted(ids, reverse=True):
        place = sum(one > new for one in ids)
    else:
        place = len(ids)
    written = _like(text, freezes[max(place - 1, 0)], fields)
    between = _between(document)
    if place == 0:
        return _replaced(text, _Span(freezes[0].start, freezes[0].start), written + between)
    return _replaced(text, _Span(freezes[place - 1].end, freezes[place - 1].end), between + written)


def _between(document: _Document) -> str:
    """What stands between two freezes."""
    text, freezes = document.text, document.freezes
    if len(freezes) > 1:
        return text[freezes[0].end : freezes[1].start]
    before = text[document.listed.start + 1 : freezes[0].start] if document.listed else ""
    return f",{before or ' '}"


def _like(text: str, freeze: _Span, fields: Fields) -> str:
    """The freeze as text, with line breaks and indentation like the one at `freeze`."""
    one = text[freeze.start : freeze.end]
    opened = re.match(r"\{[ \t]*(\r?\n)([ \t]*)", one)
    if opened is None:
        return _written(fields)
    closed = one.rpartition("\n")[2].removesuffix("}")
    return _lines(fields, opened[1], opened[2], closed)


def _first(document: _Document, at: int, fields: Fields) -> str:
    """A list with the freeze alone, indented as the line is on which it begins."""
    line = document.text[document.text.rfind("\n", 0, at) + 1 : at]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    if not indent or "\n" not in document.text:
        return f"[{_written(fields)}]"
    end = "\r\n" if "\r\n" in document.text else "\n"
    return f"[{end}{indent * 2}{_lines(fields, end, indent * 3, indent * 2)}{end}{indent}]"


def _with_list(document: _Document, fields: Fields) -> str:
    """The text with a list of freezes as the last member of its object."""
    text, last = document.text, document.members[-1]
    opening = text.index("{") + 1
    gap = text[opening : _skip(text, opening)]
    listed = _first(document, last.start, fields)
    return _replaced(text, _Span(last.end, last.end), f',{gap or " "}"freezes": {listed}')


def _lines(fields: Fields, end: str, inner: str, outer: str) -> str:
    members = f",{end}".join(f"{inner}{_written(key)}: {_written(value)}" for key, value in fields.items())
    return f"{{{end}{members}{end}{outer}}}"


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _replaced(text: str, span: _Span, by: str) -> str:
    return text[: span.start] + by + text[span.end :]


def _freezes(written: bytes | str) -> list[object]:
    found = _read(written).get("freezes", [])
    return found if isinstance(found, list) else []


def _same_beside(before: bytes, after: str) -> bytes:
    """The bytes of the new text, where all but the freezes reads as it did."""
    old, new = ({key: value for key, value in _read(text).items() if key != "freezes"} for text in (before, after))
    if old != new:
        raise _refusal()
    return after.encode("utf-8")


def _read(written: bytes | str) -> Mapping[str, object]:
    try:
        found = read_json(written if isinstance(written, bytes) else written.encode("utf-8"))
    except (JsonError, UnicodeEncodeError) as error:
        raise _refusal() from error
    return found if isinstance(found, dict) else {}


def _refusal() -> LedgergateError:
    return LedgergateError(
        "freeze-unreadable",
        "it is written in a way that cannot be edited without touching more than what is meant; nothing was written",
        remedy="Human: edit it by hand.",
    )
