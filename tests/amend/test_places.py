"""Where the files of a draft go."""

from __future__ import annotations

import pytest

from ledgergate.amend.places import beside_drafts, golden_target


@pytest.mark.parametrize(
    ("path", "drafts", "place"),
    [
        ("tests/agent_drafts/a/test_x.py::t", "tests/agent_drafts/", "tests/a/test_x.py::t"),
        ("drafts/test_x.py::t", "drafts/", "test_x.py::t"),
        ("tests/test_x.py::t", "tests/agent_drafts/", "tests/test_x.py::t"),
    ],
)
def test_beside_the_drafts(path: str, drafts: str, place: str) -> None:
    assert beside_drafts(path, drafts) == place


@pytest.mark.parametrize(
    ("sources", "place", "targets"),
    [
        (["d/a.txt"], "g/b.txt", ["g/b.txt"]),
        (["d/a.txt"], "g/", ["g/a.txt"]),
        (["d/a.txt", "d/b.txt"], "g/", ["g/a.txt", "g/b.txt"]),
        (["d/a/"], "g", ["g/"]),
        (["d/a/"], "g/", ["g/"]),
        (["d/a/", "d/b.txt"], "g/", ["g/a/", "g/b.txt"]),
    ],
)
def test_where_a_golden_goes(sources: list[str], place: str, targets: list[str]) -> None:
    assert [golden_target(source, place, sources) for source in sources] == targets
