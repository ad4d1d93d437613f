"""The policy (`ledgergate.toml`): its model, its reader, what it says about a path, and what it protects."""

from ledgergate.policy.globs import fold_path
from ledgergate.policy.model import ACKS_FOLDER, POLICY_PATH, Lane, Policy
from ledgergate.policy.paths import (
    PathClass,
    classify,
    is_ledger,
    is_partly_protected,
    ledger_paths,
    may_agent_write,
    underlying_class,
)
from ledgergate.policy.protected import protected_difference
from ledgergate.policy.reader import read_policy

__all__ = [
    "ACKS_FOLDER",
    "POLICY_PATH",
    "Lane",
    "PathClass",
    "Policy",
    "classify",
    "fold_path",
    "is_ledger",
    "is_partly_protected",
    "ledger_paths",
    "may_agent_write",
    "protected_difference",
    "read_policy",
    "underlying_class",
]
