"""`ledgergate draft`: rows that the hooks take, for tests that are there, beside the other rows."""

from __future__ import annotations

import pytest

from support.gate import AS_AGENT, accepted, approved, commit, gate, install_hooks, verdict
from support.project import BASE, LEDGER, Project, ledger
from support.repo import Repo

pytestmark = pytest.mark.slow

ID = "tests/agent_drafts/test_new.py::TestNew::test_new"
FILE = "tests/agent_drafts/test_new.py"
SOURCE = "class TestNew:\n    def test_new(self): pass\n"


@pytest.fixture
def project(repo: Repo) -> Project:
    project = Project(repo)
    repo.write(FILE, SOURCE)
    return project


@pytest.mark.parametrize(
    ("arguments", "proposed"),
    [
        (("--invariant", "it_holds"), "    proposed_class: property\n    invariant: it_holds\n"),
        (
            ("--class", "property", "--invariant", "a: b", "--seeds", "s/"),
            "    proposed_class: property\n    invariant: 'a: b'\n    seeds: s/\n",
        ),
        ((), f"    proposed_class: locked_fixture\n    artifact: {ID}\n"),
        (("--artifact", "g.txt"), "    proposed_class: locked_fixture\n    artifact: g.txt\n"),
        (
            ("--artifact", "g", "--artifact", "h/", "--class", "locked_fixture"),
            "    proposed_class: locked_fixture\n    artifact:\n      - g\n      - h/\n",
        ),
    ],
)
@pytest.mark.parametrize("source", ["agent", "human"])
def test_a_row_that_the_hooks_take(project: Project, arguments: tuple[str, ...], proposed: str, source: str) -> None:
    env = AS_AGENT if source == "agent" else {}
    before = (project.repo.path / LEDGER).read_text()
    said = gate(project.repo, "draft", ID, *arguments, env=env)
    row = f"  - id: {ID}\n    class: draft\n    source: {source}\n{proposed}"
    at = before.index("  - id: tests/agent_drafts/test_prefix")
    assert (project.repo.path / LEDGER).read_text() == before[:at] + row + before[at:]
    assert said.status == 0
    assert f"Staged it.\nNext:\n  git add -- {FILE}\n  git commit\n" in said.out
    needed = " --seeds FOLDER/" if "--invariant" in arguments and "--seeds" not in arguments else ""
    assert f"`ledgergate promote {ID}{needed}`" in said.out
    install_hooks(project.repo)
    project.repo.git("add", FILE)
    assert accepted(commit(project.repo, env=env))


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((ID, "--class", "property"), 2, "--invariant NAME"),
        ((ID, "--class", "property", "--artifact", "g"), 2, "--artifact and --inline go with a locked_fixture"),
        ((ID, "--seeds", "s/", "--artifact", "g"), 2, "not both"),
        ((ID, "--class", "quarantine"), 2, "quarantine"),
        ((f"{ID}x", "--invariant", "i"), 2, f"{FILE} does not define TestNew::test_newx"),
        (("tests/agent_drafts/test_no.py::t", "--invariant", "i"), 2, "there is no file tests/agent_drafts/test_no.py"),
        (("tests/test_parse.py::test_header", "--invariant", "i"), 2, "has a locked_fixture row already (line 3 of"),
        (("tests/agent_drafts/test_prefix.py::test_strip", "--invariant", "i"), 2, "has a draft row already"),
        (("tests/test_parse.py::test_without_row", "--invariant", "i"), 1, "row-shadowed"),
        (("tests/test_parse.py::test_header[1]", "--invariant", "i"), 1, "row-shadowed: A draft row may not stand"),
        ((ID, "--artifact", "../g"), 2, "../g climbs out through `..`."),
        ((ID, "--invariant", " "), 1, "`invariant` is empty"),
    ],
)
def test_what_is_refused(project: Project, arguments: tuple[str, ...], status: int, message: str) -> None:
    before = (project.repo.path / LEDGER).read_bytes()
    said = gate(project.repo, "draft", *arguments, env=AS_AGENT)
    assert (said.status, message in said.err) == (status, True), said
    assert (project.repo.path / LEDGER).read_bytes() == before
    assert project.repo.git("status", "--short") == f"?? {FILE}"


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (("--artifact", "tests/agent_drafts/g.txt"), " --golden-to tests/goldens/g.txt"),
        (
            ("--artifact", "tests/agent_drafts/g.txt", "--artifact", "tests/agent_drafts/h.txt"),
            " --golden-to tests/goldens/",
        ),
        (("--invariant", "i", "--seeds", "tests/agent_drafts/seeds/"), " --seeds-to tests/seeds/"),
    ],
)
def test_the_next_step_works_as_it_is_printed(project: Project, arguments: tuple[str, ...], needed: str) -> None:
    for name in ("g.txt", "h.txt", "seeds/1"):
        project.repo.write(f"tests/agent_drafts/{name}", name)
    said = gate(project.repo, "draft", ID, *arguments, env=AS_AGENT)
    assert f"`ledgergate promote {ID}{needed}`" in said.out, said
    project.repo.git("add", "-A")
    assert approved(project.repo, "promote", ID, *needed.split()).status == 0


def test_several_at_once(project: Project) -> None:
    two = f"{FILE}::test_two"
    project.repo.write(FILE, SOURCE + "def test_two(): assert sum([1]) == 1\n")
    refused = gate(project.repo, "draft", ID, two, "--invariant", "i", env=AS_AGENT)
    assert (refused.status, "go with one id" in refused.err) == (2, True)
    said = gate(project.repo, "draft", ID, two, env=AS_AGENT)
    assert said.status == 0
    assert f"`ledgergate promote {ID} {two}`" in said.out
    text = (project.repo.path / LEDGER).read_text()
    assert f"- id: {ID}\n" in text
    assert f"- id: {two}\n" in text


def test_a_file_is_no_id(project: Project) -> None:
    said = gate(project.repo, "draft", FILE, env=AS_AGENT)
    assert said.status == 2
    assert f"{FILE} is a file, and a row is about one test: FILE::NAME. Without a row in it: {ID}" in said.err


@pytest.mark.parametrize(
    ("check", "note"),
    [
        ("assert sum([1])", "let it say what, by `is True` or `== VALUE`"),
        ("pass", "holds no check that can fail"),
        ("assert sum([1]) == 1", None),
    ],
)
def test_what_promote_would_refuse_is_noted(project: Project, check: str, note: str | None) -> None:
    project.repo.write(FILE, f"class TestNew:\n    def test_new(self): {check}\n")
    said = gate(project.repo, "draft", ID, env=AS_AGENT)
    assert said.status == 0
    assert ("`ledgergate promote` would refuse it" in said.out) is (note is not None)
    assert note is None or note in said.out


def test_a_new_test_file_outside_the_drafts_folder(project: Project) -> None:
    project.repo.write("tests/test_more.py", "def test_more(): pass\n")
    said = gate(project.repo, "draft", "tests/test_more.py::test_more", "--invariant", "i", env=AS_AGENT)
    assert said.status == 1
    assert "row-invalid: A new draft's test lives below the drafts folder, tests/agent_drafts/" in said.err
    assert "Move the test to tests/agent_drafts/" in said.err


def test_a_new_test_file_where_the_policy_opens_them(project: Project) -> None:
    project.repo.commit({"ledgergate.toml": "version = 1\nagent_new_tests = true\n"})
    project.repo.write("tests/test_more.py", "def test_more(): pass\n")
    assert gate(project.repo, "draft", "tests/test_more.py::test_more", "--invariant", "i", env=AS_AGENT).status == 0
    project.repo.git("add", "tests/test_more.py")
    assert verdict(project.repo, env=AS_AGENT).state == "PASS"


def test_the_nearest_ledger_takes_it(repo: Repo) -> None:
    policy = 'version = 1\nledger = ["tests/ledger.yaml", "services/*/tests/ledger.yaml"]\ntests = ["**/tests/**"]\n'
    ledgers = {f"services/{name}/tests/ledger.yaml": ledger() for name in "ab"}
    files = {"ledgergate.toml": policy + "agent_new_tests = true\n", **ledgers}
    Project(repo, {**BASE, **files})
    repo.write("services/b/tests/unit/test_b.py", "def test_b(): pass\n")
    said = gate(repo, "draft", "services/b/tests/unit/test_b.py::test_b", "--invariant", "i", env=AS_AGENT)
    assert said.status == 0, said
    assert repo.git("diff", "--name-only", "--cached") == "services/b/tests/ledger.yaml"
    repo.write(FILE, SOURCE)
    assert gate(repo, "draft", ID, "--invariant", "i", env=AS_AGENT).status == 0
    assert repo.git("diff", "--name-only", "--cached").split() == ["services/b/tests/ledger.yaml", LEDGER]


def test_a_ledger_with_other_changes_is_not_staged(project: Project) -> None:
    file = project.repo.path / LEDGER
    file.write_text(file.read_text() + "# mine\n")
    said = gate(project.repo, "draft", ID, "--invariant", "i")
    assert f"Not staged, since it had other changes that are not staged: {LEDGER}" in said.out
    assert f"git add -- {LEDGER} {FILE}\n" in said.out
    assert project.repo.git("diff", "--cached", "--name-only") == ""
