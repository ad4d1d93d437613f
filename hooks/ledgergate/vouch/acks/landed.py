"""The acks that base holds: they vouch for nothing more, and still say what was approved last, and what was revoked."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from ledgergate.errors import LedgergateError
from ledgergate.git import Snapshot
from ledgergate.vouch.acks.added import verified
from ledgergate.vouch.acks.chain import place_of
from ledgergate.vouch.acks.document import Ack, AckError
from ledgergate.vouch.acks.held import acks_in
from ledgergate.vouch.acks.signature import read_signature
from ledgergate.vouch.acks.signers import Signers
from ledgergate.vouch.acks.signers_file import signers_for

if TYPE_CHECKING:
    from ledgergate.vouch.case import Case


class Landed:
    """The acks of base, as far as they are by today's signers. What is asked of it raises `LedgergateError`."""

    def __init__(self, base: Snapshot, signers: Signers) -> None:
        self._base = base
        self._signers = signers

    def revoked(self, names: Collection[str]) -> frozenset[str]:
        """Those of the names of acks that a signer has revoked."""
        found = (ack for ack in self._acks if ack.revokes in names)
        return frozenset(ack.revokes for ack in found if ack.revokes is not None and self._is_by_a_signer(ack))

    def since(self, acks: Collection[Ack]) -> tuple[Ack, ...]:
        """What signers have said of any place that these acks name, no earlier than the first of them."""
        if not acks:
            return ()
        places, first = {place_of(item) for ack in acks for item in ack.changes}, min(ack.issued for ack in acks)
        about = (ack for ack in self._acks if not places.isdisjoint(map(place_of, ack.changes)))
        return tuple(ack for ack in about if ack.issued >= first and self._is_by_a_signer(ack))

    @cached_property
    def _acks(self) -> tuple[Ack, ...]:
        return tuple(acks_in(self._base))

    def _is_by_a_signer(self, ack: Ack) -> bool:
        if not self._signers.named(ack.signer):
            return False
        try:
            return self._signers.has(ack.signer, verified(ack).key)
        except AckError:
            return False


def is_nobodys(case: Case, ack: Ack) -> bool:
    """Whether an ack of base names a key that is none of its signer's: it has said nothing that anybody could miss.

    What cannot be read may be a signer's, and where there are no signers, anybody may have been one.
    """
    try:
        key = read_signature(ack.signature).key
    except ValueError:
        return False
    try:
        signers = signers_for(case)
    except LedgergateError:
        return False
    return bool(signers.keys) and not signers.has(ack.signer, key)
