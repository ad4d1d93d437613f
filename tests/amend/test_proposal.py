"""The command that `draft` proposes can work: it names the options without which a promotion is refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import pytest

from ledgergate.amend import View, promotion_command
from ledgergate.git import Snapshot
from ledgergate.ledger import Row
from ledgergate.policy.model import Policy

DRAFTS = "tests/agent_drafts/"
ID = f"{DRAFTS}test_new.py::test_new"
USUAL = ("tests/goldens/**",)


class _Tree:
    """A tree of a few files."""

    def __init__(self, *paths: str) -> None:
        self._paths = paths

    def entry(self, path: str) -> str | None:
        return path if path in self._paths else None

    def is_folder(self, path: str) -> bool:
        return any(one.startswith(f"{path}/") for one in self._paths)


def view(goldens: tuple[str, ...], *paths: str) -> View:
    tree = cast("Snapshot", _Tree(*paths))

    def look(_: Iterable[str]) -> Snapshot:
        return tree

    return View(Policy(goldens=goldens), (), look)


def locked(*artifacts: str, id_: str = ID) -> Row:
    artifact: Any = artifacts[0] if len(artifacts) == 1 else artifacts
    return Row.of({"id": id_, "class": "draft", "proposed_class": "locked_fixture", "artifact": artifact})


def property_(**fields: str) -> Row:
    return Row.of({"id": ID, "class": "draft", "proposed_class": "property", "invariant": "i", **fields})


@pytest.mark.parametrize(
    ("row", "goldens", "there", "options"),
    [
        pytest.param(locked(ID), USUAL, (), "", id="its own source"),
        pytest.param(locked("tests/goldens/new.txt"), USUAL, (), "", id="a golden in its place"),
        pytest.param(locked(f"{DRAFTS}new.txt"), USUAL, (), "--golden-to tests/goldens/new.txt", id="a golden"),
        pytest.param(locked(f"{DRAFTS}new.txt", ID), USUAL, (), "--golden-to tests/goldens/new.txt", id="and source"),
        pytest.param(locked(f"{DRAFTS}a b.txt"), USUAL, (), "--golden-to 'tests/goldens/a b.txt'", id="quoted"),
        pytest.param(
            locked(f"{DRAFTS}goldens/a/new.txt"), USUAL, (), "--golden-to tests/goldens/a/new.txt", id="beside"
        ),
        pytest.param(locked(f"{DRAFTS}new/"), USUAL, (), "--golden-to tests/goldens/new/", id="a folder"),
        pytest.param(locked(f"{DRAFTS}a", f"{DRAFTS}b"), USUAL, (), "--golden-to tests/goldens/", id="several"),
        pytest.param(locked(f"{DRAFTS}new.txt"), USUAL, ("tests/goldens/new.txt",), "--golden-to PATH", id="taken"),
        pytest.param(locked(f"{DRAFTS}new/"), USUAL, ("tests/goldens/new/a",), "--golden-to PATH", id="taken folder"),
        pytest.param(
            locked(f"{DRAFTS}a", f"{DRAFTS}b"), USUAL, ("tests/goldens/b",), "--golden-to FOLDER/", id="one taken"
        ),
        pytest.param(
            locked(f"{DRAFTS}new.json"),
            ("/tests/*/golden/", "spec/golden/*.json"),
            (),
            "--golden-to spec/golden/new.json",
            id="the glob that fits",
        ),
        pytest.param(
            locked(f"{DRAFTS}new.golden"), ("*.golden",), (), "--golden-to tests/new.golden", id="by its ending"
        ),
        pytest.param(locked(f"{DRAFTS}new.txt"), ("*.golden",), (), "--golden-to PATH", id="no glob fits"),
        pytest.param(property_(), USUAL, (), "--seeds FOLDER/", id="no seeds"),
        pytest.param(property_(seeds="tests/seeds"), USUAL, (), "", id="seeds in their place"),
        pytest.param(property_(seeds=f"{DRAFTS}seeds/x"), USUAL, (), "--seeds-to tests/seeds/x/", id="seeds"),
    ],
)
def test_the_options_that_a_promotion_needs(
    row: Row, goldens: tuple[str, ...], there: tuple[str, ...], options: str
) -> None:
    assert promotion_command(view(goldens, *there), [row]) == f"ledgergate promote {ID} {options}".rstrip()


def test_several_drafts_are_promoted_at_once() -> None:
    other = f"{DRAFTS}test_new.py::test_other"
    rows = [locked(ID), locked(other, id_=other)]
    assert promotion_command(view(USUAL), rows) == f"ledgergate promote {ID} {other}"
