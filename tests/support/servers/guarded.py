"""A repository on a server that ledgergate guards, and pushes to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from support.gate import Said, gate, honest, said
from support.repo import Repo
from support.servers.commits import Commits
from support.servers.host import Host

MAIN = "refs/heads/main"
_PATIENCE = 60
USUAL = "deadline_s = 4.5\n"
# A busy machine is no failure.
PATIENT = "deadline_s = 60\n"


def make_template(path: Path, commits: Commits) -> Path:
    """A bare repository that has the tip on main and on a topic, and no hook."""
    server = Repo(path, bare=True)
    (path / "hooks").mkdir()
    server.git("config", "receive.advertisePushOptions", "true")
    commits.repo.git("push", "-q", str(path), f"{commits.tip}:{MAIN}", f"{commits.tip}:refs/heads/topic")
    return path


def install(path: Path, *options: str) -> Path:
    """Let `ledgergate install --server` put its hook into a repository; where the configuration lies."""
    done = gate(Repo(path, init=False), "install", "--server", str(path), *options)
    assert done.status == 0, done
    (config,) = path.rglob("ledgergate-server.toml")
    text = config.read_text(encoding="utf-8")
    assert USUAL in text
    config.write_text(text.replace(USUAL, PATIENT), encoding="utf-8")
    return config


class Guarded(NamedTuple):
    """A repository on a host, by its name."""

    host: Host
    name: str
    commits: Commits

    @property
    def path(self) -> Path:
        return self.host.path(self.name)

    def push(self, *arguments: str, env: Mapping[str, str] | None = None, of: Repo | None = None) -> Said:
        """A push of `COMMIT:REF`s, or with any arguments, from the clone or another."""
        command = ["git", "push", self.host.address(self.name), *arguments]
        return said(of or self.commits.repo, command, {**self.host.env, **(env or {})}, _PATIENCE)

    def to_main(self, commit: str, env: Mapping[str, str] | None = None) -> Said:
        return self.push(f"{commit}:{MAIN}", env=env)

    def tip(self, ref: str = MAIN) -> str:
        """What the server has at a ref; empty for nothing."""
        return Repo(self.path, init=False).git("-c", "safe.directory=*", "for-each-ref", "--format=%(objectname)", ref)

    def left_over(self) -> list[str]:
        """What a push in progress leaves lying about: locks, quarantined objects, files of a moment."""
        marks = (".lock", "tmp_", "incoming-")
        found = (str(path.relative_to(self.path)) for path in self.path.rglob("*"))
        return [name for name in found if any(mark in name for mark in marks)]

    def accepts(self, done: Said, commit: str, ref: str = MAIN) -> None:
        """The push has been made, and nothing but its result is there."""
        assert honest(done).status == 0, done
        assert self.tip(ref) == commit, done
        assert not self.left_over()

    def refuses(self, done: Said, *reasons: str, ref: str = MAIN, tip: str | None = None) -> None:
        """The push has been refused for reasons that its author reads, and nothing of it is there."""
        assert honest(done).status == 1, done
        remote = "\n".join(line.rstrip() for line in done.err.splitlines() if line.startswith("remote: "))
        assert all(reason in remote for reason in reasons), done
        assert self.tip(ref) == (self.commits.tip if tip is None else tip), done
        assert not self.left_over()
