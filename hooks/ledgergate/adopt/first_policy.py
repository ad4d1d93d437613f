"""The first policy of a repository, from what was found in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ledgergate.adopt.branches import protected_refs
from ledgergate.adopt.found import Found
from ledgergate.adopt.golden_globs import golden_globs
from ledgergate.adopt.goldens import Group
from ledgergate.adopt.suites import ledger_globs
from ledgergate.git import Repository
from ledgergate.policy import PathClass, Policy, classify
from ledgergate.policy.globs import compile_globs
from ledgergate.policy.model import Run

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
    return policy._replace(goldens=goldens)


def _more_docs(paths: Sequence[str]) -> list[str]:
    return [glob for glob in _MORE_DOCS if any(map(compile_globs([glob]), paths))]
