"""What ends the process, or the run, in the midst of tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.guard.suite import Suite
from ledgergate.guard.well_known import RAISING
from ledgergate.source.syntax import Function, children, last_name, walk

_AT_ONCE = frozenset({"_exit", "abort", "_sigsegv", "_sigabrt", "_sigfpe", "raise_signal", "interrupt_main"})
# What a module must be called so that the name ends a process; any for those of which no other is known.
_OWNED = {"abort": ("os", "nt", "posix"), "raise_signal": ("signal",), "interrupt_main": ("_thread",)}
_KILLING = frozenset({"kill", "killpg", "pthread_kill"})
_OURS = frozenset({"getpid", "getpgid", "getpgrp", "getppid", "get_ident", "main_thread", "parent_process"})
_ENDING = frozenset({"SystemExit", "KeyboardInterrupt", "GeneratorExit", "Exit"})
_RUN_BY_RUNNERS = ("test", "pytest_", "setup", "setUp", "teardown", "tearDown", "asyncSetUp", "asyncTearDown")
_EXPECTING = RAISING | {"suppress"}


def exits(suite: Suite) -> Iterator[tuple[str, int]]:
    """Calls that end the process: at once, or with success in a test or at exit; what is expected is none."""
    is_expected = forks(suite)
    is_conftest = suite.path.endswith("conftest.py")
    waiting: list[tuple[ast.AST, str]] = [(suite.tree, "run" if is_conftest else "")]
    while waiting:
        node, place = waiting.pop()
        if isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
            continue
        if isinstance(node, (ast.With, ast.AsyncWith)) and _is_expecting(node):
            continue
        if isinstance(node, ast.Try) and any(_catches_ends(one) for one in node.handlers):
            waiting += [(child, place) for child in (*node.handlers, *node.orelse, *node.finalbody)]
            continue
        if isinstance(node, Function):
            is_run = node.name.startswith(_RUN_BY_RUNNERS) or bool(node.decorator_list)
            # What a function within a test does, something else may expect.
            place = ("run" if is_run else "") if place != "run" or is_conftest else "within"
        elif isinstance(node, ast.Lambda):
            place = "within"
        if not is_expected:
            yield from _of_node(node, place, suite)
        waiting += [(child, place) for child in children(node)]


def _of_node(node: ast.AST, place: str, suite: Suite) -> Iterator[tuple[str, int]]:
    if isinstance(node, (ast.Attribute, ast.Name)):
        if isinstance(node.ctx, ast.Load) and leaves_at_once(node, suite):
            yield f"`{last_name(node)}` ends the process", node.lineno
    elif isinstance(node, ast.Constant) and node.value == "_exit":
        yield "`_exit` ends the process", node.lineno
    elif isinstance(node, ast.Raise):
        if node.exc is not None and place == "run" and _is_end(node.exc):
            yield f"`{ast.unparse(node)}` ends the run", node.lineno
    elif isinstance(node, ast.Call):
        yield from _of_call(node, place, suite)


def _of_call(call: ast.Call, place: str, suite: Suite) -> Iterator[tuple[str, int]]:
    name = last_name(call.func)
    owner = getattr(getattr(call.func, "value", None), "id", "")
    origin = suite.origins.get(name) if isinstance(call.func, ast.Name) else None
    if (name == "exit" and owner == "pytest") or (origin is not None and origin[::2] == ("pytest", "exit")):
        yield "`pytest.exit` ends the run", call.lineno
    elif name in ("exit", "quit") and owner in ("sys", "", "builtins") and place and _succeeds(call):
        yield f"`{name}` ends the run", call.lineno
    elif name == "register" and owner == "atexit" and "exit" in ast.dump(call):
        yield "`atexit` ends the process", call.lineno
    elif name in _KILLING and any(last_name(one) in _OURS for one in walk(call) if isinstance(one, ast.expr)):
        yield f"`{name}` ends the process", call.lineno
    elif name.startswith("exec") and dotted(call.func, suite).startswith("os.exec"):
        yield f"`{name}` puts another program in the place of the run", call.lineno
    elif name in ("eval", "exec") and any("exit" in str(getattr(one, "value", "")) for one in call.args):
        yield f"`{name}` ends the process", call.lineno
    elif _hides_what_it_asks_for(call, suite):
        yield f"`{ast.unparse(call)}` ends the process", call.lineno


def _hides_what_it_asks_for(call: ast.Call, suite: Suite) -> bool:
    """`getattr(os, "_ex" + "it")`"""
    is_of_os = last_name(call.func) == "getattr" and len(call.args) > 1 and dotted(call.args[0], suite) == "os"
    return is_of_os and not isinstance(call.args[1], (ast.Constant, ast.Name))


def leaves_at_once(node: ast.Attribute | ast.Name, suite: Suite) -> bool:
    """Whether a name is that of a function which ends the process, under whatever name it was imported."""
    whole = dotted(node, suite)
    name = (whole or ast.unparse(node)).rpartition(".")[2]
    if name not in _AT_ONCE or (isinstance(node, ast.Name) and not whole):
        return False
    owners = _OWNED.get(name)
    return owners is None or (whole or ast.unparse(node)).rpartition(".")[0].rpartition(".")[2] in owners


def _is_end(raised: ast.expr) -> bool:
    return last_name(raised) in _ENDING or "exit.Exception" in ast.unparse(raised)


def _is_expecting(node: ast.With | ast.AsyncWith) -> bool:
    return any(last_name(item.context_expr) in _EXPECTING for item in node.items)


def _catches_ends(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or any(
        last_name(one) in (*_ENDING, "BaseException") for one in walk(handler.type) if isinstance(one, ast.expr)
    )


def _succeeds(call: ast.Call) -> bool:
    return not call.args or (isinstance(call.args[0], ast.Constant) and not call.args[0].value)


def forks(suite: Suite) -> bool:
    """Whether the file makes processes of its own, which may end as they like."""
    if not suite.mentions("fork"):
        return False
    named = (last_name(node) for node in walk(suite.tree) if isinstance(node, (ast.Name, ast.Attribute)))
    return any(name in ("fork", "forkpty") for name in named)


def dotted(node: ast.expr, suite: Suite) -> str:
    """A dotted name with its first part as it is called where it was imported from."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    origin = suite.origins.get(node.id)
    first = f"{origin.module}.{origin.name}" if origin is not None else suite.modules.get(node.id, "")
    return ".".join([first, *reversed(parts)]) if first else ""
