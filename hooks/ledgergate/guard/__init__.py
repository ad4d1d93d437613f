"""Whether an edit of the tests makes them prove less: old and new compared by their syntax trees, and nothing run.

What lies above gives files as bytes, and gets a `Loss` for each thing that went. Most commits need one of the modules
`compare`, `production`, `settings` and `runs`, or none: each is imported by itself.
"""

from ledgergate.guard.edits import Around, Edit
from ledgergate.guard.loss import Loss

__all__ = ["Around", "Edit", "Loss"]
