"""Compares the tests of a change, old and new, and says what was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from ledgergate.guard.assertions import LostFact, lost_facts
from ledgergate.guard.collected import changed_collection
from ledgergate.guard.edits import Around, Edit, LeftOut
from ledgergate.guard.facts import Fact
from ledgergate.guard.files import File, Key, Sides, is_in_passed_folder, is_named_like_tests
from ledgergate.guard.handled import changed_before_checks
from ledgergate.guard.handlers import broadened_handlers
from ledgergate.guard.held_to import changed_bases, changed_fakes, changed_values
from ledgergate.guard.left_out import left_out, named_out, word_left_out
from ledgergate.guard.looped import only_in_loops
from ledgergate.guard.loss import Loss
from ledgergate.guard.never_run import not_run
from ledgergate.guard.outcomes import tampered_outcomes
from ledgergate.guard.paths import other_modules
from ledgergate.guard.raising import raised_by_others
from ledgergate.guard.reached import reached_run
from ledgergate.guard.reading import Reading
from ledgergate.guard.set_ups import changed_set_ups
from ledgergate.guard.skips import added_everywhere, added_skips
from ledgergate.guard.subjects import patched_in_fixtures, replaced_subjects, shadowed_subjects
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.tables import chosen_rows, tables_of
from ledgergate.guard.terms import calls, names
from ledgergate.guard.touched import touched_tests
from ledgergate.source.collector import without_cyclic_collection
from ledgergate.source.text import Unreadable

_REMOVED = frozenset({"assertion-removed", "assertion-weakened", "assertion-tautology", "expectation-changed"})
_CHANGED = frozenset({"assertion-removed", "assertion-weakened", "expectation-changed"})
_MOST_CANDIDATES = 200
_MOST_SHOWN = 5


def compare(edits: Iterable[Edit], around: Around | None = None) -> list[Loss]:
    """What a change took away from its tests, file by file. `edits` are the Python files below the tests."""
    with without_cyclic_collection():
        # In a function of its own, so that its trees are gone before the collector comes back.
        return _compare(edits, around or Around())


def _compare(edits: Iterable[Edit], around: Around) -> list[Loss]:
    sides = Sides(around)
    change = _Change([File(edit, sides) for edit in edits], sides, around)
    return [loss for file in change.files for loss in _bounded(change, file)]


def _bounded(change: _Change, file: File) -> Iterator[Loss]:
    """The losses of one file; what is nested too deeply to be followed waits for a human."""
    try:
        yield from change.losses(file)
    except RecursionError:
        yield Loss("test-removed", file.path, "Nobody can say what it holds: it is nested too deeply", waits=True)


class _Change:
    def __init__(self, files: Sequence[File], sides: Sides, around: Around) -> None:
        self.files = files
        self._sides = sides
        self._around = around
        self._touched: dict[str, frozenset[str]] = {}

    def losses(self, file: File) -> Iterator[Loss]:
        if isinstance(file.now, Unreadable):
            if file.is_named_like_tests or file.is_conftest or file.old is not None:
                yield Loss("test-removed", file.path, f"Nobody can say what it holds: {file.now.message}", waits=True)
            return
        replaced: set[str] = set()
        if file.new is not None:
            yield from self._of_the_file(file, file.new, replaced)
        if file.old is None:
            return
        for name, test in file.old_tests.items():
            if name not in file.new_tests:
                yield from self._gone(file, file.old, test)
            elif file.new is not None and name in self._touched_in(file):
                yield from self._pair(file.old, test, file.new, file.new_tests[name], replaced)

    def _of_the_file(self, file: File, new: Suite, replaced: set[str]) -> Iterator[Loss]:
        """What concerns no test alone; `replaced` takes in the names that stand for something else now."""
        yield from tampered_outcomes(file.old, new)
        yield from reached_run(file.old, new)
        yield from changed_collection(file.old, new)
        yield from other_modules(file.old, new)
        yield from changed_set_ups(file.old, new, self._around.is_own)
        if new.mentions("_profile"):
            from ledgergate.guard.drawn import changed_profiles

            yield from changed_profiles(file.old, new)
        if file.is_conftest or file.name == "__init__.py":
            yield from patched_in_fixtures(file.old, new, self._around)
        if file.old is not None:
            for name, loss in shadowed_subjects(file.old, new, lambda origin: self._sides.is_of_tests(new, origin)):
                replaced.add(name)
                yield loss._replace(waits=loss.waits or name in self._around_vanished)
            yield from added_everywhere(file.old, new, self._around.is_own)
            if new.mentions("mark.") and any(self._left_out):
                both = {
                    name: (was, file.new_tests[name]) for name, was in file.old_tests.items() if name in file.new_tests
                }
                yield from left_out(file.old, new, both, self._left_out)
            yield from self._helpers(file.old, new, file)
            yield from changed_fakes(file.old, new)
            if file.old.mentions("hypothesis") and (file.is_conftest or not file.is_named_like_tests):
                from ledgergate.guard.drawn import changed_strategies

                yield from changed_strategies(file.old, new)
            if file.old.mentions("StateMachine"):
                yield from self._steps(file.old, new)

    # -- tests ---------------------------------------------------------------------------------------------------------

    def _pair(self, old: Suite, was: Test, new: Suite, now: Test, replaced: Iterable[str] = ()) -> Iterator[Loss]:
        """What one test lost."""
        before, after = self._sides.reading("old", old, was), self._sides.reading("new", new, now)
        if before is None or after is None:
            message = "It is too large, or nested too deeply, to be compared"
            yield Loss("assertion-removed", new.path, message, now.name, now.node.lineno, waits=True)
            return
        yield from added_skips(old, new, was, now, (before, after), self._around.is_own)
        yield from broadened_handlers(old, new, now, before, after)
        yield from not_run(old, was, new, now)
        yield from raised_by_others(old, was, new, now)
        yield from chosen_rows(old, was, new, now)
        yield from only_in_loops(new, now, before, after)
        if old.mentions("given"):
            from ledgergate.guard.drawn import drawn_less

            yield from drawn_less(old, new, was, now, (before, after))
        names_replaced = set(replaced)
        for name, loss in replaced_subjects(new, now, before, after):
            names_replaced.add(name)
            yield loss
        lost = [
            one
            for one in lost_facts(
                before,
                after,
                self._asked,
                self._around_vanished,
                lambda: self._added_facts,
                new.imported,
            )
            if names_replaced.isdisjoint(calls(one.fact.whole))
        ]
        second = _second_definition(old, new, now)
        if second and lost:
            message = f"A second definition of the same name takes its place (line {now.node.lineno})"
            yield Loss("test-removed", new.path, message, now.name, now.node.lineno, None, new.line(now.node.lineno))
            return
        dropped = _dropped_rows(old, was, new, now)
        if dropped and any(one.verdict.rule in _REMOVED for one in lost):
            more = f" and {len(dropped) - 1} more" if len(dropped) > 1 else ""
            yield Loss(
                "test-removed",
                new.path,
                f"Rows of its table are gone: {dropped[0]}{more}",
                now.name,
                now.node.lineno,
                dropped[0],
            )
            return
        if lost and _has_other_rows(old, was, new, now) and all(one.verdict.rule in _CHANGED for one in lost):
            message, at = "Values of its table changed", now.node.lineno
            yield Loss("expectation-changed", new.path, message, now.name, at, None, new.line(at), waits=True)
            return
        yield from _told(new, now, lost, _gained(before, after, lost))
        if not lost:
            changed = list(changed_before_checks(new, now, before, after))
            yield from changed or _other_inputs(old, new, now, before, after)

    def _gone(self, file: File, old: Suite, test: Test) -> Iterator[Loss]:
        """A test that is not where it was: it may have moved, been renamed, or been merged into others."""
        before = self._sides.reading("old", old, test)
        if before is not None:
            facts = {fact.key for fact in before.facts if fact.strength}
            if facts and facts <= self._asked:
                return
            if any(_body(suite, one) == _body(old, test) for suite, one in self._kept(old.path, test)):
                return
            out = self._named_out(old, test, before)
            if out is not None:
                yield out
                return
            successor = self._successor(old, test, before)
            if successor is not None:
                yield from self._pair(old, test, *successor)
                return
        words = frozenset() if before is None else _words_of(before)
        waits = not words.isdisjoint(self._around_vanished)
        kept = file.new is not None and any(one.name == test.name for one in file.new.tests)
        message = "The test is not collected any more" if kept else "The test is gone"
        if waits:
            message += ", and so is something in production that it calls"
        # What runners do not usually look into may be named in their settings, or hold no tests at all.
        waits = waits or not file.is_named_like_tests
        yield Loss("test-removed", file.path, message, test.name, None, old.line(test.node.lineno), None, waits)

    def _successor(self, old: Suite, test: Test, before: Reading) -> tuple[Suite, Test] | None:
        """The added test that most likely was this one before."""
        body = _body(old, test)
        keys = before.keys
        best: tuple[int, int, tuple[Suite, Test] | None] = (0, 0, None)
        for number, (suite, added) in enumerate(self._added[:_MOST_CANDIDATES]):
            if _body(suite, added) == body:
                return suite, added
            after = self._sides.reading("new", suite, added)
            shared = len(keys & after.keys) if after is not None else 0
            score = 10 * shared
            if suite.path == old.path and _is_alike(old.text(test.node), suite.text(added.node)):
                score += 5
            is_same_file = suite.path == old.path
            score += _shared_words(test, added, is_same_file=is_same_file)
            score += 3 if is_same_file and self._place(old, test.name) == self._place(suite, added.name) else 0
            if score > best[0]:
                best = (score, -number, (suite, added))
        return best[2]

    def _named_out(self, old: Suite, test: Test, before: Reading) -> Loss | None:
        """What is told where a test is one now that asks some of the same, and that the settings leave out by name."""
        if not self._left_out.words or self._word_left_out(old, test):
            return None
        for suite, added in self._added[:_MOST_CANDIDATES]:
            word = self._word_left_out(suite, added)
            after = self._sides.reading("new", suite, added) if word else None
            is_same = after is not None and not before.keys.isdisjoint(after.keys)
            if word and (is_same or _body(suite, added) == _body(old, test)):
                return named_out(suite, added, word)
        return None

    def _word_left_out(self, suite: Suite, test: Test) -> str | None:
        return word_left_out(suite, test, self._left_out.words) if self._left_out.words else None

    def _kept(self, path: str, test: Test) -> Iterator[tuple[Suite, Test]]:
        """The tests of that name in other files of the new side, and all that stay in its own."""
        own = next((one for one in self.files if one.path == path), None)
        if own is not None and own.new is not None:
            yield from ((own.new, one) for name, one in own.new_tests.items() if name in own.old_tests)
        for place, data in self._around.defining(test.node.name):
            is_passed = is_in_passed_folder(place) or not self._around.is_looked_into(place)
            is_other = place != path and is_named_like_tests(place) and not is_passed
            suite = self._sides.suite("new", place, data) if is_other else None
            if isinstance(suite, Suite):
                yield from ((suite, one) for one in suite.tests if one.name == test.name and one.is_collected)

    def _place(self, suite: Suite, name: str) -> str:
        """The nearest test before one that both sides of its file have."""
        file = next(one for one in self.files if one.path == suite.path)
        last = ""
        for one in suite.tests:
            if one.name == name:
                return last
            if one.name in file.old_tests and one.name in file.new_tests:
                last = one.name
        return last

    @cached_property
    def _added(self) -> list[tuple[Suite, Test]]:
        return [
            (file.new, test)
            for file in self.files
            if file.new is not None
            for name, test in file.new_tests.items()
            if name not in file.old_tests
        ]

    @cached_property
    def _added_facts(self) -> Sequence[Fact]:
        readings = (self._sides.reading("new", suite, test) for suite, test in self._added[:_MOST_CANDIDATES])
        return [fact for reading in readings if reading is not None and not reading.skips for fact in reading.facts]

    @cached_property
    def _asked(self) -> frozenset[Key]:
        """The facts that tests ask which the change added or touched."""
        found: set[Key] = set()
        for file in self.files:
            if file.new is None:
                continue
            for name, test in file.new_tests.items():
                if file.old is None or name not in file.old_tests or name in self._touched_in(file):
                    reading = self._sides.reading("new", file.new, test)
                    if reading is not None and not reading.skips and not self._word_left_out(file.new, test):
                        before = self._before(file, name)
                        found |= reading.keys - before
        return frozenset(found)

    def _before(self, file: File, name: str) -> frozenset[Key]:
        """What the test of that name asked already, so that it takes over nothing from another one."""
        if file.old is None or name not in file.old_tests:
            return frozenset()
        reading = self._sides.reading("old", file.old, file.old_tests[name])
        return frozenset() if reading is None else reading.keys

    def _touched_in(self, file: File) -> frozenset[str]:
        if file.path not in self._touched:
            both = file.old is not None and file.new is not None
            self._touched[file.path] = touched_tests(file.old, file.new) if both else frozenset()  # type: ignore[arg-type]
        return self._touched[file.path]

    @cached_property
    def _left_out(self) -> LeftOut:
        return self._around.left_out()

    @cached_property
    def _around_vanished(self) -> frozenset[str]:
        return self._around.vanished()

    # -- helpers -------------------------------------------------------------------------------------------------------

    def _helpers(self, old: Suite, new: Suite, file: File) -> Iterator[Loss]:
        """Functions of a file that other files may check with."""
        if file.is_named_like_tests and not file.is_conftest:
            return
        if not file.is_conftest:
            yield from changed_values(old, new)
            yield from changed_bases(old, new)
        for name, was in old.functions.items():
            now = new.functions.get(name)
            if now is None or old.text(was) == new.text(now) or name.startswith("test"):
                continue
            before, after = self._sides.helper("old", old, was), self._sides.helper("new", new, now)
            if before is not None and after is not None:
                lost = list(lost_facts(before, after, (), self._around_vanished))
                yield from _told(new, Test(name, now, (), (), is_collected=False), lost)

    def _steps(self, old: Suite, new: Suite) -> Iterator[Loss]:
        """Rules and invariants of state machines."""
        from ledgergate.guard.machines import changed_starts, changed_step, steps

        yield from changed_starts(old, new)
        kept = steps(new)
        for name, was in steps(old).items():
            now = kept.get(name)
            if now is None:
                yield Loss("test-removed", new.path, "The step is gone", name, None, old.line(was.lineno))
                continue
            before, after = self._sides.helper("old", old, was), self._sides.helper("new", new, now)
            if before is not None and after is not None:
                lost = list(lost_facts(before, after, (), self._around_vanished))
                yield from _told(new, Test(name, now, (), (), is_collected=False), lost)
                if not lost:
                    yield from changed_step(old, was, new, now, name)


def _gained(before: Reading, after: Reading, lost: Sequence[LostFact]) -> Sequence[int]:
    """The lines of what a test asks anew, but for what stands where something was lost."""
    taken = {one.line for one in lost}
    fresh = {
        fact.line for fact in after.facts if fact.strength and not fact.is_elsewhere and fact.key not in before.keys
    }
    return sorted(fresh - taken)


def _told(new: Suite, now: Test, lost: Sequence[LostFact], gained: Sequence[int] = ()) -> Iterator[Loss]:
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


def _second_definition(old: Suite, new: Suite, now: Test) -> bool:
    def count(suite: Suite) -> int:
        return sum(one.name == now.name and len(one.conditions) == len(now.conditions) for one in suite.tests)

    return not now.conditions and count(new) > max(1, count(old))


def _dropped_rows(old: Suite, was: Test, new: Suite, now: Test) -> list[str]:
    """The rows of its tables that are gone and that no other took the place of."""
    before, after = (_rows(suite, test) for suite, test in ((old, was), (new, now)))
    lost = [row for row in before if row not in after]
    return lost if len(lost) > len([row for row in after if row not in before]) and after else []


def _has_other_rows(old: Suite, was: Test, new: Suite, now: Test) -> bool:
    """Whether only the values of its tables differ, and there are no fewer rows."""
    before, after = set(_rows(old, was)), set(_rows(new, now))
    return before != after and len(after) >= len(before) and _body(old, was) == _body(new, now)


def _rows(suite: Suite, test: Test) -> list[str]:
    marks = [*test.node.decorator_list, *(mark for one in test.classes for mark in one.decorator_list)]
    return [
        ", ".join(suite.writer.term(value, suite.environment) for value in row.values()).translate(
            {171: None, 187: None}
        )
        for table in tables_of(suite, marks)
        for row, _ in table.rows or ()
    ]


def _other_inputs(old: Suite, new: Suite, now: Test, before: Reading, after: Reading) -> Iterator[Loss]:
    """Statements that differ from what they were in literals alone, while all checks stayed."""
    from ledgergate.guard.terms import shape

    fresh = {shape(act): line for act, line in after.acts.items() if act not in before.acts}
    for act, line in before.acts.items():
        if act not in after.acts and shape(act) in fresh and "«" in act:
            at = fresh[shape(act)]
            message = "What the test does before it checks has other values now"
            yield Loss("expectation-changed", new.path, message, now.name, at, old.line(line), new.line(at), waits=True)
            return


def _words_of(reading: Reading) -> frozenset[str]:
    return frozenset(word for fact in reading.facts for word in names(fact.whole))


def _body(suite: Suite, test: Test) -> str:
    first = test.node.body[0].lineno
    return "\n".join(line.strip() for line in suite.source.lines[first - 1 : test.node.end_lineno])


def _shared_words(one: Test, other: Test, *, is_same_file: bool) -> int:
    """How alike two tests are called: 4 where the words of their names are mostly the same, in one file."""
    names = [set(test.name.rpartition("::")[2].split("_")) - {"test"} for test in (one, other)]
    shared = len(names[0] & names[1]) / max(1, len(names[0] | names[1]))
    return 4 if shared == 1 or (shared >= 0.5 and is_same_file) else 0


def _is_alike(one: str, other: str) -> bool:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one[:2000], other[:2000], autojunk=False).quick_ratio() > 0.8 and (
        SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio() > 0.6
    )
