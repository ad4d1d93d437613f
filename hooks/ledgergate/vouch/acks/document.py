"""The document that an ack is: read strictly, and written in the one form that is signed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple, cast

from ledgergate.freeze.strict_json import JsonError, canonical_json, read_json
from ledgergate.freeze.timestamps import read_timestamp
from ledgergate.values import Item, ItemKind
from ledgergate.vouch.acks.signers import PRINCIPAL
from ledgergate.vouch.contract import item_object

SCHEMA = "ledgergate-ack.v1"
LONGEST = timedelta(days=30)
# A contract of twenty thousand rows is smaller.
LARGEST = 8 * 1024 * 1024

_COMMON = frozenset({"schema", "repository", "target", "issued_utc", "expires_utc", "signer", "signature"})
_KINDS = ("row", "freeze", "settings", "file")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_NAME = re.compile(r"[0-9a-f]{64}\.json", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_TARGET = re.compile(r"refs/[^\s\x00-\x20\x7f~^:?*\[\\]+", re.ASCII)
_SIGNATURE = re.compile(r"-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]+\n-----END SSH SIGNATURE-----\n?", re.ASCII)


class AckError(Exception):
    """Why bytes are no ack."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Ack(NamedTuple):
    """An ack, or the revocation of one.

    `changes` are its items, whose subjects stand percent-encoded; none in a revocation, which has in `revokes` the
    name of the ack that it takes back. `signature` is empty before it is signed.
    """

    repository: str
    target: str
    issued: datetime
    expires: datetime
    signer: str
    changes: tuple[Item, ...] = ()
    revokes: str | None = None
    signature: str = ""

    @property
    def signed_bytes(self) -> bytes:
        """What the signature is over: the canonical JSON of all the rest."""
        return canonical_json(self._document())

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{hashlib.sha256(self.signed_bytes).hexdigest()}.json"

    @property
    def file_bytes(self) -> bytes:
        """The whole file: one line of JSON, the signature included."""
        return canonical_json({**self._document(), "signature": self.signature}) + b"\n"

    def is_over(self, now: datetime) -> bool:
        """Whether it can be removed: nothing that was issued before it can be alive, which it supersedes or revokes."""
        return now >= self.issued + LONGEST

    def _document(self) -> dict[str, object]:
        rest: dict[str, object] = (
            {"changes": [item_object(item) for item in self.changes]}
            if self.revokes is None
            else {"revokes": self.revokes}
        )
        return {
            "schema": SCHEMA,
            "repository": self.repository,
            "target": self.target,
            "issued_utc": _as_text(self.issued),
            "expires_utc": _as_text(self.expires),
            "signer": self.signer,
            **rest,
        }


def is_name(text: str) -> bool:
    """Whether a text has the form of the name of an ack's file."""
    return _NAME.fullmatch(text) is not None


def read_ack(data: bytes) -> Ack:
    """The ack that a file's bytes hold, of which nothing is believed yet. Raises `AckError`, which says what is wrong.

    What is signed is made anew from what is read here, so that no byte counts that was not.
    """
    if len(data) > LARGEST:
        raise AckError(f"it has {len(data):,} bytes, and {LARGEST:,} are the most")
    try:
        document = read_json(data)
    except JsonError as error:
        raise AckError(error.message) from error
    if data.startswith(b"\xef\xbb\xbf"):
        raise AckError("it begins with a byte order mark")
    fields = _mapping(document, "it")
    kind = "revokes" if "revokes" in fields else "changes"
    _refuse_other_keys(fields, _COMMON | {kind}, "it")
    if _text(fields, "schema") != SCHEMA:
        raise AckError(f"its schema is not {SCHEMA}")
    ack = Ack(
        repository=_text(fields, "repository"),
        target=_matching(fields, "target", _TARGET, "no full name of a ref, as in refs/heads/main"),
        issued=_time(fields, "issued_utc"),
        expires=_time(fields, "expires_utc"),
        signer=_matching(fields, "signer", PRINCIPAL, "no literal name"),
        changes=_changes(fields["changes"]) if kind == "changes" else (),
        revokes=_matching(fields, "revokes", _NAME, "no name of an ack") if kind == "revokes" else None,
        signature=_matching(fields, "signature", _SIGNATURE, "no SSH signature"),
    )
    if not timedelta() < ack.expires - ack.issued <= LONGEST:
        raise AckError(f"it has to expire after it was issued, and at most {LONGEST.days} days later")
    return ack


def _changes(value: object) -> tuple[Item, ...]:
    if type(value) is not list or not value:
        raise AckError("`changes` is no list with something in it")
    items = tuple(map(_item, value))
    places = [(item.kind, item.subject) for item in items]
    if any(one >= two for one, two in pairwise(places)):
        raise AckError("`changes` is not sorted by kind and subject, or names something twice")
    return items


def _item(value: object) -> Item:
    fields = _mapping(value, "one of its changes")
    _refuse_other_keys(fields, frozenset({"kind", "subject", "old", "new"}), "one of its changes")
    kind = _text(fields, "kind")
    if kind not in _KINDS:
        raise AckError(f"`kind` is none of {', '.join(_KINDS)}")
    old, new = (_value(fields, key) for key in ("old", "new"))
    if old == new and (old is None or kind != "file"):
        # The mode of a file is not in its bytes.
        raise AckError("one of its changes changes nothing")
    return Item(cast("ItemKind", kind), _filled(fields, "subject"), old, new)


def _value(fields: Mapping[str, object], key: str) -> str | None:
    return None if fields[key] is None else _matching(fields, key, _DIGEST, "neither null nor sha256:HEX")


def _mapping(value: object, what: str) -> dict[str, object]:
    if type(value) is not dict:
        raise AckError(f"{what} is no object")
    return value


def _refuse_other_keys(fields: Mapping[str, object], keys: frozenset[str], what: str) -> None:
    if fields.keys() != keys:
        missing, unknown = sorted(keys - fields.keys()), sorted(fields.keys() - keys)
        raise AckError(f"{what} lacks {', '.join(missing)}" if missing else f"{what} has the unknown key {unknown[0]}")


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields[key]
    # A number is read as a text of its own type.
    if type(value) is not str:
        raise AckError(f"`{key}` is no text")
    return value


def _filled(fields: Mapping[str, object], key: str) -> str:
    text = _text(fields, key)
    if not text:
        raise AckError(f"`{key}` is empty")
    return text


def _matching(fields: Mapping[str, object], key: str, form: re.Pattern[str], fault: str) -> str:
    text = _text(fields, key)
    if not form.fullmatch(text):
        raise AckError(f"`{key}` is {fault}")
    return text


def _time(fields: Mapping[str, object], key: str) -> datetime:
    text = _matching(fields, key, _TIME, "no time like 2026-12-20T00:00:00Z")
    try:
        return read_timestamp(text)
    except ValueError as error:
        raise AckError(f"`{key}`: {error}") from error


def _as_text(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
