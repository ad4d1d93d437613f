"""Options and variables that make a run rewrite what it is compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_VERBS = frozenset(
    {
        *("accept", "bless", "create", "fix", "generate", "overwrite", "rebaseline", "record", "recreate", "refresh"),
        *("regen", "regenerate", "reset", "review", "rewrite", "trim", "update", "write"),
    }
)
_NOUNS = frozenset(
    {
        *("approval", "approvals", "approved", "arraydiff", "baseline", "baselines", "cassette", "cassettes"),
        *("example", "examples", "expect", "expectation", "expectations", "expected", "expecttest", "golden"),
        *("goldens", "insta", "mpl", "reference", "references", "regtest", "snapshot", "snapshots"),
    }
)
# With one of these an option says when to fail or what to leave alone.
_NEGATIONS = frozenset(
    {"check", "disable", "dont", "fail", "missing", "never", "no", "none", "not", "skip", "unused", "warn", "without"}
)
# Verbs that say enough alone, where they are the whole name of a switch or stand in it.
_ALONE = frozenset({"accept", "bless", "overwrite", "rebaseline", "regen", "regenerate", "rewrite", "update"})
_ALWAYS = frozenset({"rebaseline", "regen", "regenerate"})
_RECORD_MODES = frozenset({"all", "new_episodes", "rewrite"})
_OFF = frozenset({"", "0", "false", "no", "none", "off"})
# What may stand beside verb and noun in a variable's name.
_PLAIN = frozenset({"all", "default", "flags", "force", "inline", "mode", "pytest", "test", "tests", "the"})
# Options that are spelled otherwise than what they are kept as.
_SPELLED = {
    "update_snapshots": "--snapshot-update",
    "update_new_snapshots_only": "--snapshot-update-new-only",
}


def golden_update(
    options: Mapping[str, object], environ: Mapping[str, str], inline_flags: Iterable[str] = ()
) -> str | None:
    """The option or variable that would have this run rewrite goldens, as one would write it; None for none.

    `options` are all options that were loaded, by the names that they are kept as. `inline_flags` is what the settings
    of inline-snapshot have it do by default.
    """
    for name, value in options.items():
        if _updates(name, value):
            spelled = _SPELLED.get(name) or f"--{name.replace('_', '-')}"
            return f"{spelled}={value}" if isinstance(value, str) else spelled
    for name, value in environ.items():
        if _is_updating_variable(name, value):
            return f"{name}={value}"
    flags = ",".join(inline_flags)
    if options.get("inline_snapshot") is None and _updates("inline_snapshot", flags):
        return f"default-flags of inline-snapshot ({flags})"
    return None


def _updates(name: str, value: object) -> bool:
    if not value:
        return False
    words = _words(name)
    if name in ("record_mode", "vcr_record"):
        return value in _RECORD_MODES
    if value is True and name == "accept_copy":
        return True
    if value is True and not words & _NEGATIONS and (words & _ALWAYS or (len(words) == 1 and words & _ALONE)):
        return True
    if isinstance(value, str) and name == "doctest_plus_generate_diff":
        return value == "overwrite"
    said = words | (_words(value) if isinstance(value, str) and _is_word(value) else set())
    return bool(said & _NOUNS and said & _VERBS and not said & _NEGATIONS)


def _is_updating_variable(name: str, value: str) -> bool:
    if value.lower() in _OFF or not name.isupper():
        return False
    words = _words(name)
    if name == "INLINE_SNAPSHOT_DEFAULT_FLAGS":
        return bool(_words(value) & _VERBS)
    return bool(words & _NOUNS and words & _VERBS and words <= _NOUNS | _VERBS | _PLAIN)


def _words(text: str) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", text.lower()))


def _is_word(value: str) -> bool:
    """Whether an option's value may be a choice, rather than a path or a pattern."""
    return re.fullmatch(r"[A-Za-z_,-]+", value) is not None
