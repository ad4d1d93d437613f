"""`ledgergate freeze` and `ledgergate thaw`: checks that may be skipped for some days, by humans alone."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from support import lane_project
from support.gate import AS_AGENT, Said, accepted, approved, commit, gate, install_hooks, verdict
from support.project import FREEZES, SOUND, Project, sha256
from support.repo import Repo
from support.score_schema import score_document
from support.terminal import type_to_ledgergate

pytestmark = pytest.mark.slow

FILE = "tests/test_flaky.py"
SUITE = """\
import pytest


def helper():
    assert 0 == 0


def test_one():
    value = fetch(
        1)
    assert value <= \\
        3, "slow"


def test_several():
    for number in (1, 2):
        check_number(number)
    assert number == 2
    with pytest.raises(ValueError):
        fetch(number)
        assert number
    late = fetch(2)


@pytest.mark.parametrize("number", [1, 2])
def test_numbers(number):
    assert number


class TestOne:
    def test_same(self):
        self.assertEqual(1, 2)


class TestTwo:
    @pytest.mark.parametrize("number", [1, 2])
    def test_same(self, number):
        assert number


def test_nothing():
    fetch(3)


def test_doubled():
    assert 1 == 2


def test_doubled():
    assert 1 == 3
"""
OTHER = "src/sum.test.ts"
TYPESCRIPT = (
    'it("adds", () => {\n  expect(add(1, 2))\n    .toBe(3);\n});\nit("not", () => expect(1).toBe(1));\nexpect(1)'
)
ONE, SEVERAL = f"{FILE}::test_one", f"{FILE}::test_several"
WHY = ("--reason", "slow on shared runners", "--owner", "kim")
CHECK = 'assert value <= \\ 3, "slow"'
DAY = datetime.now(UTC).date()


@pytest.fixture
def repo(repo: Repo) -> Repo:
    Project(repo, {**SOUND, FILE: SUITE, OTHER: TYPESCRIPT, "src/data.bin": "1"})
    return repo


def freezes(repo: Repo) -> dict[str, dict[str, Any]]:
    found = json.loads((repo.path / FREEZES).read_text(encoding="utf-8"))["freezes"]
    return {freeze["id"]: freeze for freeze in found}


def frozen(repo: Repo, id_: str, *options: str) -> dict[str, Any]:
    """The one freeze that `freeze ID OPTIONS` adds."""
    before = freezes(repo)
    said = approved(repo, "freeze", id_, *WHY, *options)
    assert said.status == 0, said
    ((identity, found),) = [(one, freeze) for one, freeze in freezes(repo).items() if one not in before]
    assert identity == found["id"]
    return found


def takes(repo: Repo) -> None:
    """A human's commit of what is staged passes, with a note; an agent's is refused; what is frozen holds."""
    install_hooks(repo)
    assert not accepted(commit(repo, env=AS_AGENT))
    assert verdict(repo, env=AS_AGENT).refusals == {"freeze-edited"}
    assert {note["rule"] for note in verdict(repo).document["notes"]} == {"freeze-edited"}
    assert accepted(commit(repo))
    assert gate(repo, "verify").status == 0


def test_the_only_check_of_a_test(repo: Repo) -> None:
    said = approved(repo, "freeze", ONE, *WHY)
    assert said.out.endswith(f"Wrote {FREEZES}.\nStaged it.\nNext:\n  git commit\n")
    assert freezes(repo)[f"fx-{DAY:%Y%m%d}-01"] == {
        "id": f"fx-{DAY:%Y%m%d}-01",
        "signature": sha256(CHECK),
        "path": FILE,
        "case_id": ONE,
        "fixtures": [],
        "reason": "slow on shared runners",
        "expires_utc": f"{DAY + timedelta(days=14)}T00:00:00Z",
        "owner": "kim",
    }
    takes(repo)


def test_there_and_back_leaves_every_byte(repo: Repo) -> None:
    before = (repo.path / FREEZES).read_bytes()
    identity = frozen(repo, ONE)["id"]
    after = (repo.path / FREEZES).read_bytes()
    assert frozen(repo, f"{FILE}::test_nothing", "--assertion", "fetch(3)")["id"] == f"fx-{DAY:%Y%m%d}-02"
    takes(repo)
    assert approved(repo, "thaw", f"{FILE}::test_nothing").status == 0
    assert (repo.path / FREEZES).read_bytes() == after
    said = approved(repo, "thaw", identity)
    assert "- reason: slow on shared runners\n" in said.out
    assert (repo.path / FREEZES).read_bytes() == before
    takes(repo)


@pytest.mark.parametrize(
    ("options", "fields"),
    [
        (("--lane", "fixtures"), {"lane": "fixtures"}),
        (("--days", "2"), {"expires_utc": f"{DAY + timedelta(days=2)}T00:00:00Z"}),
        (("--expires", f"{DAY + timedelta(days=2)}"), {"expires_utc": f"{DAY + timedelta(days=3)}T00:00:00Z"}),
        (
            ("--expires", f"{DAY + timedelta(days=3)}T10:00:00+02:00"),
            {"expires_utc": f"{DAY + timedelta(days=3)}T10:00:00+02:00"},
        ),
        (
            ("--fixture", "src/data.bin", "--fixture", "src/app.py"),
            {"fixtures": ["src/data.bin", "src/app.py"], "signature": sha256(f"{CHECK}1x = 1\n")},
        ),
    ],
)
def test_what_can_be_said_of_it(repo: Repo, options: tuple[str, ...], fields: dict[str, Any]) -> None:
    found = frozen(repo, ONE, *options)
    assert {key: found[key] for key in fields} == fields
    takes(repo)


@pytest.mark.parametrize(
    ("id_", "assertion", "case_id", "check"),
    [
        (SEVERAL, "18", SEVERAL, "assert number == 2"),
        (SEVERAL, "number ==", SEVERAL, "assert number == 2"),
        (SEVERAL, "assert   number", SEVERAL, "assert number"),
        (SEVERAL, "17", SEVERAL, "check_number(number)"),
        (SEVERAL, "raises", SEVERAL, "with pytest.raises(ValueError): fetch(number) assert number"),
        (SEVERAL, "20", SEVERAL, "with pytest.raises(ValueError): fetch(number) assert number"),
        (SEVERAL, "22", SEVERAL, "late = fetch(2)"),
        (SEVERAL, "fetch(2)", SEVERAL, "fetch(2)"),
        (ONE, "9", ONE, "value = fetch( 1)"),
        (f"{FILE}::test_numbers", None, "test_numbers", "assert number"),
        (f"{FILE}::test_numbers[2]", None, f"{FILE}::test_numbers[2]", "assert number"),
        (f"{FILE}::TestOne::test_same", None, f"{FILE}::TestOne::test_same", "self.assertEqual(1, 2)"),
        (f"{FILE}::TestTwo::test_same[1]", None, f"{FILE}::TestTwo::test_same[1]", "assert number"),
    ],
)
def test_which_check(repo: Repo, id_: str, assertion: str | None, case_id: str, check: str) -> None:
    found = frozen(repo, id_, *(("--assertion", assertion) if assertion else ()))
    assert (found["case_id"], found["signature"]) == (case_id, sha256(check))
    takes(repo)


@pytest.mark.parametrize(
    ("id_", "is_told"), [(f"{FILE}::test_numbers[no-such-case]", True), (f"{FILE}::test_numbers", False)]
)
def test_whether_a_single_case_is_there_the_runner_tells(repo: Repo, id_: str, is_told: bool) -> None:
    said = gate(repo, "freeze", id_, *WHY).err
    assert (f"`pytest --collect-only -q {FILE}`" in said) is is_told


def test_other_languages_keep_the_text(repo: Repo) -> None:
    found = frozen(repo, f"{OTHER}::adds", "--assertion", "expect(add(1, 2)) .toBe(3)")
    assert (found["assertion"], found["signature"]) == ("expect(add(1, 2)) .toBe(3)", sha256(found["assertion"]))
    takes(repo)


LISTED = "\n  17: check_number(number)\n  18: assert number == 2\n  19: with pytest.raises(ValueError): fetch(number)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("freeze", SEVERAL, *WHY), f"has 4 checks; say which one fails, with --assertion LINE or TEXT{LISTED}"),
        (("freeze", SEVERAL, *WHY, "--assertion", "number"), f"more than one check is what --assertion names{LISTED}"),
        (("freeze", SEVERAL, *WHY, "--assertion", "nothing"), "no check or statement is what --assertion names"),
        (("freeze", SEVERAL, *WHY, "--assertion", "3"), "no check or statement is what --assertion names"),
        (("freeze", SEVERAL, *WHY, "--assertion", " "), "no check or statement is what --assertion names"),
        (("freeze", f"{FILE}::test_nothing", *WHY), "shows no check of its own, with --assertion LINE or TEXT"),
        (("freeze", f"{FILE}::test_no", *WHY), f"{FILE} has no function test_no in that place"),
        (("freeze", f"{FILE}::TestNo::test_same", *WHY), "has no function test_same in that place"),
        (("freeze", f"{FILE}::test_doubled", *WHY), "has 2 functions of that name"),
        (("freeze", f"{FILE}::TestTwo::test_same", *WHY), "freeze its cases one by one"),
        (("freeze", "tests/test_no.py::test_one", *WHY), "there is no file tests/test_no.py"),
        (("freeze", f"{FILE}::test_numbers[<object at 0x7f0012ab34cd>]", *WHY), "looks different in every run"),
        (("freeze", "test_one", *WHY), "is no exact test id"),
        (("freeze", "../a.py::test_one", *WHY), "climbs out"),
        (("freeze", "tests/agent_drafts/test_prefix.py::test_strip", *WHY), "is a draft"),
        (("freeze", "tests/test_parse.py::test_reload", *WHY), "is frozen already, by fx-1; `ledgergate thaw fx-1`"),
        (("freeze", ONE, *WHY, "--lane", "fixture"), "--lane fixture is in no lane list"),
        (("freeze", ONE, "--reason", "x"), "Missing option '--owner'"),
        (("freeze", ONE, "--reason", "x", "--owner", " "), "--owner is empty"),
        (("freeze", ONE, "--reason", "", "--owner", "kim"), "--reason is empty"),
        (("freeze", ONE, *WHY, "--days", "31"), "the policy allows 30 days ahead ([freeze] max_days)"),
        (("freeze", ONE, *WHY, "--days", "0"), "--days"),
        (("freeze", ONE, *WHY, "--expires", "2026-01-01T00:00:00Z"), "is in the past"),
        (("freeze", ONE, *WHY, "--expires", "2999-01-01T00:00:00Z"), "is too late, and the policy allows 30 days"),
        (("freeze", ONE, *WHY, "--expires", "2026-12-24T"), "is no point in time"),
        (("freeze", ONE, *WHY, "--expires", "2026-02-30"), "a day that no calendar has"),
        (("freeze", ONE, *WHY, "--expires", "9999-12-31"), "is too late, and the policy allows 30 days"),
        (("freeze", ONE, *WHY, "--expires", "2026-01-01"), "is in the past"),
        (("freeze", ONE, *WHY, "--expires", "2026-12-24T00:00:00"), "has no time zone"),
        (("freeze", ONE, *WHY, "--days", "1", "--expires", "2026-12-24T00:00:00Z"), "give one of them"),
        (("freeze", ONE, *WHY, "--fixture", "src/no.bin"), "--fixture src/no.bin: there is no such file"),
        (("freeze", ONE, *WHY, "--fixture", "/etc/passwd"), "absolute"),
        (("freeze", f"{OTHER}::adds", *WHY), "is no Python file: give the text of the check that fails"),
        (("freeze", f"{OTHER}::adds", *WHY, "--assertion", "expect(2)"), "holds that text 0 times"),
        (("freeze", f"{OTHER}::adds", *WHY, "--assertion", "expect(1)"), "holds that text 2 times; give more of it"),
        (("thaw", "fx-9"), "no freeze has the id fx-9, and none is about a case of that name\n  fx-1: test_reload"),
    ],
)
def test_what_cannot_be(repo: Repo, arguments: tuple[str, ...], message: str) -> None:
    before = (repo.path / FREEZES).read_bytes()
    said = gate(repo, *arguments)
    assert (said.status, message in said.err) == (2, True), said
    assert (repo.path / FREEZES).read_bytes() == before


def test_nobody_approves_unseen(repo: Repo) -> None:
    before = (repo.path / FREEZES).read_bytes()
    said = gate(repo, "freeze", ONE, *WHY)
    assert (said.status, "Nothing was written: there is no terminal to ask on" in said.out) == (1, True)
    contract = said.out.split()[-1]
    other = gate(repo, "freeze", ONE, "--reason", "else", "--owner", "kim", "--yes", "--contract", contract)
    assert (other.status, "not what was approved" in other.err) == (1, True)
    for more in ((), ("--yes", "--contract", contract)):
        for arguments in (("freeze", ONE, *WHY), ("thaw", "fx-1")):
            refused = gate(repo, *arguments, *more, env=AS_AGENT)
            assert (refused.status, "is for humans" in refused.err) == (1, True)
    assert (repo.path / FREEZES).read_bytes() == before
    assert approved(repo, "freeze", ONE, *WHY).status == 0
    assert verdict(repo).document["contract"] == contract


def said_on_a_terminal(repo: Repo, *arguments: str, prompt: str, keys: bytes) -> Said:
    status, screen = type_to_ledgergate(repo, *arguments, prompt=prompt, keys=keys)
    return Said(status, screen, "")


@pytest.mark.parametrize(
    ("keys", "status", "check"),
    [
        (b"18\ny\n", 0, "assert number == 2"),
        (b"assert number\ny\n", 0, "assert number"),
        (b"18\nn\n", 1, None),
        (b"\n", 2, None),
        (b"99\n", 2, None),
        (b"\x03", 130, None),
    ],
)
def test_a_person_is_asked_which_check(repo: Repo, keys: bytes, status: int, check: str | None) -> None:
    before = freezes(repo)
    said = said_on_a_terminal(repo, "freeze", SEVERAL, *WHY, prompt="the line of the one that fails? ", keys=keys)
    assert (said.status, "17: check_number(number)" in said.out) == (status, True), said
    added = [freeze["signature"] for one, freeze in freezes(repo).items() if one not in before]
    assert added == ([sha256(check)] if check else [])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (None, "ledger-missing"),
        ("{", "freeze-unreadable"),
        ('{"schema": "freeze-ledger.v1", "required_lanes": [], "freezes": []}', "freeze-invalid"),
    ],
)
def test_a_broken_ledger_is_left_alone(repo: Repo, text: str | None, rule: str) -> None:
    (repo.path / FREEZES).unlink()
    if text is not None:
        repo.write(FREEZES, text)
    said = gate(repo, "freeze", ONE, *WHY)
    assert (said.status, rule in said.err) == (1, True), said
    assert text is None or (repo.path / FREEZES).read_text() == text


def test_a_freeze_that_breaks_the_ledger_can_be_taken_out(repo: Repo) -> None:
    text = (repo.path / FREEZES).read_text()
    repo.write(FREEZES, re.sub(r'"lane": "fixtures"', '"lane": "gone"', text))
    assert "freeze-invalid" in gate(repo, "freeze", ONE, *WHY).err
    assert approved(repo, "thaw", "fx-1").status == 0
    assert freezes(repo) == {}


def test_the_committed_policy_bounds_it_as_well(repo: Repo) -> None:
    repo.commit({"ledgergate.toml": "version = 1\n[freeze]\nmax_days = 2\n"})
    repo.write("ledgergate.toml", "version = 1\n")
    said = gate(repo, "freeze", ONE, *WHY)
    assert (said.status, "lies more than 2 days ahead" in said.err) == (1, True), said


def test_the_board_shows_it(repo: Repo) -> None:
    frozen(repo, ONE, "--days", "5")
    takes(repo)
    found = json.loads(gate(repo, "status", "--format", "json").out)["freezes"]
    assert [(freeze["case_id"], freeze["owner"]) for freeze in found][:1] == [(ONE, "kim")]


def test_what_else_has_to_be_committed(repo: Repo) -> None:
    repo.write(FILE, SUITE.replace('"slow"', '"slower"'))
    said = approved(repo, "freeze", ONE, *WHY)
    assert f"Next:\n  git add -- {FILE}\n  git commit\n" in said.out


class TestALaneThatSkips:
    """From the command to the decision: what a human froze may be skipped, as long as it is what was frozen."""

    TESTS = "def test_golden(): pass\ndef test_length():\n    assert length() == 3\ndef test_flake(): pass\n"

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Repo:
        folder = lane_project.project(Repo(tmp_path / "lanes"), {"tests/test_a.py": self.TESTS})
        assert approved(folder, "freeze", lane_project.LENGTH_ID, *WHY, "--lane", "properties").status == 0
        folder.git("commit", "-q", "-m", "freeze")
        return folder

    def skip(self, folder: Repo) -> tuple[str, set[str]]:
        """The decision on a run that skips the frozen test with its receipt and runs another in its place."""
        (freeze,) = json.loads((folder.path / "tests/freeze_ledger.json").read_text())["freezes"] or [{}]
        receipt = {key: freeze.get(key, "") for key in ("id", "signature")}
        code = (
            f"report(ran_case_ids=[{lane_project.GOLDEN_ID!r}], skipped=True,"
            f" skipped_case_ids=[{lane_project.LENGTH_ID!r}], receipts=[{receipt}])"
        )
        found = score_document(lane_project.run(folder, properties=code))
        return found["decision"], {seen["rule"] for seen in found["findings"]}

    def test_as_long_as_it_is_what_was_frozen(self, folder: Repo) -> None:
        assert self.skip(folder) == ("allow", set())

    def test_once_the_check_is_another(self, folder: Repo) -> None:
        folder.commit({"tests/test_a.py": self.TESTS.replace("== 3", ">= 0")})
        assert self.skip(folder) == ("block", {"freeze-signature", "case-missing"})
        assert verdict(folder, "verify").refusals == {"freeze-signature"}

    def test_once_it_is_thawed(self, folder: Repo) -> None:
        assert approved(folder, "thaw", lane_project.LENGTH_ID).status == 0
        folder.git("commit", "-q", "-m", "thaw")
        assert self.skip(folder) == ("block", {"receipt-unknown", "case-missing"})
