"""The server hooks: `pre-receive` and `update`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.hosts.refs import Malformed, RefUpdate, read_received, update_of
from ledgergate.hosts.server_config import CALLED_BY_GIT, NAME, read_server_config
from ledgergate.hosts.supervised import only_what_git_says, within, worded_for_the_web

if TYPE_CHECKING:
    from ledgergate.hosts.received import Received
    from ledgergate.hosts.server_config import ServerConfig
    from ledgergate.hosts.supervised import Settle
    from ledgergate.report.pushed import Moved

# The part of the time that is for refs at which nothing is refused.
_FOR_PROPOSALS = 0.5


def pre_receive(config: str | None) -> int:
    """Judge all that a push brings, as git's standard input lists it; 0 only where each ref may move."""
    return _hook(config, _read_lines)


def update(config: str | None, ref: str, old: str, new: str) -> int:
    """Judge what a push brings to one ref, as git's arguments name it."""
    return _hook(config, lambda: [update_of(f"{ref} {old} {new}", ref, old, new)])


def _hook(config: str | None, read: Callable[[], Iterable[RefUpdate | Malformed]]) -> int:
    only_what_git_says()
    worded_for_the_web()
    found = read_server_config(_config_path(config))
    return within(found.deadline_s, lambda settle: judge_updates(read(), found, settle))


def _config_path(named: str | None) -> Path:
    return Path(named) if named is not None else Path(os.environ.get("GIT_DIR") or ".", "hooks", NAME)


def _read_lines() -> list[RefUpdate | Malformed]:
    data = b"" if sys.stdin is None else sys.stdin.buffer.read()
    if not data:
        raise LedgergateError(
            "ref-malformed",
            "Standard input is empty, so nobody knows what is pushed.",
            remedy=CALLED_BY_GIT,
        )
    return list(read_received(data))


def judge_updates(
    updates: Iterable[RefUpdate | Malformed], config: ServerConfig, settle: Settle = lambda _: None
) -> int:
    """Judge each of them in the repository here, and print what there is to say; 0 only where each may be made.

    Refs that nobody protects are looked at last, and only as long as there is time: nothing is refused there. Before
    them `settle` is told the status.
    """
    from ledgergate.git import Repository
    from ledgergate.hosts.received import Received

    begun = time.monotonic()
    received = Received(Repository(), config)
    binding: list[RefUpdate | Malformed] = []
    proposals: list[RefUpdate | Malformed] = []
    for update in updates:
        (proposals if received.is_proposal(update) else binding).append(update)
    refused = sum(_tell(received, update) for update in binding)
    if proposals:
        settle(ExitCode.JUDGED if refused else ExitCode.OK)
    for position, update in enumerate(proposals):
        if time.monotonic() - begun > config.deadline_s * _FOR_PROPOSALS:
            left = len(proposals) - position
            sys.stdout.write(f"ledgergate: no time was left to look at {left} of the refs that nobody protects\n")
            break
        refused += _tell(received, update)
        sys.stdout.flush()
    total = len(binding) + len(proposals)
    if refused:
        sys.stdout.write(f"ledgergate: {refused} of {total} pushed refs refused, so none of them moves\n")
    return ExitCode.JUDGED if refused or not total else ExitCode.OK


def _tell(received: Received, update: RefUpdate | Malformed) -> bool:
    """Say what there is to say of one ref; whether it is refused."""
    from ledgergate.checks.proposals import as_pushed
    from ledgergate.report.pushed import render_pushed
    from ledgergate.values import State

    judged = received.judge(update)
    is_refused = judged.report.state is not State.PASS
    if is_refused or judged.report.notes:
        moved = _moved(judged.update, received)
        sys.stdout.write(render_pushed(judged.what, as_pushed(judged.report), moved))
    return is_refused


def _moved(update: RefUpdate | None, received: Received) -> Moved | None:
    from ledgergate.report.pushed import Moved

    if update is None or update.new is None:
        return None
    return Moved(update.ref, update.old, update.new, received.default_branch, received.has_own_signers)
