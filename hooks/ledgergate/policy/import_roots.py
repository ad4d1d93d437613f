"""Settings of build backends that say from which folders modules are installed, and under which names."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ledgergate.policy import pins
from ledgergate.policy.task_settings import TablePath

# Where backends look by themselves, or are mostly told to.
_USUAL = frozenset({"", ".", "src", "./src"})
_FOLDERS: frozenset[TablePath] = frozenset(
    {
        ("tool", "setuptools", "packages", "find", "where"),
        ("tool", "uv", "build-backend", "module-root"),
        ("tool", "pdm", "build", "package-dir"),
        ("tool", "maturin", "python-source"),
    }
)
_NAMES: frozenset[TablePath] = frozenset(
    {
        ("tool", "uv", "build-backend", "module-name"),
        ("tool", "maturin", "module-name"),
        ("tool", "flit", "module", "name"),
    }
)
_PACKAGE_DIR = ("tool", "setuptools", "package-dir")
_HATCH = ("tool", "hatch", "build")
_DATA = ("tool", "uv", "build-backend", "data")


def moved_modules(path: TablePath, value: object) -> str | None:
    """What a key of a `pyproject.toml` says of it beyond what is usual, in a form without layout; None for nothing.

    Usual are the root and `src`: a package in one of these may come or go.
    """
    if path in _FOLDERS:
        return unusual_folders(_texts(value))
    if path in _NAMES:
        return _named(_texts(value))
    if path[:-1] == _PACKAGE_DIR:
        return package_dir(path[-1], str(value))
    if path == ("tool", "poetry", "packages"):
        return unusual_folders(str(entry.get("from", "")) for entry in _entries(value))
    if path[:3] == _HATCH:
        return _hatch(path, value)
    return json.dumps(value, default=str) if path[: len(_DATA)] == _DATA else None


def package_dir(package: str, folder: str) -> str | None:
    """The folder of a package, or of all (an empty name), unless it is the usual one."""
    inside = package.replace(".", "/")
    usual = {"/".join(filter(None, (root, inside))) for root in ("", "src")} if package else _USUAL
    return None if folder.strip("/").removeprefix("./") in usual else json.dumps(folder)


def _hatch(path: TablePath, value: object) -> str | None:
    if path[-1] == "packages":
        return unusual_folders(text.rstrip("/").rpartition("/")[0] for text in _texts(value))
    if path[-1] in ("sources", "dev-mode-dirs"):
        return unusual_folders(_texts(value))
    if path[-2] == "sources":
        return None if path[-1] in _USUAL and value == "" else json.dumps(value, default=str)
    return _named(_texts(value)) if path[-2] == "force-include" else None


def unusual_folders(texts: Iterator[str]) -> str | None:
    """The folders of a list that are not usual; None where all are."""
    found = sorted({text.rstrip("/") for text in texts} - _USUAL)
    return json.dumps(found) if found else None


def _named(texts: Iterator[str]) -> str | None:
    """The names, or targets, that would stand as a module that tests or the gate rely on."""
    found = sorted(text for text in texts if pins.is_in_the_way(text.lstrip("/").replace(".", "/").partition("/")[0]))
    return json.dumps(found) if found else None


def _texts(value: object) -> Iterator[str]:
    return map(str, value if isinstance(value, list) else [value])


def _entries(value: object) -> Iterator[dict[str, object]]:
    return (entry for entry in (value if isinstance(value, list) else ()) if isinstance(entry, dict))
