"""The boundary, in child processes: however a run ends, its status tells the truth and is 0 only for a pass."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PRELUDE = """
import os, sys
from ledgergate.errors import LedgergateError, UsageError, run

def command():
    {body}

sys.exit(run(command))
"""


@pytest.fixture(autouse=True)
def _traces_go_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def script(body: str) -> list[str]:
    return [sys.executable, "-c", PRELUDE.format(body=body.replace("\n", "\n    "))]


FULL = (
    "ledgergate: UNSCORED: the work or its report could not be completed: [Errno 28] No space left on device\n"
    "  > Make room on that disk, or have its owner raise your quota, and run it again.\n"
)


def end(body: str, **options: object) -> subprocess.CompletedProcess[str]:
    settings: dict[str, object] = {"capture_output": True, "text": True, "timeout": 60, **options}
    return subprocess.run(script(body), check=False, **settings)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize("status", [0, 1, 2, 3, 130])
def test_a_status_of_the_command_is_the_status_of_the_run(status: int) -> None:
    done = end(f"print('report'); return {status}")
    assert (done.returncode, done.stdout, done.stderr) == (status, "report\n", "")


@pytest.mark.parametrize("value", ["None", "256", "-256", "4", "'0'", "0.5", "[]", "False", "0.0", "0j"])
def test_any_other_value_is_a_bug_and_never_a_pass(value: str) -> None:
    done = end(f"return {value}")
    assert done.returncode == 3
    assert "internal-error" in done.stderr


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("raise UsageError('no such option')", 2, "ledgergate: no such option\n"),
        (
            "raise LedgergateError('git-unreadable', 'no object 12', remedy='git fsck', path='a\\nb')",
            1,
            'ledgergate: UNSCORED: git-unreadable: no object 12 ("a\\nb")\n  > git fsck\n',
        ),
        (
            "raise LedgergateError('git-unreadable', 'forged\\nline \\x1b[2J \\udcff')",
            1,
            "ledgergate: UNSCORED: git-unreadable: forged\n    line \\x1b[2J \\udcff\n",
        ),
        (
            "raise OSError(28, 'No space left on device')",
            1,
            FULL,
        ),
        ("raise KeyboardInterrupt", 130, "ledgergate: interrupted; nothing was judged\n"),
    ],
)
def test_expected_ends_say_what_happened(body: str, status: int, said: str) -> None:
    done = end(body)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", said)


@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError('boom')",
        "raise FileNotFoundError(2, 'No such file')",
        "raise SystemExit(0)",
        "raise SystemExit",
        "raise GeneratorExit",
        "raise MemoryError",
        "return command()",
        "assert False",
        "raise UnicodeDecodeError('utf-8', b'x', 0, 1, 'bad')",
        "class Mute(Exception):\n    def __str__(self): raise RuntimeError('no')\nraise Mute",
    ],
)
def test_a_bug_is_said_to_be_one_and_leaves_its_trace(body: str, tmp_path: Path) -> None:
    done = end(body, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 3
    assert done.stderr.startswith("ledgergate: UNSCORED: internal-error: ")
    (trace,) = tmp_path.iterdir()
    assert str(trace) in done.stderr
    assert "in command" in trace.read_text()
    assert trace.stat().st_mode & 0o077 == 0


def test_without_a_place_for_the_trace_it_is_shown() -> None:
    lost = "import tempfile\ntempfile._get_default_tempdir = lambda: (_ for _ in ()).throw(FileNotFoundError('none'))\n"
    done = end(lost + "raise ValueError('boom')")
    assert done.returncode == 3
    assert "Traceback" in done.stderr
    assert "boom" in done.stderr


def test_an_unusable_folder_for_the_trace_loses_no_message(tmp_path: Path) -> None:
    done = end("raise ValueError('boom')", env={**os.environ, "TMPDIR": str(tmp_path / "none")}, cwd=tmp_path)
    assert done.returncode == 3
    assert "boom" in done.stderr
    if found := re.search(r"The trace is in (.+)", done.stderr):
        Path(found[1]).unlink()


@pytest.mark.parametrize(
    ("broken", "error", "status"),
    [
        ("_end", "ValueError", 3),
        ("_end", "OSError", 3),
        ("_end", "KeyboardInterrupt", 130),
        ("_describe_bug", "MemoryError", 3),
        ("_abandon_if_broken", "RecursionError", 3),
    ],
)
def test_a_boundary_that_fails_itself_is_no_pass_and_no_traceback(broken: str, error: str, status: int) -> None:
    body = f"import ledgergate.errors as e\ndef fail(*_): raise {error}\ne.{broken} = fail\nraise RuntimeError"
    done = end(body)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.endswith("ledgergate: UNSCORED: internal-error: what went wrong could not be reported\n")


@pytest.mark.parametrize("output", ["'x'", "'x' * 100_000"])
@pytest.mark.parametrize("status", [0, 1])
def test_a_report_that_does_not_fit_is_no_pass(output: str, status: int) -> None:
    with Path("/dev/full").open("w") as full:
        done = end(f"sys.stdout.write({output}); return {status}", capture_output=False, stdout=full, stderr=-1)
    assert done.returncode == 1
    assert done.stderr == FULL


def test_a_reader_that_went_away_is_no_pass() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        done = end("sys.stdout.write('x'); return 0", capture_output=False, stdout=pipe, stderr=-1)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_pipe_that_breaks_elsewhere_is_said() -> None:
    done = end("raise BrokenPipeError(32, 'Broken pipe')")
    assert (done.returncode, done.stdout) == (1, "")
    assert "could not be completed: [Errno 32] Broken pipe" in done.stderr


def shell(body: str, redirection: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'"$@" {redirection}', "sh", *script(body)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_closed_standard_output_is_no_pass() -> None:
    done = shell("print('report'); return 0", ">&-")
    assert done.returncode == 2
    assert done.stderr == "ledgergate: standard output is closed; there is nowhere to write the report\n"


def test_standard_output_closed_on_the_way_is_no_pass() -> None:
    assert end("sys.stdout.close(); return 0").returncode != 0
    assert end("os.close(1); print('x'); return 0").returncode != 0


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", ">/dev/full 2>&1", ">&- 2>&-"])
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("raise UsageError('x')", 2),
        ("raise LedgergateError('git-unreadable', 'x')", 1),
        ("raise KeyboardInterrupt", 130),
        ("raise ValueError('x')", 3),
    ],
)
def test_a_message_that_nobody_can_read_keeps_its_status(body: str, status: int, redirection: str) -> None:
    expected = 2 if ">&- 2>&-" in redirection else status
    assert shell(body, redirection).returncode == expected


def test_a_pass_needs_no_standard_error() -> None:
    done = shell("print('report'); return 0", "2>&-")
    assert (done.returncode, done.stdout) == (0, "report\n")
    done = shell("print('report'); print('rest', file=sys.stderr); return 0", "2>/dev/full")
    assert (done.returncode, done.stdout) == (1, "report\n")


def test_an_interrupt_from_outside_is_said() -> None:
    child = subprocess.Popen(
        script("print('ready', flush=True)\nimport time\ntime.sleep(60)\nreturn 0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (130, "ledgergate: interrupted; nothing was judged\n")


def test_a_narrow_encoding_breaks_no_report() -> None:
    done = end("print('größe \\u2028 \\udcff'); return 0", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "gr\\xf6\\xdfe \\u2028 \\udcff\n", "")


def test_the_boundary_loads_nothing_heavy_where_all_goes_well() -> None:
    body = "heavy = {'tempfile', 'traceback', 'textwrap', 'difflib'} & set(sys.modules); print(heavy); return 0"
    assert end(body).stdout == "set()\n"


ENTRIES = [
    "ledgergate.cli.main:main(['check', '--staged'])",
    "ledgergate.cli.main:main(['verify'])",
    "ledgergate.hosts.commit_msg:main(['message'])",
    "ledgergate.hosts.single_checks:ledger_edits([])",
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_installation_that_is_broken_is_said_without_a_trace(entry: str, tmp_path: Path) -> None:
    (tmp_path / "pygit2.py").write_text("raise ImportError('libgit2.so.1.9: cannot open shared object file')\n")
    module, _, call = entry.partition(":")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {module} as entry; sys.exit(entry.{call})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    said, remedy = done.stderr.splitlines()
    assert said.endswith("is broken, and nothing was judged: libgit2.so.1.9: cannot open shared object file")
    assert remedy.startswith("  > Install it")
