"""Folders in which tools keep packages or remember a run, and go on using what they find there."""

from __future__ import annotations

_FOLDERS = frozenset(
    {
        *(".venv", ".tox", ".nox", ".direnv", "__pypackages__", "site-packages", "dist-packages", "node_modules"),
        ".pytest_cache",
    }
)


def is_environment(folded: str) -> bool:
    """Whether a folded path lies in an environment of packages, or in what pytest remembers of a run."""
    parts = folded.split("/")
    return (
        not _FOLDERS.isdisjoint(parts)
        or parts[0] == "venv"
        or (parts[0] in ("env", "virtualenv") and parts[1:2] in (["bin"], ["lib"], ["lib64"], ["scripts"]))
    )
