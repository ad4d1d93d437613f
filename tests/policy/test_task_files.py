"""Which blocks of a makefile, a justfile and a noxfile steer tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.policy.protected import protected_difference
from support.settings import edit

MAKEFILE = """\
# how to build
PY := python
SPHINX := sphinx-build

.PHONY: check test lint docs
check: lint test
test:
	$(PY) -m pytest
lint:
	$(PY) -m ruff check . tests
docs:
	$(SPHINX) docs
_inner:
	$(PY) run.py
integration-test:
	$(MAKE) _inner
help:
	@echo "make test  runs the tests"
"""
JUSTFILE = """\
py := "python"
alias t := test

# all of it
test *args:
    {{py}} -m pytest {{args}}

[group("docs")]
docs:
    mkdocs build
"""
NOXFILE = '''\
"""Sessions."""
import nox

nox.options.sessions = ["lint", "tests"]


@nox.session(python=["3.11", "3.12"])
def tests(session):
    session.install("-e", ".[test]")
    _run(session)


@nox.session
def lint(session):
    session.run("ruff", "check")


def _run(session):
    session.run("pytest")
'''


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("Makefile", MAKEFILE, "-m pytest", "-m pytest || true"),
        ("Makefile", MAKEFILE, "check . tests", "check . && pytest"),
        ("Makefile", MAKEFILE, "check . tests", "check . $$(pytest)"),
        ("Makefile", MAKEFILE, "PY := python", "PY := true"),
        ("Makefile", MAKEFILE, "check: lint test", "check: lint"),
        ("Makefile", MAKEFILE, "test lint docs\n", "lint docs\n"),
        ("Makefile", MAKEFILE, "docs:\n", "include more.mk\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "check:\n\ttrue\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "SHELL = ./fake\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "export PATH := fake:$(PATH)\ndocs:\n"),
        ("Makefile", MAKEFILE, "run.py", "fake.py"),
        ("Makefile", MAKEFILE, "test:\n", "# note \\\ntest:\n"),
        ("Makefile", MAKEFILE, "test:\n", "define X\ntest:\n"),
        ("Makefile", MAKEFILE, "check: lint test\n", "noop:\n\ttrue\ncheck: lint test\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%: PY = true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%st: export PY := true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs te%: override private PY != true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%: \\\n  PY += -h\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(X)%: export PY\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(X) test: PY = true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%:: RUN = true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "VPATH = src\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(eval SHELL=/bin/true)\ndocs:\n"),
        ("sub/GNUmakefile", MAKEFILE, "-m pytest", ""),
        ("build/rules.mk", MAKEFILE, "-m pytest", ""),
        ("justfile", JUSTFILE, "-m pytest", "-m true"),
        ("justfile", JUSTFILE, 'py := "python"', 'py := "true"'),
        ("justfile", JUSTFILE, "alias t := test", "alias t := docs"),
        ("justfile", JUSTFILE, "alias", "set shell := ['./fake']\nalias"),
        ("justfile", JUSTFILE, "alias", "import 'more.just'\nalias"),
        ("justfile", JUSTFILE, "# all of it", "noop:\n    true\n"),
        ("justfile", JUSTFILE, "# all of it", "x := '''"),
        ("noxfile.py", NOXFILE, "def tests(session):", "def tests(session: nox.Session):"),
        ("noxfile.py", NOXFILE, '("pytest")', '("true")'),
        ("noxfile.py", NOXFILE, "    _run(session)", "    pass"),
        ("noxfile.py", NOXFILE, '["lint", "tests"]', '["lint"]'),
        ("noxfile.py", NOXFILE, "import nox\n", "import nox\nimport fake\n"),
    ],
)
def test_a_humans(path: str, text: str, old: str, new: str) -> None:
    assert edit(path, text, old, new)


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("Makefile", MAKEFILE, "ruff check . tests", "ruff check src tests"),
        ("Makefile", MAKEFILE, "SPHINX := sphinx-build", "SPHINX := sphinx-build -q"),
        ("Makefile", MAKEFILE, "$(SPHINX) docs", "$(SPHINX) docs -W"),
        ("Makefile", MAKEFILE, "# how to build", "# how to build and test it"),
        ("Makefile", MAKEFILE, "lint docs\n", "lint docs site\n"),
        ("Makefile", MAKEFILE, "help:\n", "help:\n\t@echo 'make docs  latest pages of the tests'\n"),
        ("Makefile", MAKEFILE, "docs:\n", "site: docs\n\tcp -r docs site\n\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs: site  ## pages about the tests, too\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%.o: CFLAGS += -g\n$(OBJECTS): CFLAGS += -g\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(BUILD)/x: docs\n\tcp -r docs $@\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%: %.in\n\tX=1 cp $< $@\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs: SPHINX = sphinx-build -q\ndocs:\n"),
        ("justfile", JUSTFILE, "mkdocs build", "mkdocs build -q"),
        ("justfile", JUSTFILE, "# all of it", "# all of the tests"),
        ("justfile", JUSTFILE, 'group("docs")', 'group("pages")'),
        ("noxfile.py", NOXFILE, '"ruff", "check"', '"ruff", "check", "src"'),
        (
            "noxfile.py",
            NOXFILE,
            "def _run",
            '@nox.session\ndef docs(session):\n    session.run("mkdocs")\n\n\ndef _run',
        ),
    ],
)
def test_anyones(path: str, text: str, old: str, new: str) -> None:
    assert edit(path, text, old, new) is None


def test_sessions_that_become_a_text() -> None:
    text = (
        NOXFILE.replace('"""Sessions."""', "")
        .replace("@nox.session(", '"""\n@nox.session(')
        .replace("@nox.session\n", '"""\n@nox.session\n')
    )
    assert "tests" in (protected_difference("noxfile.py", NOXFILE.encode(), text.encode()) or "")


def test_a_file_without_tests_is_anyones() -> None:
    text = "docs:\n\tsphinx-build docs\n"
    assert edit("Makefile", text, "docs:", "include more.mk\nSHELL = bash\ndocs:") is None


@given(text=st.text(alphabet=" \t\n#:=@[]\\.PHONYtest", max_size=60), path=st.sampled_from(["Makefile", "noxfile.py"]))
def test_no_text_breaks_the_comparison(text: str, path: str) -> None:
    result = protected_difference(path, MAKEFILE.encode(), text.encode())
    assert result is None or isinstance(result, str)
