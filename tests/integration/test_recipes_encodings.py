"""A ledger in other bytes: an editor, a platform or a cut connection says the same with them, or nothing."""

from __future__ import annotations

import pytest

from support.gate import AS_AGENT, accepted, commit, guarded, install_hooks, relock, verdict
from support.project import FREEZES, LEDGER, ledger, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

A = "tests/goldens/a.txt"
ROW = f"  - id: tests/t.py::test_a\n    class: locked_fixture\n    artifact: {A}\n    digest: {sha256('good')}\n"
QUARANTINE = (
    "  - id: tests/t.py::test_q\n    class: quarantine\n    opened: 2026-01-31\n    reason: flaky\n    owner: infra\n"
)
TEXT = ledger("  # café\n" + ROW, QUARANTINE)
BOM = "\ufeff"
# The same ledger in other bytes. True: it says the same.
ENCODINGS = {
    "LF": (TEXT.encode(), True),
    "CRLF": (TEXT.replace("\n", "\r\n").encode(), True),
    "BOM": ((BOM + TEXT).encode(), True),
    "BOM and CRLF": ((BOM + TEXT.replace("\n", "\r\n")).encode(), True),
    "no last line end": (TEXT.rstrip("\n").encode(), True),
    "separator": (b"---\n" + TEXT.encode(), True),
    "end marker": (TEXT.encode() + b"...\n", True),
    "BOM, then the separator": ((BOM + "---\n" + TEXT).encode(), True),
    "separator, then a BOM": (("---\n" + BOM + TEXT).encode(), False),
    "two BOMs": ((BOM + BOM + TEXT).encode(), False),
    "a BOM within": (TEXT.replace("rows", BOM + "rows").encode(), False),
    "UTF-16": (TEXT.encode("utf-16"), False),
    "UTF-16 BE": (TEXT.encode("utf-16-be"), False),
    "UTF-16 LE": (TEXT.encode("utf-16-le"), False),
    "UTF-32": (TEXT.encode("utf-32"), False),
    "Latin-1": (TEXT.encode("latin-1"), False),
    "tab": (TEXT.replace("    class", "\tclass").encode(), False),
    "tab in one line": (TEXT.replace("    opened", "\topened").encode(), False),
    "NUL": (TEXT.replace("flaky", "fl\0aky").encode(), False),
    "NUL at the end": (TEXT.encode() + b"\0", False),
    "old Mac": (TEXT.replace("\n", "\r").encode(), False),
    "a row behind a lone CR": (TEXT.replace("# café\n", "# café\r").encode(), False),
    "a row behind U+2028": (TEXT.replace("# café\n", "# café\u2028").encode(), False),
    "a row behind U+0085": (TEXT.replace("# café\n", "# café\x85").encode(), False),
    "cut in a row": (TEXT[: TEXT.index("reason")].encode(), False),
    "cut in a key": (TEXT[: TEXT.index("son: flaky")].encode(), False),
    "cut in a letter": (TEXT[: TEXT.index("é") + 1].encode()[:-1], False),
    "cut to nothing": (b"", False),
    "an escape sequence": (TEXT.replace("flaky", "fl\x1b[31maky").encode(), False),
}


UNREADABLE = {FREEZES: "freeze-unreadable", "ledgergate.toml": "policy-unreadable"}


class TestEncodings:
    """An editor, a platform or a cut connection leaves other bytes: they say the same, or they are refused."""

    @pytest.mark.parametrize(("data", "is_same"), ENCODINGS.values(), ids=ENCODINGS)
    def test_staged(self, repo: Repo, data: bytes, is_same: bool) -> None:
        guarded(repo, {A: "good"}, files={LEDGER: TEXT})
        repo.stage_blob(LEDGER, data)
        seen = verdict(repo, env=AS_AGENT)
        assert (seen.state == "PASS") == is_same
        if not is_same:
            assert seen.refusals & {"ledger-unreadable", "row-invalid"}
            assert all(found["line"] for found in seen.seen("ledger-unreadable") if found["check"] == "ledger-schema")
        repo.stage_blob(A, b"tampered")
        assert verdict(repo).state != "PASS"

    @pytest.mark.parametrize(("data", "is_same"), ENCODINGS.values(), ids=ENCODINGS)
    def test_landed(self, repo: Repo, data: bytes, is_same: bool) -> None:
        """A form that is in the history already takes no contract out of force."""
        guarded(repo, {A: "good"}, files={LEDGER: data})
        repo.stage_blob(A, b"tampered")
        seen = verdict(repo, env=AS_AGENT)
        assert seen.state != "PASS"
        assert is_same == ("digest-mismatch" in seen.refusals) or not is_same

    @pytest.mark.slow
    def test_a_real_commit_of_each_kind(self, repo: Repo) -> None:
        guarded(repo, {A: "good"}, files={LEDGER: TEXT})
        install_hooks(repo)
        for name, is_accepted in (("BOM and CRLF", True), ("UTF-16", False), ("tab", False), ("Latin-1", False)):
            repo.stage_blob(LEDGER, ENCODINGS[name][0])
            done = commit(repo, env=AS_AGENT)
            assert accepted(done) == is_accepted
            assert len(done.err.splitlines()) < 20

    @pytest.mark.parametrize("name", ["LF", "CRLF", "BOM", "BOM and CRLF", "no last line end"])
    def test_rewritten_by_us_only_the_digest_changes(self, repo: Repo, name: str) -> None:
        data = ENCODINGS[name][0]
        guarded(repo, {A: "good"}, files={LEDGER: data})
        repo.stage({A: "better"})
        assert relock(repo, "--staged").status == 0
        expected = data.replace(sha256("good").encode(), sha256("better").encode())
        assert (repo.path / LEDGER).read_bytes() == expected

    @pytest.mark.parametrize(("path", "rule"), list(UNREADABLE.items()))
    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "latin-1"])
    def test_other_files_of_the_gate(self, repo: Repo, path: str, rule: str, encoding: str) -> None:
        guarded(repo, {A: "good"})
        text = (repo.path / path).read_text()
        text += "# café\n" if path.endswith("toml") else ""
        text = text.replace('"fixtures"', '"café"')
        repo.stage({path: text.encode(encoding)})
        assert verdict(repo).paths(rule) == {path}

    @pytest.mark.parametrize("path", [FREEZES, "ledgergate.toml"])
    def test_crlf_in_other_files_of_the_gate(self, repo: Repo, path: str) -> None:
        guarded(repo, {A: "good"})
        text = (repo.path / path).read_text()
        repo.stage({path: text.replace("\n", "\r\n")})
        assert verdict(repo).state == "PASS"
