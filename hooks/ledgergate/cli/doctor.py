"""`ledgergate doctor`: what is installed, enforced, stale or missing."""

from __future__ import annotations

import sys
from typing import Literal

import click

from ledgergate import __version__
from ledgergate.doctor import diagnose, look
from ledgergate.doctor.rendering import render_json, render_text
from ledgergate.errors import ExitCode
from ledgergate.git import Repository
from ledgergate.hosts.moments import now


@click.command()
@click.option("--format", "output", type=click.Choice(("text", "json")), default="text", show_default=True)
def command(output: Literal["text", "json"]) -> int:
    """Say what is installed, enforced, stale or missing here, and how to mend it. The status is 0 if all is ok."""
    clock = now()
    diagnosis = diagnose(look(Repository(), __version__, clock), clock)
    sys.stdout.write(render_json(diagnosis, __version__) if output == "json" else render_text(diagnosis))
    return ExitCode.OK if diagnosis.is_healthy else ExitCode.JUDGED
