"""The test ledger: its rows, its strict reader, its comparison by meaning and its digests.

Edits (`ledgergate.ledger.edit`) are imported where they are made: the hooks do without.
"""

from ledgergate.ledger.compare import RowDifference, compare
from ledgergate.ledger.digests import Measured, file_digest, measure, seed_files
from ledgergate.ledger.paths import file_of, split_artifact, split_id
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
    "file_of",
    "measure",
    "read_ledger",
    "seed_files",
    "split_artifact",
    "split_id",
]
