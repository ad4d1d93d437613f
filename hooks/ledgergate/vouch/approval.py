"""Approvals on a forge, as a trusted job has read them: whose counts, and for what."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ledgergate.actors import is_agent_account
from ledgergate.policy.model import Policy
from ledgergate.vouch.trust import Trust

if TYPE_CHECKING:
    from ledgergate.vouch.case import Case


def approver(trust: Trust, humans: Collection[str]) -> str | None:
    """Which of the `humans` has approved exactly the commit that is judged, and is neither its author nor an agent."""
    facts = trust.facts
    if facts is None:
        return None
    approved = (approval.account for approval in facts.approvals if approval.commit == facts.tip)
    own = (facts.author,)
    return next((one for one in approved if one in humans and one not in own and not is_agent_account(one)), None)


def signals_of_author(policy: Policy, trust: Trust) -> tuple[str, ...]:
    """The author's account, where it shows an agent: a bot's, or for teams without keys one that is no human's."""
    author = None if trust.facts is None else trust.facts.author
    if author is None:
        return ()
    is_stranger = policy.vouch.mode == "signals" and author not in (*policy.vouch.humans, *trust.humans)
    return (f"account:{author}",) if is_stranger or is_agent_account(author) else ()


def vouched_on_forge(case: Case) -> str | None:
    """Who vouches for the whole contract by what the facts say, in a few words; None: nobody."""
    facts, trust, authority = case.trust.facts, case.trust, case.rules.authority
    if facts is None or case.change.moment == "staged":
        return None
    if authority == "bootstrap":
        is_human = facts.author in trust.humans and not is_agent_account(facts.author)
        return f"{facts.author}, author of the first policy" if is_human else None
    own = () if authority == "mending" else case.policy.vouch.humans
    account = approver(trust, (*own, *(trust.humans if case.is_mending else ())))
    return None if account is None else f"{account}, by approval of {facts.tip[:12]}"
