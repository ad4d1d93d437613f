"""The first policy of a repository, from what was found in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from ledgergate.adopt.branches import protected_refs
from ledgergate.adopt.found import Found
from ledgergate.adopt.golden_globs import golden_globs
from ledgergate.adopt.goldens import Group
from ledgergate.adopt.layout import escape_glob
from ledgergate.adopt.suites import ledger_globs
from ledgergate.errors import UsageError
from ledgergate.git import Repository
from ledgergate.policy import PathClass, Policy, classify
from ledgergate.policy.globs import check_glob, compile_globs
from ledgergate.policy.model import Run
from ledgergate.values import display_path

# Beside the defaults, where a repository has such files.
_MORE_DOCS = ("/doc/**", "/*.rst", "/CHANGES*", "/AUTHORS*", "/COPYING*")


class Wanted(NamedTuple):
    """What the caller decided: names and folders, and where the hooks come from (None: the installed command)."""

    name: str
    drafts: str | None
    hook_url: str | None
    hook_revision: str | None


def repository_name(repository: Repository) -> str:
    """The name that the remote `origin` gives (`owner/repository`), or else that of the folder."""
    url = repository.git("config", "--get", "remote.origin.url").stdout.decode("utf-8", "replace").strip()
    found = re.search(r"[:/]([^/:\s]+/[^/:\s]+?)(?:\.git)?/?$", url)
    is_name = found is not None and "://" not in found[1] and not {".", ".."} & set(found[1].split("/"))
    return found[1] if found is not None and is_name else repository.workdir.resolve().name


def first_policy(
    repository: Repository, found: Found, groups: Sequence[Group], wanted: Wanted, globs: Sequence[str] = ()
) -> Policy:
    """The policy under which the goldens of the groups are such. `globs` are a human's own for them."""
    default = Policy()
    home = found.layout.home if len(found.suites) == 1 else "tests/"
    policy = Policy(
        name=wanted.name,
        ledger=ledger_globs(found.suites),
        freeze_ledger=f"{home}freeze_ledger.json",
        tests=found.layout.globs,
        goldens=(),
        drafts=f"{wanted.drafts.rstrip('/')}/" if wanted.drafts else f"{home}agent_drafts/",
        not_production=(*default.not_production, *_more_docs(found.paths)),
        protected_refs=protected_refs(repository),
        run=Run(found.collection.plugins),
    )
    chosen = frozenset(path for group in groups for path in group.paths)
    others = [
        path
        for path in found.paths
        if path not in chosen and classify(policy, path) not in (PathClass.PROTECTED, PathClass.LEDGER)
    ]
    goldens = tuple(globs) or golden_globs(groups, others) or (f"{home}goldens/**",)
    return _beside_drafts(policy._replace(goldens=goldens), found, is_named=bool(wanted.drafts))


def _beside_drafts(policy: Policy, found: Found, *, is_named: bool) -> Policy:
    """The policy under which nothing that agents may not write lies below the drafts; `UsageError` where it would.

    Of a folder that a human named, what is there shows that another one was meant.
    """
    kept = [f"{suite.home}ledger.yaml" for suite in found.suites] + [policy.freeze_ledger]
    goldens = [
        path for path in found.paths if path.startswith(policy.drafts) and classify(policy, path) is PathClass.GOLDEN
    ]
    held = [path for path in kept if path.startswith(policy.drafts)]
    if is_named:
        held += goldens
        held += [path for path in found.paths if f"{path}/" == policy.drafts]
        # With other drafts, since what lies below them is theirs whatever it is.
        others = policy._replace(drafts=f"{policy.drafts}-/")
        within = (path for path in found.paths if path.startswith(policy.drafts))
        held += [path for path in within if classify(others, path) is PathClass.PROTECTED]
    if held:
        raise UsageError(
            f"agents may write what they like below the drafts, and {display_path(policy.drafts)} would hold what they "
            f"may not, as {display_path(held[0])}: name a folder of its own with --drafts; nothing was written"
        )
    return policy._replace(goldens=(*policy.goldens, f"!{escape_glob(policy.drafts)}**")) if goldens else policy


def without_goldens(policy: Policy, paths: Iterable[str]) -> Policy:
    """The policy under which these paths are no goldens, as far as a glob can name them."""
    for path in paths:
        glob = f"!{escape_glob(path)}"
        with suppress(ValueError):
            check_glob(glob)
            policy = policy._replace(goldens=(*policy.goldens, glob))
    return policy


def _more_docs(paths: Sequence[str]) -> list[str]:
    return [glob for glob in _MORE_DOCS if any(map(compile_globs([glob]), paths))]
