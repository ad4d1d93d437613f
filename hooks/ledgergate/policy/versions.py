"""Changes of hook and workflow files that only move other tools from one release to another."""

from __future__ import annotations

import re

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


def moves_only_yaml_versions(old: str, new: str) -> bool:
    """Whether every line that differs is the same `rev:` or `uses:` with another release tag, and not our own.

    Judged line by line and not by meaning, so that nothing can hide: a file whose mappings merge others is never taken.
    """
    before, after = old.split("\n"), new.split("\n")
    if len(before) != len(after) or "<<" in old:
        return False
    return all(
        left == right or _moves(before, after, number)
        for number, (left, right) in enumerate(zip(before, after, strict=True))
    )


def moves_only_toml_revs(old: str, new: str) -> bool:
    """The same for the `[[repos]]` of a `prek.toml`, by meaning. Raises `ValueError` for what is no TOML."""
    import tomllib

    before, after = tomllib.loads(old), tomllib.loads(new)
    repos, others = before.get("repos"), after.get("repos")
    if not isinstance(repos, list) or not isinstance(others, list) or len(repos) != len(others):
        return before == after
    for repo, other in zip(repos, others, strict=True):
        if _is_release_move(repo, other):
            other["rev"] = repo["rev"]
    return before == after


def _moves(before: list[str], after: list[str], number: int) -> bool:
    for pattern in (_REV, _USES):
        old, new = pattern.fullmatch(before[number]), pattern.fullmatch(after[number])
        if old and new:
            same = old["left"] == new["left"] and old["right"] == new["right"]
            tags = is_release_tag(old["tag"]) and is_release_tag(new["tag"])
            return same and tags and not _OURS.search(_block(after, number, len(old["indent"])))
    return False


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
