"""Reading the project's own Markdown: sections, code blocks and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
DOCUMENTS = (README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def section(document: Path, heading: str) -> str:
    """What stands below a heading, down to the next heading of the same or a higher level."""
    text = document.read_text(encoding="utf-8")
    found = re.search(rf"^(#+) {re.escape(heading)}\n", text, re.MULTILINE)
    assert found, f"{document.name} has no heading {heading!r}"
    rest = text[found.end() :]
    # A line of a shell's comment is no heading; those of our documents stand inside code blocks.
    outside = _FENCE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), rest)
    end = re.search(rf"^#{{1,{len(found[1])}}} ", outside, re.MULTILINE)
    return rest[: end.start()] if end else rest


def blocks(text: str, language: str | None = None) -> list[str]:
    """The bodies of the code blocks, of one language or of all."""
    return [body for name, body in _FENCE.findall(text) if language in (None, name)]


def prose(text: str) -> str:
    """The text without its code blocks."""
    return _FENCE.sub("", text)


def table(text: str) -> list[tuple[str, ...]]:
    """The rows of the tables in a text, without their heads."""
    lines = re.findall(r"^\|.*\|$", prose(text), re.MULTILINE)
    heads = {index for index, line in enumerate(lines) if re.fullmatch(r"[| -]+", line)}
    wanted = (line for index, line in enumerate(lines) if index not in heads and index + 1 not in heads)
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in wanted]


def anchors(document: Path) -> Iterator[str]:
    """The anchors that a forge gives to the document's headings."""
    for heading in re.findall(r"^#+ (.+)$", prose(document.read_text(encoding="utf-8")), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
