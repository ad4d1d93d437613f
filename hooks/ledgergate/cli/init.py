"""`ledgergate init`: finds what the tests of a repository can be held to, writes policy and ledgers, adds the hooks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

import click

from ledgergate.adopt.child import default_python
from ledgergate.adopt.files import replace_files
from ledgergate.adopt.first_policy import Wanted, first_policy, repository_name, without_goldens
from ledgergate.adopt.found import Found, Look, reader_of
from ledgergate.adopt.goldens import Group, Sureness, find_goldens
from ledgergate.adopt.layout import Layout, find_layout, layout_of
from ledgergate.adopt.plan import golden_paths, group_by_globs, is_adopted, make_plan, tracked_files
from ledgergate.adopt.propose import Proposals, Proposer, Wish, settle, uncovered
from ledgergate.adopt.readers import Readers
from ledgergate.adopt.rows import golden_rows
from ledgergate.adopt.summary import describe, preview
from ledgergate.adopt.worth import Worths
from ledgergate.cli.amending import ABOUT_ROWS, judged_as_staged
from ledgergate.cli.working import read_working_policy
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository, index_snapshot
from ledgergate.git.work_tree import ignored_paths
from ledgergate.hosts.moments import now
from ledgergate.policy import POLICY_PATH
from ledgergate.policy.globs import compile_globs
from ledgergate.values import Actor

_ADOPTED = f"""\
{POLICY_PATH} is there already, so this repository has been set up; nothing was written.
To go on:
  ledgergate collect    # tests without a row, and rows without a test
  ledgergate verify     # whether everything holds
  pre-commit install    # or: prek install
"""


@click.command()
@click.option("--goldens", multiple=True, metavar="GLOB", help="Which files are goldens; may be given again.")
@click.option("--tests", multiple=True, metavar="GLOB", help="Which files are tests; may be given again.")
@click.option("--drafts", metavar="FOLDER", help="Where agents may write tests of their own.")
@click.option("--inline", is_flag=True, help="Hold tests that have a check of their own to their own source.")
@click.option("--owner", metavar="NAME", help="Who owns what cannot be evidence today: it goes to quarantine.")
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
    inline: bool,
    owner: str | None,
    name: str | None,
    python: str | None,
    no_collect: bool,
    url: str | None,
    revision: str | None,
    dry_run: bool,
) -> int:
    """Set a repository up: find what its tests can be held to, write policy and ledgers, add the hooks."""
    if (url is None) != (revision is None):
        raise UsageError("--repo and --rev go together")
    for option, text in (("--owner", owner), ("--drafts", drafts), ("--name", name), ("--python", python)):
        if text is not None and not text.strip():
            raise UsageError(f"{option} is empty")
    repository = Repository()
    snapshot = index_snapshot(repository)
    if is_adopted(repository.workdir, snapshot):
        read_working_policy(repository)
        click.echo(_ADOPTED, nl=False)
        return ExitCode.OK
    paths, read = tracked_files(snapshot), reader_of(snapshot)
    readers, worths = Readers(read), Worths(read, inline=inline or _is_terminal())
    layout = layout_of(tests) if tests else _ask_for_tests(find_layout(paths))
    look = Look(repository.workdir, paths, read, layout, readers, worths)
    if not no_collect:
        click.echo("Collecting the tests ...", err=True)
    found = look.around(None if no_collect else python or default_python())
    groups, globs = _goldens(found, goldens)
    chosen = tuple(group for group in groups if group.sureness < Sureness.GUESS or _is_golden(group))
    wanted = Wanted(name or repository_name(repository), drafts, url, revision)
    policy = first_policy(repository, found, chosen, wanted, globs)
    items = found.collection.items
    rows = golden_rows(snapshot, golden_paths(policy, found.paths), items, found.named)
    policy = without_goldens(policy, rows.left_out)
    proposer = Proposer(found.paths, readers, worths, policy.drafts)
    proposals = proposer.propose(uncovered(items, rows.rows))
    wish = _ask_for_wish(proposals, inline, owner)
    others = settle(proposals, wish)
    plan = make_plan(repository, snapshot, found, policy, chosen, rows, others, wanted, wish.owner)
    refused = judged_as_staged(repository, snapshot, plan.files, ABOUT_ROWS, lambda _: Actor("human"))
    if dry_run:
        click.echo(preview(plan), nl=False)
    else:
        replace_files(repository.workdir, plan.files)
    left_out = [group for group in groups if group not in chosen]
    ignored = ignored_paths(repository, plan.files)
    click.echo(describe(plan, found, left_out, refused, written=not dry_run, ignored=ignored), nl=False)
    return ExitCode.JUDGED if refused else ExitCode.OK


def _goldens(found: Found, globs: tuple[str, ...]) -> tuple[tuple[Group, ...], tuple[str, ...]]:
    """The goldens, and the globs that a human gave for them, if any."""
    groups: tuple[Group, ...] = ()
    if not globs:
        in_tests = compile_globs(found.layout.globs)
        groups = find_goldens(found.paths, in_tests, found.collection.ids, found.named)
        globs = () if groups else _ask_for_goldens(found.paths)
    return (group_by_globs(found.paths, globs) if globs else groups), globs


def _is_terminal() -> bool:
    import sys

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


def _ask_for_wish(proposals: Proposals, inline: bool, owner: str | None) -> Wish:
    """What the options say, and at a terminal what a human answers where they say nothing."""
    rows = proposals.rows
    checked = sum(proposal.is_inline for proposal in rows)
    idle = sum(proposal.class_ == "quarantine" for proposal in rows)
    if _is_terminal():
        question = f"{checked:,} tests have a check of their own. Hold each to its own source (inline)?"
        inline = inline or (checked > 0 and click.confirm(question, default=True))
        if idle and owner is None:
            question = f"{idle:,} tests prove nothing today. Who owns them in quarantine (Enter: they get no row)"
            owner = click.prompt(question, default="", show_default=False).strip() or None
    return Wish(inline, owner, now().astimezone(UTC).date())
