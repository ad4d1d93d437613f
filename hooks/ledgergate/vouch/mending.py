"""How a change is approved, and what helps where base holds something that nobody can read, whoever may vouch."""

from __future__ import annotations

from ledgergate.git import Change
from ledgergate.values import shell_word
from ledgergate.vouch.trust import Trust


def approving_command(change: Change, trust: Trust) -> str:
    """The command by which a signer approves the change, as it is typed in a clone."""
    if change.names is None:
        return "ledgergate ack --staged"
    old, new = map(shell_word, change.names)
    branch = None if trust.is_proposal else trust.branch
    target = "" if branch is None else f" --target {shell_word(branch)}"
    return f"ledgergate ack --from {old} --to {new}{target}"


def how_to_mend(change: Change, trust: Trust) -> str:
    """The remedy for what cannot be read in the revision that judges: its own list of signers is nobody's word then."""
    if change.moment == "staged":
        return "A human mends it in a commit of its own, from a shell that no agent started."
    return f"Human: mend it in a commit of its own. {who_approves(change, trust)}"


def who_approves(change: Change, trust: Trust) -> str:
    """Whose word counts for a range where base is nobody's, or names nobody who could give it."""
    approve = f"`{approving_command(change, trust)} --signers FILE`, FILE being that list"
    if trust.signers is not None:
        return f"A signer of the server's own list has to approve it: {approve}."
    return (
        "Who may approve that, this branch cannot say. In CI it is an account "
        "that `--humans` names, by an approval on the forge; on a server a signer of its own list, once its "
        f"administrator has set `signers` there: {approve}."
    )
