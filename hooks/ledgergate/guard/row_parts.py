"""The parts of a table's row that is one object: a dict, an instance of a plain class of values, or a key of a dict."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ledgergate.guard.suite import Suite
from ledgergate.guard.tables import plain_dict
from ledgergate.source.syntax import Function, last_name, walk

_STATEMENTS = (ast.AnnAssign, ast.Expr, ast.Pass)


def row_parts(suite: Suite, test: Function, row: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """The values of `case.price` and `case['price']`, as a test writes them, and of `CASES[name]`.

    Parts only of names that the test does nothing else with than to read such parts.
    """
    looked_up = dict(_looked_up(suite, test, row))
    made = _made_of(test, looked_up)
    return looked_up | {
        f"{name}{part}": value
        for name, node in (*row.items(), *made.items())
        if isinstance(node, (ast.Dict, ast.Call)) and _is_only_read(test, name, times_bound=name in made)
        for part, value in _parts(suite, node).items()
    }


def _looked_up(suite: Suite, test: Function, row: Mapping[str, ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    """What a dict of the module holds for a key that the row gives, where the test binds neither name anew."""
    nodes = walk(test) if any(isinstance(node, ast.Constant) for node in row.values()) else []
    bound = {one.id for one in nodes if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    for one in nodes:
        if not isinstance(one, ast.Subscript) or not isinstance(one.value, ast.Name):
            continue
        if isinstance(one.slice, ast.Name) and bound.isdisjoint((one.value.id, one.slice.id)):
            key, table = row.get(one.slice.id), plain_dict(suite, one.value.id)
            for known, value in zip(table.keys, table.values, strict=True) if table is not None else ():
                if isinstance(key, ast.Constant) and isinstance(known, ast.Constant) and _same(key, known):
                    yield f"{one.value.id}[{one.slice.id}]", value


def _same(one: ast.Constant, other: ast.Constant) -> bool:
    return (type(one.value), one.value) == (type(other.value), other.value)


def _made_of(test: Function, looked_up: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
    """The names that a test binds to what it looks up."""
    return {
        one.targets[0].id: looked_up[ast.unparse(one.value)]
        for one in test.body
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and ast.unparse(one.value) in looked_up
    }


def _parts(suite: Suite, node: ast.Dict | ast.Call) -> dict[str, ast.expr]:
    if isinstance(node, ast.Call):
        return {f".{name}": value for name, value in _fields(suite, node).items()}
    pairs = [*zip(node.keys, node.values, strict=True)]
    if not all(isinstance(key, ast.Constant) for key, _ in pairs):
        return {}
    return {f"[{key.value!r}]": value for key, value in pairs}  # type: ignore[union-attr]


def _fields(suite: Suite, call: ast.Call) -> dict[str, ast.expr]:
    """What a call gives the fields of a class that holds nothing but these."""
    made = suite.classes.get(call.func.id) if isinstance(call.func, ast.Name) else None
    if made is None or any(isinstance(one, ast.Starred) for one in call.args):
        return {}
    fields = [one for one in made.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    if not _is_plain(suite, made):
        return {}
    names = [one.target.id for one in fields]  # type: ignore[union-attr]
    found = {one.target.id: one.value for one in fields if one.value is not None}  # type: ignore[union-attr]
    found.update(zip(names, call.args, strict=False))
    found.update((one.arg, one.value) for one in call.keywords if one.arg in names)
    return found


def _is_plain(suite: Suite, made: ast.ClassDef) -> bool:
    """Whether a class is a NamedTuple or a dataclass without a base, and nothing in the file does more to it."""
    marks = [last_name(one) for one in (*made.decorator_list, *made.bases)]
    is_known = (
        marks in (["dataclass"], ["NamedTuple"]) and marks[0] not in suite.functions and marks[0] not in suite.classes
    )
    is_touched = any(map(suite.mentions, (f"{made.name}.", f"({made.name},", f"{made.name} =")))
    holds_values = all(isinstance(one, _STATEMENTS) and not _is_made(one) for one in made.body)
    return is_known and holds_values and not is_touched and not made.keywords


def _is_made(node: ast.stmt) -> bool:
    """`rows: list = field(default_factory=list)`: what it stands for is said elsewhere."""
    return isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call)


def _is_only_read(test: Function, name: str, *, times_bound: int = 0) -> bool:
    """Whether all that a function does with a name is to read its attributes and items, or to set them."""
    nodes = [one for statement in test.body for one in walk(statement)]
    called = {id(one.func) for one in nodes if isinstance(one, ast.Call)}
    used = sum(isinstance(one, ast.Name) and one.id == name for one in nodes)
    read = sum(
        isinstance(one, (ast.Attribute, ast.Subscript))
        and isinstance(one.value, ast.Name)
        and one.value.id == name
        and not isinstance(one.ctx, ast.Del)
        and id(one) not in called
        for one in nodes
    )
    return used - times_bound == read > 0
