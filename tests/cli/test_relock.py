"""`ledgergate relock`: what it shows, what it writes, and what it refuses to."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ledgergate.cli import working
from ledgergate.cli.main import main
from ledgergate.ledger import edit
from support.project import AGENT, BASE, GOLDEN, HUMAN, LEDGER, LOCKED, OTHER_GOLDEN, Project, edited, ledger, sha256
from support.repo import Repo
from support.terminal import type_to_ledgergate

pytestmark = pytest.mark.slow

HEADER, OTHER = "tests/test_parse.py::test_header", "tests/test_parse.py::test_other"
QUESTION = "digest? [y/N]"
POINTER = f"version https://git-lfs.github.com/spec/v1\noid {sha256('real')}\nsize 4\n"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(repo.path)
    return Project(repo)


def digests(repo: Repo) -> dict[str, list[str]]:
    """The digests in the ledger on disk, by the row's id."""
    rows = (repo.path / LEDGER).read_text().split("- id: ")[1:]
    return {row.splitlines()[0]: re.findall(r"sha256:[0-9a-f]{64}", row) for row in rows}


def shown(capsys: Capture, *arguments: str, status: int = 1) -> str:
    """What the command printed; it must have ended so."""
    assert main(["relock", *arguments]) == status, capsys.readouterr()
    out, err = capsys.readouterr()
    return out + err


def contract_of(text: str) -> str:
    found = re.search(r"--yes --contract (sha256:[0-9a-f]{64})\n", text)
    assert found is not None, text
    return found[1]


def relock(capsys: Capture, *arguments: str, status: int = 0) -> str:
    """Show, then approve exactly what was shown."""
    contract = contract_of(shown(capsys, *arguments))
    return shown(capsys, *arguments, "--yes", "--contract", contract, status=status)


class TestWhichRows:
    def test_staged_takes_what_is_staged_and_stages_the_ledger(self, project: Project, capsys: Capture) -> None:
        repo = project.repo
        repo.stage({GOLDEN: "staged"})
        repo.write(GOLDEN, "on disk only")
        repo.write(OTHER_GOLDEN, "not staged")
        before = (repo.path / LEDGER).read_bytes()
        said = relock(capsys, "--staged")
        assert (repo.path / LEDGER).read_bytes() == before.replace(sha256("header").encode(), sha256("staged").encode())
        assert said.endswith("Staged it.\nNext:\n  git commit\n")
        assert repo.git("diff", "--name-only", "--cached").split() == [GOLDEN, LEDGER]
        assert repo.git("diff", "--name-only").split() == [GOLDEN, OTHER_GOLDEN]
        assert project.staged({}, HUMAN).state.value == "PASS"

    def test_ids_take_what_is_on_disk(self, project: Project, capsys: Capture) -> None:
        repo = project.repo
        repo.write(GOLDEN, "new")
        repo.write(OTHER_GOLDEN, "new other")
        said = relock(capsys, HEADER)
        assert digests(repo)[HEADER] == [sha256("new")]
        assert digests(repo)[OTHER] == [sha256("other")]
        assert said.endswith(f"Staged it.\nNext:\n  git add -- {GOLDEN}\n  git commit\n")
        assert repo.git("diff", "--name-only", "--cached").split() == [LEDGER]

    def test_all_takes_every_locked_row(self, project: Project, capsys: Capture) -> None:
        project.repo.write(GOLDEN, "new")
        project.repo.write(OTHER_GOLDEN, "new other")
        relock(capsys, "--all")
        assert (digests(project.repo)[HEADER], digests(project.repo)[OTHER]) == ([sha256("new")], [sha256("new other")])

    @pytest.mark.parametrize("arguments", [("--staged",), ("--all",), (HEADER, OTHER)])
    def test_nothing_to_do(self, project: Project, capsys: Capture, arguments: tuple[str, ...]) -> None:
        said = shown(capsys, *arguments, status=0)
        assert said.startswith("Nothing to do: the digests of all 2 rows hold")

    def test_staged_names_what_waits_on_disk(self, project: Project, capsys: Capture) -> None:
        project.repo.write(GOLDEN, "new")
        said = shown(capsys, "--staged", status=0)
        assert "Nothing to do: the digests of all 2 rows hold for what is staged.\n" in said
        assert f"`git add -- {GOLDEN}`, then `ledgergate relock --staged` again" in said
        new = edited(edited(LOCKED, GOLDEN, "tests/goldens/new.bin"), "test_header", "test_new")
        project.repo.write(LEDGER, ledger(LOCKED, new))
        project.repo.write("tests/goldens/new.bin", "x")
        said = shown(capsys, "--staged")
        assert "`git add -- tests/goldens/new.bin`, then" in said
        assert "bring the golden back" not in said

    def test_a_ledger_without_locked_rows(self, project: Project, capsys: Capture) -> None:
        project.repo.write(LEDGER, ledger())
        assert shown(capsys, "--all", status=0) == "Nothing to do: the ledgers have no locked rows.\n"

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ((), "exactly one of the three"),
            (("--staged", "--all"), "exactly one of the three"),
            ((HEADER, "--all"), "exactly one of the three"),
            (("--all", "--yes"), "--yes needs --contract DIGEST"),
            (("--all", "--contract", "sha256:0"), "--contract goes with --yes"),
            (("tests/test_parse.py::test_heder",), f"the nearest is {HEADER}"),
            ((GOLDEN,), f"the artifact of {HEADER}"),
            (("tests/test_parse.py::test_reload",), "is a quarantine row"),
        ],
    )
    def test_wrong_calls(self, project: Project, capsys: Capture, arguments: tuple[str, ...], said: str) -> None:
        project.repo.write(GOLDEN, "new")
        assert said in shown(capsys, *arguments, status=2)
        assert digests(project.repo)[HEADER] == [sha256("header")]


class TestArtifacts:
    @pytest.mark.parametrize(
        ("row", "files", "expected"),
        [
            ("artifact: g/a\n    digest: {wrong}\n", {"g/a": "1"}, [sha256("1")]),
            (
                "artifact: [g/a, g/b]\n    digest: [{wrong}, {other}]\n",
                {"g/a": "1", "g/b": "2"},
                [sha256("1"), sha256("2")],
            ),
            ("artifact: g/\n    digest: {wrong}\n", {"g/a": "1"}, [sha256(f"{sha256('1')[7:]}  a\n")]),
            ("artifact: g/a\n    digest: '{wrong}' # why\n    lfs: true\n", {"g/a": POINTER}, [sha256("real")]),
            ("artifact: g/a\n    digest: {wrong}\n    allow_empty: true\n", {"g/a": ""}, [sha256("")]),
        ],
    )
    def test_forms(
        self, project: Project, capsys: Capture, row: str, files: dict[str, str], expected: list[str]
    ) -> None:
        text = row.format(wrong="sha256:" + "0" * 64, other=sha256("2"))
        project.repo.write(LEDGER, ledger("  - id: t.py::t\n    class: locked_fixture\n    " + text))
        for path, content in files.items():
            project.repo.write(path, content)
        relock(capsys, "t.py::t")
        assert digests(project.repo) == {"t.py::t": expected}
        assert (project.repo.path / LEDGER).read_text() == ledger(
            "  - id: t.py::t\n    class: locked_fixture\n    " + text.replace("sha256:" + "0" * 64, expected[0])
        )

    def test_rows_that_share_an_artifact_all_follow_and_are_shown_once(self, project: Project, capsys: Capture) -> None:
        second = edited(LOCKED, "test_header", "test_header_again")
        project.repo.write(LEDGER, ledger(LOCKED, second))
        project.repo.write(GOLDEN, "new")
        said = shown(capsys, "--all")
        assert said.count(f"  {GOLDEN}  ") == 1
        assert f"{HEADER} and 1 more\n" in said
        relock(capsys, "--all")
        assert set(map(tuple, digests(project.repo).values())) == {(sha256("new"),)}

    @pytest.mark.parametrize(
        ("spoil", "reason"),
        [
            (lambda repo: (repo.path / GOLDEN).unlink(), "is not there"),
            (lambda repo: repo.write(GOLDEN, ""), "has no bytes"),
            (lambda repo: repo.write(GOLDEN, POINTER), "is a Git LFS pointer, not the real bytes"),
            (lambda repo: ((repo.path / GOLDEN).unlink(), (repo.path / GOLDEN).symlink_to("other.bin")), "is a link"),
        ],
    )
    @pytest.mark.parametrize("selection", ["--all", "--staged", HEADER])
    def test_what_cannot_be_locked_is_named_and_left(
        self, project: Project, capsys: Capture, spoil: Callable[[Repo], object], reason: str, selection: str
    ) -> None:
        spoil(project.repo)
        project.repo.git("add", "-A")
        said = shown(capsys, selection)
        assert f"cannot lock {HEADER}" in said
        assert reason in said
        assert digests(project.repo)[HEADER] == [sha256("header")]
        assert "write" not in said

    def test_the_other_rows_are_written_and_the_status_tells(self, project: Project, capsys: Capture) -> None:
        project.repo.stage({GOLDEN: "", OTHER_GOLDEN: "new"})
        said = relock(capsys, "--staged", status=1)
        assert "Staged it" in said
        assert (digests(project.repo)[HEADER], digests(project.repo)[OTHER]) == ([sha256("header")], [sha256("new")])

    def test_line_ends_are_those_that_git_stores(self, project: Project, capsys: Capture) -> None:
        project.repo.commit({".gitattributes": "* text eol=crlf\n"})
        project.repo.write(GOLDEN, "one\r\ntwo\r\n")
        project.repo.write(LEDGER, ledger(LOCKED).replace("\n", "\r\n"))
        relock(capsys, HEADER)
        assert digests(project.repo)[HEADER] == [sha256("one\ntwo\n")]
        assert (project.repo.path / LEDGER).read_bytes().count(b"\r\n") == len(ledger(LOCKED).splitlines())


class TestShowing:
    def test_old_and_new(self, project: Project, capsys: Capture) -> None:
        old, new = sha256("one\ntwo\n"), sha256("one\nthree\n")
        project.repo.commit({GOLDEN: "one\ntwo\n", LEDGER: ledger(edited(LOCKED, sha256("header"), old))})
        project.repo.write(GOLDEN, "one\nthree\n")
        assert shown(capsys, "--all").startswith(
            "1 file: 1 line removed, 1 added\n"
            f"  {GOLDEN}  {old[:19]} -> {new[:19]}  {HEADER}\n"
            "    @@ -1,2 +1,2 @@\n     one\n    -two\n    +three\n\n1 row would take new digests; "
        )

    def test_many_alike_are_one_group(self, project: Project, capsys: Capture) -> None:
        names = [f"g/{number}" for number in range(30)]
        rows = [edited(edited(LOCKED, GOLDEN, name), "test_header", f"test_{name[2:]}") for name in names]
        rows = [edited(row, sha256("header"), sha256(f"{name}\nv1\n")) for row, name in zip(rows, names, strict=True)]
        project.repo.commit({LEDGER: ledger(*rows), **{name: f"{name}\nv1\n" for name in names}})
        project.repo.stage({name: f"{name}\nv2\n" for name in names})
        said = shown(capsys, "--staged")
        assert said.startswith("30 files, the same in each: 1 line removed, 1 added\n  g/0  ")
        assert "  ... and 25 more\n" in said
        assert (said.count("+v2"), said.count("30 rows would take new digests")) == (1, 1)
        assert relock(capsys, "--staged").startswith("30 files")
        assert all(
            digests(project.repo)[f"tests/test_parse.py::test_{n}"] == [sha256(f"g/{n}\nv2\n")] for n in range(30)
        )

    def test_old_bytes_that_are_not_in_head(self, project: Project, capsys: Capture) -> None:
        project.repo.stage({GOLDEN: "second"})
        relock(capsys, "--staged")
        project.repo.stage({GOLDEN: "third"})
        said = shown(capsys, "--staged")
        assert "(compared with HEAD, which does not have the bytes of the old digest)" in said
        assert "    -header\n" in said

    def test_bytes_that_were_committed_past_the_hooks(self, project: Project, capsys: Capture) -> None:
        project.repo.commit({GOLDEN: "sneaked in\n"})
        said = shown(capsys, "--all")
        assert "    -header\n" in said
        assert "    +sneaked in\n" in said

    def test_old_bytes_that_history_does_not_have(self, project: Project, capsys: Capture) -> None:
        project.repo.commit({LEDGER: ledger(edited(LOCKED, sha256("header"), sha256("never committed")))})
        assert "the bytes of the old digest are not in the recent history" in shown(capsys, "--all")

    def test_files_of_a_folder(self, project: Project, capsys: Capture) -> None:
        listing = f"{sha256('1')[7:]}  a\n{sha256('2')[7:]}  b\n"
        row = edited(edited(LOCKED, GOLDEN, "g/"), sha256("header"), sha256(listing))
        project.repo.commit({LEDGER: ledger(row), "g/a": "1", "g/b": "2"})
        project.repo.write("g/a", "one")
        project.repo.write("g/c", "3")
        (project.repo.path / "g/b").unlink()
        said = shown(capsys, "--all")
        assert "removed file, 1 line\n  g/b  g/: sha256:" in said
        assert "new file, 1 line\n  g/c  g/: sha256:" in said
        assert "1 line removed, 1 added\n  g/a  g/: sha256:" in said

    def test_before_the_first_commit(self, repo: Repo, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(repo.path)
        repo.stage({"ledgergate.toml": "version = 1\n", LEDGER: ledger(LOCKED), GOLDEN: "new"})
        remark = "the bytes of the old digest are not in the recent history"
        assert f"new file, 1 line ({remark})" in shown(capsys, "--staged")
        assert relock(capsys, "--staged").endswith("  git commit\n")

    def test_showing_touches_nothing(self, project: Project, capsys: Capture) -> None:
        project.repo.write(GOLDEN, "new")
        project.repo.git("status")
        files = {path: path.read_bytes() for path in project.repo.path.rglob("*") if path.is_file()}
        shown(capsys, "--all")
        left = {path: path.read_bytes() for path in project.repo.path.rglob("*") if path.is_file()}
        assert {path for path in files.keys() | left.keys() if files.get(path) != left.get(path)} == {
            path for path in left.keys() - files.keys() if "objects" in path.parts
        }


class TestApproval:
    def test_the_line_that_is_printed_can_be_typed(self, project: Project, capsys: Capture) -> None:
        odd = "tests/test_parse.py::test_it[a b'c]"
        project.repo.write(LEDGER, ledger(edited(LOCKED, HEADER, odd)))
        project.repo.write(GOLDEN, "new")
        line = shown(capsys, odd).splitlines()[-1].strip()
        done = project.repo.run("sh", "-c", line.replace("ledgergate", f"{sys.executable} -m ledgergate", 1))
        assert done.returncode == 0, done.stderr
        assert digests(project.repo) == {odd: [sha256("new")]}

    def test_another_contract_is_refused_and_both_are_named(self, project: Project, capsys: Capture) -> None:
        project.repo.write(GOLDEN, "seen")
        seen = contract_of(shown(capsys, "--all"))
        project.repo.write(GOLDEN, "swapped")
        said = shown(capsys, "--all", "--yes", "--contract", seen)
        now = contract_of(said)
        assert (f"approved: {seen}" in said, f"now:      {now}" in said, now != seen) == (True, True, True)
        assert digests(project.repo)[HEADER] == [sha256("header")]

    @pytest.mark.parametrize("contract", ["", "sha256:", "yes", "\x1b[2J"])
    def test_no_contract_at_all(self, project: Project, capsys: Capture, contract: str) -> None:
        project.repo.write(GOLDEN, "new")
        said = shown(capsys, "--all", "--yes", "--contract", contract)
        assert "is not what was approved" in said
        assert "\x1b" not in said
        assert digests(project.repo)[HEADER] == [sha256("header")]

    def test_the_contract_is_the_one_that_the_hooks_see(self, project: Project, capsys: Capture) -> None:
        project.repo.stage({GOLDEN: "new"})
        contract = contract_of(shown(capsys, "--staged"))
        relock(capsys, "--staged")
        assert project.staged({}, AGENT).contract == contract

    @pytest.mark.parametrize(
        ("keys", "status", "written"),
        [
            (b"y\n", 0, True),
            (b"YES\n", 0, True),
            (b"n\n", 1, False),
            (b"\n", 1, False),
            (b"yep\n", 1, False),
            (b"\x04", 1, False),
            (b"\x03", 130, False),
        ],
    )
    def test_a_person_is_asked_once(self, project: Project, keys: bytes, status: int, written: bool) -> None:
        project.repo.stage({GOLDEN: "new"})
        ended, screen = type_to_ledgergate(project.repo, "relock", "--staged", prompt=QUESTION, keys=keys)
        assert ended == status, screen
        assert screen.count(f"write this {QUESTION}") == 1
        assert (digests(project.repo)[HEADER] == [sha256("new")]) is written
        assert ("Nothing was written." in screen) is (status == 1)


class TestAgents:
    def test_an_agent_is_sent_to_its_human(
        self, project: Project, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.repo.write(GOLDEN, "new")
        contract = contract_of(shown(capsys, "--all"))
        monkeypatch.setenv("CLAUDECODE", "1")
        for more in ((), ("--yes", "--contract", contract)):
            said = shown(capsys, "--all", *more)
            assert "refused: `ledgergate relock` is for humans, and this shell shows an agent (env:CLAUDECODE)" in said
            assert "> Human: run `ledgergate relock` from a shell that no agent started." in said
        assert digests(project.repo)[HEADER] == [sha256("header")]

    @pytest.mark.parametrize("where", ["HEAD", "disk"])
    def test_signals_of_either_policy_count(
        self, project: Project, capsys: Capture, monkeypatch: pytest.MonkeyPatch, where: str
    ) -> None:
        policies = {"HEAD": "version = 1\n", "disk": "version = 1\n"}
        policies[where] += '[identity]\nagents = ["env:OUR_BOT"]\n'
        project.repo.commit({"ledgergate.toml": policies["HEAD"]})
        project.repo.write("ledgergate.toml", policies["disk"])
        project.repo.write(GOLDEN, "new")
        monkeypatch.setenv("OUR_BOT", "1")
        assert "shows an agent (env:OUR_BOT)" in shown(capsys, "--all")


class TestLedgers:
    def test_one_with_other_changes_is_written_and_not_staged(self, project: Project, capsys: Capture) -> None:
        repo = project.repo
        repo.stage({GOLDEN: "new"})
        (repo.path / LEDGER).write_text((repo.path / LEDGER).read_text() + "# a remark\n")
        said = relock(capsys, "--staged")
        assert f"Not staged, since it had other changes that are not staged: {LEDGER}" in said
        assert f"  git diff -- {LEDGER}\n  git add -- {LEDGER}\n  git commit\n" in said
        assert repo.git("diff", "--name-only", "--cached") == GOLDEN
        assert digests(repo)[HEADER] == [sha256("new")]

    def test_paths_are_those_of_the_folder_that_one_stands_in(
        self, project: Project, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.repo.write(GOLDEN, "new")
        monkeypatch.chdir(project.repo.path / "tests")
        said = relock(capsys, "--all")
        line = next(line for line in said.splitlines() if "git add" in line)
        assert line == "  git add -- goldens/header.bin"

    def test_many_goldens_are_named_by_their_folder(self, project: Project, capsys: Capture) -> None:
        rows = [edited(edited(LOCKED, GOLDEN, f"g/{n}"), "test_header", f"test_{n}") for n in range(20)]
        project.repo.write(LEDGER, ledger(*rows))
        for number in range(20):
            project.repo.write(f"g/{number}", str(number))
        assert f"  git add -- {LEDGER} g\n" in relock(capsys, "--all")

    @pytest.mark.parametrize(
        ("path", "content", "said"),
        [
            (LEDGER, "version: 1\nrows:\n\t- x\n", "line 3: the line is indented with a tab"),
            (LEDGER, ledger(LOCKED, LOCKED), "row-duplicate"),
            (LEDGER, ledger(LOCKED, edited(LOCKED, "test_header", "x") + "    odd: 1\n"), "`odd` is no field"),
            ("ledgergate.toml", "version = 2\n", "policy-unreadable"),
            ("services/a/ledger.yaml", ledger(LOCKED), "row-duplicate"),
        ],
    )
    def test_problems_refuse(self, project: Project, capsys: Capture, path: str, content: str, said: str) -> None:
        policy = f'version = 1\nledger = ["{LEDGER}", "services/*/ledger.yaml"]\n'
        project.repo.write("ledgergate.toml", policy)
        project.repo.write(GOLDEN, "new")
        project.repo.write(path, content)
        before = (project.repo.path / path).read_bytes()
        assert said in shown(capsys, "--all")
        assert (project.repo.path / path).read_bytes() == before

    @pytest.mark.parametrize(
        ("spoil", "said"),
        [
            (
                lambda path: (path / "ledgergate.toml").unlink(),
                "ledgergate.toml is staged, and not in the working tree",
            ),
            (lambda path: (path / LEDGER).unlink(), f"{LEDGER} is staged, and not in the working tree"),
            (lambda path: (path / LEDGER).rename(path / "x") and (path / LEDGER).symlink_to("../x"), "no regular file"),
            (lambda path: ((path / LEDGER).unlink(), (path / LEDGER).mkdir()), "no regular file"),
        ],
    )
    def test_files_that_are_not_there(
        self, project: Project, capsys: Capture, spoil: Callable[[Path], object], said: str
    ) -> None:
        spoil(project.repo.path)
        assert said in shown(capsys, "--all")

    def test_no_repository(self, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        assert "no git repository here" in shown(capsys, "--all", status=2)


SECOND = "services/a/ledger.yaml"


class TestSeveralLedgers:
    @pytest.fixture
    def several(self, project: Project) -> Project:
        policy = f'version = 1\nledger = ["{LEDGER}", "services/*/ledger.yaml"]\n'
        row = edited(edited(LOCKED, GOLDEN, OTHER_GOLDEN), "test_header", "test_service")
        project.repo.commit({"ledgergate.toml": policy, SECOND: ledger(row)})
        project.repo.stage({GOLDEN: "new", OTHER_GOLDEN: "header", LEDGER: ledger(LOCKED)})
        project.repo.stage({OTHER_GOLDEN: "new other"})
        return project

    def test_each_has_its_own_rows_written(self, several: Project, capsys: Capture) -> None:
        said = relock(capsys, "--staged")
        assert f"Wrote 2 digests to {SECOND}, {LEDGER}." in said
        assert sha256("new other") in (several.repo.path / SECOND).read_text()
        assert digests(several.repo) == {HEADER: [sha256("new")]}

    def test_of_two_only_the_clean_one_is_staged(self, several: Project, capsys: Capture) -> None:
        (several.repo.path / SECOND).write_text("# mine\n" + (several.repo.path / SECOND).read_text())
        said = relock(capsys, "--staged")
        assert f"other changes that are not staged: {SECOND}" in said
        assert sha256("new") in several.repo.git("show", f":{LEDGER}")
        assert sha256("new other") not in several.repo.git("show", f":{SECOND}")

    @pytest.mark.parametrize(("failing", "said"), [(0, "nothing was written"), (1, f"written before it: {SECOND}")])
    def test_a_full_disk_leaves_every_file_whole(
        self, several: Project, capsys: Capture, monkeypatch: pytest.MonkeyPatch, failing: int, said: str
    ) -> None:
        contract = contract_of(shown(capsys, "--staged"))
        files = [several.repo.path / SECOND, several.repo.path / LEDGER]
        before = [file.read_bytes() for file in files]
        real, calls = working.replace_file, iter(range(9))

        def replace_file(path: Path, data: bytes) -> None:
            if next(calls) == failing:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(path, data)

        monkeypatch.setattr(working, "replace_file", replace_file)
        text = shown(capsys, "--staged", "--yes", "--contract", contract)
        assert "cannot be written: [Errno 28] No space left on device" in text
        assert said in text
        after = [file.read_bytes() for file in files]
        assert [old != new for old, new in zip(before, after, strict=True)] == [failing == 1, False]

    def test_a_ledger_that_changed_meanwhile_is_not_overwritten(
        self, several: Project, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        contract = contract_of(shown(capsys, "--staged"))
        real = edit.set_fields

        def set_fields(*arguments: object) -> bytes:
            (several.repo.path / SECOND).write_text("somebody else's\n")
            return real(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(edit, "set_fields", set_fields)
        text = shown(capsys, "--staged", "--yes", "--contract", contract)
        assert "it changed while it was being looked at; nothing was written" in text
        assert (several.repo.path / SECOND).read_text() == "somebody else's\n"
        assert digests(several.repo) == {HEADER: [sha256("header")]}

    def test_an_index_that_is_locked_is_told_after_the_writing(self, several: Project, capsys: Capture) -> None:
        contract = contract_of(shown(capsys, "--staged"))
        several.repo.write(".git/index.lock", "")
        text = shown(capsys, "--staged", "--yes", "--contract", contract)
        assert "the ledger is written, but could not be staged" in text
        assert f"git add -- {SECOND} {LEDGER}" in text
        assert digests(several.repo) == {HEADER: [sha256("new")]}

    @pytest.mark.parametrize("mark", ["assume-unchanged", "skip-worktree"])
    def test_a_ledger_that_git_is_told_not_to_look_at_is_not_called_staged(
        self, several: Project, capsys: Capture, mark: str
    ) -> None:
        several.repo.git("update-index", f"--{mark}", LEDGER)
        text = shown(capsys, "--staged", "--yes", "--contract", contract_of(shown(capsys, "--staged")))
        assert "Staged it." not in text
        assert (
            f"--no-assume-unchanged --no-skip-worktree -- {'' if mark == 'assume-unchanged' else f'{SECOND} '}{LEDGER}"
            in text
        )


def test_a_row_of_the_base_project_is_what_the_tests_think(project: Project) -> None:
    assert digests(project.repo)[HEADER] == [sha256(str(BASE[GOLDEN]))]


class TestPinnedTests:
    """Rows whose artifact is a test: a human locks any change of it, an agent one of its layout."""

    OLD = "def test_sum():\n    assert add(1, 1) == 2\n\n\ndef test_more():\n    assert add(1, 0) == 1\n"
    NEW = OLD.replace("== 2", "== 3")
    LAYOUT = OLD.replace("add(1, 1) == 2", "add(1, 1) == (2)  # two")
    FILE = "tests/test_sum.py"
    ID = "tests/test_sum.py::test_sum"

    def digest(self, source: str) -> str:
        return sha256(source.partition("\n\n")[0])

    @pytest.fixture
    def pinned(self, project: Project) -> Repo:
        digest = self.digest(self.OLD)
        line = f"  - id: {self.ID}\n    class: locked_fixture\n    artifact: {self.ID}\n    digest: {digest}\n"
        project.repo.commit({self.FILE: self.OLD, LEDGER: ledger(LOCKED, line)})
        return project.repo

    def test_a_human_is_shown_the_lines_that_changed(self, pinned: Repo, capsys: Capture) -> None:
        pinned.stage({self.FILE: self.NEW})
        said = shown(capsys, "--staged")
        old, new = self.digest(self.OLD)[:19], self.digest(self.NEW)[:19]
        assert said.startswith(
            f"1 test: 1 line removed, 1 added\n  {self.ID}  {old} -> {new}  {self.ID}\n"
            "    @@ -1,2 +1,2 @@\n     def test_sum():\n"
            "    -    assert add(1, 1) == 2\n    +    assert add(1, 1) == 3\n\n1 row would"
        )
        relock(capsys, "--staged")
        assert digests(pinned)[self.ID] == [self.digest(self.NEW)]

    @pytest.mark.parametrize("selection", ["--all", "tests/test_sum.py::test_sum"])
    def test_what_is_on_disk(self, pinned: Repo, capsys: Capture, selection: str) -> None:
        pinned.write(self.FILE, self.NEW)
        assert f"git add -- {self.FILE}\n" in relock(capsys, selection)
        assert digests(pinned)[self.ID] == [self.digest(self.NEW)]

    def test_the_old_lines_are_looked_up_where_they_were(self, pinned: Repo, capsys: Capture) -> None:
        pinned.commit({self.FILE: self.NEW})
        assert "    -    assert add(1, 1) == 2\n" in shown(capsys, "--all")

    def test_a_test_that_is_gone_is_named_and_left(self, pinned: Repo, capsys: Capture) -> None:
        pinned.write(self.FILE, self.OLD.replace("test_sum", "test_plus"))
        said = shown(capsys, "--all")
        assert f"cannot lock {self.ID}: {self.FILE}: it does not define the function test_sum" in said

    def test_another_layout_is_a_line(self, pinned: Repo, capsys: Capture) -> None:
        pinned.stage({self.FILE: self.LAYOUT, GOLDEN: "new"})
        said = shown(capsys, "--staged")
        assert said.startswith(f"1 test, layout only (Python reads them as before): {self.ID}\n\n1 file: ")
        assert "2 rows would take new digests" in said
        assert "add(1, 1)" not in said

    @pytest.mark.parametrize("selection", ["--all", "--staged"])
    def test_an_agent_may_relock_a_layout(
        self, pinned: Repo, capsys: Capture, monkeypatch: pytest.MonkeyPatch, selection: str
    ) -> None:
        monkeypatch.setenv("CLAUDECODE", "1")
        pinned.stage({self.FILE: self.LAYOUT})
        relock(capsys, selection)
        assert digests(pinned)[self.ID] == [self.digest(self.LAYOUT)]

    @pytest.mark.parametrize(
        "edit",
        [
            {FILE: NEW},
            {FILE: LAYOUT, GOLDEN: "new"},
            {FILE: OLD},
            {FILE: LAYOUT.replace("test_sum", "test_plus")},
        ],
    )
    def test_an_agent_relocks_nothing_else(
        self, pinned: Repo, capsys: Capture, monkeypatch: pytest.MonkeyPatch, edit: dict[str, str]
    ) -> None:
        monkeypatch.setenv("CLAUDECODE", "1")
        pinned.stage(edit)
        assert "refused: `ledgergate relock` is for humans" in shown(capsys, "--all")

    def test_an_agent_cannot_lend_the_row_another_base(
        self, pinned: Repo, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What counts as the old digest is what is committed, not what the ledger on disk says."""
        pinned.commit({self.FILE: self.NEW})
        text = (pinned.path / LEDGER).read_text().replace(self.digest(self.OLD), self.digest(self.NEW))
        pinned.write(LEDGER, text)
        pinned.write(self.FILE, self.NEW.replace("== 3", "== (3)"))
        monkeypatch.setenv("CLAUDECODE", "1")
        assert "refused: `ledgergate relock` is for humans" in shown(capsys, "--all")
