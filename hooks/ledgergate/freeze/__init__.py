"""The freeze ledger: its records, its reader, and what a change does to it."""

from ledgergate.freeze.compare import (
    FreezeDifference,
    compare_freezes,
    fingerprint_of,
    horizon_problems,
)
from ledgergate.freeze.model import Freeze, FreezeLedger, Problem, Settings
from ledgergate.freeze.reader import read_freeze_ledger

__all__ = [
    "Freeze",
    "FreezeDifference",
    "FreezeLedger",
    "Problem",
    "Settings",
    "compare_freezes",
    "fingerprint_of",
    "horizon_problems",
    "read_freeze_ledger",
]
