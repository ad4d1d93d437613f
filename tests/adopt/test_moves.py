from __future__ import annotations

import pytest

from ledgergate.adopt.moves import Movers
from ledgergate.ledger import Row, file_digest
from ledgergate.source.inline import inline_digest

OLD, NEW = "tests/test_a.py", "tests/test_b.py"
SOURCE = "import os\n\ndef test_x(): assert os.sep == '/'\n\ndef test_y(): assert os.sep\n"
GOLDEN = b"{}"


def row(class_: str = "locked_fixture", **fields: str) -> Row:
    return Row.of({"id": f"{OLD}::test_x", "class": class_, **fields})


def inline(source: str = SOURCE) -> Row:
    digest = inline_digest(source.encode(), ("test_x",))
    assert isinstance(digest, str)
    return row(artifact=f"{OLD}::test_x", digest=digest)


def golden(path: str) -> Row:
    return row(artifact=path, digest=file_digest(GOLDEN))


def movers(now: dict[str, str | bytes], before: dict[str, str] | None = None) -> Movers:
    old = {path: text.encode() for path, text in ({OLD: SOURCE} if before is None else before).items()}
    new = {path: text if isinstance(text, bytes) else text.encode() for path, text in now.items()}
    return Movers(old.get, new.get)


QUARANTINE = row("quarantine", opened="2026-01-02", reason="flaky", owner="qa")
SAME = {
    "a renamed file": (inline(), {NEW: SOURCE}, None, True),
    "a renamed file that is committed": (inline(), {NEW: SOURCE}, {}, True),
    "other imports, the same body": (inline(), {NEW: f"import sys\n{SOURCE}"}, None, True),
    "other imports, and nothing to compare": (inline(), {NEW: f"import sys\n{SOURCE}"}, {}, False),
    "another body": (inline(), {NEW: SOURCE.replace("== '/'", "!= '/'")}, None, False),
    "layout alone": (inline(), {NEW: SOURCE.replace(": assert", ":\n    assert")}, None, True),
    "no such test there": (inline(), {NEW: "x = 1\n"}, None, False),
    "a file that is no Python": (inline(), {NEW: "def test_x(:\n"}, None, False),
    "a quarantined test": (QUARANTINE, {NEW: SOURCE}, None, True),
    "a quarantined test with another body": (QUARANTINE, {NEW: SOURCE.replace("'/'", "'x'")}, None, False),
    "a golden that stays": (golden("tests/g.json"), {NEW: SOURCE, "tests/g.json": GOLDEN}, None, True),
    "a golden that is gone": (golden("tests/g.json"), {NEW: SOURCE}, None, False),
}


@pytest.mark.parametrize(("old", "now", "before", "is_same"), SAME.values(), ids=SAME.keys())
def test_a_moved_test_is_known_by_its_digest_or_its_body(
    old: Row, now: dict[str, str | bytes], before: dict[str, str] | None, is_same: bool
) -> None:
    assert movers(now, before).is_same(old, f"{NEW}::test_x") is is_same


def test_an_inline_row_follows_its_test() -> None:
    renamed = movers({NEW: f"import sys\n{SOURCE}"}).renamed(inline(), f"{NEW}::test_x")
    assert renamed is not None
    digest = inline_digest(f"import sys\n{SOURCE}".encode(), ("test_x",))
    assert dict(renamed.fields) == {
        "id": f"{NEW}::test_x",
        "class": "locked_fixture",
        "artifact": f"{NEW}::test_x",
        "digest": digest,
    }


FOLLOWED = [
    ("tests/test_a/test_x.yml", "tests/test_b/test_x.yml"),
    ("tests/__snapshots__/test_a.ambr", "tests/__snapshots__/test_b.ambr"),
    ("tests/__snapshots__/test_a/test_x.raw", "tests/__snapshots__/test_b/test_x.raw"),
]


@pytest.mark.parametrize(("before", "after"), FOLLOWED)
def test_goldens_that_move_along_are_followed(before: str, after: str) -> None:
    renamed = movers({NEW: SOURCE, after: GOLDEN}).renamed(golden(before), f"{NEW}::test_x")
    assert renamed is not None
    assert (renamed.artifacts, renamed.digests) == ((after,), (file_digest(GOLDEN),))
    assert movers({NEW: SOURCE, after: b"other"}).renamed(golden(before), f"{NEW}::test_x") is None


def test_a_list_of_artifacts_stays_a_list() -> None:
    old = Row.of({**inline().fields, "artifact": (f"{OLD}::test_x", "g.json"), "digest": ("sha256:0", "sha256:1")})
    renamed = movers({NEW: SOURCE, "g.json": GOLDEN}).renamed(old, f"{NEW}::test_x")
    assert renamed is not None
    assert renamed.fields["artifact"] == (f"{NEW}::test_x", "g.json")
    assert renamed.digests[1] == "sha256:1"
