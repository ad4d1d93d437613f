"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ledgergate.report import FORMATS

output_format = click.option(
    "--format", "output_format", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print."
)
all_findings = click.option("--all", "all_findings", is_flag=True, help="List every finding and note, however many.")


def at_commit(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--at` and `--base`: reports of a commit's tests are judged by what git has, not by files on the disk."""
    command = click.option("--base", metavar="REF", help="With --at: the tip of its target branch, whose rules hold.")(
        command
    )
    return click.option("--at", "revision", metavar="REV", help="The tested commit of the repository here.")(command)
