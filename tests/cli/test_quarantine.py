"""`ledgergate quarantine` and `ledgergate release`: rows in and out of quarantine, by humans alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from support.gate import AS_AGENT, accepted, approved, commit, gate, install_hooks, verdict
from support.project import GOLDEN, LEDGER, OTHER_GOLDEN, SOUND, Project, sha256
from support.repo import Repo
from support.terminal import type_to_ledgergate

pytestmark = pytest.mark.slow

LENGTH = "tests/test_parse.py::test_length"
RELOAD = "tests/test_parse.py::test_reload"
NO_ROW = "tests/test_parse.py::test_without_row"
WHY = ("--reason", "depends: on # time", "--owner", "kim")
QUARANTINE = {"length": (LENGTH, "class-changed"), "no row": (NO_ROW, "row-added-classified")}
RELEASE = {
    "property": (("--invariant", "i", "--seeds", "tests/properties/seeds/length/"), "class-changed"),
    "golden": (("--artifact", OTHER_GOLDEN), "class-changed"),
    "nothing": (("--remove",), "quarantine-removed"),
}


@pytest.fixture
def repo(repo: Repo) -> Repo:
    Project(repo, SOUND)
    return repo


def row_of(repo: Repo, id_: str) -> str:
    found = re.search(rf"  - id: {re.escape(id_)}\n(?:    .*\n)+", (repo.path / LEDGER).read_text())
    return found[0] if found else ""


def takes(repo: Repo, rule: str) -> None:
    """A human's commit of what is staged passes, with a note of this rule; an agent's is refused for it."""
    install_hooks(repo)
    assert rule in verdict(repo, env=AS_AGENT).refusals
    assert not accepted(commit(repo, env=AS_AGENT))
    assert rule in {note["rule"] for note in verdict(repo).document["notes"]}
    assert accepted(commit(repo))
    assert gate(repo, "verify").status == 0


@pytest.mark.parametrize(("id_", "rule"), QUARANTINE.values(), ids=list(QUARANTINE))
def test_a_test_goes_into_quarantine_today(repo: Repo, id_: str, rule: str) -> None:
    said = approved(repo, "quarantine", id_, *WHY)
    assert said.out.endswith(f"Wrote {LEDGER}.\nStaged it.\nNext:\n  git commit\n")
    today = datetime.now(UTC).date().isoformat()
    fields = f"    opened: {today}\n    reason: 'depends: on # time'\n    owner: kim\n"
    assert row_of(repo, id_) == f"  - id: {id_}\n    class: quarantine\n{fields}"
    takes(repo, rule)


TAKES_NOTHING = "def test_a():\n    assert f() == 1\n"
WITHOUT_CASES = {
    "a function": TAKES_NOTHING,
    "a method": "class TestA:\n    def test_a(self):\n        assert f() == 1\n",
}
WITH_CASES = {
    "an argument": TAKES_NOTHING.replace("()", "(number)", 1),
    "a decorator": f"@many\n{TAKES_NOTHING}",
    "a fixture for all": f"@pytest.fixture(autouse=True, params=[1, 2])\ndef many(): pass\n\n{TAKES_NOTHING}",
    "a mark for all": f"pytestmark = pytest.mark.usefixtures('many')\n{TAKES_NOTHING}",
}


@pytest.mark.parametrize("command", ["quarantine", "freeze"])
@pytest.mark.parametrize("text", WITHOUT_CASES.values(), ids=WITHOUT_CASES.keys())
def test_a_case_of_a_test_without_parameters_is_none(repo: Repo, text: str, command: str) -> None:
    repo.stage({"tests/test_a.py": text})
    id_ = f"tests/test_a.py::{'TestA::' if 'class' in text else ''}test_a"
    said = gate(repo, command, f"{id_}[nope]", *WHY)
    assert said.status == 2
    assert "test_a takes no parameters" in said.err
    assert "would change" in gate(repo, command, id_, *WHY).out


@pytest.mark.parametrize("text", WITH_CASES.values(), ids=WITH_CASES.keys())
def test_a_case_of_a_test_that_may_have_several(repo: Repo, text: str) -> None:
    repo.stage({"tests/test_a.py": text})
    assert "would change" in gate(repo, "quarantine", "tests/test_a.py::test_a[1]", *WHY).out


def test_a_case_of_a_test_that_a_conftest_gives_several(repo: Repo) -> None:
    given = "@pytest.fixture(autouse=True, params=[1, 2])\ndef many(): pass\n"
    repo.stage({"tests/sub/test_a.py": TAKES_NOTHING, "tests/conftest.py": given})
    assert "would change" in gate(repo, "quarantine", "tests/sub/test_a.py::test_a[1]", *WHY).out


def test_of_a_single_case_it_says_how_to_see_whether_it_is_there(repo: Repo) -> None:
    repo.stage({"tests/test_a.py": WITH_CASES["an argument"]})
    case = "tests/test_a.py::test_a[no-such]"
    said = approved(repo, "quarantine", case, *WHY)
    assert "ledgergate collect\n  git commit" in said.out
    assert f"whether there is a case {case}, only the runner can tell" in said.err
    assert "collect" not in approved(repo, "quarantine", LENGTH, *WHY).out


FIXTURES = {
    "a fixture": "import pytest\n@pytest.fixture(autouse=True)\ndef test_a(): pytest.skip()\n",
    "of another name": "from pytest import fixture as given\n@given\ndef test_a(): pass\n",
    "of a class": "import pytest\nclass TestA:\n    @pytest.fixture\n    def test_a(self): pass\n",
}
TESTS = {
    "a mark": "import pytest\n@pytest.mark.usefixtures('x')\ndef test_a(): assert f() == 1\n",
    "by another name": "def test_a(): pass\nclass test_a_(): pass\n",
    "made when it runs": "test_a = make()\n",
    "in a branch": "if f():\n    def test_a(): pass\n",
}


@pytest.mark.parametrize("command", [("quarantine", *WHY), ("draft", "--class", "locked_fixture")])
@pytest.mark.parametrize("text", [*FIXTURES.values(), *TESTS.values()], ids=[*FIXTURES, *TESTS])
def test_a_fixture_is_no_test(repo: Repo, text: str, command: tuple[str, ...]) -> None:
    repo.stage({"tests/test_a.py": text})
    id_ = f"tests/test_a.py::{'TestA::' if 'class TestA' in text else ''}test_a"
    done = gate(repo, command[0], id_, *command[1:])
    assert ("is a fixture, and a row is about one test" in done.err) == (text in FIXTURES.values()), done


@pytest.mark.parametrize(("arguments", "rule"), RELEASE.values(), ids=list(RELEASE))
def test_a_test_comes_out_of_quarantine(repo: Repo, arguments: tuple[str, ...], rule: str) -> None:
    said = approved(repo, "release", RELOAD, *arguments)
    assert said.status == 0, said
    assert "-    class: quarantine\n" in said.out
    if "--artifact" in arguments:
        assert f"+    digest: {sha256('other')}\n" in said.out
        assert "\n    +other\n" in said.out
    assert ("quarantine" in row_of(repo, RELOAD)) is False
    assert f"Next:\n  pytest {RELOAD}\n" in said.out or "--remove" in arguments
    takes(repo, rule)


def test_there_and_back_leaves_the_other_rows_alone(repo: Repo) -> None:
    before = (repo.path / LEDGER).read_bytes()
    assert approved(repo, "quarantine", LENGTH, *WHY).status == 0
    back = ("--invariant", "non_negative_length", "--seeds", "tests/properties/seeds/length/")
    assert approved(repo, "release", LENGTH, *back).status == 0
    assert (repo.path / LEDGER).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("quarantine", RELOAD, *WHY), 2, "is in quarantine already, since 2026-09-10; test-infra looks after it"),
        (
            ("quarantine", "tests/agent_drafts/test_prefix.py::test_strip", *WHY),
            2,
            "is a draft",
        ),
        (("quarantine", "tests/test_parse.py::test_no", *WHY), 2, "does not define test_no"),
        (("quarantine", "tests/test_parse.py::TestChild", *WHY), 2, "is a class, and a row is about one test"),
        (("quarantine", "tests/test_parse.py", *WHY), 2, "is a file, and a row is about one test"),
        (("quarantine", LENGTH, "--reason", "x"), 2, "--owner"),
        (("quarantine", LENGTH, "--reason", " ", "--owner", "kim"), 2, "--reason is empty"),
        (("release", LENGTH, "--remove"), 2, "is a property row"),
        (("release", "tests/x.py::y", "--remove"), 2, "no row has the id"),
        (("release", RELOAD), 1, "no check that can fail"),
        (("release", RELOAD, "--remove", "--invariant", "i"), 2, "--remove leaves no row"),
        (("release", RELOAD, "--invariant", "i"), 2, "--seeds FOLDER/"),
        (("release", RELOAD, "--seeds", "src/"), 2, "--invariant NAME"),
        (("release", RELOAD, "--artifact", "no.txt"), 2, "cannot be locked"),
        (("release", RELOAD, "--artifact", "tests/agent_drafts/test_prefix.py"), 1, "names something below the drafts"),
    ],
)
def test_what_is_refused(repo: Repo, arguments: tuple[str, ...], status: int, message: str) -> None:
    before = (repo.path / LEDGER).read_bytes()
    said = gate(repo, *arguments)
    assert (said.status, message in said.err) == (status, True), said
    assert (repo.path / LEDGER).read_bytes() == before


@pytest.mark.parametrize("arguments", [("quarantine", LENGTH, *WHY), ("release", RELOAD, "--remove")])
def test_an_agent_is_refused(repo: Repo, arguments: tuple[str, ...]) -> None:
    contract = gate(repo, *arguments).out.split()[-1]
    before = (repo.path / LEDGER).read_bytes()
    for more in ((), ("--yes", "--contract", contract)):
        said = gate(repo, *arguments, *more, env=AS_AGENT)
        assert (said.status, "is for humans" in said.err) == (1, True)
    assert (repo.path / LEDGER).read_bytes() == before


@pytest.mark.parametrize(("keys", "status"), [(b"y\n", 0), (b"n\n", 1), (b"\x03", 130)])
def test_a_person_is_asked_once(repo: Repo, keys: bytes, status: int) -> None:
    before = (repo.path / LEDGER).read_bytes()
    prompt = "write this? [y/N]"
    ended, screen = type_to_ledgergate(repo, "quarantine", LENGTH, *WHY, prompt=prompt, keys=keys)
    assert (ended, screen.count(prompt)) == (status, 1), screen
    assert ((repo.path / LEDGER).read_bytes() == before) is (status != 0)


def test_a_contract_names_what_was_shown(repo: Repo) -> None:
    said = gate(repo, "quarantine", LENGTH, *WHY)
    contract = said.out.split()[-1]
    other = gate(repo, "quarantine", LENGTH, "--reason", "else", "--owner", "kim", "--yes", "--contract", contract)
    assert (other.status, "not what was approved" in other.err) == (1, True)
    shown = re.search(r"the contract is (\S+)", said.out)
    assert shown is not None
    assert shown[1] == contract
    assert approved(repo, "quarantine", LENGTH, *WHY).status == 0
    assert verdict(repo).document["contract"] == contract


@pytest.mark.parametrize(
    ("mark", "status"),
    [("@pytest.mark.skip", 2), ("@pytest.mark.xfail(reason='x')", 2), ("@pytest.mark.skipif(f(), reason='x')", 1)],
)
def test_a_test_that_is_still_marked_stays(repo: Repo, mark: str, status: int) -> None:
    text = f"import pytest\nfrom x import f\n\n{mark}\ndef test_reload():\n    assert f() == 1\n"
    repo.commit({"tests/test_parse.py": text})
    said = gate(repo, "release", RELOAD)
    assert (said.status, "still marked" in said.err) == (status, status == 2), said


HEADER = "tests/test_parse.py::test_header"


def test_a_golden_stays_with_its_test(repo: Repo) -> None:
    before = (repo.path / LEDGER).read_bytes()
    said = approved(repo, "quarantine", HEADER, *WHY)
    assert f"+    opened: {datetime.now(UTC).date().isoformat()}\n" in said.out
    assert f"    artifact: {GOLDEN}\n    opened" in row_of(repo, HEADER)
    takes(repo, "class-changed")
    assert approved(repo, "release", HEADER).status == 0
    assert (repo.path / LEDGER).read_bytes() == before
    takes(repo, "class-changed")


def test_an_agent_does_not_edit_the_golden_of_a_quarantined_test(repo: Repo) -> None:
    assert approved(repo, "quarantine", HEADER, *WHY).status == 0
    repo.commit({GOLDEN: "header"})
    repo.stage({GOLDEN: "else"})
    assert verdict(repo, env=AS_AGENT).refusals == {"write-path"}
    assert verdict(repo).state == "PASS"


def test_a_golden_of_a_quarantined_test_does_not_come_from_the_drafts(repo: Repo) -> None:
    text = (repo.path / LEDGER).read_text()
    row = "    opened: 2026-09-10\n    artifact: tests/agent_drafts/g\n"
    repo.stage({"tests/agent_drafts/g": "g", LEDGER: text.replace("    opened: 2026-09-10\n", row)})
    assert verdict(repo).refusals == {"row-invalid"}


def test_a_plain_test_is_held_to_its_own_source(repo: Repo) -> None:
    repo.commit({"tests/test_plain.py": "import x\n\ndef test_plain():\n    assert x.f() == 3\n"})
    assert approved(repo, "quarantine", "tests/test_plain.py::test_plain", *WHY).status == 0
    takes(repo, "row-added-classified")
    said = approved(repo, "release", "tests/test_plain.py::test_plain")
    assert "1 test: new test, 3 lines\n  tests/test_plain.py::test_plain  sha256:" in said.out
    assert "    +    assert x.f() == 3\n" in said.out
    assert "    artifact: tests/test_plain.py::test_plain\n" in row_of(repo, "tests/test_plain.py::test_plain")
    takes(repo, "class-changed")
    assert approved(repo, "quarantine", "tests/test_plain.py::test_plain", *WHY).status == 0
    assert "artifact" not in row_of(repo, "tests/test_plain.py::test_plain")


PLAIN = "tests/test_plain.py"


def test_several_at_once_with_all_that_they_would_be_held_to(repo: Repo) -> None:
    long = "".join(f"    assert x.f({n}) == '{n:0200}'\n" for n in range(60))
    repo.commit({PLAIN: f"import x\n\ndef test_a():\n{long}\n\ndef test_b():\n    assert x.f() == 3\n"})
    ids = [f"{PLAIN}::test_a", f"{PLAIN}::test_b"]
    assert "2 rows would change" in approved(repo, "quarantine", *ids, *WHY).out
    takes(repo, "row-added-classified")
    said = approved(repo, "release", *ids)
    assert said.out.startswith("1 test: new test, 62 lines\n")
    assert [line for line in long.splitlines() if f"    +{line}\n" not in said.out] == []
    assert "    +    assert x.f() == 3\n" in said.out
    assert "2 rows would change" in said.out
    takes(repo, "class-changed")
    assert gate(repo, "release", *ids, "--artifact", GOLDEN).status == 2


def test_a_golden_and_the_test_that_reads_it(repo: Repo) -> None:
    repo.commit({PLAIN: "import x\n\ndef test_a():\n    assert x.f() == open('g').read()\n", "tests/goldens/g": "3"})
    id_ = f"{PLAIN}::test_a"
    assert approved(repo, "quarantine", id_, *WHY).status == 0
    assert approved(repo, "release", id_, "--artifact", "tests/goldens/g", "--inline").status == 0
    artifacts = f"    artifact:\n      - tests/goldens/g\n      - {id_}\n"
    assert artifacts in row_of(repo, id_)
    takes(repo, "row-added-classified")
    assert approved(repo, "quarantine", id_, *WHY).status == 0
    assert "    artifact: tests/goldens/g\n" in row_of(repo, id_)
    assert approved(repo, "release", id_, "--inline").status == 0
    assert artifacts in row_of(repo, id_)
    assert gate(repo, "release", RELOAD, "--inline", "--invariant", "i").status == 2


def test_a_golden_that_another_row_names_stays_classified(repo: Repo) -> None:
    text = (repo.path / LEDGER).read_text().replace(OTHER_GOLDEN, GOLDEN).replace(sha256("other"), sha256("header"))
    repo.commit({LEDGER: text, OTHER_GOLDEN: None})
    assert approved(repo, "quarantine", "tests/test_parse.py::test_other", *WHY).status == 0
    takes(repo, "class-changed")


def junit(repo: Repo, **cases: str) -> str:
    """The path of a report of these cases of tests/test_parse.py."""
    body = "".join(f'<testcase classname="tests.test_parse" name="{n}">{c}</testcase>' for n, c in cases.items())
    (repo.path / "junit.xml").write_text(f"<testsuite>{body}</testsuite>")
    return "junit.xml"


class TestSkippedIn:
    """All that a run skipped goes into quarantine by its report."""

    SKIP = '<skipped message="no disk"/>'

    def test_what_was_skipped_and_no_more(self, repo: Repo) -> None:
        report = junit(repo, test_length=self.SKIP, test_header="", test_reload=self.SKIP, test_without_row=self.SKIP)
        assert gate(repo, "quarantine", "--skipped-in", report, *WHY, env=AS_AGENT).status == 1
        said = approved(repo, "quarantine", "--skipped-in", report, *WHY)
        assert (said.status, "1 row would change" in said.out) == (0, True), said
        assert "class: quarantine" in row_of(repo, LENGTH)
        assert "class: locked_fixture" in row_of(repo, "tests/test_parse.py::test_header")
        assert row_of(repo, NO_ROW) == ""
        takes(repo, "class-changed")

    def test_beside_ids(self, repo: Repo) -> None:
        said = approved(repo, "quarantine", NO_ROW, "--skipped-in", junit(repo, test_length=self.SKIP), *WHY)
        assert (said.status, "2 rows would change" in said.out) == (0, True), said

    def test_nothing_was_skipped(self, repo: Repo) -> None:
        said = gate(repo, "quarantine", "--skipped-in", junit(repo, test_length=""), *WHY)
        assert (said.status, said.out.startswith("Nothing to write")) == (0, True)

    @pytest.mark.parametrize("content", [None, "<testsuite>"])
    def test_a_report_that_cannot_be_read(self, repo: Repo, content: str | None) -> None:
        if content is not None:
            (repo.path / "junit.xml").write_text(content)
        said = gate(repo, "quarantine", "--skipped-in", "junit.xml", *WHY)
        assert (said.status, "report-unreadable: it cannot be read whole" in said.err) == (1, True), said

    def test_neither_ids_nor_a_report(self, repo: Repo) -> None:
        assert gate(repo, "quarantine", *WHY).status == 2

    def test_what_is_frozen_stays(self, repo: Repo) -> None:
        header = "tests/test_parse.py::test_header"
        tests = (repo.path / "tests/test_parse.py").read_text()
        (repo.path / "tests/test_parse.py").write_text(tests.replace("header(): pass", "header(): assert 1 == 1"))
        assert approved(repo, "freeze", header, *WHY).status == 0
        report = junit(repo, test_length="", test_header=self.SKIP)
        assert "Nothing to write" in gate(repo, "quarantine", "--skipped-in", report, *WHY).out
