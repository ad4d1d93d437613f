"""The records of a freeze ledger."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from ledgergate.freeze.strict_json import fingerprint

SCHEMA = "freeze-ledger.v1"


class Problem(NamedTuple):
    """One thing that is wrong with a freeze ledger. `subject` is a freeze's id or a key, `line` counts from 1."""

    rule: str
    line: int | None
    subject: str | None
    message: str


class Settings(NamedTuple):
    """What the ledger says beside its freezes. A lane without a floor of its own has to run one case."""

    required_lanes: tuple[str, ...]
    optional_lanes: tuple[str, ...]
    floors: Mapping[str, int]
    fields: Mapping[str, object]

    @property
    def fingerprint(self) -> str:
        """`sha256:<hex>` of the canonical JSON of everything but the freezes."""
        return fingerprint(self.fields)

    def floor(self, lane: str) -> int:
        return self.floors.get(lane, 1)


class Freeze(NamedTuple):
    """One frozen case. Of a freeze with a problem the fields that cannot be read are empty.

    `expires_utc` has the time zone that the file gives it. `fields` is the whole mapping as the file has it.
    """

    id: str
    signature: str
    path: str
    case_id: str
    lane: str | None
    fixtures: tuple[str, ...]
    reason: str
    expires_utc: datetime | None
    owner: str | None
    assertion: str | None
    line: int | None
    fields: Mapping[str, object]

    @property
    def fingerprint(self) -> str:
        """`sha256:<hex>` of the canonical JSON of the whole mapping: what an approval of the freeze names."""
        return fingerprint(self.fields)

    def is_expired(self, now: datetime) -> bool:
        """Whether its time is over; one that cannot be read never began. `now` has a time zone."""
        return self.expires_utc is None or self.expires_utc <= now

    def names(self, case: str) -> bool:
        """Whether it means this case of a report: by its exact id, or by the function's name in the file.

        The name may lack its `test_`. A parametrised function's cases are all meant. A report of another runner may
        name its cases by the bare name.
        """
        if case == self.case_id:
            return True
        file, separator, rest = case.partition("::")
        if separator and file != self.path:
            return False
        name = (rest if separator else case).partition("[")[0].rpartition("::")[2]
        return name in (self.case_id, f"test_{self.case_id}")


class FreezeLedger(NamedTuple):
    """What one freeze ledger says. One that cannot be read as a whole has no settings, no freezes and one problem."""

    path: str
    settings: Settings | None
    freezes: tuple[Freeze, ...]
    problems: tuple[Problem, ...]
