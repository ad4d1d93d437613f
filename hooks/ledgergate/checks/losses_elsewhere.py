"""What edits outside of test functions took away: settings, what runs the tests, production code, examples, modules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from ledgergate.git import Entry, PathChange, Snapshot
from ledgergate.guard import Loss
from ledgergate.guard.production import aware_code, could_be_aware
from ledgergate.policy.globs import fold_path
from ledgergate.policy.paths import PathClass, classify, underlying_class
from ledgergate.vouch import Case

_SETTINGS = re.compile(r"\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|pyproject\.toml")
_RUNS = re.compile(
    r"(?:.*/)?(?:gnu)?makefile|.*\.mk|(?:.*/)?\.?justfile|(?:.*/)?tox\.ini|(?:.*/)?noxfile\.py|(?:.*/)?taskfile(?:\.dist)?\.ya?ml"
    r"|\.(?:github|forgejo|gitea)/(?:workflows|actions)/.*\.ya?ml|\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.?appveyor\.ya?ml"
    r"|azure-pipelines.*\.ya?ml|\.circleci/.*\.ya?ml|\.cirrus\.ya?ml|\.woodpecker.*\.ya?ml|bitbucket-pipelines\.ya?ml|jenkinsfile.*"
    r"|\.buildkite/.*\.ya?ml|.*\.sh|\.ci/[^/]*|(?:scripts?|bin|ci|tools)/[^./]*(?:test|check|ci)[^./]*|(?:.*/)?package\.json"
    r"|(?:.*/)?(?:docker-)?compose[^/]*\.ya?ml|(?:.*/)?(?:docker|container)file(?:\.[^/]*)?|(?:.*/)?(?:tasks|dodo)\.py"
    r"|(?:.*/)?run_?(?:all|tests?)[^/]*\.py|(?:scripts?|bin|ci|tools)/[^/]*(?:test|check|ci)[^/]*\.py"
)
_WITH_EXAMPLES = (".py", ".rst", ".md", ".txt")
_USUAL_NAMES = frozenset({"conftest", "__init__", "__main__", "setup", "noxfile", "tasks", "manage"})


def lost_elsewhere(case: Case, edits: Sequence[PathChange]) -> Iterator[Loss]:
    """The losses of `edits` that lie in no test; a first commit takes nothing away."""
    if next(iter(case.change.base.files()), None) is None:
        return
    yield from _in_code_and_settings(case, edits)
    yield from _namesakes(case, edits)
    yield from _examples(case, edits)


def _in_code_and_settings(case: Case, edits: Sequence[PathChange]) -> Iterator[Loss]:
    """Losses in settings, in what runs the tests, and in production code."""
    for change in edits:
        path, folded = change.path, fold_path(change.path)
        name = folded.rpartition("/")[2]
        is_production = folded.endswith(".py") and classify(case.policy, path) is PathClass.PRODUCTION
        is_settings, is_run = _SETTINGS.fullmatch(name) is not None, _RUNS.fullmatch(folded) is not None
        if is_production or is_settings or is_run:
            new = data_of(case.change.head, change.new)
            # A range may edit thousands of files of production code, and few of them ask for the old side.
            if not (is_settings or is_run or could_be_aware(new)):
                continue
            old = data_of(case.change.head, change.old)
            if is_production and new is not None:
                yield from aware_code(path, old, new)
            if is_settings:
                from ledgergate.guard.settings import NOT_STRICT, changed_settings

                lost = changed_settings(path, old, new, partial(_holds_tests, case), partial(_is_carried, case))
                yield from (one for one in lost if not (one.message == NOT_STRICT and _are_strict(case.change.head)))
            if is_run:
                from ledgergate.guard.runs import changed_runs

                yield from changed_runs(path, old, new)


def _holds_tests(case: Case, pattern: str) -> bool:
    """Whether a file that is named like tests lies below a folder whose name is like a pattern."""
    from fnmatch import fnmatchcase

    from ledgergate.guard.files import is_named_like_tests

    for path, _ in case.change.base.files():
        if is_named_like_tests(path) and any(fnmatchcase(one, pattern) for one in path.split("/")[:-1]):
            return True
    return False


def _is_carried(case: Case, mark: str) -> bool:
    """Whether a test, or a conftest, said something of a mark of that name."""
    said, tree = re.compile(rb"mark[^\n]*\b" + re.escape(mark.encode()) + rb"\b"), case.change.base
    for path, entry in tree.files():
        is_test = path.endswith("conftest.py") or underlying_class(case.policy, path) is PathClass.TEST
        if is_test and path.endswith(".py") and said.search(data_of(tree, entry) or b""):
            return True
    return False


def _are_strict(tree: Snapshot) -> bool:
    """Whether another file of settings says that a test which passes in spite of `xfail` fails."""
    from ledgergate.guard.settings import FILES, is_strict

    return any(is_strict(path, data_of(tree, tree.entry(path))) for path in FILES)


def own_module(tree: Snapshot, module: str) -> str | None:
    """The file of a top-level module that stands at the top or below `src`."""
    first = module.partition(".")[0]
    if not first.isidentifier():
        return None
    places = (f"{folder}{first}{end}" for folder in ("", "src/") for end in (".py", "/__init__.py"))
    return next((path for path in places if tree.entry(path) is not None), None)


def _examples(case: Case, edits: Sequence[PathChange]) -> Iterator[Loss]:
    """Losses in examples of doctest, where the settings of the tests or the file itself have them run."""
    head, settings = case.change.head, None
    for change in edits:
        if not fold_path(change.path).endswith(_WITH_EXAMPLES):
            continue
        old = data_of(head, change.old)
        if old is None or b">>> " not in old:
            continue
        if settings is None:
            settings = _runs_examples(head) or _runs_examples(case.change.base)
        if settings or b"doctest." in old:
            from ledgergate.guard.doctests import changed_examples

            yield from changed_examples(change.path, old, data_of(head, change.new))


def _runs_examples(tree: Snapshot) -> bool:
    """Whether a file of settings at the top, or the top conftest, says something of doctests."""
    from ledgergate.guard.settings import FILES

    files = (*FILES, "conftest.py", "Makefile", "noxfile.py")
    return any(b"doctest" in (data_of(tree, tree.entry(path)) or b"") for path in files)


def _namesakes(case: Case, edits: Sequence[PathChange]) -> Iterator[Loss]:
    """Modules that came below the tests and are called like one that is tested."""
    for change in edits:
        folder, _, file = change.path.rpartition("/")
        name = folder.rpartition("/")[2] if file == "__init__.py" else file.removesuffix(".py")
        is_new = change.old is None and change.new is not None and change.path.endswith(".py")
        if is_new and name in ("sitecustomize", "usercustomize"):
            yield Loss("subject-replaced", change.path, "Python runs it before whatever is started", waits=True)
        if is_new and name not in _USUAL_NAMES and classify(case.policy, change.path) is PathClass.TEST:
            own = own_module(case.change.head, name)
            if own is not None and classify(case.policy, own) is PathClass.PRODUCTION:
                message = f"It is called like {own}, and tests may get it in its place"
                yield Loss("subject-replaced", change.path, message, waits=True)


def contents(tree: Snapshot, change: PathChange) -> tuple[bytes | None, bytes | None]:
    """The bytes of both sides; None where there is no file."""
    old, new = (data_of(tree, entry) for entry in (change.old, change.new))
    return old, new


def data_of(tree: Snapshot, entry: Entry | None) -> bytes | None:
    return None if entry is None or not entry.is_file else tree.read_entry(entry)
