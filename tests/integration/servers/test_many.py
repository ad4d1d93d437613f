"""Two hundred pushes to one server, eight at a time: every tampering one is refused, every honest one accepted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from support.gate import Said, honest
from support.repo import Repo
from support.servers.commits import HONEST, TAMPERING, Commits
from support.servers.guarded import MAIN, Guarded, install
from support.servers.http import BARE_ENVIRONMENT, serving_http
from support.servers.processes import working_in

pytestmark = pytest.mark.slow
AT_ONCE = 8
ON_BRANCHES, ON_MAIN = 90, 10
REASON = "FAIL digest-changed"


class Job(NamedTuple):
    """A commit, and the ref that it is pushed to; one for main waits its turn."""

    commit: str
    ref: str
    is_honest: bool


def stream(commits: Commits) -> Iterator[bytes]:
    """Every commit of its own, on top of the tip, as `git fast-import` reads them."""
    for number in range(2 * (ON_BRANCHES + ON_MAIN)):
        is_honest = number % 2 == 0
        edit = HONEST if is_honest else TAMPERING
        yield f"commit refs/many/{number}\ncommitter C <c@example.org> 1780000000 +0000\n".encode()
        message = f"{number}\n\n" + ("" if is_honest else "Co-Authored-By: Claude <noreply@anthropic.com>\n")
        yield b"data %d\n%b\nfrom %b\n" % (len(message), message.encode(), commits.tip.encode())
        for path, content in {**edit, f"src/{number}.py": "x = 1\n"}.items():
            data = content.encode() if isinstance(content, str) else content or b""
            yield b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data)


def jobs(commits: Commits) -> list[Job]:
    commits.repo.git("fast-import", "--quiet", "--force", stdin=b"".join(stream(commits)))
    made = commits.repo.git("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/many").splitlines()
    found = sorted((int(number), commit) for number, _, commit in (line.partition(" ") for line in made))
    return [
        Job(commit, MAIN if number >= 2 * ON_BRANCHES else f"refs/heads/release/{number}", number % 2 == 0)
        for number, commit in found
    ]


class Pusher:
    """Pushes one job, and a commit for main again on top of what came first, as its author would."""

    def __init__(self, guarded: Guarded) -> None:
        self._guarded = guarded
        self._repo = guarded.commits.repo

    def push(self, job: Job) -> tuple[Job, Said, str]:
        """The job, how its last push ended, and what that pushed."""
        # By force, so that git leaves it to the hook to refuse.
        force = () if job.is_honest else ("--force",)
        commit = job.commit
        while True:
            done = honest(self._guarded.push(*force, f"{commit}:{job.ref}"))
            if not job.is_honest or job.ref != MAIN or not came_second(done):
                return job, done, commit
            commit = self._again(job.commit)

    def _again(self, commit: str) -> str:
        there = f"refs/there/{commit}"
        self._repo.git("fetch", "-q", self._guarded.host.address(self._guarded.name), f"+{MAIN}:{there}")
        tree = self._repo.git("merge-tree", "--write-tree", there, commit)
        return self._repo.git("commit-tree", "-p", there, "-m", "again", tree)


def came_second(done: Said) -> bool:
    """Whether git found that the ref had moved meanwhile, before the hook was asked or after it."""
    return done.status != 0 and "ledgergate" not in done.err


@pytest.fixture
def guarded(servers_folder: Path, template: Path, commits: Commits) -> Iterator[Guarded]:
    """A repository on a server of its own, whose hooks keep their files of a moment in a folder of their own."""
    (servers_folder / "many-tmp").mkdir()
    env = {**BARE_ENVIRONMENT, "TMPDIR": str(servers_folder / "many-tmp")}
    with serving_http(servers_folder / "many", env) as host:
        shutil.copytree(template, host.path("many"))
        install(host.path("many"))
        yield Guarded(host, "many", commits)


def test_two_hundred_pushes(guarded: Guarded, commits: Commits, servers_folder: Path) -> None:
    todo = jobs(commits)
    assert len(todo) == 200
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ended = list(pool.map(Pusher(guarded).push, todo))
    for job, done, commit in ended:
        assert (done.status == 0) == job.is_honest, (job, done)
        if job.is_honest:
            assert guarded.tip(job.ref) == commit or job.ref == MAIN, job
        else:
            assert REASON in done.err, (job, done)
            assert not guarded.tip(job.ref) or job.ref == MAIN, job
    landed = Repo(guarded.path, init=False).git("ls-tree", "-r", "--name-only", MAIN, "src").splitlines()
    on_main = {f"src/{number}.py" for number in range(2 * ON_BRANCHES, len(todo), 2)}
    assert set(landed) == {"src/app.py", *on_main}
    assert guarded.left_over() == []
    assert list((servers_folder / "many-tmp").iterdir()) == []
    assert working_in(guarded.path) == {}
