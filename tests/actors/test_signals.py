"""The data file is well-formed and says where it knows things from; policy entries have four forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ledgergate.actors
from ledgergate.actors.signals import built_in, parse_signal

DATA: dict[str, Any] = json.loads((Path(ledgergate.actors.__file__).parent / "signals.json").read_bytes())
LISTS = {name: entries for name, entries in DATA.items() if isinstance(entries, list)}


def test_every_entry_has_a_source_that_is_listed() -> None:
    for name, entries in LISTS.items():
        for entry in entries:
            assert entry["sources"], (name, entry)
            assert set(entry["sources"]) <= set(DATA["sources"]), (name, entry)


def test_every_list_is_read_and_none_is_empty() -> None:
    assert set(LISTS) == set(built_in()._fields)
    assert all(len(entries) == len(getattr(built_in(), name)) for name, entries in LISTS.items())
    assert all(LISTS.values())


def test_what_is_compared_without_case_stands_in_lower_case() -> None:
    known = built_in()
    texts = [
        *known.emails,
        *known.name_endings,
        *known.names_alone,
        *(t.key for t in (*known.trailers, *known.plain_trailers)),
    ]
    texts += [value for trailer in known.trailers for value in trailer.values]
    texts += [agent for agents in known.env_naming_an_agent.values() for agent in agents]
    assert texts == [text.casefold() for text in texts]


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "bot",
        "env",
        "env:",
        "env:1A",
        "env:A B",
        "env:A=",
        "ENV:A",
        "email:",
        "email: ",
        "name:",
        "trailer:",
        "trailer:a b",
    ],
)
def test_other_forms_are_refused_and_the_valid_ones_named(entry: str) -> None:
    with pytest.raises(ValueError, match=r"is no signal of an agent; valid are env:NAME, .* trailer:KEY"):
        parse_signal(entry)


@given(st.text(min_size=1).filter(str.strip))
def test_only_the_star_is_special_in_a_pattern(text: str) -> None:
    plain = text.replace("*", "")
    pattern = parse_signal(f"name:x{plain}x").pattern
    assert pattern is not None
    assert pattern.fullmatch(f"x{plain}x".casefold())
    assert not pattern.fullmatch(f"x{plain}x.".casefold())
