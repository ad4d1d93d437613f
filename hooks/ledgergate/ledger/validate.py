"""The rules that a row obeys: which fields its class has, and what each field may say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from ledgergate.ledger.paths import Fault, id_fault, inline_fault, path_fault
from ledgergate.ledger.rows import Problem, Row, Value


class _Fields(NamedTuple):
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


_BY_CLASS = {
    "locked_fixture": _Fields(("artifact", "digest"), ("lfs", "allow_empty", "params")),
    "property": _Fields(("invariant", "seeds"), ("params",)),
    "quarantine": _Fields(("opened", "reason", "owner"), ("params", "artifact")),
    "draft": _Fields(("source", "proposed_class"), ("params",)),
}
_PROPOSED: dict[Value, _Fields] = {
    "locked_fixture": _Fields(("artifact",), ("digest", "lfs", "allow_empty")),
    "property": _Fields(("invariant",), ("seeds",)),
}


def row_problems(row: Row, today: date, line_of: Callable[[str], int]) -> list[Problem]:
    """Everything that is wrong with what the row says. `line_of` gives the line of a field, or the row's own."""
    found = [*_field_set_faults(row)]
    for field, value in row.fields.items():
        check = _CHECKS.get(field)
        if check is not None:
            found += ((field, fault) for fault in check(value, row, today))
    return [Problem(rule, line_of(field), row.id or None, message, remedy) for field, (rule, message, remedy) in found]


def append_problem(row: Row) -> Problem | None:
    """Why a draft row cannot be appended: it must already name the contract that it proposes. None: it can.

    A draft that stands in the ledger for longer is well-formed without.
    """
    proposed = _PROPOSED.get(row.fields.get("proposed_class", ""))
    if row.class_ != "draft" or proposed is None:
        return None
    wanted = proposed.required[0]
    if wanted in row.fields:
        return None
    message = f"a new draft of a {row.fields['proposed_class']} names its `{wanted}`"
    return Problem("row-invalid", row.line, row.id, message, f"Add `{wanted}:` to the row.")


def _field_set_faults(row: Row) -> Iterator[tuple[str, Fault]]:
    if "id" not in row.fields:
        yield "id", _invalid("the row has no `id`", "Begin the row with the exact test id.")
    known = _fields_of(row)
    if known is None:
        yield "class", _unknown_class(row)
        return
    required, optional = known
    names = ("id", "class", *required, *optional)
    unknown = {field: _nearest_field(field, names, row) for field in row.fields if field not in names}
    for field in required:
        # A field under a name that is nearly its own is told once, as that.
        if field not in row.fields and field not in unknown.values():
            yield field, _invalid(f"a {row.class_} row needs `{field}`", f"Add `{field}:` to the row.")
    for field, meant in unknown.items():
        yield field, _invalid(f"`{field}` is no field of a {row.class_} row", _hint(meant, names))


def _fields_of(row: Row) -> _Fields | None:
    known = _BY_CLASS.get(row.class_)
    proposed = _PROPOSED.get(row.fields.get("proposed_class", ""))
    if known is None or row.class_ != "draft":
        return known
    if proposed is None:
        return _Fields(known.required, ("artifact", "digest", "lfs", "allow_empty", "invariant", "seeds", "params"))
    return _Fields(known.required, (*known.optional, *proposed.required, *proposed.optional))


def _unknown_class(row: Row) -> Fault:
    value = row.fields.get("class")
    if value is None:
        return _invalid("the row has no `class`", f"Classes are {', '.join(_BY_CLASS)}.")
    if not isinstance(value, str):
        return _invalid("`class` holds a list, and is one word", f"Classes are {', '.join(_BY_CLASS)}.")
    return _invalid(f"{value!r} is no class", _hint(_nearest(value, tuple(_BY_CLASS)), tuple(_BY_CLASS)))


def _nearest_field(field: str, names: Sequence[str], row: Row) -> str | None:
    """The field that a name was meant for: one that the row lacks rather than one that it has."""
    return _nearest(field, [name for name in names if name not in row.fields]) or _nearest(field, names)


def _nearest(name: str, names: Sequence[str]) -> str | None:
    import difflib

    return next(iter(difflib.get_close_matches(name, names, 1)), None)


def _hint(meant: str | None, names: Sequence[str]) -> str:
    return f"Did you mean `{meant}`?" if meant else f"Valid are {', '.join(names)}."


def _invalid(message: str, remedy: str | None = None) -> Fault:
    return Fault("row-invalid", message, remedy)


Check = Callable[[Value, Row, date], Iterator[Fault]]


def _text(name: str, check: Callable[[str, Row, date], Fault | None]) -> Check:
    """A check of a field that holds one text, which is never empty."""

    def checked(value: Value, row: Row, today: date) -> Iterator[Fault]:
        if not isinstance(value, str):
            yield _invalid(f"`{name}` holds a list, and is one text", "Where the text begins with [, quote it.")
        elif not value.strip():
            yield _invalid(f"`{name}` is empty")
        elif (fault := check(value, row, today)) is not None:
            yield fault

    return checked


def _any_text(_value: str, _row: Row, _today: date) -> None:
    return None


def _id(value: str, _row: Row, _today: date) -> Fault | None:
    return id_fault(value)


def _opened(value: str, _row: Row, today: date) -> Fault | None:
    try:
        opened = date.fromisoformat(value) if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", value) else None
    except ValueError:
        opened = None
    if opened is None:
        return _invalid(f"`opened` is {value!r}, which is no date", "Write it as YYYY-MM-DD.")
    if opened > today:
        return _invalid(f"`opened` is {value}, which is in the future")
    return None


def _proposed_class(value: str, _row: Row, _today: date) -> Fault | None:
    return None if value in _PROPOSED else _invalid(f"{value!r} is no class that a draft can propose", _proposals())


def _proposals() -> str:
    return "Write `property` or `locked_fixture`."


def _seeds(value: str, _row: Row, _today: date) -> Fault | None:
    return path_fault(value, "the seed folder")


def _flag(value: str, _row: Row, _today: date) -> Fault | None:
    return None if value in ("true", "false") else _invalid(f"{value!r} is neither `true` nor `false`")


def _params(value: str, row: Row, _today: date) -> Fault | None:
    if not re.fullmatch("[1-9][0-9]{0,8}", value):
        return _invalid(f"`params` is {value!r}, and is a whole number from 1")
    if "[" in row.id.partition("::")[2]:
        return _invalid("`params` stands in a row for one parametrised case", "Remove it, or the id's brackets.")
    return None


def _artifact(value: Value, row: Row, _today: date) -> Iterator[Fault]:
    paths = (value,) if isinstance(value, str) else value
    if not paths:
        yield _invalid("`artifact` is an empty list")
    for path in paths:
        fault = _artifact_fault(path)
        if fault is not None:
            yield fault
    if row.class_ == "quarantine" and any("::" in path for path in paths):
        yield _invalid("`artifact` of a quarantined test names a test", "Name the golden it was held to, or nothing.")
    if row.lfs and any("::" in path for path in paths):
        yield _invalid("`lfs` stands in a row that pins a test", "Remove it: the source of a test is in git itself.")
    for path in sorted({path for path in paths if paths.count(path) > 1}):
        yield _invalid(f"`artifact` names {path} twice")


def _artifact_fault(path: str) -> Fault | None:
    if not path.strip():
        return _invalid("`artifact` is empty")
    return inline_fault(path) if "::" in path else path_fault(path, f"the artifact {path}")


def _digest(value: Value, row: Row, _today: date) -> Iterator[Fault]:
    for digest in (value,) if isinstance(value, str) else value:
        if not re.fullmatch("sha256:[0-9a-f]{64}", digest):
            yield _invalid(f"the digest {digest!r} is not `sha256:` and 64 lower-case hex digits")
    artifact = row.fields.get("artifact")
    if artifact is None:
        yield from (_invalid("`digest` has no `artifact` beside it"),) if row.class_ == "draft" else ()
    elif isinstance(value, str) != isinstance(artifact, str):
        yield _invalid("`artifact` and `digest` must both be one text, or both be lists")
    elif not isinstance(value, str) and len(value) != len(artifact):
        yield _invalid(f"`artifact` lists {len(artifact)}, and `digest` {len(value)}")


_CHECKS: dict[str, Check] = {
    "id": _text("id", _id),
    "artifact": _artifact,
    "digest": _digest,
    "invariant": _text("invariant", _any_text),
    "seeds": _text("seeds", _seeds),
    "opened": _text("opened", _opened),
    "reason": _text("reason", _any_text),
    "owner": _text("owner", _any_text),
    "source": _text("source", _any_text),
    "proposed_class": _text("proposed_class", _proposed_class),
    "lfs": _text("lfs", _flag),
    "allow_empty": _text("allow_empty", _flag),
    "params": _text("params", _params),
}
