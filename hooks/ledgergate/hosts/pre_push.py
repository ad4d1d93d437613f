"""Hook `ledgergate-pre-push`: what a push would bring, before it leaves the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledgergate.errors import LedgergateError, UsageError, run

if TYPE_CHECKING:
    from ledgergate.hosts.judged import Judged
    from ledgergate.hosts.refs import Malformed, RefUpdate

_BY_GIT = "--git"
# Of more refs only those are listed of which there is something to say.
_MANY = 20


def main(argv: Sequence[str] | None = None) -> int:
    """Judge a push: with the arguments and the standard input that git gives its hook, or as a hook manager tells it.

    `--git NAME URL` is how git's own script calls it: there no line means that nothing is pushed.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)

    def command() -> int:
        if arguments and arguments[0] == _BY_GIT:
            return _judge(_read_lines(arguments[1:], may_be_empty=True), arguments[1])
        if arguments:
            return _judge(_read_lines(arguments, may_be_empty=False), arguments[0])
        return _judge_first_ref()

    return run(command)


def _read_lines(arguments: Sequence[str], *, may_be_empty: bool) -> Sequence[RefUpdate | Malformed]:
    from ledgergate.hosts.refs import read_pushed

    if len(arguments) != 2 or arguments[0].startswith("-"):
        raise UsageError("ledgergate-pre-push takes what git gives its hook: the remote's name and its address")
    if sys.stdin is None or sys.stdin.isatty():
        raise LedgergateError("ref-malformed", "Standard input is no list of pushed refs.")
    data = sys.stdin.buffer.read()
    if not data and not may_be_empty:
        raise LedgergateError("ref-malformed", "Standard input is empty, so nobody knows what is pushed.")
    return list(read_pushed(data))


def _judge(updates: Sequence[RefUpdate | Malformed], remote: str) -> int:
    from ledgergate.errors import ExitCode
    from ledgergate.git import Repository
    from ledgergate.hosts.pushes import Push

    push = Push(Repository(), remote)
    is_short = len(updates) > _MANY
    judged = map(push.judge, updates)
    statuses = [0 if is_short and one.is_silent else _show(one) for one in judged]
    if is_short:
        sys.stdout.write(f"ledgergate: {len(updates)} refs looked at; those that pass without a note are not listed\n")
    return ExitCode.OK if not any(statuses) else ExitCode.JUDGED


def _judge_first_ref(only: Sequence[str] = ()) -> int:
    """A hook manager names the first ref of a push, and none of the others."""
    from ledgergate.git import Repository
    from ledgergate.hosts.managed import first_ref
    from ledgergate.hosts.pushes import Push
    from ledgergate.values import display_text

    found = first_ref(os.environ)
    push = Push(Repository(), found.remote, only)
    status = _show(push.judge(push.from_manager(found.update)))
    named = f"the hook manager named {display_text(found.update.ref) or 'no ref by its name'}"
    told = "and no other ref of this push was looked at; `ledgergate install --pre-push` has git name all of them"
    sys.stdout.write(f"ledgergate: {named}, {told}\n")
    return status


def _show(judged: Judged) -> int:
    from ledgergate.checks.proposals import as_pushed
    from ledgergate.hosts.output import show, show_score

    sys.stdout.write(f"{judged.what}\n")
    status = show(lambda: as_pushed(judged.report), more=judged.shown_by)
    if judged.report.aside is not None and judged.names is not None:
        sys.stdout.write(f"{judged.shown_by} says how to go on\n")
    if judged.score is not None:
        scored = show_score(judged.score)
        status = max(status, scored if judged.is_enforced else 0)
    return status


def run_alone(check: str) -> int:
    """One check alone, on the ref that a hook manager names."""
    return _judge_first_ref((check,))
