from __future__ import annotations

import pytest

from ledgergate.adopt.seeds import SeedFolders

LENGTH, PARSE = "tests/seeds/length/1", "tests/properties/seeds/parse/a/1"
FOUND = [
    # paths, file, function, texts, folder
    ([LENGTH], "tests/test_a.py", "test_length", (), "tests/seeds/length/"),
    ([LENGTH], "tests/test_length.py", "test_never_negative", (), "tests/seeds/length/"),
    ([LENGTH, "tests/seeds/width/1"], "tests/test_a.py", "test_x", ("seeds/width",), "tests/seeds/width/"),
    ([LENGTH], "tests/test_a.py", "test_x", ("seeds", "length"), "tests/seeds/length/"),
    (["fuzz/corpus/json/1"], "fuzz/test_fuzz.py", "test_json", (), "fuzz/corpus/json/"),
    ([LENGTH], "tests/test_a.py", "test_width", (), None),
    ([LENGTH], "tests/test_a.py", "test_x", ("seeds", "a length"), None),
    ([LENGTH, "other/seeds/length/1"], "tests/test_a.py", "test_length", (), "tests/seeds/length/"),
    ([LENGTH, "tests/u/seeds/length/1"], "tests/test_a.py", "test_length", (), None),
    (["tests/data/length/1"], "tests/test_a.py", "test_length", (), None),
    (["tests/seeds/length/helper.py"], "tests/test_a.py", "test_length", (), None),
]


@pytest.mark.parametrize(("paths", "file", "function", "texts", "folder"), FOUND)
def test_the_seeds_of_a_test(
    paths: list[str], file: str, function: str, texts: tuple[str, ...], folder: str | None
) -> None:
    assert SeedFolders(paths).of_test(file, function, texts, is_hypothesis=True) == folder


PLAIN = [
    (("seeds/length",), "test_x", "tests/seeds/length/"),
    (("seeds/length",), "test_length", "tests/seeds/length/"),
    ((), "test_length", None),
    (("a length",), "test_length", None),
]


@pytest.mark.parametrize(("texts", "function", "folder"), PLAIN)
def test_a_test_without_drawn_examples_has_to_name_its_seeds(
    texts: tuple[str, ...], function: str, folder: str | None
) -> None:
    assert SeedFolders([LENGTH]).of_test("tests/test_a.py", function, texts, is_hypothesis=False) == folder


def test_folders_hold_files_themselves() -> None:
    assert SeedFolders([LENGTH, PARSE, "tests/seedsman/1", "seeds"]).folders == (
        "tests/properties/seeds/parse/a/",
        "tests/seeds/length/",
    )
