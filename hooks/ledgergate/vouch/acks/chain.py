"""Which acks count, and whether they lead from one value to another. No I/O.

Places and values are those of `vouch.values`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from ledgergate.values import Item
from ledgergate.vouch.acks.document import Ack
from ledgergate.vouch.values import Place

Stands = Callable[[Place], str | None]


class _Step(NamedTuple):
    """What one ack says of one place."""

    ack: Ack
    old: str | None
    new: str | None


class Said:
    """What some acks say, by place."""

    def __init__(self, acks: Iterable[Ack]) -> None:
        self._steps: dict[Place, list[_Step]] = {}
        for ack in sorted(acks, key=lambda ack: ack.issued):
            for item in ack.changes:
                self._steps.setdefault(place_of(item), []).append(_Step(ack, item.old, item.new))

    def path(self, place: Place, old: str | None, new: str | None, *, since: datetime | None = None) -> tuple[Ack, ...]:
        """The acks that lead from one value to the other, each issued later than the one before; empty: none do.

        With `since`, of those that were issued at that time or later.
        """
        reached: dict[str | None, tuple[Ack, ...]] = {old: ()}
        steps = [step for step in self._steps.get(place, ()) if since is None or step.ack.issued >= since]
        for _, together in groupby(steps, key=lambda step: step.ack.issued):
            # Of one second nobody knows which came first, so that none follows another.
            before = dict(reached)
            for step in together:
                if step.old in before and not reached.get(step.new):
                    reached[step.new] = (*before[step.old], step.ack)
        return reached.get(new, ())

    def leads_away(self, place: Place, new: str | None) -> Ack | None:
        """The last that was said of a place, where that is another value; None where nothing is, or this."""
        steps = self._steps.get(place, [])
        last = [step for step in steps if step.ack.issued == steps[-1].ack.issued]
        return next((step.ack for step in last if step.new != new), None)


def place_of(item: Item) -> Place:
    """The place of an item as it stands in an ack."""
    return item.kind, item.subject


def counting(acks: Iterable[Ack], stands: Stands) -> tuple[Ack, ...]:
    """Those of the acks of which every item stands where it was approved, or where further ones of them lead.

    Half of what was approved is not approved: an ack with an item that stands elsewhere counts for none.
    """
    kept = tuple(acks)
    while True:
        said = Said(kept)
        left = tuple(ack for ack in kept if next(astray(ack, said, stands), None) is None)
        if len(left) == len(kept):
            return kept
        kept = left


def astray(ack: Ack, said: Said, stands: Stands) -> Iterator[Item]:
    """The items of an ack that stand elsewhere than where it, or what was said since, leads them."""
    for item in ack.changes:
        place = place_of(item)
        now = stands(place)
        if now != item.new and not said.path(place, item.new, now, since=ack.issued):
            yield item
