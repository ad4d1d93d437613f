"""Settings by which tests hold what they run to more, or to less: `spec=Till`, `raise_server_exceptions=False`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import DEFINITIONS, Function, last_name, walk

_MOCKS = frozenset({"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "NonCallableMagicMock"})


class _Kind(NamedTuple):
    """Settings of one kind: keywords with the values that make them strict, or that let more pass."""

    message: str
    keywords: Mapping[str, str]
    # Another way to ask for the same: where the new lines of the file hold it, nothing is lost.
    instead: str


_STRICT = (
    _Kind(
        "A mock takes calls now that what it stands for would refuse",
        {"spec": ".+", "spec_set": ".+", "autospec": "True"},
        r"\b(?:auto)?spec",
    ),
    _Kind("A mock no longer runs what it stands for", {"wraps": ".+"}, r"wraps=|side_effect=|\.spy\("),
    _Kind("Nobody asks any more how the process ended", {"check": "True"}, r"returncode|check_|check="),
    _Kind("What it runs over may end early now", {"strict": "True"}, r"strict=|len\("),
    _Kind("Errors of what it calls are kept back now", {"catch_exceptions": "False"}, r"exit_code|exception"),
    _Kind(
        "Errors of what it computes are no longer raised",
        dict.fromkeys(("all", "divide", "over", "under", "invalid"), "'raise'"),
        r"[\"']raise|isfinite|isnan",
    ),
)
_LOOSE = (
    _Kind(
        "Errors of what it calls are kept back now",
        {
            **dict.fromkeys(("raise_server_exceptions", "propagate_exceptions"), "False"),
            **dict.fromkeys(("catch_exceptions", "return_exceptions"), "True"),
        },
        r"status_code|exit_code|isinstance|\.exception",
    ),
    _Kind(
        "It is compared by less than before",
        {
            **dict.fromkeys(("check_dtype", "check_exact", "check_index_type", "check_column_type"), "False"),
            **dict.fromkeys(("check_names", "check_freq", "check_categorical"), "False"),
            "optionflags": ".*(?:ELLIPSIS|NORMALIZE|IGNORE).*",
            "check_like": "True",
        },
        "",
    ),
)
_Code = Mapping[str, ast.AST]


def less_strict(old: Suite, new: Suite) -> Iterator[Loss]:
    """What functions that stayed lost of such settings, or gained, while no other of the file took it over."""
    before, after = _code(old), _code(new)
    came = new.text_since(old)
    for kind in _STRICT:
        for name, shown in _less(kind, old, new, (before, after), came):
            yield _loss(new, name, f"{kind.message}: `{shown}` is gone", after[name])
    for kind in _LOOSE:
        for name, shown in _less(kind, new, old, (after, before), came):
            yield _loss(new, name, f"{kind.message}: `{shown}` came", after[name])
    yield from _no_longer_testing(old, new, before, after)


def _less(kind: _Kind, one: Suite, other: Suite, sides: tuple[_Code, _Code], came: str) -> Iterator[tuple[str, str]]:
    """The first function that holds more of a kind on one side, and what that is."""
    if not any(map(one.mentions, (f"{name}=" for name in kind.keywords))):
        return
    least = _count(one.tree, kind) - _count(other.tree, kind)
    if not least or (kind.instead and re.search(kind.instead, came)):
        return
    for name in sorted(sides[0].keys() & sides[1].keys()):
        pair = sides[0][name], sides[1][name]
        more = (_count(pair[0], kind) - _count(pair[1], kind)) & least
        if more and _bare(pair[1], pair, kind) > _bare(pair[0], pair, kind):
            yield name, min(more)
            return


def _no_longer_testing(old: Suite, new: Suite, before: _Code, after: _Code) -> Iterator[Loss]:
    """`app.testing = True` and `app.config["TESTING"] = True`: without it an application answers with its errors."""
    if not _is_testing(old.tree) or _is_testing(new.tree) or re.search("testing", new.text_since(old), re.IGNORECASE):
        return
    for name, was in before.items():
        if name in after and _is_testing(was):
            message = "Errors of the application are kept back now: `TESTING` is no longer set"
            yield _loss(new, name, message, after[name])
            return


def _is_testing(node: ast.AST) -> bool:
    for one in walk(node):
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant) and one.value.value is True:
            for target in one.targets:
                key = target.slice if isinstance(target, ast.Subscript) else None
                name = key.value if isinstance(key, ast.Constant) else getattr(target, "attr", "")
                if name in ("TESTING", "testing", "PROPAGATE_EXCEPTIONS"):
                    return True
    return False


def _code(suite: Suite) -> _Code:
    """The functions, and under an empty name what the file does beside them."""
    beside = [one for one in suite.tree.body if not isinstance(one, DEFINITIONS)]
    found: dict[str, ast.AST] = {"": ast.Module(body=beside, type_ignores=[])}
    for one in suite.placed:
        if isinstance(one.node, Function):
            found["::".join([*(each.name for each in one.classes), one.node.name])] = one.node
    return found


def _count(node: ast.AST, kind: _Kind) -> Counter[str]:
    """The settings of a kind in a function or file, as they are written."""
    return Counter(setting for one in walk(node) for setting in _settings(one, kind))


def _settings(node: ast.AST, kind: _Kind) -> list[str]:
    keywords = node.keywords if isinstance(node, ast.Call) else ()
    known = [one for one in keywords if one.arg in kind.keywords]
    written = {one.arg: ast.unparse(one.value) for one in known}
    return [
        f"{name}={value}"
        for name, value in written.items()
        if value != "None" and re.fullmatch(kind.keywords[name or ""], value, re.DOTALL)
    ]


def _bare(node: ast.AST, both: tuple[ast.AST, ast.AST], kind: _Kind) -> int:
    """How often in one of two functions that is called without a setting which is called with one in either."""
    named = {last_name(one.func) for side in both for one in walk(side) if _settings(one, kind)}  # type: ignore[attr-defined]
    named |= _MOCKS if named & _MOCKS else set()
    calls = (one for one in walk(node) if isinstance(one, ast.Call) and last_name(one.func) in named)
    return sum(not _settings(one, kind) for one in calls)


def _loss(new: Suite, subject: str, message: str, now: ast.AST) -> Loss:
    line = getattr(now, "lineno", None)
    return Loss("expectation-changed", new.path, message, subject or None, line, None, new.line(line), waits=True)
