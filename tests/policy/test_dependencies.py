"""Which modules a repository says that it needs."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from ledgergate.policy.dependencies import modules_needed


class File(NamedTuple):
    data: bytes
    is_file: bool = True


class Files:
    """A tree of files at the root."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = {name: File(text.encode()) for name, text in files.items()}

    def names(self, folder: str) -> tuple[str, ...]:
        assert not folder
        return (*self.files, "src")

    def entry(self, path: str) -> File | None:
        return self.files.get(path)

    def read_entry(self, entry: File) -> bytes:
        return entry.data


PYPROJECT = """\
[project]
name = "app"
dependencies = ["Typing-Inspect>=1", "app[test]", "own @ file:./own"]
[project.optional-dependencies]
test = ["rich[all]; python_version > '3'"]
[dependency-groups]
dev = ["httpx", { include-group = "docs" }]
[tool.poetry.group.dev.dependencies]
black = "^24"
lib = { path = "libs/lib" }
[tool.uv.sources]
own = { path = "own" }
"""
LOCK = """\
[[package]]
name = "app"
source = { editable = "." }
[[package]]
name = "idna"
source = { registry = "u" }
"""


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"pyproject.toml": PYPROJECT}, {"typing_inspect", "rich", "httpx", "black"}),
        ({"uv.lock": LOCK}, {"idna"}),
        ({"uv.lock": LOCK, "requirements.txt": "app==1\n"}, {"idna"}),
        ({"dev-requirements.txt": "-r x.txt\n-e .\n./own\nurl-normalize == 1  # y\nidna\n"}, {"url_normalize", "idna"}),
        ({"setup.cfg": "[metadata]\nname = app\n[options]\ninstall_requires =\n  idna>=2\n  app\n"}, {"idna"}),
        ({"uv.lock": "package = 1\npackages = [1, {name = 'idna'}]\n"}, {"idna"}),
        ({"uv.lock": "[[package]]\nname = 'idna'\nsource = {type = ['url']}\n"}, {"idna"}),
        ({"pyproject.toml": "[", "README.md": "idna\n", "package.json": "{}"}, set()),
    ],
)
def test_modules_needed(files: dict[str, str], expected: set[str]) -> None:
    assert modules_needed(Files(files), ()) == expected


def test_plugins_of_the_policy() -> None:
    assert modules_needed(Files({}), ("Zope-Thing",)) == {"zope_thing"}
