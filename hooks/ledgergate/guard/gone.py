"""Tests that are not where they were: moved, renamed, merged into others, or gone."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from ledgergate.guard.change import MOST_CANDIDATES, Candidate, Change
from ledgergate.guard.files import File, is_in_passed_folder, is_named_like_tests
from ledgergate.guard.left_out import named_out
from ledgergate.guard.loss import Loss
from ledgergate.guard.pairs import lost_in_test
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.terms import names
from ledgergate.source.syntax import last_name, walk

# How much it counts that two texts are alike.
_ALIKE = 5


def gone(change: Change, file: File, old: Suite, test: Test) -> Iterator[Loss]:
    """A test that is not where it was: it may have moved, been renamed, or been merged into others."""
    before = change.sides.reading("old", old, test)
    if before is not None:
        facts = {fact.key for fact in before.facts if fact.strength}
        if facts and facts <= change.asked:
            return
        if any(suite.body(one.node) == old.body(test.node) for suite, one in _kept(change, old.path, test)):
            return
        out = _named_out(change, old, test, before)
        if out is not None:
            yield out
            return
        successor = _successor(change, old, test)
        if successor is not None:
            yield from lost_in_test(change, old, test, *successor)
            return
    words = frozenset() if before is None else _words_of(before, test)
    waits = not words.isdisjoint(change.vanished)
    kept = file.new is not None and any(one.name == test.name for one in file.new.tests)
    message = "The test is not collected any more" if kept else "The test is gone"
    if waits:
        message += ", and so is something in production that it calls"
    # What runners do not usually look into may be named in their settings, or hold no tests at all.
    waits = waits or not file.is_named_like_tests
    yield Loss("test-removed", file.path, message, test.name, None, old.line(test.node.lineno), None, waits)


def _successor(change: Change, old: Suite, test: Test) -> tuple[Suite, Test] | None:
    """The added test that most likely was this one before."""
    same = change.candidates_by_body.get(old.body(test.node))
    if same is not None:
        return same.suite, same.test
    was = change.candidate("old", old, test)
    best: tuple[int, Candidate | None] = (0, None)
    for one in change.candidates:
        score = 10 * len(was.keys & one.keys)
        is_same_file = one.suite.path == old.path
        score += _shared_words(was, one, is_same_file=is_same_file)
        score += 3 if is_same_file and was.place == one.place else 0
        score += 4 if not score and not was.tables.isdisjoint(one.tables) else 0
        # Texts are compared only where that could matter.
        if is_same_file and score + _ALIKE > best[0] and _is_alike(was, one):
            score += _ALIKE
        if score > best[0]:
            best = (score, one)
    return None if best[1] is None else (best[1].suite, best[1].test)


def _named_out(change: Change, old: Suite, test: Test, before: Reading) -> Loss | None:
    """What is told where a test is one now that asks some of the same, and that the settings leave out by name."""
    if not change.left_out.words or change.word_left_out(old, test):
        return None
    for suite, added in change.added[:MOST_CANDIDATES]:
        word = change.word_left_out(suite, added)
        after = change.sides.reading("new", suite, added) if word else None
        is_same = after is not None and not before.keys.isdisjoint(after.keys)
        if word and (is_same or suite.body(added.node) == old.body(test.node)):
            return named_out(suite, added, word)
    return None


def _kept(change: Change, path: str, test: Test) -> Iterator[tuple[Suite, Test]]:
    """The tests of that name in other files of the new side, and all that stay in its own."""
    own = next((one for one in change.files if one.path == path), None)
    if own is not None and own.new is not None:
        yield from ((own.new, one) for name, one in own.new_tests.items() if name in own.old_tests)
    for place, data in change.around.defining(test.node.name):
        is_passed = is_in_passed_folder(place) or not change.around.is_looked_into(place)
        is_other = place != path and is_named_like_tests(place) and not is_passed
        suite = change.sides.suite("new", place, data) if is_other else None
        if isinstance(suite, Suite):
            yield from ((suite, one) for one in suite.tests if one.name == test.name and one.is_collected)


def _words_of(reading: Reading, test: Test) -> frozenset[str]:
    """What it looks at; of a test without checks, what it calls, and hands on to be called."""
    found = frozenset(word for fact in reading.facts for word in names(fact.whole))
    if any(fact.strength for fact in reading.facts):
        return found
    calls = [one for part in test.node.body for one in walk(part) if isinstance(one, ast.Call)]
    return found.union(*(map(last_name, (one.func, *one.args)) for one in calls))


def _shared_words(one: Candidate, other: Candidate, *, is_same_file: bool) -> int:
    """How alike two tests are called: 4 where the words of their names are mostly the same, in one file."""
    number = len(one.words & other.words)
    shared = number / max(1, len(one.words) + len(other.words) - number)
    return 4 if shared == 1 or (shared >= 0.5 and is_same_file) else 0


def _is_alike(one: Candidate, other: Candidate) -> bool:
    if not (_overlap(one.parts, other.parts) > 0.6 and _overlap(one.letters, other.letters) > 0.8):
        return False
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one.text.split(), other.text.split(), autojunk=False).ratio() > 0.6


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    """How much of two texts is the same in whatever order: no less than what is the same in order."""
    common = sum(min(other[part], number) for part, number in one.items() if part in other)
    return 2 * common / ((one.total() + other.total()) or 1)
