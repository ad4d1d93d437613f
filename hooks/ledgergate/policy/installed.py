"""What a package would install that Python or a test tool picks up by itself: plugins, commands, start-up files."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

# Groups of entry points that test tools, and what makes their environments, load without being asked.
_GROUP = re.compile(
    r"(?:pytest|hypothesis|coverage|tox|nox|nose|virtualenv|syrupy|ledgergate)(?![a-z]).*"
    r"|hatch|pdm|poetry\.(?:application\.)?plugin"
)
_COMMANDS = ("pytest", "py.test", "_pytest", "tox", "nox", "coverage", "hypothesis")
_READ_AT_START = ("sitecustomize", "usercustomize")
_OF_SCRIPTS = re.compile(r"\.(?:py|pyw|exe|bat|cmd|sh)$")
# Folders of an installation in which commands and start-up files lie, by their last name.
_OPEN_FOLDERS = frozenset({"", ".", "bin", "scripts", "lib", "site-packages", "dist-packages"})


def is_test_group(group: str) -> bool:
    """Whether test tools load the entry points of this group, or what makes environments for them does."""
    return _GROUP.fullmatch(group.lower()) is not None


def stands_in(path: str, *, as_command: bool = False) -> bool:
    """Whether an installed file or module of this name would be taken for a test tool, or read whenever Python starts.

    A wildcard counts among commands alone (`as_command`), where it may bring any of them.
    """
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    if name.endswith(".pth") or name == "entry_points.txt":
        return True
    stem = _OF_SCRIPTS.sub("", name)
    if as_command and any(fnmatchcase(command, stem) for command in _COMMANDS):
        return True
    return stem in _COMMANDS or stem in _READ_AT_START


def is_open_folder(path: str) -> bool:
    """Whether what is installed into this folder may be a command, or a file that Python reads when it starts."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower() in _OPEN_FOLDERS
