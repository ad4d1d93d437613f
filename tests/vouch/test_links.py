"""A file to which a link with a protected name leads is what that name stands for."""

from __future__ import annotations

import pytest

from ledgergate.git import Repository
from ledgergate.values import State
from ledgergate.vouch.links import aliases_in
from support.project import AGENT, BASE, HUMAN, SIGNALLED, Edit, Project, states
from support.repo import Repo

MAKEFILE = "test:\n\tpytest tests\n"
# (links by their names, what else base has, the edit of what they lead to)
PROTECTED: list[tuple[str, dict[str, str], Edit, Edit]] = [
    ("conftest", {"tests/conftest.py": "../tools/x.py"}, {"tools/x.py": "import a\n"}, {"tools/x.py": "import b\n"}),
    ("conftest at the top", {"conftest.py": "tools/x.py"}, {"tools/x.py": ""}, {"tools/x.py": "import b\n"}),
    ("settings", {"pytest.ini": "config/x"}, {"config/x": "[pytest]\n"}, {"config/x": "[pytest]\naddopts = --co\n"}),
    ("parts", {"Makefile": "./config/x"}, {"config/x": MAKEFILE}, {"config/x": MAKEFILE.replace("tests", "|| :")}),
    ("gone", {"conftest.py": "tools/x.py"}, {"tools/x.py": "import a\n"}, {"tools/x.py": None}),
    ("through another", {"conftest.py": "a.py", "a.py": "b.py"}, {"b.py": ""}, {"b.py": "import b\n"}),
    ("a workflow", {".github/workflows/ci.yml": "../../ci/x"}, {"ci/x": "on: push\n"}, {"ci/x": "on: pull\n"}),
    (
        "a folder",
        {".github": "forge"},
        {"forge/workflows/x.yml": "on: push\n"},
        {"forge/workflows/x.yml": "on: pull\n"},
    ),
]
FREE: list[tuple[str, dict[str, str], Edit, Edit]] = [
    ("a name that nobody guards", {"notes": "docs/x"}, {"docs/x": "1"}, {"docs/x": "2"}),
    ("another part", {"Makefile": "config/x"}, {"config/x": MAKEFILE}, {"config/x": MAKEFILE + "docs:\n\tsphinx\n"}),
    ("a file beside", {"conftest.py": "tools/x.py"}, {"tools/y.py": "1\n"}, {"tools/y.py": "2\n"}),
    ("out of the tree", {"conftest.py": "../tools/x.py"}, {"tools/x.py": "1\n"}, {"tools/x.py": "2\n"}),
    ("an absolute place", {"conftest.py": "/tools/x.py"}, {"tools/x.py": "1\n"}, {"tools/x.py": "2\n"}),
    ("in a circle", {"conftest.py": "a.py", "a.py": "conftest.py"}, {"b.py": "1\n"}, {"b.py": "2\n"}),
    ("a folder above all", {"conftest.py": "tools/.."}, {"src/y.py": "1\n"}, {"src/y.py": "2\n"}),
]


def linked(repo: Repo, links: dict[str, str], files: Edit) -> Project:
    gone = [path for path in BASE if any(path == link or path.startswith(f"{link}/") for link in links)]
    project = Project(repo, {path: text for path, text in {**BASE, **files}.items() if path not in gone})
    for path, target in links.items():
        repo.stage_blob(path, target.encode(), mode="120000")
    repo.git("commit", "-q", "-m", "links")
    repo.git("reset", "-q", "--hard")
    return project


@pytest.mark.parametrize(("links", "files", "edit"), [row[1:] for row in PROTECTED], ids=[row[0] for row in PROTECTED])
class TestProtected:
    def test_staged(self, repo: Repo, links: dict[str, str], files: Edit, edit: Edit) -> None:
        report = linked(repo, links, files).staged(edit, AGENT)
        assert states(report, "protected-path") == {State.FAIL}
        assert any("is a link to it" in seen.message for seen in report.findings)
        assert [item.subject for item in report.items] == list(edit)

    def test_on_a_range(self, repo: Repo, links: dict[str, str], files: Edit, edit: Edit) -> None:
        report = linked(repo, links, files).ranged(edit, trailers=(SIGNALLED,))
        assert states(report, "protected-path") == {State.FAIL}

    def test_staged_by_a_human(self, repo: Repo, links: dict[str, str], files: Edit, edit: Edit) -> None:
        assert linked(repo, links, files).staged(edit, HUMAN).state is State.PASS


@pytest.mark.parametrize(("links", "files", "edit"), [row[1:] for row in FREE], ids=[row[0] for row in FREE])
def test_free(repo: Repo, links: dict[str, str], files: Edit, edit: Edit) -> None:
    report = linked(repo, links, files).staged(edit, AGENT)
    assert (report.state, report.findings) == (State.PASS, ())


def test_a_path_has_the_names_of_the_links_to_it_and_above_it(repo: Repo) -> None:
    linked(repo, {"one": "a/b", "two": "a/b/c.py", "sub/three": "../a"}, {"a/b/c.py": ""})
    tree = Repository(str(repo.path)).snapshot(repo.git("rev-parse", "HEAD"))
    aliases = aliases_in(tree, ("", "sub/", "none/"))
    assert list(aliases.of("a/b/c.py")) == ["two", "one/c.py", "sub/three/b/c.py"]
    assert list(aliases.of("a/bc.py")) == ["sub/three/bc.py"]
    assert list(aliases.of("b/c.py")) == []
