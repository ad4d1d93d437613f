"""State machines of Hypothesis whose steps came to do something else, or to run less often."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import statements
from ledgergate.guard.strategies import draws_no_less
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import Function, last_name

_STEPS = ("rule", "invariant", "initialize")


def steps(suite: Suite) -> dict[str, Function]:
    """The rules and invariants of a file's state machines, by class and name."""
    return {
        "::".join([*(each.name for each in one.classes), one.node.name]): one.node
        for one in suite.placed
        if isinstance(one.node, Function) and any(last_name(mark) in _STEPS for mark in one.node.decorator_list)
    }


def changed_step(old: Suite, was: Function, new: Suite, now: Function, name: str) -> Iterator[Loss]:
    """What a step that asks as much as before does otherwise."""
    known = [ast.dump(one) for one in _named(was.decorator_list, "precondition")]
    if any(ast.dump(one) not in known for one in _named(now.decorator_list, "precondition")):
        yield _loss(old, was, new, now, name, "The step runs under another condition now (`precondition`)")
    elif not _draws_no_less(old, was, new, now):
        yield _loss(old, was, new, now, name, "What the step is run with is drawn from something else")
    elif _acts(was) != _acts(now):
        yield _loss(old, was, new, now, name, "What the step does changed")


def changed_starts(old: Suite, new: Suite) -> Iterator[Loss]:
    """State machines that start from something else."""
    known = _starts(old)
    for name, now in _starts(new).items():
        was = known.get(name)
        if was is not None and _acts(was) != _acts(now):
            yield _loss(old, was, new, now, name, "What the state machine starts from changed")


def _starts(suite: Suite) -> Mapping[str, Function]:
    return {
        f"{one.classes[-1].name}::__init__": one.node
        for one in suite.placed
        if isinstance(one.node, Function) and one.node.name == "__init__" and one.classes
        if any(last_name(base).endswith("StateMachine") for each in suite.lineage(one.classes) for base in each.bases)
    }


def _named(marks: Sequence[ast.expr], name: str) -> list[ast.expr]:
    return [one for one in marks if last_name(one) == name]


def _draws_no_less(old: Suite, was: Function, new: Suite, now: Function) -> bool:
    before, after = (
        {
            one.arg or "**": one.value
            for mark in node.decorator_list
            if isinstance(mark, ast.Call) and last_name(mark) in _STEPS
            for one in mark.keywords
        }
        for node in (was, now)
    )
    shared = before.keys() & after.keys() - {"target", "targets", "check_during_init"}
    return all(draws_no_less(before[name], after[name], old, new) for name in shared)


def _acts(node: Function) -> list[str]:
    """What a step does beside its checks."""
    return statements(node, ast.Assert, ast.Pass)


def _loss(old: Suite, was: Function, new: Suite, now: Function, name: str, message: str) -> Loss:
    lines = old.line(was.lineno), new.line(now.lineno)
    return Loss("expectation-changed", new.path, message, name, now.lineno, *lines, waits=True)
