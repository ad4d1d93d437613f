"""What held a test to more without standing in its body, and went: marks, fixtures, base classes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import elements, is_autouse, returned
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.well_known import SET_UPS, TEAR_DOWNS
from ledgergate.source.syntax import Function, base_name, last_name, walk

# Fixtures that do nothing to a test which does not use them.
_IDLE = frozenset(
    {
        *("request", "tmp_path", "tmpdir", "tmp_path_factory", "tmpdir_factory", "monkeypatch", "mocker", "capsys"),
        *("capfd", "capsysbinary", "capfdbinary", "caplog", "recwarn", "pytestconfig", "cache", "faker", "subtests"),
        *("record_property", "benchmark", "testdir", "pytester", "doctest_namespace", "event_loop", "anyio_backend"),
        *("self", "cls", "snapshot"),
    }
)
# Base classes that hold nothing of their own.
_PLAIN = frozenset(
    {
        *("object", "TestCase", "IsolatedAsyncioTestCase", "AsyncTestCase", "ABC", "Generic", "Protocol", "NamedTuple"),
        *("Enum", "Exception", "SimpleTestCase", "TransactionTestCase", "LiveServerTestCase", "TypedDict", "dict"),
    }
)
_GIVING = ("patch", "given", "mock")


def no_longer_held(old: Suite, new: Suite, unasked: Container[str] = ()) -> Iterator[Loss]:
    """What of it old tests of a file lost, each thing once; `unasked` are fixtures that run for all tests now."""
    kept = {one.name: one for one in new.tests}
    pairs = [(one, kept[one.name]) for one in old.tests if one.name in kept]
    lost: dict[str, tuple[Test, str]] = {}
    if any(word in old.text_since(new) for word in ("usefixtures", "filterwarnings")):
        for was, now in pairs:
            for mark in _marks(old, was) - _marks(new, now) - _asked(now):
                lost.setdefault(mark, (now, f"What held the test to more is gone: `{mark}`"))
    for was, now in pairs:
        for name in _no_longer_asked(old, was, new, now):
            if name in unasked:
                continue
            lost.setdefault(name, (now, f"The test no longer asks for the fixture `{name}`, which may check or forbid"))
    for name in _no_longer_unasked(old, new, [now for _, now in pairs]):
        now = next(now for _, now in pairs if name not in _asked(now) | _marks(new, now))
        lost.setdefault(name, (now, f"The fixture `{name}` ran for all tests, and runs for those that ask now"))
    for now, message in lost.values():
        yield _loss("expectation-changed", new, message, now.name, now.node.lineno)
    yield from _bases(old, new)
    yield from _set_ups(old, new)


def _loss(rule: str, new: Suite, message: str, subject: str, line: int) -> Loss:
    return Loss(rule, new.path, message, subject, line, None, new.line(line), waits=True)


def _asked(test: Test) -> set[str]:
    return {one.arg for one in (*test.node.args.args, *test.node.args.kwonlyargs)}


def _marks(suite: Suite, test: Test) -> set[str]:
    """The fixtures and the filters that make errors of warnings which marks give a test."""
    marks = [*test.node.decorator_list, *(mark for one in test.classes for mark in one.decorator_list)]
    for body in (suite.tree.body, *(one.body for one in test.classes)):
        for node in body:
            if isinstance(node, ast.Assign) and any(getattr(one, "id", "") == "pytestmark" for one in node.targets):
                marks += elements(node.value) or [node.value]
    found: set[str] = set()
    for mark in marks:
        name = last_name(mark)
        if name in ("usefixtures", "filterwarnings") and isinstance(mark, ast.Call):
            texts = [one.value for one in mark.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            found.update(one for one in texts if name == "usefixtures" or one.startswith("error"))
    return found


def _no_longer_asked(old: Suite, was: Test, new: Suite, now: Test) -> list[str]:
    """Fixtures that a test only asked for, without looking at what they give, and that no others took the place of."""
    asked, before = _asked(now), _asked(was)
    gone = before - asked - _IDLE
    if not gone or len(gone) <= len(asked - before):
        return []
    marks = " ".join(map(ast.unparse, was.node.decorator_list))
    if any(word in marks for word in _GIVING):
        return []
    used = {one.id for node in was.node.body for one in walk(node) if isinstance(one, ast.Name)}
    gone -= used | _marks(new, now)
    return sorted(name for name in gone if name not in marks and not _is_idle(old, new, name))


def _is_idle(old: Suite, new: Suite, name: str) -> bool:
    """Whether a fixture of the file only gives a value, or runs for all tests now."""
    was, now = old.fixtures.get(name), new.fixtures.get(name)
    return (was is not None and returned(was) is not None) or (now is not None and is_autouse(now))


def _no_longer_unasked(old: Suite, new: Suite, tests: Sequence[Test]) -> list[str]:
    """Fixtures that ran for all tests, and that one of these does not ask for."""
    if not old.mentions("autouse"):
        return []
    names = [name for name, node in old.fixtures.items() if is_autouse(node) and name in new.fixtures]
    names = [name for name in names if not is_autouse(new.fixtures[name]) and returned(new.fixtures[name]) is None]
    return [name for name in names if any(name not in _asked(one) | _marks(new, one) for one in tests)]


def _bases(old: Suite, new: Suite) -> Iterator[Loss]:
    """Bases of classes of tests that are gone, and that no others took the place of."""
    for name in dict.fromkeys(one.classes[-1].name for one in new.tests if one.classes):
        was, now = old.classes.get(name), new.classes.get(name)
        if was is None or now is None:
            continue
        before, after = _builds_on(was), _builds_on(now)
        gone = [one for one in before if one not in after and not _is_taken_in(old.classes.get(one), now)]
        if len(gone) > len([one for one in after if one not in before]):
            message = f"It no longer builds on {gone[0]}, whose tests and set-ups ran for it"
            yield _loss("test-removed", new, message, name, now.lineno)


def _builds_on(node: ast.ClassDef) -> list[str]:
    return [name for name in map(base_name, node.bases) if name and name not in _PLAIN]


def _is_taken_in(base: ast.ClassDef | None, node: ast.ClassDef) -> bool:
    """Whether all that a base of the file held stands in the class now."""
    own = _methods(node)
    return base is not None and _methods(base).keys() <= own.keys()


def _set_ups(old: Suite, new: Suite) -> Iterator[Loss]:
    """Set-ups that no longer do what those of a base do."""
    if "super()" not in old.text_since(new):
        return
    for name, node in new.classes.items():
        was = _methods(old.classes[name]) if name in old.classes else {}
        for method, now in _methods(node).items():
            if method not in SET_UPS | TEAR_DOWNS or method not in was or not _builds_on(node):
                continue
            if _handed_up(was[method])[method] > _handed_up(now)[method]:
                message = f"It no longer calls `super().{method}()`"
                yield _loss("expectation-changed", new, message, f"{name}.{method}", now.lineno)


def _handed_up(node: Function) -> Counter[str]:
    calls = (one.func for one in walk(node) if isinstance(one, ast.Call))
    return Counter(one.attr for one in calls if isinstance(one, ast.Attribute) and last_name(one.value) == "super")


def _methods(node: ast.ClassDef) -> Mapping[str, Function]:
    return {one.name: one for one in node.body if isinstance(one, Function)}
