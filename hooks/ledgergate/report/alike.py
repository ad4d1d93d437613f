"""Changes of many files for a person to look at: alike ones together, one diff for all of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ledgergate.ledger import split_artifact
from ledgergate.report.excerpt import excerpt
from ledgergate.report.summary import counted
from ledgergate.values import display_path

_LISTED = 5
_LISTED_BINARIES = 20
_MANY_GROUPS = 10
_LONGEST_DIFF = 40
_LONGEST_OF_MANY = 16


class FileChange(NamedTuple):
    """A file before and after; None where there is nothing. `note` is shown beside its path, `remark` with its diff.

    Or, where `noun` says so, a test: the lines that its contract covers.
    """

    path: str
    old: bytes | None
    new: bytes | None
    note: str
    remark: str = ""
    noun: str = "file"


class Group(NamedTuple):
    """Files that changed alike: what they have in common, and one of them to show it on."""

    label: str
    is_binary: bool
    sample: FileChange
    files: list[tuple[str, str]]


def alike(changes: Iterable[FileChange]) -> list[Group]:
    """The changes in groups, in the order of their first members.

    Alike are files in which the same lines came and went, in which only line ends, or only white space at the ends of
    lines, became others; and all binary ones.
    """
    groups: dict[tuple[object, ...], Group] = {}
    for change in changes:
        kind, label, key = _kind(change)
        text = f"{label} ({change.remark})" if change.remark else label
        group = groups.setdefault((kind, key, text, change.noun), Group(text, kind == "binary", change, []))
        note = f"{_sizes(change)}  {change.note}" if kind == "binary" else change.note
        group.files.append((change.path, note))
    return list(groups.values())


def show_groups(groups: Sequence[Group]) -> Iterator[str]:
    """The groups as lines of text: what changed, in which files, and the diff of the first."""
    longest = _LONGEST_DIFF if len(groups) <= _MANY_GROUPS else _LONGEST_OF_MANY
    for group in groups:
        number = len(group.files)
        together = ", the same in each" if number > 1 and not group.is_binary else ""
        yield f"{counted(number, group.sample.noun)}{together}: {group.label}"
        listed = _LISTED_BINARIES if group.is_binary else _LISTED
        for path, note in group.files[:listed]:
            yield f"  {display_path(path)}  {note}"
        if number > listed:
            yield f"  ... and {number - listed} more"
        if not group.is_binary:
            yield from (
                f"    {line}"
                for line in excerpt(split_artifact(group.sample.path)[0], group.sample.old, group.sample.new, longest)
            )
        yield ""


def _kind(change: FileChange) -> tuple[str, str, object]:
    """(kind, label, what else has to be equal for two changes to be alike)."""
    old, new = change.old or b"", change.new or b""
    if is_binary(old) or is_binary(new):
        return "binary", "binary", None
    if change.old is None or change.new is None:
        label = "new file" if change.old is None else "removed file"
        return "lines", f"{label}, {counted(len((old + new).splitlines()), 'line')}", _digest([old, new])
    if _with_line_feeds(old) == _with_line_feeds(new):
        return "ends", f"only line ends differ, {_line_ends(old)} -> {_line_ends(new)}", None
    if _without_trailing_space(old) == _without_trailing_space(new):
        return "space", "only white space at the ends of lines differs", None
    before, after = Counter(old.split(b"\n")), Counter(new.split(b"\n"))
    removed, added = before - after, after - before
    if not removed and not added:
        return "order", "the same lines in another order", _digest([old, new])
    label = f"{counted(removed.total(), 'line')} removed, {added.total()} added"
    return "lines", label, (_digest(sorted(removed.elements())), _digest(sorted(added.elements())))


def is_binary(data: bytes) -> bool:
    """Whether the bytes are no text that could be shown: no UTF-8, or with a NUL."""
    if b"\0" in data:
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _sizes(change: FileChange) -> str:
    old, new = ("nothing" if data is None else f"{len(data):,}" for data in (change.old, change.new))
    return f"{old} -> {new} bytes"


def _with_line_feeds(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _line_ends(data: bytes) -> str:
    pairs = data.count(b"\r\n")
    counts = {"CRLF": pairs, "LF": data.count(b"\n") - pairs, "CR": data.count(b"\r") - pairs}
    return " and ".join(name for name, count in counts.items() if count) or "none"


def _without_trailing_space(data: bytes) -> list[bytes]:
    return b"\n".join(line.rstrip() for line in data.split(b"\n")).rstrip().split(b"\n")


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()
