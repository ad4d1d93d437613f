"""Which tests that count as evidence were skipped by a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledgergate.evidence.junit import JUnitReport, Name, Outcome
from ledgergate.evidence.names import Names
from ledgergate.ledger import Row

_EVIDENCE_CLASSES = ("locked_fixture", "property")


def skipped_ids(rows: Iterable[Row], reports: Iterable[JUnitReport]) -> Iterator[str]:
    """The ids of tests that every report which has them skipped.

    That is the row's id where all of its cases were skipped, and else the exact ids of those cases.
    """
    names = Names(rows)
    seen: dict[str, dict[str, set[Outcome]]] = {}
    for report in reports:
        for name, result in report.cases.items():
            row = names.row_of(name)
            if isinstance(row, Row) and row.class_ in _EVIDENCE_CLASSES:
                seen.setdefault(row.id, {}).setdefault(_case(row, name), set()).add(result.outcome)
    for id_, cases in sorted(seen.items()):
        skipped = [case for case, outcomes in cases.items() if outcomes == {Outcome.SKIPPED}]
        yield from [id_] if len(skipped) == len(cases) else skipped


def _case(row: Row, name: Name) -> str:
    _, bracket, parameters = name.name.partition("[")
    return name.nodeid or (row.id if "[" in row.id else f"{row.id}{bracket}{parameters}")
