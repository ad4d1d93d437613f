"""Everything that `ledgergate init` would write, computed before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ledgergate.adopt.golden_globs import golden_globs
from ledgergate.adopt.goldens import Group, Sureness
from ledgergate.adopt.hook_config import CONFIG_PATH, HookConfig, add_hooks, hooks_block
from ledgergate.adopt.layout import Layout
from ledgergate.adopt.policy_file import render_policy
from ledgergate.adopt.rows import Rows, golden_rows
from ledgergate.errors import LedgergateError, UsageError
from ledgergate.git import Repository, Snapshot
from ledgergate.ledger.edit import render
from ledgergate.policy import POLICY_PATH, PathClass, Policy, classify, read_policy
from ledgergate.policy.globs import check_glob, compile_globs
from ledgergate.values import display_path

_FREEZE_LEDGER = b"""\
{
  "schema": "freeze-ledger.v1",
  "required_lanes": ["fixtures"],
  "optional_lanes": [],
  "cardinality_floor": {"fixtures": 1},
  "freezes": []
}
"""
# Beside the defaults, where a repository has such files.
_MORE_DOCS = ("/doc/**", "/*.rst", "/CHANGES*", "/AUTHORS*", "/COPYING*")
# prek reads these before or instead of the file that both managers know.
_OTHER_CONFIGS = ("prek.toml", ".pre-commit-config.yml")
_MAIN_BRANCHES = ("main", "master")


class Wanted(NamedTuple):
    """What the caller decided: names and folders, and where the hooks come from (None: the installed command)."""

    name: str
    drafts: str | None
    hook_url: str | None
    hook_revision: str | None


class Plan(NamedTuple):
    """The files to write (path -> bytes, those that exist already are edits), and what to say about them."""

    policy: Policy
    groups: tuple[Group, ...]
    rows: Rows
    files: dict[str, bytes]
    hooks: HookConfig


def tracked_files(snapshot: Snapshot) -> tuple[str, ...]:
    """The git paths of all regular files; `UsageError` where git tracks nothing yet."""
    paths = tuple(path for path, entry in snapshot.files() if entry.is_file)
    if not paths:
        raise UsageError("git tracks no files here yet: `git add` them first, then run init again")
    return paths


def refuse_if_adopted(root: Path, snapshot: Snapshot) -> None:
    """`UsageError` where there is a policy already, staged or only on disk."""
    if snapshot.entry(POLICY_PATH) is not None or _exists(root, POLICY_PATH):
        raise UsageError(
            f"{POLICY_PATH} is there already, so this repository has been set up; nothing was written.\n"
            f"To go on: edit {POLICY_PATH} by hand, write changed digests with `ledgergate relock`,\n"
            "see that all holds with `ledgergate verify`, install the hooks with `pre-commit install`."
        )


def repository_name(repository: Repository) -> str:
    """The name that the remote `origin` gives (`owner/repository`), or else that of the folder."""
    url = repository.git("config", "--get", "remote.origin.url").stdout.decode("utf-8", "replace").strip()
    found = re.search(r"[:/]([^/:\s]+/[^/:\s]+?)(?:\.git)?/?$", url)
    is_name = found is not None and "://" not in found[1] and not {".", ".."} & set(found[1].split("/"))
    return found[1] if found is not None and is_name else repository.workdir.resolve().name


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


def make_plan(
    repository: Repository,
    snapshot: Snapshot,
    layout: Layout,
    groups: tuple[Group, ...],
    wanted: Wanted,
    *,
    globs: Sequence[str] = (),
    ids: Sequence[str] = (),
) -> Plan:
    """All files, checked by the readers that will read them. `globs` are a human's own for the goldens of `groups`.

    Raises `UsageError` where a file that would be new exists already, and `LedgergateError` where what was computed
    would not hold.
    """
    paths = tracked_files(snapshot)
    policy = _policy(repository, paths, layout, groups, wanted, globs)
    goldens = [path for path in paths if classify(policy, path) is PathClass.GOLDEN]
    rows = golden_rows(snapshot, goldens, ids)
    files = {
        policy.ledger[0]: render(rows.rows),
        policy.freeze_ledger: _FREEZE_LEDGER,
    }
    hooks = _hooks(repository.workdir, wanted)
    if hooks.data is not None:
        files[CONFIG_PATH] = hooks.data
    # Last, since it is what makes a repository count as set up.
    files[POLICY_PATH] = render_policy(policy)
    _check_policy(files[POLICY_PATH], policy)
    _refuse_to_overwrite(repository.workdir, snapshot, [path for path in files if path != CONFIG_PATH])
    return Plan(policy, _as_classified(groups, frozenset(goldens)), rows, files, hooks)


def _policy(
    repository: Repository,
    paths: Sequence[str],
    layout: Layout,
    groups: tuple[Group, ...],
    wanted: Wanted,
    globs: Sequence[str],
) -> Policy:
    drafts = f"{wanted.drafts.rstrip('/')}/" if wanted.drafts else f"{layout.home}agent_drafts/"
    policy = Policy(
        name=wanted.name,
        ledger=(f"{layout.home}ledger.yaml",),
        freeze_ledger=f"{layout.home}freeze_ledger.json",
        tests=layout.globs,
        goldens=(),
        drafts=drafts,
        not_production=(*Policy().not_production, *_more_docs(paths)),
        protected_refs=_protected_refs(repository),
    )
    chosen = frozenset(path for group in groups for path in group.paths)
    others = [
        path
        for path in paths
        if path not in chosen and classify(policy, path) not in (PathClass.PROTECTED, PathClass.LEDGER)
    ]
    found = tuple(globs) or golden_globs(groups, others) or (f"{layout.home}goldens/**",)
    return policy._replace(goldens=found)


def _check_policy(data: bytes, policy: Policy) -> None:
    try:
        read = read_policy(data)
    except LedgergateError as error:
        raise UsageError(f"nothing was written: {error.message}") from error
    if read != policy:
        raise LedgergateError("internal-error", f"{POLICY_PATH} would not say what was found; nothing was written")


def _more_docs(paths: Sequence[str]) -> list[str]:
    return [glob for glob in _MORE_DOCS if any(map(compile_globs([glob]), paths))]


def _protected_refs(repository: Repository) -> tuple[str, ...]:
    """The defaults, and the remote's default branch or (with no main branch at all) the current one."""
    default = Policy().protected_refs
    remote = _ref(repository, "refs/remotes/origin/HEAD").removeprefix("refs/remotes/origin/")
    current = _ref(repository, "HEAD").removeprefix("refs/heads/")
    has_main = any(
        repository.git("rev-parse", "--verify", "--quiet", f"refs/heads/{name}").status == 0 for name in _MAIN_BRANCHES
    )
    branch = remote or ("" if has_main else current)
    return default if not branch or branch in _MAIN_BRANCHES else (*default, f"refs/heads/{branch}")


def _ref(repository: Repository, name: str) -> str:
    return repository.git("symbolic-ref", "--quiet", name).stdout.decode("utf-8", "replace").strip()


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
