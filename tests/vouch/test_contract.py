"""The contract: sorted items and their digest, by test vectors that anyone can recompute."""

from __future__ import annotations

import hashlib
import itertools

from hypothesis import given
from hypothesis import strategies as st

from ledgergate.values import Item
from ledgergate.vouch import contract_digest, contract_items, percent_encode

ROW = Item("row", "tests/test_a.py::test_é", "sha256:aa", "sha256:bb")
FILE = Item("file", "caf\udce9.txt", None, "sha256:cc")
VECTOR = (
    '[{"kind":"file","new":"sha256:cc","old":null,"subject":"caf%E9.txt"},'
    '{"kind":"row","new":"sha256:bb","old":"sha256:aa","subject":"tests/test_a.py::test_é"}]'
)

ITEMS = st.builds(
    Item,
    st.sampled_from(["row", "freeze", "settings", "file"]),
    st.text(max_size=8),
    st.none() | st.just("sha256:1"),
    st.none() | st.just("sha256:2"),
)


def test_the_digest_is_that_of_the_canonical_json() -> None:
    wanted = f"sha256:{hashlib.sha256(VECTOR.encode()).hexdigest()}"
    assert contract_digest(contract_items([ROW, FILE])) == wanted


def test_no_items_no_digest() -> None:
    assert contract_digest(()) is None


def test_bytes_that_are_not_utf8_are_percent_encoded() -> None:
    assert percent_encode("caf\udce9 é%") == "caf%E9 é%"


@given(st.lists(ITEMS, max_size=4))
def test_order_and_repeats_do_not_matter(items: list[Item]) -> None:
    digests = {contract_digest(contract_items([*order, *items])) for order in itertools.permutations(items)}
    assert len(digests) == 1


@given(st.lists(ITEMS, max_size=4), st.lists(ITEMS, max_size=4))
def test_different_contracts_have_different_digests(one: list[Item], two: list[Item]) -> None:
    same = set(one) == set(two)
    assert (contract_digest(contract_items(one)) == contract_digest(contract_items(two))) is same
