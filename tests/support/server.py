"""A repository that is pushed to, with ledgergate's hook in it, and a clone that pushes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from ledgergate.adopt.server_hook import CONFIG, install_server
from support.gate import Said, said
from support.project import SIGNALLED, Edit
from support.repo import Repo

# The machine of the tests is a busy one; what the deadline does has tests of its own.
PATIENT = "version = 1\ndeadline_s = 120\n"


class Server:
    """A bare repository `server.git` beside a clone, which has it as its remote `origin`."""

    def __init__(self, clone: Repo, *, name: str = "server.git") -> None:
        self.clone = clone
        self.repo = Repo(clone.path.parent / name, bare=True)
        clone.git("remote", "add", "origin", f"file://{self.repo.path}")

    @property
    def hooks(self) -> Path:
        return self.repo.path / "hooks"

    def install(self, config: str = PATIENT, *, signers: str | None = None, hook: str = "pre-receive") -> None:
        """Put the hook in place, with a configuration; `signers` is the text of the server's own list."""
        own = None if signers is None else signers.encode()
        install_server(self.repo.path, "git", hook, own, ())
        named = "" if signers is None else 'signers = "ledgergate-signers"\n'
        (self.hooks / CONFIG).write_text(config + named)

    def seed(self, *refs: str) -> None:
        """Let the server have refs that no hook has seen."""
        self.clone.git("push", "-q", "--no-verify", "origin", *(refs or ("main",)))

    def push(self, *refs: str, env: dict[str, str] | None = None, options: Iterable[str] = ()) -> Said:
        """Push, whatever comes of it."""
        return said(self.clone, ["git", *options, "push", "origin", *(refs or ("HEAD:refs/heads/main",))], env)

    def tip(self, ref: str = "refs/heads/main") -> str | None:
        """What the server has at a ref."""
        done = self.repo.run("git", "rev-parse", "--verify", "-q", ref)
        return done.stdout.decode().strip() or None

    def commit(self, edit: Edit, *, by_agent: bool = True) -> str:
        return self.clone.commit(edit, "edit", trailers=[SIGNALLED] if by_agent else [])

    def hook(self, stdin: bytes, *arguments: str, env: dict[str, str] | None = None) -> Said:
        """Call the hook as git would, for objects that the server has already."""
        command = [sys.executable, "-I", "-m", "ledgergate", *(arguments or ("pre-receive",))]
        done = self.repo.run(*command, env={"GIT_DIR": os.fspath(self.repo.path), **(env or {})}, stdin=stdin)
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())
