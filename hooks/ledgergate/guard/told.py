"""How the lost checks of a test are told: alike ones together, beside what the test asks anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledgergate.guard.assertions import LostFact
from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite, Test

_MOST_SHOWN = 5


def told(new: Suite, now: Test, lost: Sequence[LostFact], gained: Sequence[int] = ()) -> Iterator[Loss]:
    """The lost facts of one test, alike ones together; `gained` are the lines of checks that came beside."""
    groups: dict[tuple[str, str, bool], list[LostFact]] = {}
    for one in lost:
        groups.setdefault((one.verdict.rule, one.verdict.message, one.verdict.waits), []).append(one)
    for (rule, message, waits), members in groups.items():
        first = members[0]
        lines = {one.fact.line for one in members}
        more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
        if gained:
            came = ", ".join(map(str, gained[:_MOST_SHOWN]))
            more += f"; what it asks beside that is new: line {came}" + (", ..." if len(gained) > _MOST_SHOWN else "")
        line = first.line if first.line is not None else now.node.lineno
        shown = new.line(first.line) if first.line is not None else None
        yield Loss(rule, new.path, message + more, now.name, line, first.fact.text, shown, waits)
