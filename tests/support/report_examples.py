"""A refusal and a pass with notes, as the goldens show them."""

from __future__ import annotations

from ledgergate.rules import finding
from ledgergate.values import Actor, Item, Report, State

TEST = "tests/test_parse.py::test_header_roundtrip"
OLD = f"sha256:{'0123456789abcdef' * 4}"
NEW = f"sha256:{'fedcba9876543210' * 4}"

_CHANGED = {"path": "tests/ledger.yaml", "line": 14, "subject": TEST, "old": OLD, "new": NEW}
_GOLDEN = "tests/goldens/header.bin"

REFUSAL = Report(
    state=State.FAIL,
    checks=(("ledger-edits", State.FAIL), ("fixture-digests", State.FAIL), ("two-sided-diff", State.PASS)),
    actor=Actor("agent", ("env:CLAUDECODE", "trailer:Co-Authored-By: Claude <noreply@anthropic.com>")),
    base="a" * 40,
    head="b" * 40,
    contract=NEW,
    items=(Item("row", TEST, OLD, NEW),),
    notes=(finding("contract-change", "fixture-digests", "For review.", **_CHANGED),),  # type: ignore[arg-type]
    findings=(
        finding(
            "quarantine-removed",
            "ledger-edits",
            "A quarantine row was removed.",
            state=State.UNSCORED,
            path="tests/ledger.yaml",
            line=30,
            subject="tests/test_reload.py::test_concurrent",
            old="quarantine",
        ),
        finding("digest-changed", "ledger-edits", "The digest of a golden changed.", state=State.FAIL, **_CHANGED),  # type: ignore[arg-type]
        finding(
            "digest-mismatch",
            "fixture-digests",
            f"{_GOLDEN} does not hash to the digest in its row.",
            path=_GOLDEN,
            subject=TEST,
            old=OLD,
            new=NEW,
        ),
        *(
            finding(
                "golden-unclassified", "fixture-digests", "No row names it.", path=f"tests/goldens/new{n}\x1b[2J.bin"
            )
            for n in range(20)
        ),
    ),
)

PASS = Report(
    state=State.PASS,
    checks=(("ledger-edits", State.PASS), ("fixture-digests", State.PASS)),
    actor=Actor("human"),
    base="a" * 40,
    head="b" * 40,
    contract=NEW,
    items=(Item("row", TEST, OLD, NEW),),
    notes=(
        finding(
            "digest-changed",
            "ledger-edits",
            "The digest of a golden changed.",
            state=State.PASS,
            remedy="Before this reaches a protected branch somebody has to approve it.",
            **_CHANGED,
        ),  # type: ignore[arg-type]
        finding("contract-change", "fixture-digests", "For review.", **_CHANGED),  # type: ignore[arg-type]
        finding("contract-change", "fixture-digests", "The seed folder grew by 1 file.", path="tests/seeds/"),
        finding("write-path", "test-guard", "x", state=State.PASS, path="tests/test_parse.py"),
    ),
    findings=(),
)

PLAIN_PASS = Report(State.PASS, (("ledger-edits", State.PASS),), Actor("human"), "a" * 40, "b" * 40, None, (), (), ())
