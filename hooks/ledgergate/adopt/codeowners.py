"""A block of our own in a CODEOWNERS file, every other byte of which stays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
_EVERYTHING = ("*", "**", "**/*")
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


def unowned(data: bytes, paths: Sequence[str]) -> list[str]:
    """Those of the paths that no line of a file gives to an owner; one for everything speaks of none in particular."""
    lines = list(_lines(data))
    return [path for path in paths if not _is_owned(path, lines)]


def _lines(data: bytes) -> Iterator[tuple[str, bool]]:
    """Each line's pattern, and whether it names an owner. Sections of GitLab are headings."""
    for line in data.decode("utf-8", "surrogateescape").splitlines():
        pattern, *owners = re.split(r"(?<!\\)\s+", line.partition(" #")[0].strip())
        if pattern and not pattern.startswith(("#", "[", "^[")):
            yield pattern, bool(owners)


def _is_owned(path: str, lines: Sequence[tuple[str, bool]]) -> bool:
    """Whether the last line that speaks of the path names an owner."""
    inside = f"{path}x" if path.endswith("/") else path
    return next((has_owner for pattern, has_owner in reversed(lines) if _is_about(pattern, inside)), False)


def _is_about(pattern: str, path: str) -> bool:
    from ledgergate.policy.globs import compile_globs

    try:
        return pattern.strip("/") not in _EVERYTHING and compile_globs([pattern])(path)
    except ValueError:
        return False


def _pattern(path: str) -> str:
    return "/" + re.sub(r"([ #\\])", r"\\\1", path)
