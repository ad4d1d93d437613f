"""The test ledger: its rows, its strict reader, its comparison by meaning, its digests, and edits byte by byte."""

from ledgergate.ledger.compare import RowDifference, compare
from ledgergate.ledger.digests import Measured, file_digest, measure, seed_files
from ledgergate.ledger.edit import render, set_fields
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Ledger, Problem, Row
from ledgergate.ledger.validate import append_problem

__all__ = [
    "Ledger",
    "Measured",
    "Problem",
    "Row",
    "RowDifference",
    "append_problem",
    "compare",
    "file_digest",
    "measure",
    "read_ledger",
    "render",
    "seed_files",
    "set_fields",
]
