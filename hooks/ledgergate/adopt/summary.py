"""What `ledgergate init` tells a human at its end."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence

from ledgergate.adopt.collect import Collection
from ledgergate.adopt.found import Found
from ledgergate.adopt.goldens import Group, Sureness
from ledgergate.adopt.hook_config import CONFIG_PATH, install_flags
from ledgergate.adopt.leaning import leaning_lines
from ledgergate.adopt.plan import Plan
from ledgergate.ledger.paths import is_placeholder, placeholder_id
from ledgergate.policy import POLICY_PATH, PathClass, Policy, classify
from ledgergate.policy.builtin import CI_FILES
from ledgergate.policy.globs import compile_globs
from ledgergate.values import Finding, display_lines, display_path, display_text

_MOST_LISTED = 10
_MOST_NAMED = 3
_PREVIEW_LINES = 24
# Of what lies among the files of a CI, these are what it runs: not a lock file beside them.
_RUN_BY_CI = (".yml", ".yaml", ".json", ".jsonnet", ".star", "Jenkinsfile")


def describe(
    plan: Plan,
    found: Found,
    left_out: Sequence[Group],
    refused: Sequence[Finding] = (),
    *,
    written: bool,
    ignored: Container[str] = (),
) -> str:
    """The summary: what was found and written, what could not be told, what is not enforced, and the next commands.

    `refused` is what the hooks would say of it, and `ignored` the files that git adds only when it is forced to.
    """
    lines = [
        *_tests(plan, found),
        *_goldens(plan),
        *_quarantine(plan),
        *_leaning(plan, found),
        *_files(plan, found, written=written),
        *_doubts(plan, found, left_out),
        *_refused(refused),
        *_limits(plan, found),
    ]
    if plan.hooks.paste:
        lines += ["", f"Add this to the `repos` of your hook configuration ({plan.hooks.note}):", ""]
        lines += plan.hooks.paste.splitlines()
    if written:
        lines += ["", "Next:", *(f"  {command}" for command in _next(plan, ignored))]
    return "\n".join(lines) + "\n"


def preview(plan: Plan) -> str:
    """The files that would be written, long ones shortened."""
    return "".join(_file_preview(path, data) for path, data in plan.files.items())


def _tests(plan: Plan, found: Found) -> Iterator[str]:
    items = found.collection.items
    if not items:
        return
    functions = len({item.function for item in items})
    cases = "" if functions == len(items) else f" ({len(items):,} cases with their parameters)"
    yield f"{_number(functions, 'test')}{cases}, by what a pass of it is held to:"
    golden = {row.id.partition("[")[0] for row in plan.goldens.rows if not is_placeholder(row.id)}
    rows = plan.others.rows
    counts = (
        (len(golden), "locked_fixture", "golden files"),
        (sum(row.class_ == "locked_fixture" for row in rows), "locked_fixture", "their own source, inline"),
        (sum(row.class_ == "property" for row in rows), "property", "an invariant and a folder of seeds"),
        (sum(row.class_ == "quarantine" for row in rows), "quarantine", "nothing: a pass is never evidence"),
        (sum(row.class_ == "draft" for row in rows), "draft", "nothing: they lie below the drafts"),
    )
    shown = [(number, class_, what) for number, class_, what in counts if number]
    unplaced = Counter(plan.others.unplaced.values()).most_common()
    numbers = [number for number, *_ in shown] + [number for _, number in unplaced]
    width = max((len(f"{number:,}") for number in numbers), default=1)
    yield from (f"  {number:>{width},}  {class_:<14}  {what}" for number, class_, what in shown)
    yield from (f"  {number:>{width},}  {'(no row)':<14}  {why}" for why, number in unplaced)
    yield ""


def _goldens(plan: Plan) -> Iterator[str]:
    total = sum(len(group.paths) for group in plan.groups)
    ledgers = ", ".join(plan.policy.ledger)
    yield f"{_number(total, 'golden')} in {_number(len(plan.goldens.rows), 'row')} of {ledgers}"
    width = max((len(f"{len(group.paths):,}") for group in plan.groups), default=0)
    for group in plan.groups[:_MOST_LISTED]:
        sure = "" if group.sureness is Sureness.SURE else " (likely)"
        folder = display_path(group.home) if group.home else "."
        yield f"  {len(group.paths):>{width},}  {folder}  {'; '.join(group.reasons)}{sure}"
    if len(plan.groups) > _MOST_LISTED:
        more = plan.groups[_MOST_LISTED:]
        yield f"  {sum(len(group.paths) for group in more):>{width},}  in {_number(len(more), 'more folder')}"
    if not plan.groups:
        yield "  No golden files were found. Name them with --goldens, or add rows later by hand."


def _quarantine(plan: Plan) -> Iterator[str]:
    by_reason: dict[str, list[str]] = {}
    for row in plan.others.rows:
        if row.class_ == "quarantine":
            by_reason.setdefault(plan.others.why[row.id], []).append(row.id)
    if by_reason:
        yield ""
        yield "In quarantine, from today:"
    for why, ids in by_reason.items():
        yield f"  {len(ids):,}: {why}"
        yield from (f"    {display_text(id_)}" for id_ in ids[:_MOST_NAMED])
        if len(ids) > _MOST_NAMED:
            yield f"    and {len(ids) - _MOST_NAMED:,} more"


def _leaning(plan: Plan, found: Found) -> Iterator[str]:
    lines = leaning_lines(plan.others.rows, found.read)
    if lines:
        yield ""
        yield from lines


def _files(plan: Plan, found: Found, *, written: bool) -> Iterator[str]:
    verb = "Wrote" if written else "Would write"
    yield ""
    yield f"{verb} {', '.join(map(display_path, sorted(plan.files)))}"
    notes = [*([plan.hooks.note] if plan.hooks.note and not plan.hooks.paste else []), *plan.notes]
    yield from (f"  {note}" for note in notes)
    policy = plan.policy
    yield f"  name: {display_text(policy.name)} · tests: {' '.join(policy.tests)} · drafts: {policy.drafts}"
    tops = Counter(path.split("/")[0] for path in found.paths if classify(policy, path) is PathClass.PRODUCTION)
    production = [f"{top}/" if f"{top}" not in found.paths else top for top, _ in tops.most_common(_MOST_LISTED)]
    more = f" and {len(tops) - _MOST_LISTED} more" if len(tops) > _MOST_LISTED else ""
    yield f"  production: {' '.join(map(display_path, production)) or 'nothing yet'}{more}"
    yield f"  branches under contract: {' '.join(ref.removeprefix('refs/heads/') for ref in policy.protected_refs)}"
    floors = " ".join(f"{lane} at least {floor:,}" for lane, floor in plan.floors.items())
    how = "" if plan.policy.lanes else " (no command yet: say under [lanes] how they run)"
    yield f"  lanes: {floors or 'fixtures, which has no case yet'}{how}"


def _doubts(plan: Plan, found: Found, left_out: Sequence[Group]) -> Iterator[str]:
    doubts = [
        *_unnamed(plan, found.collection),
        *(_without_row(plan.policy, path, why) for path, why in _first(plan.goldens.left_out.items())),
        *(
            f"{display_path(group.home)}: {'; '.join(group.reasons)}; left out. Name them with --goldens if they are."
            for group in left_out
        ),
    ]
    deselected = found.collection.deselected
    if deselected:
        doubts.append(f"{_number(len(deselected), 'case')} that the suite's own options deselect, so without a row")
    if doubts:
        yield ""
        yield "Not told:"
        yield from (f"  {doubt}" for doubt in doubts)


def _refused(findings: Sequence[Finding]) -> Iterator[str]:
    if findings:
        yield ""
        yield "The hooks refuse a commit of this as it is:"
        yield from (f"  {_said(finding)}" for finding in findings[:_MOST_LISTED])
        if len(findings) > _MOST_LISTED:
            yield f"  and {_number(len(findings) - _MOST_LISTED, 'more finding')}"


def _said(finding: Finding) -> str:
    about = finding.subject or finding.path
    message = display_lines(finding.message)[0]
    return f"{finding.rule}: {message if about is None else f'{display_path(about)}: {message}'}"


def _without_row(policy: Policy, path: str, why: str) -> str:
    shown = f"{display_path(path)} has no row ({why}), so"
    if classify(policy, path) is PathClass.GOLDEN:
        return f"{shown} the hooks refuse it: give it another name, or content that a row can hold"
    return f"{shown} the policy leaves it out of the goldens"


def _unnamed(plan: Plan, collection: Collection) -> Iterator[str]:
    if collection.problem:
        hint = " (--python PATH names the interpreter of the suite)" if collection.may_be_the_interpreter else ""
        yield f"{collection.problem}{hint}"
    unnamed = plan.goldens.unnamed
    if not unnamed:
        return
    example = display_text(placeholder_id(next(iter(unnamed))))
    yield f"{_number(len(unnamed), 'golden')} with a row under a placeholder id, like {example}:"
    yield "  the digest holds as it is, and evidence will need the real id of the test"
    counts = Counter((unnamed[path], _folder(plan, path)) for path in unnamed)
    for (why, folder), count in counts.most_common(_MOST_LISTED):
        yield f"  {count:,} in {display_path(folder)}: {why}"


def _folder(plan: Plan, path: str) -> str:
    return next((group.home for group in plan.groups if group.home and path in group.paths), "") or "."


def _limits(plan: Plan, found: Found) -> Iterator[str]:
    yield ""
    yield "Nothing is enforced until this is committed and the hooks are installed. Then commits are judged, on"
    yield "machines with the hooks; `git commit --no-verify` skips them, and pushes and servers are not checked."
    workflows = [path for path in filter(compile_globs(CI_FILES), found.paths) if path.endswith(_RUN_BY_CI)]
    if workflows:
        shown = ", ".join(map(display_path, workflows[:_MOST_NAMED]))
        more = f" and {len(workflows) - _MOST_NAMED} more" if len(workflows) > _MOST_NAMED else ""
        yield f"CI ({shown}{more}) is protected from agents, and runs no check of ledgergate:"
        yield "`ledgergate verify` and `ledgergate check --from TARGET --to HEAD` belong there."
    if plan.others.unplaced:
        yield f"{_number(len(plan.others.unplaced), 'test')} without a row: a pass of such a test is no evidence."


def _next(plan: Plan, ignored: Container[str]) -> Iterator[str]:
    plain = [path for path in sorted(plan.files) if path not in ignored]
    forced = [path for path in sorted(plan.files) if path in ignored]
    if plain:
        yield shlex.join(["git", "add", "--", *plain])
    if forced:
        yield f"{shlex.join(['git', 'add', '-f', '--', *forced])}    # ignored by .gitignore"
    yield 'git commit -m "Guard the tests with ledgergate"'
    types = install_flags(plan.files.get(CONFIG_PATH, b""))
    yield f"pre-commit install{types}    # or: prek install{types}"


def _file_preview(path: str, data: bytes) -> str:
    lines = data.decode("utf-8", "replace").splitlines()
    is_whole = path in (CONFIG_PATH, POLICY_PATH) or len(lines) <= _PREVIEW_LINES + 1
    shown = lines if is_whole else lines[:_PREVIEW_LINES]
    more = [f"... and {len(lines) - len(shown):,} more lines"] if len(shown) < len(lines) else []
    return "\n".join([f"--- {display_path(path)}", *shown, *more]) + "\n\n"


def _first(entries: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(entries)[:_MOST_LISTED]


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
