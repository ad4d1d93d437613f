"""What hook managers tell a hook of a push: by variables, and of the first ref only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.hosts.refs import RefUpdate, is_nothing

_FROM, _TO = "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"
_LOCAL, _THERE, _REMOTE = "PRE_COMMIT_LOCAL_BRANCH", "PRE_COMMIT_REMOTE_BRANCH", "PRE_COMMIT_REMOTE_NAME"


class FirstRef(NamedTuple):
    """The ref that a hook manager names, and the remote. `update.new` may be any revision."""

    update: RefUpdate
    remote: str


def is_push(env: Mapping[str, str]) -> bool:
    """Whether a hook manager says that this is a push."""
    return bool(env.get(_THERE) or env.get(_TO))


def first_ref(env: Mapping[str, str]) -> FirstRef:
    """The ref of a push, by the variables that pre-commit and prek set for their hooks.

    For a ref that the remote does not have they may name a commit that it has, or none at all. Raises
    `LedgergateError` where no tip is named.
    """
    tip = env.get(_TO) or env.get(_LOCAL) or ""
    if not tip or is_nothing(tip):
        raise LedgergateError(
            "ref-malformed",
            "No hook manager says what is pushed: neither PRE_COMMIT_TO_REF nor PRE_COMMIT_LOCAL_BRANCH is set.",
        )
    old = env.get(_FROM) or ""
    ref = env.get(_THERE) or ""
    return FirstRef(
        RefUpdate(ref if ref.startswith("refs/") else "", None if not old or is_nothing(old) else old, tip),
        env.get(_REMOTE) or "origin",
    )
