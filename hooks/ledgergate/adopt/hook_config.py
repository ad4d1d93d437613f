"""Adds the hooks to `.pre-commit-config.yaml`, touching nothing else in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ledgergate.adopt.hook_faults import HOOKS, hook_faults, listed_hooks
from ledgergate.source.documents import read_yaml, yaml_node

if TYPE_CHECKING:
    import yaml

CONFIG_PATH = ".pre-commit-config.yaml"
INSTALL_TYPES = ("pre-commit", "pre-merge-commit", "commit-msg")
_TYPES_LINE = f"default_install_hook_types: [{', '.join(INSTALL_TYPES)}]\n"

_LOCAL = """\
-   repo: local
    hooks:
    -   id: ledgergate
        name: ledgergate
        entry: ledgergate check --staged
        language: system
        stages: [pre-commit, pre-merge-commit]
        always_run: true
        pass_filenames: false
        require_serial: true
    -   id: ledgergate-commit-msg
        name: ledgergate (commit message)
        entry: ledgergate-commit-msg
        language: system
        stages: [commit-msg]
        always_run: true
        pass_filenames: true
        require_serial: true
"""


class HookConfig(NamedTuple):
    """What becomes of the configuration.

    `data` is the new file, or None where it stays as it is. `paste` is the block that a human has to add, and `note`
    says why, or what else there is to know.
    """

    data: bytes | None
    paste: str | None = None
    note: str | None = None


class _UnsafeError(Exception):
    """Why the file is not edited."""


class _Columns(NamedTuple):
    """How far the keys of an entry stand behind its dash, its hooks behind its keys, their keys behind their dashes."""

    keys: int = 4
    hooks: int = 0
    hook_keys: int = 4

    def lay_out(self, block: str) -> list[str]:
        """The lines of a block, which is written in the usual columns, in these."""
        below = " " * (self.keys + self.hooks)
        starts = (
            ("    -   ", f"{below}-".ljust(len(below) + self.hook_keys)),
            ("        ", below + " " * self.hook_keys),
            ("-   ", "-".ljust(self.keys)),
            ("    ", " " * self.keys),
        )
        lines: list[str] = []
        for line in block.splitlines():
            usual, own = next(pair for pair in starts if line.startswith(pair[0]))
            lines.append(own + line.removeprefix(usual))
        return lines


def hooks_block(url: str | None, revision: str | None) -> str:
    """The entry of `repos`: the installed command, or the hooks of a repository at a revision."""
    if url is None:
        return _LOCAL
    hooks = "".join(f"    -   id: {name}\n" for name in HOOKS)
    return f"-   repo: {_scalar(url)}\n    rev: {_scalar(revision or '')}\n    hooks:\n{hooks}"


def add_hooks(data: bytes | None, block: str) -> HookConfig:
    """The configuration with the block as its last repository, and hook types to install where it names none.

    `data` are the file's bytes, None where there is no file. The result is loaded again and given back only if it says
    what the old file said, and the new entry.
    """
    if data is None:
        return HookConfig((_TYPES_LINE + "repos:\n" + block).encode("utf-8"))
    try:
        document, text = _load(data)
        present = _present(document)
        if present == set(HOOKS):
            if faults := list(hook_faults(document)):
                reasons = "; ".join(f"{fault.message} ({fault.mend})" for fault in faults)
                return HookConfig(None, note=f"{CONFIG_PATH} is left alone, and {reasons}")
            return HookConfig(None, note=f"{CONFIG_PATH} has the hooks already")
        if present:
            raise _UnsafeError(f"it has the hook {present.pop()} already, and not the other one")
        edited = _verified(_edit(text, block), document, block)
    except _UnsafeError as reason:
        return HookConfig(None, paste=block, note=f"{CONFIG_PATH} is left alone: {reason}")
    return HookConfig(edited.encode("utf-8"), note=_types_note(document))


def _load(data: bytes) -> tuple[dict[str, Any], str]:
    try:
        text = data.decode("utf-8")
        document = read_yaml(text)
    except ValueError as error:
        raise _UnsafeError(f"it cannot be read ({str(error).splitlines()[0]})") from error
    repos = document.get("repos") if isinstance(document, dict) else None
    if not isinstance(repos, list) or not all(isinstance(repo, dict) for repo in repos):
        raise _UnsafeError("it has no list `repos`")
    return document, text


def _present(document: dict[str, Any]) -> set[str]:
    hooks = [hook for repo in document["repos"] for hook in listed_hooks(repo)]
    return {str(hook.get("id")) for hook in hooks}.intersection(HOOKS)


def _edit(text: str, block: str) -> str:
    """The text with the block behind the last entry of `repos`, at its indent and with the file's line ends."""
    import yaml

    root = yaml_node(text)
    assert isinstance(root, yaml.MappingNode)  # noqa: S101 - it loaded as one
    places = [(key, value) for key, value in root.value if key.value == "repos"]
    if root.flow_style or root.start_mark.column or len(places) != 1:
        raise _UnsafeError("it is not laid out as a block, one key a line")
    key, repos = places[0]
    newline = "\r\n" if "\r\n" in text else "\n"
    if repos.flow_style:
        if repos.value:
            raise _UnsafeError("its `repos` stand in brackets on one line")
        start, at, indent, columns = key.end_mark.index + 1, repos.end_mark.index, 0, _Columns()
        text = text[:start] + text[at:]
        at = _line_end(text, start)
    else:
        indent, columns = repos.start_mark.column, _columns(repos)
        at = _end_of_item(text, repos.value[-1], indent)
    lines = "".join(f"{' ' * indent}{line}{newline}" for line in columns.lay_out(block))
    before = text[:at] if text[:at].endswith("\n") else text[:at] + newline
    edited = before + lines + text[at:]
    if any(key.value == "default_install_hook_types" for key, _ in root.value):
        return edited
    top = root.start_mark.index
    return edited[:top] + _TYPES_LINE.replace("\n", newline) + edited[top:]


def _columns(repos: yaml.SequenceNode) -> _Columns:
    """Those of the last entry that has hooks, as far as it is laid out as a block."""
    for repo in reversed(repos.value):
        at = repo.start_mark.column
        hooks = next((value for key, value in repo.value if key.value == "hooks"), None)
        if not repo.flow_style and hooks is not None and hooks.value and not hooks.flow_style:
            start = hooks.start_mark.column
            return _Columns(at - repos.start_mark.column, start - at, hooks.value[-1].start_mark.column - start)
    return _Columns()


def _end_of_item(text: str, item: yaml.Node, indent: int) -> int:
    """Where the lines of a list's last entry end, with comments that are indented below it."""
    at = _line_end(text, _last_leaf(item).end_mark.index - 1)
    while comment := re.compile(rf" {{{indent + 1},}}#[^\n]*(?:\n|\Z)").match(text, at):
        at = comment.end()
    return at


def _last_leaf(node: yaml.Node) -> yaml.Node:
    while isinstance(node.value, list) and node.value and not getattr(node, "flow_style", False):
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return node


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end == -1 else end + 1


def _verified(text: str, document: dict[str, Any], block: str) -> str:
    expected = {"default_install_hook_types": list(INSTALL_TYPES), **document}
    expected["repos"] = [*document["repos"], *read_yaml(block)]
    try:
        result = read_yaml(text)
    except ValueError as error:
        raise _UnsafeError("its layout is unusual") from error
    if result != expected:
        raise _UnsafeError("its layout is unusual")
    return text


def _types_note(document: dict[str, Any]) -> str | None:
    named = document.get("default_install_hook_types", INSTALL_TYPES)
    missing = [name for name in INSTALL_TYPES if name not in named]
    if not missing:
        return None
    return (
        f"default_install_hook_types of {CONFIG_PATH} lacks {', '.join(missing)}: a plain `pre-commit install` leaves "
        f"out hooks of ledgergate; add them there, or install with the flags below"
    )


def install_flags(data: bytes) -> str:
    """What `pre-commit install` has to be told, with a blank before it, so that our hooks are installed.

    The types that the configuration names are installed without a word; flags take their place, so that ours stand
    beside them.
    """
    try:
        document: Any = read_yaml(data.decode("utf-8"))
        named = tuple(map(str, document.get("default_install_hook_types", ())))
    except (ValueError, AttributeError, TypeError):
        named = ()
    if set(INSTALL_TYPES) <= set(named):
        return ""
    return "".join(f" -t {name}" for name in dict.fromkeys((*named, *INSTALL_TYPES)))


def _scalar(text: str) -> str:
    """The text on one line of YAML, quoted where it would read as anything else: a revision 1.0 is a number."""
    if re.fullmatch(r"[A-Za-z0-9_./~][A-Za-z0-9_.:/@~+-]*(?<!:)", text) and read_yaml(text) == text:
        return text
    return "'" + text.replace("'", "''") + "'"
