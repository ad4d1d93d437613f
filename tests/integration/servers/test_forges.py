"""What forges tell their hooks: no variable of theirs makes another judgement."""

from __future__ import annotations

import pytest

from support.servers import Host
from support.servers.commits import Commits
from support.servers.forges import FORGES, Forge, call_as
from support.servers.guarded import MAIN

from .conftest import Made

pytestmark = pytest.mark.slow
MARK = "GL-HOOK-ERR: "


@pytest.mark.parametrize("forge", FORGES, ids=lambda forge: forge.name)
def test_the_hook_of_a_forge(made: Made, file_host: Host, commits: Commits, forge: Forge) -> None:
    guarded = made(file_host, hook=False)
    call_as(forge, guarded.path)
    refused = guarded.push(f"{commits.tampered}:{MAIN}", f"{commits.tampered}:refs/heads/release/1")
    guarded.refuses(refused, "FAIL digest-changed", "2 of 2 pushed refs refused")
    told = [line.removeprefix("remote: ") for line in refused.err.splitlines() if line.startswith("remote: ")]
    # What GitLab's pages show are the lines that begin with its mark.
    marked = [line for line in told if line.startswith(MARK)]
    assert len(marked) == (len([line for line in told if line.strip()]) if forge.env.get("GL_PROTOCOL") == "web" else 0)
    guarded.accepts(guarded.to_main(commits.signed), commits.signed)


def test_objects_that_a_network_of_forks_shares(made: Made, file_host: Host, commits: Commits) -> None:
    """GitHub keeps them in a repository beside, to which a relative path leads."""
    guarded = made(file_host)
    shared = guarded.path.parent / f"{guarded.name}-network/objects"
    shared.parent.mkdir()
    (guarded.path / "objects").rename(shared)
    (guarded.path / "objects/info").mkdir(parents=True)
    (guarded.path / "objects/info/alternates").write_text(f"../../{shared.parent.name}/objects\n", encoding="utf-8")
    guarded.refuses(guarded.to_main(commits.tampered), "FAIL digest-changed")
    guarded.accepts(guarded.to_main(commits.signed), commits.signed)
