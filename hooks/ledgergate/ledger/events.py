"""The rows of a ledger from the event stream of PyYAML's C parser: line numbers, and texts as they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from ledgergate.errors import LedgergateError
from ledgergate.ledger.rows import Value
from ledgergate.ledger.text import Unreadable

# Deeper than anything that a ledger holds; libyaml's time grows with the square of the depth.
_MAX_DEPTH = 32
_STARTS = (MappingStartEvent, SequenceStartEvent)
_ENDS = (MappingEndEvent, SequenceEndEvent)
_NO_MAPPING = "a row is a mapping that begins with `id:`"
_QUOTE = "Texts that hold `: ` or ` #`, or begin with a character like [ { * & @ ` !, must stand in single quotes."

# Events carry no type that mypy could follow through libyaml's binding.
Event = Any
Next = Callable[[], Event]


class RawRow(NamedTuple):
    """One row as the file holds it, judged by no rule yet.

    `keys` and `values` hold the events behind `fields` (for a list: the one that begins it, then its items', then the
    one that ends it); `faults` are what keeps the row from being a mapping of texts and lists of texts, as pairs of a
    line and a message. `flow`: it stands inside braces. `start` and `end` are the events around it, and `rows` is the
    one that begins the list of rows.
    """

    line: int
    fields: dict[str, Value]
    keys: dict[str, Event]
    values: dict[str, Event]
    faults: list[tuple[int, str]]
    flow: bool
    start: Event
    end: Event
    rows: Event

    def field_line(self, field: str) -> int:
        """The line of the field's key, or the row's own where the row has no such field."""
        key = self.keys.get(field)
        return self.line if key is None else _line(key)


def walk(text: str) -> Iterator[RawRow]:
    """The rows in the file's order.

    Raises `Unreadable` for what is no ledger of version 1, on or before the last row, and `LedgergateError` where
    PyYAML has no libyaml.
    """
    try:
        from yaml._yaml import CParser
    except ImportError:
        remedy = "Install a PyYAML that was built with libyaml (its wheels are)."
        raise LedgergateError("ledger-unreadable", "PyYAML lacks libyaml here", remedy=remedy) from None
    get: Next = CParser(text).get_event
    try:
        get()
        yield from _document(get)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unreadable(mark.line + 1 if mark else 1, f"no valid YAML: {_reason(error)}", _QUOTE) from None
    except yaml.YAMLError as error:
        raise Unreadable(1, f"no valid YAML: {error}") from None


def _reason(error: yaml.MarkedYAMLError) -> str:
    if not error.context:
        return str(error.problem)
    start = error.context_mark
    where = f" that begins in line {start.line + 1}" if start else ""
    return f"{error.context}{where}, {error.problem}"


def _document(get: Next) -> Iterator[RawRow]:
    start = get()
    if type(start) is not DocumentStartEvent:
        raise Unreadable(1, "the file is empty", "A ledger begins with `version: 1` and `rows:`.")
    if start.version or start.tags:
        raise Unreadable(_line(start), "a ledger has no YAML directives", "Remove the line that begins with %.")
    top = _plain(get())
    if type(top) is not MappingStartEvent:
        raise Unreadable(_line(top), "a ledger is a mapping with the keys `version` and `rows`")
    yield from _top_level(get, _line(top))
    get()
    following = get()
    if type(following) is not StreamEndEvent:
        raise Unreadable(_line(following), "a second document begins here", "A ledger is one document: join the two.")


def _top_level(get: Next, first_line: int) -> Iterator[RawRow]:
    seen: dict[str, int] = {}
    while type(key := _plain(get())) is not MappingEndEvent:
        if type(key) is not ScalarEvent or key.value not in ("version", "rows"):
            shown = f"`{key.value}`" if type(key) is ScalarEvent else "a list or mapping"
            raise Unreadable(_line(key), f"{shown} is no key of a ledger", "Its keys are `version` and `rows`.")
        if key.value in seen:
            raise Unreadable(_line(key), f"`{key.value}` stands in lines {seen[key.value]} and {_line(key)}")
        seen[key.value] = _line(key)
        if key.value == "version":
            _version(_plain(get()))
        else:
            yield from _rows(get, _plain(get()))
    for name in ("version", "rows"):
        if name not in seen:
            remedy = "A ledger without rows says `rows: []`." if name == "rows" else "Begin the file with `version: 1`."
            raise Unreadable(first_line, f"the ledger has no `{name}`", remedy)


def empty_list(text: str) -> tuple[int, int, bool]:
    """Where the brackets of a ledger without rows stand (their characters), and whether all of it is inside braces.

    For the text of a ledger that can be read.
    """
    from yaml._yaml import CParser

    parser = CParser(text)
    events: list[Event] = list(iter(parser.get_event, None))
    start, end = next(pair for pair in pairwise(events) if type(pair[0]) is SequenceStartEvent)
    top = next(event for event in events if type(event) is MappingStartEvent)
    return start.start_mark.index, end.end_mark.index, bool(top.flow_style)


def _version(value: Event) -> None:
    if type(value) is not ScalarEvent or value.value != "1":
        shown = repr(value.value) if type(value) is ScalarEvent else "a list or mapping"
        raise Unreadable(_line(value), f"the version is {shown}, and this ledgergate reads version 1 only")


def _rows(get: Next, start: Event) -> Iterator[RawRow]:
    if type(start) is not SequenceStartEvent:
        raise Unreadable(_line(start), "`rows` is no list", "A ledger without rows says `rows: []`.")
    while True:
        event = _plain(get())
        kind = type(event)
        if kind is MappingStartEvent:
            yield _row(get, event, start)
        elif kind is SequenceEndEvent:
            return
        else:
            _skip(get, event)
            yield RawRow(_line(event), {}, {}, {}, [(_line(event), _NO_MAPPING)], False, event, event, start)


_KEEP_ONE = " (left by a merge: keep one of them, then `ledgergate relock --staged`)"


def _row(get: Next, start: Event, rows: Event) -> RawRow:
    row = RawRow(_line(start), {}, {}, {}, [], bool(start.flow_style), start, start, rows)
    _, fields, keys, values, faults, *_ = row
    while type(key := get()) is ScalarEvent:
        name, value = key.value, get()
        if key.anchor or key.tag or value.anchor or type(value) is not ScalarEvent or value.tag:
            _plain(key)
            _plain(value)
        if name in fields or name in keys:
            text = f"`{name}` stands twice, in lines {_line(keys[name])} and {_line(key)}"
            faults.append((_line(key), text + (_KEEP_ONE if name == "digest" else "")))
        keys.setdefault(name, key)
        if type(value) is ScalarEvent:
            fields.setdefault(name, value.value)
            values.setdefault(name, value)
        else:
            _collection(get, row, name, value)
    if type(key) is not MappingEndEvent:
        raise Unreadable(_line(_plain(key)), "a key of a row is a name", _QUOTE)
    return row._replace(end=key)


def _collection(get: Next, row: RawRow, name: str, start: Event) -> None:
    if type(start) is not SequenceStartEvent:
        _skip(get, start)
        row.faults.append((_line(start), f"`{name}` holds a mapping"))
        return
    items: list[Event] = []
    while type(item := _plain(get())) is ScalarEvent:
        items.append(item)
    while type(item) is not SequenceEndEvent:
        if type(item) is not ScalarEvent:
            _skip(get, item)
            row.faults.append((_line(item), f"`{name}` holds a list or mapping inside a list"))
        item = _plain(get())
    row.fields.setdefault(name, tuple(item.value for item in items))
    row.values.setdefault(name, [start, *items, item])


def _skip(get: Next, event: Event) -> None:
    """Read past the collection that begins with `event`; a scalar needs nothing."""
    depth = 1 if type(event) in _STARTS else 0
    while depth:
        event = _plain(get())
        depth += (type(event) in _STARTS) - (type(event) in _ENDS)
        if depth > _MAX_DEPTH:
            raise Unreadable(_line(event), "lists and mappings are nested too deeply")


def _plain(event: Event) -> Event:
    """The event, unless it uses what a ledger does without: aliases, anchors, tags."""
    if type(event) is AliasEvent:
        raise Unreadable(_line(event), f"an alias (*{event.anchor}) stands here", f"Write the text out. {_QUOTE}")
    if getattr(event, "anchor", None):
        raise Unreadable(_line(event), f"an anchor (&{event.anchor}) stands here", f"Remove it. {_QUOTE}")
    if getattr(event, "tag", None) is not None:
        raise Unreadable(_line(event), f"a tag ({event.tag}) stands here", f"Remove it. {_QUOTE}")
    return event


def _line(event: Event) -> int:
    return int(event.start_mark.line) + 1
