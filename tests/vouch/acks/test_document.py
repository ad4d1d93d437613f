"""The reader of acks: what it takes is written again as it was, and nothing else is taken."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.values import Item
from ledgergate.vouch.acks.document import LARGEST, Ack, AckError, read_ack
from ledgergate.vouch.contract import contract_items
from support.project import NOW, landed_ack, sha256

DOCUMENT: dict[str, Any] = json.loads(landed_ack("2026-11-30", "2026-12-09"))
CHANGE = DOCUMENT["changes"][0]
REVOCATION = {
    **{key: value for key, value in DOCUMENT.items() if key != "changes"},
    "revokes": f"{'a' * 64}.json",
}


def as_bytes(document: object) -> bytes:
    return json.dumps(document).encode()


def test_it_is_read() -> None:
    ack = read_ack(as_bytes(DOCUMENT))
    assert (ack.signer, ack.target, ack.expires) == (
        "kim@example.org",
        "refs/heads/main",
        datetime(2026, 12, 9, tzinfo=UTC),
    )
    assert ack.changes == (Item("file", "tests/conftest.py", None, sha256("")),)
    assert read_ack(as_bytes(REVOCATION)).revokes == REVOCATION["revokes"]


def test_the_order_of_keys_and_white_space_change_nothing_of_what_is_signed() -> None:
    turned = json.dumps(dict(reversed(DOCUMENT.items())), indent=3).encode()
    assert read_ack(turned) == read_ack(as_bytes(DOCUMENT))


def with_(**changed: object) -> dict[str, Any]:
    return {**DOCUMENT, **changed}


def with_change(**changed: object) -> dict[str, Any]:
    return with_(changes=[{**CHANGE, **changed}])


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in DOCUMENT.items() if name != key}


BROKEN: dict[str, object] = {
    "no object": [DOCUMENT],
    "null": None,
    "nothing": {},
    **{f"without {key}": without(key) for key in DOCUMENT},
    "an unknown key": with_(note="please"),
    "changes and revokes": with_(revokes=REVOCATION["revokes"]),
    "another version": with_(schema="ledgergate-ack.v2"),
    **{f"{key} is {kind}": with_(**{key: value}) for key in DOCUMENT for kind, value in
       (("a number", 1), ("null", None), ("a list", ["x"]), ("true", True), ("an object", {"x": "y"}))
       if key != "changes" or kind != "a list"},
    "no changes": with_(changes=[]),
    "a change that is none": with_(changes=["x"]),
    "a change twice": with_(changes=[CHANGE, CHANGE]),
    "a subject twice": with_(changes=[CHANGE, {**CHANGE, "new": sha256("b")}]),
    "out of order": with_(changes=[CHANGE, {**CHANGE, "subject": "a"}]),
    "kinds out of order": with_(changes=[{**CHANGE, "kind": "row"}, CHANGE]),
    "a change without its old value": with_(changes=[{k: v for k, v in CHANGE.items() if k != "old"}]),
    "a change with more": with_change(mode="100755"),
    "an unknown kind": with_change(kind="golden"),
    "an empty subject": with_change(subject=""),
    "a subject that is a number": with_change(subject=1),
    "half a surrogate pair": with_change(subject="\ud800"),
    "a value without its hash": with_change(new=sha256("")[7:]),
    "a value in capitals": with_change(new=sha256("").upper()),
    "a short value": with_change(new=sha256("")[:-1]),
    "a value with a line end": with_change(new=sha256("") + "\n"),
    "a value that is 0": with_change(old=0),
    "nothing to nothing": with_change(new=None),
    "a row that stays": with_change(kind="row", old=sha256(""), new=sha256("")),
    "a short name of a branch": with_(target="main"),
    "a pattern for a branch": with_(target="refs/heads/*"),
    "a branch with a blank": with_(target="refs/heads/a b"),
    "a day": with_(expires_utc="2026-12-09"),
    "another zone": with_(expires_utc="2026-12-09T00:00:00+00:00"),
    "a fraction": with_(expires_utc="2026-12-09T00:00:00.5Z"),
    "a day that does not exist": with_(expires_utc="2026-12-32T00:00:00Z"),
    "other digits": with_(expires_utc="2026-12-0\u0669T00:00:00Z"),
    "over before it begins": with_(expires_utc="2026-11-29T00:00:00Z"),
    "over at once": with_(expires_utc=DOCUMENT["issued_utc"]),
    "31 days": with_(expires_utc="2026-12-31T00:00:00Z"),
    "30 days and a second": with_(expires_utc="2026-12-30T00:00:01Z"),
    "no signer": with_(signer=""),
    "any signer": with_(signer="*"),
    "a signer with a blank": with_(signer="kim lee"),
    "two signers": with_(signer="kim,lee"),
    "a control character in the signer": with_(signer="kim\x01"),
    "no signature": with_(signature=""),
    "bytes around the signature": with_(signature=f"x{DOCUMENT['signature']}"),
    "two signatures": with_(signature=DOCUMENT["signature"] * 2),
    "a revocation of what is no name": {**REVOCATION, "revokes": "../x.json"},
    "a revocation of a path": {**REVOCATION, "revokes": f".ledgergate/acks/{'a' * 64}.json"},
}  # fmt: skip
TEXTS: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"{",
    "a byte order mark": b"\xef\xbb\xbf" + as_bytes(DOCUMENT),
    "no UTF-8": as_bytes(DOCUMENT).replace(b"kim", b"k\xe9m"),
    "a key twice": as_bytes(DOCUMENT).replace(b'"signer":', b'"signer": "eve@example.org", "signer":'),
    "a key of a change twice": as_bytes(DOCUMENT).replace(b'"old": null', b'"old": null, "old": null'),
    "an escaped key twice": as_bytes(DOCUMENT).replace(b'"signer":', b'"sig\\u006eer": "eve", "signer":'),
    "NaN": as_bytes(DOCUMENT).replace(b"null", b"NaN"),
    "something behind it": as_bytes(DOCUMENT) + b"{}",
    "depth": b"[" * 100_000,
    "depth inside": as_bytes(DOCUMENT).replace(b"null", b"[" * 50_000 + b"]" * 50_000),
    "a huge number": as_bytes(DOCUMENT).replace(b"null", b"1" * 100_000),
    "size": as_bytes(DOCUMENT) + b" " * LARGEST,
}  # fmt: skip


@pytest.mark.parametrize("document", BROKEN.values(), ids=BROKEN)
def test_what_is_no_ack(document: object) -> None:
    with pytest.raises(AckError):
        read_ack(as_bytes(document))


@pytest.mark.parametrize("data", TEXTS.values(), ids=TEXTS)
def test_bytes_that_are_none(data: bytes) -> None:
    with pytest.raises(AckError):
        read_ack(data)


SOUND: dict[str, object] = {
    "30 days": with_(expires_utc="2026-12-30T00:00:00Z"),
    "a repository with a name": with_(repository="acme/app"),
    "another branch": with_(target="refs/heads/release/1.0"),
    "a tag": with_(target="refs/tags/v1.0"),
    "a name for a signer": with_(signer="Jürgen"),
    "a file whose mode changed": with_change(old=sha256("")),
    "letters of all kinds": with_change(subject='tests/test_\u00fc.py::test[\U0001f600-"\\\u2028]'),
    "two changes": with_(changes=[CHANGE, {**CHANGE, "kind": "row"}]),
    "no line end behind the signature": with_(signature=DOCUMENT["signature"].rstrip()),
}


@pytest.mark.parametrize("document", SOUND.values(), ids=SOUND)
def test_what_is_one(document: object) -> None:
    ack = read_ack(as_bytes(document))
    assert read_ack(ack.file_bytes) == ack


@pytest.mark.parametrize("document", [DOCUMENT, REVOCATION], ids=["ack", "revocation"])
@pytest.mark.parametrize(("days", "over"), [(29.9, False), (30, True)])
def test_it_is_kept_as_long_as_what_it_takes_the_place_of_may_live(document: object, days: float, over: bool) -> None:
    assert read_ack(as_bytes(document)).is_over(datetime(2026, 11, 30, tzinfo=UTC) + timedelta(days=days)) is over


digests = st.one_of(st.none(), st.binary(min_size=32, max_size=32).map(lambda found: f"sha256:{found.hex()}"))
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
items = st.builds(Item, st.sampled_from(["row", "freeze", "settings", "file"]), texts, digests, digests)
some_items = st.lists(
    items.filter(lambda item: item.old != item.new), min_size=1, max_size=5, unique_by=lambda item: item[:2]
)


@given(some_items, st.text(st.characters(exclude_categories=["Cs"])), st.integers(1, 30))
def test_every_ack_that_is_written_is_read_again_byte_for_byte(found: list[Item], repository: str, days: int) -> None:
    ack = Ack(repository, "refs/heads/main", NOW, NOW + timedelta(days=days), "kim", contract_items(found))
    ack = ack._replace(signature=DOCUMENT["signature"])
    again = read_ack(ack.file_bytes)
    assert again == ack
    assert (again.signed_bytes, again.name, again.file_bytes) == (ack.signed_bytes, ack.name, ack.file_bytes)


@given(st.binary(max_size=300))
def test_no_bytes_are_more_than_refused(data: bytes) -> None:
    with pytest.raises(AckError):
        read_ack(data)


@given(st.data())
def test_no_byte_of_an_ack_can_change_without_what_is_signed(data: st.DataObject) -> None:
    whole = read_ack(as_bytes(DOCUMENT)).file_bytes
    place = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255))
    try:
        changed = read_ack(whole[:place] + bytes([byte]) + whole[place + 1 :])
    except AckError:
        return
    original = read_ack(whole)
    assert changed == original or (changed.signed_bytes, changed.signature) != (
        original.signed_bytes,
        original.signature,
    )
