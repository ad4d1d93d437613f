"""What of a change belongs to humans, who made it, and what would have to be vouched for."""

from ledgergate.vouch.case import Case
from ledgergate.vouch.comparison import Rules, policy_of, rules_for
from ledgergate.vouch.contract import contract_digest, contract_items, percent_encode, row_items
from ledgergate.vouch.differences import Difference, file_item, same_row, whole_files
from ledgergate.vouch.in_force import InForce
from ledgergate.vouch.judge import judge_difference, vouchers
from ledgergate.vouch.sides import UNREADABLE, LedgerSet, Side
from ledgergate.vouch.trust import Approval, Facts, Trust

__all__ = [
    "UNREADABLE",
    "Approval",
    "Case",
    "Difference",
    "Facts",
    "InForce",
    "LedgerSet",
    "Rules",
    "Side",
    "Trust",
    "contract_digest",
    "contract_items",
    "file_item",
    "judge_difference",
    "percent_encode",
    "policy_of",
    "row_items",
    "rules_for",
    "same_row",
    "vouchers",
    "whole_files",
]
