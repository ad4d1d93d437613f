"""What a loop of a test runs over, where the text alone tells, and checks that came into one where it does not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ledgergate.guard.known import truth_of, value_of
from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import Comprehension, elements
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.well_known import GIVING_ALL
from ledgergate.source.syntax import Function, last_name

Resolve = Callable[[ast.expr], ast.expr]

# What gives as many values as the shortest of what it is given, or more.
_KEEPING = GIVING_ALL | {"enumerate", "zip", "product", "chain", "cycle"}
_AS_IT_IS = GIVING_ALL | {"frozenset", "deepcopy", "copy"}


def only_in_loops(new: Suite, now: Test, before: Reading, after: Reading) -> Iterator[Loss]:
    """Checks that came into a loop of which nobody can say whether it runs."""
    no_more = before.surely - after.surely
    came = [fact for fact in after.facts if fact.key in no_more] if no_more else []
    for fact in came[:1]:
        message = "The check is only made in a loop now, and nobody can say what that runs over"
        line = now.node.lineno if fact.is_elsewhere else fact.line
        yield Loss("assertion-weakened", new.path, message, now.name, line, None, new.line(line), waits=True)


def looped_over(node: ast.expr, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    """The elements in their order; None where nobody can say. `resolve` gives what a name stands for."""
    if isinstance(node, ast.Name):
        # What a name stands for may hold the name itself: `rows = sorted(rows)`.
        name = node.id
        node, resolve = resolve(node), _without(name, resolve)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return _sliced(looped_over(node.value, suite, resolve), node.slice)
    if isinstance(node, ast.Call):
        return _called(node, suite, resolve)
    if isinstance(node, Comprehension):
        return _comprehended(node, suite, resolve)
    if isinstance(node, (ast.BoolOp, ast.IfExp)):
        return _chosen(node, suite, resolve)
    if isinstance(node, ast.Constant) and node.value in ("", b""):
        return []
    if isinstance(node, ast.BinOp):
        found = value_of(node, _looking(resolve))
        return [] if found is not None and found[0] in ([], ()) else None
    if isinstance(node, ast.Dict) and not node.keys:
        return []
    return elements(node)


def is_filled(node: ast.expr, suite: Suite, resolve: Resolve) -> bool:
    """Whether it gives at least one value for certain, though nobody can say which."""
    if isinstance(node, ast.Name):
        name = node.id
        node, resolve = resolve(node), _without(name, resolve)
    if isinstance(node, ast.Dict):
        return any(one is not None for one in node.keys)
    if isinstance(node, Comprehension):
        return all(is_filled(one.iter, suite, resolve) and not one.ifs for one in node.generators)
    if looped_over(node, suite, resolve):
        return True
    if isinstance(node, ast.Call):
        return _gives_some(node, suite, resolve)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes)) and bool(node.value)
    return any(not isinstance(one, ast.Starred) for one in getattr(node, "elts", ()))


def _gives_some(call: ast.Call, suite: Suite, resolve: Resolve) -> bool:
    """Whether a call gives as many values as what it is given, and that has some."""
    name = last_name(call.func)
    if isinstance(call.func, ast.Attribute) and name in ("items", "keys", "values"):
        return is_filled(call.func.value, suite, resolve)
    if isinstance(call.func, ast.Attribute) and name in ("split", "splitlines"):
        text = resolve(call.func.value)
        return isinstance(text, ast.Constant) and isinstance(text.value, str) and bool(text.value.strip())
    if name == "range" and len(call.args) == 1:
        most = getattr(call.args[0], "value", None)
        return isinstance(most, int) and most > 0
    return name in _KEEPING and bool(call.args) and all(is_filled(one, suite, resolve) for one in call.args)


def _without(name: str, resolve: Resolve) -> Resolve:
    return lambda node: node if isinstance(node, ast.Name) and node.id == name else resolve(node)


def _looking(resolve: Resolve) -> Callable[[str], ast.expr | None]:
    def look(name: str) -> ast.expr | None:
        asked = ast.Name(id=name, ctx=ast.Load())
        found = resolve(asked)
        return None if found is asked else found

    return look


def _sliced(values: list[ast.expr] | None, cut: ast.Slice) -> list[ast.expr] | None:
    try:
        bounds = [None if one is None else ast.literal_eval(one) for one in (cut.lower, cut.upper, cut.step)]
        return None if values is None else values[slice(*bounds)]
    except (ValueError, TypeError):
        return None


def _comprehended(node: Comprehension, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    """Nothing, where it takes nothing or what it takes from holds nothing; else nobody can say."""
    first = node.generators[0]
    if looped_over(first.iter, suite, resolve) == []:
        return []
    is_none = any(truth_of(one, _looking(resolve)) is False for each in node.generators for one in each.ifs)
    return [] if is_none else None


def _chosen(node: ast.BoolOp | ast.IfExp, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    """`CASES and []`, `CASES if False else []`"""
    if isinstance(node, ast.IfExp):
        holds = truth_of(node.test, _looking(resolve))
        return None if holds is None else looped_over(node.body if holds else node.orelse, suite, resolve)
    each = [looped_over(one, suite, resolve) for one in node.values]
    if isinstance(node.op, ast.And):
        return [] if [] in each else None
    return next((one for one in each if one), None) if None not in each else None


def _called(call: ast.Call, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    if isinstance(call.func, ast.Name) and call.func.id in suite.functions and not call.args:
        return _yielded(suite.functions[call.func.id], suite, resolve)
    return _of_function(last_name(call.func), call, suite, resolve)


def _of_function(name: str, call: ast.Call, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    if name == "zip" and any(looped_over(one, suite, resolve) == [] for one in call.args):
        return []
    if name in ("items", "keys", "values") and isinstance(call.func, ast.Attribute) and not call.args:
        return [] if looped_over(call.func.value, suite, resolve) == [] else None
    if name in (*_AS_IT_IS, "dict") and not call.args:
        return []
    if name == "range":
        return _numbers(call, suite, resolve)
    return _of_table(name, call, suite, resolve) if call.args else None


def _of_table(name: str, call: ast.Call, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    if name in ("filter", "takewhile"):
        return _filtered(call, suite, resolve)
    inner = looped_over(call.args[0], suite, resolve)
    if name in _AS_IT_IS and len(call.args) == 1:
        return inner[::-1] if inner is not None and name == "reversed" else inner
    if name == "enumerate" and inner is not None:
        return [ast.Tuple(elts=[ast.Constant(at), one], ctx=ast.Load()) for at, one in enumerate(inner)]
    if name == "islice" and len(call.args) > 1:
        bounds = call.args[1:] if len(call.args) > 2 else [ast.Constant(None), call.args[1]]
        return _sliced(inner, ast.Slice(*bounds))
    return [] if inner == [] and name in ("map", "chain", "product", "cycle", "starmap", "filter") else None


def _numbers(call: ast.Call, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    """The numbers of a `range`, where its ends are known: also by how many rows a table has."""

    def look(name: str) -> ast.expr | None:
        rows = looped_over(ast.Name(id=name, ctx=ast.Load()), suite, resolve)
        # How many there are is all that is asked of them.
        plain = None if rows is None else ast.List(elts=[ast.Constant(None)] * len(rows), ctx=ast.Load())
        return plain if plain is not None else _looking(resolve)(name)

    found = value_of(call, look)
    if found is None or not isinstance(found[0], range):
        return None
    return [ast.copy_location(ast.Constant(one), call) for one in found[0]]


def _filtered(call: ast.Call, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    test = resolve(call.args[0])
    is_none = isinstance(test, ast.Lambda) and truth_of(test.body, lambda _name: None) is False
    rows = looped_over(call.args[1], suite, resolve) if len(call.args) > 1 else None
    return [] if is_none or rows == [] else None


def _yielded(node: Function, suite: Suite, resolve: Resolve) -> list[ast.expr] | None:
    """What a generator gives that does nothing else, or a function that returns a table."""
    found: list[ast.expr] = []
    for statement in node.body:
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(value, ast.Yield) and value.value is not None:
            found.append(value.value)
        elif isinstance(statement, ast.Return) and statement.value is None:
            return found if any(isinstance(one, ast.Expr) for one in node.body) else None
        elif isinstance(statement, ast.Return) and not found and statement.value is not None:
            return looped_over(statement.value, suite, resolve) if elements(statement.value) is not None else None
        elif not isinstance(value, ast.Constant):
            return None
    return found or None
