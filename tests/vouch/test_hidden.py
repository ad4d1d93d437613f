"""New modules that would be imported in place of a test, or of what a row pins."""

from __future__ import annotations

import pytest

from ledgergate.values import State
from support.project import BASE, LEDGER, Edit, Project, rules, sha256
from support.repo import Repo

PINNED = f"""\
version: 1
rows:
  - id: app/test_mod.py::test_f
    class: locked_fixture
    artifact: [app/test_mod.py::test_f, app/common.py::same]
    digest: [{sha256("x")}, {sha256("y")}]
"""
START: Edit = {
    **BASE,
    "ledgergate.toml": 'version = 1\ntests = ["test_*.py"]\nagent_write_paths = ["free/**", "test_free.py"]\n',
    LEDGER: PINNED,
    "app/__init__.py": "",
    "app/mod.py": "def f():\n    return 1\n",
    "app/test_mod.py": "def test_f():\n    assert f() == 1\n",
    "app/common.py": "def same(a, b):\n    assert a == b\n",
    "test_free.py": "def test_x():\n    assert True\n",
}


@pytest.mark.parametrize(
    "path",
    ["app/test_mod/__init__.py", "app/test_mod.so", "app/common/__init__.py", "test_free/__init__.py", "src/common.py"],
)
def test_it_is_protected(repo: Repo, path: str) -> None:
    report = Project(repo, START).staged({path: "def test_f(): pass\n"}, only="ledger-edits")
    assert (report.state, "protected-path" in rules(report.findings)) == (State.FAIL, True)


@pytest.mark.parametrize(
    "edit",
    [
        {"app/mod/__init__.py": "def f():\n    return 1\n"},
        {"app/mod/__init__.py": "def f():\n    return 1\n", "app/mod.py": None},
        {"app/other/common.py": "", "app/other/__init__.py": ""},
        {"app/test_mod_data/__init__.py": ""},
    ],
)
def test_it_is_not(repo: Repo, edit: Edit) -> None:
    assert Project(repo, START).staged(edit, only="ledger-edits").state is State.PASS
