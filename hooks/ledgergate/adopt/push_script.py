"""git's own pre-push hook: a script that hands every ref of a push to ledgergate, and keeps the hook that was there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from ledgergate.adopt.files import replace_files
from ledgergate.errors import UsageError

NAME = "pre-push"
KEPT = "pre-push.before-ledgergate"
# Where pre-commit and prek keep a hook that they find in their place; they call it with the same input.
UNDER_A_MANAGER = "pre-push.legacy"
_MARK = "# Written by `ledgergate install --pre-push`."
_SCRIPT = """\
#!/bin/sh
{mark} It judges every ref of a push, and then calls
# the hook that was here before, if one was: {kept}
lines=$(mktemp) || exit 1
trap 'rm -f "$lines"' EXIT
cat >"$lines" || exit 1
judge={command}
if [ ! -x "$judge" ]; then
    judge=$(command -v ledgergate-pre-push) || {{
        echo "ledgergate: UNSCORED: ledgergate-pre-push is not installed here, so nothing is pushed" >&2
        exit 1
    }}
fi
"$judge" --git "$@" <"$lines" || exit
before="$(dirname -- "$0")/{kept}"
if [ -x "$before" ]; then
    "$before" "$@" <"$lines"
fi
"""


class Installed(NamedTuple):
    """Where the script is, whether it was written now, and what was kept of the hook before it."""

    path: Path
    is_new: bool
    kept: Path | None


def push_script(command: str) -> str:
    """The script, for a `ledgergate-pre-push` at this absolute path."""
    from shlex import quote

    return _SCRIPT.format(mark=_MARK, kept=KEPT, command=quote(command))


def is_push_script(data: bytes) -> bool:
    """Whether a hook's bytes are those of our script, of any version."""
    return _MARK.encode() in data


def install_push_script(folder: Path, command: str) -> Installed:
    """Write the script into a folder of hooks; a hook of somebody else's is kept beside it, and called by it.

    Raises `UsageError` where that hook is a link, one has been kept already, or the disk does not let us; then nothing
    is changed.
    """
    path, kept = folder / NAME, folder / KEPT
    if path.is_symlink():
        raise UsageError(f"{path} is a link, and others may use what it leads to: put a file in its place first")
    try:
        if _is_ours(folder / UNDER_A_MANAGER) and not _is_ours(path):
            return Installed(folder / UNDER_A_MANAGER, _write(folder / UNDER_A_MANAGER, push_script(command)), None)
        is_foreign = path.exists() and not _is_ours(path)
        if is_foreign and os.path.lexists(kept):
            raise UsageError(f"neither {path} nor {kept} is ours, and only one can be kept: move one away first")
        is_new = _write(path, push_script(command), kept if is_foreign else None)
        return Installed(path, is_new, kept if kept.exists() else None)
    except OSError as error:
        raise UsageError(f"the hook could not be written ({error}); nothing is changed") from error


def _is_ours(path: Path) -> bool:
    return path.is_file() and is_push_script(path.read_bytes())


def _write(path: Path, text: str, kept: Path | None = None) -> bool:
    """Whether the script had to be written; what was in its place goes to `kept`."""
    if path.is_file() and path.read_bytes() == text.encode() and os.access(path, os.X_OK):
        return False
    files, modes = {path.name: text.encode()}, {path.name: 0o755}
    if kept is not None:
        files = {kept.name: path.read_bytes(), **files}
        modes[kept.name] = path.stat().st_mode & 0o7777
    replace_files(path.parent, files, modes)
    return True
