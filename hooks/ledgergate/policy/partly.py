"""Which files are protected in part, and what each is written in."""

from __future__ import annotations

import re
from typing import NamedTuple


class Form(NamedTuple):
    """How a partly protected file is read: by `reader`, as the table of a `pyproject.toml` that it stands for.

    Settings `everywhere` are protected wherever they lie; others where they are neither test nor golden, which have
    rules of their own.
    """

    reader: str
    table: tuple[str, ...] = ()
    everywhere: bool = False


_TOML = "TOML"
_BY_NAME: dict[str, Form] = {
    "pyproject.toml": Form(_TOML, everywhere=True),
    "tox.ini": Form("an INI file", everywhere=True),
    "setup.cfg": Form("an INI file", everywhere=True),
    "setup.py": Form("Python", everywhere=True),
    "hatch.toml": Form(_TOML, ("tool", "hatch"), everywhere=True),
    # what outweighs or extends tables of pyproject.toml
    "uv.toml": Form(_TOML, ("tool", "uv")),
    "pixi.toml": Form(_TOML, ("tool", "pixi")),
    "poe_tasks.toml": Form(_TOML, ("tool", "poe")),
    "pipfile": Form(_TOML, ("tool", "pipenv")),
    "package.json": Form("JSON", ("tool", "npm")),
    "taskfile.yml": Form("YAML", ("tool", "task")),
    "taskfile.yaml": Form("YAML", ("tool", "task")),
    "taskfile.dist.yml": Form("YAML", ("tool", "task")),
    "taskfile.dist.yaml": Form("YAML", ("tool", "task")),
    # tasks in a language of their own
    "makefile": Form("a task file"),
    "gnumakefile": Form("a task file"),
    "justfile": Form("a task file"),
    ".justfile": Form("a task file"),
    "noxfile.py": Form("a noxfile"),
    # which packages and tools are taken
    "uv.lock": Form("a lock file"),
    "poetry.lock": Form("a lock file"),
    "pdm.lock": Form("a lock file"),
    "pylock.toml": Form("a lock file"),
    ".python-version": Form("versions"),
    ".python-versions": Form("versions"),
    ".tool-versions": Form("versions"),
    ".node-version": Form("versions"),
    ".nvmrc": Form("versions"),
}
_BY_PATTERN: tuple[tuple[re.Pattern[str], Form], ...] = (
    (re.compile(r"\.?mise(?:\.[\w-]+)*\.toml"), Form(_TOML, ("tool", "mise"))),
    (re.compile(r"(?:[\w.-]+[._-])?(?:requirements|constraints)(?:[._-][\w.-]+)?\.(?:txt|in)"), Form("requirements")),
    (re.compile(r"\.env(?:\.[\w-]+)*"), Form("variables")),
    (re.compile(r"[\w.-]+\.(?:mk|just)"), Form("a task file")),
)
# In which each of them but that of `.env` ends, and those of a folder of requirements: most names end otherwise.
_PATTERNS_END = (".toml", ".txt", ".in", ".mk", ".just")
# Where one of these is found, the file or table that usually holds the same is not read, or is read before it.
_OUTWEIGHS = re.compile(
    r"hatch\.toml|uv\.toml|pixi\.toml|poe_tasks\.toml|\.?mise(?:\.[\w-]+)*\.toml|taskfile(?:\.dist)?\.ya?ml|gnumakefile|\.justfile"
)
_USUAL_MAKEFILE = "Makefile"
_ONLY_SHOWS = (".example", ".sample", ".template", ".dist")
_REQUIREMENTS_FOLDER = re.compile(r"(?:.*/)?(?:requirements|constraints)/[^/]+\.(?:txt|in)")


def form_of(folded: str) -> Form | None:
    """The form of a partly protected file, by its folded path; None where it is none."""
    name = folded.rpartition("/")[2]
    found = _BY_NAME.get(name)
    if found is None and (name.endswith(_PATTERNS_END) or name.startswith(".env")):
        found = next((form for pattern, form in _BY_PATTERN if pattern.fullmatch(name)), None)
        if found is None and _REQUIREMENTS_FOLDER.fullmatch(folded):
            return Form("requirements")
    return None if name.startswith(".env") and name.endswith(_ONLY_SHOWS) else found


def outweighs(path: str, folded: str) -> bool:
    """Whether a partly protected file, where it comes, takes the place of another in which the same could be said."""
    name = folded.rpartition("/")[2]
    is_odd_makefile = name == "makefile" and path.rpartition("/")[2] != _USUAL_MAKEFILE
    return is_odd_makefile or _OUTWEIGHS.fullmatch(name) is not None
