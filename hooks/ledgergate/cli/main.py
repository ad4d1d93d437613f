"""`ledgergate`: one command with a subcommand for each job."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ledgergate.errors import run

_HOOK_CALL = ["check", "--staged"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status says how it ended (`ExitCode`).

    Nothing but the boundary is imported outside of it, so that what cannot be imported is said and ends as it should.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)

    def command() -> int:
        if arguments == _HOOK_CALL:
            # Every commit waits for this call; a command-line parser would be a tenth of its time.
            from ledgergate.hosts.pre_commit import check_staged

            return check_staged()
        from ledgergate.cli.commands import run_command

        return run_command(arguments)

    return run(command)
