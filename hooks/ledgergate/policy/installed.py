"""What a package would install that Python or a test tool picks up by itself: plugins, commands, start-up files."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from ledgergate.policy import pins

# Groups of entry points that test tools, and what makes their environments or builds packages, load unasked.
_GROUP = re.compile(
    r"(?:pytest|hypothesis|coverage|tox|nox|nose|virtualenv|syrupy|ledgergate)(?![a-z]).*"
    r"|distutils\.(?:commands|setup_keywords)|setuptools\.(?:finalize_distribution_options|file_finders)"
    r"|hatch|pdm|poetry\.(?:application\.)?plugin"
)
# What runs tests and measures them, what makes their environments, the gate with what calls it, and what all of these
# are started by: a command or task of one of these names would be run in its place.
_COMMANDS = re.compile(
    r"pytest|py\.test|_pytest|tox|nox|coverage|hypothesis|nose|nosetests|nose2|unittest|stestr|behave|robot"
    r"|jest|vitest|mocha|ctest|gotestsum|bats"
    r"|(?:python|pythonw|py|pypy|pip)\d?[\d.]*|pipx|uv|uvx|poetry|pdm|pipenv|rye|pixi|hatch|conda|mamba|virtualenv|mise"
    r"|direnv|npm|npx|node|yarn|pnpm|bun|deno|cargo|go|make|gmake|just|task|invoke|inv|poe|sh|bash|zsh|dash|env"
    r"|ledgergate(?:-commit-msg)?|pre-commit|prek|lefthook|husky|gh|glab|ssh-keygen"
    r"|git(?:-(?:commit|diff|add|merge|push|rev-parse|write-tree|config))?"
)
_TEST_TOOLS = ("pytest", "py.test", "_pytest", "tox", "nox", "coverage", "hypothesis")
_READ_AT_START = ("sitecustomize", "usercustomize")
_OF_SCRIPTS = re.compile(r"\.(?:py|pyw|exe|bat|cmd|com|ps1|sh)$")
# Folders of an installation in which commands and start-up files lie, by their last name.
_OPEN_FOLDERS = frozenset({"", ".", "bin", "scripts", "lib", "site-packages", "dist-packages"})


def is_test_group(group: str) -> bool:
    """Whether test tools load the entry points of this group, or what makes environments for them does."""
    return _GROUP.fullmatch(group.lower()) is not None


def is_standing_command(name: str) -> bool:
    """Whether an installed command, or a task, of this name would be run in the place of one that tests rely on."""
    lowered = name.lower()
    return _COMMANDS.fullmatch(lowered) is not None or ("." not in lowered and pins.guards(lowered))


def stands_in(path: str, *, as_command: bool = False) -> bool:
    """Whether an installed file or module of this name would be taken for a test tool, or read whenever Python starts.

    A wildcard counts among commands alone (`as_command`), where it may bring any of them.
    """
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    if name.endswith(".pth") or name == "entry_points.txt":
        return True
    stem = _OF_SCRIPTS.sub("", name)
    if as_command and (is_standing_command(stem) or any(fnmatchcase(command, stem) for command in _TEST_TOOLS)):
        return True
    return stem in _TEST_TOOLS or stem in _READ_AT_START


def is_open_folder(path: str) -> bool:
    """Whether what is installed into this folder may be a command, or a file that Python reads when it starts."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2].lower() in _OPEN_FOLDERS
