"""Which test files are new and hold drafts alone, where policy lets agents add some (`agent_new_tests`)."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.git import Snapshot
from ledgergate.ledger import Row, split_id
from ledgergate.policy.paths import PathClass, classify
from ledgergate.values import display_path
from ledgergate.vouch import Case, Side

_PACKAGE = "__init__.py"


def is_new_test_file(case: Case, path: str) -> bool:
    """Whether a path is a test file that the target branch has not got yet, and that only draft rows name."""
    return _may_be_new(case, path) and case.change.target.entry(path) is None and not _is_classified(case, path)


def may_hold_drafts(case: Case, path: str) -> bool:
    """Whether drafts may live in a file outside the drafts folder: it is new, or only drafts have landed in it."""
    if not _may_be_new(case, path) or _is_classified(case, path):
        return False
    return case.change.target.entry(path) is None or any(_rows_in(case.target, path))


def shadowed_module(head: Snapshot, path: str) -> str | None:
    """The path of another module that Python would know by the same name as this file, or None.

    pytest imports a test file by its bare name where its folder is no package, from the front of `sys.path`.
    """
    folder, name = _split(path)
    if head.entry(f"{folder}{_PACKAGE}") is not None:
        return None
    own = name.removesuffix(".py").casefold()
    return next((other for other in _top_modules(head, own) if other != path), None)


def _top_modules(head: Snapshot, wanted: str) -> Iterator[str]:
    """The files that `import NAME` could find, if their folder were on the path; case does not count."""
    for path, _ in head.files():
        if not path.endswith(".py"):
            continue
        folder, name = _split(path)
        if name == _PACKAGE:
            folder, name = _split(folder.rstrip("/"))
        if name.removesuffix(".py").casefold() == wanted and head.entry(f"{folder}{_PACKAGE}") is None:
            yield path


def why_shadowed(other: str) -> str:
    return f"Python would import it in place of {display_path(other)}, which has the same name: give it another."


def _may_be_new(case: Case, path: str) -> bool:
    name = _split(path)[1]
    is_test = name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))
    entry = case.change.head.entry(path)
    is_file = entry is None or entry.is_file
    return case.policy.agent_new_tests and is_test and is_file and classify(case.policy, path) is PathClass.TEST


def _is_classified(case: Case, path: str) -> bool:
    return any(row.class_ != "draft" for side in (case.base, case.head) for row in _rows_in(side, path))


def _rows_in(side: Side, path: str) -> Iterator[Row]:
    rows = side.ledgers.rows.values()
    return (row for row in rows if row.id.startswith(path) and split_id(row.id)[0] == path)


def _split(path: str) -> tuple[str, str]:
    """The folder with its slash (empty for the root), and the name."""
    folder, slash, name = path.rpartition("/")
    return folder + slash, name
