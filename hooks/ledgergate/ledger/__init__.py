"""The test ledger: its rows, its strict reader, its comparison by meaning, its digests, and edits byte by byte."""

from ledgergate.ledger.compare import RowDifference, compare
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Ledger, Problem, Row
from ledgergate.ledger.validate import append_problem

__all__ = ["Ledger", "Problem", "Row", "RowDifference", "append_problem", "compare", "read_ledger"]
