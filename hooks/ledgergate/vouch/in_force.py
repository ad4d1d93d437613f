"""What is in force for a run of the tests: base's ledgers, and what of head's differences anyone may make."""

from __future__ import annotations

from functools import cached_property

from ledgergate.errors import LedgergateError
from ledgergate.freeze import FreezeLedger
from ledgergate.ledger import Row
from ledgergate.policy.paths import MODULE_ENDINGS, PathClass, classify
from ledgergate.values import Item
from ledgergate.vouch.case import Case

_CODE = (*MODULE_ENDINGS, ".pth", ".dll", ".dylib")


class InForce:
    """The rows and freezes that a run of head's tests is judged by.

    A difference that belongs to a human counts for nothing before somebody has vouched for it: base's row or freeze
    stays in force. Where head brings the first policy there is no base to judge by, and all of head's are.
    """

    def __init__(self, case: Case) -> None:
        self._case = case

    @property
    def is_first(self) -> bool:
        """Whether head brings the first policy, and is judged by itself."""
        return self._case.rules.authority == "bootstrap"

    @cached_property
    def _held(self) -> frozenset[str]:
        """The ids of rows whose difference belongs to a human, and that nobody has vouched for."""
        if self.is_first:
            return frozenset()
        return frozenset(item.subject for item in self._waiting if item.kind == "row")

    @cached_property
    def _waiting(self) -> tuple[Item, ...]:
        """What of the differences that belong to humans nobody has vouched for."""
        items = (item for found in self._case.differences for item in found.items)
        return tuple(item for item in items if self._case.vouching.of(item) is None)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows, in the order of their ids."""
        base, head = self._case.base.ledgers.rows, self._case.head.ledgers.rows
        chosen = {id_: (base if id_ in self._held else head).get(id_) for id_ in sorted({*base, *head})}
        return tuple(row for row in chosen.values() if row is not None)

    def is_waiting(self, id_: str) -> bool:
        """Whether head has a row for this id that counts for nothing yet."""
        return id_ in self._held and id_ in self._case.head.ledgers.rows

    @property
    def freeze(self) -> FreezeLedger:
        """The freeze ledger: head's where somebody has vouched for each difference of it, or else base's.

        Raises `LedgergateError` where there is none.
        """
        is_heads = self.is_first or not any(item.kind in ("freeze", "settings") for item in self._waiting)
        found = (self._case.head if is_heads else self._case.base).freeze
        if found is None:
            message = "There is no freeze ledger in the revision that judges the run, so no lane is required."
            raise LedgergateError("ledger-missing", message, path=self._case.policy.freeze_ledger)
        return found

    def matters(self, path: str) -> bool:
        """Whether what lies at this path can bear on a run: all but what is not production and no row names.

        Code can be imported from wherever it lies, from a folder of documents, too.
        """
        if path.casefold().endswith(_CODE):
            return True
        return classify(self._case.policy, path) is not PathClass.NOT_PRODUCTION or self.is_named(path)

    def is_named(self, path: str) -> bool:
        """Whether a row of base or head is about this file: as an artifact, or among its seeds."""
        return any(side.ledgers.pinning(path) for side in (self._case.base, self._case.head))

    @cached_property
    def is_production_changed(self) -> bool:
        """Whether head differs from base in production code."""
        return any(self._is_production(change.path) for change in self._case.change.paths)

    def _is_production(self, path: str) -> bool:
        if classify(self._case.policy, path) is not PathClass.PRODUCTION:
            return False
        return not any(side.ledgers.naming(path) for side in (self._case.base, self._case.head))
