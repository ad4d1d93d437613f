"""What each test of a suite could be held to, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from ledgergate.adopt.collect import Item
from ledgergate.adopt.readers import Readers
from ledgergate.adopt.seeds import SeedFolders
from ledgergate.adopt.worth import Worths
from ledgergate.ledger import Row, split_id
from ledgergate.ledger.paths import id_fault

HAS_SEEDS = "has a folder of seeds"
HAS_CHECK = "has a check that can fail"
IS_DRAFT = "lies below the drafts"
NO_CHECK = "no check that can fail"
WEAK_CHECKS = "checks only that something is true or there (`is True` or `== VALUE` would be a check)"
_UNTOLD = "its source cannot be told"


class Wish(NamedTuple):
    """What a human decides: whether tests are held to their own source, and who owns the quarantine (None: nobody)."""

    inline: bool
    owner: str | None
    today: date


class Proposal(NamedTuple):
    """A row as far as the suite tells: of a quarantine row owner and date are open."""

    id: str
    class_: str
    fields: Mapping[str, str]
    why: str

    @property
    def is_inline(self) -> bool:
        return self.class_ == "locked_fixture"


class Proposals(NamedTuple):
    """In the order of ids; and for each function (id without parameters) that nothing fits, why that is so."""

    rows: tuple[Proposal, ...]
    unplaced: dict[str, str]


class Settled(NamedTuple):
    """The rows that a human's wish makes of proposals, with the reason of each by id; and the functions without one."""

    rows: tuple[Row, ...]
    why: dict[str, str]
    unplaced: dict[str, str]


class Proposer:
    """Proposes rows for tests that no golden row covers.

    `paths` are the repository's files, and `drafts` is the drafts folder with its slash.
    """

    def __init__(self, paths: Iterable[str], readers: Readers, worths: Worths, drafts: str) -> None:
        self._seeds = SeedFolders(paths)
        self._readers = readers
        self._worths = worths
        self._drafts = drafts

    def propose(self, items: Iterable[Item]) -> Proposals:
        """A row for each function of these cases, where there is something to hold it to."""
        functions: dict[str, list[Item]] = {}
        for item in items:
            functions.setdefault(item.function, []).append(item)
        rows: list[Proposal] = []
        unplaced: dict[str, str] = {}
        for function, cases in sorted(functions.items()):
            found = self._place(function, cases)
            if isinstance(found, str):
                unplaced[function] = found
            else:
                rows.append(found._replace(fields={**found.fields, **_params(function, cases)}))
        return Proposals(tuple(rows), unplaced)

    def _place(self, function: str, cases: Sequence[Item]) -> Proposal | str:
        first = cases[0]
        if id_fault(function) is not None:
            return "the ledger cannot hold its id"
        if not first.is_function:
            return "it is a doctest, or another test that is no function"
        if function.startswith(self._drafts):
            return Proposal(function, "draft", _draft_fields(first), IS_DRAFT)
        if all(case.idle for case in cases):
            return Proposal(function, "quarantine", {}, f"{first.idle} today")
        seeds = self._seed_folder(function, first)
        if seeds is not None:
            return Proposal(function, "property", {"invariant": _invariant(function), "seeds": seeds}, HAS_SEEDS)
        return self._by_source(first)

    def _seed_folder(self, function: str, item: Item) -> str | None:
        if not self._seeds.folders:
            return None
        texts = self._readers.texts(item).reached
        return self._seeds.of_test(item.file, _last_name(function), texts, is_hypothesis=item.is_hypothesis)

    def _by_source(self, item: Item) -> Proposal | str:
        from ledgergate.source.strength import Strength

        artifact = _source_of(item)
        worth = self._worths.of(*split_id(artifact)) if artifact else None
        if artifact is None or worth is None:
            return "its source is not in this repository"
        strength, digest = worth
        if strength is Strength.CAN_FAIL:
            fields = {"artifact": artifact} | ({} if digest is None else {"digest": digest})
            return Proposal(item.function, "locked_fixture", fields, HAS_CHECK)
        reasons = {
            Strength.NONE: NO_CHECK,
            Strength.WEAK: WEAK_CHECKS,
            Strength.SKIPPED: "a mark keeps it from passing",
        }
        reason = reasons.get(strength)
        return _UNTOLD if reason is None else Proposal(item.function, "quarantine", {}, reason)


def settle(proposals: Proposals, wish: Wish) -> Settled:
    """The rows that come of it; what is not wished for stays without one."""
    rows: list[Row] = []
    why: dict[str, str] = {}
    unplaced = dict(proposals.unplaced)
    for proposal in proposals.rows:
        fields = _settled(proposal, wish)
        if isinstance(fields, str):
            unplaced[proposal.id] = fields
        else:
            why[proposal.id] = proposal.why
            rows.append(Row.of({"id": proposal.id, "class": proposal.class_, **fields}))
    return Settled(tuple(rows), why, unplaced)


def uncovered(items: Iterable[Item], rows: Iterable[Row]) -> Iterator[Item]:
    """The cases that no row covers: none has their exact id, nor that of their function with `params`."""
    by_id = {row.id: row for row in rows}
    for item in items:
        of_function = by_id.get(item.function)
        if item.id not in by_id and (of_function is None or of_function.params is None):
            yield item


def _settled(proposal: Proposal, wish: Wish) -> dict[str, str] | str:
    fields = dict(proposal.fields)
    if proposal.class_ == "quarantine":
        if wish.owner is None:
            return f"{proposal.why} (--owner NAME puts it in quarantine)"
        return {**fields, "opened": wish.today.isoformat(), "reason": proposal.why, "owner": wish.owner}
    if proposal.is_inline and not wish.inline:
        return f"{proposal.why} (--inline holds it to its own source)"
    return _UNTOLD if proposal.is_inline and "digest" not in fields else fields


def _source_of(item: Item) -> str | None:
    """The inline artifact of a test: itself, or the function of another file that it inherits."""
    if item.defined_in in (None, item.file):
        return item.function
    if not item.name or "<locals>" in item.name:
        return None
    return "::".join((item.defined_in or "", *item.name.split(".")))


def _draft_fields(item: Item) -> dict[str, str]:
    proposed = (
        {"proposed_class": "property", "invariant": _invariant(item.function)}
        if item.is_hypothesis
        else {"proposed_class": "locked_fixture", "artifact": item.function}
    )
    return {"source": "agent", **proposed}


def _params(function: str, cases: Sequence[Item]) -> dict[str, str]:
    """The field `params` of a row for all cases of a function, where they have parameters."""
    return {} if cases[0].id == function else {"params": str(counted_cases(cases))}


def counted_cases(cases: Sequence[Item]) -> int:
    """The `params` of a row for these cases: how many run today, or how many there are where none does."""
    return sum(not case.idle for case in cases) or len(cases)


def _last_name(function: str) -> str:
    return function.rpartition("::")[2]


def _invariant(function: str) -> str:
    return _last_name(function).removeprefix("test_") or _last_name(function)
