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


class LeftOut(NamedTuple):
    """What the settings of the tests leave out: tests with these marks, or with these words in their names."""

    marks: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


class Around(NamedTuple):
    """What may be asked about the rest of the two trees.

    `read` gives a file below the tests by side and path; `is_called`, whether a test that stays calls a function of
    that name from below a folder; `vanished`, the words that stood in changed production code and stand there no
    more; `defining`, the files of tests of the new side that define such a function; `is_looked_into`, whether
    runners look for tests at a path; `is_own`, whether a module is one of those that are tested; `left_out`, what
    the settings leave out.
    """

    read: Callable[[Side, str], bytes | None] = lambda _side, _path: None
    is_called: Callable[[str, str], bool] = lambda _name, _folder: True
    vanished: Callable[[], frozenset[str]] = frozenset
    defining: Callable[[str], Iterable[tuple[str, bytes]]] = lambda _name: ()
    is_looked_into: Callable[[str], bool] = lambda _path: True
    is_own: Callable[[str], bool] = lambda _module: False
    left_out: Callable[[], LeftOut] = LeftOut
