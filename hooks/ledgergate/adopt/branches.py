"""The branches of a repository that contracts are enforced on."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ledgergate.git import Repository
from ledgergate.policy import Policy
from ledgergate.policy.globs import compile_globs

_MAIN_BRANCHES = ("main", "master")
# How a branch that releases come from is called, and the pattern for it and its like; None: the name itself.
_RELEASES: tuple[tuple[str, str | None], ...] = (
    (r"(releases|stable|maint|maintenance|support)/.+", r"\1/**"),
    (r"(releases?|stable|maint)([-_]).+", r"\1\2*"),
    (r"v?\d+(?:\.\d+)*\.x", "*.x"),
    (r"v?\d+(?:\.\d+)*", None),
    (r"stable|production|develop", None),
)
_MOST = 20


def protected_refs(repository: Repository) -> tuple[str, ...]:
    """The policy's defaults; the remote's default branch or (with no main branch at all) the current one; releases."""
    default = Policy().protected_refs
    remote = _symbolic(repository, "refs/remotes/origin/HEAD").removeprefix("refs/remotes/origin/")
    current = _symbolic(repository, "HEAD").removeprefix("refs/heads/")
    names = _branches(repository)
    main = remote or ("" if set(_MAIN_BRANCHES) & names else current)
    found = [f"refs/heads/{name}" for name in ([main] if main else [])]
    found += [f"refs/heads/{pattern}" for pattern in release_patterns(names)]
    matches = compile_globs(default, anchored=True)
    return (*default, *dict.fromkeys(ref for ref in found if not matches(ref)))


def release_patterns(names: Iterable[str]) -> list[str]:
    """Patterns for those of some branches whose names say that releases come from them."""
    found: dict[str, None] = {}
    for name in sorted(names):
        for kind, pattern in _RELEASES:
            match = re.fullmatch(kind, name)
            if match:
                found[name if pattern is None else match.expand(pattern)] = None
                break
    return list(found)[:_MOST]


def _branches(repository: Repository) -> set[str]:
    done = repository.git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes/origin")
    names = done.stdout.decode("utf-8", "replace").split()
    return {re.sub(r"^refs/(?:heads|remotes/origin)/", "", name) for name in names} - {"HEAD"}


def _symbolic(repository: Repository, name: str) -> str:
    return repository.git("symbolic-ref", "--quiet", name).stdout.decode("utf-8", "replace").strip()
