from __future__ import annotations

from typing import NamedTuple

import pytest

from ledgergate.adopt.collect import Item
from ledgergate.adopt.readers import Readers
from ledgergate.adopt.texts import read_source

HEAD = "import pathlib, pytest\nHERE = pathlib.Path(__file__).parent\n"


def item(id_: str) -> Item:
    file, _, name = id_.partition("::")
    return Item(id_, id_.partition("[")[0], file, file, name.partition("[")[0].replace("::", "."))


class Reading(NamedTuple):
    readers: Readers
    items: list[Item]

    def files(self, paths: list[str]) -> dict[str, tuple[str, ...]]:
        return self.readers.files(self.items, paths)


def readers(files: dict[str, str], *ids: str) -> Reading:
    read = Readers(lambda path: files[path].encode() if path in files else None)
    return Reading(read, list(map(item, ids)))


T = "tests/test_a.py"
SOURCES = {
    "its own text": ("def test_x(): (HERE / 'data/a.json').read_text()", "test_x", True),
    "joined parts": ("def test_x(): open(HERE / 'data' / 'a.json')", "test_x", True),
    "a whole path": ("def test_x(): open('tests/data/a.json')", "test_x", True),
    "a decorator": ("@pytest.mark.datafiles('data/a.json')\ndef test_x(): pass", "test_x", True),
    "a constant": ("GOLDEN = HERE / 'a.json'\ndef test_x(): GOLDEN.read_text()", "test_x", True),
    "a constant in a branch": ("if pytest:\n    GOLDEN = 'a.json'\ndef test_x(): open(GOLDEN)", "test_x", True),
    "a helper's helper": ("def a(): return 'a.json'\ndef b(): return a()\ndef test_x(): b()", "test_x", True),
    "a fixture": ("@pytest.fixture\ndef golden(): return 'a.json'\ndef test_x(golden): pass", "test_x", True),
    "a method": (
        "class TestX:\n    def load(self): 'a.json'\n    def test_x(self): self.load()",
        "TestX::test_x",
        True,
    ),
    "another test": ("def test_x(): pass\ndef test_y(): open('a.json')", "test_x", False),
    "a longer name": ("def test_x(): open('aa.json')", "test_x", False),
    "another folder": ("def test_x(): open('other/a.json')", "test_x", False),
    "a comment": ("def test_x(): pass  # a.json", "test_x", False),
    "no Python": ("def test_x(:", "test_x", False),
}


@pytest.mark.parametrize(("source", "name", "is_found"), SOURCES.values(), ids=SOURCES.keys())
def test_the_tests_that_name_a_file(source: str, name: str, is_found: bool) -> None:
    found = readers({T: f"{HEAD}{source}\n"}, f"{T}::{name}").files(["tests/data/a.json"])
    assert found == ({"tests/data/a.json": (f"{T}::{name}",)} if is_found else {})


def test_fixtures_of_the_conftests_above_count() -> None:
    files = {
        "tests/conftest.py": "def outer(): return 'a.json'\ndef both(): return 'a.json'\n",
        "tests/unit/conftest.py": "def both(): return 'b.json'\n",
        "tests/unit/test_a.py": "def test_x(outer): pass\ndef test_y(both): pass\n",
    }
    x, y = "tests/unit/test_a.py::test_x", "tests/unit/test_a.py::test_y"
    found = readers(files, x, y).files(["tests/a.json", "tests/b.json"])
    assert found == {"tests/a.json": (x,), "tests/b.json": (y,)}


def test_the_nearest_of_several_is_meant() -> None:
    files = {T: "def test_x(): 'a.json'\n", "tests/u/test_b.py": "def test_y(): 'a.json'\n"}
    x, y = f"{T}::test_x", "tests/u/test_b.py::test_y"
    paths = ["tests/u/a.json", "tests/v/a.json", "other/a.json"]
    assert readers(files, x, y).files(paths) == {"tests/u/a.json": (y,)}


def test_what_a_module_shares_widely_is_of_those_that_name_it() -> None:
    tests = "".join(f"def test_{number}(): load()\n" for number in range(25))
    source = f"def load(): 'all.json'\n{tests}def test_own(): 'all.json', load()\n"
    ids = [f"{T}::test_{number}" for number in range(25)]
    assert readers({T: source}, *ids).files(["tests/all.json"]) == {}
    assert readers({T: source}, *ids, f"{T}::test_own").files(["tests/all.json"]) == {
        "tests/all.json": (f"{T}::test_own",)
    }
    assert readers({T: source}, *ids[:3]).files(["tests/all.json"]) == {"tests/all.json": tuple(ids[:3])}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".inline-snapshot/external/0a1b2c3d4e5f60718293.txt", "0a1b2c3d4e5f*.txt"),
        (".inline-snapshot/external/0a1b2c3d4e5f60718293.txt", "hash:0a1b2c3d4e5f*.txt"),
        ("tests/__inline_snapshot__/m/f/0a1b2c3d-4e5f-6071.json", "uuid:0a1b2c3d-4e5f-6071.json"),
    ],
)
def test_external_files_of_inline_snapshots(path: str, text: str) -> None:
    source = f"from inline_snapshot import external\ndef test_x(): assert 1 == external({text!r})\n"
    assert readers({"tests/test_a.py": source}, f"{T}::test_x").files([path]) == {path: (f"{T}::test_x",)}


def test_own_texts_are_told_from_what_is_reached() -> None:
    texts = read_source(b"A = 'shared'\ndef test_x():\n    return A, 'own'\n").texts("test_x")
    assert (texts.own, texts.reached) == ({"own"}, {"own", "shared"})


def test_what_is_read_beforehand_is_not_read_again() -> None:
    asked: list[str] = []

    def read(path: str) -> bytes | None:
        asked.append(path)
        return {T: b"def test_x(): open('a.json')\n", "tests/test_b.py": b"x = 1\n"}.get(path)

    known = Readers(read)
    known.prepare([T, "tests/test_b.py", "tests/gone.py"], ["tests/a.json"])
    before = asked.count(T)
    assert known.files([item(f"{T}::test_x")], ["tests/a.json"]) == {"tests/a.json": (f"{T}::test_x",)}
    assert asked.count(T) == before
