"""Checks that fixtures, set-ups and tear-downs make for the tests that they run around."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ledgergate.guard.assertions import lost_facts
from ledgergate.guard.change import Change
from ledgergate.guard.facts import Strength
from ledgergate.guard.files import File, Key
from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import is_autouse
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Placed, Suite, Test
from ledgergate.guard.told import told
from ledgergate.guard.well_known import SET_UPS, TEAR_DOWNS
from ledgergate.source.syntax import Function, last_name


def lost_around(change: Change, file: File, old: Suite, new: Suite) -> Iterator[Loss]:
    """What is no longer checked around the tests of a file."""
    before, after = _around(old), _around(new)
    changed = {name: one for name, one in after.items() if name not in before or _differs(old, before[name], new, one)}
    readings = {name: _read(change, "new", new, one) for name, one in changed.items()}
    asked = change.asked | {key for one in readings.values() if one is not None for key in one.keys}
    for name, was in before.items():
        if name in after and (name not in changed or (file.is_conftest and not was.classes)):
            # The functions of a conftest are read as helpers.
            continue
        reading = _read(change, "old", old, was)
        if reading is None or not any(one.strength for one in reading.facts):
            continue
        if name in after:
            now = readings[name]
            lost = [] if now is None else list(lost_facts(reading, now, asked, change.vanished))
            yield from told(new, Test(name, after[name].node, (), (), is_collected=False), lost)  # type: ignore[arg-type]
        elif _runs_unasked(was) and new.tests and not _is_elsewhere(change, old, was):
            yield from _gone(old, new, name, reading, asked)


def _gone(old: Suite, new: Suite, name: str, reading: Reading, asked: frozenset[Key]) -> Iterator[Loss]:
    fact = next((one for one in reading.facts if one.strength is not Strength.NOTHING and one.key not in asked), None)
    if fact is not None:
        message = "What checked this around the tests is gone"
        yield Loss("assertion-removed", new.path, message, name, None, old.line(fact.line))


def _around(suite: Suite) -> Mapping[str, Placed]:
    """Fixtures, set-ups and tear-downs by their classes and names."""
    return {
        "::".join([*(each.name for each in one.classes), one.node.name]): one
        for one in suite.placed
        if isinstance(one.node, Function) and (one.node.name in SET_UPS | TEAR_DOWNS or _is_fixture(one))
    }


def _is_fixture(one: Placed) -> bool:
    return any(last_name(mark).endswith("fixture") for mark in one.node.decorator_list)


def _runs_unasked(one: Placed) -> bool:
    return not _is_fixture(one) or is_autouse(one.node)  # type: ignore[arg-type]


def _differs(old: Suite, was: Placed, new: Suite, now: Placed) -> bool:
    return old.text(was.node) != new.text(now.node)


def _read(change: Change, side: str, suite: Suite, one: Placed) -> Reading | None:
    return change.sides.helper(side, suite, one.node, suite.methods(one.classes))  # type: ignore[arg-type]


def _is_elsewhere(change: Change, old: Suite, was: Placed) -> bool:
    """Whether another file of the change, or another class of this one, has the same now."""
    suites = (file.new for file in change.files if file.new is not None)
    nodes = ((suite, one.node) for suite in suites for one in suite.placed if one.node.name == was.node.name)
    text = old.body(was.node)  # type: ignore[arg-type]
    return any(isinstance(node, Function) and suite.body(node) == text for suite, node in nodes)
