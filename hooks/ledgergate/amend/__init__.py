"""What a command would change in the ledgers: rows before and after, and the files that follow them."""

from ledgergate.amend.draft import plan_drafts
from ledgergate.amend.freezable import candidate_checks, chosen_check, find_freezable
from ledgergate.amend.freezes import FreezeAmendment, FreezeWish, expiry, plan_freeze, plan_thaw
from ledgergate.amend.promote import PromotionWish, plan_promotion
from ledgergate.amend.proposal import promotion_command
from ledgergate.amend.quarantine import plan_quarantine, plan_release, plan_removal
from ledgergate.amend.records import Amendment, Move, RowChange, View, amendment_items, edited_ledgers, moved_files
from ledgergate.amend.wish import Wish

__all__ = [
    "Amendment",
    "FreezeAmendment",
    "FreezeWish",
    "Move",
    "PromotionWish",
    "RowChange",
    "View",
    "Wish",
    "amendment_items",
    "candidate_checks",
    "chosen_check",
    "edited_ledgers",
    "expiry",
    "find_freezable",
    "moved_files",
    "plan_drafts",
    "plan_freeze",
    "plan_promotion",
    "plan_quarantine",
    "plan_release",
    "plan_removal",
    "plan_thaw",
    "promotion_command",
]
