"""Production code that can tell that it is being tested, or that lies to whoever compares."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.guard.loss import Loss

_ASKED = (
    *(b"PYTEST", b"pytest", b"unittest", b"atexit", b"excepthook", b"__eq__", b"frame", b"stack", b"nose"),
    *(b"argv", b"conftest", b"test/", b"tests/", b"gettrace", b"_called_from_test", b"sys.modules"),
)


def could_be_aware(new: bytes | None) -> bool:
    """Whether a file holds a word that `aware_code` would look for."""
    return new is not None and any(word in new for word in _ASKED)


def aware_code(path: str, old: bytes | None, new: bytes | None) -> Iterator[Loss]:
    """What a file of production code came to know of tests; nothing of one that cannot be read, and so not run."""
    if new is None or not could_be_aware(new):
        return
    # Few commits get this far.
    from ledgergate.guard.aware import awareness
    from ledgergate.source.text import Source, Unreadable, read_source

    after = read_source(new)
    if isinstance(after, Unreadable):
        return
    before = read_source(old) if old is not None else None
    known = [what for what, _ in awareness(before.tree)] if isinstance(before, Source) else []
    for what, line in awareness(after.tree):
        if what in known:
            known.remove(what)
        else:
            shown = after.lines[line - 1].strip()
            yield Loss("test-aware-production", path, what, None, line, None, shown, waits=True)
