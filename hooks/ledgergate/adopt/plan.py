"""Everything that `ledgergate init` would write, computed before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ledgergate.adopt.codeowners import PLACES, add_block, is_owner
from ledgergate.adopt.first_policy import Wanted
from ledgergate.adopt.found import Found
from ledgergate.adopt.freeze_file import lane_floors, render_freeze_ledger
from ledgergate.adopt.goldens import Group, Sureness
from ledgergate.adopt.hook_config import CONFIG_PATH, HookConfig, add_hooks, hooks_block
from ledgergate.adopt.lanes import first_lanes
from ledgergate.adopt.policy_file import render_policy
from ledgergate.adopt.propose import Settled
from ledgergate.adopt.rows import Rows
from ledgergate.adopt.suites import nearest_ledger
from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git import Repository, Snapshot
from ledgergate.ledger import Row
from ledgergate.ledger.edit import render
from ledgergate.policy import POLICY_PATH, PathClass, Policy, classify, read_policy
from ledgergate.policy.globs import check_glob, compile_globs
from ledgergate.values import display_path

# prek reads these before or instead of the file that both managers know.
_OTHER_CONFIGS = ("prek.toml", ".pre-commit-config.yml")


class Plan(NamedTuple):
    """The files to write (path -> bytes, those that exist already are edits), and what to say about them.

    `goldens` are the rows of golden files, `others` those of tests without one; `floors` what the lanes require.
    """

    policy: Policy
    groups: tuple[Group, ...]
    goldens: Rows
    others: Settled
    floors: dict[str, int]
    files: dict[str, bytes]
    hooks: HookConfig
    notes: tuple[str, ...]


def tracked_files(snapshot: Snapshot) -> tuple[str, ...]:
    """The git paths of all regular files; `UsageError` where git tracks nothing yet."""
    paths = tuple(path for path, entry in snapshot.files() if entry.is_file)
    if not paths:
        raise UsageError("git tracks no files here yet: `git add` them first, then run init again")
    return paths


def is_adopted(root: Path, snapshot: Snapshot) -> bool:
    """Whether there is a policy already, staged or only on disk."""
    return snapshot.entry(POLICY_PATH) is not None or _exists(root, POLICY_PATH)


def group_by_globs(paths: Iterable[str], globs: Sequence[str]) -> tuple[Group, ...]:
    """The files that a human's globs match, as one group; `UsageError` for a glob that is none or matches none."""
    paths = tuple(paths)
    for glob in globs:
        try:
            check_glob(glob)
            matches = compile_globs([glob.removeprefix("!")])
        except ValueError as error:
            raise UsageError(f"the glob {glob!r} {error}") from error
        if not any(map(matches, paths)):
            raise UsageError(f"the glob {glob!r} matches no file that git tracks; nothing was written")
    matches = compile_globs(globs)
    return (Group("", Sureness.SURE, ("named by you",), tuple(filter(matches, paths))),)


def golden_paths(policy: Policy, paths: Iterable[str]) -> list[str]:
    """Those of the paths that the policy calls goldens."""
    return [path for path in paths if classify(policy, path) is PathClass.GOLDEN]


def make_plan(
    repository: Repository,
    snapshot: Snapshot,
    found: Found,
    policy: Policy,
    groups: tuple[Group, ...],
    goldens: Rows,
    others: Settled,
    wanted: Wanted,
    owner: str | None,
) -> Plan:
    """All files, checked by the readers that will read them.

    Raises `UsageError` where a file that would be new exists already, and `LedgergateError` where what was computed
    would not hold.
    """
    ledgers = [f"{suite.home}ledger.yaml" for suite in found.suites]
    rows = (*goldens.rows, *others.rows)
    files = _ledger_files(ledgers, rows)
    floors = lane_floors(rows)
    if found.collection.items:
        policy = policy._replace(lanes=first_lanes(found.suites, rows))
    files[policy.freeze_ledger] = render_freeze_ledger(floors)
    hooks = _hooks(repository.workdir, wanted)
    if hooks.data is not None:
        files[CONFIG_PATH] = hooks.data
    owned, note = _code_owners(found, policy, ledgers, owner)
    # Last, since it is what makes a repository count as set up.
    files |= {**owned, POLICY_PATH: render_policy(policy)}
    _check_policy(files[POLICY_PATH], policy)
    edits = (CONFIG_PATH, *PLACES)
    _refuse_to_overwrite(repository.workdir, snapshot, [path for path in files if path not in edits])
    classified = _as_classified(groups, frozenset(golden_paths(policy, found.paths)))
    return Plan(policy, classified, goldens, others, floors, files, hooks, tuple(filter(None, (note,))))


def _ledger_files(ledgers: Sequence[str], rows: Iterable[Row]) -> dict[str, bytes]:
    parts: dict[str, list[Row]] = {ledger: [] for ledger in ledgers}
    for row in rows:
        parts[nearest_ledger(ledgers, row.id)].append(row)
    return {ledger: render(part) for ledger, part in parts.items()}


def _code_owners(
    found: Found, policy: Policy, ledgers: Sequence[str], owner: str | None
) -> tuple[dict[str, bytes], str | None]:
    """The CODEOWNERS file that there is, with our block; and what to say where it stays as it is."""
    path = next((place for place in PLACES if place in found.paths), None)
    if path is None:
        return {}, None
    if owner is None or not is_owner(owner):
        return {}, f"{path} is left alone: `--owner @TEAM` adds a block that gives the ledgers and the policy to it"
    owned = (*ledgers, policy.freeze_ledger, POLICY_PATH, ".ledgergate/")
    return {path: add_block(found.read(path) or b"", owned, owner)}, None


def _check_policy(data: bytes, policy: Policy) -> None:
    try:
        read = read_policy(data)
    except LedgergateError as error:
        raise UsageError(f"nothing was written: {error.message}") from error
    if read != policy:
        raise LedgergateError("internal-error", f"{POLICY_PATH} would not say what was found; nothing was written")


def _hooks(root: Path, wanted: Wanted) -> HookConfig:
    block = hooks_block(wanted.hook_url, wanted.hook_revision)
    path = root / CONFIG_PATH
    other = next((name for name in _OTHER_CONFIGS if _exists(root, name)), None)
    if other and (other == "prek.toml" or not path.exists()):
        return HookConfig(None, paste=block, note=f"your hooks are in {other}, which is left alone")
    try:
        return add_hooks(path.read_bytes() if path.exists() else None, block)
    except OSError as error:
        # Nothing has been written yet: better no set-up than one whose hooks are missing.
        raise UsageError(f"{CONFIG_PATH} cannot be read: {error.strerror or error}") from error


def _refuse_to_overwrite(root: Path, snapshot: Snapshot, paths: Iterable[str]) -> None:
    present = [path for path in paths if snapshot.entry(path) is not None or _exists(root, path)]
    if present:
        shown = ", ".join(map(display_path, present))
        raise UsageError(f"{shown} would be overwritten; nothing was written. Move it away, and run init again")


def _exists(root: Path, path: str) -> bool:
    file = root / path
    return file.exists() or file.is_symlink()


def _as_classified(groups: Iterable[Group], goldens: frozenset[str]) -> tuple[Group, ...]:
    """The groups with what the policy calls a golden in the end: a protected path in a folder of goldens is none."""
    kept = (group._replace(paths=tuple(path for path in group.paths if path in goldens)) for group in groups)
    return tuple(group for group in kept if group.paths)
