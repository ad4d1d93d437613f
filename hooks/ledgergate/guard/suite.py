"""A test file as the guard sees it: its tests, what they lean on, and where its names come from."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ledgergate.guard.bindings import bindings
from ledgergate.guard.parts import returned
from ledgergate.guard.terms import Returns, Writer, is_literal
from ledgergate.source.kinds import is_test_function
from ledgergate.source.syntax import Function, base_name, imports, last_name, walk
from ledgergate.source.text import Source

# Of these the name says what a condition is about.
_TELLING_MODULES = frozenset({"sys", "os", "platform"})
_MOST_BASES = 50
_OPEN = ("(", "[", "{")

# What a name of a file stands for.
Definition = Function | ast.ClassDef | ast.expr


class Origin(NamedTuple):
    """Where an imported name comes from: `from MODULE import NAME`, with `level` dots before the module."""

    module: str
    level: int
    name: str


class Test(NamedTuple):
    """A function that runners take for a test.

    `name` is the path to it, as in `TestX::test_y`; `conditions` are those of the `if` statements that it is defined
    under. `is_collected`: nothing in the file keeps runners from it.
    """

    name: str
    node: Function
    classes: tuple[ast.ClassDef, ...]
    conditions: tuple[ast.expr, ...]
    is_collected: bool


class Placed(NamedTuple):
    """A function or class, and what it is defined in."""

    node: Function | ast.ClassDef
    classes: tuple[ast.ClassDef, ...]
    conditions: tuple[ast.expr, ...]


class Suite:
    """One file that holds tests, or what tests lean on."""

    def __init__(self, path: str, source: Source) -> None:
        self.path = path
        self.source = source
        self.tree = source.tree
        self._bound: dict[int, Mapping[str, int]] = {}
        self._mentioned: dict[str, bool] = {}
        # What `tables` knows of the dicts that names of the module stand for.
        self.plain_dicts: dict[str, ast.Dict | None] = {}
        self._since: tuple[Suite | None, str] | None = None
        # What a name that is imported from a file of the tests stands for there.
        self.elsewhere: Callable[[Suite, Origin], tuple[Suite, ast.AST] | None] = lambda _suite, _origin: None

    def line(self, number: int | None) -> str | None:
        """A line of the file, without the white space around it; the whole statement where it opens a bracket there."""
        lines = self.source.lines
        if number is None or not 0 < number <= len(lines):
            return None
        found = lines[number - 1].strip()
        return self._joined(number) if found.endswith(_OPEN) else found

    def _joined(self, number: int) -> str:
        """The statement that begins on a line, or the head of one, in one line; the line alone where none does."""
        node = self._by_line.get(number)
        first = next(iter(getattr(node, "body", ())), None)
        end = number if node is None else (node.end_lineno or number) if first is None else first.lineno - 1
        whole = ""
        for part in map(str.strip, self.source.lines[number - 1 : max(number, end)]):
            is_tight = whole.endswith(_OPEN) or part.startswith((")", "]", "}"))
            whole += part if is_tight or not whole else f" {part}"
        return whole

    @cached_property
    def _by_line(self) -> Mapping[int, ast.stmt]:
        """The statement that begins on each line."""
        return {node.lineno: node for node in walk(self.tree) if isinstance(node, ast.stmt)}

    def text(self, node: ast.stmt) -> str:
        """The lines of a statement, decorators too, without the indentation of the first one."""
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        return _moved_left(self.source.lines[first - 1 : node.end_lineno])

    def body(self, node: Function) -> str:
        """The lines of a function below its head, without the indentation of the first one."""
        return _moved_left(self.source.lines[node.body[0].lineno - 1 : node.end_lineno])

    def mentions(self, word: str) -> bool:
        """Whether a word stands somewhere in the file."""
        known = self._mentioned.get(word)
        if known is None:
            known = self._mentioned[word] = word in self._whole
        return known

    def count(self, word: str) -> int:
        """How often a word stands in the file."""
        return self._whole.count(word)

    @cached_property
    def has_walrus(self) -> bool:
        return self.mentions(":=")

    @cached_property
    def _whole(self) -> str:
        return "\n".join(self.source.lines)

    def text_since(self, old: Suite | None) -> str:
        """The lines that came since `old`, a line feed before each; every family of rules asks it of the same two."""
        if self._since is None or self._since[0] is not old:
            known = frozenset(old.source.lines) if old is not None else frozenset[str]()
            self._since = (old, "".join(f"\n{line}" for line in self.source.lines if line not in known))
        return self._since[1]

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """The functions and classes of the module and of its classes, in their branches too."""
        return tuple(_placed(self.tree.body, (), ()))

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """All tests in the order of the file; of several with one name the last one counts."""
        found = []
        for node, classes, conditions in self.placed:
            if isinstance(node, Function) and is_test_function(node) and all(map(self._holds, classes)):
                name = "::".join([*(one.name for one in classes), node.name])
                is_kept = self._is_rebound(node, classes) or self._is_defined_again(classes) or _is_property(node)
                is_collected = not is_kept and not any(map(_never, conditions))
                found.append(Test(name, node, classes, conditions, is_collected))
        return tuple(found)

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The functions of the module by their names, but for those whose name something else gets further down."""
        return {
            one.node.name: one.node
            for one in self.placed
            if not one.classes
            and isinstance(one.node, Function)
            and self.bound.get(one.node.name, 0) <= one.node.lineno
        }

    @cached_property
    def fixtures(self) -> Mapping[str, Function]:
        """The fixtures of the module and its classes, by the names that tests ask for them by."""
        found: dict[str, Function] = {}
        for one in self.placed:
            for decorator in one.node.decorator_list if isinstance(one.node, Function) else ():
                if "fixture" in last_name(decorator) and last_name(decorator) != "usefixtures":
                    found[_fixture_name(decorator) or one.node.name] = one.node  # type: ignore[assignment]
        return found

    @cached_property
    def classes(self) -> Mapping[str, ast.ClassDef]:
        return {one.node.name: one.node for one in self.placed if isinstance(one.node, ast.ClassDef)}

    def methods(self, classes: Sequence[ast.ClassDef]) -> dict[str, Function]:
        """The methods of the innermost class and of its bases in the file."""
        found: dict[str, Function] = {}
        for one in self.lineage(classes):
            own = {node.name: node for node in one.body if isinstance(node, Function)}
            for name, line in self._last_bound(one).items():
                if name in own and line > own[name].lineno:
                    del own[name]
            found = {**own, **found}
        return found

    def lineage(self, classes: Sequence[ast.ClassDef]) -> list[ast.ClassDef]:
        """The innermost class, and the bases of it that the file defines."""
        found = list(classes[-1:])
        for one in found:
            for base in one.bases:
                node = self.classes.get(base_name(base))
                if node is not None and node not in found and len(found) < _MOST_BASES:
                    found.append(node)
        return found

    @cached_property
    def assigned(self) -> Mapping[str, ast.expr]:
        """The names that the module binds once, with their values."""
        found: dict[str, list[ast.expr]] = {}
        for node in self.tree.body:
            for target, value in _assignments(node):
                found.setdefault(target, []).append(value)
            for target, value in _emptied(node):
                found.setdefault(target, []).append(value)
                if value is _NOTHING:
                    found[target] = [value]
        return {name: values[0] for name, values in found.items() if len(values) == 1}

    @cached_property
    def import_statements(self) -> Sequence[ast.Import | ast.ImportFrom]:
        found = [node for node in self.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        if self.count("import") > len(found):
            # Some may stand within functions and branches.
            found = sorted((node for node, _ in imports(self.tree)), key=lambda node: node.lineno)
        return found

    @cached_property
    def origins(self) -> Mapping[str, Origin]:
        """What `from ... import ...` binds."""
        return {
            alias.asname or alias.name: Origin(node.module or "", node.level, alias.name)
            for node in self.import_statements
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }

    @cached_property
    def modules(self) -> Mapping[str, str]:
        """The names that `import ...` binds to modules."""
        found: dict[str, str] = {}
        for node in self.import_statements:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.asname or alias.name.partition(".")[0]] = alias.name
        return found

    @cached_property
    def imported(self) -> frozenset[str]:
        """The names that imports bind."""
        return frozenset((*self.modules, *self.origins))

    @cached_property
    def writer(self) -> Writer:
        modules = {name for name in self.modules if name not in _TELLING_MODULES}
        modules |= {module for module in self.modules.values() if module not in _TELLING_MODULES}
        return Writer(modules, self._returns)

    @cached_property
    def imported_names(self) -> dict[str, str]:
        """What imported names are called where they come from."""
        found = {name: origin.name for name, origin in self.origins.items() if name != origin.name}
        found.update(
            (name, f"{origin.module}.{origin.name}")
            for name, origin in self.origins.items()
            if origin.module in _TELLING_MODULES and not origin.level
        )
        if self.mentions("HTTPStatus"):
            found.update(self._statuses)
        return found

    @property
    def _statuses(self) -> Iterator[tuple[str, str]]:
        """`HTTPStatus.OK` is 200 wherever it is compared."""
        from http import HTTPStatus

        for name, origin in self.origins.items():
            if origin == ("http", 0, "HTTPStatus"):
                yield from ((f"{name}.{one.name}", f"«{one.value}»") for one in HTTPStatus)

    @cached_property
    def environment(self) -> dict[str, str]:
        """The terms of names that stand for literals, or that are imported under another name."""
        found = self.imported_names
        for name, value in self.assigned.items():
            term = self.writer.term(value, found)
            if is_literal(term):
                found = {**found, name: term}
        return found

    @cached_property
    def full_environment(self) -> dict[str, str]:
        """The same, and names that stand for any other expression."""
        found = dict(self.imported_names)
        for name, value in self.assigned.items():
            found[name] = self.writer.term(value, found)
        return found

    @cached_property
    def values_set(self) -> Mapping[str, ast.expr]:
        """What a class, or a method by `self`, assigns to a name, by that name; the outermost and first one counts."""
        found: dict[str, ast.expr] = {}
        for one in walk(self.tree):
            for target in one.targets if isinstance(one, ast.Assign) else ():
                found.setdefault(last_name(target), one.value)  # type: ignore[attr-defined]
        return found

    @cached_property
    def classes_anywhere(self) -> Mapping[str, ast.ClassDef]:
        """The classes by their names, those within functions too; the outermost and first one counts."""
        found: dict[str, ast.ClassDef] = {}
        for one in walk(self.tree):
            if isinstance(one, ast.ClassDef):
                found.setdefault(one.name, one)
        return found

    @cached_property
    def always_equal(self) -> tuple[str, ...]:
        """The classes that say of everything that it is equal."""
        if not self.mentions("__eq__"):
            return ()
        nodes = [node for node in walk(self.tree) if isinstance(node, ast.ClassDef)]
        return tuple(node.name for node in nodes if is_always_equal(node))

    @cached_property
    def _returns(self) -> Returns:
        """Functions of the module that do no more than return something."""
        found: dict[str, tuple[ast.arguments, ast.expr]] = {}
        for name, node in self.functions.items():
            value = returned(node)
            if value is not None and not node.decorator_list:
                found[name] = (node.args, value)
        return found

    def _holds(self, node: ast.ClassDef) -> bool:
        """Whether runners look into a class for tests."""
        lineage = self.lineage((node,))
        if any(_says_no(one) for one in lineage[:1]):
            return False
        if not node.name.startswith("Test"):
            # A base of another file may be a test case.
            return any(base_name(base) not in ("object", *self.classes) for one in lineage for base in one.bases)
        makes_itself = any(isinstance(one, Function) and one.name in ("__init__", "__new__") for one in node.body)
        return not makes_itself or bool(node.bases)

    def _is_rebound(self, node: Function, classes: Sequence[ast.ClassDef]) -> bool:
        """Whether the name stands for something else in the end: it is assigned, deleted or imported further down."""
        own = self._last_bound(classes[-1]) if classes else self.bound
        other = self._other_functions.get((id(classes[-1]) if classes else 0, node.name), 0)
        if max(own.get(node.name, 0), other) > node.lineno:
            return True
        whole = f"{classes[-1].name}.{node.name}" if classes else node.name
        # Nobody can say which names a star brings, and only below the tests could they take the place of one.
        names = (whole, f"{whole}.__test__", f"{whole}.__code__", *(() if classes else ("*",)))
        return not self.bound.keys().isdisjoint(names) and any(self.bound.get(name, 0) > node.lineno for name in names)

    def _is_defined_again(self, classes: Sequence[ast.ClassDef]) -> bool:
        """Whether something else takes the place of a test's outermost class further down."""
        return bool(classes) and self.bound.get(classes[0].name, 0) > classes[0].lineno

    @cached_property
    def _other_functions(self) -> Mapping[tuple[int, str], int]:
        """The last lines on which functions are defined that are no tests, by their classes and names."""
        return {
            (id(one.classes[-1]) if one.classes else 0, one.node.name): one.node.lineno
            for one in self.placed
            if isinstance(one.node, Function) and not is_test_function(one.node)
        }

    @cached_property
    def bound(self) -> Mapping[str, int]:
        """The last lines on which the module binds or deletes names, other than by defining functions."""
        return self._last_bound(self.tree)

    def bindings_of(self, node: ast.ClassDef) -> Mapping[str, int]:
        """The same of a class."""
        return self._last_bound(node)

    def _last_bound(self, scope: ast.Module | ast.ClassDef) -> Mapping[str, int]:
        """The last lines on which a scope's own statements bind names, other than by defining functions."""
        if id(scope) not in self._bound:
            self._bound[id(scope)] = dict(bindings(scope.body))
        return self._bound[id(scope)]


def _moved_left(lines: Sequence[str]) -> str:
    """Lines without the indentation of the first one, so that they are the same wherever they stand."""
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return "\n".join(line.removeprefix(indent).rstrip() for line in lines)


def is_always_equal(node: ast.ClassDef) -> bool:
    """Whether a class defines an `__eq__` that returns True, whatever it is given."""
    for one in node.body:
        if isinstance(one, Function) and one.name == "__eq__":
            return _is_true(returned(one))
        if isinstance(one, ast.Assign) and any(getattr(target, "id", "") == "__eq__" for target in one.targets):
            return isinstance(one.value, ast.Lambda) and _is_true(one.value.body)
    return False


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


def _placed(
    body: Sequence[ast.stmt], classes: tuple[ast.ClassDef, ...], conditions: tuple[ast.expr, ...]
) -> Iterator[Placed]:
    for node in body:
        if isinstance(node, Function):
            yield Placed(node, classes, conditions)
        elif isinstance(node, ast.ClassDef):
            yield Placed(node, classes, conditions)
            yield from _placed(node.body, (*classes, node), conditions)
        elif isinstance(node, ast.If):
            yield from _placed(node.body, classes, (*conditions, node.test))
            otherwise = ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=node.test), node.test)
            yield from _placed(node.orelse, classes, (*conditions, otherwise))
        elif isinstance(node, (ast.Try, ast.TryStar, ast.With, ast.For)):
            over = (*conditions, node.iter) if isinstance(node, ast.For) else conditions
            for field in ("body", "orelse", "finalbody"):
                yield from _placed(getattr(node, field, ()), classes, over)
            for handler in getattr(node, "handlers", ()):
                caught = (handler.type,) if handler.type is not None else ()
                yield from _placed(handler.body, classes, (*conditions, *caught))


def _never(condition: ast.expr) -> bool:
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return isinstance(condition.operand, ast.Constant) and bool(condition.operand.value)
    return (isinstance(condition, ast.Constant) and not condition.value) or last_name(condition) == "TYPE_CHECKING"


def _assignments(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, node.value
            elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                yield f"{target.value.id}.{target.attr}", node.value
            elif isinstance(target, ast.Attribute) and target.attr == "__code__":
                yield f"{ast.unparse(target)}", node.value
            elif isinstance(target, ast.Subscript) and last_name(target.value) == "globals":
                yield str(getattr(target.slice, "value", "")), node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
        yield node.target.id, node.value


_NOTHING = ast.List(elts=[], ctx=ast.Load())
_TAKING = frozenset({"pop", "remove", "popitem", "popleft", "difference_update", "intersection_update"})


def _emptied(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """What a statement takes out of a list or table that a name stands for."""
    if isinstance(node, ast.Delete):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                yield target.value.id, _NOTHING if ast.unparse(target.slice) == ":" else target
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        if call.func.attr == "clear" or call.func.attr in _TAKING:
            yield call.func.value.id, _NOTHING if call.func.attr == "clear" else call
    elif isinstance(call, ast.Call) and last_name(call.func) in ("next", "list"):
        yield from ((one.id, call) for one in call.args if isinstance(one, ast.Name))


def _says_no(node: ast.ClassDef) -> bool:
    """Whether a class says that it holds no tests."""
    return any(
        target == "__test__" and isinstance(value, ast.Constant) and not value.value
        for one in node.body
        for target, value in _assignments(one)
    )


def _is_property(node: Function) -> bool:
    return any(last_name(one) in ("property", "cached_property", "abstractmethod") for one in node.decorator_list)


def _fixture_name(decorator: ast.expr) -> str | None:
    for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
            return keyword.value.value
    return None
