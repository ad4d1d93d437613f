"""Files of which parts are protected, beside those of packaging: which they are, and what is a human's in them."""

from __future__ import annotations

import pytest

from ledgergate.policy.model import Policy
from ledgergate.policy.paths import PathClass, classify, is_partly_protected, may_agent_write
from ledgergate.policy.protected import protected_difference
from support.settings import edit

HATCH = '[envs.test]\ndependencies = ["rich"]\n[envs.test.scripts]\nrun = "pytest"\n'
REQUIREMENTS = "requests>=2  # http\npytest==8.3 \\\n    --hash=sha256:00\n"
LOCK = '[[package]]\nname = "pytest"\nversion = "8"\n[[package]]\nname = "rich"\nversion = "13"\n'
PIPFILE = '[packages]\nrich = "*"\n[dev-packages]\npytest = "*"\n[scripts]\ntest = "pytest"\n'
PACKAGE = '{"name": "app", "devDependencies": {"jest": "^29"}, "overrides": {"x": "1"}}\n'
MISE = '[tools]\npython = "3.12"\n[tasks.test]\nrun = "pytest"\n[tasks.docs]\nrun = "mkdocs"\n'


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("hatch.toml", HATCH, '"pytest"', '"true"'),
        ("hatch.toml", HATCH, "[envs.test]", '[env]\nrequires = ["x"]\n[envs.test]'),
        ("uv.toml", "x = 1\n", "x = 1", '[[index]]\nurl = "u"'),
        ("uv.toml", "x = 1\n", "x = 1", 'index-url = "u"'),
        ("uv.toml", "x = 1\n", "x = 1", 'override-dependencies = ["pytest==1"]'),
        ("pixi.toml", '[tasks]\ncheck = "pytest"\n', '"pytest"', '"true"'),
        ("pixi.toml", "[dependencies]\npytest = '*'\n", "'*'", "'<8'"),
        ("pixi.toml", "[workspace]\nname = 'a'\n", "name", "channels = ['u']\nname"),
        ("poe_tasks.toml", '[tasks]\ncheck = "pytest"\n', '"pytest"', '"true"'),
        ("Pipfile", PIPFILE, 'pytest = "*"', 'pytest = {path = "fake"}'),
        ("Pipfile", PIPFILE, 'test = "pytest"', 'test = "true"'),
        ("Pipfile", PIPFILE, "[packages]", '[[source]]\nurl = "u"\n[packages]'),
        ("mise.toml", MISE, '"pytest"', '"true"'),
        ("mise.toml", MISE, '"3.12"', '"path:./fake"'),
        (".mise.local.toml", MISE, "[tools]", "[env]\nPATH = 'fake'\n[tools]"),
        ("requirements-dev.txt", REQUIREMENTS, "pytest==8.3", "pytest==7.0"),
        ("requirements-dev.txt", REQUIREMENTS, "requests", "--index-url https://example.org\nrequests"),
        ("requirements-dev.txt", REQUIREMENTS, "requests", "./fake\nrequests"),
        ("requirements-dev.txt", REQUIREMENTS, "requests", "pyt\\\nest==7\nrequests"),
        ("requirements-dev.txt", REQUIREMENTS, "requests", "# coding: utf-7\nrequests"),
        ("requirements-dev.txt", REQUIREMENTS, "requests", "${MORE}\nrequests"),
        ("requirements/test.in", REQUIREMENTS, "requests", "-r more.txt\nrequests"),
        ("constraints.txt", REQUIREMENTS, "8.3", "8.2"),
        ("uv.lock", LOCK, 'version = "8"', 'version = "8"\nsource = { url = "u" }'),
        ("poetry.lock", LOCK, '"8"', '"7"'),
        ("pylock.toml", LOCK.replace("package", "packages"), '"8"', '"7"'),
        ("uv.lock", LOCK, '"13"', '"13"\n[[package]]\nname = "pygments"\nsource = { git = "u" }'),
        ("requirements.txt", REQUIREMENTS, "requests", "attrs @ git+https://example.org/x\nrequests"),
        ("package.json", PACKAGE, '"^29"', '"file:./x"'),
        ("package.json", PACKAGE, '"^29"', '"npm:other@1"'),
        ("package.json", PACKAGE, '{"x": "1"}', '{"x": {"@vitest/runner@2": "link:x"}}'),
        ("package.json", PACKAGE, '"overrides"', '"pnpm": {"overrides": {"mocha": "someone/mocha"}}, "overrides"'),
        ("package.json", PACKAGE, '"app"', '"jest"'),
        ("package.json", PACKAGE, '"overrides"', '"babel": {}, "overrides"'),
        (".python-version", "3.12\n", "3.12", "./fake/bin/python"),
        (".tool-versions", "python 3.12.1\n", "3.12.1", "path:/fake"),
        (".env", "DEBUG=1\n", "DEBUG=1", "PYTEST_ADDOPTS=-x"),
        (".env.test", "DEBUG=1\n", "DEBUG=1", "export PATH=fake:$PATH"),
        (".env", "DEBUG=1\n", "DEBUG=1", "UPDATE_SNAPSHOTS=1"),
    ],
)
def test_a_humans(path: str, text: str, old: str, new: str) -> None:
    assert classify(Policy(), path) is PathClass.PROTECTED
    assert edit(path, text, old, new)


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("hatch.toml", HATCH, '"rich"', '"rich", "click"'),
        ("uv.toml", "x = 1\n", "x = 1", 'dev-dependencies = ["mypy"]'),
        ("uv.toml", "x = 1\n", "x = 1", '[[index]]\nname = "t"\nurl = "u"\nexplicit = true'),
        ("pixi.toml", "[dependencies]\npytest = '*'\n", "pytest", "rich = '*'\npytest"),
        ("pixi.toml", '[tasks]\ncheck = "pytest"\n', "check", 'docs = "mkdocs"\ncheck'),
        ("Pipfile", PIPFILE, 'rich = "*"', 'rich = "*"\nclick = "*"'),
        ("mise.toml", MISE, '"3.12"', '"3.13.1"'),
        ("mise.toml", MISE, '"mkdocs"', '"mkdocs build"'),
        ("requirements.txt", REQUIREMENTS, "requests>=2", "requests>=3\nhttpx"),
        ("requirements.txt", REQUIREMENTS, "requests", "# coding: utf-8\nrequests"),
        ("requirements.txt", REQUIREMENTS, "# http", "# for pytest"),
        ("uv.lock", LOCK, '"13"', '"14"\nsource = { url = "u" }'),
        ("poetry.lock", LOCK, '[[package]]\nname = "rich"', '[[package]]\nname = "a"\n[[package]]\nname = "rich"'),
        ("uv.lock", LOCK, '"13"', '"13"\n[[package]]\nname = "pygments"\nsource = { registry = "u" }'),
        ("requirements.txt", REQUIREMENTS, "requests", "attrs>=23\nown @ git+https://example.org/x\nrequests"),
        ("package.json", PACKAGE, '"^29"', '"^30.1 || ~29.7"'),
        ("package.json", PACKAGE, '"x": "1"', '"own": "file:./own", "eslint-plugin-jest": "github:x/y"'),
        (".python-version", "3.12\n", "3.12", "3.13.0"),
        (".python-version", "3.12\n", "3.12", "pypy3.10-7.3.12"),
        (".tool-versions", "python 3.12.1\n", "python 3.12.1", "nodejs 20.1.0\npython 3.13.0 3.12.1"),
        (".env", "DEBUG=1\n", "DEBUG=1", "DEBUG=0\nDATABASE_URL=postgres://localhost/app\nLATEST=1"),
    ],
)
def test_anyones(path: str, text: str, old: str, new: str) -> None:
    assert edit(path, text, old, new) is None


@pytest.mark.parametrize(
    "path",
    ["requirements.md", "src/requirements.py", "docs/requirements/intro.md", ".env.example", "src/env", "Makefile.am"],
)
def test_what_only_looks_like_it(path: str) -> None:
    assert classify(Policy(), path) is not PathClass.PROTECTED


@pytest.mark.parametrize(
    ("path", "expected"),
    [("tests/goldens/package.json", PathClass.GOLDEN), ("tests/agent_drafts/Makefile", PathClass.DRAFT)],
)
def test_goldens_and_tests_have_rules_of_their_own(path: str, expected: PathClass) -> None:
    assert classify(Policy(), path) is expected
    assert may_agent_write(Policy(agent_write_paths=("tests/**",)), "tests/data/.env")


def test_what_policy_protects_is_protected_as_a_whole() -> None:
    assert is_partly_protected(Policy(), "Makefile")
    assert not is_partly_protected(Policy(protected=("Makefile",)), "Makefile")
    assert protected_difference("Makefile", b"docs:\n", b"site:\n", whole=True) == "its content"


@pytest.mark.parametrize("path", ["package.json", "Taskfile.yml", "uv.lock", "mise.toml"])
def test_what_cannot_be_read_is_a_difference(path: str) -> None:
    assert "cannot be read" in (protected_difference(path, b"", b"{[") or "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pixi.toml", "[tasks]\ncheck = 'true'\n"),
        ("hatch.toml", "[envs.default.scripts]\ncheck = 'true'\n"),
        ("uv.toml", ""),
        ("GNUmakefile", "check:\n\ttrue\n"),
        ("makefile", "check:\n\ttrue\n"),
        (".justfile", "check:\n  true\n"),
        ("mise.local.toml", "[tasks]\ncheck = 'true'\n"),
        ("Taskfile.yml", "tasks: {}\n"),
    ],
)
def test_a_new_file_that_outweighs_another(path: str, text: str) -> None:
    assert protected_difference(path, None, text.encode()) == "added"
    assert protected_difference(path, text.encode(), text.encode() + b"\n") is None


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Makefile", "docs:\n\tmkdocs\n"),
        ("justfile", "docs:\n  mkdocs\n"),
        ("package.json", "{}"),
        ("requirements.txt", "rich\n"),
        (".env", "DEBUG=1\n"),
        ("noxfile.py", "import nox\n"),
    ],
)
def test_a_new_file_that_says_nothing_of_tests(path: str, text: str) -> None:
    assert protected_difference(path, None, text.encode()) is None


def test_a_package_in_a_lock_file_is_named() -> None:
    again = LOCK + '[[package]]\nname = "pytest"\nversion = "7"\n'
    assert protected_difference("uv.lock", LOCK.encode(), again.encode()) == "[package] pytest"
