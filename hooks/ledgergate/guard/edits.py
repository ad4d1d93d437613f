"""What the guard is given: the edited tests, and what may be asked about the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

Side = Literal["old", "new"]


class Edit(NamedTuple):
    """A Python file below the tests that a change touches; None where it does not exist."""

    path: str
    old: bytes | None
    new: bytes | None


class Around(NamedTuple):
    """What may be asked about the rest of the two trees.

    `read` gives a file below the tests by side and path; `is_called`, whether a test of the new side calls a
    function of that name; `defining`, the files of tests on that side that define such a function; `vanished`, the
    words that stood in changed production code and stand there no more.
    """

    read: Callable[[Side, str], bytes | None] = lambda _side, _path: None
    is_called: Callable[[str], bool] = lambda _name: True
    vanished: Callable[[], frozenset[str]] = frozenset
    defining: Callable[[str], Iterable[tuple[str, bytes]]] = lambda _name: ()
