"""What changes how a run of the tests ends, whatever the tests find."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.guard.came import came_to_do
from ledgergate.guard.exits import dotted, exits
from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite
from ledgergate.source.syntax import Function, last_name, walk

_FRAMEWORKS = frozenset({"unittest", "pytest", "_pytest", "builtins", "pluggy", "hypothesis"})
_OUTCOMES = frozenset({"outcome", "excinfo", "longrepr", "exitstatus", "testsfailed", "wasxfail", "shouldfail"})
_REPORTING = frozenset(
    {
        *("pytest_runtest_makereport", "pytest_report_teststatus", "pytest_runtest_logreport", "pytest_sessionfinish"),
        *("pytest_runtest_protocol", "pytest_runtest_call", "pytest_pyfunc_call", "pytest_unconfigure"),
        *("pytest_exception_interact", "pytest_terminal_summary", "pytest_runtest_teardown", "pytest_runtestloop"),
        *("pytest_cmdline_main", "pytest_runtest_setup", "pytest_runtest_logfinish", "pytest_keyboard_interrupt"),
    }
)
# Hooks of which the first that returns something ends the asking.
_ANSWERING = frozenset(
    {
        "pytest_runtest_protocol",
        "pytest_pyfunc_call",
        "pytest_report_teststatus",
        "pytest_runtestloop",
        "pytest_cmdline_main",
    }
)
_CHECKING = ("unittest.TestCase.assert", "unittest.case.", "_pytest.", "pytest.raises")
_RESULTS = frozenset(
    {
        *("run", "_callTestMethod", "_baseAssertEqual", "_getAssertEqualityFunc", "failureException"),
        *("addFailure", "addError", "wasSuccessful", "stopTest"),
    }
)


def tampered_outcomes(old: Suite | None, new: Suite) -> Iterator[Loss]:
    """What the file came to do to the outcomes of tests, to the exit status, or to the test framework itself."""
    return came_to_do("outcome-tampered", old, new, _found)


def _found(suite: Suite) -> Iterator[tuple[str, int]]:
    yield from exits(suite)
    for node in walk(suite.tree):
        if isinstance(node, Function) and node.name in _REPORTING:
            yield from _hooks(node)
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            for one in node.targets if isinstance(node, ast.Assign) else [node.target]:
                framework = _of_framework(one, suite)
                if framework:
                    yield f"{framework} is replaced", node.lineno
        elif isinstance(node, ast.Call):
            yield from _patched(node, suite)
        elif isinstance(node, ast.ClassDef):
            yield from _own_assertions(node)


def _patched(node: ast.Call, suite: Suite) -> Iterator[tuple[str, int]]:
    first = node.args[0] if node.args else None
    if first is not None and isinstance(node.func, ast.Name) and node.func.id == "setattr":
        owner = dotted(first, suite)
        if owner.partition(".")[0] in _FRAMEWORKS:
            yield f"{owner} is changed", node.lineno
    elif last_name(node.func) in ("object", "setattr") and len(node.args) > 1 and first is not None:
        owner = dotted(first, suite)
        if owner.partition(".")[0] in ("pytest", "_pytest", "unittest") and "mock" not in owner:
            yield f"{owner} is changed", node.lineno
    elif last_name(node.func) == "patch" and isinstance(first, ast.Constant):
        target = first.value if isinstance(first.value, str) else ""
        if target.startswith(_CHECKING):
            yield f"{target} is replaced", node.lineno


def _hooks(node: Function) -> Iterator[tuple[str, int]]:
    for one in walk(node):
        if isinstance(one, (ast.Assign, ast.AugAssign)):
            for target in one.targets if isinstance(one, ast.Assign) else [one.target]:
                if isinstance(target, ast.Attribute) and target.attr in _OUTCOMES:
                    yield f"{node.name} sets `{target.attr}`", one.lineno
                elif isinstance(target, ast.Subscript) and getattr(target.slice, "value", None) in _OUTCOMES:
                    yield f"{node.name} sets `{ast.unparse(target.slice)}`", one.lineno
        elif isinstance(one, ast.Call) and last_name(one.func) in ("force_result", "force_exception"):
            yield f"{node.name} calls `{last_name(one.func)}`", one.lineno
        elif isinstance(one, ast.Call) and last_name(one.func) == "setattr" and len(one.args) > 1:
            if isinstance(one.args[1], ast.Constant) and one.args[1].value in _OUTCOMES:
                yield f"{node.name} sets `{one.args[1].value}`", one.lineno
        elif isinstance(one, ast.Return) and _answers(node) and not _is_nothing(one.value):
            yield f"{node.name} answers in the place of pytest", one.lineno


def _answers(node: Function) -> bool:
    """Whether what a hook returns stands for what pytest would say; a wrapper hands on what it was given."""
    is_wrapper = any(isinstance(one, ast.Yield) for one in walk(node))
    return node.name in _ANSWERING or (node.name == "pytest_runtest_makereport" and not is_wrapper)


def _is_nothing(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _of_framework(target: ast.expr, suite: Suite) -> str:
    if isinstance(target, ast.Attribute) and target.attr in _UNITTEST and not isinstance(target.value, ast.Name):
        return ast.unparse(target)
    if isinstance(target, ast.Attribute) and target.attr in _UNITTEST and _is_case(target.value, suite):
        return ast.unparse(target)
    if not isinstance(target, (ast.Attribute, ast.Subscript)):
        return "AssertionError" if getattr(target, "id", "") == "AssertionError" else ""
    if isinstance(target, ast.Attribute) and target.attr in _UNITTEST and getattr(target.value, "id", "") == "self":
        return f"self.{target.attr}"
    owner = dotted(target.value, suite)
    if owner.partition(".")[0] in _FRAMEWORKS and isinstance(target, ast.Attribute):
        return f"{owner}.{target.attr}"
    return ""


def _is_case(node: ast.expr, suite: Suite) -> bool:
    """`T = unittest.TestCase`"""
    known = suite.assigned.get(getattr(node, "id", ""))
    return known is not None and last_name(known).endswith("TestCase")


def _is_test_case(node: ast.ClassDef) -> bool:
    return any(last_name(base).endswith("TestCase") for base in node.bases)


def _own_assertions(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """Checking methods of unittest that a test case defines anew, without a check in them, and what runs its tests."""
    for one in node.body:
        names = [one.name] if isinstance(one, Function) else [getattr(t, "id", "") for t in getattr(one, "targets", ())]
        for name in names:
            is_run = _is_test_case(node) and (name in _RESULTS or (name == "fail" and not _checks(one)))
            if is_run or (name.startswith("assert") and name in _UNITTEST and not _checks(one)):
                yield f"{node.name}.{name} takes the place of unittest's", one.lineno


def _checks(node: ast.stmt) -> bool:
    return isinstance(node, Function) and any(
        isinstance(one, (ast.Raise, ast.Assert))
        or (isinstance(one, ast.Call) and last_name(one.func).startswith("assert"))
        for one in walk(node)
    )


_UNITTEST = frozenset(
    {
        *("assertEqual", "assertTrue", "assertFalse", "assertIs", "assertIsNone", "assertIsNotNone", "assertIn"),
        *("assertNotEqual", "assertRaises", "assertRaisesRegex", "assertListEqual", "assertDictEqual"),
        *("assertAlmostEqual", "assertIsInstance", "assertGreater", "assertLess", "assertRegex", "assertNotIn"),
    }
)
