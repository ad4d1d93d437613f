"""A case: what every check gets."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property

from ledgergate.errors import LedgergateError
from ledgergate.git import Change
from ledgergate.policy.model import POLICY_PATH
from ledgergate.values import Actor, Item
from ledgergate.vouch.approval import signals_of_author
from ledgergate.vouch.attribution import Attribution
from ledgergate.vouch.comparison import Comparison, Rules
from ledgergate.vouch.contract import contract_items
from ledgergate.vouch.differences import Difference, find_differences, whole_files
from ledgergate.vouch.mending import approving_command
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
        return Attribution(self, signals_of_author(self.policy, self.trust))

    @cached_property
    def vouching(self) -> Vouching:
        return Vouching(self)

    @property
    def approving(self) -> str:
        """The command by which a signer approves the change, as it is typed in a clone."""
        return approving_command(self.change, self.trust)

    @property
    def takes_policy_away(self) -> bool:
        """Whether the change leaves nothing to judge by: that it does is itself what has to be approved.

        Where nothing at all is left, it is rather git that gives us something else than it commits.
        """
        base, head = self.change.base, self.change.head
        return base.entry(POLICY_PATH) is not None and head.entry(POLICY_PATH) is None and bool(head.names(""))

    @property
    def is_first_and_free(self) -> bool:
        """Whether the change brings the first policy, and nothing is enforced yet: at the client, for instance."""
        return self.rules.authority == "bootstrap" and (self.change.moment == "staged" or self.trust.is_first_free)

    @cached_property
    def is_mending(self) -> bool:
        """Whether base cannot be read, or lacks signers that head has: there is nothing to vouch by."""
        return self.rules.authority == "mending" or not self.base.is_readable or self._brings_signers

    @cached_property
    def lacks_signers(self) -> bool:
        """Whether nobody's signature counts as things stand: base cannot be read, or no list names anybody."""
        if self.trust.signers is not None:
            return False
        if self.rules.authority in ("bootstrap", "mending") or not self.base.is_readable:
            return True
        from ledgergate.vouch.acks.signers_file import signers_for

        try:
            return not signers_for(self).keys
        except LedgergateError as error:
            return error.rule == "policy-unreadable"

    @property
    def _brings_signers(self) -> bool:
        path = self.policy.vouch.signers
        new = self.change.head.entry(path)
        if new is None or not new.is_file:
            return False
        from ledgergate.vouch.acks.signers_file import read_signers_at

        try:
            return not read_signers_at(self.change.base, path).keys
        except LedgergateError as error:
            if error.rule != "policy-unreadable":
                # What git cannot give us may be in order, and name somebody.
                raise
            return True

    @property
    def items(self) -> tuple[Item, ...]:
        """The contract: what an approval of the change has to name; where base is mended, whole files."""
        if self.is_mending:
            paths = {difference.path for difference in self.differences}
            return contract_items(whole_files(self, paths.union(self.base.unreadable_paths)))
        return contract_items(item for difference in self.differences for item in difference.items)
