"""What an edit of a test took away."""

from __future__ import annotations

from typing import NamedTuple


class Loss(NamedTuple):
    """One thing that an edit lost.

    `rule` names an entry of the catalogue. `line` counts from 1 in the file that `path` names: in the new file where
    something stands there now, else in the old one. `old` and `new` are the lines of the two sides. `waits`: no syntax
    can say whether it is right, so that a human has to.
    """

    rule: str
    path: str
    message: str
    subject: str | None = None
    line: int | None = None
    old: str | None = None
    new: str | None = None
    waits: bool = False
