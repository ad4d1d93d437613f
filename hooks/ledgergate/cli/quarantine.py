"""`ledgergate quarantine`: a flaky test that is evidence no longer."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ledgergate.amend import plan_quarantine
from ledgergate.cli.amending import Desk, carry_out, open_desk, today
from ledgergate.cli.confirm import Approval, approval_options, given_line
from ledgergate.cli.freezing import floor_steps, frozen_ids
from ledgergate.errors import ExitCode, LedgergateError, UsageError
from ledgergate.evidence.skipped import skipped_ids
from ledgergate.lanes.results import read_reports
from ledgergate.values import display_text


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID...]")
@click.option(
    "--skipped-in",
    "reports",
    multiple=True,
    metavar="REPORT",
    help="All tests that this report of a run, JUnit or a lane's, shows as skipped; again for more reports.",
)
@click.option("--reason", required=True, help="Why its result tells nothing: what it depends on, where it was seen.")
@click.option("--owner", required=True, help="Who looks after it.")
@approval_options
def command(ids: tuple[str, ...], reports: tuple[str, ...], reason: str, owner: str, approval: Approval) -> int:
    """Put tests into quarantine, from today (UTC): they are evidence no longer, whether they pass or fail.

    The row takes the place of the one that the test has; a test without a row gets one, and so does a single case
    of a parametrised test, `ID[...]`, whose other cases stay what they are.
    """
    if not (ids or reports):
        raise UsageError("which tests? Give their ids, or --skipped-in REPORT")
    desk = open_desk("quarantine")
    if desk is None:
        return ExitCode.JUDGED
    ids = (*ids, *_skipped(desk, reports))
    if not ids:
        click.echo("Nothing to write: no test that counts as evidence was skipped in all reports that have it.")
        return ExitCode.OK
    return carry_out(
        desk,
        plan_quarantine(desk.view, ids, reason, owner, today()),
        approval,
        given_line(),
        first=lambda: [*floor_steps(desk), *_collect_steps(ids)],
    )


def _collect_steps(ids: Sequence[str]) -> list[str]:
    """The step that shows whether single cases are there: no text tells what a test's parameters are called."""
    cases = [id_ for id_ in ids if "[" in id_]
    if not cases:
        return []
    more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
    click.echo(
        f"ledgergate: whether there is a case {display_text(cases[0])}{more}, only the runner can tell; a quarantined "
        "test that is not there is quarantine-skipped.\n  > `ledgergate collect` names every row without a test.",
        err=True,
    )
    return ["ledgergate collect"]


def _skipped(desk: Desk, paths: Sequence[str]) -> tuple[str, ...]:
    """What these reports show as skipped, but for what a freeze lets its lane skip."""
    reports = read_reports(paths).results
    for report in reports:
        if report.problem is not None:
            raise LedgergateError("report-unreadable", f"it cannot be read whole: {report.problem}", path=report.source)
    rows = [row for working in desk.ledgers for row in working.ledger.rows]
    frozen = frozen_ids(desk) if reports else lambda _: False
    return tuple(id_ for id_ in skipped_ids(rows, reports) if not frozen(id_))
