"""Compares the tests of a change, old and new, and says what was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledgergate.guard.came import CHECKED, COLLECTED, HELD, LOOSE, OUTCOMES, PATHS, REACHED, STRICT, came
from ledgergate.guard.change import Change
from ledgergate.guard.edits import Around, Edit
from ledgergate.guard.files import File, Sides
from ledgergate.guard.held_to import changed_fakes, changed_functions
from ledgergate.guard.loss import Loss
from ledgergate.guard.patched import patched_in_fixtures, patched_on_import
from ledgergate.guard.set_ups import changed_set_ups
from ledgergate.guard.skips import added_everywhere
from ledgergate.guard.subjects import shadowed_subjects
from ledgergate.guard.suite import Suite
from ledgergate.source.collector import without_cyclic_collection
from ledgergate.source.text import Unreadable


def compare(edits: Iterable[Edit], around: Around | None = None) -> list[Loss]:
    """What a change took away from its tests, file by file. `edits` are the Python files below the tests."""
    with without_cyclic_collection():
        # In a function of its own, so that its trees are gone before the collector comes back.
        return _compare(edits, around or Around())


def _compare(edits: Iterable[Edit], around: Around) -> list[Loss]:
    sides = Sides(around)
    change = Change([File(edit, sides) for edit in edits], sides, around)
    return [loss for file in change.files for loss in _bounded(change, file)]


def _bounded(change: Change, file: File) -> Iterator[Loss]:
    """The losses of one file; what is nested too deeply to be followed waits for a human."""
    try:
        yield from _losses(change, file)
    except RecursionError:
        yield Loss("test-removed", file.path, "Nobody can say what it holds: it is nested too deeply", waits=True)


def _losses(change: Change, file: File) -> Iterator[Loss]:
    if isinstance(file.now, Unreadable):
        if file.is_named_like_tests or file.is_conftest or file.old is not None:
            yield Loss("test-removed", file.path, f"Nobody can say what it holds: {file.now.message}", waits=True)
        return
    replaced: set[str] = set()
    if file.new is not None:
        yield from _of_the_file(change, file, file.new, replaced)
    if file.old is None:
        return
    for name, test in file.old_tests.items():
        if name not in file.new_tests:
            from ledgergate.guard.gone import gone

            yield from gone(change, file, file.old, test)
        elif file.new is not None and name in change.touched_in(file):
            from ledgergate.guard.pairs import lost_in_test

            yield from lost_in_test(change, file.old, test, file.new, file.new_tests[name], replaced)


def _of_the_file(change: Change, file: File, new: Suite, replaced: set[str]) -> Iterator[Loss]:
    """What concerns no test alone; `replaced` takes in the names that stand for something else now."""
    yield from _of_the_run(file.old, new)
    yield from changed_set_ups(file.old, new, change.around.is_own)
    if new.mentions("_profile"):
        from ledgergate.guard.drawn import changed_profiles

        yield from changed_profiles(file.old, new)
    if file.is_conftest or file.name == "__init__.py":
        yield from patched_in_fixtures(file.old, new, change.around)
    elif file.old is None and file.is_named_like_tests:
        yield from patched_on_import(new, change.around)
    if file.old is not None:
        for name, loss in shadowed_subjects(file.old, new, lambda origin: change.sides.is_of_tests(new, origin)):
            replaced.add(name)
            yield loss._replace(waits=loss.waits or name in change.vanished)
        yield from _since(change, file, file.old, new)


def _since(change: Change, file: File, old: Suite, new: Suite) -> Iterator[Loss]:
    """What came into the file, or went, that its tests lean on."""
    yield from added_everywhere(old, new, change.around.is_own)
    if new.mentions("mark.") and any(change.left_out):
        from ledgergate.guard.left_out import left_out

        both = {name: (was, file.new_tests[name]) for name, was in file.old_tests.items() if name in file.new_tests}
        yield from left_out(old, new, both, change.left_out)
    if file.is_conftest or not file.is_named_like_tests:
        from ledgergate.guard.helpers import changed_helpers

        yield from changed_helpers(change, old, new, is_conftest=file.is_conftest)
    yield from changed_fakes(old, new)
    yield from changed_functions(old, new)
    if old.mentions("hypothesis") and (file.is_conftest or not file.is_named_like_tests):
        from ledgergate.guard.drawn import changed_strategies

        yield from changed_strategies(old, new)
    if old.mentions("StateMachine"):
        from ledgergate.guard.helpers import changed_steps

        yield from changed_steps(change, old, new)
    if (old.tests or file.is_conftest) and came(CHECKED, new, old):
        from ledgergate.guard.around_tests import lost_around

        yield from lost_around(change, file, old, new)
    if old.tests and came(HELD, new, old):
        from ledgergate.guard.leaned_on import no_longer_held

        yield from no_longer_held(old, new, change.unasked)
    if came(STRICT, new, old) or came(LOOSE, old, new):
        from ledgergate.guard.strictness import less_strict

        yield from less_strict(old, new)


def _of_the_run(old: Suite | None, new: Suite) -> Iterator[Loss]:
    """What the file came to do to the run of the tests, of which most files say nothing."""
    if came(OUTCOMES, old, new):
        from ledgergate.guard.outcomes import tampered_outcomes

        yield from tampered_outcomes(old, new)
    if came(REACHED, old, new):
        from ledgergate.guard.reached import reached_run

        yield from reached_run(old, new)
    if came(COLLECTED, old, new):
        from ledgergate.guard.collected import changed_collection

        yield from changed_collection(old, new)
    if came(PATHS, old, new):
        from ledgergate.guard.paths import other_modules

        yield from other_modules(old, new)
