"""One line of a diagnosis."""

from __future__ import annotations

from typing import Literal, NamedTuple

Health = Literal["ok", "missing", "stale", "unknown"]


class Line(NamedTuple):
    """How it stands with one thing, and the command (or the page) that mends it.

    `missing`: it is not there. `stale`: it is there and does not serve. `unknown`: it could not be read.
    """

    topic: str
    health: Health
    message: str
    remedy: str | None = None
