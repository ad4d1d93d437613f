"""Marks and names that the settings of the tests leave out: an old test that gets one does not run any more."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from ledgergate.guard.edits import LeftOut
from ledgergate.guard.loss import Loss
from ledgergate.guard.skips import pytestmarks
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import last_name, walk

_OPTION = r"-[mk]|--(?:markexpr|keyword)"
_LEFT_OUT = r"\bnot\s+(\w+)|\bnot\s*\(([\w\s]+)\)"
_WORDS = frozenset({"and", "or", "not"})


def what_is_left_out(options: str) -> LeftOut:
    """What pytest's options leave out, as in `-m "not slow and not (net or gui)"` and `-k "not slow"`."""
    found: dict[str, set[str]] = {"m": set(), "k": set()}
    for option, expression in _expressions(options):
        words = (word for pair in re.findall(_LEFT_OUT, expression) for one in pair for word in one.split())
        found[option] |= set(words) - _WORDS
    return LeftOut(frozenset(found["m"]), frozenset(one.lower() for one in found["k"]))


def _expressions(options: str) -> Iterator[tuple[str, str]]:
    """(`m` or `k`, expression) of each such option."""
    import shlex

    try:
        words = shlex.split(options)
    except ValueError:
        words = options.split()
    for word, following in zip(words, [*words[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        if re.fullmatch(_OPTION, name):
            yield name.lstrip("-")[0], value if equals else following
        elif name.startswith(("-m", "-k")):
            yield name[1], word[2:]


def word_left_out(suite: Suite, test: Test, words: frozenset[str]) -> str | None:
    """The word in the name of a test, its class or its file for which it is left out."""
    names = (test.node.name, *(one.name for one in test.classes), suite.path.rpartition("/")[2])
    return next((word for word in sorted(words) if any(word in name.lower() for name in names)), None)


def named_out(new: Suite, now: Test, word: str) -> Loss:
    """What is told of a test that got a name for which it is left out."""
    message, line = f"The settings of the tests leave out what has `{word}` in its name", now.node.lineno
    return Loss("skip-added", new.path, message, now.name, line, None, new.line(line), waits=True)


def left_out(old: Suite, new: Suite, tests: Mapping[str, tuple[Test, Test]], out: LeftOut) -> Iterator[Loss]:
    """The tests of a file that got a mark which is left out; `tests` gives what they were and are, by name."""
    for name, (was, now) in tests.items():
        known = _marks(old, was)
        for mark, line in _marks(new, now).items():
            if mark not in known and (mark in out.marks or any(word in mark.lower() for word in out.words)):
                message = f"The settings of the tests leave out what is marked `{mark}`"
                yield Loss("skip-added", new.path, message, name, line, None, new.line(line), waits=True)


def _marks(suite: Suite, test: Test) -> dict[str, int]:
    """The marks of a test, its classes, its file and the rows of its tables, with their lines."""
    found = [*test.node.decorator_list, *pytestmarks(suite.tree.body)]
    for one in suite.lineage(test.classes):
        found += [*one.decorator_list, *pytestmarks(one.body)]
    found = [suite.assigned.get(one.id, one) if isinstance(one, ast.Name) else one for one in found]
    parts = (part for one in found for part in walk(one))
    return {
        part.attr: part.lineno for part in parts if isinstance(part, ast.Attribute) and last_name(part.value) == "mark"
    }
