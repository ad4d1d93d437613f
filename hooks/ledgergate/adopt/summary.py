"""What `ledgergate init` tells a human at its end."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ledgergate.adopt.goldens import Group, Sureness
from ledgergate.adopt.hook_config import CONFIG_PATH, INSTALL_TYPES
from ledgergate.adopt.plan import Plan
from ledgergate.adopt.rows import placeholder_id
from ledgergate.values import display_path, display_text

_MOST_LISTED = 10
_PREVIEW_LINES = 24


def describe(plan: Plan, left_out: Sequence[Group], collection_problem: str | None, *, written: bool) -> str:
    """The summary: what was found and written, what could not be told, what is not enforced, and the next commands."""
    lines = [
        *_counts(plan),
        *_files(plan, written=written),
        *_doubts(plan, left_out, collection_problem),
        *_limits(),
    ]
    if plan.hooks.paste:
        lines += ["", f"Add this to the `repos` of your hook configuration ({plan.hooks.note}):", ""]
        lines += plan.hooks.paste.splitlines()
    if written:
        lines += ["", "Next:", *(f"  {command}" for command in _next(plan))]
    return "\n".join(lines) + "\n"


def preview(plan: Plan) -> str:
    """The files that would be written, long ones shortened."""
    return "".join(_file_preview(path, data) for path, data in plan.files.items())


def _counts(plan: Plan) -> Iterator[str]:
    total = sum(len(group.paths) for group in plan.groups)
    yield f"{_number(total, 'golden')} in {_number(len(plan.rows.rows), 'row')} of {plan.policy.ledger[0]}"
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


def _files(plan: Plan, *, written: bool) -> Iterator[str]:
    verb = "Wrote" if written else "Would write"
    yield ""
    yield f"{verb} {', '.join(map(display_path, sorted(plan.files)))}"
    if plan.hooks.note and not plan.hooks.paste:
        yield f"  {plan.hooks.note}"
    policy = plan.policy
    yield f"  name: {display_text(policy.name)} · tests: {' '.join(policy.tests)} · drafts: {policy.drafts}"


def _doubts(plan: Plan, left_out: Sequence[Group], collection_problem: str | None) -> Iterator[str]:
    doubts = [
        *_unnamed(plan, collection_problem),
        *(f"{display_path(path)} has no row: {why}" for path, why in _first(plan.rows.left_out.items())),
        *(
            f"{display_path(group.home)}: {'; '.join(group.reasons)}; left out. Name them with --goldens if they are."
            for group in left_out
        ),
    ]
    if doubts:
        yield ""
        yield "Not told:"
        yield from (f"  {doubt}" for doubt in doubts)


def _unnamed(plan: Plan, collection_problem: str | None) -> Iterator[str]:
    if collection_problem:
        yield f"{collection_problem} (--python PATH names the interpreter of the suite)"
    unnamed = plan.rows.unnamed
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


def _limits() -> Iterator[str]:
    yield ""
    yield "Nothing is enforced until this is committed and the hooks are installed. Then commits are judged, on"
    yield "machines with the hooks; `git commit --no-verify` skips them, and no push, CI run or server is checked yet."


def _next(plan: Plan) -> Iterator[str]:
    yield shlex.join(["git", "add", "--", *sorted(plan.files)])
    yield 'git commit -m "Guard the goldens with ledgergate"'
    data = plan.files.get(CONFIG_PATH, b"")
    types = "" if b"default_install_hook_types" in data else "".join(f" -t {name}" for name in INSTALL_TYPES)
    yield f"pre-commit install{types}    # or: prek install{types}"


def _file_preview(path: str, data: bytes) -> str:
    lines = data.decode("utf-8").splitlines()
    shown = lines[:_PREVIEW_LINES] if len(lines) > _PREVIEW_LINES + 1 and path != CONFIG_PATH else lines
    more = [f"... and {len(lines) - len(shown):,} more lines"] if len(shown) < len(lines) else []
    return "\n".join([f"--- {display_path(path)}", *shown, *more]) + "\n\n"


def _first(entries: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(entries)[:_MOST_LISTED]


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
