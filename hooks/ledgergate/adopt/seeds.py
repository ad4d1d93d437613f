"""Which tests have a folder of seeds."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_HOMES = frozenset({"seeds", "seed", "corpus", "corpora", "seed_corpus", "seed_corpora"})


class SeedFolders:
    """The folders of seeds among the git paths of a repository's files, each with its closing slash."""

    def __init__(self, paths: Iterable[str]) -> None:
        """A folder of seeds holds files itself, and is called like one or lies in one that is."""
        folders = {path.rpartition("/")[0] for path in paths if "/" in path and not path.endswith(".py")}
        self.folders = tuple(sorted(f"{folder}/" for folder in folders if not _HOMES.isdisjoint(folder.split("/"))))

    def of_test(self, file: str, function: str, texts: Collection[str], *, is_hypothesis: bool) -> str | None:
        """The one folder that belongs to a test: its texts name it, or it is called like the test or its module.

        `function` is the last name of the test, `texts` what its source names. None where there is none, or several.
        A test that draws no examples has to name it: it might just be called alike.
        """
        named = [folder for folder in self.folders if any(_names(text, folder) for text in texts)]
        if not is_hypothesis:
            return _nearest(file, named)
        called = [folder for folder in self.folders if _own(folder) == function.removeprefix("test_")]
        module = file.rpartition("/")[2].removesuffix(".py").removeprefix("test_").removesuffix("_test")
        of_module = [folder for folder in self.folders if _own(folder) == module]
        return _nearest(file, named, called, of_module)


def _nearest(file: str, *choices: Collection[str]) -> str | None:
    """Of the first choice that has any beside the test, the only one."""
    near = ([folder for folder in found if _shares_top(file, folder)] for found in choices)
    first = next(filter(None, near), [])
    return first[0] if len(first) == 1 else None


def _own(folder: str) -> str:
    return folder.rstrip("/").rpartition("/")[2]


def _names(text: str, folder: str) -> bool:
    tail = text.strip("/").removeprefix("./")
    # A single word could be anything, unless it is the folder's very own.
    return bool(tail) and f"/{folder}".endswith(f"/{tail}/") and tail not in _HOMES


def _shares_top(file: str, folder: str) -> bool:
    return file.partition("/")[0] == folder.partition("/")[0]
