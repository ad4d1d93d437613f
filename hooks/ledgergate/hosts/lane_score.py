"""Hook `lane-score`: the four-state score of the evidence that is kept for the tree that is pushed."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ledgergate.errors import UsageError, run


def main(argv: Sequence[str] | None = None) -> int:
    """Score what `ledgergate run` kept."""
    arguments = [argument for argument in (sys.argv[1:] if argv is None else argv) if argument.startswith("-")]

    def command() -> int:
        if arguments:
            raise UsageError(f"lane-score takes no options (got {arguments[0]}); `ledgergate score` has them")
        return _show_score()

    return run(command)


def _show_score() -> int:
    from ledgergate.hosts.kept import kept_score
    from ledgergate.hosts.moments import now
    from ledgergate.hosts.output import show_score
    from ledgergate.hosts.pushed import pushed_basis

    clock = now()
    return show_score(kept_score(pushed_basis(clock), clock))
