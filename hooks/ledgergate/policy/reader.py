"""`ledgergate.toml` -> `Policy`, or one error that names every problem of the file."""

from __future__ import annotations

from typing import Any

from ledgergate.errors import LedgergateError
from ledgergate.policy import fields, model
from ledgergate.policy.model import POLICY_PATH, Policy

_VERSION = 1
_GLOBS = fields.texts(fields.glob)

_TOP: dict[str, fields.Kind] = {
    "name": fields.text,
    "ledger": fields.texts(fields.ledger, least=1),
    "freeze_ledger": fields.path,
    "tests": _GLOBS,
    "goldens": _GLOBS,
    "drafts": fields.folder,
    "production": _GLOBS,
    "not_production": _GLOBS,
    "agent_write_paths": _GLOBS,
    "agent_new_tests": fields.flag,
    "protected": _GLOBS,
    "protected_refs": fields.texts(fields.ref_pattern),
}
_LANE: dict[str, fields.Kind] = {
    "command": fields.filled,
    "timeout_s": fields.count(1),
    "remote": fields.flag,
    "junit": fields.texts(fields.ledger),
}
_SECTIONS: dict[str, tuple[Any, dict[str, fields.Kind]]] = {
    "identity": (
        model.Identity,
        {"agents": fields.texts(fields.filled), "assisted": fields.choice("agent", "human")},
    ),
    "vouch": (
        model.Vouch,
        {
            "mode": fields.choice("ack", "signals"),
            "signers": fields.path,
            "humans": fields.texts(fields.account),
            "four_eyes": fields.flag,
            "require_presence": fields.flag,
            "tests": fields.flag,
        },
    ),
    "merge": (
        model.Merge,
        {
            "unscored": fields.choice("block", "hold"),
            "optional_fail": fields.choice("block", "hold"),
            "optional_unscored": fields.choice("hold", "allow"),
        },
    ),
    "freeze": (model.FreezeLimits, {"max_days": fields.count(1)}),
    "quarantine": (model.QuarantineLimits, {"max_age_days": fields.count(0)}),
    "run": (model.Run, {"plugins": fields.texts(fields.filled)}),
    "push": (model.Push, {"evidence": fields.choice("require", "run", "ci", "off")}),
    "review": (
        model.Review,
        {
            "never_send": _GLOBS,
            "adapter": fields.text,
            "endpoint": fields.text,
            "model": fields.text,
            "key_env": fields.text,
            "timeout_s": fields.count(1),
            "max_bytes": fields.count(1),
        },
    ),
}
_TOP_NAMES = ("version", *_TOP, *_SECTIONS, "lanes")


def read_policy(data: bytes) -> Policy:
    """The policy that the bytes of `ledgergate.toml` hold.

    Raises `LedgergateError("policy-unreadable")`, whose message lists every problem: each key, what is wrong with it,
    and the nearest valid name where it is unknown.
    """
    document = _parse(data)
    problems: list[str] = []
    policy = _build(document, problems)
    if not problems:
        problems.extend(_clashes(policy))
    if problems:
        raise _unreadable("\n".join(["cannot be used:", *(f"  {problem}" for problem in problems)]))
    return policy


def _parse(data: bytes) -> dict[str, Any]:
    try:
        return fields.toml(data)
    except fields.FieldError as error:
        raise _unreadable(str(error)) from error


def _unreadable(what: str) -> LedgergateError:
    return LedgergateError("policy-unreadable", f"{POLICY_PATH} {what}", path=POLICY_PATH)


def _build(document: dict[str, Any], problems: list[str]) -> Policy:
    problems.extend(_version_problems(document))
    values = _read_table(document, _TOP, "", _TOP_NAMES, problems)
    for name, (record, kinds) in _SECTIONS.items():
        table = _table(document.get(name, {}), f"[{name}]", problems)
        values[name] = record(**_read_table(table, kinds, f"{name}.", tuple(kinds), problems))
    return Policy(**values, lanes=_read_lanes(document.get("lanes", {}), problems))


def _version_problems(document: dict[str, Any]) -> list[str]:
    version = document.get("version")
    if version is None:
        return [f"version: is missing; write version = {_VERSION} on the first line"]
    if type(version) is not int or version != _VERSION:
        return [f"version: is {version!r}; this release of ledgergate reads version {_VERSION}"]
    return []


def _read_lanes(lanes: object, problems: list[str]) -> tuple[model.Lane, ...]:
    read: list[model.Lane] = []
    for name, table in _table(lanes, "[lanes]", problems).items():
        where = f"lanes.{name}"
        try:
            fields.filled(name)
        except ValueError as error:
            problems.append(f"{where}: its name {error}")
        values = _read_table(_table(table, f"[{where}]", problems), _LANE, f"{where}.", tuple(_LANE), problems)
        if isinstance(table, dict) and "command" not in table:
            problems.append(f"{where}: has no command")
        read.append(model.Lane(**{"name": name, "command": "", **values}))
    return tuple(read)


def _table(value: object, where: str, problems: list[str]) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    problems.append(f"{where.strip('[]')}: must be a table, as in {where}")
    return {}


def _read_table(
    table: dict[str, Any], kinds: dict[str, fields.Kind], prefix: str, names: tuple[str, ...], problems: list[str]
) -> dict[str, Any]:
    """The values of the table's keys that are well-formed; every other key adds a problem."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key in kinds:
            try:
                values[key] = kinds[key](value)
            except ValueError as error:
                problems.append(f"{prefix}{key}: {error}")
        elif key not in names:
            problems.append(f"{prefix}{key}: unknown key{_hint(key, names)}")
    return values


def _hint(key: str, names: tuple[str, ...]) -> str:
    homes = [f"in [{name}]" for name, (_, kinds) in _SECTIONS.items() if key in kinds]
    homes += ["at the top of the file, before the first [section]"] if key in _TOP else []
    return f"; it belongs {homes[0]}" if homes else fields.nearest(key, names)


def _clashes(policy: Policy) -> list[str]:
    """Values that are fine alone and not together."""
    if policy.freeze_ledger in policy.ledger:
        return [f"freeze_ledger: is {policy.freeze_ledger}, which `ledger` names too"]
    return []
