"""`ledgergate collect`: what the ledgers lack, what is stale, what has moved, and rows for it."""

from __future__ import annotations

import json
import re
import sys

import pytest

from support.adoption import COLLECTING, init, rows
from support.gate import AS_AGENT, Said, gate
from support.repo import Captured, Repo, captured, restore

pytestmark = pytest.mark.slow

COLLECT = ("collect", "--python", sys.executable)
T = "tests/test_app.py"
SUITE = """\
import pathlib, pytest

HERE = pathlib.Path(__file__).parent

def test_golden(): assert (HERE / "goldens/a.json").read_text() == "{}"
@pytest.mark.parametrize("x", [1, 2])
def test_many(x): assert x < 3
def test_smoke(): HERE.exists()
"""
FILES = {"src/app.py": "x = 1\n", T: SUITE, "tests/goldens/a.json": "{}"}
NEW = "\ndef test_new(): assert sum([1, 1]) == 2\n"


# The repository with what `init` wrote for `FILES`, once it has.
_ADOPTED: Captured = {}


@pytest.fixture
def repo(repo: Repo) -> Repo:
    if _ADOPTED:
        restore(repo.path, _ADOPTED)
        return repo
    assert init(repo, FILES, "--inline", "--owner", "qa", command=COLLECTING).status == 0
    repo.git("add", "-A")
    repo.commit()
    _ADOPTED.update(captured(repo.path))
    return repo


def add(repo: Repo, *options: str, flag: str | None = "--add") -> Said:
    """Show what would be added, and approve exactly that."""
    options = options if flag is None else (flag, *options)
    shown = gate(repo, *COLLECT, *options)
    contract = re.search(r"--yes --contract (sha256:[0-9a-f]{64})", shown.out)
    assert contract is not None, shown
    return gate(repo, *COLLECT, *options, "--yes", "--contract", contract[1])


def holds(repo: Repo) -> bool:
    repo.git("add", "-A")
    repo.commit()
    return gate(repo, "verify").status == 0


def test_nothing_to_say(repo: Repo) -> None:
    done = gate(repo, *COLLECT)
    assert done.status == 0
    assert done.out == "4 cases collected; 4 with a row\n"
    assert "Nothing to write" in gate(repo, *COLLECT, "--add").out


def test_what_the_ledger_lacks_and_what_is_stale(repo: Repo) -> None:
    repo.write(T, SUITE.replace("def test_smoke(): HERE", "def test_smoked(): HERE.parent") + NEW)
    done = gate(repo, *COLLECT)
    assert done.status == 1
    assert f"2 tests without a row:\n  {T}::test_smoked\n  {T}::test_new\n" in done.out
    assert f"1 row without a test:\n  {T}::test_smoke (tests/ledger.yaml:" in done.out
    assert "no such test is collected" in done.out
    assert "`ledgergate collect --add`" in done.out


def test_what_is_left_before_a_commit_is_said(repo: Repo) -> None:
    suite = (
        SUITE.replace("[1, 2]", "[1, 2, 3]").replace("x < 3", "x < 4").replace("def test_smoke(): HERE.exists()\n", "")
    )
    repo.write(T, suite + NEW)
    done = add(repo)
    steps = done.out.partition("Next:\n")[2]
    assert "ledgergate collect --prune    # 1 row without a test\n" in steps
    assert "ledgergate collect --params    # 1 row with another number of cases\n" in steps
    assert "ledgergate relock --all    # 1 row whose digest no longer holds\n" in steps
    assert steps.endswith("  git commit\n")
    add(repo, flag="--prune")
    assert "collect --prune" not in add(repo, flag="--params").out.partition("Next:\n")[2]


def test_rows_whose_digest_no_longer_holds_are_named(repo: Repo) -> None:
    repo.write(T, SUITE.replace("import pathlib, pytest", "import pathlib, pytest, sys"))
    repo.write("tests/goldens/a.json", "{ }")
    said = gate(repo, *COLLECT).out
    assert f"2 rows whose digest no longer holds:\n  {T}::test_golden\n  {T}::test_many\n" in said
    assert "`ledgergate relock --all`" in said
    assert json.loads(gate(repo, *COLLECT, "--format", "json").out)["unheld"] == [
        f"{T}::test_golden",
        f"{T}::test_many",
    ]


def test_a_draft_that_cannot_be_imported_keeps_no_row(repo: Repo) -> None:
    broken = "tests/agent_drafts/test_broken.py"
    repo.write(T, SUITE.replace("def test_smoke(): HERE.exists()\n", ""))
    repo.stage({broken: "import no_such_module\n"})
    shown = gate(repo, *COLLECT)
    assert f"could not import 1 module ({broken}): ModuleNotFoundError" in shown.out
    assert "--python PATH" not in shown.out
    assert "Wrote tests/ledger.yaml." in add(repo, flag="--prune").out
    assert f"{T}::test_smoke" not in rows(repo)


def test_json_says_the_same(repo: Repo) -> None:
    repo.write(T, SUITE.replace("[1, 2]", "[1]").replace("def test_smoke(): HERE", "def test_smoked(): HERE.parent"))
    done = gate(repo, *COLLECT, "--format", "json")
    found = json.loads(done.out)
    assert done.status == 1
    assert found["unclassified"] == [{"id": f"{T}::test_smoked", "function": f"{T}::test_smoked"}]
    assert [(row["id"].partition("::")[2], row["why"]) for row in found["stale"]] == [
        ("test_many", "1 case is collected, and the row wants 2"),
        ("test_smoke", "no such test is collected"),
    ]
    assert (found["schema"], found["problem"], found["cases"], found["moved"]) == ("ledgergate-collect.v1", None, 3, [])


def test_the_list_form_is_that_of_pytest(repo: Repo) -> None:
    repo.write(T, SUITE + NEW)
    ids = ["test_golden", "test_many[1]", "test_many[2]", "test_smoke", "test_new"]
    done = gate(repo, *COLLECT, "--format", "pytest")
    assert (done.status, done.out) == (0, "".join(f"{T}::{name}\n" for name in ids))
    repo.write("ids", gate(repo, *COLLECT, "--format", "pytest", "--unclassified").out)
    ran = repo.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "@ids")
    assert "1 passed" in ran.stdout.decode()


def test_a_run_of_what_is_evidence_passes_the_gate(repo: Repo) -> None:
    repo.write("tests/agent_drafts/test_d.py", "def test_d(): assert 0\n")
    repo.write("evidence", gate(repo, *COLLECT, "--format", "pytest", "--evidence").out)
    assert (repo.path / "evidence").read_text() == "".join(
        f"{T}::{name}\n" for name in ("test_golden", "test_many[1]", "test_many[2]")
    )
    repo.write("collected", gate(repo, *COLLECT, "--format", "pytest").out)
    repo.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "@evidence", "--junitxml=junit.xml")
    done = gate(repo, "gate", "tests/ledger.yaml", "junit.xml", "--collected", "collected")
    assert (done.status, done.out) == (0, "ledgergate: PASS; 3 cases reported; 2 rows admitted; 1 check ran\n")


@pytest.mark.parametrize(
    ("suite", "said", "params"),
    [
        (SUITE.replace("[1, 2]", "[1]"), "params 2, 1 case that would run", 1),
        (SUITE.replace("[1, 2]", "[0, 1, 2]"), "params 2, 3 cases that would run", 3),
        (
            SUITE.replace("[1, 2]", "[1, pytest.param(2, marks=pytest.mark.skip)]"),
            "params 2, 1 case that would run",
            1,
        ),
        (
            SUITE.replace('@pytest.mark.parametrize("x", [1, 2])\ndef test_many(x)', "x = 1\ndef test_many()"),
            "params 2, and the test has no parameters",
            None,
        ),
    ],
    ids=["fewer", "more", "skipped", "none"],
)
def test_the_number_of_cases_is_followed_when_a_human_approves(
    repo: Repo, suite: str, said: str, params: int | None
) -> None:
    repo.write(T, suite)
    assert f"  {T}::test_many: {said}\n`ledgergate collect --params`" in gate(repo, *COLLECT).out
    assert gate(repo, *COLLECT, "--params", env=AS_AGENT).status == 1
    done = add(repo, "--params", flag=None)
    assert done.status == 0, done
    assert rows(repo)[f"{T}::test_many"].get("params") == params
    assert "Nothing to write" in gate(repo, *COLLECT, "--params").out


def test_new_tests_get_rows_with_one_confirmation(repo: Repo) -> None:
    before = (repo.path / "tests/ledger.yaml").read_bytes()
    more = "\ndef test_vague(): assert HERE\n\ndef test_read(): assert (HERE / 'goldens/a.json').exists() is True\n"
    repo.write(T, SUITE + NEW + more)
    shown = gate(repo, *COLLECT, "--add")
    assert shown.status == 1
    for line in (
        f"+ {T}::test_new\n",
        f"    artifact: {T}::test_new\n",
        "    (has a check that can fail)\n",
        "    artifact: tests/goldens/a.json\n",
        "    (reads a golden file)\n",
        "    owner: qa\n",
    ):
        assert line in shown.out, shown
    assert (repo.path / "tests/ledger.yaml").read_bytes() == before
    done = add(repo)
    assert done.status == 0, done
    assert [id_.partition("::")[2] for id_ in rows(repo)] == sorted(
        ["test_golden", "test_many", "test_smoke", "test_new", "test_read", "test_vague"]
    )
    assert done.out.endswith("Staged it.\nNext:\n  git add -- tests/test_app.py\n  git commit\n")
    assert holds(repo)
    assert gate(repo, *COLLECT).status == 0


def test_another_contract_is_refused(repo: Repo) -> None:
    repo.write(T, SUITE + NEW)
    before = (repo.path / "tests/ledger.yaml").read_bytes()
    done = gate(repo, *COLLECT, "--add", "--yes", "--contract", f"sha256:{'0' * 64}")
    assert done.status == 1
    assert "not what was approved" in done.err
    assert (repo.path / "tests/ledger.yaml").read_bytes() == before


def test_an_agent_may_look_and_not_add(repo: Repo) -> None:
    repo.write(T, SUITE + NEW)
    before = (repo.path / "tests/ledger.yaml").read_bytes()
    assert "1 test without a row" in gate(repo, *COLLECT, env=AS_AGENT).out
    refused = gate(repo, *COLLECT, "--add", env=AS_AGENT)
    assert refused.status == 1
    assert "`ledgergate collect --add` is for humans" in refused.err
    assert (repo.path / "tests/ledger.yaml").read_bytes() == before


MOVES = {
    "another file": {T: None, "tests/test_moved.py": SUITE},
    "another folder, with its goldens": {
        T: None,
        "tests/goldens/a.json": None,
        "tests/unit/test_app.py": SUITE,
        "tests/unit/goldens/a.json": "{}",
    },
}


@pytest.mark.parametrize("committed", [False, True])
def test_rows_follow_tests_that_move(committed: bool, repo: Repo) -> None:
    (repo.path / T).rename(repo.path / "tests/test_moved.py")
    if committed:
        repo.git("add", "-A")
        repo.commit()
    done = gate(repo, *COLLECT)
    assert done.status == 1
    assert f"  {T}::test_many\n    -> tests/test_moved.py::test_many\n" in done.out
    if committed:
        return
    assert "3 rows whose test has moved:" in done.out
    assert add(repo).status == 0
    found = rows(repo)
    assert list(found) == [f"tests/test_moved.py::{name}" for name in ("test_golden", "test_many", "test_smoke")]
    assert found["tests/test_moved.py::test_many"]["artifact"] == "tests/test_moved.py::test_many"
    assert found["tests/test_moved.py::test_smoke"]["owner"] == "qa"
    assert holds(repo)


def test_a_renamed_function_keeps_its_row(repo: Repo) -> None:
    repo.write(T, SUITE.replace("def test_many", "def test_few"))
    assert f"  {T}::test_many\n    -> {T}::test_few\n" in gate(repo, *COLLECT).out
    assert add(repo).status == 0
    row = rows(repo)[f"{T}::test_few"]
    assert (row["artifact"], row["params"]) == (f"{T}::test_few", 2)
    assert f"{T}::test_many" not in rows(repo)
    assert holds(repo)


def test_a_test_of_the_same_name_that_does_other_things_has_not_moved(repo: Repo) -> None:
    repo.write(
        "tests/test_moved.py",
        SUITE.replace("x < 3", "x < 4").replace('== "{}"', '!= "x"').replace(".exists", ".is_dir"),
    )
    (repo.path / T).unlink()
    done = gate(repo, *COLLECT)
    assert "has moved" not in done.out
    assert "3 rows without a test:" in done.out
    assert "its file is gone" in done.out


def test_a_test_that_gets_parameters_keeps_its_row(repo: Repo) -> None:
    repo.write(T, SUITE.replace("def test_smoke()", "@pytest.mark.parametrize('y', 'abc')\ndef test_smoke(y)"))
    assert "3 parametrised cases, and the row covers them only with `params:`" in gate(repo, *COLLECT).out
    assert add(repo).status == 0
    row = rows(repo)[f"{T}::test_smoke"]
    assert (row["class"], row["params"], row["opened"]) == ("quarantine", 3, row["opened"])
    assert gate(repo, *COLLECT).status == 0


def test_drafts_get_draft_rows(repo: Repo) -> None:
    repo.write("tests/agent_drafts/test_d.py", "def test_d(): assert 1 + 1 == 2\n")
    assert add(repo).status == 0
    row = rows(repo)["tests/agent_drafts/test_d.py::test_d"]
    assert (row["class"], row["source"], row["proposed_class"]) == ("draft", "agent", "locked_fixture")
    assert holds(repo)


def test_a_module_that_cannot_be_imported_is_no_pass(repo: Repo) -> None:
    repo.write(T, "import no_such_module\n" + SUITE)
    for options in ((), ("--format", "json"), ("--format", "pytest"), ("--add",)):
        done = gate(repo, *COLLECT, *options)
        assert done.status == 1, options
        assert "no_such_module" in done.out + done.err
    # Whether its tests are gone nobody can tell.
    assert "without a test" not in gate(repo, *COLLECT).out


def test_without_an_owner_what_proves_nothing_stays_without_a_row(repo: Repo) -> None:
    smoke = f"{T}::test_smoke"
    ledger = (repo.path / "tests/ledger.yaml").read_text(encoding="utf-8")
    repo.write("tests/ledger.yaml", ledger[: ledger.index(f"  - id: {smoke}")])
    done = gate(repo, *COLLECT, "--add")
    assert done.status == 1
    assert "1 test without a proposal: no check that can fail (--owner NAME puts it in quarantine)" in done.err
    assert add(repo, "--owner", "infra").status == 0
    assert rows(repo)[smoke]["owner"] == "infra"


def test_rows_go_to_the_nearest_ledger(repo: Repo) -> None:
    other = Repo(repo.path.parent / "other")
    test = "def test_x(): assert [1] == list(range(1, 2))\n"
    files = {
        f"services/{name}/{path}": text
        for name in "ab"
        for path, text in (("pyproject.toml", ""), ("tests/test_m.py", test))
    }
    assert init(other, files, "--inline", command=COLLECTING).status == 0
    other.write("services/b/tests/test_n.py", test)
    assert add(other).status == 0
    assert len(rows(other, "services/a/tests/ledger.yaml")) == 1
    assert len(rows(other, "services/b/tests/ledger.yaml")) == 2


ODD = [
    ("--owner", "x"),
    ("--yes", "--contract", "sha256:0"),
    ("--add", "--format", "json"),
    ("--unclassified",),
    ("--add", "--owner", " "),
    ("--add", "--yes"),
]


@pytest.mark.parametrize("options", ODD)
def test_options_that_do_not_go_together(options: tuple[str, ...], repo: Repo) -> None:
    assert gate(repo, *COLLECT, *options).status == 2


class TestRowsOfTestsThatAreGone:
    def prune(self, repo: Repo, *options: str) -> Said:
        shown = gate(repo, *COLLECT, "--prune", *options)
        contract = re.search(r"--contract (sha256:[0-9a-f]{64})", shown.out)
        assert contract is not None, shown
        return gate(repo, *COLLECT, "--prune", *options, "--yes", "--contract", contract[1])

    def test_they_go_when_a_human_approves(self, repo: Repo) -> None:
        repo.write(T, SUITE.replace("def test_smoke", "def smoke"))
        shown = gate(repo, *COLLECT, "--prune")
        assert f"- {T}::test_smoke\n    class: quarantine\n    (no such test is collected)" in shown.out
        assert f"{T}::test_smoke" in rows(repo)
        assert self.prune(repo).status == 0
        assert list(rows(repo)) == [f"{T}::test_golden", f"{T}::test_many"]
        assert gate(repo, *COLLECT).status == 0

    def test_a_floor_that_is_out_of_reach_is_named(self, repo: Repo) -> None:
        repo.write(T, SUITE.replace("def test_golden", "def golden"))
        done = self.prune(repo)
        assert "can no longer reach its floor" in done.err
        assert "ledgergate collect --floors" in done.out

    def test_with_add_what_moved_follows_and_what_is_gone_goes(self, repo: Repo) -> None:
        (repo.path / T).unlink()
        repo.write("tests/test_moved.py", SUITE.replace("def test_smoke", "def smoke"))
        assert self.prune(repo, "--add").status == 0
        assert list(rows(repo)) == [f"tests/test_moved.py::{name}" for name in ("test_golden", "test_many")]

    def test_not_for_an_agent(self, repo: Repo) -> None:
        repo.write(T, SUITE.replace("def test_smoke", "def smoke"))
        refused = gate(repo, *COLLECT, "--prune", env=AS_AGENT)
        assert refused.status == 1
        assert "`ledgergate collect --prune` is for humans" in refused.err

    def test_a_suite_that_cannot_be_collected_loses_no_row(self, repo: Repo) -> None:
        repo.write(T, "import no_such_module\n" + SUITE)
        done = gate(repo, *COLLECT, "--prune")
        assert done.status == 1
        assert "--contract" not in done.out

    def test_lost_parameters_are_no_test_that_is_gone(self, repo: Repo) -> None:
        repo.write(T, SUITE.replace("[1, 2]", "[1]"))
        assert "Nothing to write" in gate(repo, *COLLECT, "--prune").out
