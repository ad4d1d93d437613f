"""The checks: one file each, all of the form `check(case) -> findings`, and the engine that runs them."""

from ledgergate.checks.engine import CHECKS, judge

__all__ = ["CHECKS", "judge"]
