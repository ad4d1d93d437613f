"""Functions that are no tests, and whose checks count all the same: helpers of other files, steps of state machines."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.guard.assertions import LostFact, lost_facts
from ledgergate.guard.change import Change
from ledgergate.guard.held_to import changed_bases, changed_defaults, changed_literals, changed_values
from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.told import told
from ledgergate.source.syntax import Function


def changed_helpers(change: Change, old: Suite, new: Suite, *, is_conftest: bool) -> Iterator[Loss]:
    """Functions of a file that other files may check with."""
    if not is_conftest:
        losses = [*changed_values(old, new), *changed_defaults(old, new), *changed_bases(old, new)]
        yield from losses
        known = {loss.subject for loss in losses}
        yield from (loss for loss in changed_literals(old, new) if loss.subject not in known)
    for name, was in old.functions.items():
        now = new.functions.get(name)
        if now is None or old.text(was) == new.text(now) or name.startswith("test"):
            continue
        lost = _lost(change, old, was, new, now)
        yield from told(new, _named(name, now), lost or ())


def changed_steps(change: Change, old: Suite, new: Suite) -> Iterator[Loss]:
    """Rules and invariants of state machines."""
    from ledgergate.guard.drawn import changed_run_settings
    from ledgergate.guard.machines import changed_starts, changed_step, steps

    yield from changed_starts(old, new)
    yield from changed_run_settings(old, new)
    kept = steps(new)
    for name, was in steps(old).items():
        now = kept.get(name)
        if now is None:
            yield Loss("test-removed", new.path, "The step is gone", name, None, old.line(was.lineno))
            continue
        lost = _lost(change, old, was, new, now)
        yield from told(new, _named(name, now), lost or ())
        if lost == []:
            yield from changed_step(old, was, new, now, name)


def _lost(change: Change, old: Suite, was: Function, new: Suite, now: Function) -> list[LostFact] | None:
    """What a function no longer asks; None where it is too much to read."""
    before, after = change.sides.helper("old", old, was), change.sides.helper("new", new, now)
    return None if before is None or after is None else list(lost_facts(before, after, (), change.vanished))


def _named(name: str, node: Function) -> Test:
    return Test(name, node, (), (), is_collected=False)
