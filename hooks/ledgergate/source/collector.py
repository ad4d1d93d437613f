"""Work on many records without the cyclic collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_cyclic_collection() -> Iterator[None]:
    """Meanwhile nothing looks for cycles.

    Rows and syntax trees hold none, and the collector would walk those at hand again for each thousand more.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # What is here by now counts as old from now on; as young it would all be walked at once.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
