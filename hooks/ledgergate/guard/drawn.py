"""Property tests of Hypothesis that came to try less: strategies, examples, settings, and what is assumed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import root
from ledgergate.guard.reading import Reading
from ledgergate.guard.strategies import draws_no_less, draws_nothing
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import children, last_name, stored_names, walk

_USUAL_EXAMPLES = 100
# Fewer try nothing to speak of.
_FEWEST_EXAMPLES = 10
_USUAL_STEPS = 50
_COPYING = frozenset({"list", "tuple", "dict", "bytes", "copy", "deepcopy", "iter"})
_SMALL = ("booleans", "none", "just", "sampled_from")
_HARMLESS_CHECKS = frozenset(
    {"too_slow", "function_scoped_fixture", "differing_executors", "nested_given", "not_a_test_method", "return_value"}
)


class Found(NamedTuple):
    """A loss as (rule, message, whether it waits), and the node that tells where."""

    rule: str
    message: str
    waits: bool
    at: ast.AST


def drawn_less(old: Suite, new: Suite, was: Test, now: Test, readings: tuple[Reading, Reading]) -> Iterator[Loss]:
    """What a property test came to try less of; nothing of a test that drew nothing before."""
    before, after = _marks(old, was), _marks(new, now)
    if not any(last_name(one) == "given" for one in before):
        return
    told = [*_strategies(old, new, before, after, now), *_examples(old, new, before, after, now)]
    told += _settings(_called(before, "settings"), _called(after, "settings"), now.node)
    for found in told:
        yield _loss(new, found, now.name)
    yield from _drawn_over(was, new, now)
    for condition, line in readings[1].assumed.items():
        if condition not in readings[0].assumed:
            message = "Values are left out now that were tried before (`assume`, `reject`)"
            yield Loss("expectation-changed", new.path, message, now.name, line, None, new.line(line), waits=True)


def _drawn_over(was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """`xs = sorted(xs)`: the test tries something else than what is drawn for it, and tried that before."""
    known = _bound_again(was)
    for name, line in _bound_again(now).items():
        if name not in known:
            message = f"Something else takes the place of what is drawn (`{name}`) before it is tried"
            yield Loss("expectation-changed", new.path, message, now.name, line, None, new.line(line), waits=True)
            return


def _bound_again(test: Test) -> dict[str, int]:
    """The parameters that a test binds anew, but for a list of what they hold and its like, with lines."""
    parameters = {one.arg for one in children(test.node.args) if isinstance(one, ast.arg)}
    found: dict[str, int] = {}
    for node in walk(test.node):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)) and not _is_copy(node.value):
            found.update(dict.fromkeys(parameters.intersection(stored_names(node)), node.lineno))
    return found


def _is_copy(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and last_name(value.func) in _COPYING and not value.keywords


def changed_run_settings(old: Suite, new: Suite) -> Iterator[Loss]:
    """`TestTill.settings = settings(...)`: what came to run fewer or shorter examples of a state machine."""
    known = _run_settings(old)
    for name, call in _run_settings(new).items():
        for found in _settings([known[name]] if name in known else (), [call], call):
            yield _loss(new, found, None)


def _run_settings(suite: Suite) -> dict[str, ast.Call]:
    """The settings that a file gives its classes, by what they are assigned to."""
    found: dict[str, ast.Call] = {}
    for place, body in (("", suite.tree.body), *((f"{name}.", one.body) for name, one in suite.classes.items())):
        for node in body:
            value = node.value if isinstance(node, ast.Assign) else None
            if isinstance(node, ast.Assign) and isinstance(value, ast.Call) and last_name(value.func) == "settings":
                found.update(
                    (f"{place}{ast.unparse(one)}", value) for one in node.targets if last_name(one) == "settings"
                )
    return found


def changed_strategies(old: Suite, new: Suite) -> Iterator[Loss]:
    """Strategies of a file that others may import which came to draw less."""
    known = {**old.assigned, **_drawing(old)}
    for name, now in {**new.assigned, **_drawing(new)}.items():
        was = known.get(name)
        if was is None or not _is_strategy(old, was) or draws_no_less(was, now, old, new):
            continue
        is_nothing = draws_nothing(now, new) and not draws_nothing(was, old)
        rule = "assertion-weakened" if is_nothing else "expectation-changed"
        message = "Next to nothing is drawn any more" if is_nothing else "Something else is drawn now"
        yield _loss(new, Found(rule, message, not is_nothing, now), name)
    for name, function in new.functions.items():
        before = old.functions.get(name)
        is_made = any(last_name(mark) == "composite" for mark in function.decorator_list)
        if is_made and before is not None and ast.dump(before) != ast.dump(function):
            yield _loss(new, Found("expectation-changed", "Something else is drawn now", True, function), name)


def _drawing(suite: Suite) -> dict[str, ast.expr]:
    """What functions give back that do nothing else, or end with it."""
    last = ((name, node.body[-1]) for name, node in suite.functions.items())
    return {name: one.value for name, one in last if isinstance(one, ast.Return) and one.value is not None}


def _is_strategy(suite: Suite, node: ast.expr) -> bool:
    """Whether a value is made by a call of what comes from Hypothesis."""
    first = root(node) if isinstance(node, (ast.Call, ast.Attribute)) else ""
    origin = suite.origins.get(first)
    module = origin.module if origin is not None else suite.modules.get(first, "")
    return isinstance(node, ast.Call) and module.partition(".")[0] == "hypothesis"


def changed_profiles(old: Suite | None, new: Suite) -> Iterator[Loss]:
    """What the settings of Hypothesis that a file registers and loads came to leave out."""
    if not new.mentions("_profile"):
        return
    known = _profiles(old) if old is not None else {}
    before = known.get(_loaded(old), ()) if old is not None else ()
    profiles = _profiles(new)
    loaded = _loaded(new)
    for name, calls in profiles.items():
        if name in known or name == loaded:
            for found in _settings(known.get(name, before), calls, calls[0]):
                yield _loss(new, found, None)


def _strategies(
    old: Suite, new: Suite, before: Sequence[ast.expr], after: Sequence[ast.expr], now: Test
) -> Iterator[Found]:
    was, given = _called(before, "given"), _called(after, "given")
    if not given and was and _all_tried(was, old):
        return
    if not given:
        yield Found("assertion-weakened", "It is not tried with drawn values any more", False, now.node)
        return
    for one, other in zip(was, given, strict=False):
        names = _by_name(one, old), _by_name(other, new)
        for name, strategy in names[1].items():
            known = names[0].get(name)
            if draws_nothing(strategy, new) and not (known is not None and draws_nothing(known, old)):
                yield Found("assertion-weakened", "Next to nothing is drawn for it any more", False, strategy)
            elif known is not None and not draws_no_less(known, strategy, old, new):
                yield Found("expectation-changed", "What it is tried with is drawn from something else", True, strategy)


def _all_tried(given: Sequence[ast.Call], suite: Suite) -> bool:
    """Whether so little was drawn that a table may hold all of it."""
    drawn = [one for call in given for one in _by_name(call, suite).values()]
    return all(isinstance(one, ast.Call) and last_name(one.func) in _SMALL for one in drawn)


def _examples(
    old: Suite, new: Suite, before: Sequence[ast.expr], after: Sequence[ast.expr], now: Test
) -> Iterator[Found]:
    terms = [
        [suite.writer.term(one, suite.environment) for one in _called(marks, "example")]
        for suite, marks in ((old, before), (new, after))
    ]
    gone = [one for one in terms[0] if one not in terms[1]]
    more = [one for one in terms[1] if one not in terms[0]]
    if len(gone) > len(more):
        yield Found("test-removed", "An example that it was always tried with is gone", False, now.node)
    elif gone:
        yield Found("expectation-changed", "An example that it is always tried with changed", True, now.node)


def _settings(before: Sequence[ast.Call], after: Sequence[ast.Call], at: ast.AST) -> Iterator[Found]:
    was, now = ({one.arg: one.value for call in calls for one in call.keywords} for calls in (before, after))
    counts = [_number(one.get("max_examples"), _USUAL_EXAMPLES) for one in (was, now)]
    if None not in counts and counts[1] < counts[0]:  # type: ignore[operator]
        is_few = counts[1] < _FEWEST_EXAMPLES  # type: ignore[operator]
        message = f"It is tried with {counts[1]} examples, and was with {counts[0]}"
        yield Found("assertion-weakened", message, not is_few, now.get("max_examples", at))
    elif counts[1] is None and counts[0] is not None and "max_examples" not in was:
        message = "Nobody can say with how many examples it is tried now"
        yield Found("assertion-weakened", message, True, now.get("max_examples", at))
    steps = [_number(one.get("stateful_step_count"), _USUAL_STEPS) for one in (was, now)]
    if None not in steps and steps[1] < steps[0]:  # type: ignore[operator]
        message = f"It takes {steps[1]} steps in a row, and took {steps[0]}"
        yield Found("assertion-weakened", message, True, now.get("stateful_step_count", at))
    phases = now.get("phases")
    if phases is not None and not _makes_examples(phases) and _makes_examples(was.get("phases")):
        yield Found("assertion-weakened", "No examples are made for it any more (`phases`)", False, phases)
    yield from _health(was.get("suppress_health_check"), now.get("suppress_health_check"))


def _makes_examples(phases: ast.expr | None) -> bool:
    return phases is None or not _lists(phases) or "generate" in _names(phases)


def _health(was: ast.expr | None, now: ast.expr | None) -> Iterator[Found]:
    if now is None:
        return
    more = _checks(now) - _HARMLESS_CHECKS - (_checks(was) if was is not None else set())
    if more:
        message = f"Nothing tells any more where examples are of no use (`{min(more)}`)"
        yield Found("assertion-weakened", message, True, now)


def _checks(node: ast.expr) -> set[str]:
    """The health checks that are named; `all` where it is no list of such."""
    if _lists(node):
        return {last_name(one) for one in node.elts}  # type: ignore[attr-defined]
    return {"all"}


def _lists(node: ast.expr) -> bool:
    return isinstance(node, (ast.List, ast.Tuple, ast.Set))


def _names(node: ast.expr) -> set[str]:
    return {last_name(one) for one in walk(node) if isinstance(one, (ast.Name, ast.Attribute))}


def _number(node: ast.expr | None, usual: int) -> int | None:
    if node is None:
        return usual
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _marks(suite: Suite, test: Test) -> list[ast.expr]:
    """The decorators of a test and its classes, names replaced by what the file assigns to them."""
    marks = [*test.node.decorator_list, *(mark for one in test.classes for mark in one.decorator_list)]
    return [suite.assigned.get(one.id, one) if isinstance(one, ast.Name) else one for one in marks]


def _called(marks: Sequence[ast.expr], name: str) -> list[ast.Call]:
    return [one for one in marks if isinstance(one, ast.Call) and last_name(one.func) == name]


def _by_name(call: ast.Call, suite: Suite) -> dict[str, ast.expr]:
    found = {f"{number}": one for number, one in enumerate(call.args)}
    found.update((one.arg or "**", one.value) for one in call.keywords)
    return {name: suite.assigned.get(one.id, one) if isinstance(one, ast.Name) else one for name, one in found.items()}


def _profiles(suite: Suite) -> Mapping[str, Sequence[ast.Call]]:
    found: dict[str, Sequence[ast.Call]] = {}
    for node in walk(suite.tree):
        if isinstance(node, ast.Call) and last_name(node.func) == "register_profile" and node.args:
            inner = [one for one in node.args[1:] if isinstance(one, ast.Call)]
            found[_text(node.args[0])] = [*inner, node]
    return found


def _loaded(suite: Suite) -> str:
    """The profile that is loaded last, where nothing in the environment says otherwise."""
    calls = [one for one in walk(suite.tree) if isinstance(one, ast.Call) and last_name(one.func) == "load_profile"]
    return _text(calls[-1].args[0]) if calls and calls[-1].args else ""


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and len(node.args) > 1:
        return _text(node.args[1])
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)


def _loss(suite: Suite, found: Found, subject: str | None) -> Loss:
    line = getattr(found.at, "lineno", None)
    return Loss(found.rule, suite.path, found.message, subject, line, None, suite.line(line), found.waits)
