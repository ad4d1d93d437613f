"""Everything that is known of a repository's set-up, and what it amounts to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from ledgergate.doctor.ci import ci
from ledgergate.doctor.contracts import contracts
from ledgergate.doctor.hooks import hooks
from ledgergate.doctor.model import Line
from ledgergate.doctor.seen import Seen
from ledgergate.doctor.tools import tools

NO_GATE = (
    "A gate keeps agents from writing goldens and the ledger's classes, and knows more of a run than its colour. "
    "This is none yet."
)
# What lies with the forge or the server, which a clone knows nothing of.
_SERVERS_HOOK = "whether the server has a hook of its own"
NOT_SEEN = (
    "whether the forge requires the check before a merge, and who may go past it (branch protection, rulesets)",
    "whether branches have to be up to date, or go through a merge queue, before they are merged",
    "who may push to protected branches, edit workflows, or dismiss reviews",
    _SERVERS_HOOK,
)


class Diagnosis(NamedTuple):
    """`no_gate` are the reasons why this should not be called a gate. `notes` tell what is not seen from here."""

    lines: tuple[Line, ...]
    no_gate: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def is_healthy(self) -> bool:
        return all(line.health == "ok" for line in self.lines)


def diagnose(seen: Seen, now: datetime) -> Diagnosis:
    """The diagnosis of what was seen; `now` tells which keys are still valid."""
    lines = (*tools(seen), *contracts(seen, now), *hooks(seen), *ci(seen))
    notes = [note for note in NOT_SEEN if note is not _SERVERS_HOOK or not seen.is_bare]
    return Diagnosis(lines, tuple(_no_gate(lines)), tuple(notes))


def _no_gate(lines: Sequence[Line]) -> Iterator[str]:
    bad = {line.topic for line in lines if line.health != "ok"}
    if "default-branch" in bad:
        yield "nothing is enforced on the default branch"
    if "ci-check" in bad and not any(line.topic == "server-hook" and line.health == "ok" for line in lines):
        yield "no check that changes cannot alter keeps agents from writing goldens and ledgers"
    if "vouching" in bad:
        yield "nobody can prove to be the human who wrote them"
    if "ci-evidence" in bad:
        yield "of a run of the tests only red or green is known"
