"""Which tests name a file or folder in their source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from ledgergate.adopt.collect import Item
from ledgergate.adopt.texts import EMPTY, SourceFile, Texts, read_source
from ledgergate.ledger.match import nearness

# Of a file that more tests reach than this through what they share, only those count that name it themselves.
_MOST_READERS = 20
# How inline-snapshot names the files of its texts.
_EXTERNAL = re.compile(r"(?:hash:|uuid:)?([0-9a-f-]{8,})\*?(\.\w+)?")
_EXTERNAL_FOLDER = re.compile(r"(?:^|/)\.?_*inline[-_]snapshot_*/")

# What stands in quotes, or behind the last slash in them.
_WORD = re.compile(rb"(?<=[\"'/])[^\"'/\\\n]+(?=[\"'])")

Read = Callable[[str], bytes | None]


class Readers:
    """Knows the texts of tests. `read` gives the bytes of a file, or None where there is none."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._source = lru_cache(maxsize=None)(self._load)
        self._mentions = lru_cache(maxsize=None)(self._look_for)

    def prepare(self, sources: Iterable[str], paths: Sequence[str]) -> None:
        """Read those of the source files that `files` will need for these paths; that can be done beforehand."""
        wanted = frozenset(_by_name(paths))
        for source in sources:
            if self._mentions(source, wanted):
                self._source(source)

    def files(self, items: Iterable[Item], paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """For each of the paths that tests name: the functions (ids without parameters) of those that do.

        Of several files with one name the nearest to the test is meant; where that is not one alone, none is.
        """
        by_name = _by_name(paths)
        own: dict[str, dict[str, None]] = {}
        shared: dict[str, dict[str, None]] = {}
        for function, texts in self._functions(items, frozenset(by_name)):
            for text in texts.reached:
                meant = _meant(text, function, by_name.get(_name(text), ()))
                if meant is not None:
                    shared.setdefault(meant, {})[function] = None
                    if text in texts.own:
                        own.setdefault(meant, {})[function] = None
        return {
            path: tuple(functions if len(functions) <= _MOST_READERS else own.get(path, ()))
            for path, functions in sorted(shared.items())
            if len(functions) <= _MOST_READERS or path in own
        }

    def texts(self, item: Item) -> Texts:
        """The texts of a test; none where its source is not known."""
        if item.defined_in is None or item.name is None:
            return Texts(frozenset(), frozenset())
        source = self._source(item.defined_in)
        return source.texts(item.name, (self._source(path) for path in _conftests(item.file)))

    def _functions(self, items: Iterable[Item], wanted: frozenset[str]) -> Iterator[tuple[str, Texts]]:
        """The texts of each function in whose files one of the wanted names stands at all."""
        functions = {item.function: item for item in reversed(list(items)) if item.is_function and item.name}
        for function, item in sorted(functions.items()):
            if any(self._mentions(path, wanted) for path in (item.defined_in, *_conftests(item.file))):
                yield function, self.texts(item)

    def _look_for(self, path: str | None, wanted: frozenset[str]) -> bool:
        """Whether a text of the file may end in one of the names. That is far quicker than to take the file apart."""
        source = (self._read(path) if path else None) or b""
        words = {word.decode("utf-8", "replace") for word in _WORD.findall(source)}
        return not wanted.isdisjoint(words) or any(_name(word) in wanted for word in words)

    def _load(self, path: str) -> SourceFile:
        data = self._read(path)
        return EMPTY if data is None else read_source(data)


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    """The paths by what a text may call them."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for name in _names(path):
            found.setdefault(name, []).append(path)
    return found


@lru_cache(maxsize=1024)
def _conftests(file: str) -> tuple[str, ...]:
    parts = file.split("/")[:-1]
    return tuple("/".join((*parts[:depth], "conftest.py")) for depth in range(len(parts), -1, -1))


def is_external(path: str) -> bool:
    """Whether a file is one that inline-snapshot keeps apart from the source: any test may name it, by its hash."""
    return _EXTERNAL_FOLDER.search(path) is not None


def _names(path: str) -> Iterator[str]:
    """What a text may call a file in its last part."""
    name = path.rpartition("/")[2]
    if "." in name[1:]:
        yield name
        found = _EXTERNAL.fullmatch(name)
        if found and is_external(path):
            yield found[1][:12]


def _name(text: str) -> str:
    name = text.rpartition("/")[2]
    found = _EXTERNAL.fullmatch(name)
    return found[1][:12] if found else name


def _meant(text: str, function: str, paths: Sequence[str]) -> str | None:
    """The one of several paths with the name that a text ends in which the text means, seen from a test."""
    if len(paths) == 1 and is_external(paths[0]):
        return paths[0]
    tail = re.sub(r"^(?:\.{0,2}/)+", "", text)
    fitting = [path for path in paths if "/" not in tail or f"/{path}".endswith(f"/{tail}")]
    near = [(nearness(function, path), path) for path in fitting]
    nearest = max((distance for distance, _ in near), default=0)
    best = [path for distance, path in near if distance == nearest > 0]
    return best[0] if len(best) == 1 else None
