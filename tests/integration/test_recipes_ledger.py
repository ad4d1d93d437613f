"""A ledger says one thing, to every reader: whatever could be read in two ways is refused, with the line."""

from __future__ import annotations

import json
import re

import pytest

from support.gate import AS_AGENT, accepted, commit, guarded, install_hooks, locked_row, relock, verdict
from support.project import FREEZE, FREEZES, LEDGER, freezes, ledger, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

A = "tests/goldens/a.txt"
ROW = f"  - id: tests/t.py::test_a\n    class: locked_fixture\n    artifact: {A}\n    digest: {sha256('good')}\n"
HEAD = "version: 1\nrows:\n"
QUARANTINE = (
    "  - id: tests/t.py::test_q\n    class: quarantine\n    opened: 2026-01-31\n    reason: flaky\n    owner: infra\n"
)
OTHER = ROW.replace("test_a", "test_b")


def with_id(written: str) -> str:
    return ROW.replace("tests/t.py::test_a", written)


# (name, ledger, rule, every line that the message has to point to)
TWICE = [
    ("class", HEAD + ROW.replace("    art", "    class: quarantine\n    art"), "row-invalid", (4, 5)),
    ("class, the same", HEAD + ROW.replace("    art", "    class: locked_fixture\n    art"), "row-invalid", (4, 5)),
    ("class, quoted", HEAD + ROW.replace("    art", "    'class': property\n    art"), "row-invalid", (4, 5)),
    ("class, escaped", HEAD + ROW.replace("    art", '    "cl\\x61ss": property\n    art'), "row-invalid", (4, 5)),
    ("digest", HEAD + ROW + f"    digest: {sha256('bad')}\n", "row-invalid", (6, 7)),
    ("an unknown key", HEAD + ROW + "    x: 1\n    x: 2\n", "row-invalid", (7, 8)),
    ("rows", HEAD + ROW + "rows:\n" + OTHER, "ledger-unreadable", (2, 7)),
    ("rows, emptied", HEAD + ROW + "rows: []\n", "ledger-unreadable", (2, 7)),
    ("version", "version: 1\nversion: 1\nrows:\n" + ROW, "ledger-unreadable", (1, 2)),
    ("an id", HEAD + ROW + ROW, "row-duplicate", (3, 7)),
    ("an id, single quotes", HEAD + ROW + with_id("'tests/t.py::test_a'"), "row-duplicate", (3, 7)),
    ("an id, double quotes", HEAD + ROW + with_id('"tests/t.py::test_a"'), "row-duplicate", (3, 7)),
    ("an id, escaped", HEAD + ROW + with_id('"tests/t.py::test_\\x61"'), "row-duplicate", (3, 7)),
    ("an id, in braces", HEAD + ROW + "  - {id: 'tests/t.py::test_a', class: draft}\n", "row-duplicate", (3, 7)),
    ("an id of another class", HEAD + ROW + QUARANTINE.replace("test_q", "test_a"), "row-duplicate", (3, 7)),
    ("a merge key", HEAD + ROW + "    <<: {class: quarantine}\n", "row-invalid", (7,)),
    ("another document", HEAD + ROW + "---\n" + HEAD + OTHER, "ledger-unreadable", (7,)),
]
NO_ROWS = [
    ("a mapping", "version: 1\nrows: {}\n"),
    ("null", "version: 1\nrows:\n"),
    ("written null", "version: 1\nrows: null\n"),
    ("a tilde", "version: 1\nrows: ~\n"),
    ("a text", "version: 1\nrows: none\n"),
    ("missing", "version: 1\n"),
    ("misspelt", "version: 1\nrow: []\n"),
    ("an empty file", ""),
    ("only a comment", "# nothing\n"),
    ("only a separator", "---\n"),
    ("a list", ROW),
    ("no version", "rows:\n" + ROW),
]


class TestKeysAndRowsThatStandTwice:
    """Where something is said twice, one reader takes the first and another the last. Neither is what was meant."""

    @pytest.fixture
    def project(self, repo: Repo) -> Repo:
        guarded(repo, {}, rows=ROW, files={A: "good"})
        return repo

    @pytest.mark.parametrize(("text", "rule", "lines"), [case[1:] for case in TWICE], ids=[case[0] for case in TWICE])
    def test_refused_with_the_lines(self, project: Repo, text: str, rule: str, lines: tuple[int, ...]) -> None:
        project.stage({LEDGER: text})
        seen = verdict(project)
        found = seen.seen(rule)[0]
        assert found["line"] == lines[-1]
        assert set(lines) <= {found["line"], *map(int, re.findall(r"\d+", found["message"]))}
        assert found["path"] == LEDGER

    @pytest.mark.parametrize("text", [case[1] for case in NO_ROWS], ids=[case[0] for case in NO_ROWS])
    def test_no_rows_to_be_found(self, project: Repo, text: str) -> None:
        project.stage({LEDGER: text, A: "tampered"})
        assert verdict(project).refusals >= {"ledger-unreadable"}

    def test_a_ledger_that_says_that_it_has_none(self, repo: Repo) -> None:
        guarded(repo, {})
        repo.stage({"src/app.py": "x = 2\n"})
        assert verdict(repo, env=AS_AGENT).state == "PASS"

    def test_rows_that_only_look_alike(self, repo: Repo) -> None:
        ids = ("test_a[x]", "test_a[X]", "test_a[x ]", "test_a", "test_A", "test_a[]")
        rows = "".join(QUARANTINE.replace("tests/t.py::test_q", f"'tests/t.py::{name}'") for name in ids)
        guarded(repo, {}, rows=rows)
        repo.stage({"src/app.py": "x = 2\n"})
        assert verdict(repo, env=AS_AGENT).state == "PASS"

    def test_one_id_in_two_ledgers(self, repo: Repo) -> None:
        policy = 'version = 1\nledger = ["tests/ledger.yaml", "more/*/ledger.yaml"]\n'
        more = "more/b/ledger.yaml"
        guarded(repo, {}, rows=ROW, files={A: "good", "ledgergate.toml": policy, more: ledger(QUARANTINE)})
        install_hooks(repo)
        repo.stage({more: ledger(QUARANTINE, QUARANTINE.replace("tests/t.py::test_q", "'tests/t.py::test_a'"))})
        seen = verdict(repo)
        assert seen.paths("row-duplicate") <= {LEDGER, more}
        assert {LEDGER, more} <= {*seen.paths("row-duplicate"), *seen.message("row-duplicate").split()}
        assert not accepted(commit(repo))

    @pytest.mark.parametrize(
        "document",
        [
            freezes(FREEZE).replace('"freezes"', '"freezes": [], "freezes"'),
            freezes(FREEZE).replace('"owner"', '"expires_utc": "2026-12-09T00:00:00Z", "owner"'),
            freezes(FREEZE)
            .replace('{"fixtures": 1}', '{"fixtures": 64, "fixtures": 1}')
            .replace('"fixtures": 1\n', '"fixtures": 64, "fixtures": 1\n'),
            freezes(FREEZE).replace('"owner"', '"own\\u0065r": "x", "owner"'),
        ],
        ids=["freezes", "expiry", "floor", "escaped"],
    )
    def test_a_key_of_the_freeze_ledger(self, project: Repo, document: str) -> None:
        project.stage({FREEZES: document})
        assert verdict(project).paths("freeze-unreadable") == {FREEZES}

    def test_a_key_of_the_policy(self, project: Repo) -> None:
        project.stage({"ledgergate.toml": 'version = 1\ndrafts = "a/"\ndrafts = "b/"\n'})
        assert verdict(project).paths("policy-unreadable") == {"ledgergate.toml"}


DATES = {
    "2026-01-31": True,
    "2024-02-29": True,
    "2026-02-30": False,
    "2026-02-29": False,
    "2026-13-01": False,
    "0000-01-01": False,
    "2999-01-01": False,
    "2026-01-31T10:00:00Z": False,
    "2026-01-31T10:00:00+02:00": False,
    "2026-01-31 10:00:00": False,
    "2026-01-31 10:00:00 +02:00": False,
    "20260131": False,
    "2026-1-31": False,
    "2026-W05-6": False,
    "31.01.2026": False,
    "null": False,
    "~": False,
    "": False,
    "1769817600": False,
    "true": False,
    "٢٠٢٦-٠١-٣١": False,
}
# An expiry in the freeze ledger, as JSON.
EXPIRIES = {
    '"2026-01-31T10:00:00Z"': True,
    '"2026-01-31T10:00:00z"': True,
    '"2026-01-31t10:00:00Z"': True,
    '"2026-01-31T10:00Z"': True,
    '"2026-01-31 10:00:00Z"': True,
    '"2026-01-31T10:00:00+02:00"': True,
    '"2026-01-31T10:00:00-00:00"': True,
    '"2026-01-31T10:00:00.123456789Z"': True,
    '"2026-01-31"': False,
    '"2026-01-31T10:00:00"': False,
    '"2026-02-30T10:00:00Z"': False,
    '"2026-01-31T24:00:00Z"': False,
    '"2026-01-31T23:59:60Z"': False,
    '"20260131T100000Z"': False,
    '"20260131"': False,
    '"2026-1-31T10:00:00Z"': False,
    '"9999-12-31T23:59:59Z"': False,
    '"never"': False,
    '""': False,
    "null": False,
    "20260131": False,
    "1769817600.0": False,
    "true": False,
    '["2026-01-31T10:00:00Z"]': False,
}


class TestDates:
    """A bare date is one type to one reader and another to the next. Here it is text, and one form of it is a date."""

    @pytest.mark.parametrize(("text", "is_date"), DATES.items(), ids=lambda value: str(value) or "empty")
    def test_every_spelling_has_one_verdict(self, repo: Repo, text: str, is_date: bool) -> None:
        spellings = [text, f"'{text}'", json.dumps(text)]
        guarded(repo, {}, rows=QUARANTINE)
        seen = []
        for spelling in spellings:
            repo.stage({LEDGER: ledger(QUARANTINE.replace("2026-01-31", spelling).replace(": \n", ":\n"))})
            seen.append(verdict(repo))
        assert {one.state for one in seen} == {"PASS" if is_date else "FAIL"}
        assert is_date or {frozenset(one.refusals) for one in seen} == {frozenset({"row-invalid"})}

    def test_a_list_is_no_date(self, repo: Repo) -> None:
        guarded(repo, {}, rows=QUARANTINE)
        repo.stage({LEDGER: ledger(QUARANTINE.replace("2026-01-31", "[2026-01-31]"))})
        assert verdict(repo).refusals == {"row-invalid"}

    def test_another_spelling_is_no_change(self, repo: Repo) -> None:
        guarded(repo, {}, rows=QUARANTINE)
        install_hooks(repo)
        repo.stage({LEDGER: ledger(QUARANTINE.replace("2026-01-31", '"2026-01-31"'))})
        assert accepted(commit(repo, env=AS_AGENT))
        repo.stage({LEDGER: ledger(QUARANTINE.replace("2026-01-31", '"2026-02-01"'))})
        assert not accepted(commit(repo, env=AS_AGENT))

    @pytest.mark.parametrize(("text", "is_time"), EXPIRIES.items(), ids=lambda value: str(value))
    def test_an_expiry_is_a_point_in_time(self, repo: Repo, text: str, is_time: bool) -> None:
        guarded(repo, {})
        repo.stage({FREEZES: freezes(FREEZE).replace('"2026-12-10T00:00:00Z"', text)})
        seen = verdict(repo)
        assert seen.state == ("PASS" if is_time else "FAIL")
        assert seen.refusals == (set() if is_time else {"freeze-invalid"})


# Texts that YAML 1.1 takes for booleans, numbers to the base 60, nothing at all, or infinity.
NORWAY = (
    *("no", "No", "yes", "on", "off", "y", "n", "true", "~", "null", "="),
    *("12:30", "01:30", "190:20:30", ".inf", "1_000", "0x1F", "010", "1e3"),
)


class TestWordsThatChangeTheirType:
    """A country, a time, a switch: what a loader makes of a word must not depend on the loader."""

    @pytest.mark.parametrize("word", NORWAY)
    def test_as_a_text_it_is_itself(self, repo: Repo, word: str) -> None:
        row = QUARANTINE.replace("owner: infra", f"owner: {word}").replace("reason: flaky", f"reason: {word}")
        guarded(repo, {}, rows=row)
        for spelling in (f"'{word}'", f'"{word}"'):
            repo.stage({LEDGER: ledger(row.replace(f": {word}\n", f": {spelling}\n"))})
            assert verdict(repo, env=AS_AGENT).state == "PASS"
        repo.stage({LEDGER: ledger(row.replace(f"owner: {word}", "owner: false"))})
        assert verdict(repo, env=AS_AGENT).refusals == {"quarantine-edited"}

    @pytest.mark.parametrize("word", NORWAY)
    def test_as_a_class_it_is_none(self, repo: Repo, word: str) -> None:
        guarded(repo, {}, rows=QUARANTINE)
        repo.stage({LEDGER: ledger(QUARANTINE, ROW.replace("locked_fixture", word).replace("test_a", "test_x"))})
        seen = verdict(repo)
        assert "row-invalid" in seen.refusals
        assert f"'{word}' is no class" in seen.message("row-invalid")

    @pytest.mark.parametrize("word", ["yes", "on", "1", "True", "TRUE", "y"])
    def test_a_flag_has_two_words(self, repo: Repo, word: str) -> None:
        guarded(repo, {}, rows=ROW, files={A: "good"})
        repo.stage({LEDGER: ledger(ROW + f"    allow_empty: {word}\n")})
        assert "row-invalid" in verdict(repo).refusals

    @pytest.mark.parametrize("lane", ["on", "no", "y", "12:30", "~", "1"])
    def test_as_a_lane_it_is_a_name(self, repo: Repo, lane: str) -> None:
        guarded(repo, {})
        text = freezes({**FREEZE, "lane": lane, "expires_utc": "2026-01-31T00:00:00Z"})
        repo.stage({FREEZES: text.replace('"fixtures"\n', f'"{lane}"\n').replace('"fixtures": 1', f'"{lane}": 1')})
        assert verdict(repo).state == "PASS"

    def test_written_by_us_it_stays(self, repo: Repo) -> None:
        rows = "".join(
            QUARANTINE.replace("test_q", f"test_{number}").replace("owner: infra", f"owner: {word}")
            for number, word in enumerate(NORWAY)
        )
        guarded(repo, {}, rows=ROW + rows, files={A: "good"})
        repo.stage({A: "better"})
        assert relock(repo, "--staged").status == 0
        assert (repo.path / LEDGER).read_text() == ledger(ROW + rows).replace(sha256("good"), sha256("better"))
        assert [seen["rule"] for seen in verdict(repo).document["notes"]].count("digest-changed") == 1


def test_rows_of_this_file_are_sound(repo: Repo) -> None:
    guarded(repo, {}, rows=ROW + QUARANTINE + locked_row("b.txt", sha256("b")), files={A: "good", "b.txt": "b"})
    repo.stage({"src/app.py": "x = 2\n"})
    assert verdict(repo).state == "PASS"
