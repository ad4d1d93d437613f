"""Freezes that come into the freeze ledger, and go out of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from ledgergate.amend.freezable import Freezable
from ledgergate.amend.records import View
from ledgergate.errors import UsageError
from ledgergate.freeze import Freeze, FreezeLedger, Settings
from ledgergate.freeze.edit import insert_freeze, remove_freeze
from ledgergate.freeze.signature import signature_of, tree_reader
from ledgergate.freeze.timestamps import read_timestamp

_USUAL_DAYS = 14
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class FreezeWish(NamedTuple):
    """What a human says of a freeze."""

    reason: str
    owner: str
    expires: str
    lane: str | None = None
    fixtures: tuple[str, ...] = ()


class FreezeAmendment(NamedTuple):
    """A freeze before and after, None where there is none, and what the freeze ledger's bytes would be."""

    path: str
    id: str
    old: Freeze | None
    fields: dict[str, str | list[str]] | None
    content: bytes


def expiry(now: datetime, max_days: int, days: int | None, expires: str | None) -> str:
    """When a freeze ends, as the ledger writes it: at the beginning of a day in UTC, or at the time that was said.

    A date alone for `expires` is the end of that day in UTC. `max_days` is the policy's limit. Raises `UsageError`.
    """
    if days is not None and expires is not None:
        raise UsageError("--days and --expires say the same: give one of them")
    limit = f"and the policy allows {max_days} days ahead ([freeze] max_days)"
    if expires is None:
        days = min(_USUAL_DAYS, max_days) if days is None else days
        if days > max_days or days < 1:
            raise UsageError(f"a freeze of {days} days is asked for, {limit}")
        try:
            end = datetime.combine(now.astimezone(UTC).date(), time(), UTC) + timedelta(days=days)
        except OverflowError as error:
            raise UsageError(f"no calendar goes {days} days ahead") from error
        return f"{end:%Y-%m-%d}T00:00:00Z"
    written = _end_of_day(expires) if _DAY.fullmatch(expires) else expires
    try:
        end = read_timestamp(written)
    except ValueError as error:
        raise UsageError(f"--expires {error}") from error
    if end <= now:
        raise UsageError(f"--expires {expires} is in the past")
    if (end - now).total_seconds() > max_days * 86_400:
        raise UsageError(f"--expires {expires} is too late, {limit}")
    return written


def _end_of_day(day: str) -> str:
    try:
        last = date.fromisoformat(day)
    except ValueError as error:
        raise UsageError(f"--expires {day} is a day that no calendar has") from error
    # No day comes after the last one of the calendar.
    return f"{last + timedelta(days=1)}T00:00:00Z" if last < date.max else f"{last}T23:59:59Z"


def plan_freeze(
    view: View, test: Freezable, check: str, wish: FreezeWish, frozen: FreezeLedger, data: bytes, today: date
) -> FreezeAmendment:
    """A new freeze of this check; `data` are the bytes of the freeze ledger.

    Raises `UsageError` where the wish cannot be, and `LedgergateError` where the ledger cannot be edited.
    """
    written = (wish.reason, wish.owner, check, *wish.fixtures)
    if not all(map(_is_text, written)):
        raise UsageError("a text that was given is not UTF-8, and the freeze ledger holds nothing else")
    for name, text in (("--reason", wish.reason), ("--owner", wish.owner)):
        if not text.strip():
            raise UsageError(f"{name} is empty")
    _refuse_unknown_lane(wish.lane, frozen.settings)
    fields: dict[str, str | list[str]] = {
        "id": _new_id(frozen.freezes, today),
        "signature": signature_of(check, _contents(view, wish.fixtures)),
        "path": test.path,
        "case_id": test.case_id,
        **({} if wish.lane is None else {"lane": wish.lane}),
        "fixtures": list(wish.fixtures),
        **({} if test.checks is not None else {"assertion": check}),
        "reason": wish.reason,
        "expires_utc": wish.expires,
        "owner": wish.owner,
    }
    return FreezeAmendment(frozen.path, str(fields["id"]), None, fields, insert_freeze(data, fields))


def plan_thaw(id_: str, frozen: FreezeLedger, data: bytes) -> FreezeAmendment:
    """The freeze with this id, or of this case, away. Raises `UsageError` where it is not exactly one."""
    found = [freeze for freeze in frozen.freezes if freeze.id == id_]
    found = found or [freeze for freeze in frozen.freezes if id_ in (freeze.case_id, _exact(freeze))]
    found = found or [freeze for freeze in frozen.freezes if freeze.names(id_)]
    known = "".join(f"\n  {freeze.id}: {freeze.case_id} in {freeze.path}" for freeze in found or frozen.freezes)
    if not found:
        raise UsageError(f"no freeze has the id {id_}, and none is about a case of that name{known}")
    if len(found) > 1:
        raise UsageError(f"{len(found)} freezes are meant by {id_}; name one by its id, or edit the ledger{known}")
    (freeze,) = found
    return FreezeAmendment(frozen.path, freeze.id, freeze, None, remove_freeze(data, freeze.id))


def _exact(freeze: Freeze) -> str:
    return f"{freeze.path}::{freeze.case_id}"


def _is_text(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _refuse_unknown_lane(lane: str | None, settings: Settings | None) -> None:
    lanes = (*settings.required_lanes, *settings.optional_lanes) if settings else ()
    if lane is not None and lane not in lanes:
        raise UsageError(f"--lane {lane} is in no lane list of the freeze ledger; there are {', '.join(lanes)}")


def _contents(view: View, fixtures: Sequence[str]) -> tuple[bytes, ...]:
    read = tree_reader(view.tree(fixtures))
    contents = {path: read(path) for path in fixtures}
    missing = [path for path, data in contents.items() if data is None]
    if missing:
        raise UsageError(f"--fixture {missing[0]}: there is no such file")
    return tuple(contents[path] or b"" for path in fixtures)


def _new_id(freezes: Iterable[Freeze], today: date) -> str:
    """The next id of the day: `fx-20261006-01`, and so on."""
    prefix = f"fx-{today:%Y%m%d}-"
    numbers = [freeze.id.removeprefix(prefix) for freeze in freezes if freeze.id.startswith(prefix)]
    last = max((int(number) for number in numbers if number.isascii() and number.isdigit()), default=0)
    return f"{prefix}{last + 1:02d}"
