"""Changes of many files for a person to look at: alike ones together, one diff for all of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ledgergate.ledger import split_artifact
from ledgergate.report.edits import Edit, edits_of, without_numbers
from ledgergate.report.excerpt import excerpt
from ledgergate.report.hexdump import hex_excerpt
from ledgergate.report.images import describe_image
from ledgergate.report.summary import counted
from ledgergate.values import display_path

_LISTED = 5
_LISTED_BINARIES = 20
_DUMPED = 3
_SAMPLES = 3
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
    """Files that changed alike: what they have in common, and the first of them to show it on.

    `likeness` says how alike they are; of those that are not quite, several are shown.
    """

    label: str
    is_binary: bool
    samples: list[FileChange]
    files: list[tuple[str, str]]
    likeness: str = "the same in each"


def alike(changes: Iterable[FileChange], *, whole: bool = False) -> list[Group]:
    """The changes in groups, in the order of their first members.

    Alike are files in which the same lines came and went, in which only line ends, or only white space at the ends of
    lines, became others; and all binary ones. Where that leaves many groups, alike are files in which the same words
    changed, in whatever lines; and where it still does, those in which the words were the same but for numbers. To be
    shown as a `whole`, alike are only those in which all is the same.
    """
    groups: dict[tuple[object, ...], Group] = {}
    for change in changes:
        kind, label, key = _kind(change)
        text = f"{label} ({change.remark})" if change.remark else label
        group = groups.setdefault((kind, key, text, change.noun), Group(text, kind == "binary", [], []))
        note = f"{_measures(change)}  {change.note}" if kind == "binary" else change.note
        if len(group.samples) < (_DUMPED if group.is_binary else 1):
            group.samples.append(change)
        group.files.append((change.path, note))
    return list(groups.values()) if whole else _fewer(list(groups.values()))


def show_groups(groups: Sequence[Group], *, whole: bool = False) -> Iterator[str]:
    """The groups as lines of text: what changed, in which files, and the diff of the first; as a `whole`, or cut."""
    longest = None if whole else _LONGEST_DIFF if len(groups) <= _MANY_GROUPS else _LONGEST_OF_MANY
    for group in groups:
        number = len(group.files)
        together = f", {group.likeness}" if number > 1 and not group.is_binary else ""
        yield f"{counted(number, group.samples[0].noun)}{together}: {group.label}"
        listed = number if whole else _LISTED_BINARIES if group.is_binary else _LISTED
        for path, note in group.files[:listed]:
            yield f"  {display_path(path)}  {note}"
        if number > listed:
            yield f"  ... and {number - listed} more"
        for sample in group.samples:
            if len(group.samples) > 1 and (shown := list(_content(group, sample, longest))):
                yield f"  {display_path(sample.path)}:"
                yield from shown
            else:
                yield from _content(group, sample, longest)
        yield ""


def _content(group: Group, sample: FileChange, longest: int | None) -> Iterator[str]:
    lines = (
        _dump(sample) if group.is_binary else excerpt(split_artifact(sample.path)[0], sample.old, sample.new, longest)
    )
    return (f"    {line}" for line in lines)


def _dump(change: FileChange) -> Iterator[str]:
    """An excerpt in hexadecimal, but of images: their measures say more."""
    if None in _images(change):
        yield from hex_excerpt(change.old, change.new)


def _fewer(groups: list[Group]) -> list[Group]:
    """Where there are many groups, those together whose lines differ and whose edits do not."""
    edits = {id(group): _edits(group) for group in groups} if len(groups) > _MANY_GROUPS else {}
    if edits:
        groups = _merged(groups, edits, "the same words in each, in different lines")
    if len(groups) > _MANY_GROUPS:
        edits = {id(group): _without_numbers(group) for group in groups}
        groups = _merged(groups, edits, "the same words in each but for numbers")
    return groups


def _edits(group: Group) -> frozenset[Edit]:
    """The edits of its first file; nothing for changes that are not told by the words of lines."""
    _, old, new, *_ = sample = group.samples[0]
    return frozenset() if old is None or new is None or _kind(sample)[0] != "lines" else edits_of(old, new)


def _without_numbers(group: Group) -> frozenset[Edit]:
    """The edits but for numbers. Those of a test are looked at each: a number is what it expects."""
    return frozenset() if group.samples[0].noun == "test" else without_numbers(_edits(group))


def _merged(groups: Sequence[Group], edits: Mapping[int, frozenset[Edit]], likeness: str) -> list[Group]:
    together: dict[object, list[Group]] = {}
    for group in groups:
        key = (edits[id(group)], group.samples[0].remark, group.samples[0].noun) if edits[id(group)] else id(group)
        together.setdefault(key, []).append(group)
    return [found[0] if len(found) == 1 else _joined(found, likeness) for found in together.values()]


def _joined(groups: Sequence[Group], likeness: str) -> Group:
    samples = [sample for group in groups[:_SAMPLES] for sample in group.samples][:_SAMPLES]
    remark = samples[0].remark
    label = f"other lines around it{f' ({remark})' if remark else ''}"
    return Group(label, False, samples, [file for group in groups for file in group.files], likeness)


def _kind(change: FileChange) -> tuple[str, str, object]:
    """(kind, label, what else has to be equal for two changes to be alike)."""
    old, new = change.old or b"", change.new or b""
    if is_binary(old) or is_binary(new):
        return "binary", "binary", None
    if change.old is None or change.new is None:
        label = f"{'new' if change.old is None else 'removed'} {change.noun}"
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


def _measures(change: FileChange) -> str:
    old, new = ("nothing" if data is None else f"{len(data):,}" for data in (change.old, change.new))
    sizes = f"{old} -> {new} bytes"
    images = [image for image in _images(change) if image]
    return "  ".join([sizes, " -> ".join(dict.fromkeys(images))]) if images else sizes


def _images(change: FileChange) -> list[str | None]:
    """What the images are that stand on the sides that there are; None for what is no image."""
    return [describe_image(data) for data in (change.old, change.new) if data is not None]


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
