"""The parts that steer tests, of files in which tasks are written as blocks: make, just, nox.

They are programs, and are read by their look alone: a block begins at a line without indentation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ledgergate.policy import make_names, pins
from ledgergate.policy.make_written import written_text
from ledgergate.policy.pins import Part

_WORD = re.compile(r"[\w.-]+")
_COMMENT = re.compile(r"\s*#(?!!)")
_PRINTS = re.compile(r"\s*[@-]*\s*(?:echo|printf)\b")
# What nox itself puts before every session of a noxfile, and comments at the end of a line.
_BESIDE = re.compile(r"\bnox\.\w+|\bimport nox\b|\s#.*")
_CALLS = re.compile(r"(?:\$[({]MAKE[)}]|\b(?:make|just|notify)\b)([^&|;\n]*)")
_BELONGS_TO_THE_LAST = re.compile(r"[\s)\]}]")
_BELONGS_TO_THE_NEXT = re.compile(r"@\w|\[")
_KEYWORDS = frozenset({"async", "def", "class", "alias", "export", "override", "define", "private"})
_VALUE = re.compile(r"(?:async\s+def|def|class|define)\s|[^:=(]*?(?:::?:?|[+?!])?=(?!=)")
# What counts for every task of the file: other files, the shell, variables that are exported, conditions.
_FOR_ALL = re.compile(
    r"-?s?include\b|import\b|from\b|mod\b|set\s|(?:un)?export\b|override\b|vpath\b|-?load\b|ifn?(?:eq|def)?\b|else\b"
    r"|endif\b|define\b|endef\b|\.?SHELL|MAKE|\.(?!PHONY)[A-Z]|nox\.|[VG]?PATH\b|\$[({](?:eval|call|foreach|guile)\b"
)
_FURTHER_FOLDERS = re.compile(r"VPATH\b|vpath\b")
_PHONY = ".PHONY"
_TEXT_OVER_LINES = re.compile(r"\"{3}|'{3}")


class Block(NamedTuple):
    """A line without indentation with all that belongs to it.

    `names` are what its first line describes, `body` is what follows these; of a value others take by its name.
    """

    first: str
    names: frozenset[str]
    is_value: bool
    body: str
    text: str

    @property
    def says_how(self) -> bool:
        """Whether what it runs, or is, speaks of tests; what it prints, and what is said of it, does not count."""
        return any(pins.says_tests(_BESIDE.sub("", x)) for x in self.body.split("\n") if not _PRINTS.match(x))

    @property
    def calls(self) -> set[str]:
        """What may be the name of another task: what it depends on, and what it tells a runner of tasks to run."""
        return set(_WORD.findall(" ".join((self.body.partition("\n")[0], *_CALLS.findall(self.body)))))

    @property
    def counts_for_all(self) -> bool:
        """Whether it may decide what the other blocks are: includes, settings, conditions, texts over several lines."""
        return _FOR_ALL.match(self.first) is not None or _TEXT_OVER_LINES.search(self.text) is not None

    @property
    def is_target(self) -> bool:
        return not self.is_value and not self.counts_for_all and not self.first.startswith((".", "alias"))

    @property
    def runs_tests(self) -> bool:
        return _PHONY not in self.names and (self.says_how or any(map(pins.runs_tests, self.names)))


def task_parts(text: str) -> Iterator[Part]:
    """Each block that runs tests, those that it takes values from or leaves the work to, and what counts for all.

    What a makefile writes for make to read is blocks as well. Comments and blank lines are no part. Which targets are
    phony counts only for those that run tests: a file of such a name would make their work look done. So does which one
    comes first, and is run where none is named.
    """
    blocks = list(_blocks(text))
    yield from _parts([*blocks, *_written_blocks(text, blocks)])
    first = next((block for block in blocks if block.is_target), None)
    if first is not None and first in _guarded(blocks):
        yield ("the first target",), first.first


class Made(NamedTuple):
    """Targets that run tests, as globs: make does nothing for one where a file of its name lies.

    `is_elsewhere` says that make looks for that file in further folders than the makefile's own.
    """

    targets: tuple[str, ...]
    is_elsewhere: bool


def made_targets(text: str) -> Made:
    """What of a makefile runs tests, or leaves that to other targets, and is not said to be phony."""
    blocks = list(_blocks(text))
    phony = {word for block in blocks if _PHONY in block.names for word in block.body.split()}
    guarded = [block for block in _guarded(blocks) if not block.is_value]
    targets = {target for block in guarded for target in make_names.globs(block.first)} - phony
    return Made(tuple(sorted(targets)), any(_FURTHER_FOLDERS.match(block.first) for block in blocks))


def session_parts(text: str) -> Iterator[Part]:
    """The same of a noxfile, whose blocks are the statements of a Python module. `ValueError` for what is no Python."""
    import ast

    try:
        module = ast.parse(text)
    except (SyntaxError, MemoryError) as error:
        raise ValueError(str(error)) from error
    said = [node for node in module.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    return _parts([_block(ast.unparse(node).split("\n")) for node in said])


def _parts(blocks: list[Block]) -> Iterator[Part]:
    guarded = _guarded(blocks)
    tasks = {name for block in guarded for name in block.names}
    targets = make_names.Names(
        word for block in guarded if not block.is_value for word in make_names.globs(block.first)
    )
    seen: Counter[str] = Counter()
    is_named = make_names.by_parts(
        [block.text for block in blocks], targets, {word for block in guarded for word in _WORD.findall(block.text)}
    )
    for block in blocks:
        if _PHONY in block.names:
            yield from (((f"{_PHONY} {name}",), "") for name in tasks.intersection(_WORD.findall(block.body)))
        elif (
            block in guarded
            or (guarded and (block.counts_for_all or is_named(block.text)))
            or make_names.sets_for(block.text, targets)
        ):
            seen[block.first] += 1
            yield (block.first, str(seen[block.first])), block.text


def _guarded(blocks: list[Block]) -> set[Block]:
    """The blocks that run tests, those that describe the same, and those that these need in order to."""
    found = {block for block in blocks if block.runs_tests}
    named: dict[str, set[Block]] = {}
    values: dict[str, set[Block]] = {}
    for block in blocks:
        for name in block.names:
            named.setdefault(name, set()).add(block)
            if block.is_value:
                values.setdefault(name, set()).add(block)
    newest = set(found)
    while newest:
        names = {name for block in newest for name in block.names}
        left_to = {task for block in newest if not block.says_how for task in block.calls}
        mentioned = {word for block in newest for word in _WORD.findall(block.text)}
        joined = [named.get(name, set()) for name in names | left_to] + [values.get(word, set()) for word in mentioned]
        newest = set().union(*joined) - found
        found |= newest
    return {block for block in found if _PHONY not in block.names}


def _blocks(text: str) -> Iterator[Block]:
    lines: list[str] = []
    for line in text.splitlines():
        goes_on = lines and lines[-1].endswith("\\")
        # Where a comment ends in a backslash, make takes the next line for more of it.
        if not goes_on and (not line.strip() or (_COMMENT.match(line) and not line.endswith("\\"))):
            continue
        goes_on = goes_on or (lines and all(map(_BELONGS_TO_THE_NEXT.match, lines)))
        if lines and not goes_on and not _BELONGS_TO_THE_LAST.match(line):
            yield _block(lines)
            lines = []
        lines.append(line.rstrip())
    if lines:
        yield _block(lines)


def _written_blocks(text: str, blocks: list[Block]) -> Iterator[Block]:
    for one in written_text(text, [(block.names, block.text) for block in blocks if block.is_value]):
        yield from _blocks(one.text) if one.is_known else (_block([one.text]),)


def _block(lines: list[str]) -> Block:
    first = next((line for line in lines if not _BELONGS_TO_THE_NEXT.match(line)), lines[0])
    head = re.split(r"[:=(+?!]", first, maxsplit=1)[0]
    text = "\n".join(lines)
    return Block(
        first=first,
        names=frozenset(_WORD.findall(_BESIDE.sub("", head))) - _KEYWORDS,
        is_value=_VALUE.match(lines[0]) is not None,
        body=text.replace(head, "", 1),
        text=text,
    )
