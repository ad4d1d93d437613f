"""The differences between base and head that belong to humans, each with the contract items that it touches."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ledgergate.freeze import compare_freezes, fingerprint_of
from ledgergate.git import Entry, PathChange
from ledgergate.ledger import Row, RowDifference, compare
from ledgergate.policy.changes import policy_changes
from ledgergate.policy.model import ACKS_FOLDER, POLICY_PATH
from ledgergate.policy.paths import MODULE_ENDINGS, PathClass, classify, is_partly_protected, underlying_class
from ledgergate.policy.protected import difference_elsewhere, has_settings, protected_difference
from ledgergate.values import Item, display_path
from ledgergate.vouch.comparison import Comparison
from ledgergate.vouch.contract import row_items
from ledgergate.vouch.sides import Side
from ledgergate.vouch.values import entry_digest

if TYPE_CHECKING:
    from ledgergate.vouch.case import Case

# Files that runners find by their names: those of other languages, and pytest with its plugins (it runs the examples in
# `test*.txt` without being asked; others collect documents, YAML files, features and notebooks).
_RUN_BY_NAME = (
    r"[._](test|spec|config)\.[cm]?[jt]sx?$|_test\.go$|_(test|spec)\.rb$|^\.mocharc"
    r"|^test.*\.(txt|rst|md)$|^test[-_].*\.ya?ml$|\.(feature|robot|ipynb)$"
)
# What a runner or an interpreter reads unasked, were it to lie among the seeds.
_IMPORTABLE = (
    *MODULE_ENDINGS,
    ".pyi",
    ".pth",
    ".dll",
    ".dylib",
    ".egg",
    ".zip",
    ".whl",
    ".ini",
    ".cfg",
    ".toml",
)
_IMPORTABLE_NAMES = frozenset({"conftest.py", "makefile", "noxfile.py", "dockerfile", ".env"})


# Of files below the tests, where base's policy wants them approved whoever edits them.
TEST_EDITED = "test-edited"


class Difference(NamedTuple):
    """One difference that belongs to a human.

    `items` are what an approval of it would name: one, or the two ids of a renamed row. `path` and `line` are where it
    stands in head; what is gone has no line.
    """

    rule: str
    items: tuple[Item, ...]
    path: str
    subject: str
    line: int | None = None
    old: str | None = None
    new: str | None = None
    detail: str | None = None


def find_differences(case: Case) -> Iterator[Difference]:
    """Every difference of the change that belongs to a human, whoever made it, in a stable order."""
    yield from _row_differences(case)
    yield from _freeze_differences(case)
    for change in case.change.edits:
        yield from _file_differences(case, change)


def _row_differences(case: Comparison) -> Iterator[Difference]:
    if case.base.ledgers is case.head.ledgers:
        return
    for found in compare(case.base.ledgers.rows, case.head.ledgers.rows):
        if _is_taken_over(case, found) or _is_free_draft(case, found) or _is_layout_only(case, found):
            continue
        yield _as_difference(case, found)


def _is_taken_over(case: Comparison, found: RowDifference) -> bool:
    """Whether another parent of a merge in progress brings the row: has it so, and did not merely keep it so."""
    ids = {row.id for row in (found.old, found.new) if row is not None}
    return any(all(_brings(tip, forks, case.head, id_) for id_ in ids) for tip, forks in case.others)


def _brings(tip: Side, forks: tuple[Side, ...], head: Side, id_: str) -> bool:
    row = tip.ledgers.rows.get(id_)
    kept = any(same_row(row, fork.ledgers.rows.get(id_)) for fork in forks)
    return same_row(row, head.ledgers.rows.get(id_)) and not kept


def same_row(one: Row | None, two: Row | None) -> bool:
    """Whether two sides say the same of an id, or both nothing."""
    if one is None or two is None:
        return one is two
    return one.fields == two.fields


def _is_free_draft(case: Comparison, found: RowDifference) -> bool:
    """An agent's own draft may be edited until it has reached the branch that it is meant for."""
    old = found.old
    if found.rule != "draft-edited" or old is None or old.fields.get("source") != "agent":
        return False
    return old.id not in case.target.ledgers.rows


def _is_layout_only(case: Comparison, found: RowDifference) -> bool:
    """Whether a pinned test became another in layout only, and its row followed."""
    old, new = found.old, found.new
    if found.rule != "digest-changed" or old is None or new is None or not new.is_inline:
        return False
    from ledgergate.ledger.inline import is_layout_only

    return is_layout_only(case.change.base, case.change.head, old, new)


def _as_difference(case: Comparison, found: RowDifference) -> Difference:
    old, new = found.old, found.new
    side, row = (case.head, new) if new is not None else (case.base, old)
    if row is None:
        raise ValueError("a row difference without a row")
    return Difference(
        rule=found.rule,
        items=row_items(old, new),
        path=side.ledgers.ledger_of(row),
        line=None if new is None else row.line,
        subject=row.id,
        old=found.old_text,
        new=found.new_text,
    )


def _freeze_differences(case: Comparison) -> Iterator[Difference]:
    if case.base.freeze is None and case.head.freeze is None:
        return
    path = case.policy.freeze_ledger
    for found in compare_freezes(case.base.freeze, case.head.freeze, path=path):
        taken_over = any(
            fingerprint_of(tip.freeze, found.kind, found.subject) == found.new
            and all(fingerprint_of(fork.freeze, found.kind, found.subject) != found.new for fork in forks)
            for tip, forks in case.others
        )
        if not taken_over:
            yield Difference(
                rule="freeze-edited",
                items=(Item(found.kind, found.subject, found.old, found.new),),
                path=path,
                subject=found.subject,
                old=found.old,
                new=found.new,
                detail=found.label,
            )


def _file_differences(case: Case, change: PathChange) -> Iterator[Difference]:
    found = tuple(_guarded_differences(case, change))
    yield from found
    if not found and _is_other_test(case, change):
        yield _file_difference(case, change, TEST_EDITED)


def _guarded_differences(case: Case, change: PathChange) -> Iterator[Difference]:
    path = change.path
    if path == POLICY_PATH:
        yield _file_difference(case, change, "policy-edited", policy_changes(*_contents(case, change)))
    elif path == case.policy.vouch.signers:
        yield _file_difference(case, change, "signers-edited", _signer_changes(*_contents(case, change)))
    elif path.startswith(ACKS_FOLDER):
        if change.old is not None and not _may_go(case, change):
            yield _file_difference(case, change, "ack-removed")
    elif classify(case.policy, path) is PathClass.PROTECTED:
        detail = _protected_detail(case, change)
        if detail is not None:
            yield _file_difference(case, change, "protected-path", detail)
    elif (linked := _behind_a_link(case, change)) is not None:
        yield _file_difference(case, change, "protected-path", linked)
    elif (taken := _taken_place(case, change)) is not None:
        yield _file_difference(case, change, "protected-path", taken)
    elif is_seed(case, path):
        yield from _seed_differences(case, change)


def _is_other_test(case: Comparison, change: PathChange) -> bool:
    """Whether the policy wants a file of the tests approved, and nothing else that could be says what is in it."""
    if not case.policy.vouch.tests or underlying_class(case.policy, change.path) is not PathClass.TEST:
        return False
    if is_seed(case, change.path):
        return False
    return not (case.base if change.new is None else case.head).ledgers.naming(change.path)


def _taken_place(case: Comparison, change: PathChange) -> str | None:
    """What a file says to test tools under a name of its own, or is taken in place of though it has not been before."""
    old, new = change.old, change.new
    if all(entry is None or entry.is_file for entry in (old, new)):
        elsewhere = has_settings(change.path) and difference_elsewhere(change.path, *_contents(case, change))
        if elsewhere:
            return elsewhere
    if new is None or (old is not None and (old.mode == new.mode or not new.is_program)):
        return None
    from ledgergate.policy.dependencies import modules_needed
    from ledgergate.policy.made import taken_for_made
    from ledgergate.policy.stand_ins import Trees, found_before, named_like_pinned, taken_for_tests, taken_in_place_of

    trees = Trees(case.change.base, case.change.head)
    if old is None and (made := taken_for_made(case.change.base, change.path)) is not None:
        return made
    if old is None and underlying_class(case.policy, change.path) is PathClass.PRODUCTION:
        tops = {glob.lstrip("/").partition("/")[0] for glob in case.policy.tests}
        if (taken := taken_for_tests(case.change.base, change.path, tops)) is not None:
            return taken
        if (taken := named_like_pinned(trees, change.path, lambda: case.pinned_modules)) is not None:
            return taken
    if old is None:
        hidden = found_before(
            case.change.head, change.path, is_link=not new.is_file, is_held=lambda one: _is_held(case, one)
        )
        if hidden is not None:
            return hidden
    return taken_in_place_of(
        trees,
        change.path,
        is_program=new.is_program,
        is_link=not new.is_file,
        is_new=old is None,
        needed=lambda: modules_needed(case.change.base, case.policy.run.plugins),
    )


def _is_held(case: Comparison, path: str) -> bool:
    """Whether a file is a test, or something that tests are held to, and no draft."""
    if classify(case.policy, path) in (PathClass.PROTECTED, PathClass.LEDGER, PathClass.GOLDEN, PathClass.TEST):
        return True
    return any(side.ledgers.pinning(path) for side in (case.base, case.head))


def _behind_a_link(case: Comparison, change: PathChange) -> str | None:
    """What becomes of a protected path that leads to this one by a link of base."""
    for alias in case.aliases.of(change.path):
        if classify(case.policy, alias) is PathClass.PROTECTED:
            detail = _protected_detail(case, change._replace(path=alias))
            if detail is not None:
                return f"{display_path(alias)} is a link to it: {detail}"
    return None


def _protected_detail(case: Comparison, change: PathChange) -> str | None:
    is_partly = is_partly_protected(case.policy, change.path)
    sides = (change.old, change.new)
    if any(entry is not None and not entry.is_file for entry in sides):
        return "it is, or was, no regular file"
    if change.old is not None and change.new is not None and change.old.oid == change.new.oid:
        return None if is_partly else "its mode"
    return protected_difference(change.path, *_contents(case, change), whole=not is_partly)


def _contents(case: Comparison, change: PathChange) -> tuple[bytes | None, bytes | None]:
    """The bytes of both sides; None where there is nothing, or nothing that has bytes here."""
    old, new = (
        None if entry is None or entry.is_submodule else case.change.head.read_entry(entry)
        for entry in (change.old, change.new)
    )
    return old, new


def _signer_changes(old: bytes | None, new: bytes | None) -> str:
    """Whose lines came and went, by the name that each begins with."""
    before, after = ({line for line in (data or b"").splitlines() if line.strip()} for data in (old, new))
    signed = [(sign, line) for sign, lines in (("-", before - after), ("+", after - before)) for line in sorted(lines)]
    return " ".join(sign + line.split()[0].decode("utf-8", "surrogateescape") for sign, line in signed)


def _seed_differences(case: Comparison, change: PathChange) -> Iterator[Difference]:
    if change.old is not None and not _keeps_its_bytes(change):
        yield _file_difference(case, change, "seeds-shrunk", "removed" if change.new is None else "rewritten")
    elif change.old is None and change.new is not None and _is_read_unasked(change.path, change.new):
        detail = "a new file among the seeds that a runner or an interpreter reads by itself"
        yield _file_difference(case, change, "protected-path", detail)


def _keeps_its_bytes(change: PathChange) -> bool:
    """Whether a file is still a file with the same bytes: only its mode changed."""
    old, new = change.old, change.new
    return old is not None and new is not None and old.oid == new.oid and old.is_file == new.is_file


def is_seed(case: Comparison, path: str) -> bool:
    """Whether a path lies in the seed folder of a row of base or head."""
    return any(holds_seed(row, path) for side in (case.base, case.head) for row in side.ledgers.pinning(path))


def holds_seed(row: Row, path: str) -> bool:
    """Whether a path lies in the seed folder of a row."""
    return row.seeds is not None and path.startswith(row.seeds)


def _is_read_unasked(path: str, entry: Entry) -> bool:
    name = path.rpartition("/")[2].casefold()
    return (
        not entry.is_file
        or name.endswith(_IMPORTABLE)
        or name in _IMPORTABLE_NAMES
        or re.search(_RUN_BY_NAME, name) is not None
    )


def whole_files(case: Comparison, paths: Collection[str]) -> Iterator[Item]:
    """The changed files among some paths, as items."""
    for change in case.change.edits:
        if change.path in paths:
            yield file_item(case, change)


def file_item(case: Comparison, change: PathChange) -> Item:
    """A changed file as an item, by the bytes of both sides."""
    (item,) = _file_difference(case, change, "protected-path").items
    return item


def _file_difference(case: Comparison, change: PathChange, rule: str, detail: str | None = None) -> Difference:
    old, new = (None if entry is None else entry_digest(case.change.head, entry) for entry in (change.old, change.new))
    return Difference(
        rule=rule,
        items=(Item("file", change.path, old, new),),
        path=change.path,
        subject=change.path,
        old=old,
        new=new,
        detail=detail,
    )


def _may_go(case: Case, change: PathChange) -> bool:
    """Whether anybody may take an ack out: it has long expired, or no signer gave it. One that is none may be alive."""
    if change.new is not None:
        return False
    from ledgergate.vouch.acks.held import ack_of

    ack = ack_of(case.change.base, change.old)
    if ack is None or ack.is_over(case.now):
        return ack is not None
    from ledgergate.vouch.acks.landed import is_nobodys

    return is_nobodys(case, ack)
