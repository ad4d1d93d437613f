"""What a hook of a hook manager's own judges: the tip that is being pushed, or HEAD."""

from __future__ import annotations

import os
from datetime import datetime

from ledgergate.git import Repository
from ledgergate.lanes.basis import Basis


def pushed_basis(now: datetime) -> Basis:
    """The tip that the hook manager names at a push (it names the first one), else HEAD, under its base's rules."""
    return Basis(Repository(), now, commit=os.environ.get("PRE_COMMIT_TO_REF") or None)
