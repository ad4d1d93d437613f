"""Helpers that are called too deeply to be followed, and changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import statements
from ledgergate.guard.reading import Reading
from ledgergate.guard.suite import Suite, Test
from ledgergate.source.syntax import Function, last_name, walk


def changed_out_of_sight(old: Suite, new: Suite, now: Test, before: Reading, after: Reading) -> Iterator[Loss]:
    """The first helper of the file, among those that nobody followed and what they call, that does something else."""
    was, came = (_reached(suite, reading) for suite, reading in ((old, before), (new, after)))
    for name, node in came.items():
        known = was.get(name)
        if known is None or statements(known) != statements(node):
            message = f"It calls {name} through more helpers than are followed, and that does something else now"
            line = now.node.lineno
            yield Loss("assertion-removed", new.path, message, now.name, line, None, new.line(node.lineno), waits=True)
            return


def _reached(suite: Suite, reading: Reading) -> dict[str, Function]:
    """The hidden functions of the file, and all that these call, by their names."""
    found = {name: node for (path, name), node in reading.hidden.items() if path == suite.path}
    known = {**suite.functions, **{one.node.name: one.node for one in suite.placed if isinstance(one.node, Function)}}
    waiting = list(found.values())
    for node in waiting:
        for name in {last_name(one.func) for one in walk(node) if isinstance(one, ast.Call)}:
            if name in known and name not in found:
                found[name] = known[name]
                waiting.append(known[name])
    return found
