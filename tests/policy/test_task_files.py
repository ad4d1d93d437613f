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
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval SHELL=/bin/true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo ${eval\tPY = true}\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t# $(eval PY := true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval \\\n\t  PY=true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval $(strip SH)ELL=/bin/true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval X := $(file <x))\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval X := $(value $(Y)))\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(call $(or ev)al,PY=true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(call eval,PY=true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval te%: PY = true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval test: ; true)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval export PYTEST_ADDOPTS=--co)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval SPHINX := $(eval PY=true))\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(foreach v,PY,$(eval $(v)=true))\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(guile (gmk-eval 1))\n"),
        ("Makefile", MAKEFILE, "docs:\n", "Q = $(eval PY=true)\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "X := $(shell true)$(eval PY=true)\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(info $(eval MAKEFLAGS+=i))\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "define L\n\n\nendef\nX = $(L)PY=true\ndocs:\n\t@echo $(eval Y=$(X))\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval PY=true\n"),
        ("Makefile", MAKEFILE, "docs:\n", "T = te\n$(T)st:\n\ttrue\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "A = te\nB = st\n$(A)$(B):\n\ttrue\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "P = P\n$(P)Y = true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(X)HELL := ./fake\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "X := P\nX := $(X)Y\n$(X) := true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "X := P\nX := PY\n$(X) := true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "X := P\nexport X += Y\n$(X) := true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "X := P\ndefine X =\nPY\nendef\n$(X) := true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(P) ?= true\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "-load x.so\ndocs:\n"),
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
        ("Makefile", MAKEFILE, "docs:\n", "X := SPHINX\n$(X)_OPTIONS := -W\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%.o: CFLAGS += -g\n$(OBJECTS): CFLAGS += -g\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(BUILD)/x: docs\n\tcp -r docs $@\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "%: %.in\n\tX=1 cp $< $@\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs: SPHINX = sphinx-build -q\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(BUILD)/pages $(OUT): docs\n\ttouch $@\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "$(PAGES)_SOURCES := docs/*.rst\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "N = site\n$(N): docs\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "X = te\n$(X)x: docs\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval TAG := $(shell git describe))$(TAG)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "V = $(eval V := $(shell git describe))$(V)\ndocs:\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval SPHINX += -W)\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@echo $(eval FILES := $(patsubst %.in,%,$(call sources,$(X))))\n"),
        ("Makefile", MAKEFILE, "docs:\n", "docs:\n\t@eval `$(SPHINX) --env`; eval $$(ssh-agent)\n"),
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


MACROS = """\
define set
$(eval $(1) := $(2))
endef
set-it = $(call set,$(1),true)
define pages
	$(SPHINX) docs
endef
"""


@pytest.mark.parametrize("recipe", ["$(call set,PY,true)", "${call set-it,PY}", "$(set)"])
def test_what_writes_anything_is_a_humans_to_call(recipe: str) -> None:
    assert edit("Makefile", MACROS + MAKEFILE, "$(SPHINX) docs\n_", f"{recipe}\n_")


@pytest.mark.parametrize("recipe", ["$(pages)", "$(call pages,x)", "$(eval TAG := $(shell git describe))"])
def test_what_writes_nothing_is_anyones_to_call(recipe: str) -> None:
    assert edit("Makefile", MACROS + MAKEFILE, "$(SPHINX) docs\n_", f"{recipe}\n_") is None


@pytest.mark.parametrize("text", ["$(eval ", "$(eval SHELL=x)", "$(foo", "$(call $(x),"])
def test_much_that_is_written_takes_no_time(text: str) -> None:
    assert edit("Makefile", MAKEFILE, "docs:\n", f"docs:\n\t{text * 5_000}$(eval SHELL=x)\n")


def test_a_file_without_tests_is_anyones() -> None:
    text = "docs:\n\tsphinx-build docs\n"
    assert edit("Makefile", text, "docs:", "include more.mk\nSHELL = bash\ndocs:") is None


@given(text=st.text(alphabet=" \t\n#:=@[]\\.PHONYtest", max_size=60), path=st.sampled_from(["Makefile", "noxfile.py"]))
def test_no_text_breaks_the_comparison(text: str, path: str) -> None:
    result = protected_difference(path, MAKEFILE.encode(), text.encode())
    assert result is None or isinstance(result, str)
