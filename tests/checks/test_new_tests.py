"""`agent_new_tests`: what agents may do with test files of their own, from the first commit until they have landed."""

from __future__ import annotations

import pytest

from ledgergate.values import Report, State
from support.project import (
    AGENT,
    BASE,
    DRAFT,
    GOLDEN,
    HUMAN,
    LEDGER,
    ROWS,
    SIGNALLED,
    Edit,
    Project,
    edited,
    ledger,
    rules,
    states,
)
from support.repo import Repo

NEW = "tests/test_new.py"
SOURCE = "def test_one(): assert 1\ndef test_two(): assert 1\n"
OLD_ID = "tests/agent_drafts/test_prefix.py::test_strip"
ONE = edited(DRAFT, OLD_ID, f"{NEW}::test_one")
TWO = edited(DRAFT, OLD_ID, f"{NEW}::test_two")
QUARANTINED = f"""\
  - id: {NEW}::test_one
    class: quarantine
    opened: 2026-09-10
    reason: flaky
    owner: test-infra
"""


@pytest.fixture
def project(repo: Repo) -> Project:
    """On a topic branch of a project whose agents may add test files."""
    project = Project(repo, {**BASE, "ledgergate.toml": "version = 1\nagent_new_tests = true\n"})
    repo.git("checkout", "-q", "-b", "topic")
    return project


def as_agent(project: Project, edit: Edit) -> Report:
    """The report on an agent's edit, which is then committed."""
    report = project.staged(edit, AGENT)
    project.repo.commit(message="an agent's", trailers=(SIGNALLED,))
    return report


@pytest.mark.parametrize(
    "edits",
    [
        [{NEW: SOURCE, LEDGER: ledger(*ROWS, ONE, TWO)}],
        [{NEW: SOURCE}, {LEDGER: ledger(*ROWS, ONE, TWO)}],
        [{LEDGER: ledger(*ROWS, ONE, TWO)}, {NEW: SOURCE}],
        [{NEW: SOURCE, LEDGER: ledger(*ROWS, ONE)}, {NEW: SOURCE + "\ndef test_three(): pass\n"}],
        [{NEW: SOURCE, LEDGER: ledger(*ROWS, ONE)}, {NEW: SOURCE, LEDGER: ledger(*ROWS, ONE, TWO)}],
        [{NEW: SOURCE, LEDGER: ledger(*ROWS, ONE)}, {NEW: None, LEDGER: ledger(*ROWS)}],
        [{NEW: SOURCE}, {NEW: None, "tests/sub/test_newer.py": SOURCE}],
        [{"tests/new_test.py": SOURCE}],
        [{"tests/__init__.py": "", "tests/sub/__init__.py": "", NEW: SOURCE}, {"tests/sub/test_new.py": SOURCE}],
    ],
    ids=[
        "with its rows",
        "rows afterwards",
        "rows before",
        "edited",
        "another draft in it",
        "taken back",
        "moved",
        "the other pattern",
        "one name in two packages",
    ],
)
def test_free(project: Project, edits: list[Edit]) -> None:
    if "tests/__init__.py" in edits[0]:
        project.repo.commit({path: "" for path in edits[0] if path.endswith("__init__.py")}, "packages")
    for edit in edits:
        assert rules(as_agent(project, edit).findings) == set()
    assert project.between("main", "topic").state is State.PASS


TEST = "\n\ndef test_one(): assert len('ab') == 2\n"
HARMING = {
    "test framework": ("outcome-tampered", "import _pytest.python\n_pytest.python.Function.runtest = lambda self: 0"),
    "exit": ("outcome-tampered", "import os\nos._exit(0)"),
    "pytest's exit": ("outcome-tampered", "import pytest\npytest.exit('done', 0)"),
    "module": ("subject-replaced", "import sys, types\nsys.modules['app'] = types.ModuleType('app')"),
    "production": ("subject-replaced", "from src import app\napp.parse = lambda text: ('HDR', '1')"),
    "by setattr": ("subject-replaced", "from src import app\nsetattr(app, 'parse', lambda text: ('HDR', '1'))"),
    "by a patch": ("subject-replaced", "from unittest import mock\nmock.patch('src.app.parse').start()"),
    "in a branch": ("subject-replaced", "from src import app\nif app:\n    app.parse = lambda text: ('HDR', '1')"),
    "in a decorator's function": (
        "subject-replaced",
        "from src import app\ndef reg(f):\n    app.parse = f\n    return f\n\n@reg\ndef fake(text): ...",
    ),
    "by a loop": ("subject-replaced", "from src import app\nfor app.parse in [list]:\n    pass"),
    "by a block": (
        "subject-replaced",
        "import contextlib\nfrom src import app\nwith open('x') as app.parse:\n    pass",
    ),
    "through sys.modules": ("subject-replaced", "import sys\nsys.modules['src.app'].parse = list"),
    "in a table": (
        "subject-replaced",
        "import pytest\nfrom src import app\n@pytest.mark.parametrize('v', [setattr(app, 'parse', 1)])\ndef test(v): 1",
    ),
    "in a call": ("subject-replaced", "from src import app\ndef go():\n    app.parse = list\n\ngo()"),
}
DOUBTFUL = {
    "a module that is looked up": "import importlib\nm = importlib.import_module('src.app')\nm.parse = list",
    "by object": "from src import app\nobject.__setattr__(app, 'parse', list)",
    "by its own method": "from src import app\napp.__setattr__('parse', list)",
    "a function's defaults": "from src import app\napp.parse.__defaults__ = (1,)",
    "a text that is run": "from src import app\nexec('app.parse = list')",
    "built-in names": "__builtins__['parse'] = list",
    "what finds modules": "import sys\nsys.meta_path.insert(0, object())",
    "a part of Python": "import json\njson.parse = list",
    "in parts": "import functools\nfrom src import app\nfunctools.partial(setattr, app, 'parse')(list)",
    "a patch begun": "from unittest.mock import patch as p\nx = p.multiple('src.app', parse=1)\nx.__enter__()",
}
HONEST = {
    "a decorator": "def twice(f):\n    return f\n\n@twice\ndef test_it(): ...",
    "in a table": "import pytest\n@pytest.mark.parametrize('f', [lambda m: setattr(m, 'x', 1)])\ndef test_f(f): 1",
    "a model": "from src import app\nmodel = app.Model()\nmodel.eval()",
    "a part of Python that no test calls": "import sys\nsys.dont_write_bytecode = True",
    "a client": "from src import app\nclient = app.Client()\nclient.parse = 1",
    "a module by its name": "import importlib\napp = importlib.import_module('src.app')",
    "a class that sets": "class Fake:\n    def __setattr__(self, name, value): object.__setattr__(self, name, value)",
    "a patch of one test": "from unittest.mock import patch\n@patch('src.app.parse')\ndef test_it(parse): parse()",
    "a patch of a block": "from unittest import mock\nwith mock.patch('src.app.parse'):\n    import src.app",
    "a patch in a test": "from src import app\ndef test_it(monkeypatch):\n    monkeypatch.setattr(app, 'parse', list)",
    "a setting": "from src.app import app\napp.testing = True\napp.config['X'] = 1",
    "an override": "from src.app import app, get_db\napp.dependency_overrides[get_db] = lambda: 1",
    "an exit that is tested": "import pytest, sys\ndef test():\n    with pytest.raises(SystemExit): sys.exit(2)",
    "a program": "import sys, pytest\nif __name__ == '__main__':\n    sys.exit(pytest.main([__file__]))",
    "a folder of code": "import sys\nsys.path.insert(0, 'src')",
}


@pytest.fixture(params=["agent_new_tests = true", 'agent_write_paths = ["tests/test_new.py"]'])
def adding(repo: Repo, request: pytest.FixtureRequest) -> Project:
    """On a topic branch of a project whose agents may add a test file, in either way."""
    old = {
        "src/app.py": "def parse(text): ...\n",
        "tests/test_parse.py": "from src.app import parse\nassert parse('x')\n",
    }
    project = Project(repo, {**BASE, **old, "ledgergate.toml": f"version = 1\n{request.param}\n"})
    repo.git("checkout", "-q", "-b", "topic")
    return project


@pytest.mark.parametrize(("rule", "source"), HARMING.values(), ids=HARMING)
def test_harm_to_other_tests(adding: Project, rule: str, source: str) -> None:
    assert states(as_agent(adding, {NEW: source + TEST}), rule) == {State.FAIL}
    assert states(adding.between("main", "topic"), rule) == {State.FAIL}
    assert states(as_agent(adding, {NEW: source + TEST + TEST.replace("one", "two")}), "test-removed") == set()


@pytest.mark.parametrize("source", DOUBTFUL.values(), ids=DOUBTFUL)
def test_what_may_be_harm_waits(adding: Project, source: str) -> None:
    assert states(as_agent(adding, {NEW: source + TEST}), "subject-replaced") == {State.UNSCORED}
    assert adding.between("main", "topic").state is State.UNSCORED


@pytest.mark.parametrize("source", HONEST.values(), ids=HONEST)
def test_no_harm_to_other_tests(adding: Project, source: str) -> None:
    assert rules(as_agent(adding, {NEW: source + TEST}).findings) == set()
    assert adding.between("main", "topic").state is State.PASS


def test_a_new_file_may_lose_what_it_had_before_it_landed(project: Project) -> None:
    as_agent(project, {NEW: TEST + "    assert TEST\n"})
    assert rules(as_agent(project, {NEW: TEST.replace("len('ab') == 2", "True")}).findings) == set()


PACKAGES = {"tests/__init__.py": "", "lib/test_lib.py": "", "tests/data/test_case/1.txt": "", "lib/test_part/x.py": ""}


@pytest.fixture
def packages(project: Project) -> Project:
    """The project with packages and folders whose names new tests could take."""
    project.repo.commit({**PACKAGES, "tests/test_cafe\u0301.py": ""}, "packages")
    project.repo.git("branch", "-f", "main")
    return project


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_PARSE.py",
        "Tests/test_parse.py",
        "tests/test_PARSE.py/test_q.py",
        "tests/test_caf\u00e9.py",
        "tests/GOLDENS/header.bin/test_x.py",
        "tests/sub/test_lib.py",
        "tests/sub/test_part.py",
        "tests/test_p~1.py",
        "tests/test_pa\u200crse.py",
        "tests/sub./test_new.py",
    ],
)
def test_the_place_of_another(packages: Project, path: str) -> None:
    packages.repo.stage_blob(path, SOURCE.encode())
    assert states(packages.staged({}, AGENT), "write-path") == {State.FAIL}
    packages.repo.commit(message="an agent's", trailers=(SIGNALLED,))
    assert states(packages.between("main", "topic"), "write-path") == {State.FAIL}


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_parse_more.py",
        "tests/sub/test_case.py",
        "tests/test_lib.py",
        "tests/test_part.py",
        "tests/test_\u00e9.py",
    ],
)
def test_a_place_of_its_own(packages: Project, path: str) -> None:
    assert packages.staged({path: SOURCE}, AGENT).findings == ()


@pytest.mark.parametrize(
    ("edit", "rule"),
    [
        ({"tests/conftest.py": "x = 1\n"}, "protected-path"),
        ({"tests/sub/conftest.py": "x = 1\n"}, "protected-path"),
        ({"tests/helpers.py": "x = 1\n"}, "write-path"),
        ({"tests/__init__.py": ""}, "write-path"),
        ({"tests/test_parse.py": SOURCE}, "write-path"),
        ({"tests/test_parse.py": None}, "write-path"),
        ({"tests/sub/test_parse.py": SOURCE}, "write-path"),
        ({"tests/sub/Test_Parse.py": SOURCE, "tests/sub/test_PARSE.py": SOURCE}, "write-path"),
        ({"src/test_client.py": "x = 1\n", "tests/test_client.py": SOURCE}, "write-path"),
        ({"lib/test_client/__init__.py": "", "tests/test_client.py": SOURCE}, "write-path"),
        ({LEDGER: ledger(*ROWS, edited(DRAFT, OLD_ID, "tests/test_parse.py::test_brand_new"))}, "row-invalid"),
        ({LEDGER: ledger(*ROWS, edited(DRAFT, OLD_ID, "tests/test_parse.py::test_without_row"))}, "row-shadowed"),
        ({LEDGER: ledger(*ROWS, edited(DRAFT, OLD_ID, "src/test_app.py::test_x"))}, "row-invalid"),
        ({NEW: SOURCE, LEDGER: ledger(*ROWS, QUARANTINED)}, "row-added-classified"),
        ({NEW: SOURCE, LEDGER: ledger(*ROWS, QUARANTINED, TWO)}, "row-invalid"),
    ],
)
def test_refused(project: Project, edit: Edit, rule: str) -> None:
    assert State.FAIL in states(project.staged(edit, AGENT), rule)


def test_a_link_is_no_test_file(project: Project) -> None:
    project.repo.stage_blob(NEW, b"../src/app.py", mode="120000")
    assert states(project.staged({}, AGENT), "write-path") == {State.FAIL}


def test_a_name_that_is_taken_is_refused_on_a_range(project: Project) -> None:
    as_agent(project, {"tests/sub/test_parse.py": SOURCE})
    assert states(project.between("main", "topic"), "write-path") == {State.FAIL}


def test_what_has_landed_is_an_old_test(project: Project) -> None:
    as_agent(project, {NEW: SOURCE, LEDGER: ledger(*ROWS, ONE, TWO)})
    project.repo.git("branch", "-f", "main")
    assert states(project.staged({NEW: SOURCE + "x = 1\n"}, AGENT), "write-path") == {State.FAIL}


def test_without_the_policy_nothing_of_it_is_free(repo: Repo) -> None:
    project = Project(repo)
    report = project.staged({NEW: SOURCE, LEDGER: ledger(*ROWS, ONE)}, AGENT)
    assert rules(report.findings) == {"write-path", "row-invalid"}


PROMOTED = f"""\
  - id: {NEW}::test_one
    class: locked_fixture
    artifact: {GOLDEN}
    digest: sha256:{"0" * 64}
"""


def test_a_human_promotes_and_the_file_is_no_agents_any_more(project: Project) -> None:
    as_agent(project, {NEW: SOURCE, LEDGER: ledger(*ROWS, ONE, TWO)})
    row = PROMOTED.replace("0" * 64, ROWS[0].rpartition("sha256:")[2].strip())
    promotion = {LEDGER: ledger(*ROWS, row, TWO)}
    assert states(project.staged(promotion, AGENT), "class-changed") == {State.FAIL}
    report = project.staged(promotion, HUMAN)
    assert (report.state, states(report, "class-changed")) == (State.PASS, {State.PASS})
    project.repo.commit(message="a human's")
    assert states(project.staged({NEW: SOURCE + "x = 1\n"}, AGENT), "write-path") == {State.FAIL}
