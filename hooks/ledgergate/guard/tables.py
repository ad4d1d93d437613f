"""The rows of parametrised tests."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import root
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import last_name, walk

_MOST_NUMBERS = 200
Row = dict[str, ast.expr]


class Table(NamedTuple):
    """What one `parametrize` gives a test: rows in their order, each with its marks; None where they are computed."""

    names: tuple[str, ...]
    rows: tuple[tuple[Row, tuple[ast.expr, ...]], ...] | None
    line: int
    values: ast.expr


def tables_of(suite: Suite, marks: Sequence[ast.expr]) -> list[Table]:
    """The tables of a test, by its marks and those of its classes."""
    return [_table(suite, mark) for mark in marks if _is_table(mark)]  # type: ignore[arg-type]


def rows_of(suite: Suite, marks: Sequence[ast.expr], most: int) -> list[Row]:
    """The rows that a test runs with: all combinations up to `most`, and beyond that each table's in turn."""
    found: list[Row] = [{}]
    for table in tables_of(suite, marks):
        rows = [row for row, _ in table.rows or ()][:most]
        if not rows:
            if table.rows is not None:
                return []
            continue
        if len(found) * len(rows) <= most:
            found = [{**before, **row} for before in found for row in rows]
        else:
            found = [{**before, **rows[0]} for before in found] + [{**found[0], **row} for row in rows[1:]]
    return found if found != [{}] else []


def chosen_rows(old: Suite, was: Test, new: Suite, now: Test) -> Iterator[Loss]:
    """A table that came to hold only the rows for which imported code says so: there may be none."""
    for table in tables_of(new, now.node.decorator_list):
        if table.rows is not None or not _is_chosen(new, table.values):
            continue
        if ast.dump(table.values) not in {ast.dump(one.values) for one in tables_of(old, was.node.decorator_list)}:
            message, line = "Which rows its table has is decided by what is tested", table.line
            yield Loss("assertion-weakened", new.path, message, now.name, line, None, new.line(line), waits=True)


def _is_chosen(suite: Suite, values: ast.expr) -> bool:
    """Whether a comprehension leaves values out by what imported code says that is not of the standard library."""
    if not isinstance(values, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        return False
    conditions = [part for each in values.generators for one in each.ifs for part in walk(one)]
    firsts = (root(one) for one in conditions if isinstance(one, ast.Call))
    origins = [
        suite.origins[one].module if one in suite.origins else suite.modules[one]
        for one in firsts
        if one in suite.origins or one in suite.modules
    ]
    return any(one.partition(".")[0] not in sys.stdlib_module_names for one in origins)


def _is_table(mark: ast.expr) -> bool:
    return (
        isinstance(mark, ast.Call) and last_name(mark.func) in ("parametrize", "expand") and len(_arguments(mark)) > 1
    )


def _arguments(call: ast.Call) -> list[ast.expr]:
    named = {one.arg: one.value for one in call.keywords}
    found = list(call.args[:2])
    found += [named[name] for name in ("argnames", "argvalues")[len(found) :] if name in named]
    return found


def _table(suite: Suite, call: ast.Call) -> Table:
    names_node, values = _arguments(call)[:2]
    names = _names(names_node)
    node = suite.assigned.get(values.id, values) if isinstance(values, ast.Name) else _of_dict(suite, values)
    if isinstance(node, ast.Dict):
        node = _keys(suite, values, node)
    elif isinstance(node, ast.Call):
        node = _numbers(node)
    if not names or not isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return Table(names, None, call.lineno, node)
    rows = [_row(names, one) for one in node.elts]
    if any(row is None for row in rows):
        return Table(names, None, call.lineno, node)
    return Table(names, tuple(row for row in rows if row is not None), call.lineno, node)


def _of_dict(suite: Suite, node: ast.expr) -> ast.expr:
    """`CASES.values()` and `.items()`, where nothing else is done with the dict, as a list; else the node itself."""
    if isinstance(node, ast.Call) and last_name(node.func) in ("list", "tuple") and len(node.args) == 1:
        node = node.args[0]
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    if not isinstance(owner, ast.Name) or last_name(node) not in ("values", "items"):
        return node
    values = plain_dict(suite, owner.id)
    if values is None:
        return node
    pairs = zip(values.keys, values.values, strict=True)
    rows = [ast.copy_location(ast.Tuple(elts=[*filter(None, pair)], ctx=ast.Load()), pair[1]) for pair in pairs]
    elements = values.values if last_name(node) == "values" else rows
    return ast.copy_location(ast.List(elts=list(elements), ctx=ast.Load()), node)


def _keys(suite: Suite, node: ast.expr, values: ast.Dict) -> ast.expr:
    """What a dict gives that is a table itself, as a list: its keys."""
    name = node.id if isinstance(node, ast.Name) else ""
    if plain_dict(suite, name) is not values:
        return values
    return ast.copy_location(ast.List(elts=[*filter(None, values.keys)], ctx=ast.Load()), values)


def _numbers(call: ast.Call) -> ast.expr:
    """What `range(3)` and `list(range(3))` give, as a list; else the call itself."""
    inner = call.args[0] if last_name(call) in ("list", "tuple") and len(call.args) == 1 else call
    if not isinstance(inner, ast.Call) or last_name(inner) != "range" or inner.keywords:
        return call
    try:
        numbers = range(*map(ast.literal_eval, inner.args))
    except (ValueError, TypeError):
        return call
    if len(numbers) > _MOST_NUMBERS:
        return call
    elements: list[ast.expr] = [ast.copy_location(ast.Constant(one), call) for one in numbers]
    return ast.copy_location(ast.List(elts=elements, ctx=ast.Load()), call)


def plain_dict(suite: Suite, name: str) -> ast.Dict | None:
    """The dict that a name of the module stands for, where its keys are literals and nothing else is done with it."""
    if name not in suite.plain_dicts:
        suite.plain_dicts[name] = _plain_dict(suite, name)
    return suite.plain_dicts[name]


def _plain_dict(suite: Suite, name: str) -> ast.Dict | None:
    values = suite.assigned.get(name)
    if not isinstance(values, ast.Dict):
        return None
    reads = r"\s*[:=]|\.(?:keys|values|items)\(\)|\[\w+\](?!\s*(?:[-+*/|&%@]|//|\*\*|<<|>>)?=(?!=))"
    other = re.compile(rf"\b{name}\b(?!{reads})")
    in_marks = re.compile(rf"\b{name}\b(?!{reads}|[,)])")
    lines = (line for line in suite.source.lines if name in line)
    is_changed = any((in_marks if "mark.parametrize(" in line else other).search(line) for line in lines)
    # Of equal keys only the last one counts.
    return None if is_changed or len(_known_keys(values)) != len(values.values) else values


def _known_keys(node: ast.Dict) -> set[object]:
    """The keys of a dict that are literals."""
    found: set[object] = set()
    for key in node.keys:
        try:
            # What two stars bring has no key, and is no literal.
            found.add(ast.literal_eval(key))  # type: ignore[arg-type]
        except (ValueError, TypeError):
            continue
    return found


def _row(names: Sequence[str], node: ast.expr) -> tuple[Row, tuple[ast.expr, ...]] | None:
    if isinstance(node, ast.Starred):
        return None
    if isinstance(node, ast.Call) and last_name(node.func) == "param":
        values = node.args
        marks = tuple(one.value for one in node.keywords if one.arg == "marks")
    else:
        is_whole = len(names) == 1
        values, marks = [node] if is_whole else list(getattr(node, "elts", ())), ()
    if len(values) != len(names):
        return None
    return dict(zip(names, values, strict=True)), marks


def _names(node: ast.expr) -> tuple[str, ...]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return tuple(name.strip() for name in node.value.split(",") if name.strip())
    if isinstance(node, (ast.List, ast.Tuple)):
        return tuple(str(one.value) for one in node.elts if isinstance(one, ast.Constant))
    return ()
