"""What a command would change in the ledgers: rows before and after, and the files that follow them."""

from ledgergate.amend.draft import plan_draft
from ledgergate.amend.promote import PromotionWish, plan_promotion
from ledgergate.amend.quarantine import plan_quarantine, plan_release, plan_removal
from ledgergate.amend.records import Amendment, Move, RowChange, View, amendment_items, edited_ledgers, moved_files
from ledgergate.amend.wish import Wish

__all__ = [
    "Amendment",
    "Move",
    "PromotionWish",
    "RowChange",
    "View",
    "Wish",
    "amendment_items",
    "edited_ledgers",
    "moved_files",
    "plan_draft",
    "plan_promotion",
    "plan_quarantine",
    "plan_release",
    "plan_removal",
]
