"""What a row says of itself, whole or broken."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given

from ledgergate.ledger.rows import Ledger, Problem, Row, Value
from support.ledgers import DIGEST, row_fields


def test_canonical_json_is_the_whole_mapping_as_texts() -> None:
    fields: dict[str, Value] = {"id": "t/é.py::t", "class": "locked_fixture", "digest": (DIGEST,), "artifact": ("a",)}
    row = Row.of({**fields, "params": "1_0"}, 3)
    expected = f'{{"artifact":["a"],"class":"locked_fixture","digest":["{DIGEST}"],"id":"t/é.py::t","params":"1_0"}}'
    assert row.canonical == expected.encode()
    assert row.fingerprint == "sha256:" + hashlib.sha256(expected.encode()).hexdigest()
    assert row.params is None


@given(row_fields)
def test_a_fingerprint_knows_neither_line_nor_order(fields: dict[str, Value]) -> None:
    row, other = Row.of(fields, 1), Row.of(dict(reversed(fields.items())), 9)
    assert row.fingerprint == other.fingerprint
    assert json.loads(row.canonical) == {k: v if isinstance(v, str) else list(v) for k, v in fields.items()}
    assert row.fingerprint != Row.of({**fields, "id": "other::id"}).fingerprint


def test_one_text_counts_as_a_list_of_one() -> None:
    row = Row.of({"id": "a::b", "class": "locked_fixture", "artifact": "g/a", "digest": DIGEST, "lfs": "true"})
    assert (row.artifacts, row.digests, row.lfs, row.allow_empty) == (("g/a",), (DIGEST,), True, False)


@pytest.mark.parametrize(("written", "meant"), [("seeds/a", "seeds/a/"), ("seeds/a/", "seeds/a/")])
def test_a_seed_folder_has_its_slash(written: str, meant: str) -> None:
    assert Row.of({"seeds": written}).seeds == meant


def test_every_property_copes_with_a_broken_row() -> None:
    row = Row.of({"class": ("x",), "seeds": ("a",), "params": ("1",), "lfs": ("true",)})
    assert (row.id, row.class_, row.seeds, row.params, row.lfs) == ("", "", None, None, False)
    assert (row.artifacts, row.digests) == ((), ())


@pytest.mark.parametrize(("text", "number"), [("3", 3), ("0012", 12), ("-1", None), ("٣", None), ("9" * 5000, None)])
def test_params(text: str, number: int | None) -> None:
    assert Row.of({"params": text}).params == number


def test_rows_with_a_problem_of_their_own_are_not_sound() -> None:
    good, bad = Row.of({"id": "a::b"}), Row.of({"id": "a::c"})
    problem = Problem("row-invalid", 1, "a::c", "it is bad")
    assert Ledger("l", (good, bad), {}, (problem,)).sound_rows == (good,)
    assert Ledger("l", (good, bad), {}, ()).sound_rows == (good, bad)
