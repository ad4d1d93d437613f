"""Loads ledgergate with a hook in every place where its code touches something that is not its own.

The source is rewritten as it is imported: each call, attribute, subscript, `in`, iteration, `with` and import inside a
function goes through `Recorder`, which looks at what it really touches. A library that nobody listed as pure is a seam,
and so is the entry of each function of ledgergate itself; code that is written tomorrow is covered by being written.
"""

from __future__ import annotations

import ast
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

# Libraries that reach for nothing outside memory. Of `builtins` too, but for what is handed a library's object.
PURE = frozenset(
    {
        *("builtins", "abc", "ast", "_ast", "re", "enum", "typing", "types", "collections", "_collections_abc"),
        *("functools", "itertools", "operator", "dataclasses", "datetime", "unicodedata", "hashlib", "_hashlib"),
        *("json", "difflib", "textwrap", "shlex", "string", "warnings", "configparser", "contextlib", "gc"),
    }
)
_NO_TOUCH = frozenset({isinstance, type, id})
HOOK = "__seam__"


class Recorder:
    """Counts what each place does, and raises where the plan says so."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.raised: list[str] = []
        self.plan: Callable[[str, int], BaseException | None] = lambda _place, _count: None

    def hit(self, place: str) -> None:
        count = self.counts[place] = self.counts.get(place, 0) + 1
        error = self.plan(place, count)
        if error is not None:
            self.raised.append(place)
            raise error

    def call(self, place: str, function: Any, /, *arguments: Any, **named: Any) -> Any:
        library = origin(function)
        if library in PURE and function not in _NO_TOUCH:
            for argument in arguments:
                if is_foreign(argument):
                    library = "foreign"
                    break
        if library in PURE or library == "ledgergate":
            return function(*arguments, **named)
        self.hit(f"{place} @{library}")
        result = function(*arguments, **named)
        return self.iterate(place, result) if type(result) is types.GeneratorType else result

    def attribute(self, place: str, value: Any, name: str) -> Any:
        if is_foreign(value):
            self.hit(f"{place} @{origin(type(value))}")
        return getattr(value, name)

    def item(self, place: str, value: Any, key: Any) -> Any:
        if is_foreign(value):
            self.hit(f"{place} @{origin(type(value))}")
        return value[key]

    def contains(self, place: str, key: Any, value: Any) -> bool:
        if is_foreign(value):
            self.hit(f"{place} @{origin(type(value))}")
        return key in value

    def iterate(self, place: str, values: Any) -> Any:
        if type(values) is types.GeneratorType or is_foreign(values):
            return self._counted(f"{place} @{origin(type(values))}", values)
        return values

    def _counted(self, place: str, values: Any) -> Iterator[Any]:
        own = isinstance(values, types.GeneratorType) and values.gi_frame.f_globals["__name__"].startswith("ledgergate")
        if own:
            yield from values
            return
        for value in values:
            self.hit(place)
            yield value
        self.hit(place)

    def context(self, place: str, manager: Any) -> Any:
        library = origin(type(manager))
        return manager if library in PURE or library == "ledgergate" else _Context(self, place, library, manager)


class _Context:
    """A library's context manager. Leaving it fails after it has done its work, as a failing `close` does."""

    def __init__(self, recorder: Recorder, place: str, library: str, manager: Any) -> None:
        self._recorder, self._place, self._library, self._manager = recorder, place, library, manager

    def __enter__(self) -> Any:
        try:
            self._recorder.hit(f"{self._place} enter @{self._library}")
        except BaseException:
            # What could not be entered is closed by whoever made it; a context of click's holds nothing before.
            if self._library != "click":
                self._manager.__exit__(None, None, None)
            raise
        return self._manager.__enter__()

    def __exit__(self, *error: object) -> Any:
        done = self._manager.__exit__(*error)
        self._recorder.hit(f"{self._place} exit @{self._library}")
        return done


def origin(value: Any) -> str:
    """The top-level name of the library that a callable or a type comes from."""
    kind = type(value)
    if kind is types.MethodType:
        module = value.__func__.__module__
    elif kind is types.BuiltinFunctionType and value.__module__ is None:
        module = type(value.__self__).__module__
    elif kind in _NAMED or isinstance(value, type) or hasattr(value, "__wrapped__"):
        module = value.__module__
    else:
        module = kind.__module__
    return _top(module)


_NAMED = frozenset({types.FunctionType, types.BuiltinFunctionType})


@functools.cache
def _top(module: str | None) -> str:
    return (module or "builtins").partition(".")[0]


def is_foreign(value: Any) -> bool:
    """Whether it is an object of a library whose attributes may do work: libgit2's above all."""
    return _is_foreign(type(value))


@functools.cache
def _is_foreign(kind: type) -> bool:
    return _top(kind.__module__) in ("pygit2", "_pygit2", "yaml", "ruamel", "click")


class _Rewrite(ast.NodeTransformer):
    def __init__(self, module: str) -> None:
        self._names = [module.removeprefix("ledgergate.")]
        self._depth = 0

    def _hook(self, method: str, detail: str, *arguments: ast.expr) -> ast.Call:
        place = f"{'.'.join(self._names)}: {detail[:60]}"
        hook = ast.Attribute(ast.Name(HOOK, ast.Load()), method, ast.Load())
        return ast.Call(hook, [ast.Constant(place), *arguments], [])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._names.append(node.name)
        self._depth += 1
        start = ast.Expr(self._hook("hit", "entered"))
        docstring = [node.body[0]] if ast.get_docstring(node, clean=False) is not None else []
        node.body = [*docstring, start, *self._all(node.body[len(docstring) :])]
        self._depth -= 1
        self._names.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self._names.append(node.name)
        node.body = self._all(node.body)
        self._names.pop()
        return node

    def _all(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        done: list[ast.stmt] = []
        for statement in body:
            if self._depth and isinstance(statement, (ast.Import, ast.ImportFrom)):
                done.append(ast.Expr(self._hook("hit", f"{ast.unparse(statement).partition(' import ')[0]} @import")))
            new = self.visit(statement)
            done += new if isinstance(new, list) else [new]
        return done

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, self._all(statements))
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
            elif isinstance(value, list) and field not in ("body", "orelse", "finalbody"):
                value[:] = [self.visit(entry) if isinstance(entry, ast.AST) else entry for entry in value]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._depth += 1
        node.body = self.visit(node.body)
        self._depth -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        node.guard = node.guard and self.visit(node.guard)
        node.body = self._all(node.body)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        detail = f"{ast.unparse(node.func)}()"
        own_frame = isinstance(node.func, ast.Name) and node.func.id == "super"
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        else:
            node.func = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        if not self._depth or own_frame:
            return node
        call = self._hook("call", detail, node.func, *node.args)
        call.keywords = node.keywords
        return call

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        detail = ast.unparse(node)
        node.value = self.visit(node.value)
        if not self._depth or not isinstance(node.ctx, ast.Load):
            return node
        return self._hook("attribute", detail, node.value, ast.Constant(node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        detail = ast.unparse(node)
        node.value, node.slice = self.visit(node.value), self.visit(node.slice)
        if not self._depth or not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice):
            return node
        return self._hook("item", detail, node.value, node.slice)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        detail = ast.unparse(node)
        self.generic_visit(node)
        if not self._depth or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return node
        found = self._hook("contains", detail, node.left, node.comparators[0])
        return found if isinstance(node.ops[0], ast.In) else ast.UnaryOp(ast.Not(), found)

    def visit_For(self, node: ast.For) -> ast.AST:
        detail = f"for ... in {ast.unparse(node.iter)}"
        self.generic_visit(node)
        node.iter = self._hook("iterate", detail, node.iter) if self._depth else node.iter
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        detail = f"for ... in {ast.unparse(node.iter)}"
        self.generic_visit(node)
        node.iter = self._hook("iterate", detail, node.iter) if self._depth else node.iter
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        detail = ast.unparse(node)
        self.generic_visit(node)
        if self._depth and isinstance(node.ctx, ast.Load):
            node.value = self._hook("iterate", detail, node.value)
        return node

    def visit_withitem(self, node: ast.withitem) -> ast.AST:
        detail = f"with {ast.unparse(node.context_expr)}"
        self.generic_visit(node)
        if self._depth:
            node.context_expr = self._hook("context", detail, node.context_expr)
        return node


class Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of ledgergate with the hooks in it."""

    recorder = Recorder()

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> types.CodeType:  # type: ignore[override]
        tree = _Rewrite(self.name).visit(ast.parse(data))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True, optimize=_optimize)

    def get_code(self, fullname: str) -> types.CodeType:
        # Past the byte code that lies beside the source.
        return self.source_to_code(self.get_data(self.path), self.path)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__[HOOK] = self.recorder
        super().exec_module(module)


class Finder(importlib.abc.MetaPathFinder):
    """Puts `Loader` in charge of the modules of ledgergate."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != "ledgergate":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return None
        return importlib.util.spec_from_file_location(
            fullname,
            spec.origin,
            loader=Loader(fullname, spec.origin),
            submodule_search_locations=spec.submodule_search_locations,
        )


def load_with_seams() -> Recorder:
    """From here on, import ledgergate with hooks; the recorder that they report to. In a process of its own."""
    assert not any(name.partition(".")[0] == "ledgergate" for name in sys.modules)
    sys.meta_path.insert(0, Finder())
    return Loader.recorder
