"""git's own hook on a server: a script that calls ledgergate, and the configuration beside it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from ledgergate.adopt.files import replace_files
from ledgergate.errors import UsageError

CONFIG = "ledgergate-server.toml"
SIGNERS = "ledgergate-signers"
# The line of the configuration that names them.
OWN_SIGNERS = f'signers = "{SIGNERS}"'
KEPT = ".before-ledgergate"
# Where each kind of host looks for hooks, from the repository; the last name is the script's.
LAYOUTS = {
    "git": "hooks/{hook}",
    "gitea": "hooks/{hook}.d/ledgergate",
    "gitlab": "custom_hooks/{hook}.d/ledgergate",
}
HOOKS = ("pre-receive", "update")
_MARK = "# Written by `ledgergate install --server`."
_SCRIPT = """\
#!/bin/sh
{mark}
if [ ! -x {python} ]; then
    echo "ledgergate: UNSCORED: the interpreter of its installation is gone, so nothing is accepted" >&2
    exit 1
fi
# A repository that is moved or copied takes its own configuration along.
case $0 in
    */*) here=${{0%/*}} ;;
    *) here=. ;;
esac
"""
_ALONE = """\
exec {python} -I -m ledgergate {hook} --config "$here"/{config} "$@"
"""
# The hook that was here before reads the same lines, and is asked second.
_BEFORE = """\
lines=$(mktemp) || exit 1
trap 'rm -f "$lines"' EXIT
cat >"$lines" || exit 1
{python} -I -m ledgergate {hook} --config "$here"/{config} "$@" <"$lines" || exit 1
if [ -x "$here"/{kept} ]; then
    "$here"/{kept} "$@" <"$lines"
fi
"""
_CONFIG = """\
# What this server asks of a push, beside the policy of the repository. Read at each push.
version = 1

# Whose word counts: a file of signers, beside this one. Without it, the list on the default branch does,
# and nobody can bring the first policy or mend one that cannot be read.
{signers}

# true: there has to be a policy, on the default branch and on main, master and release/**.
# Patterns: there has to be one on these refs, and they are protected whatever it says.
{require}

# Judging ends after this many seconds, and the push is refused. Some hosts give 5 to all hooks together.
deadline_s = 4.5

# Protected refs that may be deleted all the same.
deletable_refs = []
"""


class Server(NamedTuple):
    """What is installed: the hook's script, its configuration, and the hook that was there before, if one was."""

    script: Path
    config: Path
    kept: Path | None
    is_new: bool


def install_server(repository: Path, layout: str, hook: str, signers: bytes | None, require: tuple[str, ...]) -> Server:
    """Write hook and configuration into the folder of a repository; what is configured already stays.

    `signers` is the text of the server's own list, `require` the patterns of the refs that need a policy, none for the
    usual ones. Raises `UsageError` where a hook is a link, one was kept already, or the disk does not let us; then
    nothing is changed.
    """
    script = repository / LAYOUTS[layout].format(hook=hook)
    config, kept = script.with_name(CONFIG), script.with_name(script.name + KEPT)
    if script.is_symlink():
        raise UsageError(f"{script} is a link, and others may use what it leads to: put a file in its place first")
    files: dict[str, bytes] = {}
    modes = {script.name: 0o755, SIGNERS: 0o644, CONFIG: 0o644}
    try:
        if script.exists() and _MARK.encode() not in script.read_bytes():
            if os.path.lexists(kept):
                raise UsageError(f"neither {script} nor {kept} is ours, and only one can be kept: move one away first")
            files[kept.name], modes[kept.name] = script.read_bytes(), script.stat().st_mode & 0o777
        if signers is not None:
            files[SIGNERS] = signers
        is_new = not config.exists()
        if is_new:
            files[CONFIG] = _config(signers is not None, require).encode()
        has_other = kept.exists() or kept.name in files
        # Last, since a push may come at any time.
        files[script.name] = _script(hook, config, kept.name if has_other else None).encode()
        replace_files(script.parent, files, modes)
    except OSError as error:
        raise UsageError(f"the hook could not be written ({error}); nothing is changed") from error
    return Server(script, config, kept if has_other else None, is_new)


def _script(hook: str, config: Path, kept: str | None) -> str:
    """The script, which calls the hook of the name `kept`, too."""
    text = _SCRIPT + (_ALONE if kept is None else _BEFORE)
    python = str(Path(sys.executable).absolute())
    return text.format(mark=_MARK, python=quote(python), hook=hook, config=quote(config.name), kept=quote(kept or ""))


def required(patterns: tuple[str, ...]) -> str:
    """The line of the configuration that names the refs which need a policy; none: the usual ones."""
    named = ", ".join(f'"{pattern}"' for pattern in patterns)
    return f"require = {f'[{named}]' if patterns else 'true'}"


def _config(has_signers: bool, require: tuple[str, ...]) -> str:
    return _CONFIG.format(signers=OWN_SIGNERS if has_signers else f"# {OWN_SIGNERS}", require=required(require))
