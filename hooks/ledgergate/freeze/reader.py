"""`tests/freeze_ledger.json` -> `FreezeLedger`, with every problem that it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from ledgergate.freeze import rules
from ledgergate.freeze.model import SCHEMA, Freeze, FreezeLedger, Problem, Settings
from ledgergate.freeze.strict_json import JsonError, read_json
from ledgergate.freeze.timestamps import read_timestamp

LineOf = Callable[[str], int | None]


def read_freeze_ledger(path: str, data: bytes, *, remote_lanes: frozenset[str]) -> FreezeLedger:
    """The freeze ledger that the bytes of the file at `path` hold. Never raises: what is wrong stands in `problems`.

    A file that is no JSON object of schema `freeze-ledger.v1` has one problem, `freeze-unreadable`, and says nothing
    else. Any other problem is `freeze-invalid`. `remote_lanes` are the lanes that must not be required.
    """
    try:
        document = _document(read_json(data))
    except JsonError as error:
        problem = Problem("freeze-unreadable", error.line, None, error.message)
        return FreezeLedger(path, None, (), (problem,))
    line_of = _line_finder(data)
    entries = document.get("freezes", [])
    mappings = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
    settings = _settings(document)
    freezes = tuple(_freeze(mapping, line_of) for mapping in mappings)
    problems = (
        *rules.settings_problems(document, remote_lanes),
        *(problem for freeze in freezes for problem in rules.freeze_problems(freeze, settings)),
        *rules.duplicate_problems(freezes),
    )
    return FreezeLedger(path, settings, freezes, problems)


def _document(document: object) -> Mapping[str, object]:
    if not isinstance(document, dict):
        raise JsonError("it is no JSON object")
    schema = document.get("schema")
    if schema != SCHEMA:
        said = "has no `schema`" if schema is None else f"has the schema {schema}"
        raise JsonError(f'it {said}, and this version of ledgergate reads "{SCHEMA}"')
    return document


def _settings(document: Mapping[str, object]) -> Settings:
    fields = {key: value for key, value in document.items() if key != "freezes"}
    floors = document.get("cardinality_floor")
    counts = floors.items() if isinstance(floors, dict) else ()
    return Settings(
        required_lanes=rules.texts(fields.get("required_lanes")),
        optional_lanes=rules.texts(fields.get("optional_lanes")),
        floors={lane: count for lane, value in counts if (count := rules.count(value)) is not None},
        fields=fields,
    )


def _freeze(fields: Mapping[str, object], line_of: LineOf) -> Freeze:
    written = rules.text(fields.get("id")) or ""
    identity = written if written.strip() else ""
    return Freeze(
        id=identity,
        signature=rules.text(fields.get("signature")) or "",
        path=rules.text(fields.get("path")) or "",
        case_id=rules.text(fields.get("case_id")) or "",
        lane=rules.text(fields.get("lane")),
        fixtures=rules.texts(fields.get("fixtures")),
        reason=rules.text(fields.get("reason")) or "",
        expires_utc=_expiry(fields),
        owner=rules.text(fields.get("owner")),
        assertion=rules.text(fields.get("assertion")),
        line=line_of(identity),
        fields=fields,
    )


def _expiry(fields: Mapping[str, object]) -> datetime | None:
    try:
        return read_timestamp(rules.text(fields.get("expires_utc")) or "")
    except ValueError:
        return None


def _line_finder(data: bytes) -> LineOf:
    """Where a freeze's id stands. Python's reader keeps no positions, and an escaped id is simply not found."""
    text = data.decode("utf-8")
    lines = {found[1]: text.count("\n", 0, found.start()) + 1 for found in _ids(text)}
    return lines.get


def _ids(text: str) -> Iterator[re.Match[str]]:
    return re.finditer(r'"id"\s*:\s*"([^"\\]*)"', text)
