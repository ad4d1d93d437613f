"""Whether a change of a protected file is one that belongs to a human, and what differs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ledgergate.policy.globs import fold_path
from ledgergate.policy.partly import Form, form_of, outweighs

if TYPE_CHECKING:
    # Comparing parts is rare, and a hook that does not should not pay for what it takes.
    from ledgergate.policy.pins import Part

_WORKFLOWS = (".github/", ".forgejo/", ".gitea/")
_ACTIONS = ("action.yml", "action.yaml")
_INI = "an INI file"
_SHOWN = 3
_SETTINGS = re.compile(rb"^[ \t]*\[(?:tool[.:])?(?:pytest|coverage|tox|testenv)\b", re.MULTILINE)


def protected_difference(path: str, old: bytes | None, new: bytes | None, *, whole: bool = False) -> str | None:
    """What differs in a protected file in a way that is a human's, in a few words; None where nothing does.

    `old` and `new` are the file's bytes, None where there is no file. Partly protected files are compared by the parts
    that steer tests, unless policy protects them as a `whole`, or a new one outweighs another. In hook and workflow
    files a step of another tool from one release tag to another is no difference; a commit id on either side is one. A
    file that cannot be read is a difference.
    """
    if old == new:
        return None
    folded = fold_path(path)
    form = None if whole else form_of(folded)
    if form is not None and not (old is None and outweighs(path, folded)):
        return _parts_difference(form, old, new)
    if old is None or new is None:
        return "added" if old is None else "removed"
    return None if _moves_only_versions(path, old, new) else "its content"


def has_settings(path: str) -> bool:
    """Whether a file of this name may hold settings of test tools, which a command line may point them to."""
    return fold_path(path).endswith((".toml", ".ini", ".cfg", ".conf"))


def difference_elsewhere(path: str, old: bytes | None, new: bytes | None) -> str | None:
    """What differs in the settings of test tools in a file with a name of its own; None where there are none."""
    if not any(_SETTINGS.search(data) for data in (old, new) if data is not None):
        return None
    return _parts_difference(Form("TOML" if fold_path(path).endswith(".toml") else "an INI file"), old, new)


def _parts_difference(form: Form, old: bytes | None, new: bytes | None) -> str | None:
    read = _reader(form)
    try:
        before, after = _parts(read, old), _parts(read, new)
        if before != after and form.reader == _INI and old is not None and new is not None:
            from ledgergate.policy.steering_ini import ini_parts_since

            after = dict(ini_parts_since(old.decode("utf-8"), new.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        return f"it cannot be read as {form.reader}: {error}"
    places = sorted(place for place in before.keys() | after.keys() if before.get(place) != after.get(place))
    more = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return ", ".join(_label(place[len(form.table) :]) for place in places[:_SHOWN]) + more or None


def _reader(form: Form) -> Callable[[str], Iterable[Part]]:
    from ledgergate.policy import steering_documents, steering_ini, steering_lines, steering_python, steering_toml
    from ledgergate.policy.task_files import session_parts, task_parts

    readers: dict[str, Callable[[str], Iterable[Part]]] = {
        "TOML": lambda text: steering_toml.toml_parts(text, form.table),
        "JSON": lambda text: steering_documents.json_parts(text, form.table),
        "YAML": lambda text: steering_documents.yaml_parts(text, form.table),
        "a lock file": steering_documents.lock_parts,
        _INI: steering_ini.ini_parts,
        "Python": steering_python.python_parts,
        "requirements": steering_lines.requirement_parts,
        "variables": steering_lines.variable_parts,
        "versions": steering_lines.version_parts,
        "a task file": task_parts,
        "a noxfile": session_parts,
    }
    return readers[form.reader]


def _parts(read: Callable[[str], Iterable[Part]], data: bytes | None) -> dict[tuple[str, ...], str]:
    return {} if data is None else dict(read(data.decode("utf-8")))


def _label(place: tuple[str, ...]) -> str:
    table, key = ".".join(place[:-1]), place[-1] if place else ""
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
        if name in _ACTIONS or (folded.startswith(_WORKFLOWS) and name.endswith((".yml", ".yaml"))):
            return moves_only_yaml_versions(before, after, WORKFLOW)
    except (ValueError, RecursionError):
        pass
    return False
