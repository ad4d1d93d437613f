"""An SSH signature, taken apart: by which key it was made, and whether somebody touched that key.

What is read here says what to ask ssh-keygen (`keygen`), who alone says whether a signature is one.
"""

from __future__ import annotations

import binascii
from typing import NamedTuple

from ledgergate.vouch.acks.signers import KEY_TYPES, NAMESPACE

_MAGIC = b"SSHSIG"
_VERSION = 1
_HASHES = (b"sha256", b"sha512")
# In the flags that a security key signs with: that its user was there.
_USER_PRESENT = 0x01
_FLAGS_AND_COUNTER = 5


class Signature(NamedTuple):
    """What a signature says of itself. `is_touched`: a security key says that it was touched for this signature."""

    key_type: str
    key: bytes
    is_touched: bool


def read_signature(armored: str) -> Signature:
    """Take an armored signature apart. Raises `ValueError`, saying why it is none of ours."""
    lines = armored.strip("\n").split("\n")
    data = binascii.a2b_base64("".join(lines[1:-1]), strict_mode=True)
    if not data.startswith(_MAGIC) or data[6:10] != _VERSION.to_bytes(4, "big"):
        raise ValueError("it is no SSH signature of version 1")
    key, rest = _string(data[10:])
    namespace, rest = _string(rest)
    _, rest = _string(rest)
    hashed, rest = _string(rest)
    signature, rest = _string(rest)
    if rest:
        raise ValueError("bytes follow it")
    if namespace != NAMESPACE.encode("ascii"):
        raise ValueError(f"it was made for another namespace than {NAMESPACE}")
    if hashed not in _HASHES:
        raise ValueError("it was made with another hash than SHA-256 and SHA-512")
    key_type = _string(key)[0].decode("ascii", "replace")
    if key_type not in KEY_TYPES:
        raise ValueError(f"keys of the type {key_type} do not vouch")
    return Signature(key_type, key, _is_touched(key_type, signature))


def _is_touched(key_type: str, signature: bytes) -> bool:
    if not key_type.startswith("sk-"):
        return False
    kind, rest = _string(signature)
    _, flags = _string(rest)
    return kind == key_type.encode("ascii") and len(flags) == _FLAGS_AND_COUNTER and bool(flags[0] & _USER_PRESENT)


def _string(data: bytes) -> tuple[bytes, bytes]:
    """The length-prefixed string that stands first, and what follows it."""
    length = int.from_bytes(data[:4], "big")
    if len(data) < 4 + length or len(data) < 4:
        raise ValueError("it ends too early")
    return data[4 : 4 + length], data[4 + length :]
