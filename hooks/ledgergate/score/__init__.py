"""What a run of the tests is worth: lane reports against the freeze ledger, folded into four states and a decision."""

from ledgergate.score.decide import Decision, decide
from ledgergate.score.lane_report import LaneReport, Unreadable, read_lane_reports
from ledgergate.score.receipts import covered_by_receipts
from ledgergate.score.score import Floor, FreezeScore, Score, score

__all__ = [
    "Decision",
    "Floor",
    "FreezeScore",
    "LaneReport",
    "Score",
    "Unreadable",
    "covered_by_receipts",
    "decide",
    "read_lane_reports",
    "score",
]
