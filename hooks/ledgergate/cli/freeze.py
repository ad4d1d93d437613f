"""`ledgergate freeze`: a check that may be skipped for some days."""

from __future__ import annotations

import sys

import click

from ledgergate.amend import FreezeWish, candidate_checks, chosen_check, expiry, find_freezable, plan_freeze
from ledgergate.amend.freezable import Freezable, listed
from ledgergate.cli.amending import open_desk, today
from ledgergate.cli.confirm import Approval, answer, approval_options, given_line
from ledgergate.cli.freezing import carry_out, read_working_freezes
from ledgergate.errors import ExitCode
from ledgergate.hosts.moments import now
from ledgergate.values import display_path, display_text, shell_word


@click.command()
@click.argument("id_", metavar="ID")
@click.option("--reason", required=True, help="What makes the check flaky, or keeps it from running.")
@click.option("--owner", required=True, help="Who mends it until then.")
@click.option("--assertion", metavar="TEXT|LINE", help="The check that fails: its line, or some of its text.")
@click.option("--lane", metavar="NAME", help="The lane that may skip it. Without it, the one that reports the test.")
@click.option("--days", type=click.IntRange(min=1), metavar="N", help="How long, to the beginning of a day in UTC.")
@click.option(
    "--expires",
    metavar="TIME",
    help="The same as a day, to its end in UTC, or as a time: 2026-10-06T12:00:00Z.",
)
@click.option(
    "--fixture", "fixtures", multiple=True, metavar="PATH", help="A file whose change ends it; again for more."
)
@approval_options
def command(
    id_: str,
    reason: str,
    owner: str,
    assertion: str | None,
    lane: str | None,
    days: int | None,
    expires: str | None,
    fixtures: tuple[str, ...],
    approval: Approval,
) -> int:
    """Freeze one check of a test: its lane may skip the test, with a receipt, until the freeze expires.

    The freeze ends early where the check, or a file named by --fixture, is edited. It does not make the test evidence.
    """
    desk = open_desk("freeze")
    if desk is None:
        return ExitCode.JUDGED
    frozen, data = read_working_freezes(desk)
    wish = FreezeWish(reason, owner, expiry(now(), desk.policy.freeze.max_days, days, expires), lane, fixtures)
    test = find_freezable(desk.view, id_, frozen)
    check = chosen_check(test, _asked(test) if assertion is None else assertion)
    amendment = plan_freeze(desk.view, test, check, wish, frozen, data, today())
    _say_of_a_single_case(test)
    click.echo(f"the check, in {display_path(test.path)}:")
    click.echo("".join(f"    {display_text(line)}\n" for line in check.splitlines()))
    return carry_out(desk, amendment, data, approval, given_line(), others=[test.path, *fixtures])


def _say_of_a_single_case(test: Freezable) -> None:
    """No text tells what a test's parameters are called."""
    if test.checks is None or "[" not in test.id:
        return
    click.echo(
        f"ledgergate: whether there is a case {display_text(test.id)}, only the runner can tell; a freeze of one that "
        f"is not there excuses nothing.\n  > `pytest --collect-only -q {shell_word(test.path)}` lists them.",
        err=True,
    )


def _asked(test: Freezable) -> str | None:
    """The line of the check that a human at a terminal chooses; None where there is nothing to choose, or nobody."""
    checks = candidate_checks(test)
    if len(checks) < 2 or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    text = f"{test.id} has {len(checks)} checks:{listed(checks)}"
    click.echo("\n".join(map(display_text, text.split("\n"))))
    return answer("the line of the one that fails? ") or None
