"""The hooks that run one check each, for teams that want them apart."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ledgergate.errors import UsageError, run


def ledger_schema(argv: Sequence[str] | None = None) -> int:
    """Hook `ledger-schema`: both ledgers and the policy are well-formed."""
    return _run_alone("ledger-schema", argv)


def ledger_edits(argv: Sequence[str] | None = None) -> int:
    """Hook `ledger-edits`: what may be edited by whom."""
    return _run_alone("ledger-edits", argv)


def fixture_digests(argv: Sequence[str] | None = None) -> int:
    """Hook `fixture-digests`: recompute digests."""
    return _run_alone("fixture-digests", argv)


def two_sided_diff(argv: Sequence[str] | None = None) -> int:
    """Hook `two-sided-diff`: goldens with production."""
    return _run_alone("two-sided-diff", argv, at_push=True)


def test_guard(argv: Sequence[str] | None = None) -> int:
    """Hook `test-guard`: whether an edit makes the tests prove less."""
    return _run_alone("test-guard", argv, at_push=True)


def _run_alone(check: str, argv: Sequence[str] | None, *, at_push: bool = False) -> int:
    """Judge what is staged, or with `at_push` what is pushed where a hook manager says that something is.

    File names that a hook manager may append are ignored: what is judged comes from git alone."""
    options = [argument for argument in (sys.argv[1:] if argv is None else argv) if argument.startswith("-")]

    def command() -> int:
        if options:
            raise UsageError(f"{check} takes no options (got {options[0]}); `ledgergate check` has them")
        # Inside the boundary, which says what cannot be imported.
        if at_push and _is_push():
            from ledgergate.hosts.pre_push import run_alone

            return run_alone(check)
        from ledgergate.hosts.moments import staged_report
        from ledgergate.hosts.output import show

        more = f"`ledgergate check --only {check} --all`"
        return show(lambda: staged_report(only=(check,)), more=more)

    return run(command)


def _is_push() -> bool:
    from ledgergate.hosts.managed import is_push

    return is_push(os.environ)
