"""Which test files are new and hold drafts alone, where policy lets agents add some (`agent_new_tests`)."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.checks.collisions import Twins
from ledgergate.git import Snapshot
from ledgergate.ledger import Row, file_of
from ledgergate.policy.globs import fold_path
from ledgergate.policy.paths import MODULE_ENDINGS, PathClass, classify, is_pytest_file
from ledgergate.values import display_path
from ledgergate.vouch import Case, Side

_PACKAGE = "__init__"
_RENAME = "give it another name."


def is_new_test_file(case: Case, path: str) -> bool:
    """Whether a path is a test file that the target branch has not got yet, and that only draft rows name."""
    return _may_be_new(case, path) and case.change.target.entry(path) is None and not _is_classified(case, path)


def may_hold_drafts(case: Case, path: str) -> bool:
    """Whether drafts may live in a file outside the drafts folder: it is new, or only drafts have landed in it."""
    if not _may_be_new(case, path) or _is_classified(case, path):
        return False
    return case.change.target.entry(path) is None or any(_rows_in(case.target, path))


def why_taken(head: Snapshot, twins: Twins, path: str) -> str | None:
    """Why a new test file may not have this path, which is another's on some disks or to Python's import; else None."""
    twin = next(twins.of(path), None)
    if twin is not None:
        return in_place_of(twin)
    other = _shadowed_module(head, path)
    if other is None:
        return None
    return f"Python would import it in place of {display_path(other)}, which has the same name: {_RENAME}"


def in_place_of(twin: str) -> str:
    return f"A disk that folds case or normalises Unicode puts it in the place of {display_path(twin)}: {_RENAME}"


def _shadowed_module(head: Snapshot, path: str) -> str | None:
    """Another file that Python would know, or look for, by the same module name as this one.

    pytest imports a test file by its bare name where its folder is no package, from the front of `sys.path`; in a
    package, by the names from the outermost one on.
    """
    own = _module(head, path)
    for other, _ in head.files():
        if other != path and other.casefold().endswith(MODULE_ENDINGS):
            module = _module(head, other)
            # A folder without `__init__.py` is a package as well, unless a module of its name is found.
            if module == own or (len(own) == 1 and own[0] in map(fold_path, other.split("/")[: -len(module)])):
                return other
    return None


def _module(head: Snapshot, path: str) -> tuple[str, ...]:
    """The names by which `import` finds a file, if the folder of the outermost package were on the path; folded."""
    folder, name = _split(path)
    stem = fold_path(name.partition(".")[0])
    names = [] if stem == _PACKAGE else [stem]
    while folder and (stem == _PACKAGE or head.entry(f"{folder}{_PACKAGE}.py") is not None):
        folder, name = _split(folder.rstrip("/"))
        names.append(fold_path(name))
        stem = ""
    return tuple(reversed(names)) or (stem,)


def _may_be_new(case: Case, path: str) -> bool:
    name = _split(path)[1]
    is_test = is_pytest_file(name) and _is_plain(path)
    entry = case.change.head.entry(path)
    is_file = entry is None or entry.is_file
    return case.policy.agent_new_tests and is_test and is_file and classify(case.policy, path) is PathClass.TEST


def _is_plain(path: str) -> bool:
    """Whether no disk reads the path as another: by a short name, a dot or blank at the end, or characters unseen."""
    return path.isprintable() and "~" not in path and not any(part.endswith((".", " ")) for part in path.split("/"))


def _is_classified(case: Case, path: str) -> bool:
    return any(row.class_ != "draft" for side in (case.base, case.head) for row in _rows_in(side, path))


def _rows_in(side: Side, path: str) -> Iterator[Row]:
    rows = side.ledgers.rows.values()
    return (row for row in rows if row.id.startswith(path) and file_of(row.id) == path)


def _split(path: str) -> tuple[str, str]:
    """The folder with its slash (empty for the root), and the name."""
    folder, slash, name = path.rpartition("/")
    return folder + slash, name
