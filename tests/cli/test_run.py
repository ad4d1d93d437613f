"""`ledgergate run` on a small project: what honest lanes are worth, and each way in which a run can be none."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

import support.gate
from support.gate import SCRIPTS, Said, gate
from support.lane_project import (
    FLAKE_ID,
    FREEZES,
    GOLDEN,
    GOLDEN_ID,
    LEDGER,
    LENGTH_ID,
    evidence,
    freezes,
    policy,
    project,
    run,
    tree,
)
from support.project import sha256
from support.repo import Repo
from support.score_schema import score_document
from support.terminal import type_to_ledgergate

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(repo: Repo) -> Repo:
    return project(repo)


def document(said: Said) -> dict[str, Any]:
    return score_document(said)


def rules(said: Said) -> set[str]:
    return {seen["rule"] for seen in document(said)["findings"]}


class TestHonestRuns:
    def test_all_is_well(self, folder: Repo) -> None:
        said = run(folder)
        found = document(said)
        assert (found["decision"], found["findings"]) == ("allow", []), said.err
        assert found["lanes"] == {"fixtures": "PASS", "properties": "PASS"}
        assert found["optional"] == {"extra": "unexecuted"}
        inputs = found["inputs"]
        assert (inputs["commit"], inputs["tree"]) == (folder.git("rev-parse", "HEAD"), tree(folder))
        assert inputs["base"] == inputs["commit"]
        assert inputs["policy"] == sha256(policy())
        assert inputs["ledger"] == sha256(LEDGER)
        assert inputs["freeze_ledger"] == sha256(json.dumps(FREEZES))

    def test_required_lanes_run_first_and_progress_is_told(self, folder: Repo) -> None:
        told = run(folder).err
        assert told.index("lane fixtures (1 of 2)") < told.index("lane properties (2 of 2)")
        assert "lane properties (2 of 2): ok, 1 ran" in told

    def test_evidence_is_kept_for_the_tree(self, folder: Repo) -> None:
        said = run(folder)
        (kept,) = evidence(folder).values()
        assert kept.name == tree(folder)
        assert {path.name for path in (kept / "reports").iterdir()} == {"fixtures.json", "properties.json"}
        assert (kept / "score.json").read_text() == said.out
        report = json.loads((kept / "reports/fixtures.json").read_text())["fixtures"]
        assert (report["tree"], report["random_seed"]) == (tree(folder), 0)
        assert document(said)["inputs"]["reports"]["fixtures"] == sha256((kept / "reports/fixtures.json").read_bytes())
        assert json.loads((kept / "lock.json").read_text())["inputs"][GOLDEN] == sha256("1")

    def test_text(self, folder: Repo) -> None:
        said = gate(folder, "run")
        assert said.status == 0
        assert said.out.endswith("ledgergate: allow; required lanes PASS\n")
        assert "{" not in said.out
        (place,) = re.findall(r"is kept in (\S+), the score in score\.json\n", said.err)
        assert json.loads((Path(place) / "score.json").read_text())["decision"] == "allow"

    @pytest.mark.parametrize("options", [(), ("--clean",)])
    def test_what_the_child_finds(self, folder: Repo, options: tuple[str, ...]) -> None:
        look = "json.dump([os.getcwd(), dict(os.environ)], open(os.environ['OUT'], 'w')); report()"
        out = folder.path.parent / "out"
        steering = {"OUT": str(out), "PYTEST_ADDOPTS": "-k nothing", "PYTHONOPTIMIZE": "1", "GIT_TRACE": "0"}
        with pytest.MonkeyPatch.context() as patch:
            for name, value in steering.items():
                patch.setenv(name, value)
            assert run(folder, *options, fixtures=look).status == 0
        where, found = json.loads(out.read_text())
        assert (Path(where) == folder.path) == (not options)
        assert not [name for name in found if name.startswith(("GIT_", "PYTEST_"))]
        assert {name for name in found if name.startswith("PYTHON")} == {"PYTHONHASHSEED", "PYTHONPYCACHEPREFIX"}
        assert (found["LEDGERGATE_TREE"], found["LEDGERGATE_SEED"]) == (tree(folder), "0")

    def test_a_linked_worktree_shares_the_evidence(self, folder: Repo) -> None:
        second = folder.path.parent / "second"
        folder.git("worktree", "add", "-q", "-b", "other", str(second))
        linked = Repo(second, init=False)
        linked.commit({"src/app.py": "x = 2\n"})
        assert run(linked, "--base", "main").status == 0
        assert set(evidence(folder)) == {linked.git("rev-parse", "HEAD^{tree}")}


FAILED = "report(violations=[{'case': cases[0], 'message': 'no'}])"
DIFFERING = f"report(differing_artifacts=[{{'case': cases[0], 'path': '{GOLDEN}'}}])"
SKIPPED = "report(skipped=True, skipped_case_ids=cases, ran_case_ids=[], executed=0)"
UNFINISHED = {"lane-incomplete", "case-missing"}
BAD_LANES: tuple[tuple[str, str, set[str]], ...] = (
    (
        "it fails",
        "report(violations=[{'case': cases[0], 'message': 'no'}]); sys.exit(1)",
        {"lane-violation", "case-failed"},
    ),
    (
        "it fails and ends well",
        "report(violations=[{'case': cases[0], 'message': 'no'}])",
        {"lane-violation", "case-failed"},
    ),
    ("a good report and a bad status", "report(); sys.exit(1)", UNFINISHED),
    ("a crash after its report", "report(); os.kill(os.getpid(), 11)", UNFINISHED),
    ("no report", "pass", UNFINISHED),
    ("no report and a bad status", "sys.exit(3)", UNFINISHED),
    ("nothing collected", "sys.exit(5)", UNFINISHED),
    (
        "an empty run that says ok",
        "report(executed=0, ran_case_ids=[])",
        {"floor-missed", "report-empty", "case-missing"},
    ),
    ("no JSON", "open(os.environ['LEDGERGATE_REPORT'], 'w').write('{')", UNFINISHED),
    ("another lane's report", "lane = 'other'; report()", {"lane-incomplete"}),
    ("two lanes in one report", "lane = 'properties'; report()", {"lane-incomplete"}),
    ("a lost case", "report(ran_case_ids=[])", {"lane-incomplete", "report-empty", "case-missing"}),
    ("a case without a row", "report(ran_case_ids=[*cases, 'tests/test_a.py::test_new'])", {"unclassified"}),
    (
        "a quarantined case cited",
        f"report(ran_case_ids=[*cases, '{FLAKE_ID}'])",
        {"quarantine-cited", "lane-incomplete"},
    ),
    ("a repeated case", "report(flaky_case_ids=cases)", {"case-flaky"}),
    ("a report of the commit before", "report(tree='a' * 40)", {"report-stale"}),
    ("an update of goldens", "report(golden_update='--snapshot-update')", {"golden-update-run", "case-missing"}),
    ("a plugin of nobody", "report(plugins=['pytest-randomly'])", {"plugin-unlisted"}),
    ("other bytes on the disk", DIFFERING, {"artifact-differs", "case-missing"}),
    ("a skip", SKIPPED, {"case-missing", "floor-missed"}),
)


@pytest.mark.parametrize(("code", "expected"), [bad[1:] for bad in BAD_LANES], ids=[bad[0] for bad in BAD_LANES])
def test_a_lane_that_is_no_pass(folder: Repo, code: str, expected: set[str]) -> None:
    said = run(folder, fixtures=code)
    assert document(said)["decision"] == "block"
    assert rules(said) >= expected
    assert rules(said) - expected <= {"lane-missing"}


def test_a_lane_at_its_cap_is_ended_with_all_that_it_started(repo: Repo) -> None:
    folder = project(repo, {"ledgergate.toml": policy(cap_s=5)})
    pids = folder.path.parent / "pids"
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    code = (
        f"child = subprocess.Popen([sys.executable, '-S', '-c', {stubborn!r}])\n"
        f"open({str(pids)!r}, 'w').write(str(child.pid)); report(); time.sleep(60)"
    )
    said = run(folder, fixtures=code)
    assert "its status is timeout" in said.out
    assert document(said)["decision"] == "block"
    assert not is_alive(int(pids.read_text()))


class TestWhatIsTested:
    @pytest.mark.parametrize(
        ("path", "content"),
        [
            ("src/app.py", "x = 2\n"),
            ("tests/test_a.py", "def test_golden(): pass\n"),
            (GOLDEN, "2"),
            ("src/new.py", ""),
            ("tests/test_new.py", ""),
            ("ignored/sitecustomize.py", ""),
            ("src/debug.log", ""),
            ("conftest.py", ""),
            ("src/app.pyc", ""),
            ("src/fake.egg-info/entry_points.txt", ""),
        ],
    )
    def test_another_working_tree_is_not_tested(self, folder: Repo, path: str, content: str) -> None:
        folder.write(path, content)
        said = run(folder)
        assert {seen["path"] for seen in document(said)["findings"] if seen["rule"] == "report-stale"} == {path}
        assert evidence(folder) == {}
        assert "lane fixtures" not in said.err

    @pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
    def test_flags_of_the_index_hide_nothing(self, folder: Repo, flag: str) -> None:
        folder.git("update-index", flag, "src/app.py")
        folder.write("src/app.py", "x = 2\n")
        assert folder.git("status", "--porcelain") == ""
        assert rules(run(folder)) == {"report-stale", "lane-missing"}

    @pytest.mark.parametrize(
        "path",
        [
            "README.md",
            "docs/notes.md",
            "src/__pycache__/app.cpython-311.pyc",
            ".pytest_cache/v/cache/lastfailed",
            "tests/.hypothesis/examples/1",
            ".venv/lib/x.py",
            "node_modules/x/index.js",
            ".coverage",
        ],
    )
    def test_what_cannot_bear_on_the_run_is_no_difference(self, folder: Repo, path: str) -> None:
        folder.write(path, "something else\n")
        assert run(folder).status == 0

    def test_a_checkout_of_its_own_knows_nothing_of_the_working_tree(self, folder: Repo) -> None:
        folder.write("src/app.py", "raise SystemExit\n")
        folder.write("src/new.py", "")
        look = "assert open('src/app.py').read() == 'x = 1\\n' and not os.path.exists('src/new.py'); report()"
        assert run(folder, "--clean", fixtures=look).status == 0
        assert (folder.path / "src/app.py").read_text() == "raise SystemExit\n"
        assert set(evidence(folder)) == {tree(folder)}
        assert folder.git("worktree", "list").count("\n") == 0

    @pytest.mark.parametrize("options", [(), ("--clean",)])
    @pytest.mark.parametrize("path", [GOLDEN, "src/app.py", "tests/test_new.py", "tests/goldens/new.snap"])
    def test_a_file_that_changes_while_lanes_run(self, folder: Repo, path: str, options: tuple[str, ...]) -> None:
        said = run(folder, *options, fixtures=f"open({path!r}, 'w').write('other'); report()")
        found = document(said)
        assert {seen["path"] for seen in found["findings"] if seen["rule"] == "report-stale"} == {path}
        assert found["decision"] == "block"
        assert evidence(folder) == {}

    def test_a_commit_that_is_made_meanwhile_is_not_what_was_tested(self, folder: Repo) -> None:
        code = (
            "open('src/app.py', 'w').write('x = 3\\n')\n"
            "subprocess.run(['git', 'commit', '-qam', 'x'], check=True)\nreport()"
        )
        assert "report-stale" in rules(run(folder, fixtures=code))

    def test_a_dirty_tree_leaves_the_evidence_of_before(self, folder: Repo) -> None:
        assert run(folder).status == 0
        folder.write("src/app.py", "x = 2\n")
        assert run(folder).status == 1
        assert set(evidence(folder)) == {tree(folder)}


class TestRulesOfTheBase:
    """Policy, floors and lanes are the base's; rows and freezes too, until somebody has vouched for others."""

    @pytest.fixture
    def branch(self, folder: Repo) -> Repo:
        folder.git("checkout", "-q", "-b", "topic")
        return folder

    def test_honest_work(self, branch: Repo) -> None:
        branch.commit({"src/app.py": "x = 2\n"})
        assert run(branch).status == 0
        assert document(run(branch))["inputs"]["base"] == branch.git("rev-parse", "main")

    def test_a_lower_floor(self, branch: Repo) -> None:
        branch.commit({"tests/freeze_ledger.json": freezes(required_lanes=["properties"], cardinality_floor={})})
        found = document(run(branch))
        assert (found["decision"], found["lanes"]) == ("block", {"fixtures": "PASS", "properties": "PASS"})
        assert {seen["rule"] for seen in found["findings"]} == {"freeze-edited"}
        assert rules(run(branch, fixtures="pass")) == {"lane-incomplete", "case-missing", "freeze-edited"}

    def test_another_command(self, branch: Repo) -> None:
        branch.commit({"ledgergate.toml": "version = 1\n"})
        found = document(run(branch))
        assert found["lanes"] == {"fixtures": "PASS", "properties": "PASS"}
        assert {seen["rule"] for seen in found["findings"]} == {"policy-edited"}

    def test_a_row_that_nobody_vouched_for(self, branch: Repo) -> None:
        new = "tests/test_a.py::test_new"
        row = f"  - id: {new}\n    class: property\n    invariant: x\n    seeds: tests/seeds/\n"
        branch.commit({"tests/ledger.yaml": LEDGER + row})
        said = run(branch, fixtures=f"report(ran_case_ids=[*cases, '{new}'])")
        by_rule = {seen["rule"]: seen for seen in document(said)["findings"]}
        assert set(by_rule) == {"unclassified", "row-added-classified"}
        seen = by_rule["unclassified"]
        assert seen["subject"] == new
        assert "counts once somebody has vouched for it" in seen["message"]
        assert run(branch, "--base", "HEAD", fixtures=f"report(ran_case_ids=[*cases, '{new}'])").status == 0

    def test_a_row_that_was_taken_out(self, branch: Repo) -> None:
        branch.commit({"tests/ledger.yaml": LEDGER.replace(LENGTH_ID, f"{LENGTH_ID}_two")})
        found = rules(run(branch, properties="report(ran_case_ids=[])"))
        assert found == {"lane-incomplete", "case-missing", "report-empty", "row-removed"}

    def test_a_digest_that_nobody_vouched_for(self, branch: Repo) -> None:
        branch.commit({GOLDEN: "2", "tests/ledger.yaml": LEDGER.replace(sha256("1"), sha256("2"))})
        said = run(branch)
        assert rules(said) == {"digest-mismatch", "digest-changed"}
        (seen,) = (seen for seen in document(said)["findings"] if seen["rule"] == "digest-mismatch")
        assert "does not hash" not in seen["message"]
        old, new = branch.git("rev-parse", "main")[:12], branch.git("rev-parse", "topic")[:12]
        assert re.findall("`[^`]*`", seen["remedy"]) == [
            f"`ledgergate ack --from {old} --to {new} --target refs/heads/main`"
        ]

    def test_a_draft_is_free(self, branch: Repo) -> None:
        draft = (
            "  - id: tests/agent_drafts/test_d.py::test_d\n    class: draft\n    source: agent\n"
            "    proposed_class: property\n    invariant: x\n"
        )
        branch.commit({"tests/ledger.yaml": LEDGER + draft, "tests/agent_drafts/test_d.py": "def test_d(): pass\n"})
        assert run(branch).status == 0

    def test_production_without_any_admitted_pass(self, branch: Repo) -> None:
        branch.commit({"src/app.py": "x = 2\n"})
        assert "no-evidence" in rules(run(branch, fixtures="pass", properties="pass"))
        branch.git("reset", "-q", "--hard", "main")
        branch.commit({"README.md": "other\n"})
        assert "no-evidence" not in rules(run(branch, fixtures="pass", properties="pass"))

    def test_a_branch_that_lacks_commits_is_told_so(self, branch: Repo) -> None:
        branch.git("checkout", "-q", "main")
        branch.commit({"src/other.py": ""})
        branch.git("checkout", "-q", "topic")
        assert "lacks commits of the base" in run(branch).err

    def test_what_the_base_got_meanwhile_is_no_change_of_the_branch(self, branch: Repo) -> None:
        branch.commit({"src/app.py": "x = 2\n"})
        branch.git("checkout", "-q", "main")
        branch.commit({"ledgergate.toml": policy() + "[freeze]\nmax_days = 20\n"})
        branch.git("checkout", "-q", "topic")
        assert run(branch).status == 0

    def test_a_branch_that_does_not_merge_is_not_scored(self, branch: Repo) -> None:
        branch.commit({"src/app.py": "x = 2\n"})
        branch.git("checkout", "-q", "main")
        branch.commit({"src/app.py": "x = 3\n"})
        branch.git("checkout", "-q", "topic")
        found = document(run(branch))
        assert (found["required_fold"], found["decision"]) == ("UNSCORED", "block")
        assert {seen["rule"] for seen in found["findings"]} == {"git-unreadable"}

    def test_a_broken_ledger_in_the_commit(self, branch: Repo) -> None:
        branch.commit({"tests/ledger.yaml": "version: 2\n"})
        assert document(run(branch))["decision"] == "block"

    def test_the_first_policy_is_judged_by_itself(self, repo: Repo) -> None:
        repo.commit({"src/app.py": "x = 1\n"})
        repo.git("checkout", "-q", "-b", "topic")
        project(repo)
        said = run(repo)
        assert said.status == 0
        assert "judged by its own" in said.err


@pytest.mark.parametrize(
    ("edit", "status"),
    [
        ({"ledgergate.toml": None}, 1),
        ({"tests/freeze_ledger.json": None}, 1),
        ({"tests/ledger.yaml": None}, 1),
        ({"ledgergate.toml": "version = 1\n"}, 1),
        ({"ledgergate.toml": "version = 2\n"}, 1),
        ({"ledgergate.toml": policy().replace("fake.py fixtures", "'fake.py")}, 1),
        ({"ledgergate.toml": policy().replace("-S fake.py fixtures", "no-such-file")}, 1),
    ],
)
def test_what_is_missing_is_no_pass(repo: Repo, edit: dict[str, str | None], status: int) -> None:
    assert run(project(repo, edit)).status == status


def test_before_the_first_commit(repo: Repo) -> None:
    assert run(repo).status == 2


class TestOptionalLanes:
    @pytest.mark.parametrize(
        ("code", "state", "decision"),
        [
            ("report(executed=1)", "PASS", "allow"),
            ("pass", "UNSCORED", "hold"),
            ("report(violations=['no'])", "FAIL", "block"),
        ],
    )
    def test_what_they_decide(self, repo: Repo, code: str, state: str, decision: str) -> None:
        folder = project(repo, {"ledgergate.toml": policy(("fixtures", "properties", "extra"))})
        ran = code.replace("report(", "report(ran_case_ids=['tests/test_a.py::test_golden'], ")
        found = document(run(folder, extra=ran))
        assert (found["optional"]["extra"], found["decision"]) == (state, decision)

    def test_a_remote_lane_is_not_run(self, repo: Repo) -> None:
        more = "[lanes.extra]\ncommand = 'false'\nremote = true\n"
        folder = project(repo, {"ledgergate.toml": policy() + more})
        assert document(run(folder))["optional"] == {"extra": "unexecuted"}


class TestOnATerminal:
    def test_progress_moves(self, folder: Repo) -> None:
        folder.env["FAKE_fixtures"] = "time.sleep(0.5); report()"
        status, screen = type_to_ledgergate(folder, "run", prompt="", keys=b"", kind="xterm-256color")
        assert status == 0, screen
        assert "lane fixtures (1 of 2): ok, 1 ran" in screen
        assert "lane fixtures (1 of 2): 0 s" in screen

    def test_a_key_interrupts_it(self, folder: Repo) -> None:
        folder.env["FAKE_fixtures"] = "print('waiting', flush=True); time.sleep(60)"
        status, screen = type_to_ledgergate(folder, "run", prompt="lane fixtures", keys=b"\x03")
        assert (status, evidence(folder)) == (130, {}), screen


class TestInterruptions:
    def start(self, folder: Repo, code: str, cap: str = "") -> tuple[subprocess.Popen[bytes], int]:
        """A run whose first lane has started a child that ignores TERM; the child's process id."""
        pids, temporary = folder.path.parent / "pids", folder.path.parent / "temporary"
        temporary.mkdir()
        stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
        started = (
            f"child = subprocess.Popen([sys.executable, '-S', '-c', {stubborn!r}])\n"
            f"name = {str(pids)!r}\nopen(name + '.part', 'w').write(str(child.pid))\nos.rename(name + '.part', name)\n"
        )
        env = {**folder.env, "FAKE_fixtures": started + code, "TMPDIR": str(temporary)}
        command = ["/bin/sh", "-c", f'{cap} exec "$0" run --clean', str(SCRIPTS / "ledgergate")]
        child = subprocess.Popen(
            command, cwd=folder.path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        deadline = time.monotonic() + 30
        while not pids.exists():
            assert time.monotonic() < deadline, child.communicate(timeout=5)
            time.sleep(0.05)
        return child, int(pids.read_text())

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_nothing_is_left(self, folder: Repo, number: signal.Signals) -> None:
        assert run(folder).status == 0
        child, grandchild = self.start(folder, "time.sleep(60)")
        child.send_signal(number)
        _, said = child.communicate(timeout=30)
        assert child.returncode == 130, said
        assert b"interrupted" in said
        assert not is_alive(grandchild)
        assert evidence(folder) == {}
        assert list((folder.path.parent / "temporary").iterdir()) == []

    def test_a_runner_that_is_killed_leaves_no_evidence(self, folder: Repo) -> None:
        assert run(folder).status == 0
        child, grandchild = self.start(folder, "time.sleep(60)")
        group = os.getpgid(grandchild)
        child.kill()
        child.communicate(timeout=30)
        assert evidence(folder) == {}
        os.killpg(group, signal.SIGKILL)

    def test_a_lane_whose_runner_is_killed_is_a_crash(self, folder: Repo) -> None:
        said = run(folder, fixtures="report(); os.kill(os.getpid(), 9)")
        assert "SIGKILL" in said.out
        assert document(said)["decision"] == "block"


@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_a_full_disk_keeps_no_evidence(folder: Repo, blocks: int) -> None:
    # No file may be longer than so many blocks of 512 bytes: git's index, a report, the score.
    command = ["/bin/sh", "-c", f'ulimit -f {blocks}; exec "$0" run', str(SCRIPTS / "ledgergate")]
    done = support.gate.said(folder, command)
    assert done.status == 1
    assert "internal-error" not in done.err
    assert evidence(folder) == {}
    assert list((folder.path / ".git").glob("ledgergate/evidence/*")) == []


def test_a_place_where_nothing_can_be_kept(folder: Repo) -> None:
    (folder.path / ".git/ledgergate").write_text("")
    said = run(folder)
    assert (said.status, said.out) == (1, "")
    assert "evidence cannot be kept" in said.err


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_row_may_pass_in_any_lane(folder: Repo) -> None:
    said = run(
        folder, fixtures=f"report(ran_case_ids=['{GOLDEN_ID}', '{LENGTH_ID}'])", properties="report(ran_case_ids=[])"
    )
    assert rules(said) == {"lane-incomplete", "report-empty"}
