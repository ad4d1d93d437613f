"""Commands under a cap: how they end, what becomes of what they started, and what of their output is kept."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledgergate.lanes import child
from ledgergate.lanes.child import Ended, run_capped

pytestmark = pytest.mark.slow

PROGRAM = """\
import os, signal, subprocess, sys, time
def start(code, **more):
    return subprocess.Popen([sys.executable, "-S", "-c", "import os, signal, time\\n" + code], **more)
def told(*pids):
    with open("pids", "w") as file:
        file.write(" ".join(map(str, pids)))
"""
DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)"


def run(folder: Path, code: str, cap_s: float = 30) -> Ended:
    return run_capped([sys.executable, "-S", "-c", PROGRAM + code], folder, dict(os.environ), cap_s)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def survivors(folder: Path) -> list[int]:
    pids = [int(pid) for pid in (folder / "pids").read_text(encoding="ascii").split()]
    assert pids
    deadline = time.monotonic() + 5
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return list(filter(is_alive, pids))


@pytest.mark.parametrize(
    ("code", "status"),
    [("", 0), ("sys.exit(5)", 5), ("os.kill(os.getpid(), 9)", -9), ("os._exit(139)", 139), ("raise ValueError", 1)],
)
def test_how_it_ended(tmp_path: Path, code: str, status: int) -> None:
    ended = run(tmp_path, code)
    assert (ended.status, ended.is_late, ended.problem) == (status, False, None)


@pytest.mark.parametrize("command", [["no-such-command"], ["./not-executable"], ["."], ["a\0b"]])
def test_what_cannot_be_started(tmp_path: Path, command: Sequence[str]) -> None:
    (tmp_path / "not-executable").write_text("")
    ended = run_capped(command, tmp_path, dict(os.environ), 5)
    assert ended.status is None
    assert ended.problem is not None


def test_a_listener_ends_itself_at_the_cap(tmp_path: Path) -> None:
    code = "signal.signal(signal.SIGTERM, lambda *_: (print('tidied', flush=True), sys.exit(0)))\ntime.sleep(60)"
    ended = run(tmp_path, code, 1)
    assert ended.is_late
    assert ended.output == b"tidied\n"
    assert ended.seconds < 1 + child.GRACE_S


def test_who_does_not_listen_is_made_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "GRACE_S", 0.5)
    inner = f"inner = start({DEAF!r}, stdout=subprocess.PIPE); inner.stdout.readline()"
    code = f"{inner}\ntold(os.getpid(), inner.pid)\n{DEAF}"
    ended = run(tmp_path, code, 2)
    assert ended.is_late
    assert survivors(tmp_path) == []


@pytest.mark.parametrize("closing", ["", ", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL"])
def test_what_is_left_in_the_background_ends_with_it(tmp_path: Path, closing: str) -> None:
    started = time.monotonic()
    ended = run(tmp_path, f"told(start('time.sleep(60)'{closing}).pid)")
    assert (ended.status, ended.is_late) == (0, False)
    assert survivors(tmp_path) == []
    assert time.monotonic() - started < 20


def test_a_daemon_in_a_session_of_its_own_keeps_nobody_waiting(tmp_path: Path) -> None:
    ended = run(tmp_path, "told(start('time.sleep(60)', start_new_session=True).pid)")
    assert ended.status == 0
    assert ended.seconds < 20
    os.kill(int((tmp_path / "pids").read_text(encoding="ascii")), 9)


def test_a_flood_of_output_is_read_and_its_end_kept(tmp_path: Path) -> None:
    ended = run(tmp_path, "for _ in range(200): os.write(1, b'x' * 100_000)\nos.write(2, b'the end')")
    assert ended.status == 0
    assert len(ended.output) <= 1 << 16
    assert ended.output.endswith(b"xthe end")


def test_a_flood_without_end_is_ended_at_the_cap(tmp_path: Path) -> None:
    assert run(tmp_path, "while True: os.write(1, b'x' * 100_000)", 1).is_late


def test_closed_streams(tmp_path: Path) -> None:
    ended = run(tmp_path, "os.close(1); os.close(2); time.sleep(0.5); os._exit(3)")
    assert (ended.status, ended.output) == (3, b"")


def test_an_interruption_ends_the_group(tmp_path: Path) -> None:
    def interrupt(_: float) -> None:
        if (tmp_path / "pids").exists():
            raise KeyboardInterrupt

    code = "told(os.getpid(), start('time.sleep(60)').pid); time.sleep(60)"
    with pytest.raises(KeyboardInterrupt):
        run_capped([sys.executable, "-S", "-c", PROGRAM + code], tmp_path, dict(os.environ), 60, interrupt)
    assert survivors(tmp_path) == []


@pytest.mark.parametrize("name", ["_Output", "_watch", "_ask_to_end"])
def test_a_fault_of_ours_ends_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def fail(*_: object) -> None:
        while not (tmp_path / "pids").exists() or not (tmp_path / "pids").stat().st_size:
            time.sleep(0.05)
        raise MemoryError

    monkeypatch.setattr(child, name, fail)
    with pytest.raises(MemoryError):
        run(tmp_path, f"told(os.getpid(), start({DEAF!r}).pid); time.sleep(60)", 2)
    assert survivors(tmp_path) == []


def test_it_says_how_long_it_has_been_running(tmp_path: Path) -> None:
    seen: list[float] = []
    run_capped([sys.executable, "-c", "import time; time.sleep(0.5)"], tmp_path, dict(os.environ), 60, seen.append)
    assert len(seen) > 2
    assert seen == sorted(seen)
