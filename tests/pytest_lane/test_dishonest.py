"""Runs that prove nothing, and those that must not start."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.project import freezes
from support.repo import clean_environment
from support.suite import FINE, GOLDEN, LOCKED, READS, A, Suite

pytestmark = pytest.mark.slow


# -- runs that prove nothing -------------------------------------------------------------------------------------------

DISHONEST = {
    "a crash": ("import os\ndef test_two(): os._exit(0)\n", None),
    "a crash with a status": ("import os\ndef test_two(): os._exit(1)\n", None),
    "an interruption": ("def test_two(): raise KeyboardInterrupt\ndef test_three(): pass\n", "crash"),
    "an exit": ("import pytest\ndef test_two(): pytest.exit('done', returncode=0)\ndef test_three(): pass\n", "crash"),
    "an exit while collecting": ("import pytest\npytest.exit('done', returncode=0)\n", "crash"),
    "a module that cannot be imported": ("import nothing_of_that_name\n", "crash"),
    "an exit on import": ("raise SystemExit(0)\n", "crash"),
}


@pytest.mark.parametrize("kind", DISHONEST)
def test_a_run_that_does_not_come_to_its_end_is_never_ok(tmp_path: Path, kind: str) -> None:
    source, status = DISHONEST[kind]
    suite = Suite(tmp_path, {A: FINE, "tests/test_b.py": source})
    # What an earlier run has left must not speak for this one.
    assert suite.lane(A).whole["status"] == "ok"
    done = suite.lane()
    assert (done.lane and done.lane["status"]) == status


@pytest.mark.parametrize(
    ("options", "status", "ending"),
    [
        (["-k", "nothing_is_called_so"], "empty", 5),
        (["--collect-only"], "empty", 0),
        (["--setup-only"], "empty", 0),
        (["tests/test_missing.py"], "crash", 4),
        (["--maxfail=1"], "crash", 1),
    ],
)
def test_a_run_of_nothing_or_of_a_part_is_no_pass(tmp_path: Path, options: list[str], status: str, ending: int) -> None:
    source = "def test_fails(): assert False\ndef test_other(): pass\n" if "--maxfail=1" in options else FINE
    done = Suite(tmp_path, {A: source}).lane(*options)
    assert (done.status, done.whole["status"], len(done.whole["violations"])) == (ending, status, int(ending == 1))


def test_a_module_that_skips_itself_is_a_skip_that_nobody_accounts_for(tmp_path: Path) -> None:
    source = "import pytest\npytest.skip('all of it', allow_module_level=True)\n"
    suite = Suite(tmp_path, {A: FINE, "tests/test_b.py": source})
    lane = suite.lane().whole
    assert (lane["status"], lane["skipped"], lane["skipped_case_ids"]) == ("ok", True, ["tests/test_b.py"])
    assert suite.lane("-n1").whole["skipped_case_ids"] == ["tests/test_b.py"]
    assert suite.lane("tests/test_b.py").whole["status"] == "empty"


def test_a_process_that_a_test_leaves_behind_writes_no_report(tmp_path: Path) -> None:
    source = "import os, time\ndef test_forks():\n    if os.fork() == 0: time.sleep(1)\n    else: os._exit(0)\n"
    suite = Suite(tmp_path, {A: source})
    assert suite.lane("-s").lane is None
    time.sleep(3)
    assert not (tmp_path / ".ledgergate/reports/fixtures.json").exists()


def test_a_verdict_of_another_plugin_is_a_violation(tmp_path: Path) -> None:
    conftest = "def pytest_sessionfinish(session): session.exitstatus = 1\n"
    done = Suite(tmp_path, {A: FINE, "conftest.py": conftest}).lane()
    assert done.whole["violations"] == [{"message": "pytest ended with status 1, and no case failed"}]


REFUSED = {
    "a ledger": ({"tests/ledger.yaml": "version: 1\nrows:\n  - id: a\n    class: nonsense\n"}, "row-invalid"),
    "no ledger": ({"ledgergate.toml": 'version = 1\nledger = ["gone.yaml"]\n'}, "ledger-missing"),
    "a policy": ({"ledgergate.toml": "version = 1\nnonsense = 2\n"}, "policy-unreadable"),
    "a freeze ledger": ({"tests/freeze_ledger.json": "{}"}, "freeze-unreadable"),
    "a freeze": ({"tests/freeze_ledger.json": freezes({"id": "fx-1"})}, "freeze-invalid"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_malformed_ends_the_run_before_it_begins(tmp_path: Path, kind: str) -> None:
    files, rule = REFUSED[kind]
    suite = Suite(tmp_path, {A: FINE})
    suite.write({".ledgergate/reports/fixtures.json": '{"fixtures": {"status": "ok"}}', **files})
    done = suite.lane()
    assert (done.status, done.lane) == (4, None)
    assert rule in done.output
    assert "Traceback" not in done.output


def test_options_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    suite = Suite(tmp_path, {A: FINE})
    for options in (
        ["--ledgergate-lane="],
        ["--ledgergate-lane=../up"],
        ["--ledgergate-report=r.json"],
        ["--ledgergate-lane=a", "--ledgergate-only=draft"],
        ["--ledgergate-shard=1/2"],
        ["--ledgergate-only=draft", "--ledgergate-shard=1/2"],
        *(["--ledgergate-lane=a", f"--ledgergate-shard={text}"] for text in ("0/2", "3/2", "2", "", "1/-2", "a/b")),
    ):
        status, output = suite.run(*options)
        assert (status, "Traceback" in output) == (4, False), output


def test_ids_have_to_begin_where_those_of_the_ledger_do(tmp_path: Path) -> None:
    suite = Suite(tmp_path, {"part/tests/test_a.py": FINE, "part/pytest.ini": "[pytest]\n"})
    refused = suite.lane("part/tests")
    assert (refused.status, refused.lane) == (4, None)
    assert f"--rootdir={tmp_path}" in refused.output
    assert suite.lane("part/tests", f"--rootdir={tmp_path}").whole["ran_case_ids"] == ["part/tests/test_a.py::test_one"]


def test_settings_above_the_tested_folder_do_not_steer_a_lane(tmp_path: Path) -> None:
    root = tmp_path / "project"
    suite = Suite(root, {A: FINE})
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = evil\n")
    refused = suite.lane("--rootdir=.")
    assert (refused.status, refused.lane) == (4, None)
    assert f"{tmp_path / 'pytest.ini'} lies outside" in refused.output
    suite.write({"pyproject.toml": "[tool.pytest.ini_options]\n"})
    assert suite.lane("--rootdir=.").whole["status"] == "ok"


UPDATER = """\
def pytest_addoption(parser):
    parser.addoption("--snapshot-update", action="store_true", default=False)
    parser.addoption("--inline-snapshot")
"""


@pytest.mark.parametrize(
    ("option", "variables"),
    [
        ("--snapshot-update", {}),
        ("--inline-snapshot=fix", {}),
        ("INLINE_SNAPSHOT_DEFAULT_FLAGS=create", {"INLINE_SNAPSHOT_DEFAULT_FLAGS": "create"}),
    ],
)
def test_a_run_that_would_rewrite_goldens_does_not_start(
    tmp_path: Path, option: str, variables: dict[str, str]
) -> None:
    suite = Suite(tmp_path, {A: "raise SystemExit('it ran')\n", "conftest.py": UPDATER})
    done = suite.lane(*([] if variables else [option]), **variables)
    assert (done.status, done.whole["status"], done.whole["golden_update"]) == (4, "crash", option)
    assert "golden-update-run" in done.output


def test_a_run_that_is_killed_leaves_no_report(tmp_path: Path) -> None:
    source = (
        "import time\nfrom pathlib import Path\ndef test_slow():\n    Path('started').touch()\n    time.sleep(60)\n"
    )
    suite = Suite(tmp_path, {A: source, ".ledgergate/reports/fixtures.json": '{"fixtures": {"status": "ok"}}'})
    child = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--ledgergate-lane=fixtures"],
        cwd=suite.root,
        env=clean_environment(tmp_path.parent),
        stdout=subprocess.DEVNULL,
    )
    while child.poll() is None and not (suite.root / "started").exists():
        time.sleep(0.01)
    child.kill()
    assert child.wait() == -9
    assert not (suite.root / ".ledgergate/reports/fixtures.json").exists()


# Each is replaced by something that raises, as a bug in it would.
FAULTS = (
    *("cases.Case.add", "cases.Case.close", "cases.Cases.executed", "cases.Note.attach", "cases.Note.attached"),
    *("watch.Watch.before", "watch.Watch.after", "scope.Drafts.hold", "scope.Scope.row_of", "frozen.Freezes.freeze_of"),
    *("plugin.lane_report", "plugin.write_json", "plugin.names_of", "examples.Counting.stop"),
)


@pytest.mark.parametrize("place", FAULTS)
def test_a_bug_in_the_plugin_itself_is_never_ok(tmp_path: Path, place: str) -> None:
    module, _, name = place.partition(".")
    conftest = f"""\
import ledgergate.pytest_lane.{module} as module

def broken(*arguments, **named):
    raise RuntimeError("a bug")

module.{name} = broken
"""
    source = f"{READS}from hypothesis import given, strategies as st\n@given(st.integers())\ndef test_p(x): pass\n"
    done = Suite(tmp_path, {A: source, GOLDEN: "golden\n", "conftest.py": conftest}, LOCKED).lane()
    assert done.status != 0
    assert done.lane is None or done.lane["status"] != "ok" or done.lane["violations"]
    assert "a bug" in done.output


PASSES = """\
    class Passes:
        def pytest_runtest_logreport(self, report): report.outcome = "passed"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("register", "listed"),
    [
        (f"{PASSES}    plugins.register(Passes())", ["test_a"]),
        (f"{PASSES}    own = Passes()\n    plugins.register(own)\n    plugins.unregister(own)", ["test_a"]),
        ("    import helper\n    plugins.register(helper)", ["helper"]),
        ("    import conftest\n    plugins.register(conftest.Fine())", []),
        ("    pass", []),
    ],
)
@pytest.mark.parametrize("workers", [[], ["-n2"]])
def test_a_plugin_that_a_test_registers_is_listed(
    tmp_path: Path, register: str, listed: list[str], workers: list[str]
) -> None:
    source = f"def test_one(request):\n    plugins = request.config.pluginmanager\n{register}\n"
    suite = Suite(tmp_path, {A: source, "tests/helper.py": "", "tests/conftest.py": "class Fine: pass\n"})
    before = suite.lane(*workers).whole["plugins"]
    (tmp_path / A).write_text("def test_one(): pass\n")
    assert set(before) - set(suite.lane(*workers).whole["plugins"]) == set(listed)
