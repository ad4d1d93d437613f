"""The acks that a change adds: each is either none, or signed; and a signed one may still vouch for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.git import Change, PathChange
from ledgergate.policy.model import ACKS_FOLDER
from ledgergate.policy.paths import stands_for_acks
from ledgergate.values import State
from ledgergate.vouch.acks.document import Ack, AckError, read_ack
from ledgergate.vouch.acks.keygen import is_signed
from ledgergate.vouch.acks.signature import Signature, read_signature
from ledgergate.vouch.acks.signers import Signers

_PLAIN = 0o100644
# ssh-keygen is asked about each, which takes some ten milliseconds.
MOST = 200
_TOO_MANY = (
    "Human: take those out that have not landed (`git rm`), and approve all of it with one: `ledgergate ack`; or bring "
    "it in several changes."
)
APPROVE_ANEW = (
    "Human: it may stay. What the change is now waits for an approval of its own, which a signer gives: `{}`; commit "
    "the file that it writes."
)
NAME_THE_TARGET = "Human: no approval counts without the branch that the change is for; name it: `--target {}`."
IN_THE_WAY = f"a file lies where the folder `{ACKS_FOLDER}` has to be"
OUT_OF_THE_WAY = (
    "Agent and human: take it out of the commit and the folder (`git rm -f :PATH`); any other name will do."
)
_SHOWN = "%Y-%m-%d %H:%M:%S UTC"


class SignedAck(NamedTuple):
    """An ack whose signature is one, by whomever. `path` is where it lies."""

    path: str
    ack: Ack
    signature: Signature

    @property
    def name(self) -> str:
        return self.path.removeprefix(ACKS_FOLDER)


class NoAck(NamedTuple):
    """An added file that is none, or that nobody could judge (UNSCORED)."""

    path: str
    state: State
    message: str
    remedy: str | None = None


def added_acks(change: Change) -> Iterator[SignedAck | NoAck]:
    """Each file that the change adds below the folder of acks; one that base has at its path is not added.

    Of more than `MOST` none is looked at. What would take the folder's place is none, and no other could be written.
    """
    for one in change.paths:
        if one.new is not None and stands_for_acks(one.path):
            yield NoAck(one.path, State.FAIL, f"No approval could be written any more: {IN_THE_WAY}.", OUT_OF_THE_WAY)
    added = [
        one for one in change.paths if one.path.startswith(ACKS_FOLDER) and one.old is None and one.new is not None
    ]
    if len(added) > MOST:
        message = f"The change adds {len(added):,} approvals; of more than {MOST:,} none is looked at."
        yield NoAck(ACKS_FOLDER, State.UNSCORED, message, _TOO_MANY)
        return
    for one in added:
        try:
            yield _signed(change, one)
        except AckError as error:
            yield NoAck(one.path, State.FAIL, f"It is no approval: {error.message}.")
        except LedgergateError as error:
            yield NoAck(one.path, State.UNSCORED, f"{error.message}.", error.remedy)


def _signed(change: Change, one: PathChange) -> SignedAck:
    if one.new is None or one.new.mode != _PLAIN:
        raise AckError("it is a link, a submodule or a program")
    if change.base.is_folder(one.path):
        raise AckError("base has a folder of its name")
    data = change.head.read_entry(one.new)
    ack = read_ack(data)
    signed = SignedAck(one.path, ack, verified(ack))
    if signed.name != ack.name:
        raise AckError(f"its name has to be the sha256 of what is signed, {ack.name}")
    return signed


def verified(ack: Ack) -> Signature:
    """The signature of an ack, which is one of its bytes by the key that it names. Raises `AckError` where it is none.

    Whose key that is stays to be asked. Raises `LedgergateError` where ssh-keygen cannot tell.
    """
    try:
        signature = read_signature(ack.signature)
    except ValueError as error:
        raise AckError(f"its signature cannot be read: {error}") from error
    if not is_signed(ack.signed_bytes, ack.signature, signature.key_type, signature.key):
        raise AckError("its signature is none of what it says")
    return signature


def signer_fault(signed: SignedAck, signers: Signers, now: datetime, *, presence: bool) -> str | None:
    """Why the word of whoever signed does not count, or None. `presence`: only keys that were touched count."""
    signer = signed.ack.signer
    named = signers.named(signer)
    if not named:
        return f"{signer} is none of the signers"
    own = [key for key in named if key.key == signed.signature.key]
    if not own:
        return f"it was signed with a key that is none of {signer}'s"
    if not any(key.is_valid(now) for key in own):
        return f"the key of {signer} does not count at this time"
    if presence and not signed.signature.is_touched:
        return "it was signed with a key that nobody had to touch, and the policy requires presence"
    return None


def ack_fault(ack: Ack, repository: str, target: str | None, now: datetime) -> str | None:
    """Why an ack does not count here and now, whoever signed it, or None."""
    if ack.repository != repository:
        return f"it is for the repository {ack.repository or '(without a name)'}"
    if target is None:
        return "it is not known which branch the change is for"
    if ack.target != target:
        return f"it is for {ack.target}, where it is judged, and the change for {target}"
    if ack.issued > now:
        return f"it was issued in the future, at {ack.issued.strftime(_SHOWN)}"
    if ack.expires <= now:
        return f"it has expired, on {ack.expires.strftime(_SHOWN)}"
    return None
