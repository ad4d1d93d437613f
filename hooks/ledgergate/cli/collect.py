"""`ledgergate collect`: the exact ids of the suite, what the ledgers lack, and rows for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC

import click

from ledgergate.adopt.added import Additions, find_additions, find_counts, find_removals
from ledgergate.adopt.child import default_python
from ledgergate.adopt.collect import Collection, Item, collect
from ledgergate.adopt.drift import Drift, find_drift
from ledgergate.adopt.drift_text import drift_json, drift_text
from ledgergate.adopt.found import reader_of
from ledgergate.adopt.moves import Movers
from ledgergate.adopt.propose import Wish
from ledgergate.adopt.suites import find_suites
from ledgergate.cli.adding import Suite, write_rows
from ledgergate.cli.confirm import Approval, approval_options, is_refused
from ledgergate.cli.floors import follow_floors
from ledgergate.cli.working import file_at, read_working_ledgers, read_working_policy
from ledgergate.errors import ExitCode, UsageError
from ledgergate.git import Repository
from ledgergate.git.work_tree import work_tree_files, work_tree_snapshot
from ledgergate.hosts.moments import now
from ledgergate.ledger import Row
from ledgergate.ledger.relock import unheld_rows
from ledgergate.policy import PathClass, classify
from ledgergate.report.summary import counted
from ledgergate.vouch import policy_of

_PLAIN = (None, False, None, "text", False, False, False)
_OF_TESTS = (PathClass.TEST, PathClass.GOLDEN, PathClass.DRAFT, PathClass.PROTECTED)


@click.command()
@click.option("--add", is_flag=True, help="Show rows for all tests without one, and ask once.")
@click.option("--prune", is_flag=True, help="Show the rows whose test is gone, and ask once whether they go too.")
@click.option("--params", is_flag=True, help="Show the rows whose `params` is not the number of cases, and ask once.")
@click.option("--floors", is_flag=True, help="Show the floor of lane `fixtures` that rows and freezes allow, and ask.")
@click.option("--owner", metavar="NAME", help="With --add: who owns what cannot be evidence today.")
@click.option("--no-inline", is_flag=True, help="With --add: hold no test to its own source.")
@click.option("--python", metavar="PATH", help="The interpreter that has pytest and what the suite needs.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "pytest"]),
    default="text",
    help="pytest: the exact ids, one a line, as `pytest --collect-only -q` and `pytest @FILE` have them.",
)
@click.option("--unclassified", is_flag=True, help="With --format pytest: only the ids that no row covers.")
@click.option("--evidence", is_flag=True, help="With --format pytest: only the ids whose row makes a pass evidence.")
@click.option("--all", "whole", is_flag=True, help="List everything.")
@approval_options
def command(
    add: bool,
    prune: bool,
    params: bool,
    floors: bool,
    owner: str | None,
    no_inline: bool,
    python: str | None,
    form: str,
    unclassified: bool,
    evidence: bool,
    whole: bool,
    approval: Approval,
) -> int:
    """Say which tests have no row, which rows have no test, and which tests have moved."""
    wanted = [name for name, given in (("--add", add), ("--prune", prune), ("--params", params)) if given]
    if floors and (wanted or (owner, no_inline, python, form, unclassified, evidence, whole) != _PLAIN):
        raise UsageError("--floors goes alone, or with --yes and --contract")
    if floors:
        return follow_floors(approval)
    _refuse_odd_options(wanted, owner, no_inline, form, unclassified, evidence, approval)
    repository = Repository()
    policy = read_working_policy(repository)
    head = repository.snapshot(repository.head_commit())
    if wanted:
        committed = policy_of(head)
        identities = [p.identity for p in (policy, committed) if p is not None]
        if is_refused(repository, identities, f"ledgergate collect {' '.join(wanted)}"):
            return ExitCode.JUDGED
    ledgers = read_working_ledgers(repository, policy, now().astimezone(UTC).date())
    paths = tuple(path for path in work_tree_files(repository, "") if file_at(repository, path).is_file())
    of_tests = [path for path in paths if classify(policy, path) in _OF_TESTS]
    suite = Suite(repository, policy, ledgers, paths, work_tree_snapshot(repository, of_tests))
    collection = _collect(suite, python or default_python())
    movers = Movers(reader_of(head), reader_of(suite.now))
    known = frozenset(paths)
    drift = find_drift(collection, [working.ledger for working in ledgers], known.__contains__, movers.is_same)
    rows = [row for working in ledgers for row in working.ledger.rows]
    drift = drift._replace(unheld=tuple(unheld_rows(rows, head, suite.now)))
    if wanted:
        wish = Wish(not no_inline, owner or _usual_owner(suite), now().astimezone(UTC).date())
        found = _additions(suite, drift, movers, wish) if add else Additions((), {})
        if params:
            found = found._replace(additions=(*found.additions, *find_counts(drift)))
        left = list(_left(drift, prune=prune, params=params))
        return write_rows(suite, collection, found, find_removals(drift) if prune else (), approval, left)
    if form == "pytest":
        return _list(suite, collection, drift, unclassified=unclassified, evidence=evidence)
    text = drift_json(collection, drift) if form == "json" else drift_text(collection, drift, whole=whole)
    click.echo(text, nl=False)
    return ExitCode.OK if drift.is_none and collection.problem is None else ExitCode.JUDGED


def _left(drift: Drift, *, prune: bool, params: bool) -> Iterator[str]:
    """The commands for what else is not as it should be in the rows."""
    removals, counts = find_removals(drift), find_counts(drift)
    if removals and not prune:
        yield f"ledgergate collect --prune    # {counted(len(removals), 'row')} without a test"
    if counts and not params:
        yield f"ledgergate collect --params    # {counted(len(counts), 'row')} with another number of cases"
    if drift.unheld:
        yield f"ledgergate relock --all    # {counted(len(drift.unheld), 'row')} whose digest no longer holds"


def _refuse_odd_options(
    wanted: Sequence[str],
    owner: str | None,
    no_inline: bool,
    form: str,
    unclassified: bool,
    evidence: bool,
    approval: Approval,
) -> None:
    if "--add" not in wanted and (owner is not None or no_inline):
        raise UsageError("--owner and --no-inline go with --add")
    if not wanted and (approval.contract is not None or approval.key is not None):
        raise UsageError("--yes, --contract and --key go with --add, --prune, --params and --floors")
    if wanted and form != "text":
        raise UsageError(f"{' '.join(wanted)}: rows are shown as text; --format goes without")
    if (unclassified or evidence) and (form != "pytest" or (unclassified and evidence)):
        raise UsageError("--unclassified or --evidence goes with --format pytest, one of the two")
    if owner is not None and not owner.strip():
        raise UsageError("--owner is empty")


def _collect(suite: Suite, python: str) -> Collection:
    click.echo("Collecting the tests ...", err=True)
    suites = find_suites(suite.paths, "", reader_of(suite.now))
    starts = [(suite.start, suite.arguments) for suite in suites]
    return collect(python, suite.repository.workdir, frozenset(suite.paths), suites=starts)


def _list(suite: Suite, collection: Collection, drift: Drift, *, unclassified: bool, evidence: bool) -> int:
    """The ids one a line, as pytest takes them from a file (`pytest @FILE`)."""
    ids: Iterable[str] = collection.ids
    if unclassified:
        ids = [item.id for item in drift.unclassified]
    elif evidence:
        rows = {row.id: row for working in suite.ledgers for row in working.ledger.rows}
        ids = [item.id for item in collection.items if _is_evidence(item, rows)]
    click.echo("".join(f"{id_}\n" for id_ in ids), nl=False)
    if collection.problem:
        click.echo(f"ledgergate: not everything could be collected: {collection.problem}", err=True)
    return ExitCode.JUDGED if collection.problem else ExitCode.OK


def _is_evidence(item: Item, rows: Mapping[str, Row]) -> bool:
    """Whether the row of the case, the more exact one, has a class whose passes count."""
    row = rows.get(item.id)
    if row is None:
        row = rows.get(item.function)
        if row is None or row.params is None:
            return False
    return row.class_ in ("locked_fixture", "property")


def _additions(suite: Suite, drift: Drift, movers: Movers, wish: Wish) -> Additions:
    ledgers = [working.ledger for working in suite.ledgers]
    return find_additions(drift, ledgers, suite.policy, suite.paths, suite.now, movers, wish)


def _usual_owner(suite: Suite) -> str | None:
    """The owner of all quarantine rows that there are, where that is one."""
    rows = [row for working in suite.ledgers for row in working.ledger.rows if row.class_ == "quarantine"]
    owners = {row.fields.get("owner") for row in rows}
    owner = owners.pop() if len(owners) == 1 else None
    return owner if isinstance(owner, str) else None
