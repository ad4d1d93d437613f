"""How to go on, with the words that stand for something filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ledgergate.report.summary import SHORT
from ledgergate.values import Finding, display_path


def filled_remedy(findings: Sequence[Finding], base: str | None) -> str:
    """The remedy that the findings share; PATH, ID and BASE are filled in where there is just one that can be typed."""
    filled = findings[0].remedy
    for word, values in (
        ("PATH", {finding.path for finding in findings}),
        ("ID", {finding.subject for finding in findings}),
        ("BASE", {base and base[:SHORT]}),
    ):
        value = values.pop() if len(values) == 1 else None
        if value and display_path(value) == value:
            filled = _fill(filled, word, value)
    return filled


def _fill(remedy: str, word: str, value: str) -> str:
    from shlex import quote

    return re.sub(rf"\b{word}\b", lambda _: quote(value), remedy)
