"""`ledgergate init`: finds the goldens of a repository, writes policy and ledgers, adds the hooks."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from ledgergate.adopt.child import default_python
from ledgergate.adopt.collect import Collection, collect
from ledgergate.adopt.goldens import Group, Sureness, find_goldens
from ledgergate.adopt.layout import Layout, find_layout, layout_of
from ledgergate.adopt.plan import (
    Wanted,
    group_by_globs,
    make_plan,
    refuse_if_adopted,
    repository_name,
    tracked_files,
)
from ledgergate.adopt.summary import describe, preview
from ledgergate.cli.files import replace_file
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository, index_snapshot
from ledgergate.policy.globs import compile_globs


@click.command()
@click.option("--goldens", multiple=True, metavar="GLOB", help="Which files are goldens; may be given again.")
@click.option("--tests", multiple=True, metavar="GLOB", help="Which files are tests; may be given again.")
@click.option("--drafts", metavar="FOLDER", help="Where agents may write tests of their own.")
@click.option("--name", help="The repository's name, like acme/app.")
@click.option("--python", metavar="PATH", help="The interpreter that has pytest and what the suite needs.")
@click.option("--no-collect", is_flag=True, help="Do not run `pytest --collect-only` to learn the ids of the tests.")
@click.option("--repo", "url", metavar="URL", help="Take the hooks from this repository, not the installed command.")
@click.option("--rev", "revision", metavar="REV", help="The revision of --repo.")
@click.option("--dry-run", is_flag=True, help="Print what would be written, and write nothing.")
def command(
    goldens: tuple[str, ...],
    tests: tuple[str, ...],
    drafts: str | None,
    name: str | None,
    python: str | None,
    no_collect: bool,
    url: str | None,
    revision: str | None,
    dry_run: bool,
) -> int:
    """Set a repository up: find its goldens, write policy and ledgers, add the hooks."""
    if (url is None) != (revision is None):
        raise UsageError("--repo and --rev go together")
    repository = Repository()
    snapshot = index_snapshot(repository)
    refuse_if_adopted(repository.workdir, snapshot)
    paths = tracked_files(snapshot)
    layout = layout_of(tests) if tests else _ask_for_tests(find_layout(paths))
    collection = Collection(())
    if not no_collect:
        click.echo("Collecting the tests ...", err=True)
        collection = collect(python or default_python(), repository.workdir, frozenset(paths))
    if not goldens:
        groups = find_goldens(paths, compile_globs(layout.globs), collection.ids)
        goldens = () if groups else _ask_for_goldens(paths)
    if goldens:
        groups = group_by_globs(paths, goldens)
    chosen = tuple(group for group in groups if group.sureness < Sureness.GUESS or _is_golden(group))
    wanted = Wanted(name or repository_name(repository), drafts, url, revision)
    plan = make_plan(repository, snapshot, layout, chosen, wanted, globs=goldens, ids=collection.ids)
    left_out = [group for group in groups if group not in chosen]
    if dry_run:
        click.echo(preview(plan), nl=False)
    else:
        _write(repository.workdir, plan.files)
    click.echo(describe(plan, left_out, collection.problem, written=not dry_run), nl=False)
    return ExitCode.OK


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _ask_for_tests(found: Layout) -> Layout:
    if found.doubt is None:
        return found
    if not _is_terminal():
        click.echo(f"Tests: {found.doubt}; taken: {' '.join(found.globs)} (--tests GLOB says otherwise)", err=True)
        return found
    answer = click.prompt(f"Tests ({found.doubt}), globs", default=" ".join(found.globs))
    globs = tuple(answer.split())
    return found if globs == found.globs else layout_of(globs)


def _ask_for_goldens(paths: Sequence[str]) -> tuple[str, ...]:
    """Globs of goldens from a human at a terminal, asked for until they match something; none where none are given."""
    question = "No golden files were found. Their globs, such as tests/data/*.json (Enter: there are none)"
    while _is_terminal():
        globs = tuple(click.prompt(question, default="", show_default=False).split())
        try:
            group_by_globs(paths, globs)
        except UsageError as error:
            click.echo(str(error).removesuffix("; nothing was written"), err=True)
            continue
        return globs
    return ()


def _is_golden(group: Group) -> bool:
    """Whether what only could be goldens is: nobody is asked without a terminal, and then it is not."""
    return _is_terminal() and click.confirm(f"{group.home or '.'}: {'; '.join(group.reasons)}. Goldens?", default=False)


def _write(root: Path, files: Mapping[str, bytes]) -> None:
    """Write every file, or put back what was before and say so."""
    before = {path: (root / path).read_bytes() if (root / path).exists() else None for path in files}
    written: list[str] = []
    try:
        for path, data in files.items():
            replace_file(root / path, data)
            written.append(path)
    except BaseException as error:
        kept = _undo(root, before, written)
        if not isinstance(error, OSError):
            raise
        state = f"written all the same: {', '.join(kept)}" if kept else "nothing is changed"
        raise UsageError(f"{path} could not be written ({error}); {state}") from error


def _undo(root: Path, before: Mapping[str, bytes | None], written: list[str]) -> list[str]:
    """Put back what was there before; the paths where that failed."""
    failed: list[str] = []
    for path in written:
        data = before[path]
        try:
            if data is None:
                (root / path).unlink()
            else:
                replace_file(root / path, data)
        except OSError:
            failed.append(path)
    return failed
