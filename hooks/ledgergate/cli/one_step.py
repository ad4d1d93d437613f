"""The end of every command of a human that changed contracts: staged, and signed where they have a key that vouches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import click

from ledgergate.cli.approving import (
    Desk,
    ack_of_branch,
    branch_here,
    new_ack_at,
    open_desk,
    open_items,
    write_ack,
)
from ledgergate.cli.confirm import Approval
from ledgergate.cli.signing import USUAL_DAYS, Signer, configured_key, signer_of
from ledgergate.cli.staging import say_what_to_stage, stage, typed
from ledgergate.errors import ExitCode, LedgergateError
from ledgergate.git import Repository, staged
from ledgergate.report.summary import counted
from ledgergate.values import Item, display_lines, display_path, display_text
from ledgergate.vouch import Trust, percent_encode
from ledgergate.vouch.acks.chain import Said
from ledgergate.vouch.acks.held import acks_in
from ledgergate.vouch.values import Place, value_in

# What keeps a key from vouching, and nobody from changing a row.
_OF_KEYS = ("ack-invalid", "policy-unreadable")


_MOST_NAMED = 3


class Voucher(NamedTuple):
    """Who signs what they confirm, and what the command line says of that."""

    desk: Desk
    signer: Signer
    approval: Approval

    @property
    def step(self) -> str:
        """The command that approves what is staged."""
        return f"ledgergate ack{self.approval.options}"

    def look_again(self) -> Desk | None:
        """The same with what is staged by now; None where no policy judges it."""
        return _desk_of(self.desk.repository, self.approval)


def _desk_of(repository: Repository, approval: Approval) -> Desk | None:
    return open_desk(repository, staged(repository), Trust(approval.target))


def voucher_of(repository: Repository, approval: Approval) -> Voucher | None:
    """Who signs what is about to be confirmed, which is then said; None where there is no key, or nobody to vouch for.

    Raises `LedgergateError` where the key that the command line names cannot vouch here; of git's own it is said. So it
    does where git cannot be read.
    """
    key = configured_key(repository, approval.key)
    if key is None:
        _say_who_approves(repository, approval)
        return None
    try:
        desk = _desk_of(repository, approval)
        why = _why_unsigned(desk)
        if desk is None or why is not None:
            if approval.key is not None:
                raise LedgergateError("ack-invalid", why or "", remedy="Go on without `--key`.")
            return None
        if desk.policy.vouch.four_eyes:
            raise LedgergateError("ack-invalid", "the policy wants four eyes, so that another signer approves it")
        signer = signer_of(repository, key, desk.signers, desk.case.now)
    except LedgergateError as error:
        if approval.key is not None or error.rule not in _OF_KEYS:
            raise
        message = "\n    ".join(display_lines(error.message))
        click.echo(f"ledgergate: this will not be approved with your key: {message}", err=True)
        return None
    click.echo(
        f"With it goes your approval: signed as {signer.name}, for {desk.target}, for {counted(USUAL_DAYS, 'day')}."
    )
    return Voucher(desk, signer, approval)


def _say_who_approves(repository: Repository, approval: Approval) -> None:
    """Where signers approve, and nobody's key is at hand: what a signer has to do before the change lands."""
    try:
        desk = _desk_of(repository, approval)
        if desk is None or _why_unsigned(desk) is not None:
            return
    except LedgergateError as error:
        if error.rule not in _OF_KEYS:
            raise
        return
    click.echo(
        "No approval goes with it, since no key of yours is named here (`--key FILE`, or git's user.signingkey). "
        "Once it is committed, a signer approves it:\n"
        f"  {ack_of_branch(repository, desk.target)}"
    )


def _why_unsigned(desk: Desk | None) -> str | None:
    """Why nobody signs along with a change here, or None."""
    if desk is None or desk.case.rules.authority == "bootstrap":
        return "there is no policy yet that a signed approval could answer"
    vouch = desk.policy.vouch
    if vouch.mode == "signals":
        return 'the policy asks for no signed approvals (mode = "signals")'
    if desk.is_first and desk.signers.keys:
        return "the default branch has no signers that can be read, and those of the change itself do not count"
    if not desk.signers.keys:
        return f"{vouch.signers} of the default branch names no signer"
    return None


def finish(
    repository: Repository,
    written: Sequence[str],
    clean: frozenset[str],
    others: Iterable[str],
    voucher: Voucher | None,
    items: Collection[Item],
    *,
    first: Sequence[str] = (),
) -> ExitCode:
    """Stage the files that were `clean`, sign the `items` that were confirmed, and say the next steps.

    `others` are the files that belong into the commit beside those that were `written`, and `first` the steps that come
    before. JUDGED where the approval could not be signed; what was written stays.
    """
    if stage(repository, written, clean):
        click.echo("Staged it.")
    else:
        first = [*first, f"git diff -- {typed(repository, [path for path in written if path not in clean])}"]
    ending, last = (ExitCode.OK, []) if voucher is None else _sign(voucher, items)
    say_what_to_stage(repository, written, others, first=first, last=last)
    return ending


def _sign(voucher: Voucher, items: Collection[Item]) -> tuple[ExitCode, list[str]]:
    """Write and stage an ack of exactly what was confirmed; how that ended, and the steps that are left."""
    repository = voucher.desk.repository
    try:
        desk = voucher.look_again()
        if desk is None:
            raise LedgergateError("git-unreadable", "what is staged cannot be looked at")
        if not all(_stands(desk, item) for item in items):
            click.echo(
                f"Nothing is approved yet: what is staged is not what was confirmed. `{voucher.step}` shows all "
                "that is staged by then, and asks."
            )
            return ExitCode.OK, [voucher.step]
        asked = _asked(desk)
        wanted = [item for item in items if _place(item) in asked]
        if wanted:
            path = write_ack(repository, desk.signed(voucher.signer, new_ack_at(desk, wanted)))
            click.echo(f"Approved it as {voucher.signer.name}: {display_path(path)}")
        else:
            click.echo("It needs no approval.")
        after = voucher.look_again()
        if after is None:
            return ExitCode.OK, []
        _say_earlier(after, wanted)
        return ExitCode.OK, _left(after, voucher)
    except LedgergateError as error:
        message = "\n    ".join(display_lines(error.message))
        click.echo(f"ledgergate: the change is written, and its approval is not: {message}", err=True)
        for line in display_lines(error.remedy) if error.remedy else ():
            click.echo(f"  > {line}", err=True)
        return ExitCode.JUDGED, [voucher.step]


def _stands(desk: Desk, item: Item) -> bool:
    case = desk.case
    return value_in(case.change.head, lambda _: case.head, _place(item)) == item.new


def _asked(desk: Desk) -> frozenset[Place]:
    """What somebody has to vouch for, or has spoken of before: an earlier approval has to lead to what stands now."""
    earlier = (_place(item) for ack in acks_in(desk.case.change.head) for item in ack.changes)
    return frozenset((*map(_place, desk.case.items), *earlier))


def _place(item: Item) -> Place:
    return item.kind, percent_encode(item.subject)


def _say_earlier(desk: Desk, items: Iterable[Item]) -> None:
    """Say so where no approvals lead from what the target branch has to what was confirmed: others changed it before.

    What was confirmed is the last step alone. What the default branch has needs none on another branch.
    """
    repository, case = desk.repository, desk.case
    name, default = branch_here(repository, desk.target), case.change.target
    if name is None:
        return
    tip = repository.snapshot(repository.commit_id(name))
    if tip.id == case.change.base.id:
        return
    said = Said(acks_in(case.change.head))
    starts = ((item, value_in(tip, case.side_of, _place(item))) for item in items)
    open_ = [item for item, old in starts if old != item.new and not said.path(_place(item), old, item.new)]
    if tip.id != default.id:
        open_ = [item for item in open_ if value_in(default, case.side_of, _place(item)) != item.new]
    if open_:
        click.echo(
            f"Earlier changes of {len(open_)} of these have no approval yet. After the commit:\n"
            f"  {ack_of_branch(repository, desk.target)}"
        )


def _left(desk: Desk, voucher: Voucher) -> list[str]:
    """The step that is left where more is staged than what was confirmed: nobody has looked at that."""
    left = open_items(desk)
    if not left:
        return []
    named = ", ".join(f"{item.kind} {display_text(item.subject)}" for item in left[:_MOST_NAMED])
    more = f" and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
    click.echo(
        f"Not shown here, and not approved: {counted(len(left), 'other staged change')} ({named}{more}). "
        f"`{voucher.step}` shows what changed, and asks."
    )
    return [voucher.step]
