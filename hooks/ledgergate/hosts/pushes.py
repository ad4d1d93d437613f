"""What a push would bring, ref by ref: the checks on each, and the evidence for what changes production."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ledgergate.checks.engine import unscored_report
from ledgergate.checks.proposals import as_proposal
from ledgergate.errors import LedgergateError
from ledgergate.git import Change, Repository
from ledgergate.git.pushes import pushed
from ledgergate.hosts.judged import CHECK, NOBODY, Judged, not_a_ref, report_on, what_of
from ledgergate.hosts.moments import judge_range, now
from ledgergate.hosts.refs import Malformed, RefUpdate, is_whole
from ledgergate.policy.model import Policy
from ledgergate.policy.refs import is_protected_ref
from ledgergate.rules import finding
from ledgergate.score import Score
from ledgergate.values import Finding, Report, State, fold
from ledgergate.vouch import Case, InForce, Trust, policy_of, rules_for

EVIDENCE = "evidence"


class Push:
    """A push to one remote, as this clone knows it."""

    def __init__(self, repository: Repository, remote: str, only: Sequence[str] = ()) -> None:
        """`only` names the checks to run; where there are some, evidence is not asked for."""
        self._repository = repository
        self._remote = remote
        self._only = tuple(only)
        found = repository.default_branch_of(remote) or repository.default_branch_of("origin")
        self._default_ref = None if found is None else found.name
        self._default = None if found is None else found.commit

    def from_manager(self, update: RefUpdate) -> RefUpdate:
        """The update as git would tell it: a hook manager gives a new branch an old tip that it never had."""
        is_branch = update.ref.startswith("refs/heads/") and self._default is not None
        is_new = is_branch and not self._repository.has_seen(self._remote, update.ref)
        return update._replace(old=None) if is_new else update

    def judge(self, update: RefUpdate | Malformed) -> Judged:
        """What one line of the push comes to. What keeps it from being judged is in its report."""
        if isinstance(update, Malformed):
            return not_a_ref(update)
        try:
            return self._judge(update)
        except LedgergateError as error:
            report = unscored_report(None, NOBODY, error)
            return Judged(what_of(update), report if self._is_protected(update) else as_proposal(report, update.ref))

    def _judge(self, update: RefUpdate) -> Judged:
        if update.new is None:
            return Judged(what_of(update), report_on(self._deletion(update)))
        change = self._change(update, update.new)
        if change.base.id == change.head.id:
            # Tags by the thousand bring nothing that is not there already.
            return Judged(what_of(update), report_on(()))
        return self._judge_change(update, update.new, change)._replace(update=update, names=change.names)

    def _judge_change(self, update: RefUpdate, new: str, change: Change) -> Judged:
        trust = Trust(target=update.ref or None, default_branch=self._default_ref, is_first_free=True)
        report = judge_range(change, trust, only=self._only)
        rules = None if self._only or not report.checks else rules_for(change, NOBODY, trust)
        if rules is None or rules.policy.push.evidence not in ("require", "run") or rules.authority == "bootstrap":
            return Judged(what_of(update), report)
        if not InForce(Case(change, rules, now(), NOBODY)).is_production_changed:
            return Judged(what_of(update), report)
        is_enforced = not update.ref or is_protected_ref(rules.policy, update.ref)
        try:
            score = self._evidence(update, trust, new, may_run=is_enforced and rules.policy.push.evidence == "run")
        except LedgergateError as error:
            missing = unscored_report(change, NOBODY, error).findings
            without = _with(report, missing if is_enforced else as_proposal(report_on(missing), update.ref).notes)
            return Judged(what_of(update), without, None, is_enforced)
        return Judged(what_of(update), report, score, is_enforced)

    def _change(self, update: RefUpdate, new: str) -> Change:
        fetch = f"Agent, human: `git fetch {self._remote}`, look at what is new there, and push again."
        old = None if update.old is None else self._commit(update.old, "what the ref has there", fetch)
        tag = "Agent, human: push a commit, or a tag of one; a tag of a file or folder can be judged by nobody."
        return pushed(self._repository, old, self._commit(new, "what is pushed", tag), self._default)

    def _commit(self, id_: str, what: str, remedy: str) -> str:
        try:
            # A hook manager may name any revision; git names whole ids, for which no further process is asked.
            return self._repository.peeled(id_) if is_whole(id_) else self._repository.commit_id(id_)
        except LedgergateError as error:
            message = f"{what}, {id_[:12]}, is no commit that this clone has"
            raise LedgergateError(error.rule, message, remedy=remedy) from error

    def _deletion(self, update: RefUpdate) -> Iterator[Finding]:
        if self._is_protected(update):
            message = "It is one of the protected refs of the policy, and the push would delete it."
            yield finding("ref-deleted", CHECK, message, subject=update.ref)

    def _is_protected(self, update: RefUpdate) -> bool:
        return not update.ref or any(is_protected_ref(policy, update.ref) for policy in self._policies(update))

    def _policies(self, update: RefUpdate) -> Iterator[Policy]:
        """The policies that may protect the ref: of what it has, and of the default branch."""
        for commit in filter(None, (update.old, self._default)):
            try:
                policy = policy_of(self._repository.snapshot(self._repository.commit_id(commit)))
            except LedgergateError:
                # One that cannot be read protects at least what every policy does that says nothing.
                policy = Policy()
            if policy is not None:
                yield policy

    def _evidence(self, update: RefUpdate, trust: Trust, new: str, *, may_run: bool) -> Score:
        """What the kept evidence for the pushed tree is worth, or where it does not allow, a run of the lanes."""
        from ledgergate.hosts.kept import kept_score
        from ledgergate.lanes.basis import Basis
        from ledgergate.report.score import is_green

        basis = Basis(self._repository, now(), commit=new, base=update.old or self._default, trust=trust)
        try:
            score = kept_score(basis, now())
            if is_green(score) or not may_run:
                return score
        except LedgergateError:
            if not may_run:
                raise
        from ledgergate.hosts.lane_run import interrupted_by_signals, run_whole

        with interrupted_by_signals():
            return run_whole(basis, clean=True, with_checks=False)[0]


def _with(report: Report, seen: Sequence[Finding]) -> Report:
    """The report with what there is to say about evidence."""
    state = fold((State.PASS, *(one.state for one in seen)))
    return report._replace(
        state=fold((report.state, state)),
        checks=(*report.checks, (EVIDENCE, state)),
        findings=(*report.findings, *(one for one in seen if not one.is_note)),
        notes=(*report.notes, *(one for one in seen if one.is_note)),
        aside=report.aside or next((None for one in seen if not one.is_note), report.aside),
    )
