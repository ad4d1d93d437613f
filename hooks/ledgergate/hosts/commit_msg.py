"""Hook `ledgergate-commit-msg`: every staged check, knowing the message's trailers."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ledgergate.errors import LedgergateError, UsageError, run
from ledgergate.values import Report, State

_SCISSORS = "------------------------ >8 ------------------------"


def main(argv: Sequence[str] | None = None) -> int:
    """Judge the commit whose message stands in the file that git names."""
    arguments = sys.argv[1:] if argv is None else argv

    def command() -> int:
        if len(arguments) != 1:
            raise UsageError("ledgergate-commit-msg takes one argument, the file that holds the message")
        # Inside the boundary, which says what cannot be imported.
        from ledgergate.hosts.output import show

        return show(lambda: _report(Path(arguments[0])), more="`ledgergate check --all`")

    return run(command)


def _report(message: Path) -> Report:
    from ledgergate.hosts.moments import staged_report

    report = staged_report(message=read_message(message))
    # The pre-commit hook has just shown the notes of a change that passes.
    return report._replace(notes=(), items=()) if report.state is State.PASS else report


def read_message(path: Path) -> str:
    """The message without git's own comments.

    Below the scissors git puts a diff into what it shows in an editor. Without one (git then says `GIT_EDITOR=:`) it
    put nothing there, and leaves what stands there in the message.
    """
    has_editor = os.environ.get("GIT_EDITOR") != ":"
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise LedgergateError("git-unreadable", f"cannot read the commit message: {error}") from error
    kept: list[str] = []
    for line in text.split("\n"):
        if line.startswith("#"):
            if has_editor and line.rstrip("\r").endswith(_SCISSORS):
                break
            continue
        kept.append(line)
    return "\n".join(kept)
