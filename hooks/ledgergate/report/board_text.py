"""The board for programs (`ledgergate-status.v1`, described by `status.schema.json`), as plain text, and as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import IO

from ledgergate.report.board import Board, Frozen, Quarantined
from ledgergate.report.escape import encodable
from ledgergate.report.json import finding_object
from ledgergate.report.summary import SHORT, counted
from ledgergate.report.text import findings_lines
from ledgergate.values import display_path, display_text

SCHEMA = "ledgergate-status.v1"
_MOST_LISTED = 10

Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def render_board_json(board: Board) -> str:
    """The board as one JSON object, all ASCII, ending in a line break."""
    document = {
        "schema": SCHEMA,
        "commit": board.commit,
        "tree": board.tree,
        "name": encodable(board.name),
        "rows": dict(board.rows),
        "goldens": {"files": board.goldens, "unclassified": [encodable(path) for path in board.unclassified_goldens]},
        "quarantine": [_quarantine_object(entry) for entry in board.quarantine],
        "freezes": [_freeze_object(entry) for entry in board.freezes],
        "unclassified_tests": None if board.unclassified_tests is None else [*map(encodable, board.unclassified_tests)],
        "findings": [finding_object(finding) for finding in board.findings],
    }
    return json.dumps(document, indent=2) + "\n"


def _quarantine_object(entry: Quarantined) -> dict[str, object]:
    texts = {name: encodable(getattr(entry, name)) for name in ("id", "owner", "opened", "reason")}
    return {**texts, "age_days": entry.age_days, "stale": entry.is_stale}


def _freeze_object(entry: Frozen) -> dict[str, object]:
    return {
        "id": encodable(entry.id),
        "case_id": encodable(entry.case_id),
        "lane": None if entry.lane is None else encodable(entry.lane),
        "owner": None if entry.owner is None else encodable(entry.owner),
        "expires_utc": _when(entry),
        "days_left": entry.days_left,
    }


def render_board_text(board: Board) -> str:
    """The board as lines of text, ending in a line break."""
    lines = [*_heading(board), ""]
    for title, columns, rows in _tables(board):
        lines += [title, *_aligned([columns, *rows]), ""]
    lines += [*_closing(board)]
    return "\n".join(lines) + "\n"


def print_board_tables(board: Board, stream: IO[str]) -> None:
    """The board as tables for a terminal."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for line in _heading(board):
        console.print(Text(line))
    for title, columns, rows in _tables(board):
        table = RichTable(title=Text(title), title_justify="left")
        for column in columns:
            table.add_column(Text(column), overflow="fold")
        for row in rows:
            is_late = row[-1] in ("stale", "expired")
            table.add_row(*map(Text, row), style="yellow" if is_late else None)
        console.print(table)
    for line in _closing(board):
        console.print(Text(line))


def _heading(board: Board) -> Iterator[str]:
    name = f"{display_text(board.name)}, " if board.name else ""
    yield f"{name}commit {board.commit[:SHORT]}"
    yield "rows: " + ", ".join(f"{number} {kind}" for kind, number in board.rows)
    yield f"goldens: {counted(board.goldens, 'file')}, {len(board.unclassified_goldens)} without a row"
    yield from _listed(map(display_path, board.unclassified_goldens), len(board.unclassified_goldens))
    if board.unclassified_tests is None:
        yield "tests without a row: not known (`ledgergate collect` says)"
    else:
        yield f"tests without a row: {len(board.unclassified_tests)}"
        yield from _listed(map(display_text, board.unclassified_tests), len(board.unclassified_tests))


def _tables(board: Board) -> Iterator[Table]:
    if board.quarantine:
        rows = [_quarantine_row(entry) for entry in board.quarantine]
        yield "quarantine, the oldest first", ("test", "owner", "since", "days", "reason", ""), rows
    if board.freezes:
        frozen = [_freeze_row(entry) for entry in board.freezes]
        yield "freezes, the first to end first", ("freeze", "case", "lane", "owner", "until", "days left", ""), frozen


def _quarantine_row(entry: Quarantined) -> tuple[str, ...]:
    texts = (entry.id, entry.owner, entry.opened, str(entry.age_days), entry.reason)
    return (*map(display_text, texts), "stale" if entry.is_stale else "")


def _freeze_row(entry: Frozen) -> tuple[str, ...]:
    texts = (entry.id, entry.case_id, entry.lane or "any", entry.owner or "", _when(entry), str(entry.days_left))
    return (*map(display_text, texts), "expired" if entry.days_left < 0 else "")


def _closing(board: Board) -> Iterator[str]:
    if board.findings:
        yield from findings_lines(board.findings, all_findings=False, colour=False, more="`ledgergate verify --all`")
        yield "ledgergate: UNSCORED: not all could be read, so something may be missing above"
    else:
        yield "ledgergate: the board counts and judges nothing; `ledgergate verify` does"


def _when(entry: Frozen) -> str:
    return entry.expires_utc.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _listed(names: Iterator[str], number: int) -> Iterator[str]:
    for count, name in enumerate(names):
        if count == _MOST_LISTED:
            yield f"  ... and {number - _MOST_LISTED} more"
            return
        yield f"  {name}"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield ("  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))).rstrip()
