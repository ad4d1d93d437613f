"""Where a statement of a test stands: what names stand for there, and behind what."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ledgergate.guard.suite import Origin, Suite
from ledgergate.source.syntax import Function

# What a name imported from a file of the tests stands for there.
Definition = Function | ast.ClassDef | ast.expr
Imported = Callable[[Suite, Origin], "tuple[Suite, Definition] | None"]


class Context(NamedTuple):
    """Where a statement stands."""

    environment: dict[str, str]
    nodes: dict[str, ast.expr]
    suite: Suite
    # The file of the test, where `suite` is that of a helper.
    of: Suite
    methods: Mapping[str, Function]
    local: dict[str, Function]
    guards: tuple[str, ...] = ()
    # Why a check here counts for nothing, where it does.
    lost: str = ""
    depth: int = 0
    # What handlers around it keep, by the names of the classes.
    kept: tuple[str, ...] = ()
    # In a loop that tries again, and fails in the end.
    is_retried: bool = False
    # In a loop of which nobody can say how often it runs.
    is_looped: bool = False
    # Functions that a helper was given, by the names of its parameters.
    given: Mapping[str, Given] = {}


class Given(NamedTuple):
    """A function that is handed on, and where it was made."""

    node: Function
    context: Context
