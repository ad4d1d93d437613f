"""The file of signers: whose keys vouch. It has the form of OpenSSH's `allowed_signers`, and takes less of it.

Nobody but this reader reads it: ssh-keygen is given one key at a time, so that the two cannot differ about a line.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from ledgergate.errors import LedgergateError

NAMESPACE = "ledgergate-ack"
KEY_TYPES = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ssh-rsa",
)
PRINCIPAL = re.compile(r'[^\s,*?!"\'\\#\x00-\x1f\x7f-\x9f]+')

_OPTION = r'[A-Za-z-]+(?:="[^"\\]*")?'
_LINE = re.compile(
    rf"(?P<principals>\S+)[ \t]+(?:(?P<options>{_OPTION}(?:,{_OPTION})*)[ \t]+)?"
    rf"(?P<type>{'|'.join(map(re.escape, KEY_TYPES))})[ \t]+(?P<key>[A-Za-z0-9+/]+=*)(?:[ \t].*)?"
)
_WORD = re.compile(r"[A-Za-z0-9@._-]+")
_TIME = re.compile(r"\d{8}(?:\d{4}(?:\d\d)?)?Z?", re.ASCII)


class SignerKey(NamedTuple):
    """One key that vouches, and under which names. `key` is its public part in OpenSSH's binary form."""

    line: int
    principals: tuple[str, ...]
    key_type: str
    key: bytes
    valid_after: datetime | None = None
    valid_before: datetime | None = None

    def is_valid(self, now: datetime) -> bool:
        """Whether the key counts at this time."""
        begun = self.valid_after is None or self.valid_after <= now
        return begun and (self.valid_before is None or now < self.valid_before)


class Signers(NamedTuple):
    """The keys of a file, in the order of its lines."""

    keys: tuple[SignerKey, ...]

    def named(self, principal: str) -> tuple[SignerKey, ...]:
        """The keys of a signer, those that are not valid now as well."""
        return tuple(key for key in self.keys if principal in key.principals)

    def has(self, principal: str, key: bytes) -> bool:
        """Whether a key is one of a signer's, valid now or not."""
        return any(one.key == key for one in self.named(principal))

    def person(self, key: bytes) -> frozenset[str]:
        """Every name of whoever holds a key: those that share a key, or have one in common with such a name."""
        names = {name for one in self.keys if one.key == key for name in one.principals}
        while True:
            own = {one.key for one in self.keys if names.intersection(one.principals)}
            more = {name for one in self.keys if one.key in own for name in one.principals}
            if more <= names:
                return frozenset(names)
            names |= more


def read_signers(path: str, data: bytes) -> Signers:
    """The signers that a file names; those of other namespaces are nobody's business here.

    Raises `LedgergateError` (`policy-unreadable`) at the first line that is none: who may vouch is never guessed.
    """
    keys: list[SignerKey] = []
    for number, raw in enumerate(data.split(b"\n"), 1):
        try:
            keys.extend(_read_line(number, raw.removesuffix(b"\r").decode("utf-8")))
        except ValueError as error:
            fault = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error
            raise LedgergateError(
                "policy-unreadable",
                f"line {number} of the signers: {fault}",
                remedy=f'A line is: kim@example.org namespaces="{NAMESPACE}" ssh-ed25519 AAAA...',
                path=path,
            ) from error
    return Signers(tuple(keys))


def _read_line(number: int, text: str) -> Iterator[SignerKey]:
    if not text.strip(" \t") or text.lstrip(" \t").startswith("#"):
        return
    if not text.replace("\t", " ").isprintable():
        raise ValueError("it holds characters that do not print")
    found = _LINE.fullmatch(text)
    if found is None:
        raise ValueError("it is not principals, options, type and key")
    principals = tuple(found["principals"].split(","))
    if not all(map(PRINCIPAL.fullmatch, principals)):
        raise ValueError("its principals are no literal names: no wildcards, negations, quotes or empty ones")
    options = _options(found["options"] or "")
    if "namespaces" not in options:
        raise ValueError(f'it does not name the namespace: write namespaces="{NAMESPACE}"')
    namespaces = options["namespaces"].split(",")
    if not all(map(_WORD.fullmatch, namespaces)):
        raise ValueError("its namespaces are no literal names")
    begin, end = (_time(options[name]) if name in options else None for name in ("valid-after", "valid-before"))
    key = SignerKey(number, principals, found["type"], _key(found["type"], found["key"]), begin, end)
    if NAMESPACE in namespaces:
        yield key


def _options(text: str) -> Mapping[str, str]:
    options: dict[str, str] = {}
    for option in re.findall(_OPTION, text):
        name, _, value = option.partition("=")
        if name == "cert-authority":
            raise ValueError("authorities of certificates do not vouch")
        if name not in ("namespaces", "valid-after", "valid-before") or not value:
            raise ValueError(f"the option {option} is not known")
        if name in options:
            raise ValueError(f"the option {name} stands twice")
        options[name] = value.strip('"')
    return options


def _time(text: str) -> datetime:
    """A time as ssh-keygen writes it; in UTC, whatever zone it is judged in."""
    if not _TIME.fullmatch(text):
        raise ValueError(f"{text} is no time: write YYYYMMDD or YYYYMMDDHHMMSS")
    digits = text.removesuffix("Z").ljust(14, "0")
    return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)


def _key(key_type: str, text: str) -> bytes:
    try:
        key = binascii.a2b_base64(text, strict_mode=True)
    except binascii.Error as error:
        raise ValueError(f"its key is no base64: {error}") from error
    name = key_type.encode("ascii")
    if not key.startswith(len(name).to_bytes(4, "big") + name) or len(key) <= len(name) + 4:
        raise ValueError(f"its key is none of type {key_type}")
    return key
