"""`ledgergate report`: the merge note of a run and a change."""

from __future__ import annotations

from typing import Literal

import click

from ledgergate.errors import ExitCode
from ledgergate.git.regular import open_regular
from ledgergate.hosts.moments import now
from ledgergate.report.documents import read_documents
from ledgergate.report.merge_note import render_merge_note


@click.command()
@click.argument("documents", nargs=-1, required=True)
@click.option("--format", "output", type=click.Choice(("markdown",)), default="markdown", show_default=True)
def command(documents: tuple[str, ...], output: Literal["markdown"]) -> int:  # noqa: ARG001 - the only one
    """Sum up DOCUMENTS in a note for reviewers: what check, verify, gate, score, run and status gave as JSON.

    Lane reports among them tell which lane an admissible pass comes from. It judges nothing: the exit status is 0 where
    every document could be read.
    """
    found = read_documents((name, _content(name)) for name in documents)
    click.echo(render_merge_note(found, now()), nl=False)
    return ExitCode.JUDGED if found.unreadable else ExitCode.OK


def _content(name: str) -> bytes | str:
    """The bytes of a file, or why there are none."""
    try:
        with open_regular(name) as stream:
            return stream.read()
    except OSError as error:
        return f"it cannot be read: {error.strerror or error}"
