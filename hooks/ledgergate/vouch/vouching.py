"""Who has vouched for a difference that belongs to a human."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ledgergate.policy.model import ACKS_FOLDER
from ledgergate.policy.paths import stands_for_acks
from ledgergate.values import Item
from ledgergate.vouch.approval import signals_of_author, vouched_on_forge
from ledgergate.vouch.comparison import is_as_strict, refuse_unknown_default
from ledgergate.vouch.contract import percent_encode
from ledgergate.vouch.differences import file_item, holds_seed, is_seed
from ledgergate.vouch.sides import Side, SideReader
from ledgergate.vouch.values import value_in

if TYPE_CHECKING:
    from ledgergate.vouch.acks.approvals import Approvals
    from ledgergate.vouch.case import Case

ADVICE = "no signal of an agent (advice)"


def _needed_a_word(side: Side, item: Item, base: Side) -> bool:
    """Whether it is on a side by more than one's own hand: a new draft is anybody's, and a file that no row holds."""
    if item.kind == "row":
        row, before = (one.ledgers.rows.get(item.subject) for one in (side, base))
        return row is not None and (row.class_ != "draft" or (before is not None and before.class_ == "draft"))
    return item.kind != "file" or any(holds_seed(row, item.subject) for row in side.ledgers.pinning(item.subject))


class Vouching:
    """Answers for one case, each item once."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._found: dict[Item, str | None] = {}

    @cached_property
    def on_forge(self) -> str | None:
        """Who vouches for the whole contract on the forge, in a few words; None: nobody."""
        return vouched_on_forge(self._case)

    @cached_property
    def acks(self) -> Approvals | None:
        """The acks that the change adds; None where there are none, nor what is in their way, as in most changes."""
        paths = (change.path for change in self._case.change.paths)
        if not any(path.startswith(ACKS_FOLDER) or stands_for_acks(path) for path in paths):
            return None
        from ledgergate.vouch.acks.approvals import Approvals

        return Approvals(self._case)

    def of(self, item: Item) -> str | None:
        """Who vouched for the item, in a few words for a person to read; None: nobody has.

        The item is a difference of this change, with the values that base and head have. Raises `LedgergateError`.
        """
        if item not in self._found:
            self._found[item] = self._look(item)
        return self._found[item]

    def _look(self, item: Item) -> str | None:
        if self.on_forge is not None:
            refuse_unknown_default(self._case.trust)
        vouched = self.on_forge or self._by_acks(item)
        if vouched or self._case.rules.authority in ("bootstrap", "mending"):
            # The policy is the change's own: what it says of whose word counts is nobody's word.
            return vouched
        return self._by_backport(item) or self._by_signals(item)

    def of_file(self, path: str) -> str | None:
        """Who vouched for a changed file as a whole, by its bytes; None: nobody has, or it is as it was."""
        change = self._case.change.by_path.get(path)
        return None if change is None else self.of(file_item(self._case, change))

    def mends(self, path: str) -> bool:
        """Whether somebody who may do so vouched for the repair of a file that base has broken."""
        if self._case.change.moment == "staged":
            return not self._case.actor.is_agent
        return self.on_forge is not None or (self._case.trust.signers is not None and self.of_file(path) is not None)

    def _by_acks(self, item: Item) -> str | None:
        return " and ".join(self.acks.signers_of(item) if self.acks else ()) or None

    def _by_backport(self, item: Item) -> str | None:
        """For another branch than the default one: that has the row, the freeze or the seed file, and has it so."""
        case = self._case
        if case.change.moment == "staged" or item.new is None or not case.trust.is_elsewhere:
            return None
        if item.kind not in ("row", "freeze") and not (item.kind == "file" and is_seed(case, item.subject)):
            return None
        default = self._default
        if default is None or not _needed_a_word(default, item, case.base):
            return None
        if value_in(default.snapshot, lambda _: default, (item.kind, percent_encode(item.subject))) != item.new:
            return None
        return f"{case.trust.default_branch}, which has it so"

    @cached_property
    def _default(self) -> Side | None:
        """The default branch by its own policy: what no rule of its own kept there may be anybody's."""
        tip, policy = self._case.change.default, self._case.rules.default
        if tip is None or policy is None or not is_as_strict(policy.vouch, self._case.policy.vouch):
            return None
        return SideReader((policy,), self._case.today).read(tip)

    def _by_signals(self, item: Item) -> str | None:
        """For teams without keys: commits made the difference, and none of them shows an agent."""
        case = self._case
        if case.policy.vouch.mode != "signals" or case.change.moment == "staged":
            return None
        if signals_of_author(case.policy, case.trust) or case.attribution.signals_on_item(item):
            return None
        # What a forced push drops was made by nobody.
        if not case.attribution.makers_of(item):
            return None
        refuse_unknown_default(case.trust)
        return ADVICE
