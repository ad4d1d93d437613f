"""Points in time, as the freeze ledger writes them."""

from __future__ import annotations

import re
from datetime import datetime

_FORM = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ](?P<hour>\d\d):\d\d(?::(?P<second>\d\d)(?:\.\d+)?)?(?P<zone>[Zz]|[+-]\d\d:\d\d)?", re.ASCII
)


def read_timestamp(text: str) -> datetime:
    """The point in time that a text like `2026-10-06T00:00:00Z` names, in the zone that it names.

    Follows RFC 3339, with seconds optional. Raises `ValueError` with the reason: another form (a date alone, too), no
    time zone, a day or time that does not exist, and leap seconds, which no two clocks agree about.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f'"{text}" is no point in time; write it like 2026-10-06T00:00:00Z')
    if found["zone"] is None:
        raise ValueError(f'"{text}" has no time zone; end it with Z for UTC')
    if found["second"] == "60" or found["hour"] == "24":
        raise ValueError(f'"{text}" names a time that no day has')
    try:
        return datetime.fromisoformat(text.upper())
    except ValueError as error:
        raise ValueError(f'"{text}" names a day or time that does not exist') from error
