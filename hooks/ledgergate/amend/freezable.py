"""Tests that can be frozen, and the check in them that fails."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ledgergate.amend.records import View
from ledgergate.amend.tests import refuse_caseless, refuse_changing
from ledgergate.errors import UsageError
from ledgergate.freeze import Freeze, FreezeLedger
from ledgergate.freeze.signature import signature_of, tree_reader
from ledgergate.ledger import split_id
from ledgergate.source.checks import Check, functions_named
from ledgergate.source.text import Unreadable

_MOST_LISTED = 20


class Freezable(NamedTuple):
    """A test that can be frozen.

    `case_id` is what the freeze calls it: its exact id, or for all cases of a parametrised function the function's
    name. `checks` is what could be failing in it, None for a file that is no Python; `text` is that file's own.
    """

    id: str
    case_id: str
    path: str
    checks: tuple[Check, ...] | None
    text: str


def find_freezable(view: View, id_: str, frozen: FreezeLedger) -> Freezable:
    """The test with this exact id. Raises `UsageError` where it cannot be frozen, and says why."""
    path, separator, name = id_.partition("::")
    if not separator or not name:
        raise UsageError(f"{id_} is no exact test id. Give it as the runner prints it: FILE::NAME")
    refuse_changing(id_)
    twin = next((freeze for freeze in frozen.freezes if freeze.path == path and _overlaps(freeze, id_)), None)
    if twin is not None:
        raise UsageError(f"{id_} is frozen already, by {twin.id}; `ledgergate thaw {twin.id}` takes that out first")
    found = view.find(id_)
    if id_.startswith(view.policy.drafts) or (found is not None and found[0].class_ == "draft"):
        raise UsageError(f"{id_} is a draft, and no evidence run needs it; only what has to run can be frozen")
    tree = view.tree([path])
    refuse_caseless(tree, id_)
    data = tree_reader(tree)(path)
    if data is None:
        raise UsageError(f"{id_}: there is no file {path}. Give the exact id, with the file's path from the root")
    if not path.endswith(".py"):
        return Freezable(id_, id_, path, None, data.decode("utf-8", "surrogateescape"))
    covers_all = found is not None and found[0].params is not None
    return _in_python(id_, path, data, covers_all=covers_all)


def _overlaps(freeze: Freeze, id_: str) -> bool:
    """Whether one of the two means a case that the other means."""
    return freeze.names(id_) or (freeze.case_id.partition("[")[0] == id_)


def _in_python(id_: str, path: str, data: bytes, *, covers_all: bool) -> Freezable:
    functions = functions_named(data, id_)
    if isinstance(functions, Unreadable):
        raise UsageError(f"{path} cannot be read, so that nobody can say what fails in it: {functions.message}")
    name = split_id(id_)[1][-1]
    if len(functions) != 1:
        how_many = f"{len(functions)} functions of that name" if functions else f"no function {name} in that place"
        raise UsageError(f"{id_}: {path} has {how_many}, and a freeze is about exactly one")
    (function,) = functions
    case_id = id_
    if "[" not in id_ and (covers_all or function.has_parameters):
        case_id = name
        named = functions_named(data, name)
        if isinstance(named, Unreadable) or len(named) != 1:
            raise UsageError(
                f"{id_} has parameters, and {path} has more than one function {name}, so that the name does not tell "
                "them apart: freeze its cases one by one, each by its exact id"
            )
    return Freezable(id_, case_id, path, function.checks, "")


def candidate_checks(test: Freezable) -> list[Check]:
    """The checks of a Python test, each text once, in the order of their lines."""
    found = {signature_of(check.text): check for check in reversed(test.checks or ()) if check.is_check}
    return sorted(found.values(), key=lambda check: check.first)


def chosen_check(test: Freezable, wanted: str | None) -> str:
    """The text of the check that `wanted` means: some of its text or, in Python, its line.

    Without a word it is the only check that there is. Raises `UsageError`, listing what there is.
    """
    if test.checks is None:
        return _text_of_file(test, wanted)
    candidates = candidate_checks(test)
    if wanted is None:
        if len(candidates) == 1:
            return candidates[0].text
        several = f"has {len(candidates)} checks; say which one fails" if candidates else "shows no check of its own"
        raise UsageError(f"{test.id} {several}, with --assertion LINE or TEXT{listed(candidates)}")
    meant = _at_line(test, int(wanted)) if re.fullmatch("[0-9]{1,9}", wanted) else _with_text(test, wanted)
    if len({signature_of(check.text) for check in meant}) != 1:
        several = "more than one check is" if meant else "no check or statement is"
        raise UsageError(f"{test.id}: {several} what --assertion names{listed(meant or candidates)}")
    return meant[0].text


def listed(checks: Sequence[Check]) -> str:
    """The checks as lines, each with the number of its line."""
    lines = [f"\n  {check.first}: {' '.join(check.text.split())[:100]}" for check in checks[:_MOST_LISTED]]
    return "".join(lines)


def _at_line(test: Freezable, line: int) -> list[Check]:
    """The checks on the line; without any, the widest statement or call that begins there."""
    on_line = [check for check in candidate_checks(test) if check.first <= line <= check.last]
    first = [check for check in on_line if check.first == line]
    if first or on_line:
        return first or on_line
    begun = [check for check in test.checks or () if check.first == line]
    return sorted(begun, key=lambda check: -len(check.text))[:1]


def _with_text(test: Freezable, wanted: str) -> list[Check]:
    """The statements and calls that are this text; without any, the checks that hold it."""
    text = _plain(wanted)
    same = [check for check in test.checks or () if _plain(check.text) == text]
    return same[:1] or [check for check in candidate_checks(test) if text and text in _plain(check.text)]


def _text_of_file(test: Freezable, wanted: str | None) -> str:
    text = _plain(wanted or "")
    if not text:
        raise UsageError(f"{test.path} is no Python file: give the text of the check that fails, --assertion TEXT")
    number = _plain(test.text).count(text)
    if number != 1:
        remedy = "give more of it, so that it stands there once" if number else "give it as it stands in the file"
        raise UsageError(f"{test.path} holds that text {number} times; {remedy}")
    return text


def _plain(text: str) -> str:
    return " ".join(text.split())
