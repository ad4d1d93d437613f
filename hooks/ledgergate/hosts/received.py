"""What a push brings to the server that takes it, ref by ref."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ledgergate.checks.engine import unscored_report
from ledgergate.checks.proposals import as_proposal
from ledgergate.errors import LedgergateError
from ledgergate.git import Change, Repository
from ledgergate.git.pushes import Landed, pushed
from ledgergate.hosts.judged import CHECK, NOBODY, Judged, not_a_ref, report_on, what_of
from ledgergate.hosts.moments import judge_range
from ledgergate.hosts.refs import Malformed, RefUpdate
from ledgergate.hosts.server_config import CALLED_BY_GIT, ServerConfig
from ledgergate.policy.model import POLICY_PATH, Policy
from ledgergate.policy.refs import is_protected_ref
from ledgergate.rules import finding
from ledgergate.values import Report
from ledgergate.vouch import Trust, policy_of

_FETCH = "Agent, human: `git fetch`, look at what is new there, and push again."
_PUSH_A_COMMIT = "Agent, human: push a commit, or a tag of one; a tag of a file or folder can be judged by nobody."
_MAKE_ANEW = "Agent, human: make the commit anew with git itself (`git commit --amend --reset-author`), and push again."
_DELETE = (
    "Agent: leave the ref, and tell your human why it should go.\n"
    "Human: take it out of `protected_refs` first, in a change of its own; or `deletable_refs` in the server's "
    "configuration names it."
)
_DELETE_DEFAULT = (
    "Agent: leave the ref, and tell your human why it should go.\n"
    "Human: the default branch is protected whatever the policy says; let another branch be that first (on the server: "
    "`git symbolic-ref HEAD refs/heads/NAME`), or `deletable_refs` in the server's configuration names it."
)


class Received:
    """A push to this repository, whose refs are still as they were."""

    def __init__(self, repository: Repository, config: ServerConfig) -> None:
        self._repository = repository
        self._config = config
        self._found: dict[str, Policy | None] = {}
        found = repository.own_default()
        self._default = None if found is None else found.commit
        head = repository.head_branch
        self._default_ref = head if found is None else found.name
        # Rules and signers come from it, now or as soon as it is there: HEAD may name it already.
        self._defaults = (self._default_ref, head)

    @property
    def default_branch(self) -> str | None:
        """The default branch's full name, if it is there."""
        return None if self._default is None else self._default_ref

    @property
    def has_own_signers(self) -> bool:
        """Whether the server's own list says who may vouch, and no list of a repository."""
        return self._config.signers is not None

    def is_proposal(self, update: RefUpdate | Malformed) -> bool:
        """Whether nothing that a ref gets can be refused, since nobody protects it."""
        try:
            return isinstance(update, RefUpdate) and not self._is_enforced(update, self._final(update))
        except LedgergateError:
            return False

    def judge(self, update: RefUpdate | Malformed) -> Judged:
        """What one line of the push comes to. What keeps it from being judged is in its report."""
        if isinstance(update, Malformed):
            return not_a_ref(update, CALLED_BY_GIT)
        is_enforced = True
        try:
            named, update = update, self._final(update)
            is_enforced = self._is_enforced(named, update)
            report = self._deleted(update, is_enforced) if update.new is None else self._moved(update, is_enforced)
        except LedgergateError as error:
            unscored = unscored_report(None, NOBODY, error)
            report = unscored if is_enforced else as_proposal(unscored, update.ref)
        return Judged(what_of(update), report, update=update)

    def _final(self, update: RefUpdate) -> RefUpdate:
        """What is pushed to a symbolic ref arrives at the one that it leads to."""
        return update._replace(ref=self._repository.final_name(update.ref))

    def _moved(self, update: RefUpdate, is_enforced: bool) -> Report:
        change = self._change(update, is_enforced)
        needs_policy = self._needs_policy(update.ref)
        has_what_it_needs = not needs_policy or change.head.entry(POLICY_PATH) is not None
        if change.base.id == change.head.id and has_what_it_needs:
            # Tags by the thousand bring nothing that is not there already.
            return report_on(())
        trust = Trust(
            target=update.ref,
            default_branch=self._default_ref,
            signers=self._config.signers,
            is_first_free=not needs_policy,
            needs_policy=needs_policy,
            is_enforced=is_enforced,
        )
        return judge_range(change, trust)

    def _deleted(self, update: RefUpdate, is_enforced: bool) -> Report:
        if not is_enforced or self._config.may_delete(update.ref):
            return report_on(())
        message = "It is protected, and the push would delete it."
        remedy = _DELETE_DEFAULT if self._is_default(update.ref) else _DELETE
        return report_on([finding("ref-deleted", CHECK, message, subject=update.ref, remedy=remedy)])

    def _change(self, update: RefUpdate, is_enforced: bool) -> Change:
        new = self._commit(update.new or "", "what is pushed", _PUSH_A_COMMIT)
        if update.old is not None:
            return pushed(self._repository, self._commit(update.old, "what the ref had", _FETCH), new, self._default)
        return pushed(self._repository, None, new, self._default, self._landed(new) if is_enforced else None)

    def _landed(self, commit: str) -> Landed:
        return Landed(self._past_tips, frozenset(self._held(commit)))

    @cached_property
    def _past_tips(self) -> frozenset[str]:
        if self._default_ref is None:
            return frozenset()
        tips = self._repository.past_tips(self._default_ref)
        # HEAD's own log has what its branch got since it is the default one: before, it may have been nobody's.
        return tips & self._repository.past_tips("HEAD") if self._repository.head_branch == self._default_ref else tips

    def _held(self, commit: str) -> Iterator[str]:
        """The tips that a commit holds of branches which are protected without a word of theirs."""
        policy = None if self._default is None else self._policy(self._default)
        for name, tip in self._repository.branches_in(commit, "refs/heads/"):
            if self._config.requires(name) or self._is_default(name) or self._protects(policy, name):
                yield tip

    def _commit(self, id_: str, what: str, remedy: str) -> str:
        try:
            return self._repository.peeled(id_)
        except LedgergateError as error:
            message = f"{what}, {id_[:12]}, is no commit that this server has"
            _, is_malformed, detail = error.message.partition("failed to parse ")
            if is_malformed:
                message, remedy = f"{what}, {id_[:12]}, is malformed, and cannot be read: {detail}", _MAKE_ANEW
            raise LedgergateError(error.rule, message, remedy=remedy) from error

    def _needs_policy(self, ref: str) -> bool:
        if self._config.require is True:
            return ref == self._default_ref or is_protected_ref(Policy(), ref)
        return self._config.requires(ref)

    def _is_enforced(self, named: RefUpdate, final: RefUpdate) -> bool:
        """Whether the server protects the ref, or a policy: that of the default branch, or its own as it stands.

        Of a symbolic ref, its own name or that of where it leads to is enough: who reads one of them gets both.
        """
        refs = {named.ref, final.ref}
        if any(self._config.requires(ref) or self._is_default(ref) for ref in refs):
            return True
        return any(self._protects(policy, ref) for policy in self._policies(final) for ref in refs)

    def _is_default(self, ref: str) -> bool:
        return ref.casefold() in {name.casefold() for name in self._defaults if name is not None}

    def _protects(self, policy: Policy | None, ref: str) -> bool:
        """Whether a policy protects the ref. Where there is none, the ref that has to get one is protected, too."""
        return is_protected_ref(policy or Policy(), ref) or (policy is None and self._needs_policy(ref))

    def _policies(self, update: RefUpdate) -> Iterator[Policy | None]:
        commits = dict.fromkeys(id_ for id_ in (self._default, update.old) if id_ is not None)
        yield from map(self._policy, commits)
        if not commits:
            yield None

    def _policy(self, object_id: str) -> Policy | None:
        """The policy of a commit; None where it has none, or none that can be read."""
        if object_id not in self._found:
            try:
                found = policy_of(self._repository.snapshot(self._repository.peeled(object_id)))
            except LedgergateError:
                found = None
            self._found[object_id] = found
        return self._found[object_id]
