"""A diff of two texts that fits a screen: long ones cut, and long lines around the place where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile, zip_longest
from shlex import quote

from ledgergate.git.patch import text_patch
from ledgergate.report.summary import counted
from ledgergate.values import display_text

_WIDTH = 160
_LEAD = 40


def excerpt(path: str, old: bytes | None, new: bytes | None, longest: int | None) -> Iterator[str]:
    """The unified diff as at most `longest` printable lines, and one that counts the rest; None: all of it."""
    lines = [line.decode("utf-8", "replace") for line in text_patch(old or b"", new or b"")]
    if longest is None:
        yield from map(display_text, lines)
        return
    yield from map(display_text, _narrowed(lines[:longest]))
    if len(lines) > longest:
        see = f"; `git diff HEAD -- {quote(path)}` shows them" if old is not None else ""
        yield f"... and {counted(len(lines) - longest, 'more line')}{see}"


def _narrowed(lines: Sequence[str]) -> Iterator[str]:
    """The lines, each wide one cut down to where it differs from its counterpart."""
    runs = [(sign, list(run)) for sign, run in groupby(lines, key=lambda line: line[:1])]
    nothing: tuple[str, list[str]] = ("", [])
    for before, (sign, run), after in zip([nothing, *runs], runs, [*runs[1:], nothing], strict=False):
        partners = after if sign == "-" else before
        partnered = partners[1] if {sign, partners[0]} == {"-", "+"} else []
        for line, partner in zip_longest(run, partnered[: len(run)], fillvalue=""):
            yield _cut(line, partner)


def _cut(line: str, partner: str) -> str:
    if len(line) <= _WIDTH:
        return line
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(line[1:], partner[1:], strict=False)))
    start = max(1, same + 1 - _LEAD) if same > _WIDTH - _LEAD else 1
    end = start + _WIDTH
    return f"{line[0]}{'...' if start > 1 else ''}{line[start:end]}{'...' if end < len(line) else ''}"
