"""The built-in signals (`signals.json`, each entry with its source) and the form in which a policy adds its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class Trailer(NamedTuple):
    """A trailer that shows an agent: its key in lower case, and the values that count (none: every value does)."""

    key: str
    values: frozenset[str]
    assisted: bool


class Signals(NamedTuple):
    """The built-in signals, ready for look-up. Names, addresses and texts are case-folded; variables are not."""

    env: Mapping[str, str | None]
    env_together: tuple[Mapping[str, str], ...]
    env_naming_an_agent: Mapping[str, frozenset[str]]
    files: tuple[str, ...]
    emails: frozenset[str]
    accounts: frozenset[str]
    name_endings: tuple[str, ...]
    names_alone: frozenset[str]
    trailers: tuple[Trailer, ...]
    plain_trailers: tuple[Trailer, ...]
    line_beginnings: tuple[str, ...]
    subject_beginnings: tuple[str, ...]


@cache
def built_in() -> Signals:
    """The signals of the data file. JSON, because its C reader is fifteen times faster here than `tomllib`."""
    data = json.loads(Path(__file__).with_name("signals.json").read_bytes())
    return Signals(
        env={entry["name"]: entry.get("value") for entry in data["env"]},
        env_together=tuple(entry["values"] for entry in data["env_together"]),
        env_naming_an_agent={entry["name"]: frozenset(entry["agents"]) for entry in data["env_naming_an_agent"]},
        files=tuple(entry["path"] for entry in data["files"]),
        emails=frozenset(entry["email"] for entry in data["emails"]),
        accounts=frozenset(str(entry["id"]) for entry in data["accounts"]),
        name_endings=tuple(entry["ending"] for entry in data["name_endings"]),
        names_alone=frozenset(entry["name"] for entry in data["names_alone"]),
        trailers=tuple(map(_trailer, data["trailers"])),
        plain_trailers=tuple(map(_trailer, data["plain_trailers"])),
        line_beginnings=tuple(entry["text"] for entry in data["line_beginnings"]),
        subject_beginnings=tuple(entry["text"] for entry in data["subject_beginnings"]),
    )


def _trailer(entry: Mapping[str, Any]) -> Trailer:
    return Trailer(entry["key"].casefold(), frozenset(entry.get("values", ())), entry.get("assisted", False))


class PolicySignal(NamedTuple):
    """A signal that a policy adds. `name` is the variable or the trailer's key, `pattern` what a value has to match."""

    kind: str
    name: str
    pattern: re.Pattern[str] | None


_VALID = (
    "valid are env:NAME, env:NAME=VALUE, email:PATTERN, name:PATTERN and trailer:KEY, where * in a PATTERN is any text"
)


@cache
def parse_signal(text: str) -> PolicySignal:
    """Read one entry of the policy's `[identity] agents`.

    `env:NAME` is a variable that is set and not empty, `env:NAME=VALUE` one with exactly that value; `email:PATTERN`
    and `name:PATTERN` are matched against author, committer and co-authors, and `trailer:KEY` against the message's
    trailers, all three without regard to case. In a pattern only `*` is special, so that `*[bot]` means what it says.
    Raises `ValueError`, saying what is valid.
    """
    kind, _, rest = text.partition(":")
    if kind == "env" and (found := re.fullmatch(r"([A-Za-z_]\w*)(?:=(.+))?", rest, re.ASCII | re.DOTALL)):
        value = found[2]
        return PolicySignal(kind, found[1], None if value is None else re.compile(re.escape(value)))
    if kind in ("email", "name") and rest.strip():
        return PolicySignal(kind, "", _pattern(rest.strip()))
    if kind == "trailer" and re.fullmatch(r"[A-Za-z0-9-]+", rest):
        return PolicySignal(kind, rest.casefold(), None)
    raise ValueError(f"{text!r} is no signal of an agent; {_VALID}")


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, text.casefold().split("*"))), re.DOTALL)
