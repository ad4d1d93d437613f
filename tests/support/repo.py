"""A real git repository in a temporary folder, and the environment that keeps the machine's own settings out of it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

IDENTITY = {"name": "Kim Human", "email": "kim@example.org"}
_KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "SYSTEMROOT", "VIRTUAL_ENV", "COVERAGE_PROCESS_START")


# Files (bytes, mode) and folders (None) by their paths.
Captured = dict[str, tuple[bytes, int] | None]
# What `git init` makes, once it has: hundreds of tests begin with it.
_EMPTY: Captured = {}


def captured(folder: Path) -> Captured:
    """All that is in a folder."""
    found: Captured = {}
    for path in sorted(folder.rglob("*")):
        content = None if path.is_dir() else (path.read_bytes(), path.stat().st_mode & 0o777)
        found[str(path.relative_to(folder))] = content
    return found


def restore(folder: Path, content: Captured) -> None:
    """Make a folder hold what another held, beside what it has."""
    for name, file in content.items():
        path = folder / name
        if file is None:
            path.mkdir(exist_ok=True)
        else:
            path.unlink(missing_ok=True)
            path.write_bytes(file[0])
            path.chmod(file[1])


def clean_environment(home: Path, **extra: str) -> dict[str, str]:
    """An environment without a signal of an agent, a user's git configuration, or a hook's variables."""
    return {
        **{key: value for key, value in os.environ.items() if key in _KEPT},
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **extra,
    }


class Repo:
    """Thin over git: each method is one git command, and fails the test where git fails."""

    def __init__(self, path: Path, *, init: bool = True, bare: bool = False) -> None:
        self.path = path
        self.env = clean_environment(path.parent)
        if not init:
            return
        path.mkdir(parents=True, exist_ok=True)
        if bare or any(path.iterdir()):
            self._init(*(["--bare"] if bare else []))
        elif _EMPTY:
            restore(path, _EMPTY)
        else:
            self._init()
            _EMPTY.update(captured(path))

    def _init(self, *options: str) -> None:
        self.git("init", "-q", "--template=", "-b", "main", *options)
        self.configure()

    @property
    def is_as_new(self) -> bool:
        """Whether nothing has happened here since the repository was made."""
        return bool(_EMPTY) and captured(self.path) == _EMPTY

    def configure(self) -> None:
        with (self.path / self.git("rev-parse", "--git-dir") / "config").open("a") as config:
            config.write(
                f"[user]\n\tname = {IDENTITY['name']}\n\temail = {IDENTITY['email']}\n"
                "[commit]\n\tgpgsign = false\n[core]\n\tautocrlf = false\n\tfsync = none\n"
            )

    def run(
        self, *command: str | bytes, env: Mapping[str, str] | None = None, stdin: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run any command here; the caller judges how it ended."""
        return subprocess.run(
            command, cwd=self.path, env={**self.env, **(env or {})}, input=stdin, capture_output=True, check=False
        )

    def git(self, *arguments: str | bytes, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> str:
        done = self.run("git", *arguments, env=env, stdin=stdin)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file below the work tree; surrogates in the path stand for raw bytes."""
        file = self.path / os.fsdecode(path.encode("utf-8", "surrogateescape"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def stage(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write and `git add` each file; None removes it."""
        removed = [path.encode("utf-8", "surrogateescape") for path, content in files.items() if content is None]
        added = {path: content for path, content in files.items() if content is not None}
        if removed:
            self.git("rm", "-q", "-r", "--force", "--", *removed)
        for path, content in added.items():
            self.write(path, content)
        if added:
            self.git("add", "-f", "--", *(path.encode("utf-8", "surrogateescape") for path in added))

    def stage_blob(self, path: str | bytes, content: bytes, mode: str = "100644") -> None:
        """Put bytes into the index at any path, past the file system and every filter."""
        oid = self.git("hash-object", "-w", "--no-filters", "--stdin", stdin=content)
        raw = path.encode("utf-8", "surrogateescape") if isinstance(path, str) else path
        line = f"{mode} {oid}\t".encode() + raw + b"\0"
        self.git("update-index", "-z", "--index-info", stdin=line)

    def commit(
        self,
        files: Mapping[str, str | bytes | None] | None = None,
        message: str = "change",
        *,
        trailers: Iterable[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> str:
        """Stage and commit past every hook; the new commit's id."""
        self.stage(files or {})
        text = "\n\n".join(filter(None, [message, "\n".join(trailers)]))
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", text, env=env)
        return self.git("rev-parse", "HEAD")
