"""Git LFS pointers: the small file that git stores in place of a large one (git-lfs, docs/spec.md)."""

from __future__ import annotations

import re
from typing import NamedTuple

EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

_PREFIX = b"version https://git-lfs.github.com/spec/"
_POINTER = rb"version https://git-lfs\.github\.com/spec/v1\noid sha256:([0-9a-f]{64})\nsize (0|[1-9][0-9]{0,18})\n"


class Pointer(NamedTuple):
    """What a pointer says of the real bytes: their sha256 in hex, and how many they are."""

    sha256: str
    size: int


def looks_like_pointer(data: bytes) -> bool:
    """Whether the bytes are meant as a pointer, well-formed or not."""
    return data.startswith(_PREFIX) and len(data) < 1024


def parse_pointer(data: bytes) -> Pointer | str:
    """The pointer, or why it is none. It holds version, oid and size, each on its line, and nothing else."""
    found = re.fullmatch(_POINTER, data)
    if found is None:
        return "is no well-formed LFS pointer" if looks_like_pointer(data) else "is no LFS pointer"
    pointer = Pointer(found[1].decode("ascii"), int(found[2]))
    if (pointer.size == 0) != (pointer.sha256 == EMPTY_SHA256):
        return f"is an LFS pointer whose size, {pointer.size}, cannot be that of its oid"
    return pointer
