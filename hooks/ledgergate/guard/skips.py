"""What keeps tests from running, or from failing: marks, and calls in their bodies."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.conditions import holds_usually, is_harmless
from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import root
from ledgergate.guard.reading import Reading, Skip
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.tables import tables_of
from ledgergate.guard.terms import calls, is_literal, literals
from ledgergate.source.syntax import Function, last_name, walk
from ledgergate.source.text import parse_expression

_ALWAYS = frozenset({"skip", "expectedFailure"})
_CONDITIONAL = frozenset({"skipif", "skipIf", "skipUnless"})
# Marks and decorators of plugins that run a test once more.
_RETRYING = frozenset({"flaky", "retry", "retries", "rerun", "reruns"})
_REASONED = frozenset({"skip", "xfail"})
_WORDS = ("skip", "xfail")
_HIDDEN = r"mark\.(?:skip|xfail)|\bpytest\.(?:skip|xfail)\b|['\"](?:skip|skipif|xfail)['\"]|SkipTest|expectedFailure"
# One of these stands in whatever that finds.
_HIDING = ("skip", "xfail", "SkipTest", "expectedFailure")
_LOOKING = frozenset({"find_spec", "find_loader", "import_module", "__import__"})
IsOwn = Callable[[str], bool]
_BY_HAND = frozenset({"__unittest_skip__", "__unittest_expecting_failure__"})


class Mark(NamedTuple):
    """A mark that skips a test or expects it to fail: its term, by which it is compared, and what it says."""

    term: str
    name: str
    call: ast.Call | None
    line: int


def added_skips(
    old: Suite,
    new: Suite,
    was: Test,
    now: Test,
    readings: tuple[Reading, Reading],
    is_own: IsOwn,
) -> Iterator[Loss]:
    """The skips of one test that were not there before, but for those that the machine decides about.

    `is_own`: whether a module is one of those that are tested, which are never a dependency that is not there.
    """
    before = _marks_of(old, was)
    # Looked for where a mark came, which is seldom.
    around: set[str] | None = None
    for mark in _marks_of(new, now):
        asked = _asked(new, mark)
        same = next((one for one in before if _asked(old, one) == asked), None)
        if same is not None:
            before.remove(same)
            continue
        if around is None:
            around = {_asked(old, one) for one in _marks_around(old, was)}
        if asked in around:
            continue
        is_known = any(_is_for_the_same(one, mark) for one in before) and not is_literal(_condition_term(new, mark))
        yield from (loss._replace(waits=loss.waits or is_known) for loss in _judged(new, mark, now.name, is_own))
    conditions = [new.writer.term(one, new.full_environment) for one in now.conditions]
    known = [old.writer.term(one, old.full_environment) for one in was.conditions]
    for one, condition in zip(now.conditions, conditions, strict=True):
        if condition not in known and not is_harmless(condition, new.imported):
            yield _loss(new, one.lineno, "The test is only defined under a condition now", now.name)
    yield from _added_calls(new, now.name, *readings, is_own)


def added_everywhere(old: Suite, new: Suite, is_own: IsOwn) -> Iterator[Loss]:
    """The skips of the whole file, or of a class in it, that were not there before."""
    if not old.tests:
        return
    before = {mark.term for mark in _module_marks(old, is_own)}
    for mark in _module_marks(new, is_own):
        if mark.term not in before:
            yield from _judged(new, mark, None, is_own)
    yield from _by_hand(old, new)
    for name, node in new.classes.items():
        known = old.classes.get(name)
        if known is None or not any(test.name.startswith(f"{name}::") for test in old.tests):
            continue
        kept = {mark.term for mark in _class_marks(old, known)}
        for mark in _class_marks(new, node):
            if mark.term not in kept:
                yield from _judged(new, mark, name, is_own)


def _added_calls(new: Suite, name: str, before: Reading, after: Reading, is_own: IsOwn) -> Iterator[Loss]:
    known = {(skip.name, skip.conditions) for skip in before.skips}
    told: set[int] = set()
    for skip in after.skips:
        if (skip.name, skip.conditions) in known or skip.line in told or _is_honest(new, skip, is_own):
            continue
        told.add(skip.line)
        waits = skip.name == "importorskip" or any(
            _looks_for_own(one, is_own) or _tries_python(new, one) for one in skip.conditions
        )
        yield _loss(new, skip.line, f"The test calls `{skip.name}` now", name, waits=waits)


def is_needed(suite: Suite, call: ast.Call, is_own: IsOwn) -> bool:
    """Whether what else the file says tells that its tests need the module."""
    module = str(getattr(next(iter(call.args), None), "value", "")).partition(".")[0]
    if is_own(module):
        return False
    is_there = module in suite.modules.values() and any(one.arg == "minversion" for one in call.keywords)
    return not is_there and sum(module in line for line in suite.source.lines) > 1


def _is_honest(suite: Suite, skip: Skip, is_own: IsOwn) -> bool:
    if skip.name == "importorskip":
        # What else the file says of a module tells that the test needs it.
        module = next(iter(literals(skip.arguments)), "''")[1:-1].partition(".")[0]
        return not is_own(module) and sum(module in line for line in suite.source.lines) > 1
    return any(
        is_harmless(condition, suite.imported) and not _looks_for_own(condition, is_own)
        for condition in skip.conditions
    )


def _tries_python(suite: Suite, condition: str) -> bool:
    """Whether a condition asks a function of the file that only tries something of Python's own modules."""
    called = [suite.functions[name] for name in calls(condition) if name in suite.functions]
    return any(map(_only_python, called))


def _only_python(node: Function) -> bool:
    names = [one for one in walk(node) if isinstance(one, ast.Name)]
    own = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    asked = {one.id for one in names} - own - set(dir(builtins))
    return bool(asked) and asked <= sys.stdlib_module_names


def _looks_for_own(condition: str, is_own: IsOwn) -> bool:
    """Whether a condition asks if a module is there that is one of those which are tested."""
    texts = (one[1:-1] for one in literals(condition) if one[:1] in ("'", '"'))
    return not _LOOKING.isdisjoint(calls(condition)) and any(is_own(one) for one in texts)


def _marks_of(suite: Suite, test: Test) -> list[Mark]:
    """The marks of the function itself, and of the rows of its tables."""
    found = [*_skipping(suite, test.node.decorator_list)]
    for table in tables_of(suite, test.node.decorator_list):
        for _, marks in table.rows or ():
            found += _skipping(suite, marks)
    return found


def _marks_around(suite: Suite, test: Test) -> list[Mark]:
    """The marks of the classes and the file that a test stands in."""
    marks = [mark for node in test.classes for mark in _class_marks(suite, node)]
    return marks + list(_skipping(suite, pytestmarks(suite.tree.body)))


def _asked(suite: Suite, mark: Mark) -> str:
    """What a mark says but for its reason, which may stand there in any words."""
    if mark.call is None or mark.name not in _CONDITIONAL | _REASONED:
        return mark.term
    others = [one for one in mark.call.keywords if one.arg not in ("reason", "condition")]
    more = [f"{one.arg}={suite.writer.term(one.value, suite.full_environment)}" for one in others]
    condition = "" if mark.name == "skip" else _condition_term(suite, mark)
    return f"{mark.name} {condition} {', '.join(more)}"


def _class_marks(suite: Suite, node: ast.ClassDef) -> list[Mark]:
    marks = [mark for one in suite.lineage((node,)) for mark in (*one.decorator_list, *pytestmarks(one.body))]
    return list(_skipping(suite, marks))


def _module_marks(suite: Suite, is_own: IsOwn) -> list[Mark]:
    found = list(_skipping(suite, pytestmarks(suite.tree.body)))
    for node, conditions in _calls(suite.tree.body, ()):
        name = last_name(node.func)
        guards = [suite.writer.term(one, suite.full_environment) for one in conditions]
        if name == "skip" and not any(is_harmless(one, suite.imported) for one in guards):
            found.append(Mark(f"skip {guards}", "skip", None, node.lineno))
        elif name == "importorskip" and not guards and not is_needed(suite, node, is_own):
            found.append(Mark(f"importorskip {ast.unparse(node)}", "importorskip", None, node.lineno))
    for raised, conditions in _raised(suite.tree.body, ()):
        guards = [suite.writer.term(one, suite.full_environment) for one in conditions]
        is_skip = last_name(raised) in ("SkipTest", "Skipped") or "skip.Exception" in ast.unparse(raised)
        if is_skip and not any(is_harmless(one, suite.imported) for one in guards):
            found.append(Mark(f"raise skip {guards}", "skip", None, raised.lineno))
    return found


def _raised(
    body: Sequence[ast.stmt], conditions: tuple[ast.expr, ...]
) -> Iterator[tuple[ast.expr, tuple[ast.expr, ...]]]:
    """What a module raises by itself, with the conditions around it; not where an import fails."""
    for node in body:
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield node.exc, conditions
        elif isinstance(node, ast.If):
            yield from _raised(node.body, (*conditions, node.test))
            yield from _raised(node.orelse, (*conditions, node.test))


def _calls(
    body: Sequence[ast.stmt], conditions: tuple[ast.expr, ...]
) -> Iterator[tuple[ast.Call, tuple[ast.expr, ...]]]:
    """The calls that a module makes as statements, with the conditions around them; not those of missing imports."""
    for node in body:
        if isinstance(node, (ast.Expr, ast.Assign)) and isinstance(node.value, ast.Call):
            yield node.value, conditions
        elif isinstance(node, ast.If):
            yield from _calls(node.body, (*conditions, node.test))
            yield from _calls(node.orelse, (*conditions, node.test))


def pytestmarks(body: Sequence[ast.stmt]) -> list[ast.expr]:
    found: list[ast.expr] = []
    for node in body:
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found += [node.value] if any(getattr(one, "id", "") == "pytestmark" for one in targets) else []
        elif isinstance(call, ast.Call) and ast.unparse(call.func).startswith("pytestmark."):
            found += call.args
    return found


def _skipping(suite: Suite, marks: Sequence[ast.expr]) -> Iterator[Mark]:
    """Those of the marks that could keep a test from running; lists are taken apart, and names looked up."""
    for mark in marks:
        value = suite.assigned.get(mark.id, mark) if isinstance(mark, ast.Name) else mark
        if isinstance(value, (ast.List, ast.Tuple)):
            yield from _skipping(suite, value.elts)
        elif any(word in last_name(value).lower() for word in _WORDS) or last_name(value) in _ALWAYS | _RETRYING:
            call = value if isinstance(value, ast.Call) else None
            yield Mark(suite.writer.term(value, suite.full_environment), last_name(value), call, mark.lineno)
        elif _hides_skip(suite, value):
            yield Mark(suite.writer.term(value, suite.full_environment), root(value), None, mark.lineno)


def _hides_skip(suite: Suite, mark: ast.expr) -> bool:
    """Whether what makes a mark says of skipping: a table of marks, `with_args`, a function of the tests."""
    texts = [ast.unparse(mark)]
    name = root(mark)
    if name in suite.assigned:
        texts.append(ast.unparse(suite.assigned[name]))
    found: ast.AST | None = suite.functions.get(name)
    if found is None and name in suite.origins:
        elsewhere = suite.elsewhere(suite, suite.origins[name])
        found = elsewhere[1] if elsewhere is not None else None
    if found is not None:
        texts.append(ast.unparse(found))
    said = "\n".join(texts)
    return any(word in said for word in _HIDING) and re.search(_HIDDEN, said) is not None


def _by_hand(old: Suite, new: Suite) -> Iterator[Loss]:
    """`test_x.pytestmark = ...`, and the attributes that unittest reads."""
    scopes = [(old.bound, new.bound)]
    both = [(old.classes[name], node) for name, node in new.classes.items() if name in old.classes]
    scopes += [(old.bindings_of(was), new.bindings_of(now)) for was, now in both]
    for before, after in scopes:
        for name, line in after.items():
            is_mark = name.rpartition(".")[2] in _BY_HAND or (name.endswith(".pytestmark") and name.count(".") < 3)
            if name not in before and is_mark:
                yield _loss(new, line, "It is skipped or expected to fail now", None)


def _judged(suite: Suite, mark: Mark, subject: str | None, is_own: IsOwn) -> Iterator[Loss]:
    if mark.name in _ALWAYS:
        yield _loss(
            suite, mark.line, "It is skipped now" if mark.name == "skip" else "It is expected to fail now", subject
        )
    elif mark.name in _RETRYING:
        yield _loss(suite, mark.line, "A run of it that fails is tried again now", subject)
    elif mark.name in _CONDITIONAL:
        if not _is_conditional(suite, mark):
            yield _loss(suite, mark.line, "It is skipped under a condition that is not about the machine", subject)
        elif _looks_for_own(_condition_term(suite, mark), is_own):
            message = "It is skipped where a module of the project is not there"
            yield _loss(suite, mark.line, message, subject, waits=True)
        elif holds_usually(_condition_term(suite, mark)):
            yield _loss(suite, mark.line, "It is skipped where most runs are made", subject, waits=True)
    elif mark.name == "xfail":
        if not _has_condition(mark) or not _is_conditional(suite, mark):
            yield _loss(suite, mark.line, "It is expected to fail now", subject, waits=_is_strict(mark))
    elif not is_harmless(mark.name):
        yield _loss(suite, mark.line, "A mark that could skip it came", subject, waits=True)


def _is_conditional(suite: Suite, mark: Mark) -> bool:
    return _has_condition(mark) and is_harmless(_condition_term(suite, mark), suite.imported)


def _condition_term(suite: Suite, mark: Mark) -> str:
    """The condition under which a mark skips, as a term."""
    condition = _condition(mark)
    if condition is None:
        return ""
    if isinstance(condition, ast.Constant) and isinstance(condition.value, str):
        condition = parse_expression(condition.value) or condition
    term = suite.writer.term(condition, suite.full_environment)
    return term if mark.name != "skipUnless" else f"[! {term}]"


def _has_condition(mark: Mark) -> bool:
    return _condition(mark) is not None


def _condition(mark: Mark) -> ast.expr | None:
    if mark.call is None:
        return None
    named = [one.value for one in mark.call.keywords if one.arg == "condition"]
    return next(iter([*mark.call.args, *named]), None)


def _is_for_the_same(old: Mark, new: Mark) -> bool:
    """Whether a mark skips under another condition than before, for a reason in the same words."""
    was, now = (
        [ast.dump(key.value) for key in mark.call.keywords if key.arg == "reason"] if mark.call is not None else []
        for mark in (old, new)
    )
    return old.name == new.name and new.name in _CONDITIONAL and was != [] and was == now


def _is_strict(mark: Mark) -> bool:
    keywords = mark.call.keywords if mark.call is not None else []
    return any(
        one.arg == "strict" and isinstance(one.value, ast.Constant) and bool(one.value.value) for one in keywords
    )


def _loss(suite: Suite, line: int, message: str, subject: str | None, *, waits: bool = False) -> Loss:
    return Loss("skip-added", suite.path, message, subject, line, None, suite.line(line), waits)
