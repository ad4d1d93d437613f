"""Points in time, as freezes write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ledgergate.freeze.timestamps import read_timestamp


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-10-06T00:00:00Z", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-06t00:00:00z", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-06 00:00:00Z", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-06T00:00Z", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-06T00:00:00+00:00", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-06T00:00:00-00:00", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-06T14:00:00+14:00", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-05T12:30:00-11:30", datetime(2026, 10, 6, tzinfo=UTC)),
        ("2026-10-06T00:00:00.5Z", datetime(2026, 10, 6, 0, 0, 0, 500_000, tzinfo=UTC)),
        ("2026-10-06T00:00:00.123456789Z", datetime(2026, 10, 6, 0, 0, 0, 123_456, tzinfo=UTC)),
        ("9999-12-31T23:59:59Z", datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("2028-02-29T00:00:00Z", datetime(2028, 2, 29, tzinfo=UTC)),
    ],
)
def test_points_in_time(text: str, expected: datetime) -> None:
    assert read_timestamp(text) == expected


def test_the_last_moment_of_a_zone_behind_utc_can_be_compared() -> None:
    assert read_timestamp("9999-12-31T23:59:59-12:00") > datetime.now(UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "never",
        "2026-10-06",
        "20261006",
        "20261006T000000Z",
        "2026-W41-2T00:00:00Z",
        "2026-10-6T00:00:00Z",
        "2026-10-06T00:00:00",
        "2026-10-06T00:00:00 Z",
        "2026-10-06T00:00:00+02",
        "2026-10-06T00:00:00+25:00",
        "2026-10-06T00:00:00UTC",
        "2026-10-06T00:00:60Z",
        "2026-10-06T24:00:00Z",
        "2026-10-06T00:61:00Z",
        "2026-02-30T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "12026-10-06T00:00:00Z",
        "2026-10-06T00:00:00.Z",
        "2026-10-06T00:00:00Z\n",
        "\u0662026-10-06T00:00:00Z",
    ],
)
def test_texts_that_name_no_point_in_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"write it like|time zone|no day has|does not exist"):
        read_timestamp(text)
