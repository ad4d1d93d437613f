"""Where the signers stand who may vouch for a change: never in the change itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledgergate.errors import LedgergateError
from ledgergate.git import Snapshot
from ledgergate.vouch.acks.signers import Signers, read_signers
from ledgergate.vouch.comparison import policy_of, refuse_unknown_default
from ledgergate.vouch.mending import how_to_mend

if TYPE_CHECKING:
    from ledgergate.vouch.case import Case

_SERVERS = "the server's own file"


def signers_for(case: Case) -> Signers:
    """The signers of the server's own file, or else of the default branch's tip; none where there is no such file.

    Where the change is for the default branch, or is a part of it already, or where that has no policy, base stands for
    that tip. Raises `LedgergateError` where the file cannot be read, or where a target is named and the default branch
    is not known.
    """
    if case.trust.signers is not None:
        return read_signers(_SERVERS, case.trust.signers)
    if case.change.moment != "staged" and case.rules.authority == "bootstrap":
        # A list that lies there without a policy was never anybody's to guard.
        return Signers(())
    refuse_unknown_default(case.trust)
    tip = _tip(case)
    policy = case.policy if tip.id == case.change.base.id else policy_of(tip)
    if policy is None or (policy.vouch.mode == "signals" and case.policy.vouch.mode == "ack"):
        # Without a policy nothing on the default branch is guarded, and by signals no list is: base's own is, here.
        tip, policy = case.change.base, case.policy
    try:
        return read_signers_at(tip, policy.vouch.signers)
    except LedgergateError as error:
        message = f"on the branch whose signers count: {error.message}"
        mend = how_to_mend(case.change, case.trust)
        raise LedgergateError(error.rule, message, remedy=mend, path=error.path) from error


def read_signers_at(snapshot: Snapshot, path: str) -> Signers:
    """The signers that a snapshot names; none where it has no such file. Raises `LedgergateError`."""
    entry = snapshot.entry(path)
    if entry is None and not snapshot.is_folder(path):
        return Signers(())
    if entry is None or not entry.is_file:
        raise LedgergateError("policy-unreadable", "The signers file is no regular file.", path=path)
    return read_signers(path, snapshot.read_entry(entry))


def _tip(case: Case) -> Snapshot:
    change = case.change
    if change.moment == "staged":
        return change.target
    return change.base if case.trust.is_at_default else change.default or change.base
