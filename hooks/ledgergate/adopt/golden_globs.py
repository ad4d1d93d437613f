"""The policy's globs for a set of goldens."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ledgergate.adopt.goldens import Group, ending
from ledgergate.adopt.layout import escape_glob, test_folder
from ledgergate.policy.globs import compile_globs

_MOST_EXCEPTIONS = 20
_SEVERAL = 3


def golden_globs(groups: Iterable[Group], others: Collection[str]) -> tuple[str, ...]:
    """Globs that match every golden of the groups, and none of the `others`; the shortest that do.

    A later glob decides over an earlier one, so those of an inner folder come after those of an outer.
    """
    groups = sorted(groups)
    globs: list[str] = []
    for group in groups:
        globs += _shared_glob(group, groups, others) or _group_globs(group, others)
    return tuple(dict.fromkeys(globs))


def _shared_glob(group: Group, groups: Sequence[Group], others: Collection[str]) -> list[str]:
    """`**/NAME/**` where several folders of goldens have one name, so that the next one of that name is guarded too."""
    name = _name(group)
    glob = f"**/{escape_glob(f'/{name}')[1:]}/**"
    namesakes = [other for other in groups if _name(other) == name]
    if not name or len(namesakes) < _SEVERAL or test_folder(group.home) == group.home:
        return []
    return [] if any(map(compile_globs([glob]), others)) else [glob]


def _name(group: Group) -> str:
    return group.home.rstrip("/").rpartition("/")[2]


def _group_globs(group: Group, others: Collection[str]) -> Sequence[str]:
    below = [path for path in others if path.startswith(group.home)]
    for globs in _attempts(group, below):
        matches = compile_globs(globs)
        if all(map(matches, group.paths)) and not any(map(matches, below)):
            return globs
    return [escape_glob(path) for path in sorted(group.paths)]


def _attempts(group: Group, others: Sequence[str]) -> Iterator[list[str]]:
    home = escape_glob(group.home) if group.home else ""
    endings = sorted({ending(path) for path in group.paths})
    # What comes new into a folder of goldens is a golden; what comes new below the tests mostly is none.
    is_own_folder = bool(group.home) and test_folder(group.home) != group.home
    if is_own_folder:
        yield [f"{home}**"]
    if all(endings):
        yield [f"{home}**/*{escape_glob(f'/{suffix}')[1:]}" for suffix in endings]
    if is_own_folder and len(others) <= _MOST_EXCEPTIONS:
        yield [f"{home}**", *(f"!{escape_glob(path)}" for path in sorted(others))]
