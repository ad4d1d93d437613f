"""Ids of tests: as long and as odd as runners make them, in a file that humans and commands write by turns."""

from __future__ import annotations

import json
from typing import Literal

import pytest

from support.gate import AS_AGENT, gate, guarded, relock, verdict
from support.project import LEDGER, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

A = "tests/goldens/a.txt"
SHORT = "tests/t.py::test_a"
LONG = f"{SHORT}[{' and '.join(['a value with blanks'] * 6)}]"
LONGER = f"{SHORT}[{'-'.join(['x' * 40 + ' y'] * 26)}]"
# Written by a human with a will of their own; {id} is to be replaced.
BY_HAND = """\
# Our ledger. Do not re-order:   it follows the manual.

version: 1   # the only one

rows:

    # chapter 1
    -   id: "tests/first.py::test_x"      # quoted, since ever
        class:   'quarantine'
        owner: infra
        opened: "2026-01-31"
        reason: >-
            folded over
            two lines


    - class: locked_fixture
      id: {id}
      artifact: 'tests/goldens/a.txt'     # the golden
      digest: {digest}                    # of all bytes

    # chapter 2
    - {{id: 'tests/last.py::test_z', class: quarantine, opened: 2026-01-31, reason: "a, b", owner: x}}
# the end
"""


class TestOneRowChanges:
    """A command that touches one row touches nothing else: no comment moves, no line folds, no quote goes."""

    @pytest.mark.parametrize("identity", [SHORT, LONG, LONGER], ids=["short", "150 characters", "1,100 characters"])
    @pytest.mark.parametrize("quote", ["", "'", '"'], ids=["plain", "single", "double"])
    @pytest.mark.parametrize("digest_quote", ["", "'", '"'], ids=["plain", "single", "double"])
    def test_a_diff_of_one_line(self, repo: Repo, identity: str, quote: str, digest_quote: str) -> None:
        before = BY_HAND.format(id=quote + identity + quote, digest=digest_quote + sha256("good") + digest_quote)
        guarded(repo, {}, files={A: "good", LEDGER: before})
        repo.stage({A: "better"})
        assert relock(repo, identity).status == 0
        after = (repo.path / LEDGER).read_text()
        assert after == before.replace(sha256("good"), sha256("better"))
        repo.git("add", LEDGER)
        assert verdict(repo).state == "PASS"
        assert repo.git("diff", "--cached", "--numstat", LEDGER).split()[:2] == ["1", "1"]

    @pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
    def test_several_rows_of_one_golden(self, repo: Repo, end: str) -> None:
        row = f"    class: locked_fixture  # why\n    artifact: {A}\n    digest: {sha256('good')}\n"
        rows = "".join(f"  - id: tests/t.py::test_{number}\n{row}" for number in range(40))
        text = f"version: 1\nrows:\n{rows}".replace("\n", end).encode()
        guarded(repo, {}, files={A: "good", LEDGER: text})
        repo.stage({A: "better"})
        assert relock(repo, "--staged").status == 0
        assert (repo.path / LEDGER).read_bytes() == text.replace(sha256("good").encode(), sha256("better").encode())

    def test_an_agent_does_not_relock(self, repo: Repo) -> None:
        before = BY_HAND.format(id=SHORT, digest=sha256("good"))
        guarded(repo, {}, files={A: "good", LEDGER: before})
        repo.stage({A: "better"})
        assert gate(repo, "relock", "--staged", env=AS_AGENT).status == 1
        assert (repo.path / LEDGER).read_text() == before

    def test_a_pointer_is_no_golden_to_lock(self, repo: Repo) -> None:
        before = BY_HAND.format(id=SHORT, digest=sha256("good"))
        guarded(repo, {}, files={A: "good", LEDGER: before})
        repo.stage({A: f"version https://git-lfs.github.com/spec/v1\noid {sha256('good')}\nsize 4\n"})
        done = relock(repo, "--staged")
        assert done.status == 1
        assert "LFS pointer" in done.everything
        assert (repo.path / LEDGER).read_text() == before


Style = Literal["plain", "single", "double"]
OK, REFUSED, OTHER = "ok", "refused", "other"
# What stands in the brackets; then how it fares plain, in single and in double quotes. OTHER: YAML makes another,
# sound id of it, so that the test which is meant has no row.
PARAMETERS: list[tuple[str, tuple[str, str, str]]] = [
    ("x: y", (REFUSED, OK, OK)),
    ("x:y", (OK, OK, OK)),
    (" #1", (REFUSED, OK, OK)),
    ("#1", (OK, OK, OK)),
    ("a]b", (OK, OK, OK)),
    ("", (OK, OK, OK)),
    ("<&>'", (OK, REFUSED, OK)),
    ('<&>"', (OK, OK, REFUSED)),
    ("a::b", (OK, OK, OK)),
    ("a/b.py::c", (OK, OK, OK)),
    ("*a", (OK, OK, OK)),
    ("{a}", (OK, OK, OK)),
    ("a, b", (OK, OK, OK)),
    ("%a", (OK, OK, OK)),
    ("trailing ", (OK, OK, OK)),
    ("  two  blanks", (OK, OK, OK)),
    (r"\xe9", (OK, OK, REFUSED)),
    (r"\x1b[31m", (OK, OK, REFUSED)),
    (r"\u20ac", (OK, OK, REFUSED)),
    (r"\ud800", (OK, OK, REFUSED)),
    (r"\x41", (OK, OK, OTHER)),
    (r"a\\b", (OK, OK, OTHER)),
    (r"a\b", (OK, OK, REFUSED)),
    (r"a\qb", (OK, OK, REFUSED)),
    ("\u00e9", (REFUSED, REFUSED, REFUSED)),
    ("\u65e5\u672c", (REFUSED, REFUSED, REFUSED)),
]
QUOTES = {"plain": "", "single": "'", "double": '"'}
CASES = [
    (parameters, style, fate) for parameters, fates in PARAMETERS for style, fate in zip(QUOTES, fates, strict=True)
]


def quarantined(written: str) -> str:
    return f"  - id: {written}\n    class: quarantine\n    opened: 2026-01-31\n    reason: flaky\n    owner: infra\n"


class TestIdsThatYamlReadsOtherwise:
    """A runner prints escapes and brackets, and YAML has a use for each: the row that results names another test."""

    @pytest.mark.parametrize(("parameters", "style", "fate"), CASES, ids=[ascii(f"{p}-{s}") for p, s, _ in CASES])
    def test_as_written_or_refused(self, repo: Repo, parameters: str, style: Style, fate: str) -> None:
        identity = f"{SHORT}[{parameters}]"
        guarded(repo, {})
        quote = QUOTES[style]
        repo.stage({LEDGER: "version: 1\nrows:\n" + quarantined(quote + identity + quote)})
        seen = verdict(repo)
        if fate == REFUSED:
            assert seen.refusals & {"row-invalid", "ledger-unreadable"}
        else:
            assert seen.state == "PASS"
            (note,) = seen.seen("row-added-classified")
            assert (note["subject"] == identity) == (fate == OK)

    @pytest.mark.parametrize("first", [*"[{*&@`!%|>?-,#'\"=", "- ", "? ", ": ", "<<", "~"])
    def test_a_character_in_front(self, repo: Repo, first: str) -> None:
        """Plain, it is refused or read as it stands; quoted, it is an id like any other."""
        identity = f"{first}tests/t.py::test_a"
        guarded(repo, {})
        for written in (identity, json.dumps(identity), "'" + identity.replace("'", "''") + "'"):
            repo.stage({LEDGER: "version: 1\nrows:\n" + quarantined(written)})
            seen = verdict(repo)
            quoted = written != identity
            subjects = {note["subject"] for note in seen.seen("row-added-classified")}
            assert subjects == {identity} if quoted or seen.state == "PASS" else seen.refusals

    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            (f'"{SHORT}[\\xe9]"', f"{SHORT}[\\xe9]"),
            (f"{SHORT}[é]", f"{SHORT}[\\xe9]"),
            (f'"{SHORT}[\\u20ac]"', f"{SHORT}[\\u20ac]"),
            (f'"{SHORT}[\\x1b[31m]"', f"{SHORT}[\\x1b[31m]"),
        ],
    )
    def test_what_was_meant_is_said(self, repo: Repo, written: str, meant: str) -> None:
        guarded(repo, {})
        repo.stage({LEDGER: "version: 1\nrows:\n" + quarantined(written)})
        assert f"Did you mean {meant}" in verdict(repo).message("row-invalid")
        repo.stage({LEDGER: "version: 1\nrows:\n" + quarantined(f"'{meant}'")})
        assert verdict(repo).state == "PASS"

    def test_no_two_ids_become_one(self, repo: Repo) -> None:
        """Names of functions, unlike parameters, are printed unescaped: composed and decomposed are two tests."""
        ids = ("tests/t.py::test_\u00e9", "tests/t.py::test_e\u0301", "tests/t.py::test_\u00c9", "tests/t.py::test_e")
        guarded(repo, {})
        repo.stage({LEDGER: "version: 1\nrows:\n" + "".join(map(quarantined, ids))})
        seen = verdict(repo)
        assert seen.state == "PASS"
        assert [note["subject"] for note in seen.seen("row-added-classified")] == list(ids)

    def test_brackets_for_a_list(self, repo: Repo) -> None:
        guarded(repo, {})
        repo.stage({LEDGER: "version: 1\nrows:\n" + quarantined("[tests/t.py::test_a]")})
        assert "row-invalid" in verdict(repo).refusals

    @pytest.mark.parametrize("parameters", [p for p, _ in PARAMETERS if p.isascii()])
    def test_relocked_by_its_id(self, repo: Repo, parameters: str) -> None:
        """From the id as a shell passes it to the row as a human wrote it, and back to a report."""
        identity = f"{SHORT}[{parameters}]"
        written = "'" + identity.replace("'", "''") + "'"
        row = f"  - id: {written}\n    class: locked_fixture\n    artifact: {A}\n    digest: {sha256('good')}\n"
        guarded(repo, {}, rows=row, files={A: "good"})
        repo.stage({A: "better"})
        assert relock(repo, identity).status == 0
        repo.git("add", LEDGER)
        assert {note["subject"] for note in verdict(repo).seen("digest-changed")} == {identity}
