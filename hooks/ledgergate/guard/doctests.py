"""Examples of doctest in docstrings and in documents: gone, skipped, or compared with less."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.bound_examples import Step, plain_source, rebound, sets_the_run
from ledgergate.guard.loss import Loss

_PROMPT = re.compile(r"^(?P<indent>\s*)>>> (?P<source>.*)$")
_OPTIONS = re.compile(r"#\s*doctest:\s*([^\n]*)")
_LOOSE = (
    "ELLIPSIS",
    "NORMALIZE_WHITESPACE",
    "IGNORE_EXCEPTION_DETAIL",
    "DONT_ACCEPT_TRUE_FOR_1",
    "NUMBER",
    "ALLOW_UNICODE",
)


class Example(NamedTuple):
    """One example: its source without options, what it has to print, the options that are switched on, its line."""

    source: str
    wanted: str
    options: frozenset[str]
    line: int


def changed_examples(path: str, old: bytes | None, new: bytes | None) -> Iterator[Loss]:
    """What examples lost. `path` is that of a file whose examples are run; one that goes with its file is told too."""
    texts = [(data or b"").decode("utf-8", "replace").splitlines() for data in (old, new)]
    before, after = examples(texts[0]), examples(texts[1])
    if before == after:
        return
    rest, gone = list(after), []
    for was in before:
        now = next((one for one in rest if one.source == was.source and one.wanted == was.wanted), None)
        now = now or next((one for one in rest if one.source == was.source), None)
        if now is None:
            gone.append(was)
            continue
        rest.remove(now)
        for rule, message, waits in _compared(was, now):
            shown = texts[1][now.line - 1].strip()
            yield Loss(rule, path, message, None, now.line, texts[0][was.line - 1].strip(), shown, waits)
    stay = {one.source for one in after}
    yield from _replaced(path, [one for one in gone if one.source not in stay], rest, texts[1])
    yield from _given_otherwise(path, texts)


def _replaced(path: str, gone: Sequence[Example], came: list[Example], lines: Sequence[str]) -> Iterator[Loss]:
    """Of the examples whose source is gone: those that others stand for now, and those that none does."""
    pairs, left = _paired([one for one in gone if one.wanted], [one for one in came if one.wanted])
    quiet, silent = ([one for one in some if not one.wanted] for some in (gone, came))
    if len(quiet) > len(silent):
        left += quiet
    if pairs:
        was, now = pairs[0]
        what = "prints the same" if was.wanted == now.wanted else "prints something else"
        message = f"Another example stands there now, and {what}{_more(pairs)}"
        shown = lines[now.line - 1].strip()
        yield Loss("expectation-changed", path, message, None, now.line, f">>> {was.source}", shown, waits=True)
    if left:
        message = f"An example is gone{_more(left)}"
        yield Loss("test-removed", path, message, None, None, f">>> {left[0].source}", waits=True)


def _paired(gone: list[Example], came: list[Example]) -> tuple[list[tuple[Example, Example]], list[Example]]:
    """Each example that is gone with one that came, if there are enough: the same in another format is none."""
    written = {(plain_source(one.source), one.wanted): one for one in came}
    same = {key: written[key] for one in gone if (key := (plain_source(one.source), one.wanted)) in written}
    gone = [one for one in gone if (plain_source(one.source), one.wanted) not in same]
    came = [one for one in came if one not in same.values()]
    pairs, left = [], []
    for was in gone:
        now = next((one for one in came if one.wanted == was.wanted), None)
        if now is None:
            left.append(was)
        else:
            came.remove(now)
            pairs.append((was, now))
    return [*pairs, *zip(left, came, strict=False)], left[len(came) :]


def _more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""


def _given_otherwise(path: str, texts: Sequence[Sequence[str]]) -> Iterator[Loss]:
    """The first example that gives a name of an old one another meaning, or that sets how output is compared."""
    before, after = (_steps(path, lines) for lines in texts)
    for name, step in rebound(before, after):
        message, shown = f"An example before the old ones gives `{name}` another meaning", texts[1][step.line - 1]
        yield Loss("expectation-changed", path, message, None, step.line, None, shown.strip(), waits=True)
        return
    known = {one.source for one in before}
    for step in after:
        if step.source not in known and sets_the_run(step.source):
            message, shown = "An example sets how output is printed or compared", texts[1][step.line - 1]
            yield Loss("outcome-tampered", path, message, None, step.line, None, shown.strip(), waits=True)
            return


def _steps(path: str, lines: Sequence[str]) -> list[Step]:
    """The examples with what they share their names with: their docstring, or the whole document."""
    quotes = [number for number, line in enumerate(lines, 1) if '"""' in line or "'''" in line]
    is_code = path.endswith((".py", ".pyi"))
    return [
        Step(plain_source(one.source), one.wanted, bisect(quotes, one.line) if is_code else 0, one.line)
        for one in examples(lines)
    ]


def examples(lines: Sequence[str]) -> list[Example]:
    """The examples of a text in their order."""
    found: list[Example] = []
    number = 0
    while number < len(lines):
        begun = _PROMPT.match(lines[number])
        number += 1
        if begun is None:
            continue
        indent, source, line = begun["indent"], [begun["source"]], number
        while number < len(lines) and re.match(rf"{re.escape(indent)}\.\.\.(?: |$)", lines[number]):
            source.append(lines[number][len(indent) + 4 :])
            number += 1
        wanted: list[str] = []
        while number < len(lines) and lines[number].strip() and not _ends(lines[number]):
            wanted.append(lines[number].removeprefix(indent).rstrip())
            number += 1
        text = "\n".join(source)
        options = frozenset(re.findall(r"\+(\w+)", " ".join(_OPTIONS.findall(text))))
        found.append(Example(_OPTIONS.sub("", text).rstrip(), "\n".join(wanted), options, line))
    return found


def _ends(line: str) -> bool:
    """Whether a line is none of what an example prints: the next one, or the end of the docstring or block."""
    bare = line.strip()
    return _PROMPT.match(line) is not None or bare in ('"""', "'''", "```") or bare.endswith(('"""', "'''"))


def _compared(was: Example, now: Example) -> Iterator[tuple[str, str, bool]]:
    if "SKIP" in now.options - was.options:
        yield "skip-added", "The example is skipped now", False
    loose = sorted((now.options - was.options).intersection(_LOOSE))
    if loose:
        waits = now.wanted == was.wanted and "..." not in now.wanted
        yield "assertion-weakened", f"Its output is compared with less care now ({loose[0]})", waits
    elif was.wanted and not now.wanted:
        yield "assertion-removed", "Nothing has to be printed any more", False
    elif was.wanted != now.wanted:
        if _is_hidden(was.wanted, now):
            yield "assertion-weakened", "Part of its output is left out now", False
        else:
            yield "expectation-changed", "Another output is wanted now", True


def _is_hidden(was: str, now: Example) -> bool:
    """Whether the output only differs by what `...` stands for now."""
    if "..." not in now.wanted or "ELLIPSIS" not in now.options:
        return False
    pattern = ".*".join(re.escape(one.strip()) for one in now.wanted.split("..."))
    return re.fullmatch(rf"\s*{pattern}\s*", was, re.DOTALL) is not None
