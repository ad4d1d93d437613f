"""New files that Python, a shell or a test tool would take in place of what runs the tests or the gate.

Nothing is said of files that have been there before: they are the project's own, and agents may change production code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Container
from typing import NamedTuple, Protocol

from ledgergate.policy import pins, relied_on
from ledgergate.policy.globs import fold_path
from ledgergate.policy.installed import is_standing_command
from ledgergate.policy.paths import MODULE_ENDINGS, is_pytest_file
from ledgergate.values import display_path

# Folders named like these are where projects keep their tests, or hold no code.
_NO_SHADOW = frozenset({"test", "this", "antigravity", "idlelib", "turtledemo"})
_STANDARD = sys.stdlib_module_names - _NO_SHADOW
_PROGRAMS = (".exe", ".bat", ".cmd", ".com", ".ps1")
_PACKAGE = "__init__"
_EXTENSIONS = (".so", ".pyd")
_SHORT_NAME = re.compile(r"[^.~]{1,6}~\d(?:\.[^.]{1,3})?")


class Tree(Protocol):
    """The part of a snapshot that this takes."""

    def entry(self, path: str, /) -> object | None: ...

    def names(self, folder: str, /) -> tuple[str, ...]: ...


class Trees(NamedTuple):
    """The trees before and after a change."""

    base: Tree
    head: Tree

    def is_package(self, folder: str) -> bool:
        """Whether modules of a folder are part of a package. One that stood before is not made one by the change."""
        init = f"{folder}/{_PACKAGE}.py"
        if not folder or self.head.entry(init) is None:
            return False
        return self.base.entry(init) is not None or not self.base.names(folder)


def taken_in_place_of(
    trees: Trees,
    path: str,
    *,
    is_program: bool,
    is_link: bool,
    is_new: bool,
    needed: Callable[[], Collection[str]] = frozenset,
) -> str | None:
    """What a path would be taken in place of, in a few words, or None.

    `is_program` says whether it may be executed, `is_link` whether it is a link or a submodule, in whose place a folder
    could be. What is not new can only have become a program. `needed` tells, only if that matters, which modules the
    repository says that it needs.
    """
    folder, _, name = path.rpartition("/")
    folded = fold_path(name)
    stem, dot, _ = folded.partition(".")
    if folded.endswith(_PROGRAMS) or is_program or is_link:
        command = folded.rpartition(".")[0] if folded.endswith(_PROGRAMS) else folded
        if is_standing_command(command):
            return f"it would be run in place of the command {command}"
    if not is_new:
        return None
    if any(map(_SHORT_NAME.fullmatch, path.split("/"))):
        return "on a disk of Windows it may be the short name of another file"
    if folded.endswith(".pth"):
        return "Python would run it where it is installed" if _is_import_root(trees, folder) else None
    if not (_is_module(folded) or (folded.endswith(MODULE_ENDINGS) and stem == _PACKAGE) or (is_link and not dot)):
        return None
    folder, stem = _imported_as(path)
    if trees.is_package(folder) or not _is_taken(trees, folder, stem, needed):
        return None
    return f"it would be imported in place of the module {stem}"


def taken_for_tests(base: Tree, path: str, tops: Collection[str]) -> str | None:
    """Which of the folders of tests in `tops` a new path outside of them stands for on an import root, in a few words.

    Test files that import helpers by that folder's name would get others.
    """
    folder, _, name = path.rpartition("/")
    if not name.endswith(MODULE_ENDINGS):
        return None
    parts = [*folder.split("/"), name.partition(".")[0]] if folder else [name.partition(".")[0]]
    standing = Trees(base, base)
    for depth, part in enumerate(parts):
        root = "/".join(parts[:depth])
        stands = part in tops and base.names(part) and not base.names(f"{root}/{part}".lstrip("/"))
        if depth and stands and _is_import_root(standing, root):
            return f"what tests import from {part}/ would be taken from it"
    return None


def found_before(head: Tree, path: str, *, is_link: bool, is_held: Callable[[str], bool]) -> str | None:
    """Which file Python would not import any more, since a new path beside it comes first, in a few words.

    Of one name a package comes before an extension module, and that before a source. `is_held` says whether somebody's
    word is needed for an edit of a file.
    """
    folded = fold_path(path.rpartition("/")[2])
    is_package = folded.startswith(f"{_PACKAGE}.") and folded.endswith(MODULE_ENDINGS)
    if not (is_package or folded.endswith(_EXTENSIONS) or (is_link and "." not in folded)):
        return None
    folder, stem = _imported_as(path)
    top = f"{folder}/" if folder else ""
    sources = (f"{top}{one}" for one in head.names(folder) if fold_path(one) == f"{stem}.py")
    hidden = next((one for one in sources if one != path and is_held(one)), None)
    return None if hidden is None else f"Python would import it in place of {display_path(hidden)}"


def named_like_pinned(trees: Trees, path: str, pinned: Callable[[], Container[str]]) -> str | None:
    """Whether a new module outside of packages has the name of one that a row pins, in a few words.

    `pinned` gives the names of those; tests that put its folder in front would import it in place of that.
    """
    folder, stem = _imported_as(path)
    if not _is_module(fold_path(path.rpartition("/")[2])) or trees.is_package(folder) or stem not in pinned():
        return None
    return f"a row pins another module {stem}, and tests may import this one in its place"


def _imported_as(path: str) -> tuple[str, str]:
    """The folder from which a file is imported, and the folded name of its module: of a package, its folder's name."""
    folder, _, name = path.rpartition("/")
    folded = fold_path(name)
    stem = folded.partition(".")[0]
    if stem == _PACKAGE and folded.endswith(MODULE_ENDINGS):
        folder, _, name = folder.rpartition("/")
        stem = fold_path(name)
    return folder, stem


def _is_module(folded: str) -> bool:
    """Whether a file of this name can be imported: `gunicorn.conf.py` cannot, `yaml.cpython-311.so` can."""
    return folded.endswith(MODULE_ENDINGS) and (folded.endswith(_EXTENSIONS) or folded.count(".") == 1)


def _is_taken(trees: Trees, folder: str, module: str, needed: Callable[[], Collection[str]]) -> bool:
    """Whether tests or the gate rely on a module of this name, in a folder that Python may look into first."""
    if relied_on.is_anywhere(module) or pins.guards(module):
        return True
    if not _is_import_root(trees, folder):
        return False
    return module in _STANDARD or relied_on.is_imported(module) or module in needed()


def _is_import_root(trees: Trees, folder: str) -> bool:
    """Whether modules are imported from a folder, to judge by what lies in it: packages, or what pytest imports.

    The root is one, and so is what holds a `conftest.py` or a test file without being a package.
    """
    if not folder:
        return True
    names = () if trees.is_package(folder) else trees.head.names(folder)
    return any(name == "conftest.py" or is_pytest_file(name) or trees.is_package(f"{folder}/{name}") for name in names)
