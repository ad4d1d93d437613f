"""The facts that a trusted job has read from its forge, from the file that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ledgergate.errors import LedgergateError
from ledgergate.freeze.strict_json import JsonError, read_json
from ledgergate.lanes.regular import read_regular
from ledgergate.policy.fields import account
from ledgergate.vouch import Approval, Facts

_RULE = "facts-unreadable"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class FactsError(ValueError):
    """Why bytes hold no facts."""


def read_facts(path: str, tip: str) -> Facts:
    """The facts in a file, for a check whose `--to` is the commit `tip` (a full id).

    Raises `LedgergateError` where the file is none, or not wholly what `facts.schema.json` says.
    """
    data = read_regular(path, _RULE)
    if data is None:
        raise LedgergateError(_RULE, "There is no such file.", path=path)
    try:
        return parse_facts(data, tip)
    except (JsonError, FactsError) as error:
        raise LedgergateError(_RULE, f"The facts cannot be taken: {error}.", path=path) from error


def parse_facts(data: bytes, tip: str) -> Facts:
    """The facts that these bytes hold. Raises `FactsError` or `JsonError`, which say why, where they hold none."""
    facts = _object(read_json(data), "it", ("author", "approvals"))
    author = _account(facts["author"], "author")
    listed = facts["approvals"]
    if not isinstance(listed, list):
        raise FactsError("approvals is no list")
    approvals = tuple(_approval(entry, f"approvals[{number}]") for number, entry in enumerate(listed))
    accounts = [approval.account for approval in approvals]
    twice = next((one for one in accounts if accounts.count(one) > 1), None)
    if twice is not None:
        raise FactsError(f"{twice} stands in approvals twice, and only an account's latest review counts")
    return Facts(author, approvals, tip)


def _approval(entry: object, where: str) -> Approval:
    approval = _object(entry, where, ("account", "commit"))
    commit = approval["commit"]
    if not isinstance(commit, str) or not _COMMIT.fullmatch(commit):
        raise FactsError(f"{where}: commit is no full commit id in small letters")
    return Approval(_account(approval["account"], f"{where}: account"), commit)


def _account(value: object, where: str) -> str:
    try:
        return account(value)
    except ValueError as error:
        raise FactsError(f"{where} {error}") from error


def _object(value: object, where: str, keys: tuple[str, ...]) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise FactsError(f"{where} is no object")
    if set(value) != set(keys):
        raise FactsError(f"{where} must have exactly the keys {' and '.join(keys)}")
    return value
