"""gitolite behind an ssh server: who may push is its own affair, and what a hook says comes on top."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.servers.host import Host
from support.servers.programs import program
from support.servers.ssh import Ssh

_RC = """\
%RC = (
    UMASK => 0077,
    GIT_CONFIG_KEYS => '',
    LOCAL_CODE => "{home}/local",
    ROLES => {{ READERS => 1, WRITERS => 1 }},
    ENABLE => [ 'ssh-authkeys', 'repo-specific-hooks' ],
);
1;
"""
_CONF = """\
repo gitolite-admin
    RW+ = admin
repo plain-[0-9a-z-]+
    RW+ = pat
repo vref-[0-9a-z-]+
    RW+ = pat
    - VREF/ledgergate = @all
repo option-[0-9a-z-]+
    RW+ = pat
    option hook.pre-receive = ledgergate later
"""


class Gitolite:
    """gitolite in a home of its own. What its repositories are held to depends on how their names begin.

    `plain-`: gitolite's own hooks alone; `vref-`: the program `VREF/ledgergate` of its local code is asked for every
    ref; `option-`: the hooks `ledgergate` and `later` below `repo-specific` of its local code are called as
    pre-receive, one after the other.
    """

    def __init__(self, folder: Path, ssh: Ssh) -> None:
        self._env = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "USER": "git", "GIT_CONFIG_NOSYSTEM": "1"}
        self.local = folder / "local"
        for name in ("hooks/common", "hooks/repo-specific", "VREF"):
            (self.local / name).mkdir(parents=True)
        (folder / ".gitolite.rc").write_text(_RC.format(home=folder), encoding="utf-8")
        self.call("setup", "-a", "admin")
        (folder / ".gitolite/conf/gitolite.conf").write_text(_CONF, encoding="utf-8")
        self.call("compile")
        env = ssh.admit("pat", f"env HOME={folder} {program('gitolite-shell')} pat")
        self.host = Host("gitolite", folder / "repositories", ssh.url("{}"), env)

    def call(self, *arguments: str) -> None:
        """A command of gitolite's own, as its administrator types it."""
        done = subprocess.run(
            [program("gitolite"), *arguments], env=self._env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done

    def program(self, path: str, text: str) -> Path:
        """A program of its local code, which is there for all its repositories."""
        file = self.local / path
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
        return file
