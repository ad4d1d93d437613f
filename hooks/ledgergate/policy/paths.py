"""What the policy says about a path: its class, who may write it, and where the ledgers are."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from itertools import accumulate
from typing import Protocol

from ledgergate.policy.builtin import BUILT_IN_PROTECTED
from ledgergate.policy.environments import is_environment
from ledgergate.policy.globs import Predicate, compile_globs, fold_path
from ledgergate.policy.model import ACKS_FOLDER, POLICY_PATH, Policy
from ledgergate.policy.partly import form_of

# Folders where acks lie, and those above.
ABOVE_ACKS = tuple(accumulate(ACKS_FOLDER.strip("/").split("/"), "{}/{}".format))
# What Python imports a file by.
MODULE_ENDINGS = (".py", ".pyw", ".pyc", ".so", ".pyd")


def is_pytest_file(name: str) -> bool:
    """Whether pytest takes a file of this name for tests, unless it is told otherwise."""
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


class PathClass(Enum):
    """What a path is to the policy. Members stand in order: a path that fits several is the first of them."""

    PROTECTED = "protected"
    LEDGER = "ledger"
    GOLDEN = "golden"
    DRAFT = "draft"
    TEST = "test"
    PRODUCTION = "production"
    NOT_PRODUCTION = "not_production"


class Tree(Protocol):
    """The part of a snapshot that finding ledgers takes."""

    def entry(self, path: str, /) -> object | None: ...

    def files(self, folder: str = "", /) -> Iterator[tuple[str, object]]: ...


def classify(policy: Policy, path: str) -> PathClass:
    """The class of a git path under the policy.

    Files of which only parts are protected are PROTECTED: where a change of them is no protected difference
    (`protected_difference`), `underlying_class` says what they are otherwise.
    """
    return _rules(policy).classify(path)


def underlying_class(policy: Policy, path: str) -> PathClass:
    """The class that a path has where what protects it does not count."""
    return _rules(policy).unprotected_class(path)


def is_partly_protected(policy: Policy, path: str) -> bool:
    """Whether only the parts of a file that steer tests are protected."""
    return _rules(policy).is_partly_protected(path)


def may_agent_write(policy: Policy, path: str) -> bool:
    """Whether policy lets an agent edit this path as a test: drafts and `agent_write_paths`, nothing protected."""
    rules = _rules(policy)
    if rules.classify(path) in (PathClass.PROTECTED, PathClass.LEDGER):
        return False
    return path.startswith(policy.drafts) or rules.agent_writes(path)


def stands_for_acks(path: str) -> bool:
    """Whether a file of this path would lie where the folder of acks, or one above it, has to be."""
    return path.count("/") <= ABOVE_ACKS[-1].count("/") and fold_path(path) in ABOVE_ACKS


def is_ledger(policy: Policy, path: str) -> bool:
    """Whether the path is a test ledger (the freeze ledger is none)."""
    return _rules(policy).is_ledger(path)


def ledger_paths(policy: Policy, tree: Tree) -> tuple[str, ...]:
    """The test ledgers that stand in a snapshot, sorted; links and submodules too, so that someone can refuse them.

    A literal entry costs one look-up; a glob walks only what is below the part of it that has no wildcard.
    """
    found = {entry for entry in policy.ledger if not _has_wildcard(entry) and tree.entry(entry) is not None}
    for glob in filter(_has_wildcard, policy.ledger):
        matches = compile_globs([glob], anchored=True)
        found.update(path for path, _ in tree.files(_literal_folder(glob)) if matches(path))
    return tuple(sorted(found))


def ledger_folders(policy: Policy) -> tuple[str, ...]:
    """Where test ledgers can stand: their paths, and for globs the folders (with a slash; empty: anywhere)."""
    return tuple(dict.fromkeys(_literal_folder(one) if _has_wildcard(one) else one for one in policy.ledger))


def test_folders(policy: Policy) -> tuple[str, ...]:
    """The folders below which the globs of tests look, each with its slash; empty for the root."""
    return tuple(dict.fromkeys(_literal_folder(glob.lstrip("/")) for glob in policy.tests if not glob.startswith("!")))


class _Rules:
    """The globs of one policy, each list compiled when it is first needed."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._literal_ledgers = frozenset(entry for entry in policy.ledger if not _has_wildcard(entry))
        self._own = frozenset(map(fold_path, (POLICY_PATH, policy.vouch.signers)))
        self._compiled: dict[str, Predicate] = {}
        self._classes: dict[str, PathClass] = {}
        self._unprotected: dict[str, PathClass] = {}

    def classify(self, path: str) -> PathClass:
        # Each check asks about each path of a change, and that can be tens of thousands.
        if path not in self._classes:
            self._classes[path] = self._classify(path)
        return self._classes[path]

    def _classify(self, path: str) -> PathClass:
        # Acks always are not_production, but what is built in outweighs that, and any other list is outweighed by it.
        if self._is_wholly_protected(path) or self.is_partly_protected(path):
            return PathClass.PROTECTED
        return self.unprotected_class(path)

    def is_partly_protected(self, path: str) -> bool:
        form = form_of(fold_path(path))
        if form is None or self._is_wholly_protected(path):
            return False
        return form.everywhere or self._is_code_or_text(path)

    def _is_wholly_protected(self, path: str) -> bool:
        if self._is_built_in(path) or (is_environment(fold_path(path)) and self._is_code_or_text(path)):
            return True
        return not path.startswith(ACKS_FOLDER) and self._fits("protected", path, folded=True)

    def _is_code_or_text(self, path: str) -> bool:
        """Whether it is neither a test nor what tests are held to: those have rules of their own."""
        return self.unprotected_class(path) in (PathClass.PRODUCTION, PathClass.NOT_PRODUCTION)

    def unprotected_class(self, path: str) -> PathClass:
        if path not in self._unprotected:
            self._unprotected[path] = self._classify_unprotected(path)
        return self._unprotected[path]

    def _classify_unprotected(self, path: str) -> PathClass:
        if path.startswith(ACKS_FOLDER):
            return PathClass.NOT_PRODUCTION
        if path == self._policy.freeze_ledger or self.is_ledger(path):
            return PathClass.LEDGER
        if self._fits("goldens", path, folded=True):
            return PathClass.GOLDEN
        if path.startswith(self._policy.drafts):
            return PathClass.DRAFT
        if self._fits("tests", path, folded=True):
            return PathClass.TEST
        return PathClass.PRODUCTION if self._is_production(path) else PathClass.NOT_PRODUCTION

    def is_ledger(self, path: str) -> bool:
        return path in self._literal_ledgers or self._fits("ledger", path, anchored=True)

    def agent_writes(self, path: str) -> bool:
        return self._fits("agent_write_paths", path)

    def _is_production(self, path: str) -> bool:
        if self._policy.production is not None:
            return self._fits("production", path)
        return not self._fits("not_production", path)

    def _is_built_in(self, path: str) -> bool:
        folded = fold_path(path)
        return (
            folded in self._own
            or folded in _BUILT_IN_FILES
            or _name(folded) in _BUILT_IN_NAMES
            or f"{folded}/".startswith(_BUILT_IN_FOLDERS)
            or folded in _ABOVE_BUILT_IN_FOLDERS
            or _is_loaded_unasked(folded)
        )

    def _fits(self, key: str, path: str, *, anchored: bool = False, folded: bool = False) -> bool:
        matches = self._compiled.get(key)
        if matches is None:
            globs = getattr(self._policy, key)
            if key == "ledger":
                globs = [glob for glob in globs if _has_wildcard(glob)]
            matches = self._compiled[key] = compile_globs(globs, anchored=anchored, folded=folded)
        return matches(path)


_rules = lru_cache(maxsize=8)(_Rules)


def _is_loaded_unasked(folded: str) -> bool:
    """Whether Python takes it for a `conftest` in another form, for the metadata of an installed plugin, or for what it
    has compiled from a source itself; whether pytest takes its folder for an environment, and collects nothing there;
    or whether it holds settings of coverage, under whatever name.

    A link may stand where a folder would, so the last part of the path counts as well.
    """
    parts = folded.split("/")
    is_compiled = parts[-1].startswith("conftest.") and parts[-1].endswith((".pyc", ".pyo", ".so", ".pyd"))
    is_settings = "coveragerc" in parts[-1]
    by_folder = not _LOADED_FOLDERS.isdisjoint(parts)
    is_metadata = "-info" in folded and any(part.endswith((".egg-info", ".dist-info")) for part in parts)
    return is_compiled or is_settings or by_folder or is_metadata


_LOADED_FOLDERS = frozenset({"conftest", "__pycache__", "conda-meta"})


def _name(path: str) -> str:
    return path.rpartition("/")[2]


_BUILT_IN_NAMES = frozenset(fold_path(glob) for glob in BUILT_IN_PROTECTED if "/" not in glob)
_BUILT_IN_FILES = frozenset(fold_path(glob[1:]) for glob in BUILT_IN_PROTECTED if glob[0] == "/" and glob[-1] != "*")
_BUILT_IN_FOLDERS = tuple(fold_path(glob[1:-2]) for glob in BUILT_IN_PROTECTED if glob.endswith("/**"))
# A link or submodule at one of these stands in the place of such a folder.
_ABOVE_BUILT_IN_FOLDERS = frozenset(
    folder[:at] for folder in _BUILT_IN_FOLDERS for at, char in enumerate(folder) if char == "/"
)


def _has_wildcard(glob: str) -> bool:
    return any(char in "*?[\\" for char in glob)


def _literal_folder(glob: str) -> str:
    """The longest run of leading folders without a wildcard, with its slash; empty for the root."""
    literal: list[str] = []
    for segment in glob.split("/")[:-1]:
        if _has_wildcard(segment):
            break
        literal.append(segment)
    return "".join(f"{segment}/" for segment in literal)
