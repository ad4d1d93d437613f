"""What a file puts in the place of something for the tests of other files: of its folder, or of the whole run."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Iterator

from ledgergate.guard.bindings import bound_by_call, stored
from ledgergate.guard.edits import Around
from ledgergate.guard.exits import dotted
from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import patched_by
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import Function, children, dotted_name, header_of, last_name, walk

_DOTTED = r"\w+(?:\.\w+)+"
_MODULES = "sys.modules."
# What binds a name of something else by whatever it is given.
_BINDING = frozenset({"setattr", "delattr", "__setattr__", "__delattr__"})
# What runs a text, or holds what every module calls; as names alone, since `model.eval()` is another.
_RUNNING = frozenset({"exec", "eval", "__builtins__"})
# What finds modules, and the parts of functions and objects that do what they do.
_FINDERS = frozenset({"meta_path", "path_hooks", "path_importer_cache"})
_SLOTS = frozenset({"__code__", "__defaults__", "__kwdefaults__", "__class__", "__bases__"})
_DEFERRED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def patched_in_fixtures(old: Suite | None, new: Suite, around: Around) -> Iterator[Loss]:
    """What a conftest newly puts in the place of something that tests call."""
    known = {target for target, _ in _replaced(old, walk(old.tree))} if old is not None else set()
    replaced = [one for one in _replaced(new, walk(new.tree)) if one[0] not in known]
    return _told(new, replaced, new.path.rpartition("/")[0], around)


def patched_on_import(new: Suite, around: Around) -> Iterator[Loss]:
    """What a new file of tests puts in the place of something that other tests call, as soon as it is imported.

    Where only the run could say what that is, it waits for a human.
    """
    nodes = _run_on_import(new)
    replaced = list(_replaced(new, nodes))
    told = list(_told(new, replaced, "", around))
    yield from told
    if not told:
        doubtful = (*_of_python(replaced, around), *_reaching(new, nodes))
        yield from (_loss(new, line, message)._replace(waits=True) for message, line in doubtful)


def _of_python(replaced: Iterable[tuple[str, int]], around: Around) -> Iterator[tuple[str, int]]:
    """Parts of Python's own modules that tests call, and that may be replaced for what is tested alone."""
    for target, line in replaced:
        root, _, rest = target.partition(".")
        if rest and root in sys.stdlib_module_names and around.is_called(target.rpartition(".")[2], ""):
            yield f"`{target}` is replaced for all tests when the file is imported", line


def _reaching(suite: Suite, nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Where something is bound of which the text does not tell whose it is, by the ways that there are to do that."""
    own = {node.name for node in suite.tree.body if isinstance(node, (Function, ast.ClassDef))}
    for node in nodes:
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        is_bound = isinstance(getattr(node, "ctx", None), ast.Store)
        if (name in _BINDING and not is_bound) or (name in _RUNNING and isinstance(node, ast.Name) and not is_bound):
            yield f"`{name}` runs when the file is imported", node.lineno  # type: ignore[attr-defined]
        elif name in _FINDERS or (name in _SLOTS and is_bound):
            yield f"`{name}` is changed when the file is imported", node.lineno  # type: ignore[attr-defined]
        elif isinstance(node, ast.Call) and dotted(node.func, suite).startswith("unittest.mock.patch"):
            yield "A patch begins when the file is imported", node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            root = dotted_name(node).partition(".")[0]
            if root in suite.assigned and root not in own and _comes_of_a_module(suite.assigned[root]):
                yield f"`{ast.unparse(node)}` is set when the file is imported", node.lineno


def _comes_of_a_module(value: ast.expr) -> bool:
    """Whether an expression looks a module up."""
    named = (one for one in walk(value) if isinstance(one, (ast.Name, ast.Attribute)))
    return any(last_name(one) in ("import_module", "__import__", "modules") for one in named)


def _told(suite: Suite, replaced: Iterable[tuple[str, int]], folder: str, around: Around) -> Iterator[Loss]:
    """A loss for what tests in a folder call."""
    for target, line in replaced:
        root, _, rest = target.partition(".")
        name = target.rpartition(".")[2]
        if target.startswith(_MODULES):
            module = target.removeprefix(_MODULES)
            if around.is_own(module):
                yield _loss(suite, line, f"The module `{module}` is what tests call, and it is replaced for them")
        elif root in sys.stdlib_module_names or not rest or name.isupper():
            continue
        elif around.is_called(name, folder) or hasattr(builtins, name):
            lost = _loss(suite, line, f"`{name}` is what tests call, and it is replaced for them")
            # A method that Python calls may be wrapped to keep count of what there is.
            yield lost._replace(waits=name.startswith("__"))


def _loss(suite: Suite, line: int, message: str) -> Loss:
    return Loss("subject-replaced", suite.path, message, None, line, None, suite.line(line))


def _run_on_import(suite: Suite) -> list[ast.AST]:
    """What runs when the file is imported, without patches that are undone again: as decorators, and of a block.

    Of functions only what is called by then is there, also as a decorator; of lambdas those that a call is given.
    """
    functions = {node.name: node for node in suite.tree.body if isinstance(node, Function)}
    found: list[ast.AST] = [suite.tree]
    for one in found:
        undone = [*getattr(one, "decorator_list", ()), *(item.context_expr for item in getattr(one, "items", ()))]
        for called in (one.func,) if isinstance(one, ast.Call) else undone:
            if isinstance(called, ast.Name) and called.id in functions:
                found += functions.pop(called.id).body
        if isinstance(one, ast.Call):
            found += [given.body for given in one.args if isinstance(given, ast.Lambda)]
        parts = header_of(one) if isinstance(one, _DEFERRED) else children(one)
        found += [part for part in parts if not _is_a_patch(part, suite)] if undone else parts
    return found


def _is_a_patch(node: ast.AST, suite: Suite) -> bool:
    if isinstance(node, ast.withitem):
        node = node.context_expr
    return isinstance(node, ast.Call) and dotted(node.func, suite).startswith("unittest.mock.patch")


def _replaced(suite: Suite, nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Dotted names of what is imported and gets another value, and `sys.modules.NAME`; each with its line."""
    yield from ((f"{_MODULES}{module}", line) for module, line in sorted(replaced_modules(suite, nodes)))
    imported = {*suite.modules, *suite.modules.values(), *suite.origins}
    if suite.mentions("import_module") or suite.mentions("sys.modules"):
        imported |= set(_named_in_texts(suite))
    for node in nodes:
        targets: list[str] = []
        if isinstance(node, ast.Call):
            targets += patched_by(node, lambda one: suite.writer.term(one, {}))
            targets += [one for one in bound_by_call(node) if "." in one]
        elif isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names = [one.removesuffix(".__code__") for one in stored(node)]
            targets += [one for one in names if re.fullmatch(_DOTTED, one) and one.partition(".")[0] in imported]
        yield from ((one, node.lineno) for one in targets)  # type: ignore[attr-defined]


def _named_in_texts(suite: Suite) -> Iterator[str]:
    """What stands in texts and could be a module that is looked up by its name."""
    for node in walk(suite.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            root = node.value.partition(".")[0]
            yield from [root] if root.isidentifier() else []


def replaced_modules(suite: Suite, nodes: Iterable[ast.AST]) -> set[tuple[str, int]]:
    """Names in `sys.modules` that get another module, each with its line."""
    found: set[tuple[str, int]] = set()
    if not suite.mentions("modules"):
        return found
    for node in nodes:
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = [
                one.slice
                for one in node.targets
                if isinstance(one, ast.Subscript) and last_name(one.value) == "modules"
            ]
        elif isinstance(node, ast.Call) and last_name(node.func) == "setitem" and len(node.args) > 2:
            if isinstance(node.args[2], ast.Constant) and node.args[2].value is None:
                # So that it cannot be imported.
                continue
            targets = [node.args[1]] if last_name(node.args[0]) == "modules" else []
        for one in targets:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                found.add((one.value, node.lineno))  # type: ignore[attr-defined]
    return found
