"""Runs the checks on a case and folds what they find into a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from ledgergate.checks import fixture_digests, ledger_edits, ledger_schema, test_guard, two_sided_diff
from ledgergate.checks.addressed import addressed
from ledgergate.checks.proposals import as_proposal
from ledgergate.checks.readable import missing_ledger, unreadable_ledgers
from ledgergate.errors import LedgergateError
from ledgergate.git import Change
from ledgergate.policy.model import Identity, Policy
from ledgergate.policy.refs import is_protected_ref
from ledgergate.rules import RULES, finding
from ledgergate.source.collector import without_cyclic_collection
from ledgergate.values import Actor, Finding, Item, Report, State, fold
from ledgergate.vouch import Case, Rules, Trust, contract_digest, contract_items, rules_for

CheckRun = Callable[[Case], Iterator[Finding]]
Recognise = Callable[[Identity], Actor]

CHECKS: Mapping[str, CheckRun] = {
    module.CHECK: module.check for module in (ledger_schema, ledger_edits, fixture_digests, two_sided_diff, test_guard)
}
RULES_CHECK = "rules"
_NO_TRUST = Trust()
_NEEDS_POLICY = (
    "Human: `ledgergate init` writes the policy and the ledgers. To go on without them, whoever looks after the server "
    "sets `require = false` in its configuration, or takes the hook away."
)


def judge(
    change: Change, recognise: Recognise, now: datetime, *, only: Sequence[str] = (), trust: Trust = _NO_TRUST
) -> Report:
    """Judge a change by every check, or by those named in `only`.

    `recognise` says who made the change, given the policy's `[identity]`, and `trust` who may vouch for it. What keeps
    a check from being made is that check's UNSCORED finding; what keeps the rules from being read is an UNSCORED report
    without checks.
    """
    actor = recognise(Identity())
    try:
        rules = rules_for(change, actor, trust)
        if rules is None:
            return _not_enforced(change, actor, trust)
        actor = recognise(rules.policy.identity)
    except LedgergateError as error:
        return unscored_report(change, actor, error)
    is_enforced = trust.is_enforced or trust.is_at_default or trust.target is None or _is_protected(rules, trust.target)
    case = Case(change, rules, now, actor, trust._replace(is_proposal=not is_enforced))
    report = run_checks(case, {name: run for name, run in CHECKS.items() if not only or name in only})
    return report if is_enforced else as_proposal(report, trust.target or "")


def _is_protected(rules: Rules, ref: str) -> bool:
    """The default branch protects others, too. A policy that comes with the change cannot take the usual ones out."""
    further = rules.default if rules.authority in ("base", "default branch") else Policy()
    return any(is_protected_ref(policy, ref) for policy in (rules.policy, further) if policy is not None)


@without_cyclic_collection()
def run_checks(case: Case, runs: Mapping[str, CheckRun], *, with_items: bool = True) -> Report:
    """Run checks on a case and fold them; `with_items` lists the contract of the change as well."""
    try:
        by_path = case.change.by_path
    except LedgergateError as error:
        # Each check would end in it, or worse, not look there.
        return unscored_report(case.change, case.actor, error)
    found = {
        name: [addressed(seen, case, by_path.get(seen.path or "")) for seen in _run(name, run, case)]
        for name, run in runs.items()
    }
    states = {name: fold((State.PASS, *(f.state for f in findings))) for name, findings in found.items()}
    everything = [seen for findings in found.values() for seen in findings]
    items: tuple[Item, ...] = ()
    vouched: tuple[tuple[Item, str], ...] = ()
    try:
        if with_items and _is_comparable(case):
            waiting = test_guard.waiting_items(case, found.get(test_guard.CHECK, ()))
            items = contract_items((*case.items, *waiting))
        vouched = tuple((item, who) for item in items if (who := case.vouching.of(item)) is not None)
    except LedgergateError as error:
        everything.append(as_finding(error, RULES_CHECK))
    return Report(
        state=fold((*states.values(), *(seen.state for seen in everything))),
        checks=tuple(states.items()),
        actor=_actor(case, everything),
        base=case.change.base.id,
        head=case.change.head.id,
        contract=contract_digest(items),
        items=items,
        vouched=vouched,
        lacks_signers=len(vouched) < len(items) and case.change.moment != "staged" and case.lacks_signers,
        notes=tuple(seen for seen in everything if seen.is_note),
        findings=_without_repeats(seen for seen in everything if not seen.is_note),
    )


def unscored_report(change: Change | None, actor: Actor, error: LedgergateError) -> Report:
    """The report on a change that no check could look at; None where not even its two sides are known."""
    seen = as_finding(error, RULES_CHECK)
    base, head = (change.base.id, change.head.id) if change else (None, None)
    return Report(State.UNSCORED, (), actor, base, head, None, (), (), (seen,))


def as_finding(error: LedgergateError, check: str) -> Finding:
    """The finding that an error becomes: UNSCORED, whatever its rule says otherwise."""
    return finding(error.rule, check, error.message, state=State.UNSCORED, remedy=error.remedy, path=error.path)


def _run(name: str, run: CheckRun, case: Case) -> list[Finding]:
    found: list[Finding] = []
    try:
        if name != ledger_schema.CHECK:
            found.extend(_kept_from_judging(case, name))
        if not any(not seen.is_note for seen in found):
            for seen in run(case):
                found.append(seen)  # noqa: PERF402 - what was found before an error stays found
    except LedgergateError as error:
        found.append(as_finding(error, name))
    return found


def _kept_from_judging(case: Case, name: str) -> Iterator[Finding]:
    """What `ledger-schema` says too; here it keeps a check that runs alone from passing what it could not see."""
    yield from unreadable_ledgers(case, name)
    yield from missing_ledger(case, name)


def _is_comparable(case: Case) -> bool:
    """Whether both sides' ledgers could be read: against one that could not, every row looks gone."""
    return all(seen.is_note for seen in _kept_from_judging(case, RULES_CHECK))


def _without_repeats(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once: several checks may fail to read the same thing."""
    unique = {(f.rule, f.path, f.line, f.subject, f.message): f for f in reversed(list(findings))}
    return tuple(reversed(unique.values()))


def _actor(case: Case, found: Sequence[Finding]) -> Actor:
    """Who made the change; of a range, an agent if a commit that made something of what was found carries a signal."""
    if case.change.moment == "staged":
        return case.actor
    for path in {seen.path for seen in found if not seen.is_note and seen.path in case.change.by_path}:
        if path is not None and not any(path == ledger.path for ledger in case.head.ledgers.ledgers):
            case.attribution.signals_on_path(path)
    signals = case.attribution.signals_told
    return Actor("agent", signals) if signals else case.actor


def _not_enforced(change: Change, actor: Actor, trust: Trust) -> Report:
    title = RULES["not-enforced"].title
    message = f"{title[:1].upper()}{title[1:]}."
    if trust.needs_policy:
        message = "There is no policy here to judge by, and this server asks for one."
        return unscored_report(change, actor, LedgergateError("not-enforced", message, remedy=_NEEDS_POLICY))
    note = finding("not-enforced", RULES_CHECK, message)
    return Report(State.PASS, (), actor, change.base.id, change.head.id, None, (), (note,), ())
