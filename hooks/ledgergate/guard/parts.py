"""Small questions about the syntax of tests."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from ledgergate.guard.bindings import namespace_of
from ledgergate.source.syntax import Function, children, is_text, last_name

SKIPPING = frozenset({"skip", "skipTest", "xfail", "SkipTest", "importorskip", "Skipped", "XFailed"})
_TRUTHS = frozenset({"assertTrue", "assert_", "assert_true", "failUnless"})
_SCOPES = frozenset({ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})


Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp})


def patched_by(call: ast.Call, write: Callable[[ast.expr], str]) -> Iterator[str]:
    """What a call puts something else in the place of, as dotted names."""
    name = last_name(call.func)
    if not call.args:
        return
    first = call.args[0]
    if name in ("patch", "setattr", "dict") and _text(first):
        yield _text(first)
    elif name in ("object", "setattr") and len(call.args) > 1 and isinstance(call.args[1], ast.Constant):
        if name == "setattr" or "patch" in ast.dump(call.func):
            yield f"{write(first)}.{call.args[1].value!s}"
    elif name == "multiple":
        whole = _text(first) or write(first)
        yield from (f"{whole}.{one.arg}" for one in call.keywords if one.arg and "patch" in ast.dump(call.func))
    elif name in ("setitem", "dict") and len(call.args) > 1:
        owner = namespace_of(first)
        keys = [call.args[1]] if name == "setitem" else getattr(call.args[1], "keys", ())
        if owner is not None:
            yield from (f"{owner or '__name__'}.{_text(one)}" for one in keys if one is not None)


def fake_by(call: ast.expr, write: Callable[[ast.expr], str]) -> str:
    """The term of the fake that `patch` gives for what it takes the place of, however it is given; empty for others."""
    if not isinstance(call, ast.Call) or last_name(call.func) not in ("patch", "object"):
        return ""
    targets = list(patched_by(call, write))
    is_given = len(call.args) > (1 if last_name(call.func) == "patch" else 2) or any(
        one.arg == "new" for one in call.keywords
    )
    names = targets[0].split(".") if len(targets) == 1 and not is_given else []
    if len(names) < 2 or not all(map(str.isidentifier, names)):
        # `client.patch("/till")` is something else.
        return ""
    return f"<@ {' '.join([f'«{targets[0]}»', *(f'{one.arg}={write(one.value)}' for one in call.keywords)])}>"


def _text(node: ast.expr) -> str:
    """A text, or the end of one that begins with the name of the module."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left = "__name__" if getattr(node.left, "id", "") == "__name__" else _text(node.left)
        right = _text(node.right)
        return f"{left}{right}" if left and right else ""
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[-1], ast.Constant):
        return f"__name__{_text(node.values[-1])}"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def calls_in(node: ast.AST, comprehensions: list[Comprehension] | None = None) -> Iterator[ast.Call]:
    """The calls of a statement or expression in their order, but for those of functions within it.

    `comprehensions` takes in those that it holds.
    """
    waiting = [node]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind is ast.Call:
            yield one  # type: ignore[misc]
        elif comprehensions is not None and kind in _COMPREHENSIONS:
            comprehensions.append(one)  # type: ignore[arg-type]
        if kind not in _SCOPES:
            waiting += reversed(children(one))


def yields(node: Function) -> bool:
    """Whether a function is a generator; functions within it do not count."""
    waiting: list[ast.AST] = [*node.body]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return True
        if type(one) not in _SCOPES:
            waiting += children(one)
    return False


def returned(node: Function) -> ast.expr | None:
    """What a function returns that does nothing else; None where it does, or returns nothing."""
    body = [one for one in node.body if not is_text(one)]
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


def statements(node: Function, *without: type[ast.stmt]) -> list[str]:
    """What a function does, statement by statement, without texts and without statements of these kinds."""
    return [ast.dump(one) for one in node.body if not is_text(one) and not isinstance(one, without)]


def variable(target: ast.expr) -> str:
    if isinstance(target, ast.Name):
        return target.id
    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
        return f"{target.value.id}.{target.attr}"
    return ""


def elements(node: ast.expr | None) -> list[ast.expr] | None:
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and not any(isinstance(one, ast.Starred) for one in node.elts):
        return node.elts
    return None


def root(expression: ast.expr) -> str:
    while isinstance(expression, (ast.Attribute, ast.Subscript, ast.Call)):
        expression = expression.func if isinstance(expression, ast.Call) else expression.value
    return getattr(expression, "id", "")


def name_of(node: ast.Expr) -> str:
    return last_name(node.value) if isinstance(node.value, ast.Call) else ""


def only_fails(body: Sequence[ast.stmt]) -> bool:
    """Whether a block is left by a failure: then what follows is a check behind it all the same."""
    last = body[-1] if body else None
    if isinstance(last, ast.Raise):
        return last.exc is None or last_name(last.exc) not in SKIPPING
    return isinstance(last, ast.Expr) and is_failure(last.value)


def is_failing(node: ast.stmt) -> bool:
    """`pytest.fail(...)`, and `assert False`."""
    if isinstance(node, ast.Assert):
        return isinstance(node.test, ast.Constant) and not node.test.value
    return isinstance(node, ast.Expr) and is_failure(node.value)


def is_failure(node: ast.expr) -> bool:
    """`pytest.fail(...)`, and `self.assertTrue(False)` of unittest."""
    if not isinstance(node, ast.Call):
        return False
    name, first = last_name(node), next(iter(node.args), None)
    return name == "fail" or (name in _TRUTHS and isinstance(first, ast.Constant) and not first.value)


def marks_skip(mark: ast.expr) -> bool:
    """Whether a mark that is put on by hand is one that skips."""
    return last_name(mark) in SKIPPING or (last_name(mark) == "getattr" and _names_skip(mark))


def _names_skip(call: ast.expr) -> bool:
    """`getattr(pytest, "skip")`, and where the name is only computed."""
    while isinstance(call, ast.Call) and not isinstance(call.func, ast.Name):
        call = call.func
    if not isinstance(call, ast.Call) or len(call.args) < 2:
        return False
    return not isinstance(call.args[1], ast.Constant) or call.args[1].value in SKIPPING


def is_hidden_skip(call: ast.Call) -> bool:
    """`getattr(pytest, "skip")(...)`"""
    inner = call.func
    if not isinstance(inner, ast.Call) or getattr(inner.func, "id", "") != "getattr" or not inner.args:
        return False
    return root(inner.args[0]) in ("pytest", "self") and _names_skip(inner)


def is_autouse(node: Function) -> bool:
    """Whether a fixture runs for tests that do not ask for it."""
    values = [
        one.value
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and last_name(mark).endswith("fixture")
        for one in mark.keywords
        if one.arg == "autouse"
    ]
    return any(not isinstance(one, ast.Constant) or bool(one.value) for one in values)
