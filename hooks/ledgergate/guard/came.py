"""What an edited file does that it did not do before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite


def came_to_do(
    rule: str,
    old: Suite | None,
    new: Suite,
    words: re.Pattern[str],
    find: Callable[[Suite], Iterable[tuple[str, int]]],
) -> Iterator[Loss]:
    """A loss of this rule for each thing that `find` sees more of in the new file, as (what, line).

    Nothing is looked for where the new text says no more of the `words`, without which there is nothing to find.
    """
    if not new.says_since(old, words):
        return
    before = [what for what, _ in find(old)] if old is not None else []
    for what, line in find(new):
        if what in before:
            before.remove(what)
        else:
            yield Loss(rule, new.path, what, None, line, None, new.line(line))
