"""Whether the hooks of a configuration call what judges commits, at every moment when they should."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from ledgergate.values import display_text


class _Hook(NamedTuple):
    """What a hook has to call, and when."""

    command: str
    stages: tuple[str, ...]


HOOKS = {
    "ledgergate": _Hook("ledgergate check --staged", ("pre-commit", "pre-merge-commit")),
    "ledgergate-commit-msg": _Hook("ledgergate-commit-msg", ("commit-msg",)),
}
# Other languages do not start the entry as a command: `pygrep` looks for it in files, `fail` prints it.
_LANGUAGES = ("system", "unsupported", "python", "conda")
_EARLIER_NAMES = {"commit": "pre-commit", "merge-commit": "pre-merge-commit"}
# What starts another program, and what may stand before its name: options with a value, variables.
_LAUNCHERS = ("uv", "uvx", "poetry", "pdm", "hatch", "pipenv", "pixi", "rye", "mise", "conda", "micromamba", "env")
_BEFORE_PROGRAM = re.compile(r"(?:run|exec|x|--|-\S+(?: [^-]\S*)?|\w+=\S*)(?: |\Z)", re.ASCII)
# How a report is shown changes nothing of what is judged.
_SHOWN_OTHERWISE = re.compile(r"(?: --all| --format[ =]\w+)*", re.ASCII)


class HookFault(NamedTuple):
    """What is wrong with a hook, and the lines of the configuration that it should have."""

    hook: str
    messages: tuple[str, ...]
    mends: tuple[str, ...]

    @property
    def message(self) -> str:
        return f"its hook {self.hook} does not judge every commit: {'; '.join(self.messages)}"

    @property
    def mend(self) -> str:
        return f"give the hook {self.hook} {' and '.join(f'`{mend}`' for mend in self.mends)}"


def hook_faults(document: dict[str, Any]) -> Iterator[HookFault]:
    """What is wrong with ours of the hooks that a configuration has; where one stands twice, one that judges is enough.

    `document` is the configuration as it was loaded, with a list of mappings as `repos`.
    """
    for name in HOOKS:
        found = [(repo, hook) for repo in document["repos"] for hook in listed_hooks(repo) if hook.get("id") == name]
        faults = [tuple(_faults(name, _as_it_runs(name, repo, hook), document)) for repo, hook in found]
        if faults and all(faults):
            messages, mends = zip(*faults[-1], strict=True)
            yield HookFault(name, messages, mends)


def listed_hooks(repo: dict[str, Any]) -> list[dict[str, Any]]:
    """The hooks of one entry of `repos`."""
    listed = repo.get("hooks")
    return [hook for hook in listed if isinstance(hook, dict)] if isinstance(listed, list) else []


def _as_it_runs(name: str, repo: dict[str, Any], hook: dict[str, Any]) -> dict[str, Any]:
    """The fields of a hook, with what the manifest of its repository says where the configuration does not."""
    if repo.get("repo") == "local":
        return hook
    command, stages = HOOKS[name]
    return {"entry": command, "language": "python", "stages": list(stages), "always_run": True, **hook}


def _faults(name: str, hook: dict[str, Any], document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    command, stages = HOOKS[name]
    if not _calls(command, said := _command(hook)):
        yield f"`{display_text(said)}` is not seen to call `{command}`", f"entry: {command}"
    if hook.get("language") not in _LANGUAGES:
        yield f"its language {display_text(str(hook.get('language')))} does not run a command", "language: system"
    never = [stage for stage in stages if not _runs_at(stage, hook.get("stages") or document.get("default_stages"))]
    if never:
        yield f"it does not run at {' and '.join(never)}", f"stages: [{', '.join(stages)}]"
    if hook.get("always_run") is not True:
        yield "it does not run where no file is left that it matches, as when files are deleted", "always_run: true"


def _command(hook: dict[str, Any]) -> str:
    """The entry and its arguments, as one line."""
    arguments = hook.get("args")
    words = map(str, arguments) if isinstance(arguments, list) else ()
    return " ".join((str(hook.get("entry", "")), *map(shlex.quote, words)))


def _calls(command: str, said: str) -> bool:
    """Whether a command line is that command, from whatever folder and through whatever runs programs of a project."""
    try:
        words = shlex.split(said)
    except ValueError:
        return False
    program, *arguments = command.split()
    return any(
        _is_started_by(words[:at])
        and words[at + 1 : at + 1 + len(arguments)] == arguments
        and _SHOWN_OTHERWISE.fullmatch("".join(f" {word}" for word in words[at + 1 + len(arguments) :])) is not None
        for at, word in enumerate(words)
        if _name(word) == program
    )


def _is_started_by(words: Sequence[str]) -> bool:
    """Whether what stands before the name of a program starts it."""
    if words and _name(words[0]) in _LAUNCHERS:
        words = words[1:]
        before = " ".join(words)
        while found := _BEFORE_PROGRAM.match(before):
            before = before[found.end() :]
        words = before.split()
    return not words or (words[1:] == ["-m"] and re.fullmatch(r"python[\d.]*", _name(words[0])) is not None)


def _name(word: str) -> str:
    return PurePosixPath(word.replace("\\", "/")).name.removesuffix(".exe")


def _runs_at(stage: str, stages: object) -> bool:
    """Where nothing names any stage, a hook runs at each."""
    if not stages:
        return True
    return isinstance(stages, list) and stage in (_EARLIER_NAMES.get(str(name), str(name)) for name in stages)
