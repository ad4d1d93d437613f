"""Tests whose subject something else was put in the place of."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Container, Iterator

from ledgergate.guard.bindings import UNKNOWN, runs_text
from ledgergate.guard.loss import Loss
from ledgergate.guard.patched import replaced_modules
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Origin, Suite, Test
from ledgergate.guard.terms import calls
from ledgergate.source.syntax import walk

# What nothing but the outcome of a computation depends on.
_PURE = frozenset({"sum", "len", "int", "float", "str", "abs", "round", "min", "max", "sorted", "any", "all", "bool"})
# What functions are called that reach out of the process, or for the time.
_OUTWARD = (
    r"_*(?:now|today|utcnow|time|clock|monotonic|sleep|wait|random|rand|fetch|get|post|put|request|send|open|connect|run"
    r"|exec|spawn|popen|call|download|upload|client|session|conn|db|read|load|write|save|log|print|notify|emit|prompt"
    r"|input|confirm|which|find|lookup|is|has|can|should|env|home|root|path|cache|reset)(?:_\w*|s)?"
)
_STANDS_IN = r"(?:.*[._])?(?:fakes?|stubs?|mocks?|dumm(?:y|ies)|doubles?|shadow)(?:[._].*)?"


def replaced_subjects(new: Suite, now: Test, before: Reading, after: Reading) -> Iterator[tuple[str, Loss]]:
    """What a test calls and looks at the result of, and newly puts something else in the place of; with its name."""
    known = {patch.target for patch in before.patches}
    asked = {name for fact in before.facts for name in calls(fact.whole)} | before.helpers
    told: set[str] = set()
    for patch in after.patches:
        name = patch.target.rpartition(".")[2]
        if patch.target not in known and name in _PURE and name not in told:
            message = f"`{name}` is what code computes with, and it is replaced now"
            yield name, _loss(new, patch.line, message, now.name)._replace(waits=True)
        if patch.target not in known and name not in asked and _is_inner(new, patch.target, asked):
            message = f"`{name}` is a part of what the test looks at, and it is replaced now"
            yield name, _loss(new, patch.line, message, now.name)._replace(waits=True)
        if patch.target not in known and name in asked and name not in told:
            told.add(name)
            yield name, _loss(new, patch.line, f"`{name}` is what the test looks at, and it is replaced now", now.name)


def _is_inner(new: Suite, target: str, asked: Container[str]) -> bool:
    """Whether it is a function or method of the module that gives what a test looks at, and no way out of it."""
    owner, _, name = target.rpartition(".")
    if not re.fullmatch("_?[a-z]\\w*", name) or re.fullmatch(_OUTWARD, name):
        return False
    modules = {one.module for called, one in new.origins.items() if called in asked} | {*new.modules.values()}
    modules -= sys.stdlib_module_names
    return any(owner == one or owner.startswith(f"{one}.") for one in modules if one)


def shadowed_subjects(old: Suite, new: Suite, beside: Callable[[Origin], bool]) -> Iterator[tuple[str, Loss]]:
    """Imported names that the file now binds itself, or takes from elsewhere; `beside` knows modules of the tests."""
    own = {one.node.name: one.node.lineno for one in new.placed if not one.classes}
    own |= {name: line for name, line in new.bound.items() if not _is_imported_on(new, name, line)}
    before = {one.node.name for one in old.placed if not one.classes} | set(old.bound) - set(old.origins)
    for name, line in own.items():
        if name in old.origins and name not in before and old.mentions(f"{name}("):
            yield name, _loss(new, line, f"`{name}` was imported, and the file defines one of its own now", None)
    for node in new.import_statements:
        is_star = isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and "*" not in old.bound
        if is_star and beside(Origin(node.module or "", node.level, "*")):  # type: ignore[union-attr]
            message = "Any name of another file of the tests may come in the place of what is tested now"
            yield "*", _loss(new, node.lineno, message, None)._replace(waits=True)
    for name, origin in new.origins.items():
        was = old.origins.get(name)
        if was is None or was[:2] == origin[:2] or not old.mentions(f"{name}("):
            continue
        stands_in = re.fullmatch(_STANDS_IN, origin.module, re.IGNORECASE) and not re.fullmatch(
            _STANDS_IN, was.module, re.IGNORECASE
        )
        is_another = was.name == name != origin.name and origin.module in sys.stdlib_module_names
        if (
            (is_another and was.module.partition(".")[0] not in sys.stdlib_module_names)
            or stands_in
            or (beside(origin) and not beside(was))
        ):
            yield name, _loss(new, _import_line(new, name), f"`{name}` comes from {origin.module} now", None)
    yield from _methods_in_place(old, new)
    yield from _set_by_hand(old, new)
    known = {module for module, _ in replaced_modules(old, walk(old.tree))}
    for module, line in sorted(replaced_modules(new, walk(new.tree))):
        if module not in known and module.partition(".")[0] in {one.partition(".")[0] for one in _imported(old)}:
            yield module, _loss(new, line, f"The module `{module}` is replaced in sys.modules now", None)


def _is_imported_on(suite: Suite, name: str, line: int) -> bool:
    """Whether it is an import that binds a name on that line."""
    on_it = (node for node in suite.import_statements if node.lineno == line)
    return any(name == (one.asname or one.name) for node in on_it for one in node.names)


def _set_by_hand(old: Suite, new: Suite) -> Iterator[tuple[str, Loss]]:
    """Attributes of what is imported, and names that are only computed, which the file binds for all of its tests."""
    for target, line in new.bound.items():
        if target in old.bound or _is_imported_on(new, target, line):
            continue
        root, _, rest = target.removesuffix(".__code__").partition(".")
        name = (rest or root).rpartition(".")[2]
        if UNKNOWN in target.split("."):
            message = "It binds or deletes a name that is only computed when it runs"
            yield UNKNOWN, _loss(new, line, message, None)._replace(waits=True)
        elif "." in target and _is_of_code(old, root) and not name.isupper():
            is_asked = old.mentions(f"{name}(")
            message = f"`{target}` is replaced for all tests of the file now"
            yield name, _loss(new, line, message, None)._replace(waits=not is_asked)
    known = len(list(runs_text(old.tree.body)))
    for line in list(runs_text(new.tree.body))[known:]:
        yield (
            UNKNOWN,
            _loss(new, line, "It runs a text as code for all tests of the file now", None)._replace(waits=True),
        )


def _is_of_code(old: Suite, root: str) -> bool:
    """Whether a name stands for something that is imported, and not from Python itself."""
    origin = old.origins.get(root)
    module = origin.module if origin is not None else old.modules.get(root, "")
    if not module and root in _imported(old):
        module = root
    return bool(module) and module.partition(".")[0] not in {*sys.stdlib_module_names, "pytest", "hypothesis"}


def _methods_in_place(old: Suite, new: Suite) -> Iterator[tuple[str, Loss]]:
    """Methods of the test classes that are called where an imported function of their name was."""
    known = {one.node.name for one in old.placed if one.classes}
    for one in new.placed:
        name = one.node.name
        is_own = bool(one.classes) and name in old.origins and name not in known
        owner = one.classes[-1].name if one.classes else ""
        ways = (f"self.{name}(", f"{owner}.{name}(", f"{owner}().{name}(")
        if is_own and old.mentions(f"{name}(") and any(map(new.mentions, ways)):
            message = f"`{name}` was imported, and the class defines one of its own now"
            yield name, _loss(new, one.node.lineno, message, None)


def _imported(suite: Suite) -> set[str]:
    return {*suite.modules.values(), *(origin.module for origin in suite.origins.values())}


def _import_line(suite: Suite, name: str) -> int | None:
    for node in walk(suite.tree):
        if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
            return node.lineno
    return None


def _loss(suite: Suite, line: int | None, message: str, subject: str | None) -> Loss:
    return Loss("subject-replaced", suite.path, message, subject, line, None, suite.line(line))
