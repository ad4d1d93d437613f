"""What a change does to the freeze ledger: one difference a freeze, and one for everything else in the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from ledgergate.freeze.model import Freeze, FreezeLedger, Problem

Kind = Literal["freeze", "settings"]
_DAY = 86_400


class FreezeDifference(NamedTuple):
    """One difference that belongs to a human. `subject` is a freeze's id, or the ledger's path for its settings.

    `old` and `new` are fingerprints, None where there is nothing. `label` says in a few words what differs.
    """

    kind: Kind
    subject: str
    old: str | None
    new: str | None
    label: str


def compare_freezes(base: FreezeLedger | None, head: FreezeLedger | None, *, path: str) -> Iterator[FreezeDifference]:
    """The differences between two states of the freeze ledger at `path`, by meaning: settings first, freezes by id.

    None stands for a side that has no such file. The order of freezes and keys, and white space, are no difference.
    """
    old, new = _settings_fields(base), _settings_fields(head)
    if old != new:
        yield _difference("settings", path, base, head, old, new)
    before, after = _by_id(base), _by_id(head)
    for identity in sorted(before.keys() | after.keys()):
        old = before[identity].fields if identity in before else None
        new = after[identity].fields if identity in after else None
        if old != new:
            yield _difference("freeze", identity, base, head, old, new)


def fingerprint_of(ledger: FreezeLedger | None, kind: Kind, subject: str) -> str | None:
    """The fingerprint of the freeze with that id, or of the settings; None where the ledger has nothing such."""
    if ledger is None:
        return None
    if kind == "settings":
        return None if ledger.settings is None else ledger.settings.fingerprint
    freeze = _by_id(ledger).get(subject)
    return None if freeze is None else freeze.fingerprint


def horizon_problems(
    base: FreezeLedger | None, head: FreezeLedger | None, *, now: datetime, max_days: int
) -> Iterator[Problem]:
    """`freeze-invalid` for each freeze that base lacks or has differently and that outlasts `max_days` from `now`.

    `now` is the judging clock, with a time zone. A freeze that stays as it was is no business of this change.
    """
    before = _by_id(base)
    for freeze in head.freezes if head else ():
        same = freeze.id in before and before[freeze.id].fields == freeze.fields
        if not same and _outlasts(freeze, now, max_days):
            limit = f"{max_days} days ahead, and the policy allows no more (`[freeze] max_days`)"
            message = f"freeze {freeze.id}: `expires_utc` lies more than {limit}"
            yield Problem("freeze-invalid", freeze.line, freeze.id, message)


def _outlasts(freeze: Freeze, now: datetime, max_days: int) -> bool:
    # Seconds, since a policy may name more days than a `timedelta` holds.
    return freeze.expires_utc is not None and (freeze.expires_utc - now).total_seconds() > max_days * _DAY


def _difference(
    kind: Kind,
    subject: str,
    base: FreezeLedger | None,
    head: FreezeLedger | None,
    old: Mapping[str, object] | None,
    new: Mapping[str, object] | None,
) -> FreezeDifference:
    before, after = fingerprint_of(base, kind, subject), fingerprint_of(head, kind, subject)
    return FreezeDifference(kind, subject, before, after, _label(old, new))


def _label(old: Mapping[str, object] | None, new: Mapping[str, object] | None) -> str:
    if old is None or new is None:
        return "added" if old is None else "removed"
    return ", ".join(_changes(old, new, ""))


def _changes(old: Mapping[str, object], new: Mapping[str, object], prefix: str) -> Iterator[str]:
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _changes(before, after, f"{prefix}{key}.")
        elif before != after:
            yield f"{prefix}{key}: {_shown(key in old, before)} -> {_shown(key in new, after)}"


def _shown(stands: bool, value: object) -> str:
    if not stands:
        return "nothing"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _settings_fields(ledger: FreezeLedger | None) -> Mapping[str, object] | None:
    return None if ledger is None or ledger.settings is None else ledger.settings.fields


def _by_id(ledger: FreezeLedger | None) -> dict[str, Freeze]:
    return {freeze.id: freeze for freeze in ledger.freezes} if ledger else {}
