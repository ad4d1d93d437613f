"""Handlers in tests that catch more than they did."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.guard.loss import Loss
from ledgergate.guard.reading import Handler, Reading
from ledgergate.guard.suite import Suite, Test

_ALL = frozenset({"Exception", "BaseException"})


def broadened_handlers(old: Suite, new: Suite, now: Test, before: Reading, after: Reading) -> Iterator[Loss]:
    """Each `except` of a test that came to catch more; those of the two sides belong together by what they guard."""
    waiting = [one for one in before.handlers if one.classes]
    told: set[int] = set()
    for handler in after.handlers:
        was = _same_place(handler, waiting)
        if was is None:
            continue
        waiting.remove(was)
        wider = handler.classes > was.classes or (handler.classes & _ALL and not was.classes & _ALL)
        if wider and handler.line not in told:
            told.add(handler.line)
            caught = ", ".join(sorted(handler.classes))
            yield Loss(
                "exception-broadened",
                new.path,
                f"It catches {caught} now",
                now.name,
                handler.line,
                old.line(was.line),
                new.line(handler.line),
            )


def _same_place(handler: Handler, waiting: list[Handler]) -> Handler | None:
    exact = [one for one in waiting if one.of == handler.of and one.classes & handler.classes]
    alike = [one for one in waiting if one.of & handler.of or not one.of]
    return next(iter([*exact, *alike]), None)
