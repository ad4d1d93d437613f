"""Rows that pin a test's own source: what of a staged change is refused, and what is free."""

from __future__ import annotations

import re

import pytest

from ledgergate.source.inline import inline_digest
from ledgergate.values import Actor, Report, State
from support.gate import AS_AGENT, gate
from support.project import AGENT, BASE, GOLDEN, HUMAN, LEDGER, ROWS, Edit, Project, ledger, sha256, states
from support.repo import Repo

TESTS = "tests/test_sum.py"
ID = f"{TESTS}::test_sum"
SOURCE = """\
from app import add


def helper(x):
    return add(x, 1)


def test_sum():
    assert helper(1) == 2


def test_other():
    assert add(0, 0) == 0
"""
ALSO = "def test_more():\n    assert add(1, 1) == 2\n"
REFORMATTED = SOURCE.replace(
    "    assert helper(1) == 2", "    # One and one.\n    assert (\n        helper(1)\n        == 2\n    )"
)
CONTENT = "test('adds [1] up', () => {})\n"
WRONG = SOURCE.replace("== 2", "== 3")


def digest(source: str, *names: str) -> str:
    found = inline_digest(source.encode(), names or ("test_sum",))
    assert isinstance(found, str)
    return found


def row(source: str = SOURCE, artifact: str = ID, id_: str = ID) -> str:
    return (
        f"  - id: {id_}\n    class: locked_fixture\n    artifact: {artifact}\n"
        f"    digest: {digest(source, *artifact.split('::')[1:])}\n"
    )


def pinned(*rows: str) -> Edit:
    return {LEDGER: ledger(*ROWS, *rows)}


@pytest.fixture
def project(repo: Repo) -> Project:
    policy = 'version = 1\nagent_write_paths = ["tests/test_sum.py"]\n'
    return Project(repo, {**BASE, "ledgergate.toml": policy, TESTS: SOURCE, **pinned(row())})


def refusals(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings}


@pytest.mark.parametrize(
    ("edit", "rule"),
    [
        ({TESTS: WRONG}, "digest-mismatch"),
        ({TESTS: SOURCE.replace("add(x, 1)", "2")}, "digest-mismatch"),
        ({TESTS: SOURCE + "\nhelper = lambda x: 2\n"}, "digest-mismatch"),
        ({TESTS: SOURCE + "\npytestmark = pytest.mark.skip\n"}, "digest-mismatch"),
        ({TESTS: REFORMATTED}, "digest-mismatch"),
        (pinned(row(WRONG)), "digest-mismatch"),
        ({TESTS: SOURCE.replace("def test_sum", "def test_plus")}, "artifact-missing"),
        ({TESTS: SOURCE + "\ndef test_sum(): pass\n"}, "artifact-missing"),
        ({TESTS: SOURCE + "\ndef broken(:\n"}, "artifact-missing"),
        ({TESTS: ""}, "artifact-missing"),
        ({TESTS: None}, "artifact-missing"),
    ],
)
@pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
def test_broken_whoever_did_it(project: Project, edit: Edit, rule: str, actor: Actor) -> None:
    report = project.staged(edit, actor, only="fixture-digests")
    assert states(report, rule) == {State.FAIL}
    assert {finding.path for finding in report.findings} == {TESTS}


@pytest.mark.parametrize(
    "edit",
    [
        {TESTS: f"{SOURCE}\n\n{ALSO}"},
        {TESTS: SOURCE.replace("== 0", "== 0\n    assert add(0, 1) == 1")},
        {TESTS: SOURCE + "\n\ndef unrelated(x):\n    return x\n"},
        {TESTS: SOURCE.replace("\n\n\n", "\n\n# A remark.\n\n")},
        {TESTS: SOURCE.replace("\n", "  \r\n")},
        {TESTS: REFORMATTED, **pinned(row(REFORMATTED))},
        {"src/app.py": "x = 2\n", TESTS: REFORMATTED, **pinned(row(REFORMATTED))},
        {"src/app.py": "x = 2\n", TESTS: f"{SOURCE}\n\n{ALSO}"},
    ],
)
def test_what_is_free_to_an_agent(project: Project, edit: Edit) -> None:
    report = project.staged(edit, AGENT)
    assert report.findings == ()
    assert report.items == ()


@pytest.mark.parametrize(
    "edit",
    [
        {TESTS: WRONG, **pinned(row(WRONG))},
        {TESTS: REFORMATTED, **pinned(row(REFORMATTED) + "    params: 2\n")},
        {TESTS: WRONG, **pinned(row(WRONG).replace("digest:", "allow_empty: true\n    digest:"))},
    ],
)
def test_what_belongs_to_humans(project: Project, edit: Edit) -> None:
    assert "digest-changed" in refusals(project.staged(edit, AGENT))
    assert project.staged({}, HUMAN).findings == ()


def test_layout_counts_only_from_a_base_that_holds(repo: Repo) -> None:
    """Else an agent could first break the test past the hooks, and then relock what is there as mere layout."""
    project = Project(repo, {**BASE, TESTS: WRONG, **pinned(row())})
    wrong_too = WRONG.replace("helper(1) == 3", "(helper(1) == 3)")
    report = project.staged({TESTS: wrong_too, **pinned(row(wrong_too))}, AGENT)
    assert "digest-changed" in refusals(report)


def test_layout_on_a_range(project: Project) -> None:
    report = project.ranged({TESTS: REFORMATTED, **pinned(row(REFORMATTED))})
    assert report.findings == ()


def test_other_artifacts_of_the_row_are_no_layout(repo: Repo) -> None:
    def both(source: str, golden: str) -> Edit:
        lines = f"artifact: [{ID}, g/a]\n    digest: [{digest(source)}, {sha256(golden)}]\n"
        return {"g/a": golden, TESTS: source, **pinned(f"  - id: {ID}\n    class: locked_fixture\n    {lines}")}

    project = Project(repo, {**BASE, **both(SOURCE, "1")})
    assert refusals(project.staged(both(REFORMATTED, "1"), HUMAN)) == set()
    assert project.staged({}, HUMAN).items == ()
    assert "digest-changed" in refusals(project.staged(both(REFORMATTED, "2"), AGENT, only="ledger-edits"))


def test_the_lines_that_changed_are_shown(project: Project) -> None:
    (found,) = project.staged({TESTS: WRONG}, AGENT, only="fixture-digests").findings
    assert found.message.split("\n")[1:] == ["-    assert helper(1) == 2", "+    assert helper(1) == 3"]
    assert "put the test back as it was" in found.remedy
    assert (found.old, found.new) == (digest(SOURCE), digest(WRONG))


@pytest.mark.parametrize("actor", [AGENT, HUMAN], ids=["agent", "human"])
def test_of_another_layout_it_says_that_anyone_may_relock(project: Project, actor: Actor) -> None:
    (found,) = project.staged({TESTS: REFORMATTED}, actor, only="fixture-digests").findings
    assert "nly the layout changed" in found.remedy
    assert "relock --staged` lets the digest follow, for agents too" in found.remedy
    repo = project.repo
    done = gate(repo, "relock", "--staged", env=AS_AGENT)
    contract = re.search(r"--contract (sha256:\w+)", done.out)
    assert contract is not None, done
    assert gate(repo, "relock", "--staged", "--yes", "--contract", contract[1], env=AS_AGENT).status == 0
    assert project.staged({}, AGENT).findings == ()


def test_no_more_than_a_few_lines_are_shown(project: Project) -> None:
    long = SOURCE.replace("def test_sum():\n", "def test_sum():\n" + "    helper(0)\n" * 30)
    (found,) = project.staged({TESTS: long}, AGENT, only="fixture-digests").findings
    assert found.message.split("\n")[1:] == ["+    helper(0)"] * 8 + ["... and 22 more"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("pass", "holds no check that can fail"),
        ("assert True", "holds no check that can fail"),
        ("assert add(1, 1) is not None", "only asks that there is something"),
        ("assert add(1, 1)", "only asks that there is something"),
    ],
)
def test_a_test_that_cannot_fail_is_no_contract(project: Project, body: str, said: str) -> None:
    source = f"from app import add\ndef test_sum():\n    {body}\n"
    (found,) = project.staged({TESTS: source, **pinned(row(source))}, HUMAN, only="fixture-digests").findings
    assert (found.rule, found.state, found.path, found.subject) == ("row-invalid", State.FAIL, TESTS, ID)
    assert said in found.message


def test_a_helper_of_another_file_may_hold_the_check(project: Project) -> None:
    helper = "def compare(a, b):\n    assert a == b\n"
    source = "from helpers import compare\ndef test_sum():\n    compare(1, 1)\n"
    lines = (
        f"artifact: [{ID}, tests/helpers.py::compare]\n    digest: [{digest(source)}, {digest(helper, 'compare')}]\n"
    )
    edit = {
        TESTS: source,
        "tests/helpers.py": helper,
        **pinned(f"  - id: {ID}\n    class: locked_fixture\n    {lines}"),
    }
    assert refusals(project.staged(edit, HUMAN, only="fixture-digests")) == set()


def test_a_file_without_a_reader_is_pinned_whole(project: Project) -> None:
    test = "web/sum.test.ts"
    name = f"'{test}::adds [1] up'"
    line = f"  - id: {name}\n    class: locked_fixture\n    artifact: {name}\n    digest: {sha256(CONTENT)}\n"
    assert refusals(project.staged({test: CONTENT, **pinned(row(), line)}, HUMAN)) == set()
    project.repo.commit()
    assert refusals(project.staged({test: CONTENT + "b\n"}, HUMAN)) == {"digest-mismatch"}


def test_a_row_that_pins_a_test_names_no_golden(repo: Repo) -> None:
    test = "tests/goldens/test_odd.py"
    odd = row(SOURCE, f"{test}::test_sum", f"{test}::test_sum")
    project = Project(repo)
    assert refusals(project.staged({test: SOURCE, **pinned(odd)}, HUMAN)) == {"golden-unclassified"}


def test_a_golden_is_not_left_to_a_row_that_pins_a_test(repo: Repo) -> None:
    test = "tests/goldens/test_odd.py"
    whole = f"  - id: {ID}\n    class: locked_fixture\n    artifact: {test}\n    digest: {sha256(SOURCE)}\n"
    project = Project(repo, {**BASE, test: SOURCE, **pinned(whole)})
    odd = row(SOURCE, f"{test}::test_sum")
    assert "golden-unclassified" in refusals(project.staged(pinned(odd), HUMAN))


def test_code_that_holds_a_pinned_test_is_still_code(repo: Repo) -> None:
    """Else a golden could change with it."""
    code = "src/app.py"
    inside = row(SOURCE, f"{code}::test_sum", f"{code}::test_sum")
    project = Project(repo, {**BASE, code: SOURCE, **pinned(inside)})
    report = project.staged({code: SOURCE + "\nx = 1\n", GOLDEN: "new"}, HUMAN, only="two-sided-diff")
    assert refusals(report) == {"two-sided"}


def test_twins_of_a_test_file(project: Project) -> None:
    report = project.staged({"tests/Test_sum.py": "x"}, HUMAN, only="fixture-digests")
    assert refusals(report) == {"artifact-collision"}


def test_a_pinned_test_below_the_drafts(project: Project) -> None:
    path = "tests/agent_drafts/test_sum.py"
    edit = {path: SOURCE, **pinned(row(), row(SOURCE, f"{path}::test_sum", "tests/test_parse.py::test_new"))}
    assert refusals(project.staged(edit, HUMAN, only="ledger-schema")) == {"row-invalid"}


def test_the_rest_of_the_file_stays_kept_from_agents(repo: Repo) -> None:
    project = Project(repo, {**BASE, TESTS: SOURCE, **pinned(row())})
    report = project.staged({TESTS: f"{SOURCE}\n\n{ALSO}"}, AGENT)
    assert refusals(report) == {"write-path"}
    assert project.staged({}, HUMAN).findings == ()


@pytest.mark.parametrize(
    ("source", "step"),
    [
        (SOURCE.replace("def test_sum", "def test_plus"), "if it moved, `ledgergate collect --add`"),
        (SOURCE + "\ndef test_sum(): pass\n", "take all of these definitions but one away"),
        (SOURCE + "\ndef broken(:\n", "mend the file"),
        (None, "if it moved, `ledgergate collect --add`"),
    ],
)
def test_a_test_that_cannot_be_measured_has_the_next_step_that_fits(
    project: Project, source: str | None, step: str
) -> None:
    report = project.staged({TESTS: source}, AGENT)
    (found,) = [found for found in report.findings if found.rule == "artifact-missing"]
    assert f"\nHuman: {step}" in found.remedy
