"""Options that several commands share."""

from __future__ import annotations

import click

from ledgergate.report import FORMATS

output_format = click.option(
    "--format", "output_format", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print."
)
all_findings = click.option("--all", "all_findings", is_flag=True, help="List every finding and note, however many.")
