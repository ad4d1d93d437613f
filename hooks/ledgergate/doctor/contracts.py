"""Policy, ledgers, signers and protected branches: whether there is something to enforce, and somebody to vouch."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ledgergate.adopt.branches import release_patterns
from ledgergate.doctor.model import Line
from ledgergate.doctor.seen import Seen
from ledgergate.errors import LedgergateError
from ledgergate.policy.model import POLICY_PATH, Policy
from ledgergate.policy.refs import is_protected_ref
from ledgergate.values import display_path, display_text
from ledgergate.vouch.acks.signers import read_signers

_INIT = "ledgergate init"
_MOST_NAMED = 3


def contracts(seen: Seen, now: datetime) -> Iterator[Line]:
    """What is enforced, and who may vouch for a change of it."""
    yield _policy("policy", seen.policy, "HEAD", _INIT)
    yield _policy("default-branch", seen.default_policy, seen.default_shown, "Merge the change that brings the policy.")
    if isinstance(seen.policy, Policy):
        yield _ledgers(seen.ledger_problems)
    if isinstance(seen.default_policy, Policy):
        yield from _vouching(seen, seen.default_policy, now)
        yield _protected(seen, seen.default_policy)


def _policy(topic: str, policy: Policy | LedgergateError | None, where: str, remedy: str) -> Line:
    if policy is None:
        return Line(topic, "missing", f"{where} has no {POLICY_PATH}, so nothing is enforced there", remedy)
    if isinstance(policy, LedgergateError):
        return Line(topic, "unknown", f"{where}: {policy.message.splitlines()[0]}", "ledgergate check")
    return Line(topic, "ok", f"{where} has a policy{f' of {display_text(policy.name)}' if policy.name else ''}")


def _ledgers(problems: tuple[str, ...]) -> Line:
    if not problems:
        return Line("ledgers", "ok", "they can be read")
    more = f" ... and {len(problems) - _MOST_NAMED} more" if len(problems) > _MOST_NAMED else ""
    told = "; ".join(display_text(problem) for problem in problems[:_MOST_NAMED])
    return Line("ledgers", "unknown", told + more, "ledgergate verify")


def _vouching(seen: Seen, policy: Policy, now: datetime) -> Iterator[Line]:
    if policy.vouch.mode == "ack":
        yield _signers(seen, policy, now)
        if not seen.is_bare:
            yield from _own_key(seen, policy, now)
    else:
        message = '`[vouch] mode = "signals"` is advice: who strips the signals of an agent is taken for a human'
        yield Line("vouching", "stale", message, 'Collect keys of humans, and set mode = "ack".')


def _signers(seen: Seen, policy: Policy, now: datetime) -> Line:
    path, humans = display_path(policy.vouch.signers), len(policy.vouch.humans)
    if seen.default_signers is None:
        if humans:
            return Line("vouching", "ok", f"no signers; {humans} account(s) whose approvals count on the forge")
        message = f"{seen.default_shown} has no {path}, and `[vouch] humans` is empty: nobody can vouch for a contract"
        return Line("vouching", "missing", message, "See docs/ci.md: keys of humans, or accounts on the forge.")
    try:
        keys = read_signers(path, seen.default_signers).keys
    except LedgergateError as error:
        return Line("vouching", "unknown", f"{path}: {error.message}", error.remedy)
    valid = sum(key.is_valid(now) for key in keys)
    over = f", {len(keys) - valid} not valid now" if valid < len(keys) else ""
    if not valid:
        return Line("vouching", "stale", f"{path} has no key that counts{over}", f"Renew the keys in {path}.")
    return Line("vouching", "ok", f"{path}: {valid} key(s){over}; {humans} account(s) of the forge")


def _own_key(seen: Seen, policy: Policy, now: datetime) -> Iterator[Line]:
    """Whether git's own key approves here. Most people are no signers, and nothing is wrong with that."""
    topic, path = "signing-key", display_path(policy.vouch.signers)
    try:
        keys = () if seen.default_signers is None else read_signers(path, seen.default_signers).keys
    except LedgergateError:
        return
    if not keys:
        return
    if isinstance(seen.signing_key, LedgergateError):
        message = f"the key that git signs with: {display_text(seen.signing_key.message)}"
        yield Line(topic, "unknown", message, "Put its public part beside it, under the same name with .pub.")
        return
    own = [key for key in keys if key.key == seen.signing_key]
    names = ", ".join(dict.fromkeys(name for key in own for name in key.principals))
    if seen.signing_key is None:
        yield Line(topic, "ok", "git signs with no SSH key here; who approves names one with `--key FILE`")
    elif not own:
        yield Line(topic, "ok", f"the key that git signs with is no signer's in {path}: others approve here")
    elif not any(key.is_valid(now) for key in own):
        message = f"the key that git signs with is that of {names}, and does not count now"
        yield Line(topic, "stale", message, f"Renew it in {path}.")
    else:
        yield Line(topic, "ok", f"the key that git signs with is that of {names}, and approves")


def _protected(seen: Seen, policy: Policy) -> Line:
    named = [seen.default_ref] if seen.default_ref else []
    names = [ref.removeprefix("refs/heads/") for ref in seen.branches]
    named += [ref for ref in seen.branches if release_patterns([ref.removeprefix("refs/heads/")])]
    left = [ref for ref in dict.fromkeys(named) if not is_protected_ref(policy, ref)]
    if left:
        message = f"no pattern of protected_refs matches {', '.join(map(display_text, left[:_MOST_NAMED]))}"
        return Line("protected-refs", "missing", message, f"Add it to protected_refs in {POLICY_PATH}.")
    if not any(is_protected_ref(policy, ref) for ref in seen.branches):
        message = f"protected_refs match none of the {len(names)} branches here"
        return Line("protected-refs", "stale", message, f"Name your branches in {POLICY_PATH}.")
    return Line("protected-refs", "ok", "they cover the default branch and those that look like releases")
