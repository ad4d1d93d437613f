"""Base and head side by side: the change, the rules that judge it, and what each side says."""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cached_property
from typing import Literal, NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.git import Change, Snapshot
from ledgergate.policy.globs import fold_path
from ledgergate.policy.model import POLICY_PATH, Policy, Vouch
from ledgergate.policy.paths import test_folders
from ledgergate.policy.reader import read_policy
from ledgergate.values import Actor, display_text
from ledgergate.vouch.approval import approver
from ledgergate.vouch.links import Aliases, aliases_in
from ledgergate.vouch.mending import how_to_mend
from ledgergate.vouch.sides import Side, SideReader
from ledgergate.vouch.trust import Trust

_NO_TRUST = Trust()
_USUAL_DEFAULTS = ("refs/heads/main", "refs/heads/master")
_FOLDERS_OF_LINKS = (".github/", ".github/workflows/", ".ci/", ".circleci/")
Authority = Literal["base", "default branch", "bootstrap", "mending"]


class Rules(NamedTuple):
    """The policy that judges, and where it comes from.

    `base` and `default branch` are the ordinary cases. `bootstrap`: the change introduces the first policy, and is
    judged by it. `mending`: a human repairs a policy in base that cannot be read. `default` is the policy of the
    default branch's tip, None where that has none or is not known, or where the change is for it.
    """

    policy: Policy
    authority: Authority
    default: Policy | None = None


class Comparison:
    """A change under its rules. Sides are read when they are first asked for, and once."""

    def __init__(self, change: Change, rules: Rules, now: datetime) -> None:
        """`now` is the judging clock, with a time zone."""
        self.change = change
        self.rules = rules
        self.now = now

    @property
    def policy(self) -> Policy:
        return self.rules.policy

    @property
    def today(self) -> date:
        return self.now.astimezone(UTC).date()

    @property
    def head_policy(self) -> Policy | None:
        """The policy that head holds; None where it has none, or none that can be read (`head_policy_error`)."""
        found = self._head_policy
        return None if isinstance(found, LedgergateError) else found

    @property
    def head_policy_error(self) -> LedgergateError | None:
        """Why head's policy cannot be read, or None."""
        found = self._head_policy
        return found if isinstance(found, LedgergateError) else None

    @cached_property
    def _head_policy(self) -> Policy | LedgergateError | None:
        try:
            return policy_of(self.change.head)
        except LedgergateError as error:
            return error

    @cached_property
    def base(self) -> Side:
        return self._reader.read(self.change.base)

    @cached_property
    def head(self) -> Side:
        return self._reader.read(self.change.head)

    @cached_property
    def target(self) -> Side:
        return self.base if self.change.target.id == self.change.base.id else self._reader.read(self.change.target)

    @cached_property
    def others(self) -> tuple[tuple[Side, tuple[Side, ...]], ...]:
        """What a merge's further parents say, each with what was said at the points where it and HEAD went apart."""
        return tuple(
            (self._reader.read(other.tip), tuple(map(self._reader.read, other.forks))) for other in self.change.others
        )

    @cached_property
    def aliases(self) -> Aliases:
        """What links of base give another name to, where links with protected names usually stand."""
        return aliases_in(self.change.base, dict.fromkeys(("", *test_folders(self.policy), *_FOLDERS_OF_LINKS)))

    @cached_property
    def pinned_modules(self) -> frozenset[str]:
        """The names of the modules of which a row of base pins something."""
        paths = (path for path in self.base.ledgers.pinned if path.endswith(".py"))
        return frozenset(fold_path(path.rpartition("/")[2].removesuffix(".py")) for path in paths)

    def side_of(self, snapshot: Snapshot) -> Side:
        """The side of any other snapshot, a commit's in the range for instance."""
        return self._reader.read(snapshot)

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The policy that judges, and head's where it is another: ledgers are found by the globs of both."""
        return (self.policy, self.head_policy) if self.head_policy else (self.policy,)

    @cached_property
    def _reader(self) -> SideReader:
        return SideReader(self.policies, self.today, many=self.change.moment == "range")


def policy_of(snapshot: Snapshot) -> Policy | None:
    """The policy that a snapshot holds, None where it holds none; `LedgergateError` where it cannot be read."""
    entry = snapshot.entry(POLICY_PATH)
    if entry is None and not snapshot.is_folder(POLICY_PATH):
        return None
    if entry is None or not entry.is_file:
        raise LedgergateError("policy-unreadable", f"{POLICY_PATH} is no regular file", path=POLICY_PATH)
    return read_policy(snapshot.read_entry(entry))


def rules_for(change: Change, actor: Actor, trust: Trust = _NO_TRUST) -> Rules | None:
    """The rules that judge a change: base's, never its own, unless there are none yet. None: nothing is enforced.

    `trust` says who may mend a policy in base that cannot be read, beside a human at the client.

    Raises `LedgergateError`: `policy-unreadable` where base's policy is malformed and nobody may mend it here,
    `git-unreadable` where git cannot give us a policy.
    """
    judging = change.base if change.rules is None else change.rules
    try:
        policy = policy_of(judging)
    except LedgergateError as error:
        if error.rule != "policy-unreadable":
            # What git cannot give us may be in order: there is nothing that anybody could mend.
            raise
        mended = _mended_policy(change, actor, trust)
        if mended is None:
            raise LedgergateError(
                error.rule,
                f"in the revision that judges this change: {error.message}",
                remedy=how_to_mend(change, trust),
                path=POLICY_PATH,
            ) from error
        return Rules(mended, "mending")
    if policy is not None:
        default = _policy_elsewhere(change, trust)
        has_own = change.base.entry(POLICY_PATH) is not None
        return Rules(_held_to(policy, default), "base" if has_own else "default branch", default)
    if change.target.id != change.base.id and (policy := policy_of(change.target)) is not None:
        return Rules(policy, "default branch")
    if change.moment == "range" and change.default is not None and (policy := policy_of(change.default)) is not None:
        return Rules(policy, "default branch", policy)
    policy = policy_of(change.head)
    return None if policy is None else Rules(policy, "bootstrap")


def _policy_elsewhere(change: Change, trust: Trust) -> Policy | None:
    """The default branch's policy, where the change may be for another branch."""
    if change.moment != "range" or trust.is_at_default or change.default is None:
        return None
    try:
        return policy_of(change.default)
    except LedgergateError as error:
        raise LedgergateError(
            error.rule,
            f"on {trust.default_branch or 'the default branch'}, which says whose word counts on other branches, too: "
            f"{error.message}",
            remedy="A human mends it there.",
            path=POLICY_PATH,
        ) from error


def _held_to(policy: Policy, default: Policy | None) -> Policy:
    """A policy whose approvals count for no more than the default branch's lets them.

    An old commit of the default branch may be the beginning of a protected one, and has the policy of its day.
    """
    if default is None:
        return policy
    own, there = policy.vouch, default.vouch
    return policy._replace(
        vouch=own._replace(
            mode="ack" if "ack" in (own.mode, there.mode) else own.mode,
            humans=tuple(one for one in own.humans if one in there.humans),
            four_eyes=own.four_eyes or there.four_eyes,
            require_presence=own.require_presence or there.require_presence,
            tests=own.tests or there.tests,
        )
    )


def refuse_unknown_default(trust: Trust, *, even_for_any: bool = False) -> None:
    """Raises `LedgergateError` where a job fetched no more than the branch that the change is for.

    That may be from before there were rules, name who has left since, and take a word that the default branch would
    not. `even_for_any`: also where it is not known which branch that is.
    """
    if trust.default_branch is not None or trust.branch in _USUAL_DEFAULTS:
        return
    if trust.branch is not None or even_for_any:
        what = "this change" if trust.branch is None else display_text(trust.branch)
        raise LedgergateError(
            "git-unreadable",
            f"what counts for {what} is said by the default branch, too, and this repository does not know which "
            "that is",
            remedy="Fetch it, and name it (where it is main): "
            "`git fetch origin refs/heads/main:refs/remotes/origin/main` and "
            "`git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main`.",
        )


def is_as_strict(one: Vouch, other: Vouch) -> bool:
    """Whether what counts by one way of vouching would count by the other."""
    if one.mode == "signals" and other.mode == "ack":
        return False
    return one.four_eyes >= other.four_eyes and one.require_presence >= other.require_presence


def _mended_policy(change: Change, actor: Actor, trust: Trust) -> Policy | None:
    """Head's policy, where a human may repair one that base has broken: at the client, or by a trusted approval."""
    if change.moment == "staged":
        may_mend = not actor.is_agent
    else:
        # Whose word counts on a server is known before any policy is; who has given it for this one is asked later.
        may_mend = trust.signers is not None or approver(trust, trust.humans) is not None
    return policy_of(change.head) if may_mend and POLICY_PATH in change.by_path else None
