"""Findings about files that were not what the tested commit has."""

from __future__ import annotations

from collections.abc import Iterable

from ledgergate.rules import finding
from ledgergate.score.classify import CHECK
from ledgergate.values import Finding

_TO_REMOVE = (
    "If a build or a tool writes it, a human names it in `not_production` of ledgergate.toml. `ledgergate run --clean` "
    "tests a checkout of its own."
)
_BEFORE = f"Agent, human: commit it, undo it or move it away, and run the lanes again. {_TO_REMOVE}"
_DURING = f"Agent, human: let no test write there, and run the lanes again. {_TO_REMOVE}"


# What an installation leaves beside the code: protected, since it can name plugins that pytest loads.
_INSTALLED = (".egg-info/", ".dist-info/")
_CLEAN = (
    "Agent, human: an installation put it there, and it can name plugins that pytest loads. `ledgergate run --clean` "
    "tests a checkout of its own; or remove it, if nothing is installed from here."
)


def stale_before(paths: Iterable[str]) -> tuple[Finding, ...]:
    """A finding for each file that kept lanes from testing the commit."""
    message = "On the disk it is not as the commit has it, so what would be tested is another tree."
    return tuple(_stale(path, message, _BEFORE) for path in paths)


def stale_after(paths: Iterable[str]) -> tuple[Finding, ...]:
    """A finding for each file that is no longer what it was when the lanes began."""
    message = "It changed while the lanes ran, so nobody can say what they tested."
    return tuple(_stale(path, message, _DURING) for path in paths)


def _stale(path: str, message: str, remedy: str) -> Finding:
    if any(ending in f"{path}/" for ending in _INSTALLED):
        remedy = _CLEAN
    return finding("report-stale", CHECK, message, remedy=remedy, path=path, subject=path)
