"""Keys, signers and acks, made with the real ssh-keygen."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from ledgergate.checks import judge
from ledgergate.git import Repository, between
from ledgergate.values import Item, Report
from ledgergate.vouch import Trust
from ledgergate.vouch.acks.document import Ack
from ledgergate.vouch.acks.keygen import sign
from ledgergate.vouch.contract import contract_items
from support.project import BASE, HUMAN, NOW, Edit
from support.repo import Repo

MAIN = "refs/heads/main"
TO_MAIN = Trust(MAIN, default_branch=MAIN)
KIM, LEE, EVE = "kim@example.org", "lee@example.org", "eve@example.org"
ACKS = ".ledgergate/acks"
SIGNERS_PATH = ".ledgergate/allowed_signers"


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="ledgergate-test-")


def key_of(owner: str, kind: str = "ed25519") -> Path:
    """The private key of somebody, made once in a test run; beside it lies `.pub`."""
    path = Path(_folder().name) / f"{owner}-{kind}"
    if not path.exists():
        subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f", path], check=True)
    return path


def public_of(owner: str, kind: str = "ed25519") -> str:
    """Type and key, as they stand in a line of signers."""
    return " ".join(Path(f"{key_of(owner, kind)}.pub").read_text().split()[:2])


def signers(*owners: str, options: str = 'namespaces="ledgergate-ack"') -> str:
    return "".join(f"{owner} {options} {public_of(owner)}\n" for owner in owners)


def ack(
    items: Iterable[Item] = (),
    *,
    signer: str = KIM,
    key: Path | None = None,
    issued: datetime = NOW - timedelta(hours=1),
    days: float = 7,
    target: str = MAIN,
    repository: str = "",
    revokes: str | None = None,
) -> Ack:
    """A signed ack, by default a valid one."""
    expires = issued + timedelta(days=days)
    found = Ack(repository, target, issued, expires, signer, contract_items(items), revokes)
    return found._replace(signature=sign(found.signed_bytes, str(key or key_of(signer))))


def files(*acks: Ack) -> dict[str, str | bytes | None]:
    """The files of acks by their paths."""
    return {f"{ACKS}/{one.name}": one.file_bytes for one in acks}


# A project whose signers are Kim and Lee.
GUARDED: Edit = {**BASE, SIGNERS_PATH: signers(KIM, LEE)}


def contract(repo: Repo, old: str = "main", new: str = "topic") -> tuple[Item, ...]:
    """The items of what a branch would bring to another."""
    return judge(between(Repository(str(repo.path)), old, new), lambda _: HUMAN, NOW).items


def ranged(
    repo: Repo,
    old: str = "main",
    new: str = "topic",
    *,
    trust: Trust = TO_MAIN,
    now: datetime = NOW,
    exact: bool = False,
) -> Report:
    """The report on what a branch would bring to another, for its target."""
    return judge(between(Repository(str(repo.path)), old, new, exact=exact), lambda _: HUMAN, now, trust=trust)
