"""Remedies put to those who read them: what a human is shown, and what helps once a change is committed."""

from __future__ import annotations

from collections.abc import Sequence

from ledgergate.git import PathChange
from ledgergate.rules.undo import LEAVE_OUT, OWN_COMMIT, UNDO
from ledgergate.values import Finding
from ledgergate.vouch import Case

_SHORT = 12
_STAGE_AND_RELOCK = "`git add :PATH` and `ledgergate relock --staged`"
_BOTH = "Agent, human: "
_HUMAN = "Human: "
_AGENT = "Agent: "


def addressed(found: Finding, case: Case, change: PathChange | None) -> Finding:
    """The finding with the lines of its remedy that fit the reader, the moment and the `change` of its path.

    A human who stages is not told what an agent would do; an agent's screen is read by its human too. What is committed
    already is taken back from the revision that it is compared with. A file that is new there is not deleted.
    """
    remedy = found.remedy
    if change is not None and change.old is None:
        remedy = remedy.replace(UNDO, LEAVE_OUT)
    if case.change.moment == "staged" and not case.actor.is_agent:
        remedy = _for_a_human(remedy)
    if case.change.moment == "staged" and (said := _said_by_the_message(case.actor.signals)):
        instead = f"commit it without {said} in the message where no agent had a part in it"
        if not case.lacks_signers:
            # What the hook of the message refuses is what a range with an approval may hold.
            instead += "; where one had, with `git commit --no-verify`, and approve it then (`ledgergate ack` says how)"
        remedy = remedy.replace(OWN_COMMIT, instead)
    if case.change.moment == "range":
        base = case.change.base.id[:_SHORT]
        remedy = remedy.replace("git restore --staged", f"git restore --source={base} --staged")
        remedy = remedy.replace("git diff HEAD", f"git diff {base}")
        # What is in commits already helps no shell any more.
        remedy = remedy.replace(OWN_COMMIT, _approved(case)) if OWN_COMMIT in remedy else remedy
        if _STAGE_AND_RELOCK in remedy:
            is_of_a_row = found.subject != found.path
            by_id = "`ledgergate relock ID`" if is_of_a_row else "`ledgergate relock` with the id of its row"
            remedy = remedy.replace(_STAGE_AND_RELOCK, by_id)
            remedy = remedy.replace("; then commit.", "; then commit, and check the range again.")
    return found if remedy == found.remedy else found._replace(remedy=remedy)


def _approved(case: Case) -> str:
    if case.lacks_signers:
        return "let somebody approve it, once a key counts for this branch (docs/ci.md, Signed approvals)"
    return f"let a signer approve it: `{case.approving}`"


def _said_by_the_message(signals: Sequence[str]) -> str:
    """What of the commit's message shows an agent, where nothing else does; else nothing."""
    kinds = {signal.partition(":")[0] for signal in signals}
    texts = (signal.partition(":")[2].replace("`", "'") for signal in signals)
    return ", ".join(f"`{text}`" for text in texts) if kinds and kinds <= {"trailer", "message"} else ""


def _for_a_human(remedy: str) -> str:
    """The lines for humans, without saying so, each with what is to be pasted below it; all of them where none is."""
    kept: list[str] = []
    is_theirs = True
    for line in remedy.split("\n"):
        if not line.startswith(" "):
            is_theirs = not line.startswith(_AGENT)
        if is_theirs:
            prefix = next((prefix for prefix in (_BOTH, _HUMAN) if line.startswith(prefix)), "")
            kept.append(line[len(prefix) :][:1].upper() + line[len(prefix) + 1 :] if prefix else line)
    return "\n".join(kept) or remedy
