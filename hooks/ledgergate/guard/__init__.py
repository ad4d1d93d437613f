"""Whether an edit of the tests makes them prove less: old and new compared by their syntax trees, and nothing run.

What lies above gives files as bytes, and gets a `Loss` for each thing that went.
"""

from ledgergate.guard.compare import compare
from ledgergate.guard.files import Around, Edit
from ledgergate.guard.loss import Loss
from ledgergate.guard.production import aware_code
from ledgergate.guard.runs import changed_runs
from ledgergate.guard.settings import changed_settings

__all__ = ["Around", "Edit", "Loss", "aware_code", "changed_runs", "changed_settings", "compare"]
