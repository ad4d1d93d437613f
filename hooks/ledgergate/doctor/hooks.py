"""The hooks on this machine: what the hook manager is told to run, and what git calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ledgergate.adopt.hook_config import CONFIG_PATH
from ledgergate.adopt.hook_faults import HOOKS, hook_faults, listed_hooks
from ledgergate.adopt.push_script import NAME as PRE_PUSH
from ledgergate.adopt.push_script import UNDER_A_MANAGER, is_push_script
from ledgergate.doctor.model import Line
from ledgergate.doctor.seen import GIT_HOOKS, SERVER_HOOKS, Seen
from ledgergate.source.documents import read_yaml
from ledgergate.values import display_path, display_text

_ADD = "ledgergate init"
_MANAGERS = (b"pre-commit", b"pre_commit", b"prek", b"ledgergate", b"lefthook", b"husky")


def hooks(seen: Seen) -> Iterator[Line]:
    """The hook manager's configuration, and each of git's hooks; of a bare repository, the one that judges pushes."""
    if seen.is_bare:
        yield _server(seen)
        return
    yield _configured(seen)
    for name in GIT_HOOKS:
        yield _pre_push(seen) if name == PRE_PUSH else _script(seen, name)


def _server(seen: Seen) -> Line:
    topic, remedy = "server-hook", "ledgergate install --server ."
    for name in SERVER_HOOKS:
        if b"ledgergate" in seen.scripts.get(name, b""):
            return Line(topic, "ok", f"{name} judges every push")
    message = f"no hook in {display_path(seen.hooks_folder)} judges what is pushed here"
    return Line(topic, "missing", message, remedy)


def _configured(seen: Seen) -> Line:
    topic = "hook-configuration"
    if seen.hook_config is None:
        return Line(topic, "missing", f"there is no {CONFIG_PATH}", _ADD)
    document = _document(seen.hook_config)
    if document is None:
        return Line(topic, "unknown", f"{CONFIG_PATH} cannot be read", "pre-commit validate-config")
    found = {_scalar(hook, "id"): repo for repo in document["repos"] for hook in listed_hooks(repo)}
    left = [name for name in HOOKS if name not in found]
    if left:
        return Line(topic, "missing", f"{CONFIG_PATH} lacks {', '.join(left)}", _ADD)
    if faults := list(hook_faults(document)):
        message = f"{CONFIG_PATH}: {'; '.join(fault.message for fault in faults)}"
        return Line(topic, "stale", message, f"In {CONFIG_PATH}, {'; '.join(fault.mend for fault in faults)}.")
    revisions = {_scalar(found[name], "rev") for name in HOOKS if _scalar(found[name], "repo") not in ("local", "meta")}
    behind = [rev for rev in sorted(revisions) if not _is_this_version(rev, seen.version)]
    if behind:
        message = f"{CONFIG_PATH} takes the hooks at {display_text(behind[0])}, and {seen.version} is installed"
        return Line(topic, "stale", message, "pre-commit autoupdate, or install that version")
    return Line(topic, "ok", f"{CONFIG_PATH} has {' and '.join(HOOKS)}")


def _is_this_version(revision: str, version: str) -> bool:
    """Whether it is the version's tag; what a commit's id stands for cannot be told without the other repository."""
    return revision.removeprefix("v") == version or re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", revision) is not None


def _document(data: bytes) -> dict[str, Any] | None:
    """The configuration, which lists repositories; None for any other file."""
    try:
        document = read_yaml(data.decode("utf-8"))
    except ValueError:
        return None
    repos = document.get("repos") if isinstance(document, dict) else None
    return document if isinstance(repos, list) and all(isinstance(repo, dict) for repo in repos) else None


def _scalar(mapping: dict[str, Any], key: str) -> str:
    """What stands there as text: a revision like 1.0 is a number in YAML."""
    value = mapping.get(key)
    return str(value) if isinstance(value, (str, int, float)) else ""


def _script(seen: Seen, name: str) -> Line:
    script, topic = seen.scripts.get(name), f"git-hook {name}"
    remedy = f"pre-commit install -t {name}"
    if script is None:
        return Line(topic, "missing", f"git calls no {name} in {display_path(seen.hooks_folder)}", remedy)
    if not any(manager in script for manager in _MANAGERS):
        return Line(topic, "stale", f"{name} calls neither ledgergate nor a hook manager", remedy)
    return Line(topic, "ok", f"{name} is installed")


def _pre_push(seen: Seen) -> Line:
    topic, remedy = f"git-hook {PRE_PUSH}", f"ledgergate install --{PRE_PUSH}"
    if any(is_push_script(seen.scripts.get(name, b"")) for name in (PRE_PUSH, UNDER_A_MANAGER)):
        return Line(topic, "ok", f"{PRE_PUSH} judges every ref of a push")
    line = _script(seen, PRE_PUSH)._replace(remedy=remedy)
    if line.health != "ok":
        return line
    return Line(topic, "stale", f"{PRE_PUSH} is a hook manager's, which tells of the first ref of a push alone", remedy)
