"""What the caller knows beside the commits: for which ref the change is, and who may vouch for it.

All of it comes from whoever starts the check (a server's configuration, a trusted job), and none of it from the change.
"""

from __future__ import annotations

from typing import NamedTuple


class Approval(NamedTuple):
    """An account's latest review, an approval of exactly this commit (a full id)."""

    account: str
    commit: str


class Facts(NamedTuple):
    """What a trusted job has read from its forge: the author's account, the approvals, and the commit it asks about.

    Accounts are texts like `github:1234`; `tip` is the full id of the commit that was given as `--to`.
    """

    author: str
    approvals: tuple[Approval, ...]
    tip: str


class Trust(NamedTuple):
    """By what a difference may be vouched for.

    `target`, `base_branch` and `default_branch` are full names of refs, None where they are not known. `base_branch` is
    the one whose tip was named as base, which an ack may be for where nobody names a target. `humans` are accounts
    beside those of the policy. `signers` is the text of the server's own list; None: the default branch's holds.
    `is_first_free` tells that the first policy needs nobody's word here, `needs_policy` that nothing passes without
    one, and `is_enforced` that the target is protected whatever the policy says. `is_proposal`: the target is a branch
    that nobody protects, and where the change may go from there is not known.
    """

    target: str | None = None
    base_branch: str | None = None
    default_branch: str | None = None
    facts: Facts | None = None
    humans: tuple[str, ...] = ()
    signers: bytes | None = None
    is_first_free: bool = False
    needs_policy: bool = False
    is_enforced: bool = False
    is_proposal: bool = False

    @property
    def branch(self) -> str | None:
        """The ref that the change is for, as far as it is known."""
        return self.target or self.base_branch

    @property
    def is_at_default(self) -> bool:
        """Whether the change is known to be for the default branch."""
        return self.branch is not None and self.branch == self.default_branch

    @property
    def is_elsewhere(self) -> bool:
        """Whether the change is known to be for another branch than the default one."""
        return None not in (self.branch, self.default_branch) and self.branch != self.default_branch
