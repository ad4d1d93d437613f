"""Changes of hook and workflow files that only move other tools from one release to another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ledgergate.source.documents import read_toml, yaml_node

if TYPE_CHECKING:
    import yaml

_TAG = r"v?\d+(?:\.\d+)*(?:[-.+]?(?:a|b|c|rc|alpha|beta|pre|dev|post)[-.]?\d*(?:\.\d+)*)?"
_LOOKS_LIKE_COMMIT = re.compile(r"[0-9a-f]{7,}")
_BEFORE = r"(?P<left>(?P<indent> *(?:- +)?)"
_AFTER = rf"(?P<tag>{_TAG})(?P<right>(?P=quote)\s*(?:\s#.*)?)"
_REV = re.compile(rf"{_BEFORE}rev *: +(?P<quote>[\"']?)){_AFTER}")
_USES = re.compile(rf"{_BEFORE}uses *: +(?P<quote>[\"']?)[\w.-]+(?:/[\w.-]+)+@){_AFTER}")
# The names under which our own hooks stand in a configuration, also in one that takes them from a mirror.
_OURS = re.compile(
    r"ledgergate|ledger-schema|ledger-edits|fixture-digests|two-sided-diff|test-guard|junit-evidence|lane-score",
    re.IGNORECASE,
)


Places = tuple[tuple[str | None, ...], ...]


class Form(NamedTuple):
    """Where versions stand in a kind of file: how such a line reads, and the keys that lead there (None: any)."""

    line: re.Pattern[str]
    places: Places


HOOKS = Form(_REV, (("repos", None, "rev"),))
WORKFLOW = Form(_USES, (("jobs", None, "uses"), ("jobs", None, "steps", None, "uses"), ("runs", "steps", None, "uses")))


def moves_only_yaml_versions(old: str, new: str, form: Form) -> bool:
    """Whether every line that differs is the same version with another release tag, and not our own.

    Judged line by line and not by meaning, so that nothing can hide: a file whose mappings merge others is never taken.
    """
    before, after = old.split("\n"), new.split("\n")
    if len(before) != len(after) or "<<" in old:
        return False
    moved = {number for number, lines in enumerate(zip(before, after, strict=True)) if lines[0] != lines[1]}
    return all(_moves(before, after, number, form.line) for number in moved) and all(
        moved <= set(_version_lines(text, form)) for text in (old, new)
    )


def _version_lines(text: str, form: Form) -> Iterator[int]:
    """The lines, from 0, on which a version of this form stands; none where the text is no YAML document."""
    try:
        root = yaml_node(text)
    except ValueError:
        return
    if root is not None:
        yield from _lines_at(root, form.places)


def _lines_at(node: yaml.Node, places: Places) -> Iterator[int]:
    """The lines of what stands at one of these places below a node."""
    import yaml

    if () in places:
        yield node.start_mark.line
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _below(value, key.value, places)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _below(value, None, places)


def _below(node: yaml.Node, name: object, places: Places) -> Iterator[int]:
    further = tuple(place[1:] for place in places if place[0] in (None, name))
    if further:
        yield from _lines_at(node, further)


def moves_only_toml_revs(old: str, new: str) -> bool:
    """The same for the `[[repos]]` of a `prek.toml`, by meaning. Raises `ValueError` for what is no TOML."""
    before, after = read_toml(old), read_toml(new)
    repos, others = before.get("repos"), after.get("repos")
    if not isinstance(repos, list) or not isinstance(others, list) or len(repos) != len(others):
        return before == after
    for repo, other in zip(repos, others, strict=True):
        if _is_release_move(repo, other):
            other["rev"] = repo["rev"]
    return before == after


def _moves(before: list[str], after: list[str], number: int, pattern: re.Pattern[str]) -> bool:
    old, new = pattern.fullmatch(before[number]), pattern.fullmatch(after[number])
    if old is None or new is None:
        return False
    same = old["left"] == new["left"] and old["right"] == new["right"]
    tags = is_release_tag(old["tag"]) and is_release_tag(new["tag"])
    return same and tags and not _OURS.search(_block(after, number, len(old["indent"])))


def _block(lines: list[str], number: int, column: int) -> str:
    """The lines of the mapping to which the key at this line and column belongs, with all that is nested in it."""
    start = number
    while start and not _opens(lines[start], column):
        start -= 1
    end = number + 1
    while end < len(lines) and not _opens(lines[end], column):
        end += 1
    return "\n".join(lines[start:end])


def _opens(line: str, column: int) -> bool:
    """Whether a line with content begins left of the column, so that the mapping at the column starts or is over."""
    content = line.lstrip(" ")
    return bool(content.strip()) and not content.startswith("#") and len(line) - len(content) < column


def _is_release_move(repo: object, other: object) -> bool:
    if not isinstance(repo, dict) or not isinstance(other, dict) or _OURS.search(f"{repo}{other}"):
        return False
    return is_release_tag(repo.get("rev")) and is_release_tag(other.get("rev"))


def is_release_tag(tag: object) -> bool:
    """Whether a revision is named like a release: no branch, and nothing that could be a commit id."""
    return isinstance(tag, str) and re.fullmatch(_TAG, tag) is not None and not _LOOKS_LIKE_COMMIT.fullmatch(tag)
