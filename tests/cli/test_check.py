"""`ledgergate check`, `verify` and `explain` as a user calls them: options, output, exit status."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from ledgergate import __version__
from ledgergate.cli.main import main
from ledgergate.hosts import commit_msg, single_checks
from ledgergate.rules import RULES
from support.project import FREEZES, GOLDEN, LEDGER, ROWS, SIGNALLED, SOUND, Edit, Project, ledger, sha256
from support.repo import Repo

LEDGERGATE = [sys.executable, "-m", "ledgergate"]

SCISSORS = "# ------------------------ >8 ------------------------"


@pytest.fixture
def project(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(repo.path)
    return Project(repo, SOUND)


@pytest.fixture
def as_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")


@pytest.mark.parametrize("arguments", [["check"], ["check", "--staged"]], ids=" ".join)
def test_a_pass_is_one_line_and_zero(
    project: Project, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    project.repo.stage({"src/app.py": "x = 2\n"})
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert out.startswith("ledgergate: PASS")
    assert out.count("\n") == 1
    assert err == ""


@pytest.mark.usefixtures("as_agent")
def test_a_refusal_is_one(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.repo.stage({GOLDEN: "new"})
    assert main(["check", "--staged"]) == 1
    assert "digest-mismatch" in capsys.readouterr().out


@pytest.mark.parametrize("output_format", ["text", "json", "sarif", "github"])
def test_every_format(project: Project, output_format: str, capsys: pytest.CaptureFixture[str]) -> None:
    project.repo.stage({GOLDEN: "new"})
    assert main(["check", "--format", output_format]) == 1
    out = capsys.readouterr().out
    assert "digest-mismatch" in out
    if output_format == "json":
        assert json.loads(out)["state"] == "FAIL"


def test_a_range(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.ranged({LEDGER: ledger(*ROWS[1:])}, trailers=(SIGNALLED,))
    assert main(["check", "--from", "main", "--to", "topic"]) == 1
    assert "row-removed" in capsys.readouterr().out
    assert main(["check", "--from", "topic", "--to", "topic"]) == 0


def test_exact(project: Project) -> None:
    project.ranged({"src/app.py": "x = 2\n"})
    assert main(["check", "--from", "main", "--to", "topic", "--exact"]) == 0


def test_only_some_checks(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.repo.stage({GOLDEN: "new"})
    assert main(["check", "--only", "fixture-digests", "--only", "ledger-schema"]) == 1
    out = capsys.readouterr().out
    assert "digest-mismatch" in out
    assert "2 checks ran" in out
    assert main(["check", "--only", "two-sided-diff", "--only", "ledger-schema"]) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["chekc"],
        ["check", "--form", "x"],
        ["check", "--from", "main"],
        ["check", "--to", "main"],
        ["check", "--from", "", "--to", "main"],
        ["check", "--exact"],
        ["check", "--staged", "--from", "main", "--to", "main"],
        ["check", "--only", "nothing"],
        ["check", "--format", "xml"],
        ["check", "stray"],
        ["explain", "digest-mismatchd"],
    ],
    ids=" ".join,
)
def test_wrong_calls_are_two(project: Project, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err


def test_outside_a_repository_is_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    assert "no git repository" in capsys.readouterr().err


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ledgergate {__version__}\n"
    assert main(["--help"]) == 0
    assert "check" in capsys.readouterr().out
    assert main(["check", "--help"]) == 0


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "two-sided"]) == 0
    assert "two-sided" in capsys.readouterr().out


def test_explain_without_a_rule_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    *rules, word = capsys.readouterr().out.splitlines()
    assert rules == [f"{rule.name}: {rule.title}" for rule in RULES.values()]
    assert word == "contract: what tests are held to"


class TestVerify:
    def test_head(self, project: Project, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["verify"]) == 0
        project.repo.commit({GOLDEN: "new"})
        assert main(["verify"]) == 1
        assert "digest-mismatch" in capsys.readouterr().out
        assert main(["verify", "--at", "HEAD~1"]) == 0

    def test_no_such_revision(self, project: Project) -> None:
        assert main(["verify", "--at", "nope"]) == 1

    def test_before_the_first_commit(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(repo.path)
        assert main(["verify"]) == 1

    def test_a_bar_on_a_terminal(self, project: Project) -> None:
        ours, theirs = pty.openpty()
        done = subprocess.run(
            [*LEDGERGATE, "verify"],
            cwd=project.repo.path,
            env={**project.repo.env, "TERM": "xterm"},
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=False,
        )
        os.close(theirs)
        assert done.returncode == 0
        assert b"verifying" in os.read(ours, 65536)
        os.close(ours)


class TestSingleChecks:
    HOOKS: ClassVar = {
        "ledger-schema": single_checks.ledger_schema,
        "ledger-edits": single_checks.ledger_edits,
        "fixture-digests": single_checks.fixture_digests,
        "two-sided-diff": single_checks.two_sided_diff,
    }

    @pytest.mark.parametrize("name", HOOKS)
    def test_runs_only_itself(self, project: Project, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        project.repo.stage({LEDGER: ledger(*ROWS[:3], ROWS[4]) + "    colour: red\n"})
        assert self.HOOKS[name]([]) == (1 if name == "ledger-schema" else 0)
        assert "1 check ran" in capsys.readouterr().out

    @pytest.mark.parametrize("broken", [{LEDGER: "rows: ["}, {LEDGER: ledger(ROWS[0], ROWS[0])}, {FREEZES: "{"}])
    @pytest.mark.parametrize("name", HOOKS)
    def test_none_passes_what_it_cannot_see(
        self, project: Project, name: str, broken: Edit, capsys: pytest.CaptureFixture[str]
    ) -> None:
        project.repo.stage(broken)
        assert self.HOOKS[name]([]) == 1
        assert "unreadable" in (out := capsys.readouterr().out) or "row-duplicate" in out

    @pytest.mark.parametrize("name", ["ledger-schema", "fixture-digests", "two-sided-diff"])
    def test_nor_what_is_gone(self, project: Project, name: str) -> None:
        project.repo.stage({LEDGER: None})
        assert self.HOOKS[name]([]) == 1

    @pytest.mark.parametrize("name", HOOKS)
    def test_file_names_are_ignored_and_options_refused(self, project: Project, name: str) -> None:
        assert self.HOOKS[name]([GOLDEN, "src/app.py"]) == 0
        assert self.HOOKS[name](["--skip"]) == 2


class TestCommitMessage:
    @pytest.mark.parametrize(
        ("editor", "message", "status"),
        [
            ("vi", "fix", 0),
            ("vi", f"fix\n\n{SIGNALLED}\n", 1),
            ("vi", f"fix\n\n# {SIGNALLED}\n", 0),
            ("vi", f"fix\n{SCISSORS}\n+{SIGNALLED}\n{SIGNALLED}\n", 0),
            (":", f"fix\n{SCISSORS}\n+{SIGNALLED}\n", 0),
            (":", f"fix\n{SCISSORS}\n\n{SIGNALLED}\n", 1),
            ("vi", f"fix\u2028{SCISSORS}\n\n{SIGNALLED}\n", 1),
            ("vi", b"caf\xe9\n\nCo-Authored-By: x <noreply@anthropic.com>\n", 1),
        ],
    )
    def test_trailers_tell(
        self,
        project: Project,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        editor: str,
        message: str | bytes,
        status: int,
    ) -> None:
        monkeypatch.setenv("GIT_EDITOR", editor)
        project.repo.stage({LEDGER: ledger(*ROWS[1:]), GOLDEN: None})
        file = tmp_path / "COMMIT_EDITMSG"
        file.write_bytes(message if isinstance(message, bytes) else message.encode())
        assert commit_msg.main([str(file)]) == status

    @pytest.mark.parametrize("arguments", [[], ["a", "b"]])
    def test_takes_one_file(self, project: Project, arguments: list[str]) -> None:
        assert commit_msg.main(arguments) == 2

    def test_a_message_that_cannot_be_read(self, project: Project, tmp_path: Path) -> None:
        assert commit_msg.main([str(tmp_path / "gone")]) == 1


def test_nothing_staged_in_a_sound_repository(project: Project) -> None:
    assert main(["check"]) == 0


@pytest.mark.parametrize("arguments", [["check", "--staged"], ["check"], ["verify"], ["explain"], ["schema", "ledger"]])
def test_a_reader_that_went_away_is_no_bug(project: Project, tmp_path: Path, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**project.repo.env, "TMPDIR": str(tmp_path)}
    before = set(tmp_path.iterdir())
    with os.fdopen(writing, "w") as pipe:
        done = subprocess.run(
            [*LEDGERGATE, *arguments], stdout=pipe, stderr=-1, text=True, env=environment, check=False
        )
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if not line.startswith("verifying ")] == []
    assert set(tmp_path.iterdir()) == before


def test_verify_without_a_policy_says_how_to_get_one(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repo.path)
    repo.commit({"a": "1"})
    assert main(["verify"]) == 1
    said = capsys.readouterr().out
    assert "There is no ledgergate.toml in this commit" in said
    assert "`ledgergate init`" in said
    assert "if it moved" not in said
    repo.write("ledgergate.toml", "")
    for command in ("verify", "status"):
        assert main([command]) == 1
        told = "".join(capsys.readouterr())
        assert "there is one that no commit has yet: commit it" in told
        assert "git add -f -- :/ledgergate.toml" in told
        assert "init` writes one" not in told


class TestTargets:
    """A ref that nobody protects can be proposed to: the same findings, and nothing is refused."""

    @pytest.fixture
    def topic(self, project: Project) -> Project:
        project.repo.git("checkout", "-q", "-b", "topic")
        project.repo.commit({GOLDEN: "new"}, "edit", trailers=[SIGNALLED])
        return project

    @pytest.mark.parametrize("target", ["refs/heads/main", "refs/heads/release/1.0", "refs/heads/Main"])
    def test_a_protected_one_refuses(self, topic: Project, target: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--from", "main", "--to", "topic", "--target", target]) == 1
        assert "FAIL digest-mismatch" in capsys.readouterr().out

    @pytest.mark.parametrize("target", ["refs//heads/main", "refs/heads/../heads/main", "refs/heads/main/", "main"])
    def test_what_names_no_ref_is_none_that_nobody_protects(self, topic: Project, target: str) -> None:
        assert main(["check", "--from", "main", "--to", "topic", "--target", target]) == 2

    def test_another_one_tells_the_same(self, topic: Project, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "--from", "main", "--to", "topic", "--target", "refs/heads/topic"]) == 0
        out = capsys.readouterr().out
        assert "note digest-mismatch: tests/goldens/header.bin" in out
        assert "> Human:" in out
        assert "refs/heads/topic is not protected, so nothing is refused" in out
        assert "on a protected ref this would be FAIL" in out
        assert out.splitlines()[-1].startswith("ledgergate: PASS")

    @pytest.mark.parametrize("output_format", ["json", "github"])
    def test_to_programs_too(self, topic: Project, output_format: str, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ["check", "--from", "main", "--to", "topic", "--target", "refs/heads/topic"]
        assert main([*arguments, "--format", output_format]) == 0
        out = capsys.readouterr().out
        assert "FAIL on a protected ref" in out
        if output_format == "json":
            report = json.loads(out)
            assert (report["state"], report["findings"], set(report["checks"].values())) == ("PASS", [], {"PASS"})
        else:
            assert "::error" not in out

    def test_what_passes_says_no_more(self, project: Project, capsys: pytest.CaptureFixture[str]) -> None:
        project.repo.git("checkout", "-q", "-b", "topic")
        project.repo.commit({"src/app.py": "x = 2\n"})
        assert main(["check", "--from", "main", "--to", "topic", "--target", "refs/heads/topic"]) == 0
        assert "not protected" not in capsys.readouterr().out

    def test_a_release_branch_may_catch_up_with_the_remotes_default_branch(self, topic: Project) -> None:
        relocked = LEDGER, str(SOUND[LEDGER]).replace(sha256("header"), sha256("new"))
        topic.repo.git("update-ref", "refs/remotes/origin/release/1", "main")
        topic.repo.git("checkout", "-q", "-b", "caught-up", "main")
        topic.repo.commit({GOLDEN: "new", relocked[0]: relocked[1]})
        topic.repo.git("update-ref", "refs/heads/main", "HEAD")
        arguments = ["check", "--from", "origin/release/1", "--to", "caught-up", "--target", "refs/heads/release/1"]
        # A branch of this clone has been looked at by nobody yet.
        assert main(arguments) == 1
        topic.repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
        assert main(arguments) == 0

    def test_the_change_cannot_unprotect_its_target(self, topic: Project, capsys: pytest.CaptureFixture[str]) -> None:
        topic.repo.commit({"ledgergate.toml": 'version = 1\nprotected_refs = ["refs/heads/none"]\n'})
        assert main(["check", "--from", "main", "--to", "topic", "--target", "refs/heads/main"]) == 1

    def test_nor_can_a_first_policy(self, repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(repo.path)
        repo.commit({"README.md": "app\n"})
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit({**SOUND, "ledgergate.toml": 'version = 1\nprotected_refs = ["refs/heads/none"]\n'})
        assert main(["check", "--from", "main", "--to", "topic", "--target", "refs/heads/main"]) == 1
        assert main(["check", "--from", "main", "--to", "topic", "--target", "refs/heads/topic"]) == 0

    def test_what_cannot_be_judged_is_refused_all_the_same(self, topic: Project) -> None:
        assert main(["check", "--from", "nowhere", "--to", "topic", "--target", "refs/heads/topic"]) == 1


class TestDefaultBranch:
    """What another branch is held to by the default one, however that other one is named."""

    RELEASE = "refs/heads/release/1"

    @pytest.fixture
    def topic(self, project: Project) -> Project:
        """A branch that edits a test, for one that was cut before main asked for approvals of tests."""
        repo = project.repo
        repo.commit({"tests/test_app.py": "def test_app():\n    assert app() == 1\n"})
        repo.git("update-ref", "refs/remotes/origin/release/1", "HEAD")
        stricter = 'version = 1\nprotected_refs = ["refs/heads/stable/*"]\n[vouch]\ntests = true\n'
        repo.commit({"ledgergate.toml": stricter})
        repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
        repo.git("checkout", "-q", "-b", "topic", "origin/release/1")
        repo.commit({"tests/test_app.py": "def test_app():\n    assert app() == 2\n"})
        return project

    @pytest.mark.parametrize("of_release", ["origin/release/1", "origin/release/1^0", "topic^", "{}"])
    @pytest.mark.parametrize("target", [(), ("--target", RELEASE)])
    @pytest.mark.parametrize(("default", "ends"), [("origin/main", 1), ("origin/main^", 0)])
    def test_what_it_asks_for(
        self, topic: Project, of_release: str, target: Sequence[str], default: str, ends: int
    ) -> None:
        topic.repo.git("update-ref", "refs/remotes/origin/main", default)
        old = of_release.format(topic.repo.git("rev-parse", "origin/release/1"))
        assert main(["check", "--from", old, "--to", "topic", *target]) == ends

    @pytest.mark.parametrize(("ref", "ends"), [("stable/1", 1), ("release/1", 1), ("main", 1), ("topic/1", 0)])
    def test_what_it_protects(self, topic: Project, ref: str, ends: int) -> None:
        arguments = ["check", "--from", "origin/release/1", "--to", "topic", "--target", f"refs/heads/{ref}"]
        topic.repo.commit({GOLDEN: "new"})
        assert main(arguments) == ends

    def test_it_is_protected_whatever_a_policy_says(self, topic: Project) -> None:
        topic.repo.git("checkout", "-q", "-B", "topic", "origin/main")
        topic.repo.commit({GOLDEN: "new"})
        for default, ends in (("topic", 0), ("main", 1)):
            topic.repo.git("update-ref", f"refs/remotes/origin/{default}", "origin/main")
            arguments = ["check", "--from", "origin/main", "--to", "topic", "--target", f"refs/heads/{default}"]
            assert main(arguments) == ends

    @pytest.mark.parametrize(
        ("known", "ends"),
        [
            (("--from", "origin/release/1"), 1),
            (("--from", "topic^"), 1),
            (("--from", "topic^", "--target", RELEASE), 1),
            (("--from", "topic^", "--target", "refs/heads/main"), 0),
            (("--from", "topic^", "--target", "refs/heads/master"), 0),
        ],
    )
    def test_it_has_to_be_known(
        self, topic: Project, known: Sequence[str], ends: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for ref in ("refs/remotes/origin/main", "refs/heads/main"):
            topic.repo.git("update-ref", "-d", ref)
        assert main(["check", *known, "--to", "topic"]) == ends
        said = " ".join("".join(capsys.readouterr()).split())
        assert ("this repository does not know which that is" in said) is bool(ends)
        topic.repo.git("update-ref", "refs/heads/trunk", "origin/release/1")
        topic.repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/trunk")
        assert main(["check", *known, "--to", "topic"]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--target", "refs/heads/x"], "--target goes with --from and --to"),
        (["--facts", "f.json"], "--facts goes with"),
        (["--humans", "github:1"], "--humans goes with"),
        (["--exact"], "--exact goes with"),
        (["--from", "main", "--to", "main", "--target", "main"], "--target must begin with refs/"),
        (["--from", "main", "--to", "main", "--target", ""], "--target is empty"),
        (["--from", "main", "--to", "main", "--humans", "github:1"], "--humans goes with --facts"),
        (["--from", "main", "--to", "main", "--facts", "f", "--humans", "kim"], "--humans must be a forge"),
        (["--from", "main", "--to", ""], "a range needs both"),
        (["--from", "--to", "x"], "--from needs a value, and `--to` follows it."),
        (["--from", "main", "--to", "--exact"], "--to needs a value, and `--exact` follows it."),
    ],
)
def test_options_that_do_not_go_together(
    project: Project, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_facts_that_are_none_are_unscored(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.repo.write("facts.json", "{}")
    assert main(["check", "--from", "main", "--to", "main", "--facts", "facts.json"]) == 1
    assert "UNSCORED facts-unreadable" in capsys.readouterr().out


def test_in_a_bare_repository_nothing_is_staged(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project.repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare"))
    monkeypatch.chdir(tmp_path / "bare")
    assert main(["check"]) == 1
    said = capsys.readouterr().out
    assert "nothing is staged in a bare repository" in said
    assert "`ledgergate check --from A --to B`" in said
    assert main(["check", "--from", "main", "--to", "main"]) == 0
