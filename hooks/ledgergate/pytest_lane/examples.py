"""Counting the examples of a property that really ran."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, cast

# How Hypothesis ends an example that is none: `assume`, and data that ran out.
_NOT_RUN = ("UnsatisfiedAssumption", "StopTest", "Frozen", "SkipTest", "Skipped")
_STATISTICS = re.compile(r"(\d+) passing[^\n]*?(\d+) failing")


class Counting:
    """Counts the examples of a test made with `@given` from now on; of any other callable, none."""

    def __init__(self, test: Any) -> None:
        self.ran = 0
        self._handle = cast("Any", getattr(test, "hypothesis", None))
        self._inner = getattr(self._handle, "inner_test", None)
        if self._inner is not None:
            self._handle.inner_test = _counting(self._inner, self)

    def stop(self) -> int:
        """How many ran; the test is again what it was."""
        if self._inner is not None:
            self._handle.inner_test = self._inner
        return self.ran

    def end(self, error: BaseException | None) -> None:
        if error is None or type(error).__name__ not in _NOT_RUN:
            self.ran += 1


def examples_in(statistics: str) -> int:
    """The examples that ran, by Hypothesis's own statistics: of state machines there is no other word."""
    return sum(int(passing) + int(failing) for passing, failing in _STATISTICS.findall(statistics))


def _counting(inner: Callable[..., Any], count: Counting) -> Callable[..., Any]:
    # A plugin for coroutines looks whether the test is one.
    if inspect.iscoroutinefunction(inner):

        @functools.wraps(inner)
        async def run_async(*arguments: Any, **named: Any) -> Any:
            __tracebackhide__ = True
            try:
                result = await inner(*arguments, **named)
            except BaseException as error:
                count.end(error)
                raise
            count.end(None)
            return result

        return run_async

    @functools.wraps(inner)
    def run(*arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        try:
            result = inner(*arguments, **named)
        except BaseException as error:
            count.end(error)
            raise
        count.end(None)
        return result

    return run
