"""What a week's work on real projects must come to, and how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from weeks.attrs import ATTRS
from weeks.play import Move
from weeks.project import Project
from weeks.run import PROJECTS, play
from weeks.told import BEGIN, END, FORGETFUL, MINDFUL, Counts, tell
from weeks.week import play_day

DOCUMENT = Path(__file__).parents[2] / "docs" / "adoption.md"
HONEST, TAMPERING = Move("human", "Fix it", True, (), ""), Move("agent", "Cheat", False, ("write-path",), "FAIL")
FORGOT = Move("human", "Expect more", True, ("digest-mismatch",), "FAIL digest-mismatch: so", "ledgergate relock --all")


@pytest.mark.exhaustive
@pytest.mark.parametrize("mindful", [True, False], ids=["mindful", "forgetful"])
@pytest.mark.parametrize("project", PROJECTS, ids=[project.sdist.name for project in PROJECTS])
def test_a_week_refuses_few_honest_commits_and_all_tampering(project: Project, mindful: bool, tmp_path: Path) -> None:
    moves: list[Move] = []
    play(project, tmp_path, mindful=mindful, seen=moves.append)
    counts = Counts(moves)
    assert len(counts.humans) + len(counts.agents) >= 40
    assert [move for move in counts.refused if move.mended_by is None] == []
    assert counts.tampering
    assert [move for move in counts.tampering if not move.refused] == []
    assert not mindful or counts.refused_humans * 20 <= len(counts.humans)


@pytest.mark.slow
def test_people_who_forget_the_commands_get_on_with_those_that_refusals_print(tmp_path: Path) -> None:
    moves: list[Move] = []
    play(ATTRS, tmp_path, mindful=False, seen=moves.append, course=play_day)
    assert [(move.title, move.rules) for move in moves if move.refused and not move.mended_by and move.honest] == []
    refused = {move.title: move.mended_by for move in moves if move.refused and move.honest}
    assert refused == {
        "Expect another default": "ledgergate relock --staged",
        "Rename tests/test_cmp.py": "ledgergate collect --add",
    }
    assert [move.refused for move in moves if not move.honest] == [True]


def test_the_telling_counts_each_kind_apart() -> None:
    told = tell([(ATTRS, {MINDFUL: [HONEST, TAMPERING], FORGETFUL: [HONEST, FORGOT, TAMPERING]})])
    assert "| attrs 25.3.0 | use the commands | 1 | 0 of 1 | 0 of 0 | 1 of 1 |" in told
    assert "| attrs 25.3.0 | forget them | 2 | 1 of 2 | 0 of 0 | 1 of 1 |" in told
    assert "| attrs | forget them | Expect more | `digest-mismatch` | `ledgergate relock --all` |" in told
    assert "| attrs | Cheat | `write-path` |" in told
    assert "```text\nFAIL digest-mismatch: so\n```" in told


def test_the_telling_says_that_nothing_mended() -> None:
    told = tell([(ATTRS, {MINDFUL: [FORGOT._replace(mended_by=None)]})])
    assert "| attrs | use the commands | Expect more | `digest-mismatch` | nothing that was printed |" in told


def test_the_record_is_of_each_project_and_within_its_bounds() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    record = text.partition(BEGIN)[2].partition(END)[0]
    for project in PROJECTS:
        start = f"| {project.sdist.name} {project.sdist.version} | "
        weeks = [line.removeprefix(start).split(" | ") for line in record.splitlines() if line.startswith(start)]
        assert weeks
        for people, honest, refused, _, tampering in weeks:
            assert int(honest) >= 40
            few, humans = map(int, refused.split(" of "))
            assert people == FORGETFUL or few * 20 <= humans
            caught, tried = map(int, tampering.rstrip(" |").split(" of "))
            assert caught == tried > 0
    assert "nothing that was printed" not in record
