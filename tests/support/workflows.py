"""Runs the shell steps of a workflow as a runner does: expressions filled in, and one bash a step."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from support.documents import ROOT
from support.forge import TOKEN
from support.gate import SCRIPTS
from support.repo import clean_environment

EXAMPLES = ROOT / "examples"
ALWAYS = "${{ !cancelled() }}"
_EXPRESSION = re.compile(r"\$\{\{ ([a-z_]+(?:[.][a-z_-]+)+) \}\}", re.IGNORECASE)
# Instead of an environment of its own for each run: the one that runs the tests.
_FAKE_PYTHON = f"""\
#!/bin/bash
if [ "$1 $2" = "-m venv" ]; then
  mkdir -p "$3/bin"
  ln -s "{SCRIPTS}/ledgergate" "{sys.executable}" "$3/bin/"
  printf '#!/bin/bash\\nprintf "%%s\\\\n" "$@" >> "$RUNNER_TEMP/installed"\\n' > "$3/bin/pip"
  chmod +x "$3/bin/pip"
else
  exec "{sys.executable}" "$@"
fi
"""


class Step(NamedTuple):
    """A step that ran, and how it ended."""

    name: str
    status: int
    out: str


class Runner:
    """One job on a machine of its own."""

    def __init__(self, folder: Path, contexts: Mapping[str, Any], env: Mapping[str, str]) -> None:
        self.folder, self.temp = folder, folder / "temp"
        self.work = folder / "work"
        for path in (self.temp, self.work, folder / "bin"):
            path.mkdir(parents=True)
        (folder / "bin/python3").write_text(_FAKE_PYTHON)
        (folder / "bin/python3").chmod(0o755)
        self.contexts: dict[str, Any] = {"runner": {"temp": str(self.temp)}, "steps": {}, **contexts}
        self.env = clean_environment(
            folder,
            RUNNER_TEMP=str(self.temp),
            GITHUB_STEP_SUMMARY=str(folder / "summary.md"),
            CI="true",
            **env,
        )
        self.env["PATH"] = f"{folder / 'bin'}{os.pathsep}{self.env['PATH']}"
        self.steps: list[Step] = []

    def filled(self, text: str) -> str:
        """The text with its expressions filled in; nothing for what is not there, as a runner does it."""

        def value(match: re.Match[str]) -> str:
            found: Any = self.contexts
            for name in match[1].split("."):
                found = found.get(name) if isinstance(found, dict) else None
            return "" if found is None else str(found)

        filled = _EXPRESSION.sub(value, text)
        assert "${{" not in filled, text
        return filled

    def run(self, steps: list[dict[str, Any]], *, bash: str = "bash -e") -> bool:
        """Run the steps; whether all succeeded. What others wrote (`uses`) is not run."""
        for step in steps:
            has_failed = any(done.status for done in self.steps)
            assert step.get("if") in (None, ALWAYS), step
            if "run" in step and (not has_failed or "if" in step):
                self.steps.append(self._run_step(step, bash))
        return not any(step.status for step in self.steps)

    def _run_step(self, step: dict[str, Any], bash: str) -> Step:
        script, output = self.folder / "step.sh", self.folder / "output"
        assert "${{" not in step["run"]
        script.write_text(step["run"])
        output.write_text("")
        env = {name: self.filled(str(value)) for name, value in (step.get("env") or {}).items()}
        done = subprocess.run(
            [*bash.split(), str(script)],
            cwd=self.work,
            env={**self.env, "GITHUB_OUTPUT": str(output), **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
        )
        outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
        if "id" in step:
            self.contexts["steps"][step["id"]] = {"outputs": outputs}
        said = done.stdout.decode("utf-8", "replace")
        assert TOKEN not in said
        return Step(step.get("name", ""), done.returncode, said)

    def said(self, name: str) -> str:
        """What a step printed."""
        return "".join(step.out for step in self.steps if step.name == name)

    @property
    def failed(self) -> list[str]:
        return [step.name for step in self.steps if step.status]

    @property
    def summary(self) -> str:
        file = self.folder / "summary.md"
        return file.read_text(encoding="utf-8") if file.exists() else ""


def document(path: str) -> dict[str, Any]:
    """A YAML file below examples/, with the key `on` as the text that it is."""
    text = (EXAMPLES / path).read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(re.sub(r"^on:", '"on":', text, flags=re.MULTILINE))
    return found
