"""From a ledger file's bytes to its rows and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ledgergate.ledger.rows import Ledger, Problem, Row
from ledgergate.ledger.scan import Known, scan
from ledgergate.ledger.text import Unreadable, check_text, decode

# Saying what is wrong costs far more than seeing that something is.
_MOST_PROBLEMS = 1000


def read_ledger(path: str, data: bytes, *, today: date, known: Known | None = None) -> Ledger:
    """Read the ledger at the git path `path`, whose bytes are `data`.

    Whatever is wrong with the file is in the ledger's `problems`: `ledger-unreadable` for the file as a whole,
    `row-invalid`, `artifact-outside` or `row-duplicate` for a row. `today` is the last date that is not in the future.
    `known` is for who reads many versions on one day: see `scan`.

    Raises `LedgergateError` where PyYAML was built without libyaml, as the file could then not be judged at all.
    """
    try:
        text = decode(data)
        rows = scan(text, today, known)
        if rows is not None:
            return Ledger(path, tuple(rows.values()), rows, ())
        return read_strictly(path, text, today)
    except Unreadable as fault:
        return Ledger(path, (), {}, (Problem("ledger-unreadable", fault.line, None, fault.message, fault.remedy),))


def read_strictly(path: str, text: str, today: date) -> Ledger:
    """The ledger from YAML's event stream: slower than `scan`, and able to say what is wrong. Raises `Unreadable`."""
    # PyYAML is slow to import and most ledgers never need it.
    from ledgergate.ledger.events import walk
    from ledgergate.ledger.usual import is_sound
    from ledgergate.ledger.validate import row_problems

    check_text(text)
    latest = today.isoformat()
    by_id: dict[str, Row] = {}
    problems: list[Problem] = []
    for raw in walk(text):
        if len(problems) >= _MOST_PROBLEMS:
            return Ledger(path, (), {}, (*problems, _too_many(raw.line, text)))
        row = Row.of(raw.fields, raw.line)
        if raw.faults or not is_sound(row.fields, latest):
            problems += _structural_problems(row, raw.faults)
            problems += row_problems(row, today, raw.field_line)
        first = by_id.setdefault(row.id, row) if row.id else row
        if first is not row:
            problems.append(_duplicate(first, row))
    return Ledger(path, tuple(by_id.values()), by_id, tuple(problems))


def _too_many(line: int, text: str) -> Problem:
    return Problem(
        "ledger-unreadable",
        line,
        None,
        f"more than {_MOST_PROBLEMS:,} problems stand before line {line:,} of {text.count(chr(10)):,}, and from there "
        "on nothing was read",
        "Correct what is listed first; where every row has the same fault, correct it in all of them.",
    )


def _structural_problems(row: Row, faults: Sequence[tuple[int, str]]) -> list[Problem]:
    return [Problem("row-invalid", line, row.id or None, message) for line, message in faults]


def _duplicate(first: Row, second: Row) -> Problem:
    return Problem(
        "row-duplicate",
        second.line,
        second.id,
        f"lines {first.line} and {second.line} hold a row for the same id",
        _one_row(first, second),
    )


def _one_row(first: Row, second: Row) -> str:
    paths = (*first.artifacts, *second.artifacts)
    if {first.class_, second.class_} == {"locked_fixture"} and len(set(paths)) == len(paths):
        return (
            f"An id has one row: let it list all of its goldens, `artifact: [{', '.join(paths)}]`, and their digests."
        )
    return "An id has one row: remove one of the two."
