"""Test reports against the ledger: which passes are evidence."""

from ledgergate.evidence.disk import DiskTree
from ledgergate.evidence.gate import CHECK, Run, judge
from ledgergate.evidence.holding import measured_problems, row_problems
from ledgergate.evidence.junit import JUnitReport, read_junit

__all__ = ["CHECK", "DiskTree", "JUnitReport", "Run", "judge", "measured_problems", "read_junit", "row_problems"]
