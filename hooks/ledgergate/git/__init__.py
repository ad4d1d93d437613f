"""Reading git: the only importer of pygit2."""

from ledgergate.git.change import Begun, Change, MergeParent, PathChange, differing_paths
from ledgergate.git.commits import Commit
from ledgergate.git.opening import by_place
from ledgergate.git.repository import Repository
from ledgergate.git.snapshot import Entry, Snapshot
from ledgergate.git.sources import between, index_snapshot, staged, straight

__all__ = [
    "Begun",
    "Change",
    "Commit",
    "Entry",
    "MergeParent",
    "PathChange",
    "Repository",
    "Snapshot",
    "between",
    "by_place",
    "differing_paths",
    "index_snapshot",
    "staged",
    "straight",
]
