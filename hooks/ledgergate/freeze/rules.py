"""What makes a freeze ledger well-formed. Every rule here is `freeze-invalid`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ledgergate.freeze.model import Freeze, Problem, Settings
from ledgergate.freeze.strict_json import Number
from ledgergate.freeze.timestamps import read_timestamp
from ledgergate.values import path_problem

_SETTINGS = ("schema", "required_lanes", "optional_lanes", "cardinality_floor", "freezes")
_REQUIRED = ("id", "signature", "path", "case_id", "reason", "expires_utc")
_OPTIONAL = ("lane", "fixtures", "owner", "assertion")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_COUNT = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)


def text(value: object) -> str | None:
    """The value where it is a text (a number is none)."""
    return value if isinstance(value, str) and not isinstance(value, Number) else None


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list; none where it is no list."""
    return tuple(found for entry in value if (found := text(entry)) is not None) if isinstance(value, list) else ()


def count(value: object) -> int | None:
    """The value where it is a whole number of at least 0: no text, no boolean, no fraction."""
    return int(value) if isinstance(value, Number) and _COUNT.fullmatch(value) else None


def settings_problems(document: Mapping[str, object], remote_lanes: frozenset[str]) -> Iterator[Problem]:
    """What is wrong with the ledger beside its freezes."""
    for key in document:
        if key not in _SETTINGS:
            yield _invalid(None, key, f"unknown key `{key}`{_nearest(key, _SETTINGS)}")
    yield from _lane_problems(document, remote_lanes)
    yield from _floor_problems(document)
    entries = document.get("freezes", [])
    if not isinstance(entries, list):
        yield _invalid(None, "freezes", "`freezes` is no list")
    elif not all(isinstance(entry, dict) for entry in entries):
        yield _invalid(None, "freezes", "`freezes` holds an entry that is no object")


def freeze_problems(freeze: Freeze, settings: Settings) -> Iterator[Problem]:
    """What is wrong with one freeze, each message beginning with its id."""
    name = freeze.id or "without id"
    for message in _freeze_faults(freeze, settings):
        yield _invalid(freeze.line, freeze.id or None, f"freeze {name}: {message}")


def duplicate_problems(freezes: Iterable[Freeze]) -> Iterator[Problem]:
    """Ids that name more than one freeze."""
    counts = Counter(freeze.id for freeze in freezes if freeze.id)
    for identity, number in counts.items():
        if number > 1:
            yield _invalid(None, identity, f"freeze {identity}: its id stands {number} times; ids are unique")


def _lane_problems(document: Mapping[str, object], remote_lanes: frozenset[str]) -> Iterator[Problem]:
    for key in ("required_lanes", "optional_lanes"):
        value = document.get(key, [])
        if not isinstance(value, list) or not all(text(lane) for lane in value):
            yield _invalid(None, key, f"`{key}` must be a list of lane names")
    required, optional = texts(document.get("required_lanes")), texts(document.get("optional_lanes"))
    if not required:
        yield _invalid(None, "required_lanes", "`required_lanes` is empty, so that nothing would have to run")
    for lane in sorted(remote_lanes.intersection(required)):
        yield _invalid(
            None, lane, f"`required_lanes` holds {lane}, a remote lane, which can block but never be required"
        )
    for lane, number in Counter((*required, *optional)).items():
        if number > 1:
            yield _invalid(None, lane, f"the lane {lane} is listed {number} times in the lane lists")


def _floor_problems(document: Mapping[str, object]) -> Iterator[Problem]:
    floors = document.get("cardinality_floor", {})
    if not isinstance(floors, dict):
        yield _invalid(None, "cardinality_floor", "`cardinality_floor` must be an object of lane names and counts")
        return
    lanes = texts(document.get("required_lanes")) + texts(document.get("optional_lanes"))
    for lane, value in floors.items():
        if lane not in lanes:
            message = f"`cardinality_floor` names {lane}, which is in no lane list{_nearest(lane, lanes)}"
            yield _invalid(None, lane, message)
        if count(value) is None:
            yield _invalid(None, lane, f"the floor of {lane} must be a whole number of at least 0")


def _freeze_faults(freeze: Freeze, settings: Settings) -> Iterator[str]:
    yield from _key_faults(freeze.fields)
    if freeze.signature and not _DIGEST.fullmatch(freeze.signature):
        yield "`signature` must be sha256: and 64 hexadecimal digits in lower case"
    for path in filter(None, (freeze.path, *freeze.fixtures)):
        reason = path_problem(path)
        if reason:
            yield f"the path {path} {reason}"
    yield from _expiry_faults(freeze.fields)
    lanes = settings.required_lanes + settings.optional_lanes
    if freeze.lane and freeze.lane not in lanes:
        yield f"the lane {freeze.lane} is in no lane list{_nearest(freeze.lane, lanes)}"
    if freeze.path and not freeze.path.endswith(".py") and not freeze.assertion:
        yield "`assertion` is missing: for a file that is not Python the freeze holds the text of the failing check"


def _key_faults(fields: Mapping[str, object]) -> Iterator[str]:
    names = _REQUIRED + _OPTIONAL
    for key, value in fields.items():
        if key not in names:
            yield f"unknown key `{key}`{_nearest(key, names)}"
        elif key == "fixtures":
            if not isinstance(value, list) or not all(text(path) for path in value):
                yield "`fixtures` must be a list of paths"
        elif not (text(value) or "").strip():
            yield f"`{key}` must be a text that is not empty"
    for key in _REQUIRED:
        if key not in fields:
            yield f"`{key}` is missing"


def _expiry_faults(fields: Mapping[str, object]) -> Iterator[str]:
    written = text(fields.get("expires_utc"))
    if written and written.strip():
        try:
            read_timestamp(written)
        except ValueError as error:
            yield f"`expires_utc` {error}"


def _invalid(line: int | None, subject: str | None, message: str) -> Problem:
    return Problem("freeze-invalid", line, subject, message)


def _nearest(name: str, names: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name.lower(), names, 1)
    return f"; did you mean `{close[0]}`?" if close else ""
