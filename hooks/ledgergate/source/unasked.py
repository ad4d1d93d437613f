"""What runners and Python call, or look up, by its name alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from ledgergate.source.syntax import base_name

_HOOKS = re.compile(r"__\w+__|pytest_\w+")
# pytest's own asserts raise by name.
_IN_MODULES = re.compile(
    r"__\w+__|pytest_\w+|pytestmark|collect_ignore(?:_glob)?|(?:setup|teardown)(?:_module|_function)?|"
    r"(?:setUp|tearDown)Module|load_tests|AssertionError"
)
_IN_CLASSES = re.compile(
    r"__\w+__|pytest_\w+|pytestmark|(?:setup|teardown)(?:_class|_method)?|"
    r"(?:setUp|tearDown|asyncSetUp|asyncTearDown)\w*"
)
_IN_UNITTEST = re.compile(
    r"_\w+|(?:assert|fail|setUp|tearDown|async|do|add|enter)\w*|run|debug|id|defaultTestResult|countTestCases|"
    r"shortDescription|skipTest|subTest|pytest_\w+|pytestmark|(?:setup|teardown)(?:_class|_method)?"
)
_ANY = re.compile(r".*")
_PLAIN_BASES = frozenset({"object", "ABC", "Generic", "Protocol"})
_UNITTEST_BASES = frozenset({"TestCase", "IsolatedAsyncioTestCase"})
_DEEPEST = 20


def is_hook(name: str) -> bool:
    """Whether Python or pytest looks up the name in any class, asked or not."""
    return _HOOKS.fullmatch(name) is not None


def is_read_from_modules(name: str) -> bool:
    """Whether Python or a runner looks up the name in a module that holds tests."""
    return _IN_MODULES.fullmatch(name) is not None


def read_from_class(tree: ast.Module, node: ast.ClassDef) -> re.Pattern[str]:
    """The names that are looked up unasked in a class that holds tests, or in one derived from it; any, in doubt."""
    return _kind_of([one for one in tree.body if isinstance(one, ast.ClassDef)], node, 0)


def _kind_of(known: Sequence[ast.ClassDef], node: ast.ClassDef, depth: int) -> re.Pattern[str]:
    kind = _IN_CLASSES
    if node.keywords or depth > _DEEPEST:
        return _ANY
    for base in node.bases:
        name = base_name(base)
        kinds = [_kind_of(known, one, depth + 1) for one in known if one.name == name] or [_known_base(name)]
        if _ANY in kinds:
            return _ANY
        kind = _IN_UNITTEST if _IN_UNITTEST in (kind, *kinds) else kind
    return kind


def _known_base(name: str) -> re.Pattern[str]:
    return _IN_CLASSES if name in _PLAIN_BASES else _IN_UNITTEST if name in _UNITTEST_BASES else _ANY
