"""What a signer is shown before they sign, whole, so that it can be looked at."""

from __future__ import annotations

import contextlib
import io
from unittest import mock

from ledgergate.hosts import moments
from ledgergate.hosts.receive import judge_updates
from ledgergate.hosts.refs import RefUpdate
from ledgergate.hosts.server_config import ServerConfig
from ledgergate.policy import ACKS_FOLDER
from support.acks import GUARDED, KIM, key_of
from support.gate import gate
from support.project import (
    BASE,
    FREEZE,
    FREEZES,
    GOLDEN,
    LEDGER,
    LOCKED,
    NOW,
    PROPERTY,
    QUARANTINE,
    SEED,
    SIGNALLED,
    TEST_FILE,
    Edit,
    Project,
    edited,
    freezes,
    rows,
    sha256,
)
from support.repo import Repo

_BASE: Edit = {path: content for path, content in GUARDED.items() if not path.startswith(ACKS_FOLDER)}
_HEADER = "width: 80\nheight: 24\n"
_START: Edit = {
    **_BASE,
    GOLDEN: _HEADER,
    LEDGER: str(_BASE[LEDGER]).replace(sha256("header"), sha256(_HEADER)),
}
_LENIENT, _TAGS = ServerConfig(), ServerConfig(require=("refs/tags/v*",))
_NEW = _HEADER.replace("24", "25")
_LOCKED = LOCKED.replace(sha256("header"), sha256(_HEADER))


def _relocked(start: str) -> str:
    return start.replace(sha256(_HEADER), sha256(_NEW))


def _prepared(repo: Repo) -> None:
    Project(repo, _START)
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingkey", str(key_of(KIM)))
    repo.git("checkout", "-q", "-b", "topic")


def ack_of_a_range(repo: Repo) -> str:
    """A branch on which people and an agent have changed something of every kind."""
    _prepared(repo)
    ledger = _relocked(str(_START[LEDGER])).replace(PROPERTY, "").replace("reason: order-dependent", "reason: slow")
    repo.commit({GOLDEN: _NEW, LEDGER: ledger, SEED: "two\n"})
    repo.commit({FREEZES: freezes(FREEZE, {**FREEZE, "id": "fx-2", "case_id": "test_length"}, floor=0)})
    repo.commit(
        {"tests/conftest.py": "collect_ignore = ['test_parse.py']\n", "ledgergate.toml": "version = 1\nname = 'a'\n"}
    )
    text = edited(TEST_FILE, "def test_without_row(): pass\n", "")
    repo.commit({"tests/test_parse.py": text}, trailers=(SIGNALLED,))
    return gate(repo, "ack", "--from", "main", "--to", "topic").out


def relock_in_one_step(repo: Repo) -> str:
    """A golden that a human changed, beside what somebody else has staged."""
    _prepared(repo)
    changed = rows((QUARANTINE, edited(QUARANTINE, "order-dependent", "slow")))
    repo.stage({GOLDEN: _NEW, LEDGER: str(changed[LEDGER]).replace(LOCKED, _LOCKED)})
    return gate(repo, "relock", "--staged").out


def _pushed(repo: Repo, edit: Edit, ref: str, config: ServerConfig = _LENIENT) -> str:
    """What the server says of an agent's commit, whose id is the same each time."""
    repo.env.update(GIT_AUTHOR_DATE="2026-12-01T12:00Z", GIT_COMMITTER_DATE="2026-12-01T12:00Z")
    # A copy: of `BASE` itself there may be a commit already, of another time.
    Project(repo, dict(BASE))
    repo.git("checkout", "-q", "--detach")
    new = repo.commit(edit, "edit", trailers=[SIGNALLED])
    old = repo.git("rev-parse", "main") if ref == "refs/heads/main" else None
    out = io.StringIO()
    with (
        mock.patch.object(moments, "now", lambda: NOW),
        contextlib.chdir(repo.path),
        contextlib.redirect_stdout(out),
    ):
        judge_updates([RefUpdate(ref, old, None if edit == {} else new)], config)
    return out.getvalue()


_CONTRACT: Edit = {GOLDEN: _NEW, LEDGER: str(BASE[LEDGER]).replace(sha256("header"), sha256(_NEW))}
SCREENS = {
    "ack": ack_of_a_range,
    "relock": relock_in_one_step,
    "push-contract": lambda repo: _pushed(repo, _CONTRACT, "refs/heads/main"),
    "push-broken": lambda repo: _pushed(repo, {GOLDEN: _NEW, "tests/test_parse.py": "X = 1\n"}, "refs/heads/main"),
    "push-proposal": lambda repo: _pushed(repo, {GOLDEN: _NEW, FREEZES: freezes()}, "refs/heads/topic"),
    "push-tag": lambda repo: _pushed(repo, {"tests/conftest.py": "x = 1\n"}, "refs/tags/v1", _TAGS),
    "push-deletion": lambda repo: _pushed(repo, {}, "refs/heads/main"),
}
