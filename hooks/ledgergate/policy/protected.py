"""Whether a change of a protected file is one that belongs to a human, and what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ledgergate.policy.globs import fold_path
from ledgergate.policy.paths import is_partly_protected

if TYPE_CHECKING:
    # Comparing parts is rare, and a hook that does not should not pay for what it takes.
    from ledgergate.policy.pins import Part

_WORKFLOWS = (".github/", ".forgejo/", ".gitea/", "action.")
_SHOWN = 3


def protected_difference(path: str, old: bytes | None, new: bytes | None) -> str | None:
    """What differs in a protected file in a way that is a human's, in a few words; None where nothing does.

    `old` and `new` are the file's bytes, None where there is no file. `pyproject.toml`, `tox.ini`, `setup.cfg` and
    `setup.py` are compared by the parts that steer tests. In hook and workflow files a step of another tool from one
    release tag to another is no difference; a commit id on either side is one. A file that cannot be read is a
    difference.
    """
    if old == new:
        return None
    if is_partly_protected(path):
        return _parts_difference(path, old, new)
    if old is None or new is None:
        return "added" if old is None else "removed"
    return None if _moves_only_versions(path, old, new) else "its content"


def _parts_difference(path: str, old: bytes | None, new: bytes | None) -> str | None:
    form, read = _form_of(fold_path(path))
    try:
        before, after = _parts(read, old), _parts(read, new)
    except (ValueError, RecursionError) as error:
        return f"it cannot be read as {form}: {error}"
    places = sorted(place for place in before.keys() | after.keys() if before.get(place) != after.get(place))
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return ", ".join(map(_label, places[:_SHOWN])) + more or None


def _form_of(folded: str) -> tuple[str, Callable[[str], Iterable[Part]]]:
    """What a partly protected file is written in, and what reads its parts."""
    from ledgergate.policy.steering_ini import ini_parts
    from ledgergate.policy.steering_python import python_parts
    from ledgergate.policy.steering_toml import toml_parts

    if folded.endswith(".py"):
        return "Python", python_parts
    return ("TOML", toml_parts) if folded.endswith(".toml") else ("an INI file", ini_parts)


def _parts(read: Callable[[str], Iterable[Part]], data: bytes | None) -> dict[tuple[str, ...], str]:
    return {} if data is None else dict(read(data.decode("utf-8")))


def _label(place: tuple[str, ...]) -> str:
    table, key = ".".join(place[:-1]), place[-1]
    return f"[{table}] {key}".strip() if table else key


def _moves_only_versions(path: str, old: bytes, new: bytes) -> bool:
    from ledgergate.policy.versions import HOOKS, WORKFLOW, moves_only_toml_revs, moves_only_yaml_versions

    folded = fold_path(path)
    name = folded.rpartition("/")[2]
    try:
        before, after = old.decode("utf-8"), new.decode("utf-8")
        if name == "prek.toml":
            return moves_only_toml_revs(before, after)
        if name.startswith(".pre-commit-config."):
            return moves_only_yaml_versions(before, after, HOOKS)
        if folded.startswith(_WORKFLOWS) and name.endswith((".yml", ".yaml")):
            return moves_only_yaml_versions(before, after, WORKFLOW)
    except (ValueError, RecursionError):
        pass
    return False
