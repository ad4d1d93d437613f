"""Which refs are enforced."""

from __future__ import annotations

from ledgergate.policy.globs import compile_globs
from ledgergate.policy.model import Policy


def is_protected_ref(policy: Policy, ref: str) -> bool:
    """Whether a ref, by its full name, is one of the policy's `protected_refs`.

    A name that a server would take for a protected one because its disk ignores case is protected, too.
    """
    return compile_globs(policy.protected_refs, anchored=True, folded=True)(ref)
