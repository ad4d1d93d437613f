"""What an edited file does that it did not do before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from ledgergate.guard.loss import Loss
from ledgergate.guard.suite import Suite


def came_to_do(
    rule: str,
    old: Suite | None,
    new: Suite,
    words: Sequence[str],
    find: Callable[[Suite], Iterable[tuple[str, int]]],
    pattern: str = "",
) -> Iterator[Loss]:
    """A loss of this rule for each thing that `find` sees more of in the new file, as (what, line).

    Nothing is looked for where none of the `words` came, nor the pattern, without which there is nothing to find.
    """
    came = new.text_since(old)
    if not any(word in came for word in words) and not (pattern and re.search(pattern, came)):
        return
    before = [what for what, _ in find(old)] if old is not None else []
    for what, line in find(new):
        if what in before:
            before.remove(what)
        else:
            yield Loss(rule, new.path, what, None, line, None, new.line(line))
