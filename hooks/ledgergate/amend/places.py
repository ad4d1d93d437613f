"""Where the files of a draft go when it becomes evidence."""

from __future__ import annotations

from collections.abc import Sequence


def beside_drafts(path: str, drafts: str) -> str:
    """The place beside the drafts folder: `tests/agent_drafts/test_x.py` becomes `tests/test_x.py`."""
    if not path.startswith(drafts):
        return path
    parent = drafts.rstrip("/").rpartition("/")[0]
    return f"{parent}/{path.removeprefix(drafts)}" if parent else path.removeprefix(drafts)


def golden_target(source: str, place: str, goldens: Sequence[str]) -> str:
    """Where one of the goldens goes that `place` was said for: into it, where that is a folder for a file or several.

    Of a folder, both `source` and its target end in a slash.
    """
    is_folder = source.endswith("/")
    if place.endswith("/") and (not is_folder or len(goldens) > 1):
        place += source.rstrip("/").rpartition("/")[2]
    return f"{place.rstrip('/')}/" if is_folder else place
