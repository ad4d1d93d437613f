"""docs/formats.md: every example is read, and every vector recomputed."""

from __future__ import annotations

import ast
import json
import subprocess
from datetime import date
from pathlib import Path

import pytest

from ledgergate.freeze import FreezeLedger, read_freeze_ledger
from ledgergate.freeze.strict_json import canonical_json
from ledgergate.git import Repository
from ledgergate.ledger import file_digest, measure, read_ledger
from ledgergate.values import Item
from ledgergate.vouch import contract_digest, contract_items
from ledgergate.vouch.acks.added import verified
from ledgergate.vouch.acks.document import AckError, read_ack
from ledgergate.vouch.acks.signers import read_signers
from support.documents import ROOT, blocks, section
from support.repo import Repo

FORMATS = ROOT / "docs" / "formats.md"
TODAY = date(2026, 12, 1)


def vector(name: str, number: int) -> list[str]:
    found = [block.strip("\n") for block in blocks(section(FORMATS, f"Vector: {name}"))]
    assert len(found) == number
    return found


def freeze_ledger(text: str) -> FreezeLedger:
    return read_freeze_ledger("f.json", text.encode(), remote_lanes=frozenset({"remote_review"}))


def run_in(folder: Path, script: str) -> str:
    done = subprocess.run(["bash", "-euc", script], cwd=folder, capture_output=True, text=True, check=True)
    return f"sha256:{done.stdout.split()[0]}"


def test_the_ledger_on_the_page_is_well_formed() -> None:
    ledger = read_ledger("l.yaml", blocks(section(FORMATS, "Test ledger"), "yaml")[0].encode(), today=TODAY)
    assert ledger.problems == ()
    assert [row.class_ for row in ledger.rows] == ["locked_fixture", "property", "quarantine", "draft"]


def test_the_freeze_ledger_on_the_page_is_well_formed() -> None:
    ledger = freeze_ledger(blocks(section(FORMATS, "Freeze ledger"), "json")[0])
    assert ledger.problems == ()
    assert len(ledger.freezes) == 1


def test_vector_of_a_test(repo: Repo) -> None:
    source, covered, digest = vector("a test", 3)
    repo.commit({"tests/test_parse.py": f"{source}\n"})
    snapshot = Repository(str(repo.path)).snapshot(repo.git("rev-parse", "HEAD"))
    assert file_digest(covered.encode()) == digest
    assert measure(snapshot, "tests/test_parse.py::TestParse::test_pair").digest == digest


def test_vector_of_a_file(repo: Repo, tmp_path: Path) -> None:
    script, digest = vector("a file", 2)
    assert run_in(tmp_path, script) == digest
    content = subprocess.run(["bash", "-c", script.partition("|")[0]], capture_output=True, check=True).stdout
    assert file_digest(content) == digest
    repo.commit({"header.bin": content})
    snapshot = Repository(str(repo.path)).snapshot(repo.git("rev-parse", "HEAD"))
    assert measure(snapshot, "header.bin").digest == digest


def test_vector_of_a_folder(repo: Repo) -> None:
    script, digest = vector("a folder", 2)
    assert run_in(repo.path, script) == digest
    repo.git("add", "-A")
    repo.commit()
    snapshot = Repository(str(repo.path)).snapshot(repo.git("rev-parse", "HEAD"))
    assert measure(snapshot, "cases/").digest == digest


def test_vector_of_a_row() -> None:
    source, canonical, digest = vector("a row", 3)
    ledger = read_ledger("l.yaml", source.encode(), today=TODAY)
    assert [problem.message for problem in ledger.problems] == []
    assert ledger.rows[0].canonical.decode() == canonical
    assert file_digest(canonical.encode()) == ledger.rows[0].fingerprint == digest


def test_vector_of_a_freeze() -> None:
    source, canonical, digest = vector("a freeze", 3)
    settings = {"schema": "freeze-ledger.v1", "required_lanes": ["properties"]}
    ledger = freeze_ledger(f'{json.dumps(settings)[:-1]}, "freezes": [{source}]}}')
    assert ledger.problems == ()
    assert canonical_json(ledger.freezes[0].fields).decode() == canonical
    assert file_digest(canonical.encode()) == ledger.freezes[0].fingerprint == digest


def test_vector_of_the_settings_of_a_freeze_ledger() -> None:
    source, canonical, digest = vector("the settings of a freeze ledger", 3)
    ledger = freeze_ledger(source)
    assert ledger.problems == ()
    assert ledger.settings is not None
    assert canonical_json(ledger.settings.fields).decode() == canonical
    assert file_digest(canonical.encode()) == ledger.settings.fingerprint == digest


def test_vector_of_a_contract() -> None:
    source, canonical, digest = vector("a contract", 3)
    given = [
        Item(kind, subject.decode("utf-8", "surrogateescape"), old, new)
        for kind, subject, old, new in ast.literal_eval(source)
    ]
    items = contract_items(given)
    assert len(items) == len(given) - 1
    assert contract_digest(items) == file_digest(canonical.encode()) == digest


def test_vector_of_an_approval() -> None:
    signed, name, line, file = vector("an approval", 4)
    ack = read_ack(file.encode())
    assert (ack.signed_bytes.decode(), ack.file_bytes.decode()) == (signed, f"{file}\n")
    assert file_digest(signed.encode()) == f"sha256:{name.removesuffix('.json')}"
    assert ack.name == name
    signers = read_signers("s", line.encode())
    assert signers.has(ack.signer, verified(ack).key)
    with pytest.raises(AckError):
        verified(ack._replace(target="refs/heads/other"))


def test_the_approval_on_the_page_is_well_formed() -> None:
    text = blocks(section(FORMATS, "Approvals"), "json")[0].replace("sha256:...", file_digest(b""))
    text = text.replace('\\n..."', '\\nAAAA\\n-----END SSH SIGNATURE-----\\n"')
    with pytest.raises(AckError, match="changes nothing"):
        read_ack(text.encode())
    assert read_ack(text.replace(file_digest(b""), file_digest(b"x"), 1).encode()).repository == "acme/app"


@pytest.mark.parametrize("key", ["schema", "report"])
def test_every_key_of_the_report_is_on_the_page(key: str) -> None:
    schema = json.loads((ROOT / "hooks/ledgergate/report/report.schema.json").read_text(encoding="utf-8"))
    page = section(FORMATS, "Report")
    names = schema["required"] if key == "report" else schema["$defs"]["finding"]["required"]
    assert [name for name in names if f"`{name}`" not in page] == []
