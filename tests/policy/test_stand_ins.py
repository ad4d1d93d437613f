"""New files that would be taken in place of what runs the tests or the gate, each with one that only looks like it."""

from __future__ import annotations

import pytest

from ledgergate.policy.model import Policy
from ledgergate.policy.paths import PathClass, classify
from ledgergate.policy.stand_ins import Trees, found_before, named_like_pinned, taken_for_tests, taken_in_place_of

STANDING = (
    "tests/test_x.py",
    "checks/conftest.py",
    "src/app/__init__.py",
    "src/app/core.py",
    "hooks/ledgergate/__init__.py",
    "tools/build.py",
    "README.md",
)


class Files:
    """A tree that holds some files."""

    def __init__(self, *paths: str) -> None:
        self.paths = paths

    def entry(self, path: str) -> object | None:
        return path if path in self.paths else None

    def names(self, folder: str) -> tuple[str, ...]:
        top = f"{folder}/" if folder else ""
        return tuple({path[len(top) :].split("/")[0] for path in self.paths if path.startswith(top)})


def taken(path: str, kind: str = "file", *, is_new: bool = True) -> str | None:
    trees = Trees(Files(*STANDING), Files(*STANDING, path))
    return taken_in_place_of(trees, path, is_program=kind == "program", is_link=kind == "link", is_new=is_new)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        *((path, "file") for path in ("pytest.py", "_pytest/__init__.py", "src/pluggy/__init__.py", "Yaml.py")),
        *((path, "file") for path in ("src/sitecustomize.py", "deep/er/usercustomize.py", "hooks/pygit2.so")),
        *((path, "file") for path in ("ledgergate.py", "tools/ledgergate/__init__.py", "pytest_cov/__init__.py")),
        *((path, "file") for path in ("unittest/__init__.py", "src/json.py", "re.py", "hooks/typing.pyc")),
        *((path, "file") for path in ("pygments/__init__.py", "platformdirs.py", "src/attr/__init__.py")),
        *((path, "link") for path in ("colorama", "src/filelock")),
        *((path, "file") for path in ("tests/json.py", "checks/random/__init__.py")),
        *((path, "file") for path in ("src/x.pth", "x.pth", "python.bat", "tools/GIT.exe", "pytest.cmd")),
        *((path, "program") for path in ("bin/pytest", "scripts/git", "python3", "x/pre-commit", "bin/ledgergate")),
        *((path, "file") for path in ("PYPROJ~1.TOM", "src/CONFTE~2.PY", "LEDGER~1/x")),
        *((path, "link") for path in ("pytest", "src/yaml", "hooks/click", "bin/python")),
    ],
)
def test_taken_in_place_of_another(path: str, kind: str) -> None:
    assert taken(path, kind)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        *((path, "file") for path in ("src/app/yaml.py", "src/app/pytest/__init__.py", "hooks/ledgergate/click.py")),
        *((path, "file") for path in ("src/app/json.py", "tools/json.py", "test/__init__.py", "src/app2/__init__.py")),
        *((path, "file") for path in ("src/app/attr.py", "tools/colorama.py", "docs/pygments.py")),
        *((path, "file") for path in ("examples/pytest/app.py", "docs/yaml.md", "src/yaml.pyi", "pytest.rst")),
        *(
            (path, "file")
            for path in (
                "models/net.pth",
                "src/notes.txt~",
                "src/a.~1~",
                "src/app/weights.pth",
                "completions/git",
                "docs/python",
            )
        ),
        *((path, "program") for path in ("bin/app", "scripts/test", "scripts/pytest.sh.md", "tools/build.py")),
        *((path, "link") for path in ("docs/app", "src/app/yaml", "latest")),
    ],
)
def test_a_place_of_its_own(path: str, kind: str) -> None:
    assert taken(path, kind) is None


def test_what_has_been_there_is_the_projects_own() -> None:
    assert taken("pytest.py", is_new=False) is None
    assert taken("bin/pytest", "program", is_new=False)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".venv/lib/python3.11/site-packages/x.pth", PathClass.PROTECTED),
        ("venv/bin/git", PathClass.PROTECTED),
        ("env/bin/python", PathClass.PROTECTED),
        ("x/__pypackages__/3.11/lib/pytest.py", PathClass.PROTECTED),
        (".pytest_cache/v/cache/lastfailed", PathClass.PROTECTED),
        ("sub/pyvenv.cfg", PathClass.PROTECTED),
        ("tests/unit/pyvenv.cfg", PathClass.PROTECTED),
        ("src/app/conda-meta/history", PathClass.PROTECTED),
        ("tests/unit/Conda-Meta", PathClass.PROTECTED),
        ("src/app/conda_meta/history.py", PathClass.PRODUCTION),
        ("scripts/hooks/pre-commit", PathClass.PROTECTED),
        ("src/venv/builder.py", PathClass.PRODUCTION),
        ("env/production.yaml", PathClass.PRODUCTION),
        ("src/environment.py", PathClass.PRODUCTION),
        ("src/pre-commit.py", PathClass.PRODUCTION),
        ("tests/goldens/site-packages/a.txt", PathClass.GOLDEN),
    ],
)
def test_environments_and_hooks(path: str, expected: PathClass) -> None:
    assert classify(Policy(), path) is expected


@pytest.mark.parametrize(
    ("path", "is_taken"),
    [
        ("requests.py", True),
        ("src/requests/__init__.py", True),
        ("src/app/requests.py", False),
        ("tools/requests.py", False),
        ("requests.conf.py", False),
        ("requester.py", False),
    ],
)
def test_what_the_repository_needs(path: str, is_taken: bool) -> None:
    trees = Trees(Files(*STANDING), Files(*STANDING, path))
    found = taken_in_place_of(
        trees, path, is_program=False, is_link=False, is_new=True, needed=lambda: frozenset({"requests"})
    )
    assert bool(found) is is_taken


@pytest.mark.parametrize(("folder", "is_taken"), [("src", True), ("src/fresh", False)])
def test_what_stood_before_is_not_made_a_package_by_the_change(folder: str, is_taken: bool) -> None:
    path = f"{folder}/yaml.py"
    trees = Trees(Files(*STANDING), Files(*STANDING, f"{folder}/__init__.py", path))
    assert bool(taken_in_place_of(trees, path, is_program=False, is_link=False, is_new=True)) is is_taken


@pytest.mark.parametrize(
    ("path", "is_taken"),
    [
        ("src/tests/__init__.py", True),
        ("src/tests/common.py", True),
        ("src/tests.py", True),
        ("src/app/tests/common.py", False),
        ("docs/tests/common.py", False),
        ("src/tests/readme.md", False),
        ("src/testing/common.py", False),
        ("src/other.py", False),
    ],
)
def test_what_tests_import_from_their_own_folder(path: str, is_taken: bool) -> None:
    assert bool(taken_for_tests(Files(*STANDING), path, {"tests"})) is is_taken


def test_a_second_folder_of_tests_that_has_been_there_is_the_projects_own() -> None:
    assert taken_for_tests(Files(*STANDING, "src/tests/a.py"), "src/tests/b.py", {"tests"}) is None


BESIDE = (
    "app/__init__.py",
    "app/test_mod.py",
    "tests/unit/common.py",
    "tests/data/rows.json",
    "src/core.py",
)


@pytest.mark.parametrize(
    ("path", "is_link", "is_hidden"),
    [
        ("app/test_mod/__init__.py", False, True),
        ("app/test_mod/__init__.pyc", False, True),
        ("app/Test_Mod/__init__.py", False, True),
        ("app/test_mod/__init__.cpython-311-x86_64-linux-gnu.so", False, True),
        ("app/test_mod.so", False, True),
        ("app/test_mod.abi3.so", False, True),
        ("app/test_mod.pyd", False, True),
        ("app/test_mod", True, True),
        ("tests/unit/common/__init__.py", False, True),
        ("app/test_mod/data.json", False, False),
        ("app/test_mod/helper.py", False, False),
        ("app/test_other/__init__.py", False, False),
        ("app/test_mod.json", False, False),
        ("tests/data/__init__.py", False, False),
        ("src/core/__init__.py", False, False),
        ("other/test_mod/__init__.py", False, False),
    ],
)
def test_what_python_finds_first(path: str, is_link: bool, is_hidden: bool) -> None:
    found = found_before(Files(*BESIDE, path), path, is_link=is_link, is_held=lambda one: not one.startswith("src/"))
    assert (found is not None) is is_hidden


def test_a_module_that_became_a_package_hides_nothing() -> None:
    head = Files("tests/unit/common/__init__.py")
    assert found_before(head, "tests/unit/common/__init__.py", is_link=False, is_held=lambda _: True) is None


@pytest.mark.parametrize(
    ("path", "is_taken"),
    [
        ("src/common.py", True),
        ("common/__init__.py", True),
        ("Common.py", True),
        ("src/app/common.py", False),
        ("src/other.py", False),
        ("docs/common.md", False),
    ],
)
def test_what_is_named_like_a_module_that_a_row_pins(path: str, is_taken: bool) -> None:
    trees = Trees(Files(*STANDING), Files(*STANDING, path))
    assert (named_like_pinned(trees, path, lambda: {"common"}) is not None) is is_taken
