"""What one test lost, as it was and as it is now."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from ledgergate.guard.assertions import LostFact, lost_facts
from ledgergate.guard.came import DRAINED, UNPACKED, came
from ledgergate.guard.change import Change
from ledgergate.guard.facts import Strength
from ledgergate.guard.handled import changed_before_checks
from ledgergate.guard.handlers import broadened_handlers
from ledgergate.guard.looped import only_in_loops
from ledgergate.guard.loss import Loss
from ledgergate.guard.never_run import not_run
from ledgergate.guard.raising import raised_by_others
from ledgergate.guard.reading import Reading
from ledgergate.guard.skips import added_skips
from ledgergate.guard.subjects import replaced_subjects
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.tables import chosen_rows, tables_of
from ledgergate.guard.terms import calls, shape
from ledgergate.guard.told import told
from ledgergate.source.syntax import last_name, walk

_REMOVED = frozenset({"assertion-removed", "assertion-weakened", "assertion-tautology", "expectation-changed"})
# Decorators that set the time, settings or the environment of a test.
_GIVING_VALUES = frozenset(
    {"freeze_time", "travel", "override_settings", "modify_settings", "dict", "override_config", "override_flag"}
)
_CHANGED = frozenset({"assertion-removed", "assertion-weakened", "expectation-changed"})


def lost_in_test(
    change: Change, old: Suite, was: Test, new: Suite, now: Test, replaced: Iterable[str] = ()
) -> Iterator[Loss]:
    """What one test lost; `replaced` are names that stand for something else in the whole file now."""
    before, after = change.sides.reading("old", old, was), change.sides.reading("new", new, now)
    if before is None or after is None:
        message = "It is too large, or nested too deeply, to be compared"
        yield Loss("assertion-removed", new.path, message, now.name, now.node.lineno, waits=True)
        return
    after = _under_old_names(was, now, after)
    yield from added_skips(old, new, was, now, (before, after), change.around.is_own)
    yield from broadened_handlers(old, new, now, before, after)
    yield from not_run(old, was, new, now)
    yield from raised_by_others(old, was, new, now)
    yield from chosen_rows(old, was, new, now)
    yield from only_in_loops(new, now, before, after)
    yield from _of_few_tests(old, was, new, now, (before, after))
    names_replaced = set(replaced)
    for name, loss in replaced_subjects(new, now, before, after):
        names_replaced.add(name)
        yield loss
    lost = [
        one
        for one in lost_facts(
            before,
            after,
            change.asked,
            change.vanished,
            lambda: change.added_facts,
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
            waits=_are_asked_anew(change, dropped),
        )
        return
    if lost and _has_other_rows(old, was, new, now) and all(one.verdict.rule in _CHANGED for one in lost):
        message, at = "Values of its table changed", now.node.lineno
        yield Loss("expectation-changed", new.path, message, now.name, at, None, new.line(at), waits=True)
        return
    yield from told(new, now, lost, _gained(before, after, lost))
    if not lost:
        changed = list(changed_before_checks(old, was, new, now, (before, after)))
        yield from changed or _other_inputs(old, new, now, before, after)
        yield from _other_decorators(old, was, new, now)
        yield from _smoke_and_snapshots(old, was, new, now, (before, after))


def _of_few_tests(old: Suite, was: Test, new: Suite, now: Test, readings: tuple[Reading, Reading]) -> Iterator[Loss]:
    """What few tests can lose: those that hold its words."""
    if came(DRAINED, old, new):
        from ledgergate.guard.drained import catches_less

        yield from catches_less(was, new, now, readings[0].facts)
    if came(UNPACKED, old, new):
        from ledgergate.guard.unpacked import takes_more

        yield from takes_more(was, new, now)
    if old.mentions("await "):
        from ledgergate.guard.awaited import no_longer_awaited

        yield from no_longer_awaited(was, new, now)
    if old.mentions("given"):
        from ledgergate.guard.drawn import drawn_less

        yield from drawn_less(old, new, was, now, readings)
    if any(one.hidden for one in readings):
        from ledgergate.guard.hidden import changed_out_of_sight

        yield from changed_out_of_sight(old, new, now, *readings)


def _under_old_names(was: Test, now: Test, after: Reading) -> Reading:
    if not any(isinstance(one, ast.ClassDef) for one in walk(now.node)):
        return after
    from ledgergate.guard.renamed import under_old_names

    return under_old_names(was, now, after)


def _smoke_and_snapshots(
    old: Suite, was: Test, new: Suite, now: Test, readings: tuple[Reading, Reading]
) -> Iterator[Loss]:
    """What few tests are about: that a value stays what it was, or that nothing is raised at all."""
    if any(one.subject == one.expected for one in readings[1].facts):
        from ledgergate.guard.snapshots import taken_late

        yield from taken_late(old, was, new, now)
    if not any(one.strength for one in readings[0].facts):
        from ledgergate.guard.smoke import lost_calls

        yield from lost_calls(old, was, new, now, readings)


def _gained(before: Reading, after: Reading, lost: Sequence[LostFact]) -> Sequence[int]:
    """The lines of what a test asks anew, but for what stands where something was lost."""
    taken = {one.line for one in lost}
    fresh = {
        fact.line for fact in after.facts if fact.strength and not fact.is_elsewhere and fact.key not in before.keys
    }
    return sorted(fresh - taken)


def _second_definition(old: Suite, new: Suite, now: Test) -> bool:
    def count(suite: Suite) -> int:
        return sum(one.name == now.name and len(one.conditions) == len(now.conditions) for one in suite.tests)

    return not now.conditions and count(new) > max(1, count(old))


def _dropped_rows(old: Suite, was: Test, new: Suite, now: Test) -> list[str]:
    """The rows of its tables that are gone and that no other took the place of."""
    before, after = (_rows(suite, test) for suite, test in ((old, was), (new, now)))
    lost = [row for row in before if row not in after]
    return lost if len(lost) > len([row for row in after if row not in before]) and after else []


def _are_asked_anew(change: Change, rows: Sequence[str]) -> bool:
    """Whether a new test asks for something exact with the texts of each of these rows."""
    texts = [re.findall(r"'[^']{4,}'", row) for row in rows]
    asked = [fact.whole for fact in change.added_facts if fact.strength >= Strength.NEAR] if all(texts) else []
    return all(any(all(f"«{text}»" in whole for text in some) for whole in asked) for some in texts)


def _has_other_rows(old: Suite, was: Test, new: Suite, now: Test) -> bool:
    """Whether only the values of its tables differ, and there are no fewer rows."""
    before, after = set(_rows(old, was)), set(_rows(new, now))
    return before != after and len(after) >= len(before) and old.body(was.node) == new.body(now.node)


def _rows(suite: Suite, test: Test) -> list[str]:
    marks = [*test.node.decorator_list, *(mark for one in test.classes for mark in one.decorator_list)]
    return [
        ", ".join(suite.writer.term(value, suite.environment) for value in row.values()).translate(
            {171: None, 187: None}
        )
        for table in tables_of(suite, marks)
        for row, _ in table.rows or ()
    ]


def _other_decorators(old: Suite, was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """`@freeze_time("2024-02-29")` with another date: decorators, but for marks of pytest, with other values alone."""
    before, after = _decorated(old, was), _decorated(new, now)
    fresh = {shape(term): line for term, line in after.items() if term not in before}
    for term, line in before.items():
        if term not in after and shape(term) in fresh:
            message, at = "A decorator gives the test other values now", fresh[shape(term)]
            yield Loss("expectation-changed", new.path, message, now.name, at, old.line(line), new.line(at), waits=True)
            return


def _decorated(suite: Suite, test: Test) -> dict[str, int]:
    marks = [*test.node.decorator_list, *(mark for one in test.classes for mark in one.decorator_list)]
    named = [one for one in marks if isinstance(one, ast.Call) and last_name(one) in _GIVING_VALUES]
    return {suite.writer.term(one, suite.environment): one.lineno for one in named}


def _other_inputs(old: Suite, new: Suite, now: Test, before: Reading, after: Reading) -> Iterator[Loss]:
    """Statements that differ from what they were in literals alone, while all checks stayed."""
    fresh = {shape(act): line for act, line in after.acts.items() if act not in before.acts}
    for act, line in before.acts.items():
        if act not in after.acts and shape(act) in fresh and "«" in act:
            at = fresh[shape(act)]
            message = "What the test does before it checks has other values now"
            yield Loss("expectation-changed", new.path, message, now.name, at, old.line(line), new.line(at), waits=True)
            return
