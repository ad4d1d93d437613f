"""The child that judges a push, and the environment that it gets."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

_PRELUDE = "import os, signal, sys, time\nfrom ledgergate.errors import LedgergateError, run\n"
_CALL = """\
from ledgergate.hosts.supervised import within
def work(settle):
    {}
sys.exit(run(lambda: within({}, work)))
"""


def within(body: str, seconds: float = 20) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-c", _PRELUDE + _CALL.format(body, seconds)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("status", [0, 1, 2, 3, 130])
def test_the_status_is_that_of_the_work(status: int) -> None:
    assert within(f"return {status}") == (status, "")


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("raise LedgergateError('git-unreadable', 'gone')", 1, "UNSCORED: git-unreadable: gone"),
        ("raise KeyError('x')", 3, "internal-error: KeyError"),
        ("return None", 3, "internal-error: TypeError"),
        ("return False", 3, "internal-error: TypeError"),
        ("sys.exit(0)", 3, "internal-error: SystemExit"),
        ("os._exit(0)", 1, "without saying that it was done"),
        ("os.kill(os.getpid(), signal.SIGKILL)", 1, "ended by signal 9"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", 1, "ended by signal 11"),
        ("print('half'); os.abort()", 1, "ended by signal 6"),
    ],
)
def test_no_way_to_end_is_a_pass(body: str, status: int, said: str) -> None:
    found = within(body)
    assert found[0] == status, found
    assert said in found[1]


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(60)",
        "while True: pass",
        # One call into C that never comes back, as libgit2's on half an object.
        "import threading; lock = threading.Lock(); lock.acquire(); signal.pthread_sigmask(signal.SIG_BLOCK, "
        "range(1, 65)); lock.acquire()",
        "import subprocess; subprocess.run(['sleep', '60'])",
    ],
    ids=["asleep", "busy", "deaf", "waiting for a child"],
)
def test_what_is_not_done_in_time_is_ended_and_refused(body: str) -> None:
    begun = time.monotonic()
    status, said = within(body, 0.5)
    assert status == 1
    assert "UNSCORED: deadline: judging took longer than the 0.5 seconds" in said
    assert "push fewer refs or commits at a time" in said
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    ("after", "status"),
    [("return 0", 0), ("time.sleep(60)", 1), ("os.kill(os.getpid(), signal.SIGKILL)", 1), ("os._exit(0)", 1)],
    ids=["done", "late", "killed", "gone"],
)
def test_no_temporary_file_outlives_the_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str, status: int
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    body = "import tempfile; print(tempfile.mkdtemp(prefix='ledgergate-')); print(os.environ['TMPDIR'], flush=True)"
    found, said = within(f"{body}; {after}", 3)
    made, folder = said.split("\n")[:2]
    assert (found, Path(made).parent, Path(folder).parent) == (status, Path(folder), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_without_a_place_for_temporary_files_a_push_that_needs_none_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    assert within("return 0") == (0, "")


def test_a_bug_leaves_one_trace_however_often_it_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for _ in range(2):
        status, said = within("import tempfile; tempfile.mkdtemp(); raise KeyError(os.getpid())")
        (trace,) = tmp_path.iterdir()
        assert (status, str(trace) in said, "KeyError" in trace.read_text()) == (3, True, True)
    assert "IndexError" in within("raise IndexError(1)")[1]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("status", [0, 1])
@pytest.mark.parametrize("body", ["time.sleep(60)", "while True: pass"])
def test_a_status_that_is_settled_stands_though_the_rest_is_late(body: str, status: int) -> None:
    found = within(f"print('said'); settle({status})\n    {body}", 0.5)
    assert found == (status, "said\nledgergate: no time was left to look at all of the refs that nobody protects\n")


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("settle(0); raise KeyError('x')", 3, "internal-error: KeyError"),
        ("settle(0); os._exit(0)", 1, "without saying that it was done"),
        ("settle(0); os.kill(os.getpid(), signal.SIGKILL)", 1, "ended by signal 9"),
        ("settle(0); return 0", 0, ""),
        ("settle(0); return 1", 1, ""),
        ("settle(1); return 1", 1, ""),
        ("settle(7); return 0", 3, "internal-error: ValueError"),
    ],
)
def test_a_status_that_is_settled_stands_for_nothing_but_what_is_late(body: str, status: int, said: str) -> None:
    found = within(body)
    assert (found[0], said in found[1]) == (status, True), found


@pytest.mark.slow
def test_the_time_before_counts_as_well() -> None:
    """A host waits for the whole hook: with the start of the interpreter, and what was read before."""
    code = f"{_PRELUDE}time.sleep(1.2)\n" + _CALL.format("time.sleep(1.5); return 0", 2)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "deadline: judging took longer than the 2 seconds" in done.stderr


def test_the_children_of_what_is_late_end_with_it() -> None:
    body = "import subprocess; p = subprocess.Popen(['sleep', '60']); print(p.pid, flush=True); p.wait()"
    status, said = within(body, 0.5)
    assert status == 1
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(int(said.split()[0]), 0)
            time.sleep(0.05)


def test_a_child_that_nobody_waits_for_ends_by_itself() -> None:
    code = _PRELUDE + _CALL.format("print(os.getpid(), flush=True); time.sleep(60)", 0.5)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(child, 0)
            time.sleep(0.05)


KEPT = {"GIT_DIR": ".", "GIT_QUARANTINE_PATH": "/q", "GIT_OBJECT_DIRECTORY": "/o", "GL_PROTOCOL": "ssh", "HOME": "/h"}
GONE = {
    "PYTHONPATH": "/x",
    "LEDGERGATE_ANY": "1",
    "GIT_CONFIG_PARAMETERS": "'a.b=c'",
    "GIT_CONFIG_COUNT": "0",
    "GIT_CONFIG_GLOBAL": "/x",
    "GIT_COMMON_DIR": "/x",
    "GIT_INDEX_FILE": "/x",
    "GIT_WORK_TREE": "/x",
    "GIT_REPLACE_REF_BASE": "refs/x",
    "GIT_TRACE": "/x",
    "GIT_PUSH_OPTION_COUNT": "1",
    "GIT_PUSH_OPTION_0": "ledgergate=off",
    "CLAUDECODE": "1",
    "LC_ALL": "C",
}


def test_only_what_git_says_is_left_of_the_environment() -> None:
    code = "import os\nfrom ledgergate.hosts import supervised as s\ns.only_what_git_says()\nprint(dict(os.environ))"
    env = {**KEPT, **GONE, "PATH": "/bin", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == {**KEPT, "PATH": "/bin"}


def test_a_cleared_environment_has_a_path() -> None:
    code = "import os\nfrom ledgergate.hosts import supervised as s\ns.only_what_git_says()\nprint(dict(os.environ))"
    done = subprocess.run([sys.executable, "-I", "-c", code], env={}, capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == {"PATH": "/usr/local/bin:/usr/bin:/bin"}


@pytest.mark.parametrize(("protocol", "mark"), [("web", "GL-HOOK-ERR: "), ("ssh", ""), ("", "")])
def test_gitlabs_pages_show_the_lines_that_are_marked(protocol: str, mark: str) -> None:
    body = "print('one\\ntwo\\nthr', end=''); print('ee'); raise LedgergateError('git-unreadable', 'gone')"
    code = _PRELUDE + "from ledgergate.hosts import supervised\nsupervised.worded_for_the_web()\n"
    code += _CALL.format(body, 20)
    env = {**os.environ, "GL_PROTOCOL": protocol}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == f"{mark}one\n{mark}two\n{mark}three\n"
    assert done.stderr == f"{mark}ledgergate: UNSCORED: git-unreadable: gone\n"
