"""Which items of a change are vouched for by the acks that it adds, and why the other acks vouch for nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from ledgergate.values import Item, State, display_text
from ledgergate.vouch.acks.added import (
    APPROVE_ANEW,
    NAME_THE_TARGET,
    NoAck,
    SignedAck,
    ack_fault,
    added_acks,
    signer_fault,
)
from ledgergate.vouch.acks.chain import Said, astray, counting, place_of
from ledgergate.vouch.acks.document import Ack
from ledgergate.vouch.acks.landed import Landed
from ledgergate.vouch.acks.signers import Signers
from ledgergate.vouch.acks.signers_file import signers_for
from ledgergate.vouch.contract import percent_encode
from ledgergate.vouch.values import Place, value_in

if TYPE_CHECKING:
    from ledgergate.vouch.case import Case


class Approvals:
    """The acks of one change, judged by the rules of its case. What is asked of it raises `LedgergateError`."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def signers_of(self, item: Item) -> tuple[str, ...]:
        """Who signed the acks that lead from the item's old value to its new one; none where none do.

        What stands in head as a link or a submodule is not vouched for by its bytes.
        """
        if not self._signed or (item.kind == "file" and self._is_no_file(item.subject)):
            return ()
        place = (item.kind, percent_encode(item.subject))
        if self._said.leads_away(place, item.new):
            return ()
        path = self._approved.path(place, item.old, item.new)
        return tuple(dict.fromkeys(ack.signer for ack in path))

    @cached_property
    def problems(self) -> tuple[NoAck, ...]:
        """What there is to say of added acks: those that are none, and as notes those that vouch for nothing."""
        none = [found for found in self._added if isinstance(found, NoAck)]
        void = [(signed, why) for signed in self._signed if (why := self._why_void(signed)) is not None]
        brought = {one.path for one in self._case.change.paths} - {one.path for one in self._case.change.edits}
        return (*none, *(self._void(signed, why) for signed, why in void if signed.path not in brought))

    @property
    def first_target(self) -> str | None:
        """The branch that the first of the signed acks is for; None where there are none."""
        return next((signed.ack.target for signed in self._signed), None)

    def _void(self, signed: SignedAck, why: str) -> NoAck:
        """The note on an ack that is a good one elsewhere, or was one: it may stay, and nobody has to take it out."""
        target = self._target(signed.ack)
        remedy: str | None = ""
        if target is None:
            remedy = NAME_THE_TARGET.format(display_text(signed.ack.target))
        elif target == signed.ack.target and signed.name not in self._revoked and self._is_open:
            remedy = APPROVE_ANEW.format(self._case.approving)
        return NoAck(signed.path, State.PASS, f"It vouches for nothing: {why}.", remedy)

    @cached_property
    def _is_open(self) -> bool:
        """Whether anything of the contract waits for somebody's word; tests that do say so themselves."""
        return any(self._case.vouching.of(item) is None for item in self._case.items)

    @cached_property
    def _added(self) -> tuple[SignedAck | NoAck, ...]:
        return tuple(added_acks(self._case.change))

    @cached_property
    def _signed(self) -> tuple[SignedAck, ...]:
        return tuple(found for found in self._added if isinstance(found, SignedAck))

    @cached_property
    def _signers(self) -> Signers:
        return signers_for(self._case)

    @cached_property
    def _landed(self) -> Landed:
        return Landed(self._case.change.base, self._signers)

    @cached_property
    def _revoked(self) -> frozenset[str]:
        """The names of added acks that a signer has taken back: in what has landed, or in this change itself."""
        here = frozenset(signed.ack.revokes for signed in self._own if signed.ack.revokes is not None)
        return here | self._landed.revoked({signed.name for signed in self._signed})

    @cached_property
    def _own(self) -> tuple[SignedAck, ...]:
        """Those that are by a signer, though with a key that may count no longer."""
        return tuple(one for one in self._signed if self._signers.has(one.ack.signer, one.signature.key))

    @cached_property
    def _faults(self) -> Mapping[str, str]:
        """By its path, why a signed ack does not count, whatever stands in head."""
        found = {signed.path: self._fault(signed) for signed in self._signed}
        return {path: why for path, why in found.items() if why is not None}

    def _fault(self, signed: SignedAck) -> str | None:
        policy = self._case.policy
        who = signer_fault(signed, self._signers, self._case.now, presence=policy.vouch.require_presence)
        if who is not None or signed.ack.revokes is not None:
            return who
        if signed.name in self._revoked:
            return "a signer has revoked it"
        return ack_fault(signed.ack, policy.name, self._target(signed.ack), self._case.now) or self._eyes_fault(signed)

    def _target(self, ack: Ack) -> str | None:
        """The branch that the change is for; a commit or a proposal is for whichever the ack names."""
        is_open = self._case.change.moment == "staged" or self._case.trust.is_proposal
        return ack.target if is_open else self._case.trust.branch

    def _eyes_fault(self, signed: SignedAck) -> str | None:
        """With four eyes: whether the signer made what is approved, under any of their names."""
        if not self._case.policy.vouch.four_eyes:
            return None
        person = {name.casefold() for name in self._signers.person(signed.signature.key)}
        changed = [item for item in signed.ack.changes if self._is_changed(place_of(item))]
        for item in changed:
            makers = self._case.attribution.makers_of(item)
            if not makers:
                return "it is not known who made the change, and the policy wants four eyes"
            if person & makers:
                return f"{signed.ack.signer} made a part of the change, and the policy wants four eyes"
        return None

    @cached_property
    def _sound(self) -> tuple[Ack, ...]:
        """The acks that count, if only what they name stands in head."""
        return tuple(
            signed.ack for signed in self._signed if signed.ack.revokes is None and signed.path not in self._faults
        )

    @cached_property
    def _approved(self) -> Said:
        return Said(counting(self._sound, self._stands))

    @cached_property
    def _said(self) -> Said:
        """All that signers have said of what is approved here and not taken back; what has expired was said, too."""
        acks = [
            ack for ack in (*(one.ack for one in self._own), *self._landed.since(self._sound)) if self._is_about(ack)
        ]
        revoked = self._revoked | self._landed.revoked({ack.name for ack in acks})
        return Said(ack for ack in acks if ack.name not in revoked)

    def _is_about(self, ack: Ack) -> bool:
        return ack.repository == self._case.policy.name and ack.target == self._target(ack)

    def _why_void(self, signed: SignedAck) -> str | None:
        fault = self._faults.get(signed.path)
        if fault is not None or signed.ack.revokes is not None:
            return fault
        strayed = next(astray(signed.ack, self._approved, self._stands), None)
        if strayed is not None:
            return f"{strayed.kind} {strayed.subject} is not what was approved, and half of an approval is none"
        return next(self._superseded(signed.ack), None)

    def _superseded(self, ack: Ack) -> Iterator[str]:
        for place in map(place_of, ack.changes):
            later = self._said.leads_away(place, self._stands(place))
            if later is not None:
                yield f"{later.name} says otherwise of {place[0]} {place[1]}, and no earlier"

    def _stands(self, place: Place) -> str | None:
        return value_in(self._case.change.head, lambda _: self._case.head, place)

    def _is_changed(self, place: Place) -> bool:
        return self._stands(place) != value_in(self._case.change.base, lambda _: self._case.base, place)

    def _is_no_file(self, path: str) -> bool:
        entry = self._case.change.head.entry(path)
        return entry is not None and not entry.is_file
