"""Time a server's hook on a push of many commits to a large repository, and take its peak memory.

Run: python bench/pre_receive.py [--files 27000] [--commits 10000] [--rows 10000] [--runs 5]

Two pushes to main are judged: one that touches nothing protected, and one in which a commit gives a golden other bytes
and its row another digest, which a signer has approved. Prints wall time and memory (of the largest process) of the
whole hook, beside those of `python -I -c "import pygit2"`, and its time as a multiple of `git rev-list --count` and
`git diff-tree -r` of the two tips. The bars: 0.5 s and 150 MB more than the start-up, and 1 s more than that with the
approved change. The repository is made anew, the same each time but for the signer's key.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from range_check import Commit, encode, start, topic
from staged_check import git, git_environment

_SIGNER = "kim@example.org"
_FLOOR = [sys.executable, "-I", "-c", "import pygit2"]
_LEDGERGATE = [sys.executable, "-I", "-m", "ledgergate"]
# A busy machine shall show its time, not the deadline.
_CONFIG = "version = 1\ndeadline_s = 600\n"


# A process of its own, and a small one: a child begins with the memory of whoever starts it.
_TIMER = """
import os, sys, time
begun = time.perf_counter()
quiet = os.open(os.devnull, os.O_WRONLY)
child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1)])
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Taken(NamedTuple):
    """What one process took with its children: seconds, those of CPU, and the megabytes of the largest of them."""

    seconds: float
    cpu: float
    megabytes: float


def stream(files: int, commits: int, rows: int, signers: str) -> Iterator[bytes]:
    """The repository as `git fast-import` takes it: main, and two branches off it that have taken it in."""
    ledger, names, base = start(files, rows)
    yield encode(Commit("main", 1, None, {**base, ".ledgergate/allowed_signers": signers}))
    yield encode(Commit("main", 2, 1, {names[-1]: "y = 1\n"}))
    for number, (branch, who) in enumerate((("plain", None), ("acked", "agent")), 1):
        for commit in topic(branch, who, commits, names, ledger, drafts=False):
            yield encode(commit, number * 1_000_000)


def build(folder: Path, files: int, commits: int, rows: int) -> None:
    key = folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
    kind, public = Path(f"{key}.pub").read_text().split()[:2]
    signers = f'{_SIGNER} namespaces="ledgergate-ack" {kind} {public}\n'
    repository = folder / "repository"
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main")
    git(repository, "fast-import", "--quiet", stdin=b"".join(stream(files, commits, rows, signers)))
    git(repository, "checkout", "-q", "acked")
    ack = ["ack", "--from", "main", "--to", "acked", "--target", "refs/heads/main", "--key", str(key)]
    shown = run([*_LEDGERGATE, *ack], repository, 1)
    contract = shown.rpartition("--contract ")[2].split()[0]
    run([*_LEDGERGATE, *ack, "--yes", "--contract", contract], repository, 0)
    git(repository, "-c", "user.name=Kim", "-c", f"user.email={_SIGNER}", "commit", "-q", "-m", "Approve")
    (folder / "server.toml").write_text(_CONFIG)


def run(command: list[str], folder: Path, status: int) -> str:
    done = subprocess.run(command, cwd=folder, check=False, env=git_environment(), capture_output=True, text=True)
    assert done.returncode == status, (done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout + done.stderr


def taken(command: list[str], folder: Path, stdin: str = "") -> Taken:
    """What one run takes, which must end well."""
    timed = [sys.executable, "-I", "-S", "-c", _TIMER, *command]
    done = subprocess.run(
        timed, cwd=folder, check=True, env=git_environment(), input=stdin.encode(), stdout=subprocess.PIPE
    )
    seconds, cpu, kilobytes = done.stdout.split()[-3:]
    return Taken(float(seconds), float(cpu), int(kilobytes) / (1024 if sys.platform == "linux" else 1024 * 1024))


def show(what: str, runs: list[Taken], floor: Taken | None = None) -> Taken:
    """Print what some runs took, and give the least of each: other work on the machine only ever adds to it."""
    median = statistics.median(one.seconds for one in runs)
    least = Taken(*map(min, zip(*runs, strict=True)))
    times = f"median {median * 1000:5.0f} ms, least {least.seconds * 1000:5.0f} ms ({least.cpu * 1000:.0f} ms of CPU)"
    said = f"{what + ':':<22} {times}, {least.megabytes:.0f} MB"
    if floor is not None:
        seconds, cpu, megabytes = (ours - theirs for ours, theirs in zip(least, floor, strict=True))
        said += f": +{seconds:.2f} s (+{cpu:.2f} s of CPU), +{megabytes:.0f} MB"
    print(said)
    return least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=27_000)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ledgergate-bench-") as name:
        folder = Path(name)
        build(folder, options.files, options.commits, options.rows)
        print(f"{options.files} files, {options.commits} commits, {options.rows} rows, {options.runs} runs each")
        measure(folder, options.runs)


def measure(folder: Path, runs: int) -> None:
    repository = folder / "repository"
    hook = [*_LEDGERGATE, "pre-receive", "--config", str(folder / "server.toml")]
    # Once for the byte code.
    taken(_FLOOR, repository)
    floor = show("import pygit2", [taken(_FLOOR, repository) for _ in range(runs)])
    for branch in ("plain", "acked"):
        old, new = run(["git", "rev-parse", "main", branch], repository, 0).split()
        taken(hook, repository, f"{old} {new} refs/heads/main\n")
        hooked = show(
            f"pre-receive, {branch}",
            [taken(hook, repository, f"{old} {new} refs/heads/main\n") for _ in range(runs)],
            floor,
        )
        for command in (["git", "rev-list", "--count", new, f"^{old}"], ["git", "diff-tree", "-r", old, new]):
            by_git = show(" ".join(command[:3]), [taken(command, repository) for _ in range(runs)])
            print(f"{'':<22} the hook takes {hooked.seconds / by_git.seconds:.1f} times as long")


if __name__ == "__main__":
    main()
