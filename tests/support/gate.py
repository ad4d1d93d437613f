"""The gate as its users meet it: the command, or a commit through git's own hooks, and what they say."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import jsonschema

import ledgergate.report
from ledgergate.cli.main import main
from support.project import FREEZES, LEDGER, freezes, sha256
from support.repo import Repo

# A child that waits for ever shall fail its test, not the run.
PATIENCE = 60
AS_AGENT = {"CLAUDECODE": "1"}
SCRIPTS = Path(sysconfig.get_path("scripts"))
_SCHEMA = json.loads((Path(ledgergate.report.__file__).parent / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(_SCHEMA)


class Said(NamedTuple):
    """How a run ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def everything(self) -> str:
        return self.out + self.err


class Verdict(NamedTuple):
    """A report as a program reads it."""

    state: str
    document: dict[str, Any]

    def seen(self, rule: str) -> list[dict[str, Any]]:
        """The findings and notes of a rule."""
        return [seen for seen in (*self.document["findings"], *self.document["notes"]) if seen["rule"] == rule]

    def paths(self, rule: str) -> set[str | None]:
        return {seen["path"] for seen in self.seen(rule)}

    @property
    def refusals(self) -> set[str]:
        """The rules of the findings that refuse."""
        return {finding["rule"] for finding in self.document["findings"]}

    def message(self, rule: str) -> str:
        return "\n".join(f"{seen['message']}\n{seen['remedy']}" for seen in self.seen(rule))


def honest(said: Said) -> Said:
    """The same, having made sure that it ended as an expected outcome does: judged or refused, and no crash."""
    assert said.status in (0, 1, 2), said
    assert "Traceback" not in said.everything, said
    assert "internal-error" not in said.everything, said
    return said


def gate(repo: Repo, *arguments: str, env: Mapping[str, str] | None = None) -> Said:
    """`ledgergate ARGUMENTS` in this process, on a stream that takes UTF-8 and nothing else."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with (
        contextlib.chdir(repo.path),
        mock.patch.dict(os.environ, env or {}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = main(arguments)
        out.flush()
        err.flush()
    streams = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return honest(Said(status, *streams))


def gate_process(
    repo: Repo,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    script: str = "ledgergate",
    prefix: Sequence[str] = (),
    patience: float = PATIENCE,
) -> Said:
    """An installed console script with its arguments, in a process of its own."""
    return honest(said(repo, [*prefix, str(SCRIPTS / script), *arguments], env, patience))


def said(repo: Repo, command: Sequence[str], env: Mapping[str, str] | None = None, patience: float = PATIENCE) -> Said:
    done = subprocess.run(
        command,
        cwd=repo.path,
        env={**repo.env, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=patience,
    )
    return Said(done.returncode, *(stream.decode("utf-8", "backslashreplace") for stream in (done.stdout, done.stderr)))


def verdict(
    repo: Repo, *arguments: str, env: Mapping[str, str] | None = None, run: Callable[..., Said] = gate
) -> Verdict:
    """The JSON report of `ledgergate check` on what is staged, or with other arguments, checked against its schema."""
    done = run(repo, *(arguments or ("check", "--staged")), "--format", "json", env=env)
    document = json.loads(done.out)
    VALIDATOR.validate(document)
    assert (done.status == 0) == (document["state"] == "PASS"), done
    assert (document["state"] == "PASS") == (not document["findings"]), done
    return Verdict(document["state"], document)


def install_hooks(repo: Repo, *names: str) -> None:
    """Hooks as a user without a hook manager writes them: pre-commit, unless others are named."""
    commands = {"pre-commit": "ledgergate' check --staged", "commit-msg": 'ledgergate-commit-msg\' "$1"'}
    for name in names or ("pre-commit",):
        hook = repo.write(f".git/hooks/{name}", f"#!/bin/sh\nexec '{SCRIPTS}/{commands[name]}\n")
        hook.chmod(0o755)


def commit(
    repo: Repo,
    *arguments: str,
    message: str = "change",
    env: Mapping[str, str] | None = None,
    patience: float = PATIENCE,
) -> Said:
    """A real `git commit` through the hooks; whether it was made must agree with how it ended."""
    before = repo.run("git", "rev-parse", "-q", "--verify", "HEAD").stdout
    done = honest(said(repo, ["git", "commit", "-q", "-m", message, *arguments], env, patience=patience))
    after = repo.run("git", "rev-parse", "-q", "--verify", "HEAD").stdout
    assert (before != after) == (done.status == 0), done
    return done


def accepted(done: Said) -> bool:
    """Whether a commit was made; a refused one must say why."""
    if done.status != 0:
        assert "refused" in done.everything or "UNSCORED" in done.everything, done
    return done.status == 0


def quoted(text: str) -> str:
    """A text in YAML's double quotes, which can say anything that UTF-8 can."""
    return json.dumps(text, ensure_ascii=False)


def locked_row(artifact: str, digest: str, *, test: str | None = None, extra: str = "") -> str:
    """A `locked_fixture` row in a form that any path can stand in."""
    name = test or "tests/test_golden.py::test_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in artifact)
    return f"  - id: {name}\n    class: locked_fixture\n    artifact: {quoted(artifact)}\n    digest: {digest}\n{extra}"


def locked(contents: Mapping[str, bytes | str]) -> str:
    """A row for each file with these contents."""
    rows = enumerate(contents.items())
    return "".join(
        locked_row(path, sha256(content), test=f"tests/test_golden.py::test_{number}")
        for number, (path, content) in rows
    )


def guarded(
    repo: Repo, goldens: Mapping[str, bytes | str], *, rows: str = "", files: Mapping[str, bytes | str] | None = None
) -> None:
    """Make a guarded project the first commit: these goldens, each locked, and whatever further rows and files.

    Content goes past the file system and every filter, so that any path can hold any bytes.
    """
    ledger = "version: 1\nrows:\n" + locked(goldens) + rows if goldens or rows else "version: 1\nrows: []\n"
    own = {"ledgergate.toml": "version = 1\n", LEDGER: ledger, FREEZES: freezes(), "src/app.py": "x = 1\n"}
    import_commit(repo, {**own, **goldens, **(files or {})})


def import_commit(repo: Repo, files: Mapping[str, bytes | str]) -> None:
    """A commit of these files and nothing else as the tip of main, checked out."""
    stream = [b"commit refs/heads/main\ncommitter Kim Human <kim@example.org> 1780000000 +0000\ndata 4\nbase\n"]
    for path, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        name = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").encode("utf-8", "surrogateescape")
        stream.append(b'M 100644 inline "%b"\ndata %d\n%b\n' % (name, len(data), data))
    repo.git("fast-import", "--quiet", "--force", stdin=b"".join(stream))
    repo.git("reset", "-q", "--hard")


def relock(repo: Repo, *arguments: str) -> Said:
    """`ledgergate relock`, shown and approved."""
    return approved(repo, "relock", *arguments)


def approved(repo: Repo, *arguments: str) -> Said:
    """A command as a human without a terminal uses it: look first, then approve what was shown."""
    shown = gate(repo, *arguments)
    contracts = [word for word in shown.out.split() if word.startswith("sha256:") and len(word) == len(sha256(""))]
    if shown.status == 0 or not contracts:
        return shown
    return gate(repo, *arguments, "--yes", "--contract", contracts[-1])
