"""One staged change for each rule that can refuse one, so that what is said can be looked at."""

from __future__ import annotations

from ledgergate.report import render
from ledgergate.source.inline import inline_digest
from support.project import (
    AGENT,
    BASE,
    DRAFT,
    FREEZE,
    FREEZES,
    GOLDEN,
    HUMAN,
    LEDGER,
    LOCKED,
    OTHER_SIGNERS,
    PROPERTY,
    QUARANTINE,
    ROWS,
    SEED,
    SIGNALLED,
    TEST_FILE,
    Edit,
    Project,
    edited,
    freezes,
    landed_ack,
    ledger,
    rows,
    sha256,
)
from support.repo import Repo

_NEW_ROW = edited(edited(LOCKED, "test_header", "test_new"), GOLDEN, "tests/goldens/new.bin")


_SUM = "tests/test_sum.py"
_SUM_TEST = "from app import add\n\n\ndef test_sum():\n    assert add(1, 1) == 2\n"
_WEAK_TEST = _SUM_TEST.replace(" == 2", "")


def _sum_row(source: str) -> str:
    digest = inline_digest(source.encode(), ("test_sum",))
    return (
        f"  - id: {_SUM}::test_sum\n    class: locked_fixture\n    artifact: {_SUM}::test_sum\n    digest: {digest}\n"
    )


_ADD = "tests/test_add.py"
_ADD_TEST = """\
import pytest

import app
from app import add


def test_add():
    assert add(1, 1) == 2


def test_adds_nothing():
    assert add(1, 0) == 1


def test_reads():
    try:
        app.read("1")
    except ValueError:
        pytest.fail("it is a number")
"""
_OPEN: Edit = {
    _ADD: _ADD_TEST,
    "ledgergate.toml": 'version = 1\nagent_write_paths = ["tests/**"]\n',
    "Makefile": "test:\n\tpytest tests\n",
}


def _added(old: str, new: str) -> Edit:
    return {_ADD: edited(_ADD_TEST, old, new)}


# What the project holds before the edits of these names, beside the usual.
_PINNED: Edit = {_SUM: _SUM_TEST, LEDGER: ledger(*ROWS, _sum_row(_SUM_TEST))}
BEFORE = {
    "digest-mismatch-test": _PINNED,
    "digest-changed-test": _PINNED,
    "artifact-missing-test": _PINNED,
    "row-invalid-test": _PINNED,
    **dict.fromkeys(
        (
            *("test-removed", "test-removed-file", "skip-added", "assertion-removed", "assertion-weakened"),
            *("assertion-tautology", "expectation-changed", "exception-broadened", "subject-replaced"),
            *("collection-changed", "outcome-tampered", "test-aware-production"),
        ),
        _OPEN,
    ),
}
REFUSALS: dict[str, Edit] = {
    "row-added-classified": {LEDGER: ledger(*ROWS, _NEW_ROW), "tests/goldens/new.bin": "header"},
    "class-changed": rows((PROPERTY, edited(QUARANTINE, "test_reload", "test_length"))),
    "digest-changed": {GOLDEN: "new", **rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))))},
    "artifact-changed": {
        GOLDEN: None,
        "tests/goldens/moved.bin": "header",
        **rows((LOCKED, edited(LOCKED, GOLDEN, "tests/goldens/moved.bin"))),
    },
    "invariant-changed": rows((PROPERTY, edited(PROPERTY, "non_negative_length", "length"))),
    "seeds-changed": {
        "tests/properties/seeds/other/1": "1",
        **rows((PROPERTY, edited(PROPERTY, "seeds/length/", "seeds/other/"))),
    },
    "quarantine-edited": rows((QUARANTINE, edited(QUARANTINE, "2026-09-10", "2026-11-30"))),
    "quarantine-removed": rows((QUARANTINE, "")),
    "row-removed": rows((PROPERTY, "")),
    "row-edited": rows((LOCKED, LOCKED + "    params: 3\n")),
    "draft-edited": rows((DRAFT, "")),
    "freeze-edited": {FREEZES: freezes(FREEZE, {**FREEZE, "id": "fx-2"})},
    "policy-edited": {"ledgergate.toml": 'version = 1\nagent_write_paths = ["tests/**"]\n'},
    "signers-edited": {".ledgergate/allowed_signers": OTHER_SIGNERS},
    "protected-path": {"pyproject.toml": str(BASE["pyproject.toml"]).replace("-ra", "-ra -k 'not header'")},
    "protected-path-whole": {"tests/conftest.py": "collect_ignore=['x']\n"},
    "ack-removed": {".ledgergate/acks/live.json": None},
    "ack-invalid": {".ledgergate/acks/mine.json": landed_ack("2026-11-30", "2026-12-09")},
    "seeds-shrunk": {SEED: "other"},
    "digest-mismatch": {GOLDEN: "new"},
    "digest-mismatch-test": {_SUM: _SUM_TEST.replace("== 2", "== 3")},
    "digest-changed-test": {
        _SUM: _SUM_TEST.replace("== 2", "== 3"),
        LEDGER: ledger(*ROWS, _sum_row(_SUM_TEST.replace("== 2", "== 3"))),
    },
    "artifact-missing": {GOLDEN: None},
    "artifact-missing-test": {_SUM: _SUM_TEST + "\n\ndef test_sum():\n    pass\n"},
    "artifact-empty": {GOLDEN: "", **rows((LOCKED, edited(LOCKED, sha256("header"), sha256(""))))},
    "artifact-collision": {"tests/goldens/Header.bin": "x"},
    "lfs-pointer-invalid": {GOLDEN: "new", **rows((LOCKED, LOCKED + "    lfs: true\n"))},
    "seeds-empty": {SEED: None},
    "golden-unclassified": {"tests/goldens/new.bin": "x"},
    "two-sided": {GOLDEN: "new", "src/app.py": "x = 2\n"},
    "row-shadowed": {
        LEDGER: ledger(
            *ROWS,
            edited(DRAFT, "tests/agent_drafts/test_prefix.py::test_strip", "tests/test_parse.py::test_without_row"),
        )
    },
    "write-path": {"tests/test_parse.py": TEST_FILE + "def test_more(): pass\n"},
    "write-path-new": {"tests/test_new.py": "def test_more(): pass\n"},
    "ledger-unreadable": {LEDGER: ledger(*ROWS).replace("    class: property", "\tclass: property")},
    "ledger-missing": {LEDGER: None},
    "row-invalid": {
        LEDGER: ledger(
            *ROWS, edited(DRAFT, "test_strip", "test_b").replace("    source: agent\n", "    sauce: agent\n")
        )
    },
    "row-invalid-test": {_SUM: _WEAK_TEST, LEDGER: ledger(*ROWS, _sum_row(_WEAK_TEST))},
    "row-duplicate": {LEDGER: ledger(*ROWS, DRAFT)},
    "artifact-outside": {LEDGER: ledger(*ROWS, edited(edited(LOCKED, "test_header", "test_x"), GOLDEN, "../x.bin"))},
    "freeze-unreadable": {FREEZES: freezes(FREEZE).replace("}", "", 1)},
    "freeze-invalid": {FREEZES: freezes({**FREEZE, "expires_utc": "2028-01-01T00:00:00Z"})},
    "policy-unreadable": {"ledgergate.toml": "version = 1\ngolden = ['x']\n"},
    "test-removed": {
        **_added("def test_adds_nothing():\n    assert add(1, 0) == 1\n\n\n", ""),
        "tests/test_parse.py": TEST_FILE.replace("def test_other(): pass\n", ""),
    },
    "test-removed-file": {_ADD: None},
    "skip-added": _added("def test_add():", '@pytest.mark.skip(reason="flaky")\ndef test_add():'),
    "assertion-removed": _added("    assert add(1, 1) == 2\n", "    add(1, 1)\n"),
    "assertion-weakened": _added("add(1, 1) == 2", "add(1, 1) is not None"),
    "assertion-tautology": _added("add(1, 1) == 2", "add(1, 1) == add(1, 1)"),
    "expectation-changed": _added("add(1, 1) == 2", "add(1, 1) == 3"),
    "exception-broadened": _added("except ValueError", "except Exception"),
    "subject-replaced": _added("from app import add\n", "def add(x, y):\n    return x + y\n"),
    "collection-changed": {"Makefile": "test:\n\t-pytest tests -k 'not add'\n"},
    "outcome-tampered": _added("def test_add():", "def test_add():\n    app.os._exit(0)"),
    "test-aware-production": {"src/app.py": "import sys\n\nTESTED = 'pytest' in sys.modules\n"},
}


def told(repo: Repo, name: str) -> str:
    """What an agent, a human, and the judge of a range are told of a change, as one text."""
    edit = REFUSALS[name]
    project = Project(repo, {**BASE, **BEFORE.get(name, {})})
    parts = [
        ("an agent stages it", project.staged(edit, AGENT)),
        ("a human stages it", project.staged({}, HUMAN)),
    ]
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit(message="edit", trailers=(SIGNALLED,))
    parts.append(("a commit with an agent's signal is judged on a range", project.between("main", "topic")))
    return "\n".join(f"# {title}\n\n{render(report, 'text')}" for title, report in parts)
