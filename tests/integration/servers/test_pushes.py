"""Pushes to real servers: bare repositories over ssh and smart HTTP, and gitolite. (Over files: test_pre_receive.)"""

from __future__ import annotations

import pytest

from support.repo import Repo
from support.servers.commits import GUARDED, HONEST, TAMPERING, Commits
from support.servers.guarded import MAIN, Guarded

from .conftest import Made

pytestmark = pytest.mark.slow
HOSTS = ("ssh_host", "http_host", "gitolite")


@pytest.fixture(params=HOSTS)
def guarded(request: pytest.FixtureRequest, made: Made) -> Guarded:
    """A repository on each kind of server in turn."""
    if request.param == "gitolite":
        gitolite = request.getfixturevalue("gitolite")
        repository = made(gitolite.host)
        gitolite.call("setup", "--hooks-only")
        return repository
    return made(request.getfixturevalue(request.param))


def test_commits(guarded: Guarded, commits: Commits) -> None:
    guarded.refuses(guarded.to_main(commits.tampered), "FAIL digest-changed", "ledgergate: FAIL, refused")
    guarded.refuses(guarded.to_main(commits.unsigned), "UNSCORED digest-changed", "ledgergate ack")
    guarded.accepts(guarded.to_main(commits.honest), commits.honest)


def test_a_signed_approval(guarded: Guarded, commits: Commits) -> None:
    guarded.accepts(guarded.to_main(commits.signed), commits.signed)
    # It approves of the way there, and not of the way back.
    back = commits.changed({path: GUARDED[path] for path in TAMPERING}, commits.signed)
    guarded.refuses(guarded.to_main(back), "UNSCORED digest-changed", tip=commits.signed)


def test_several_refs(guarded: Guarded, commits: Commits) -> None:
    for refs in (
        [f"{commits.honest}:{MAIN}", f"{commits.tampered}:refs/heads/release/1"],
        [f"{commits.tampered}:{MAIN}", f"{commits.honest}:refs/heads/release/1"],
    ):
        guarded.refuses(guarded.push(*refs), "FAIL digest-changed", "1 of 2 pushed refs refused")
        assert not guarded.tip("refs/heads/release/1")
    done = guarded.push(f"{commits.tampered}:refs/heads/idea", f"{commits.honest}:{MAIN}")
    guarded.accepts(done, commits.honest)
    guarded.accepts(done, commits.tampered, "refs/heads/idea")
    assert "refs/heads/idea is not protected" in done.err


def test_a_forced_push(guarded: Guarded, commits: Commits) -> None:
    done = guarded.push("--force", f"{commits.forced_tampering}:{MAIN}")
    guarded.refuses(done, "FAIL digest-changed")
    guarded.accepts(guarded.push("--force", f"{commits.forced}:{MAIN}"), commits.forced)


def test_tags(guarded: Guarded, commits: Commits) -> None:
    repo = commits.repo
    for name, what in (("v1", commits.tampered), ("v2", commits.honest), ("v3", commits.blob)):
        repo.git("tag", "--force", "-a", "-m", name, name, what)
    guarded.refuses(guarded.push("v1"), "FAIL digest-changed", ref="refs/tags/v1", tip="")
    guarded.refuses(guarded.push("v3"), "UNSCORED git-unreadable", ref="refs/tags/v3", tip="")
    done = guarded.push("v2", f"{commits.tampered}:refs/tags/idea")
    guarded.accepts(done, repo.git("rev-parse", "v2"), "refs/tags/v2")
    guarded.accepts(done, commits.tampered, "refs/tags/idea")
    guarded.refuses(guarded.push(":v2"), "UNSCORED ref-deleted", ref="refs/tags/v2", tip=repo.git("rev-parse", "v2"))


def test_deletions(guarded: Guarded) -> None:
    guarded.refuses(guarded.push(f":{MAIN}"), "UNSCORED ref-deleted")
    guarded.accepts(guarded.push(":refs/heads/topic"), "", "refs/heads/topic")


def test_a_shallow_clone(guarded: Guarded, commits: Commits) -> None:
    shallow = Repo(guarded.path.parent / f"{guarded.name}-shallow", init=False)
    source = f"file://{guarded.path}"
    commits.repo.git("clone", "-q", "--depth", "1", source, str(shallow.path))
    shallow.configure()
    tampering = shallow.commit(TAMPERING)
    guarded.refuses(guarded.push(f"{tampering}:{MAIN}", of=shallow), "UNSCORED digest-changed")
    shallow.git("reset", "-q", "--hard", "HEAD~1")
    honest = shallow.commit(HONEST)
    guarded.accepts(guarded.push(f"{honest}:{MAIN}", of=shallow), honest)
