"""The facts file: what a forge said, read strictly, and what it is worth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ledgergate.errors import LedgergateError
from ledgergate.hosts.facts import read_facts
from ledgergate.hosts.moments import Known, range_report
from ledgergate.values import Report, State
from support.documents import ROOT
from support.project import (
    BASE,
    GOLDEN,
    LOCKED,
    OTHER_SIGNERS,
    SIGNALLED,
    SIGNERS,
    TEST_FILE,
    WITHOUT_ACKS,
    Edit,
    edited,
    freezes,
    rows,
    rules,
    sha256,
)
from support.repo import Repo

pytestmark = pytest.mark.slow

SCHEMA = json.loads((ROOT / "hooks/ledgergate/vouch/facts.schema.json").read_text(encoding="utf-8"))
KIM, LEE, STRANGER, CLAUDE = "github:1001", "github:1002", "github:1003", "github:209825114"
POLICY = f'version = 1\n[vouch]\nhumans = ["{KIM}", "{LEE}", "{CLAUDE}"]\n'
TIP = "a" * 40
APPROVED = {"author": LEE, "approvals": [{"account": KIM, "commit": TIP}]}
EDIT = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))) | {GOLDEN: "new"}


def facts_file(tmp_path: Path, content: object) -> str:
    path = tmp_path / "facts.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return str(path)


def test_facts_are_what_the_schema_says(tmp_path: Path) -> None:
    jsonschema.validate(APPROVED, SCHEMA)
    found = read_facts(facts_file(tmp_path, APPROVED), TIP)
    assert (found.author, found.approvals, found.tip) == (LEE, ((KIM, TIP),), TIP)


def _approving(**changed: object) -> dict[str, object]:
    return {"author": LEE, "approvals": [{"account": KIM, "commit": TIP, **changed}]}


MALFORMED: dict[str, Any] = {
    "empty": b"",
    "no JSON": b"{",
    "a list": [],
    "null": None,
    "nothing in it": {},
    "no author": {"approvals": []},
    "no approvals": {"author": LEE},
    "one key too many": {**APPROVED, "merged": True},
    "author by name": {**APPROVED, "author": "kim"},
    "author as a number": {**APPROVED, "author": 1001},
    "no author at all": {**APPROVED, "author": None},
    "approvals as an object": {**APPROVED, "approvals": {KIM: TIP}},
    "an approval as a text": {**APPROVED, "approvals": [KIM]},
    "account by name": _approving(account="github:kim"),
    "account with a blank": _approving(account=f"{KIM} "),
    "a short id": _approving(commit=TIP[:12]),
    "a branch": _approving(commit="topic"),
    "capital letters": _approving(commit=TIP.upper()),
    "a line end behind it": _approving(commit=f"{TIP}\n"),
    "state beside it": _approving(state="APPROVED"),
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_malformed_facts_are_refused_by_reader_and_schema(tmp_path: Path, content: Any) -> None:
    with pytest.raises(LedgergateError, match=r"cannot be taken") as caught:
        read_facts(facts_file(tmp_path, content), TIP)
    assert caught.value.rule == "facts-unreadable"
    # Python's `$` lets a line end stand behind it, and that of JSON Schema does not.
    if not isinstance(content, bytes) and "\\n" not in json.dumps(content):
        assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(content)


@pytest.mark.parametrize(
    "content",
    [
        b'{"author": "github:1", "author": "github:2", "approvals": []}',
        b'\xff{"author": "github:1", "approvals": []}',
        b'{"author": "github:1", "approvals": [{"account": "github:2", "commit": NaN}]}',
        json.dumps({"author": LEE, "approvals": [{"account": KIM, "commit": c * 40} for c in "ab"]}).encode(),
    ],
    ids=["a key twice", "no UTF-8", "no number", "an account twice"],
)
def test_what_no_schema_sees(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(LedgergateError, match=r"cannot be taken"):
        read_facts(facts_file(tmp_path, content), TIP)


def test_no_regular_file(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe")
    for path, said in ((tmp_path, "folder"), (tmp_path / "nowhere", "no such file"), (tmp_path / "pipe", "pipe")):
        with pytest.raises(LedgergateError, match=said):
            read_facts(str(path), TIP)


class Judged:
    """A branch off main with one edit, judged with facts about it."""

    def __init__(self, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.repo = repo
        self.tmp_path = tmp_path
        monkeypatch.chdir(repo.path)

    def of(
        self,
        edit: Edit,
        *approvals: tuple[str, str | None],
        author: str = LEE,
        policy: str = POLICY,
        base: Edit | None = None,
        humans: tuple[str, ...] = (),
        trailers: tuple[str, ...] = (),
        exact: bool = False,
    ) -> Report:
        self.repo.commit({**BASE, "ledgergate.toml": policy} if base is None else base, "base")
        self.repo.git("checkout", "-q", "-b", "topic")
        tip = self.repo.commit(edit, "edit", trailers=trailers)
        listed = [{"account": account, "commit": commit or tip} for account, commit in approvals]
        facts = facts_file(self.tmp_path, {"author": author, "approvals": listed})
        return range_report("main", "topic", exact=exact, known=Known(facts=facts, humans=humans))


@pytest.fixture
def judged(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judged:
    return Judged(repo, tmp_path, monkeypatch)


def test_an_approval_vouches_for_the_whole_contract(judged: Judged) -> None:
    report = judged.of({**EDIT, "tests/conftest.py": "import os\n"}, (KIM, None))
    assert report.state is State.PASS, report.findings
    assert {who.split(",")[0] for _, who in report.vouched} == {KIM}
    assert [item for item, _ in report.vouched] == list(report.items) != []


def test_an_agents_change_as_well(judged: Judged) -> None:
    assert judged.of(EDIT, (KIM, None), trailers=(SIGNALLED,)).state is State.PASS


def test_but_none_of_what_no_human_may_vouch_for(judged: Judged) -> None:
    report = judged.of({**EDIT, GOLDEN: "other than its row says"}, (KIM, None))
    assert "digest-mismatch" in rules(report.findings)


WORTHLESS: dict[str, dict[str, Any]] = {
    "of another commit": {"approvals": [(KIM, "b" * 40)]},
    "of the base": {"approvals": [(KIM, "0" * 40)]},
    "the author's own": {"approvals": [(KIM, None)], "author": KIM},
    "a stranger's": {"approvals": [(STRANGER, None)]},
    "an agent's account": {"approvals": [(CLAUDE, None)]},
    "on another forge": {"approvals": [("gitlab:1001", None)]},
    "none": {"approvals": []},
    "of a human of the job's alone": {"approvals": [(STRANGER, None)], "humans": (STRANGER,)},
    "where nobody is named": {"approvals": [(KIM, None)], "policy": "version = 1\n"},
}


@pytest.mark.parametrize("case", WORTHLESS.values(), ids=WORTHLESS)
def test_approvals_that_vouch_for_nothing(judged: Judged, case: dict[str, Any]) -> None:
    case = dict(case)
    report = judged.of(EDIT, *case.pop("approvals"), **case)
    assert {seen.state for seen in report.findings} == {State.UNSCORED}
    assert report.vouched == ()


def test_who_names_himself_human_in_the_change_is_none(judged: Judged) -> None:
    own = POLICY.replace(KIM, STRANGER)
    report = judged.of({**EDIT, "ledgergate.toml": own}, (STRANGER, None))
    assert "policy-edited" in rules(report.findings)


def test_the_first_policy_takes_an_author_that_the_job_names(judged: Judged) -> None:
    first = {**WITHOUT_ACKS, "ledgergate.toml": POLICY}
    only = {"README.md": "app\n"}
    report = judged.of(first, author=KIM, base=only, humans=(KIM,))
    assert report.state is State.PASS, report.findings


@pytest.mark.parametrize(
    "case",
    [
        {"author": KIM},
        {"author": STRANGER, "humans": (KIM,)},
        {"author": STRANGER, "humans": (KIM,), "approved": KIM},
        {"author": CLAUDE, "humans": (CLAUDE,)},
    ],
    ids=["nobody is named", "another author", "another author, approved", "an agent"],
)
def test_the_first_policy_of_anybody_else_waits(judged: Judged, case: dict[str, Any]) -> None:
    case = dict(case)
    approvals = [(case.pop("approved"), None)] if "approved" in case else []
    report = judged.of({**WITHOUT_ACKS, "ledgergate.toml": POLICY}, *approvals, base={"README.md": "app\n"}, **case)
    assert report.state is (State.FAIL if case["author"] == CLAUDE else State.UNSCORED)


BROKEN: dict[str, tuple[Edit, Edit]] = {
    "policy": ({"ledgergate.toml": "version = "}, {"ledgergate.toml": POLICY}),
    "ledger": ({"tests/ledger.yaml": "rows: [\n"}, {"tests/ledger.yaml": BASE["tests/ledger.yaml"]}),
    "freeze ledger": ({"tests/freeze_ledger.json": "{"}, {"tests/freeze_ledger.json": freezes()}),
}


@pytest.mark.parametrize(("broken", "mended"), BROKEN.values(), ids=BROKEN)
def test_a_base_that_cannot_be_read_is_mended_by_the_jobs_humans(judged: Judged, broken: Edit, mended: Edit) -> None:
    base = {**BASE, "ledgergate.toml": POLICY, **broken}
    report = judged.of(mended, (STRANGER, None), base=base, humans=(STRANGER,))
    assert report.state is State.PASS, report.findings
    assert {(item.kind, item.subject) for item in report.items} == {("file", next(iter(mended)))}
    assert len(report.vouched) == len(report.items)


@pytest.mark.parametrize(("broken", "mended"), BROKEN.values(), ids=BROKEN)
def test_and_by_nobody_else(judged: Judged, broken: Edit, mended: Edit) -> None:
    base = {**BASE, "ledgergate.toml": POLICY, **broken}
    report = judged.of(mended, (STRANGER, None), base=base, humans=(KIM,))
    assert report.state is State.UNSCORED


def test_a_policy_in_the_change_names_nobody_who_mends(judged: Judged) -> None:
    base = {**BASE, "ledgergate.toml": "version = "}
    assert judged.of({"ledgergate.toml": POLICY}, (KIM, None), base=base, humans=(LEE,)).state is State.UNSCORED


def test_signers_where_there_were_none(judged: Judged) -> None:
    signers = ".ledgergate/allowed_signers"
    base = {**BASE, "ledgergate.toml": POLICY}
    del base[signers]
    edit = {signers: SIGNERS}
    report = judged.of(edit, (STRANGER, None), base=base, humans=(STRANGER,))
    assert report.state is State.PASS, report.findings


def test_signers_beside_others_are_no_mending(judged: Judged) -> None:
    edit = {".ledgergate/allowed_signers": SIGNERS + OTHER_SIGNERS}
    assert judged.of(edit, (STRANGER, None), humans=(STRANGER,)).state is State.UNSCORED


TEST_EDIT: Edit = {"tests/test_parse.py": f"{TEST_FILE}\ndef test_further(): pass\n"}
SIGNALS = POLICY.replace("[vouch]\n", '[vouch]\nmode = "signals"\n')


@pytest.mark.parametrize(
    ("policy", "author", "is_agent"),
    [
        (SIGNALS, LEE, False),
        (SIGNALS, STRANGER, True),
        (SIGNALS, CLAUDE, True),
        (POLICY, STRANGER, False),
        (POLICY, CLAUDE, True),
    ],
    ids=["a human", "a stranger", "a bot that is named human", "a stranger, with acks", "a bot, with acks"],
)
def test_whose_account_shows_an_agent(judged: Judged, policy: str, author: str, is_agent: bool) -> None:
    report = judged.of({**TEST_EDIT, **EDIT}, author=author, policy=policy)
    told = {seen.rule: seen.state for seen in report.findings}
    if is_agent:
        assert (told["write-path"], told["digest-changed"]) == (State.FAIL, State.FAIL)
        assert report.actor.signals == (f"account:{author}",)
    else:
        assert told == ({} if policy is SIGNALS else {"digest-changed": State.UNSCORED})


def test_with_signals_what_nobody_made_waits(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    """A forced push drops a human's change: no commit of it did, and none shows that a human meant it."""
    monkeypatch.chdir(repo.path)
    repo.commit({**BASE, "ledgergate.toml": SIGNALS}, "base")
    repo.git("branch", "topic")
    repo.commit({"tests/conftest.py": "import os\n"})
    report = range_report("main", "topic", exact=True)
    assert {(seen.rule, seen.state) for seen in report.findings} == {("protected-path", State.UNSCORED)}
    repo.git("checkout", "-q", "topic")
    repo.commit({"tests/conftest.py": "import sys\n"})
    assert range_report("main", "topic", exact=True).state is State.PASS
