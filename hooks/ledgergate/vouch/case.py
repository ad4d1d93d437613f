"""A case: what every check gets."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from ledgergate.git import Change
from ledgergate.values import Actor, Item
from ledgergate.vouch.attribution import Attribution
from ledgergate.vouch.comparison import Comparison, Rules
from ledgergate.vouch.contract import contract_items
from ledgergate.vouch.differences import Difference, find_differences
from ledgergate.vouch.trust import Trust
from ledgergate.vouch.vouching import Vouching

_NO_TRUST = Trust()


class Case(Comparison):
    """A change under its rules, who made it, and what of it belongs to humans."""

    def __init__(self, change: Change, rules: Rules, now: datetime, actor: Actor, trust: Trust = _NO_TRUST) -> None:
        super().__init__(change, rules, now)
        self.actor = actor
        self.trust = trust

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        return tuple(find_differences(self))

    @cached_property
    def attribution(self) -> Attribution:
        return Attribution(self)

    @cached_property
    def vouching(self) -> Vouching:
        return Vouching(self)

    @property
    def items(self) -> tuple[Item, ...]:
        """The contract: what an approval of the change has to name."""
        return contract_items(item for difference in self.differences for item in difference.items)
