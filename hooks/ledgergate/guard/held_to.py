"""What tests lean on without its text being theirs: values and base classes of helper files, fakes beside the tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import returned, root, statements
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.terms import is_literal
from ledgergate.source.kinds import holds_tests, is_test_function
from ledgergate.source.syntax import Function, is_text, last_name, walk

_CHECK = r"assert[A-Z]\w*|fail|_formatMessage"
_HARMLESS = frozenset({"__init__", "__repr__", "__str__", "__hash__", "__aenter__", "__enter__", "__slots__"})
_FAILING = frozenset({"fail", "exit"})
_CONSTANT = r"Constant\(value=(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^)'\"]*)(?:, kind='u')?\)"
# What says how tests run, or only tells of it.
_NO_VALUES = r"(?i)timeout|delay|retries|\bport\b|sleep|attr='(?:debug|info|warning|error|log)'|id='print'|'fail'"
_SET_UP = r"(?:async)?set_?up\w*|(?:async)?tear_?down\w*"
# What a constant is called that says how tests run, and not what they expect.
_ABOUT_RUNS = r"pytest_plugins|pytestmark|__\w+__|.*(?:TIMEOUT|DELAY|RETRIES|PORT).*|log(?:ger)?"


def changed_values(old: Suite, new: Suite) -> Iterator[Loss]:
    """Values of a helper file that tests of other files may be held to, the first of them; a table may grow."""
    before, after = _values(old), _values(new)
    for name, (was, _) in before.items():
        now = after.get(name)
        if now is not None and now[0] != was and not _grew(was, now[0]):
            message = f"{name}, to which tests of other files may be held, has another value now"
            line = now[1].lineno
            shown = old.line(before[name][1].lineno)
            yield Loss("expectation-changed", new.path, message, name, line, shown, new.line(line), waits=True)
            return


def _values(suite: Suite) -> dict[str, tuple[str, ast.expr]]:
    """The literals that a module's names stand for, and that its functions return, as terms."""
    found = {name: value for name, value in suite.assigned.items() if not re.fullmatch(_ABOUT_RUNS, name)}
    for name, node in suite.functions.items():
        value = returned(node)
        if value is not None:
            found[name] = value
    terms = {name: (suite.writer.term(value, suite.environment), value) for name, value in found.items()}
    return {name: (term, value) for name, (term, value) in terms.items() if is_literal(term)}


def _grew(old: str, new: str) -> bool:
    """Whether a table has what it had, and more behind it."""
    return old[:1] in "[({" and old[:1] == new[:1] and new.startswith(old[:-1])


def changed_literals(old: Suite, new: Suite) -> Iterator[Loss]:
    """Functions and classes of a helper file in which a statement stands with other literals now, the first of each."""
    known, values = {"::".join(place): node for place, node in _defined(old)}, _values(old)
    for place, node in _defined(new):
        name = "::".join(place)
        was = known.get(name)
        # What only gives a literal is a value like others.
        if was is None or name in values:
            continue
        before, after = _by_shape(was), _by_shape(node)
        for shape, statements_now in after.items():
            gone = [one for one in before.get(shape, ()) if ast.dump(one) not in map(ast.dump, statements_now)]
            came = [one for one in statements_now if ast.dump(one) not in map(ast.dump, before.get(shape, ()))]
            if gone and came:
                message = f"{name}, on which tests of other files may lean, holds other values now"
                shown = old.line(gone[0].lineno), new.line(came[0].lineno)
                yield Loss("expectation-changed", new.path, message, name, came[0].lineno, *shown, waits=True)
                break


def _defined(suite: Suite) -> Iterator[tuple[tuple[str, ...], Function | ast.ClassDef]]:
    """The functions and classes of a file that are no tests."""
    for one in suite.placed:
        is_test = holds_tests(one.node) if isinstance(one.node, ast.ClassDef) else is_test_function(one.node)
        if not is_test:
            yield (*(each.name for each in one.classes), one.node.name), one.node


def _by_shape(code: Function | ast.ClassDef) -> dict[str, list[ast.stmt]]:
    """The plain statements of a function or class that give something a value, by what they are but for literals."""
    found: dict[str, list[ast.stmt]] = {}
    body = code.body if isinstance(code, ast.ClassDef) else [one for one in walk(code) if isinstance(one, ast.stmt)]
    for node in body:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)) and not is_text(node):
            dumped = ast.dump(node)
            if "Constant(" in dumped and not re.search(_NO_VALUES, dumped):
                found.setdefault(re.sub(_CONSTANT, "Constant()", dumped), []).append(node)
    return found


def changed_defaults(old: Suite, new: Suite) -> Iterator[Loss]:
    """Functions of a helper file that do something else now where a call does not say otherwise."""
    for name, node in new.functions.items():
        if name in old.functions:
            before, after = _defaults(old.functions[name]), _defaults(node)
            other = next(
                (one for one in before if one in after and ast.dump(before[one]) != ast.dump(after[one])), None
            )
            if other is not None:
                message = f"`{other}` of {name}, which tests of other files may call, is something else by default now"
                was, line = old.line(before[other].lineno), after[other].lineno
                yield Loss("expectation-changed", new.path, message, name, line, was, new.line(line), waits=True)


def _defaults(node: Function) -> dict[str, ast.expr]:
    """What parameters are given where a call does not, but for those about how tests run."""
    arguments = node.args
    named = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    found = dict(zip(reversed(named), reversed(arguments.defaults), strict=False))
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    found |= {one.arg: value for one, value in keywords if value is not None}
    return {name: value for name, value in found.items() if not re.fullmatch(_ABOUT_RUNS, name, re.IGNORECASE)}


def changed_bases(old: Suite, new: Suite) -> Iterator[Loss]:
    """Checks and set-ups of classes of a helper file that other files' tests may build on."""
    before = {one.name: _methods(one) for one in old.classes.values()}
    for node in new.classes.values():
        was = before.get(node.name)
        if was is None:
            continue
        for name, method in _methods(node).items():
            known = was.get(name)
            if known is not None and _meaning(known) == _meaning(method):
                continue
            subject, shown = f"{node.name}.{name}", new.line(method.lineno)
            if re.fullmatch(_CHECK, name) and not _hands_on(method):
                message = "A check of the framework means something else for all tests that build on the class"
                yield Loss("outcome-tampered", new.path, message, subject, method.lineno, None, shown, waits=True)
            elif re.fullmatch(_SET_UP, name, re.IGNORECASE):
                message = "What runs around the tests that build on the class changed"
                yield Loss("expectation-changed", new.path, message, subject, method.lineno, None, shown, waits=True)


def _hands_on(method: Function) -> bool:
    """Whether a check is one of its own name, or asks its parent the same of its own arguments."""
    given = [one.arg for one in (*method.args.posonlyargs, *method.args.args)][1:]
    plain = [one.value for one in method.body if isinstance(one, (ast.Expr, ast.Return))]
    calls = [one for one in plain if isinstance(one, ast.Call) and last_name(one.func) == method.name]
    return any([ast.unparse(one) for one in call.args[:2]] == given[:2] for call in calls)


def changed_fakes(old: Suite, new: Suite) -> Iterator[Loss]:
    """Classes beside the tests, none of them tests, that old tests look at and whose old parts behave otherwise now."""
    kept = {one.name for one in new.tests}
    for name, node in new.classes.items():
        was = old.classes.get(name)
        changed = None if was is None or holds_tests(node) else _changed(was, node)
        if changed is not None and any(one.name in kept and _uses(old, one, name) for one in old.tests):
            message = f"{name}, which old tests look at, behaves otherwise now"
            shown = new.line(changed.lineno)
            yield Loss("expectation-changed", new.path, message, name, changed.lineno, None, shown, waits=True)


def changed_functions(old: Suite, new: Suite) -> Iterator[Loss]:
    """Functions beside the tests that old tests call and that refuse less themselves now."""
    for name, node in new.functions.items():
        was = old.functions.get(name)
        if was is None or is_test_function(node) or _raises(was) <= _refusals(node):
            continue
        # What it refused may be refused by another one now.
        if _raises(old.tree) > _refusals(new.tree) and any(_uses(old, one, name) for one in old.tests):
            message, shown = f"{name}, which old tests call, refuses less now", new.line(node.lineno)
            yield Loss("expectation-changed", new.path, message, name, node.lineno, None, shown, waits=True)


def _changed(old: ast.ClassDef, new: ast.ClassDef) -> ast.stmt | None:
    """What an old method changes more, a method that does or refuses less, or a new one that nobody has to call."""
    before = _methods(old)
    known_fields = [ast.unparse(one) for one in old.body]
    for one in new.body:
        if _is_not_compared(one) and ast.unparse(one) not in known_fields:
            return one
    for name, method in _methods(new).items():
        known = before.get(name)
        if known is not None and name == "__eq__" and not _conditions(known) <= _conditions(method):
            return method
        if known is None:
            if (name.startswith("__") and name not in _HARMLESS) or _is_property(method):
                return method
            continue
        did, does = ({ast.unparse(one): one for one in _effects(each)} for each in (known, method))
        more = next((one for text, one in does.items() if text not in did), None)
        if more is not None:
            return more
        if did.keys() - does.keys() or _raises(known) > _raises(method):
            return method
    return None


def _is_not_compared(node: ast.stmt) -> bool:
    """`count: int = field(compare=False)`."""
    call = node.value if isinstance(node, ast.AnnAssign) else None
    keywords = call.keywords if isinstance(call, ast.Call) and last_name(call.func) in ("field", "ib", "attrib") else ()
    return any(one.arg in ("compare", "eq") and getattr(one.value, "value", None) is False for one in keywords)


def _conditions(method: Function) -> frozenset[str]:
    """What has to hold for what a method gives back to be true."""
    value = returned(method)
    parts = value.values if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.And) else [value]
    return frozenset(ast.unparse(one) for one in parts if one is not None)


def _raises(code: ast.AST) -> int:
    """How often code raises something itself."""
    return sum(isinstance(one, ast.Raise) for one in walk(code))


def _refusals(code: ast.AST) -> int:
    """The same, in any words."""
    calls = (one for one in walk(code) if isinstance(one, ast.Call))
    asserts = sum(isinstance(one, ast.Assert) for one in walk(code))
    return _raises(code) + asserts + sum(last_name(one.func) in _FAILING for one in calls)


def _effects(method: Function) -> Iterator[ast.stmt]:
    """The statements of a method that change what it belongs to."""
    owner = next((one.arg for one in method.args.args), "")
    for node in walk(method):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(not isinstance(one, ast.Name) and root(one) == owner for one in targets):
                yield node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and root(node.value.func) == owner:
            yield node


def _is_property(method: Function) -> bool:
    return any(last_name(one) in ("property", "cached_property") for one in method.decorator_list)


def _uses(suite: Suite, test: Test, name: str) -> bool:
    """Whether a test, or a fixture that it asks for, makes one."""
    asked = {one.arg for one in (*test.node.args.args, *test.node.args.kwonlyargs)}
    nodes = [test.node, *(node for each, node in suite.fixtures.items() if each in asked)]
    return any(isinstance(one, ast.Name) and one.id == name for node in nodes for one in walk(node))


def _methods(node: ast.ClassDef) -> Mapping[str, Function]:
    return {one.name: one for one in node.body if isinstance(one, Function)}


def _meaning(method: Function) -> tuple[str, ...]:
    """A method without its text, its annotations and its layout."""
    arguments = [one.arg for one in walk(method.args) if isinstance(one, ast.arg)]
    defaults = [ast.unparse(one) for one in (*method.args.defaults, *filter(None, method.args.kw_defaults))]
    return (*arguments, *defaults, *map(ast.unparse, method.decorator_list), *statements(method))
