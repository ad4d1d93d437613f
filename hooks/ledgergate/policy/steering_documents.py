"""The parts that steer tests, of files in JSON and YAML, and of lock files."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ledgergate.policy import pins
from ledgergate.policy.pins import Part
from ledgergate.policy.relied_on import is_relied_on
from ledgergate.policy.steering_toml import table_parts
from ledgergate.policy.task_settings import TablePath
from ledgergate.source.documents import read_toml, read_yaml

# Keys of a package in a lock file, and kinds of its source in that of Poetry.
_ELSEWHERE = frozenset({"path", "git", "url", "vcs", "archive", "directory", "editable", "virtual", "file"})


def json_parts(text: str, table: TablePath) -> Iterator[Part]:
    """Each part of a JSON file that stands for a table. Raises `ValueError` for what cannot be read for certain."""
    return table_parts(json.loads(text, object_pairs_hook=_distinct), table)


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in it")
    return found


def yaml_parts(text: str, table: TablePath) -> Iterator[Part]:
    """The same of a YAML file. One with aliases, or several documents, is not read."""
    return table_parts(read_yaml(text, aliases=False), table)


def lock_parts(text: str) -> Iterator[Part]:
    """The packages that are a human's to choose, as a TOML lock file names them: where from, which version, hashes."""
    found: dict[tuple[str, str], list[str]] = {}
    for key, package in locked_packages(text):
        name = package.get("name")
        if isinstance(name, str) and (pins.guards(name) or (is_relied_on(name) and _is_elsewhere(package))):
            found.setdefault((key, name), []).append(json.dumps(package, sort_keys=True, default=str))
    for place, entries in found.items():
        yield place, "\n".join(sorted(entries))


def locked_packages(text: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The packages of a TOML lock file, each with the key that it stands under. Raises `ValueError` for no TOML."""
    document = read_toml(text)
    for key in ("package", "packages"):
        packages = document.get(key)
        yield from ((key, one) for one in (packages if isinstance(packages, list) else ()) if isinstance(one, dict))


def _is_elsewhere(package: dict[str, object]) -> bool:
    """Whether a lock file takes a package from a folder, an address or a revision, and not from an index."""
    source = package.get("source")
    told = {**package, **(source if isinstance(source, dict) else {})}
    kind = told.get("type")
    return kind in _ELSEWHERE if isinstance(kind, str) else not _ELSEWHERE.isdisjoint(told)
