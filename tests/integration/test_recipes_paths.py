"""Paths are bytes to git, and names to a disk: what no screen can show, and what a disk takes for one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.gate import (
    AS_AGENT,
    Said,
    accepted,
    commit,
    gate,
    gate_process,
    guarded,
    install_hooks,
    locked_row,
    verdict,
)
from support.project import FREEZES, LEDGER, freezes, ledger, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

G = "tests/goldens/"
# What a ledger, which is UTF-8, can name; the one that it cannot.
NAMES = {
    "umlaut": "café.json",
    "decomposed": "cafe\u0301.json",
    "space": "a b.json",
    "quote": 'a"b.json',
    "apostrophe": "it's.json",
    "tab": "a\tb.json",
    "newline": "a\nb.json",
    "dash": "-x.json",
    "magic": ":(top)x",
    "diff header": "x b/y.json",
    "arrow": "a -> b.json",
    "brackets": "[z]*?.json",
    "hash": "a #b.json",
    "percent": "100%0A.json",
    "bidi": "a\u202eb.json",
    "astral": "😀.json",
    "escape": "a\x1b[31mb.json",
    "trailing space": "x .json ",
}
LATIN_1 = "caf\udce9.json"
COMMAND = "::error file=x::y"
UNNAMEABLE = (LATIN_1, COMMAND)
LOCALES = {
    "C": {"LC_ALL": "C"},
    "C without UTF-8 mode": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "UTF-8": {"LC_ALL": "C.UTF-8"},
    "Latin-1 output": {"PYTHONIOENCODING": "latin-1:strict"},
}
NARROW = {name: LOCALES[name] for name in ("C without UTF-8 mode", "Latin-1 output")}


class TestPathBytes:
    """A name that is quoted, decoded or printed wrongly matches nothing, and what matches nothing goes unjudged."""

    @pytest.fixture
    def project(self, repo: Repo) -> Repo:
        guarded(repo, {G + name: "good" for name in NAMES.values()}, files={"tests/folder/" + LATIN_1: "x"})
        return repo

    def test_each_is_judged_by_its_own_name(self, project: Repo) -> None:
        for name in NAMES.values():
            project.stage_blob(G + name, b"bad")
            seen = verdict(project, "check", "--staged", "--all", env=AS_AGENT)
            assert seen.paths("digest-mismatch") == {G + name}
            project.stage_blob(G + name, b"good")
        assert verdict(project, env=AS_AGENT).state == "PASS"

    def test_each_is_missed_by_its_own_name(self, project: Repo) -> None:
        for name in NAMES.values():
            project.git("update-index", "--force-remove", "-z", "--stdin", stdin=f"{G}{name}\0".encode())
        assert verdict(project).paths("artifact-missing") == {G + name for name in NAMES.values()}

    @pytest.mark.slow
    @pytest.mark.parametrize("environment", LOCALES.values(), ids=LOCALES)
    @pytest.mark.parametrize("output", ["text", "json", "github"])
    def test_shown_in_any_locale(self, project: Repo, output: str, environment: dict[str, str]) -> None:
        for name in (*NAMES.values(), *UNNAMEABLE):
            project.stage_blob(G + name, b"bad")
        project.stage_blob(f"src/{LATIN_1}", b"x")
        if output == "json":
            seen = verdict(project, env=environment, run=gate_process)
            assert seen.paths("digest-mismatch") == {G + name for name in NAMES.values()}
            assert seen.paths("golden-unclassified") == {G + "caf%E9.json", G + COMMAND}
            assert seen.state == "FAIL"
        else:
            done = gate_process(project, "check", "--staged", "--format", output, "--all", env=environment)
            assert done.status == 1
            assert_each_on_one_line(done, output)

    @pytest.mark.parametrize("environment", NARROW.values(), ids=NARROW)
    def test_a_real_commit_in_a_narrow_locale(self, project: Repo, environment: dict[str, str]) -> None:
        install_hooks(project)
        project.stage_blob(f"src/{LATIN_1}", b"x")
        assert accepted(commit(project, env=environment))
        project.stage_blob(G + NAMES["umlaut"], b"bad")
        assert not accepted(commit(project, env=environment))

    def test_outside_utf8_no_row_can_name_it_and_it_is_refused(self, project: Repo) -> None:
        project.stage_blob(G + LATIN_1, b"new")
        seen = verdict(project)
        assert seen.paths("golden-unclassified") == {G + "caf%E9.json"}
        assert r'"tests/goldens/caf\351.json"' in gate(project, "check", "--staged").out

    def test_outside_utf8_a_folder_can_hold_it(self, repo: Repo) -> None:
        digest = "sha256:" + repo.run("sh", "-c", PRINT_DIGEST, stdin=b"good").stdout.decode().strip()
        row = locked_row("tests/folder/", digest)
        guarded(repo, {}, rows=row, files={f"tests/folder/{LATIN_1}": "good"})
        repo.stage({"src/app.py": "x = 2\n"})
        assert verdict(repo, "verify").refusals <= {"test-removed"}
        repo.stage_blob(f"tests/folder/{LATIN_1}", b"bad")
        assert verdict(repo).paths("digest-mismatch") == {"tests/folder/"}

    @pytest.mark.parametrize("path", [":(top)x", "-x.json", "a\nb", "--staged", " x "])
    def test_at_the_top_of_the_repository(self, repo: Repo, path: str) -> None:
        guarded(repo, {path: "good"})
        repo.stage_blob(path, b"bad")
        assert verdict(repo).paths("digest-mismatch") == {path}

    @pytest.mark.parametrize("environment", NARROW.values(), ids=NARROW)
    @pytest.mark.parametrize("folder", ["caf\udce9", "caf\u00e9 \U0001f600", "a'b\"c\n", "-x"], ids=ascii)
    def test_the_repository_itself_lies_in_an_odd_folder(
        self, tmp_path: Path, folder: str, environment: dict[str, str]
    ) -> None:
        repo = Repo(tmp_path / os.fsdecode(folder.encode("utf-8", "surrogateescape")) / "repo")
        guarded(repo, {G + "a.txt": "good"})
        repo.stage({G + "a.txt": "bad"})
        assert verdict(repo, env=environment, run=gate_process).paths("digest-mismatch") == {G + "a.txt"}

    @pytest.mark.parametrize("environment", NARROW.values(), ids=NARROW)
    def test_names_of_people(self, repo: Repo, environment: dict[str, str]) -> None:
        """Git stores a name in whatever bytes its settings hold."""
        guarded(repo, {G + "a.txt": "good"})
        config = repo.path / ".git/config"
        config.write_bytes(config.read_bytes().replace(b"Kim Human", b"Jos\xe9 \xc3\xa9"))
        repo.stage({"src/app.py": "x = 2\n"})
        assert verdict(repo, env=environment, run=gate_process).state == "PASS"
        repo.git("commit", "-q", "-m", b"caf\xe9")
        assert (
            verdict(repo, "check", "--from", "HEAD~1", "--to", "HEAD", env=environment, run=gate_process).state
            == "PASS"
        )

    def test_relocked_by_a_human(self, project: Repo) -> None:
        """The same names as notes of a change that is in order."""
        new = {G + name: "better" for name in NAMES.values()}
        text = (project.path / LEDGER).read_text(encoding="utf-8")
        for path, content in {**new, LEDGER: text.replace(sha256("good"), sha256("better"))}.items():
            project.stage_blob(path, content.encode())
        for output in ("text", "json", "github"):
            done = gate_process(
                project, "check", "--staged", "--format", output, "--all", env=LOCALES["C without UTF-8 mode"]
            )
            assert done.status == 0


# How the digest of a folder is defined, over one file that standard input becomes.
PRINT_DIGEST = (
    "mkdir ../measured && cd ../measured && cat > \"$(printf 'caf\\351.json')\" && "
    "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1"
)


def assert_each_on_one_line(done: Said, output: str) -> None:
    """Every finding's path stands on a line of its own, and no name begins a line or a command of its own."""
    lines = done.out.splitlines()
    assert r'"tests/goldens/a\nb.json' in done.out
    assert r"caf\351.json" in done.out
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    github = ("::error ", "::notice ", "Judged as", "ledgergate: ")
    starts = github if output == "github" else ("FAIL", "note ", "ledgergate: ", " ")
    assert [line for line in lines if line and not line.startswith(starts)] == []
    if output == "github":
        assert all(line.count("::") >= 2 for line in lines if line.startswith("::"))
        assert sum(line.startswith("::error file=") for line in lines) == 2 * (len(NAMES) + len(UNNAMEABLE))


COLLISIONS = {
    "case": ("a.json", "A.json"),
    "case of a folder": ("sub/a.json", "Sub/a.json"),
    "case of a folder and a file": ("sub/a.json", "SUB/A.json"),
    "composition": ("caf\u00e9.json", "cafe\u0301.json"),
    "composition of a folder": ("\u00e9/a.json", "e\u0301/a.json"),
    "both": ("\u00c9.json", "e\u0301.json"),
    "Greek sigma": ("\u03c3.json", "\u03c2.json"),
}
DISTINCT = {
    "letters": ("a.json", "b.json"),
    "an accent": ("cafe.json", "caf\u00e9.json"),
    "a folder": ("sub/a.json", "sup/A.json"),
    "an ending": ("a.json", "a.json2"),
    "width": ("a.json", "\uff41.json"),
}


class TestNamesThatCollideOnDisk:
    """Two tracked files can be one file on a disk that folds names: a test then reads the one that nobody locked."""

    @pytest.mark.parametrize("pair", COLLISIONS.values(), ids=COLLISIONS)
    @pytest.mark.parametrize("are_both_locked", [True, False], ids=["both locked", "one locked"])
    def test_introduced(self, repo: Repo, pair: tuple[str, str], are_both_locked: bool) -> None:
        first, second = (G + name for name in pair)
        guarded(repo, {first: "one"})
        repo.stage_blob(second, b"two")
        if are_both_locked:
            text = repo.git("show", f"HEAD:{LEDGER}") + "\n" + locked_row(second, sha256("two"))
            repo.stage_blob(LEDGER, text.encode())
        seen = verdict(repo)
        assert seen.paths("artifact-collision") == {second}
        assert "one file on a disk" in seen.message("artifact-collision")

    def test_refused_at_a_real_commit(self, repo: Repo) -> None:
        guarded(repo, {G + "a.json": "one"})
        install_hooks(repo)
        repo.stage_blob(G + "A.json", b"two")
        assert not accepted(commit(repo))

    def test_introduced_outside_the_goldens(self, repo: Repo) -> None:
        guarded(repo, {"data/a.bin": "one"})
        repo.stage_blob("Data/a.bin", b"two")
        assert verdict(repo).paths("artifact-collision") == {"Data/a.bin"}

    def test_first_commit_with_both(self, repo: Repo) -> None:
        rows = locked_row(G + "a.json", sha256("1")), locked_row(G + "A.json", sha256("1"), test="tests/t.py::test_b")
        files = {"ledgergate.toml": "version = 1\n", LEDGER: ledger(*rows), FREEZES: freezes()}
        for path, content in {**files, G + "a.json": "1", G + "A.json": "1"}.items():
            repo.stage_blob(path, content.encode())
        assert "artifact-collision" in verdict(repo).refusals

    @pytest.mark.parametrize("pair", DISTINCT.values(), ids=DISTINCT)
    def test_names_that_differ_on_every_disk(self, repo: Repo, pair: tuple[str, str]) -> None:
        first, second = (G + name for name in pair)
        guarded(repo, {first: "one"})
        repo.stage_blob(second, b"two")
        repo.stage_blob(
            LEDGER, (repo.git("show", f"HEAD:{LEDGER}") + "\n" + locked_row(second, sha256("two"))).encode()
        )
        assert verdict(repo).state == "PASS"

    def test_nothing_locked(self, repo: Repo) -> None:
        guarded(repo, {G + "a.json": "one"})
        repo.stage_blob("src/App.py", b"two")
        assert verdict(repo, env=AS_AGENT).state == "PASS"

    def test_an_old_one_does_not_stop_other_work(self, repo: Repo) -> None:
        guarded(repo, {G + "a.json": "one", G + "A.json": "two"})
        repo.stage_blob("src/app.py", b"x = 2\n")
        assert verdict(repo, env=AS_AGENT).state == "PASS"
        assert verdict(repo, "verify").seen("artifact-collision")

    @pytest.mark.parametrize("pair", COLLISIONS.values(), ids=COLLISIONS)
    def test_a_row_that_names_the_twin(self, repo: Repo, pair: tuple[str, str]) -> None:
        """Paths are compared byte by byte; where only the folding differs, the message says so."""
        named, there = (G + name for name in pair)
        guarded(repo, {there: "one"})
        repo.stage_blob(LEDGER, ledger(locked_row(named, sha256("one"))).encode())
        seen = verdict(repo)
        assert seen.paths("artifact-missing") == {named}
        assert "differs only by case or Unicode normalisation" in seen.message("artifact-missing")


def test_the_names_are_what_they_are_meant_to_be() -> None:
    """This file was not normalised by an editor."""
    assert NAMES["umlaut"] == "caf\u00e9.json"
    assert os.fsencode(LATIN_1) == b"caf\xe9.json"
