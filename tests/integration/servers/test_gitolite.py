"""gitolite: beside what it lets anybody do, ledgergate is its hook in one of three places."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.servers.commits import Commits
from support.servers.gitolite import Gitolite
from support.servers.guarded import MAIN, PATIENT

from .conftest import Made

pytestmark = pytest.mark.slow
_VREF = '#!/bin/sh\nexec {python} -I -m ledgergate update --config {config} "$1" "$2" "$3"\n'
_OPTION = "#!/bin/sh\nexec {python} -I -m ledgergate pre-receive --config {config}\n"


def program(gitolite: Gitolite, path: str, text: str) -> None:
    """A program of gitolite's local code, beside the configuration that holds for all its repositories."""
    config = gitolite.local / "ledgergate-server.toml"
    config.write_text(f"version = 1\nrequire = true\n{PATIENT}", encoding="utf-8")
    gitolite.program(path, text.format(python=sys.executable, config=config))


def test_as_update_hook(gitolite: Gitolite, made: Made, commits: Commits) -> None:
    """gitolite's own update hook asks the program for each ref: what one is refused for keeps no other from moving."""
    program(gitolite, "VREF/ledgergate", _VREF)
    guarded = made(gitolite.host, "vref-", hook=False)
    gitolite.call("setup", "--hooks-only")
    guarded.refuses(guarded.to_main(commits.tampered), "FAIL digest-changed", "VREF/ledgergate: helper program exit")
    done = guarded.push(f"{commits.honest}:{MAIN}", f"{commits.tampered}:refs/heads/release/1")
    assert (done.status, guarded.tip(), guarded.tip("refs/heads/release/1")) == (1, commits.honest, "")
    guarded.accepts(guarded.push(f"{commits.honest}:refs/heads/release/2"), commits.honest, "refs/heads/release/2")
    deletion = guarded.push(":refs/heads/release/2")
    guarded.refuses(deletion, "UNSCORED ref-deleted", ref="refs/heads/release/2", tip=commits.honest)


def test_as_a_hook_of_some_repositories(gitolite: Gitolite, made: Made, commits: Commits) -> None:
    """gitolite's driver of many hooks calls ours, and another after it."""
    program(gitolite, "hooks/repo-specific/ledgergate", _OPTION)
    program(gitolite, "hooks/repo-specific/later", "#!/bin/sh\nexit 0\n")
    guarded = made(gitolite.host, "option-", hook=False)
    gitolite.call("setup")
    guarded.refuses(guarded.to_main(commits.tampered), "FAIL digest-changed")
    guarded.accepts(guarded.to_main(commits.honest), commits.honest)
    # It goes by the name under which git calls it, and with this that is another: docs/server.md warns of it.
    commits.repo.git("config", "--file", str(guarded.path / "config"), "core.hooksPath", str(guarded.path / "hooks"))
    done = guarded.push("--force", f"{commits.tampered}:{MAIN}")
    guarded.accepts(done, commits.tampered)
    assert "FAIL digest-changed" in done.err


def test_for_all_repositories(gitolite: Gitolite, made: Made, commits: Commits) -> None:
    """What lies in `hooks/common` of the local code is linked into every repository, in the place of what was there."""
    common = "hooks/common/pre-receive"
    program(gitolite, common, _OPTION)
    try:
        guarded = made(gitolite.host, hook=False)
        gitolite.call("setup", "--hooks-only")
        guarded.refuses(guarded.to_main(commits.tampered), "FAIL digest-changed")
        guarded.accepts(guarded.to_main(commits.honest), commits.honest)
    finally:
        Path(gitolite.local / common).unlink()
