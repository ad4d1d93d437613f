"""What the tests push: a small guarded project in one clone, and every commit that any of them needs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from support.acks import KIM, LEE, SIGNERS_PATH, ack, contract, files, signers
from support.project import GOLDEN, LOCKED, SIGNALLED, WITHOUT_ACKS, Edit, edited, rows, sha256
from support.repo import Repo

_POLICY = 'version = 1\nprotected_refs = ["refs/heads/main", "refs/heads/release/**", "refs/tags/v*"]\n'
GUARDED: Edit = {**WITHOUT_ACKS, "ledgergate.toml": _POLICY, SIGNERS_PATH: signers(KIM, LEE)}
HONEST: Edit = {"src/app.py": "x = 2\n"}
TAMPERING: Edit = {**rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))), GOLDEN: "new"}


class Commits(NamedTuple):
    """A clone, the tip that each server has, and what is made of it, all by their commits' ids.

    `tampered` carries an agent's signal, `unsigned` the same without one, `signed` the same with a human's ack on top.
    `forced` and `forced_tampering` leave out a commit that the tip has.
    """

    repo: Repo
    tip: str
    honest: str
    tampered: str
    unsigned: str
    signed: str
    forced: str
    forced_tampering: str
    blob: str

    def changed(self, edit: Edit, parent: str | None = None, *, trailers: tuple[str, ...] = ()) -> str:
        """One more commit on a parent, the tip by default."""
        return _on(self.repo, parent or self.tip, edit, trailers)


def _on(repo: Repo, parent: str, edit: Edit, trailers: tuple[str, ...] = ()) -> str:
    repo.git("checkout", "-q", "--detach", parent)
    return repo.commit(edit, trailers=trailers)


def make_commits(folder: Path) -> Commits:
    repo = Repo(folder / "clone")
    root = repo.commit(GUARDED, "guard")
    tip = repo.commit({"NEWS.md": "n\n"}, "news")
    unsigned = _on(repo, tip, TAMPERING)
    approval = ack(contract(repo, tip, unsigned), issued=datetime.now(UTC).replace(microsecond=0) - timedelta(hours=1))
    return Commits(
        repo,
        tip,
        honest=_on(repo, tip, HONEST, (SIGNALLED,)),
        tampered=_on(repo, tip, TAMPERING, (SIGNALLED,)),
        unsigned=unsigned,
        signed=_on(repo, unsigned, files(approval)),
        forced=_on(repo, root, {"NEWS.md": "other\n"}),
        forced_tampering=_on(repo, root, {"NEWS.md": "n\n", **TAMPERING}, (SIGNALLED,)),
        blob=repo.git("rev-parse", f"{tip}:NEWS.md"),
    )
