"""git's own hook on a server: a script that calls ledgergate, and the configuration beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from ledgergate.errors import LedgergateError, UsageError

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
    usual ones. Raises `UsageError` where a hook is a link or one was kept already, and `LedgergateError` where the
    disk does not let us.
    """
    script = repository / LAYOUTS[layout].format(hook=hook)
    config, kept = script.with_name(CONFIG), script.with_name(script.name + KEPT)
    if script.is_symlink():
        raise UsageError(f"{script} is a link, and others may use what it leads to: put a file in its place first")
    try:
        script.parent.mkdir(parents=True, exist_ok=True)
        if script.exists() and _MARK.encode() not in script.read_bytes():
            if kept.exists():
                raise UsageError(f"neither {script} nor {kept} is ours, and only one can be kept: move one away first")
            _write(kept, script.read_bytes(), script.stat().st_mode & 0o777)
        if signers is not None:
            _write(script.with_name(SIGNERS), signers, 0o644)
        is_new = not config.exists()
        if is_new:
            _write(config, _config(signers is not None, require).encode(), 0o644)
        _write(script, _script(hook, config, kept).encode(), 0o755)
    except OSError as error:
        raise LedgergateError("internal-error", f"the hook cannot be written: {error}", path=str(script)) from error
    return Server(script, config, kept if kept.exists() else None, is_new)


def _script(hook: str, config: Path, kept: Path) -> str:
    text = _SCRIPT + (_BEFORE if kept.exists() else _ALONE)
    python = str(Path(sys.executable).absolute())
    return text.format(mark=_MARK, python=quote(python), hook=hook, config=quote(config.name), kept=quote(kept.name))


def required(patterns: tuple[str, ...]) -> str:
    """The line of the configuration that names the refs which need a policy; none: the usual ones."""
    named = ", ".join(f'"{pattern}"' for pattern in patterns)
    return f"require = {f'[{named}]' if patterns else 'true'}"


def _config(has_signers: bool, require: tuple[str, ...]) -> str:
    return _CONFIG.format(signers=OWN_SIGNERS if has_signers else f"# {OWN_SIGNERS}", require=required(require))


def _write(path: Path, data: bytes, mode: int) -> None:
    """Put a file in its place whole: a push may come at any time."""
    new = path.with_name(f"{path.name}.new")
    new.write_bytes(data)
    new.chmod(mode)
    new.replace(path)
