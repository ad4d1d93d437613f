"""A block of our own in a CODEOWNERS file, every other byte of which stays."""

from __future__ import annotations

import re
from collections.abc import Sequence

PLACES = (
    "CODEOWNERS",
    ".github/CODEOWNERS",
    ".gitlab/CODEOWNERS",
    ".forgejo/CODEOWNERS",
    ".gitea/CODEOWNERS",
    "docs/CODEOWNERS",
)
_BEGIN = "# ledgergate: begin (contracts belong to humans)"
_END = "# ledgergate: end"
_OWNER = re.compile(r"@[\w.-]+(?:/[\w.-]+)*|[^@\s]+@[^@\s]+")


def is_owner(text: str) -> bool:
    """Whether a forge knows the text as an owner: an account, a team, or an address."""
    return _OWNER.fullmatch(text) is not None


def add_block(data: bytes, paths: Sequence[str], owner: str) -> bytes:
    """The file with the block at its end, where it outweighs what stands above; one that is there is replaced.

    `paths` are those of files, or of folders with their slash, from the root.
    """
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    lines = [_BEGIN, *(f"{_pattern(path)} {owner}" for path in paths), _END]
    block = newline.join(line.encode("utf-8") for line in lines) + newline
    begin = data.find(_BEGIN.encode())
    end = data.find(_END.encode(), begin)
    if 0 <= begin < end:
        rest = data[end + len(_END) :]
        return data[:begin] + block + rest.removeprefix(newline)
    ended = data if not data or data.endswith(b"\n") else data + newline
    return ended + (newline if ended else b"") + block


def has_block(data: bytes) -> bool:
    """Whether a file has our block."""
    return 0 <= data.find(_BEGIN.encode()) < data.find(_END.encode())


def _pattern(path: str) -> str:
    return "/" + re.sub(r"([ #\\])", r"\\\1", path)
