"""The key by which a human vouches here, whose it is, and acks that are signed with it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git import Repository
from ledgergate.values import Item
from ledgergate.vouch.acks.added import SignedAck, signer_fault, verified
from ledgergate.vouch.acks.document import LONGEST, Ack, AckError
from ledgergate.vouch.acks.keygen import Key, public_key, sign
from ledgergate.vouch.acks.signers import Signers, read_signers
from ledgergate.vouch.contract import contract_items, percent_encode

USUAL_DAYS = 7


class Signer(NamedTuple):
    """Who vouches: the name under which the list of signers has the key."""

    name: str
    key: Key


def configured_key(repository: Repository, option: str | None) -> Key | None:
    """The key that `--key` names, or git's `user.signingkey` where `gpg.format` is `ssh`; None where neither does."""
    text = option or repository.ssh_signing_key()
    return Key.of(text) if text else None


def signer_of(repository: Repository, key: Key, signers: Signers, now: datetime) -> Signer:
    """Who holds the key. Raises `LedgergateError` where it is on no line of the signers that counts now."""
    key_type, public = public_key(key.text, is_public=key.is_public)
    names = [name for one in signers.keys if one.key == public and one.is_valid(now) for name in one.principals]
    if not names:
        raise LedgergateError(
            "ack-invalid",
            f"this {key_type} key stands on no line of the signers that counts now",
            remedy="Signers stand in the default branch; whoever is one adds the line, and lets it land first.",
        )
    identity = repository.identity("committer")
    own = identity.email if identity is not None else ""
    return Signer(own if own in names else names[0], key)


def read_own_signers(path: str) -> bytes:
    """The text of a server's own list of signers; `UsageError` where the file is none."""
    try:
        data = Path(path).read_bytes()
        read_signers(path, data)
    except (OSError, LedgergateError) as error:
        raise UsageError(f"--signers {path}: {error}") from error
    return data


def signed_ack(signer: Signer, ack: Ack, signers: Signers, *, presence: bool) -> Ack:
    """The ack with its signature, by which it counts. Raises `LedgergateError` where it would not."""
    whole = ack._replace(signer=signer.name)
    whole = whole._replace(signature=sign(whole.signed_bytes, signer.key.text, is_public=signer.key.is_public))
    try:
        fault = signer_fault(SignedAck("", whole, verified(whole)), signers, whole.issued, presence=presence)
    except AckError as error:
        fault = error.message
    if fault is not None:
        raise LedgergateError("ack-invalid", f"the approval would not count: {fault}")
    return whole


def new_ack(repository: str, target: str, now: datetime, *, days: int, items: Iterable[Item] = ()) -> Ack:
    """An ack of these items that nobody has signed yet."""
    issued = now.replace(microsecond=0)
    encoded = contract_items(item._replace(subject=percent_encode(item.subject)) for item in items)
    return Ack(repository, target, issued, issued + timedelta(days=days), "", encoded)


def new_revocation(repository: str, target: str, now: datetime, name: str) -> Ack:
    """The revocation of an ack, for as long as any ack that exists now can live."""
    issued = now.replace(microsecond=0)
    return Ack(repository, target, issued, issued + LONGEST, "", revokes=name)
