"""The text of a first `ledgergate.toml`: what a reader must know, and the settings that differ from the defaults."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ledgergate.policy import Policy

_HEAD = """\
# The policy of ledgergate: what is golden, test and production here, and who may change it.
# Only humans edit this file. Globs are those of .gitignore; a setting that is not here has its default.

version = 1
"""
_ROOM = 100


def render_policy(policy: Policy) -> bytes:
    """The file for a policy whose tables are the defaults, but for `[run]` and lanes; read back, it is that policy."""
    default = Policy()
    parts = [_HEAD + f"name = {_text(policy.name)}  # the repository's name, which approvals will carry\n"]
    if (policy.ledger, policy.freeze_ledger) != (default.ledger, default.freeze_ledger):
        parts.append(
            "# What each test is held to, and which failures are frozen for a while.\n"
            f"ledger = {_list(policy.ledger)}\nfreeze_ledger = {_text(policy.freeze_ledger)}\n"
        )
    parts.append(f"# Agents may not edit tests, except below `drafts`.\ntests = {_list(policy.tests)}\n")
    parts.append(f"# Each golden has a row in the ledger, with its digest.\ngoldens = {_list(policy.goldens)}\n")
    parts.append(
        f"# Agents write new tests here; a human moves them among the others.\ndrafts = {_text(policy.drafts)}\n"
    )
    if policy.not_production != default.not_production:
        parts.append(
            "# Neither production nor tests: what may change together with a golden.\n"
            f"not_production = {_list(policy.not_production)}\n"
        )
    if policy.protected_refs != default.protected_refs:
        parts.append(f"# Branches where contracts are enforced.\nprotected_refs = {_list(policy.protected_refs)}\n")
    if policy.run != default.run:
        parts.append(f"[run]\n# The pytest plugins that may be loaded.\nplugins = {_list(policy.run.plugins)}\n")
    if policy.lanes:
        parts.append("# `ledgergate run` runs these, and says what that is worth.")
    parts += (f"[lanes.{lane.name}]\ncommand = {_text(lane.command)}\n" for lane in policy.lanes)
    return "\n".join(parts).encode("utf-8")


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(texts: Iterable[str]) -> str:
    items = [_text(text) for text in texts]
    line = f"[{', '.join(items)}]"
    if len(line) <= _ROOM:
        return line
    return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
