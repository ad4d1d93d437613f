"""Files that a checkout, a filter or a large-file store makes others of: what counts is what git stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.gate import (
    AS_AGENT,
    accepted,
    commit,
    gate,
    guarded,
    install_hooks,
    locked_row,
    verdict,
)
from support.project import LEDGER, sha256
from support.repo import Repo

pytestmark = pytest.mark.slow

G = "tests/goldens/"
FORMS = {
    "LF": b"one\ntwo\n",
    "CRLF": b"one\r\ntwo\r\n",
    "mixed": b"one\r\ntwo\nthree\r\n",
    "lone CR": b"one\rtwo\r",
    "no end": b"one\r\ntwo",
    "CR CR LF": b"one\r\r\ntwo\r\r\n",
}


class TestLineEnds:
    """A checkout may write other line ends than git stores. What is locked is what git stores."""

    @pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
    def test_a_clone_that_converts(self, repo: Repo, autocrlf: str) -> None:
        files = {f"{G}{number}.txt": data for number, data in enumerate(FORMS.values())}
        guarded(repo, files)
        clone = Repo(repo.path.parent / "clone", init=False)
        repo.git("-c", f"core.autocrlf={autocrlf}", "clone", "-q", str(repo.path), str(clone.path))
        clone.configure()
        clone.git("config", "--replace-all", "core.autocrlf", autocrlf)
        install_hooks(clone)
        assert ((clone.path / G / "0.txt").read_bytes() == FORMS["CRLF"]) == (autocrlf == "true")
        clone.write("src/app.py", "x = 2\r\n")
        assert accepted(commit(clone, "-a", env=AS_AGENT))
        assert verdict(clone, "verify").refusals <= {"test-removed"}

    @pytest.mark.parametrize("data", FORMS.values(), ids=FORMS)
    def test_locked_as_it_is_and_not_otherwise(self, repo: Repo, data: bytes) -> None:
        path = G + "x.txt"
        guarded(repo, {path: data}, files={".gitattributes": f"{path} -text\n"})
        repo.write("src/app.py", "x = 2\n")
        repo.git("add", "-A")
        assert verdict(repo, env=AS_AGENT).state == "PASS"
        for other in {*FORMS.values()} - {data}:
            repo.write(path, other)
            repo.git("add", path)
            assert verdict(repo).paths("digest-mismatch") == {path}

    def test_only_line_ends_on_disk_change_nothing(self, repo: Repo) -> None:
        guarded(repo, {G + "x.txt": FORMS["LF"]})
        repo.git("config", "core.autocrlf", "true")
        repo.write(G + "x.txt", FORMS["CRLF"])
        repo.git("add", "-A")
        assert verdict(repo, env=AS_AGENT).state == "PASS"

    def test_renormalising_rewrites_a_golden(self, repo: Repo) -> None:
        guarded(repo, {G + "x.txt": FORMS["CRLF"]})
        install_hooks(repo)
        repo.write(".gitattributes", "* text=auto\n")
        repo.git("add", ".gitattributes")
        assert accepted(commit(repo))
        repo.git("add", "--renormalize", ".")
        assert verdict(repo).paths("digest-mismatch") == {G + "x.txt"}
        assert not accepted(commit(repo))
        assert "line ends" in gate(repo, "explain", "digest-mismatch").out


REAL = b"\x89PNG" + bytes(range(256)) * 40
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def pointer(oid: str = sha256(REAL), size: int | str = len(REAL)) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid {oid}\nsize {size}\n".encode()


BROKEN_POINTERS = {
    "the real bytes": REAL,
    "a line more": pointer() + b"ext-0-x sha256:00\n",
    "no last line end": pointer()[:-1],
    "CRLF": pointer().replace(b"\n", b"\r\n"),
    "no size": pointer().rpartition(b"size")[0],
    "size no number": pointer(size="12k"),
    "size 0 of other bytes": pointer(size=0),
    "size of no bytes": pointer(oid=f"sha256:{EMPTY}"),
    "another version": pointer().replace(b"/v1", b"/v2"),
    "another order": b"".join(reversed(pointer().splitlines(keepends=True))),
    "another hash": pointer().replace(b"sha256:", b"sha512:"),
    "upper case": pointer().replace(b"sha256:" + pointer()[54:60], b"sha256:" + pointer()[54:60].upper() + b""),
    "text before": b"\n" + pointer(),
}


class TestLfsPointers:
    """In place of a large file git stores a note that names it. The note is not the file, nor its hash the file's."""

    @pytest.fixture
    def project(self, repo: Repo) -> Repo:
        row = locked_row(G + "big.bin", sha256(REAL), extra="    lfs: true\n")
        attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n"
        guarded(repo, {}, rows=row, files={G + "big.bin": pointer(), ".gitattributes": attributes})
        install_hooks(repo)
        return repo

    def test_a_pointer_to_the_locked_bytes(self, project: Repo) -> None:
        project.stage_blob("src/app.py", b"x = 2\n")
        assert accepted(commit(project, env=AS_AGENT))
        assert verdict(project, "verify").refusals <= {"test-removed"}

    def test_a_pointer_to_other_bytes(self, project: Repo) -> None:
        project.stage_blob(G + "big.bin", pointer(oid=sha256("other"), size=5))
        assert verdict(project).paths("digest-mismatch") == {G + "big.bin"}
        assert not accepted(commit(project))

    @pytest.mark.parametrize("data", BROKEN_POINTERS.values(), ids=BROKEN_POINTERS)
    def test_no_pointer(self, project: Repo, data: bytes) -> None:
        project.stage_blob(G + "big.bin", data)
        seen = verdict(project)
        assert seen.paths("lfs-pointer-invalid") == {G + "big.bin"}
        assert "git lfs" in seen.message("lfs-pointer-invalid")

    def test_both_at_once_by_a_human(self, project: Repo) -> None:
        text = (project.path / LEDGER).read_text().replace(sha256(REAL), sha256("other"))
        project.stage_blob(G + "big.bin", pointer(oid=sha256("other"), size=5))
        project.stage_blob(LEDGER, text.encode())
        assert verdict(project).state == "PASS"
        assert "digest-changed" in verdict(project, env=AS_AGENT).refusals

    @pytest.mark.parametrize("data", [pointer(), BROKEN_POINTERS["no size"]], ids=["pointer", "broken"])
    def test_a_pointer_where_the_row_does_not_expect_one(self, repo: Repo, data: bytes) -> None:
        guarded(repo, {G + "big.bin": REAL})
        repo.stage_blob(G + "big.bin", data)
        seen = verdict(repo)
        assert seen.paths("digest-mismatch") == {G + "big.bin"}
        assert "LFS pointer" in seen.message("digest-mismatch")
        assert "`lfs: true`" in seen.message("digest-mismatch")

    def test_a_text_that_only_speaks_of_pointers(self, repo: Repo) -> None:
        guarded(repo, {G + "doc.txt": b"# version https://git-lfs.github.com/spec/v1 is the first line\n"})
        repo.stage_blob(G + "doc.txt", b"changed\n")
        assert "LFS" not in verdict(repo).message("digest-mismatch")


class TestFilters:
    """What lies on disk went through conversions that git was told of. They are never run to judge a commit."""

    @pytest.fixture
    def trap(self, tmp_path: Path) -> Path:
        """A program that tells on whoever starts it."""
        program = tmp_path / "trap"
        program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\ncat\n")
        program.chmod(0o755)
        return program

    @pytest.mark.parametrize("name", ["plain.dat", "odd\tname.dat"])
    def test_no_program_of_the_configuration_is_started(self, repo: Repo, trap: Path, name: str) -> None:
        path = G + name
        guarded(repo, {path: "data\n"}, files={".gitattributes": "*.dat filter=rot diff=rot merge=rot\n"})
        repo.git("branch", "topic")
        repo.stage_blob(path, b"tampered\n")
        (repo.path / path).touch()
        for key in (
            "filter.rot.clean",
            "filter.rot.smudge",
            "filter.rot.process",
            "diff.rot.textconv",
            "diff.external",
            "core.fsmonitor",
        ):
            repo.git("config", key, str(trap))
        repo.git("config", "filter.rot.required", "true")
        for command in (["check", "--staged"], ["verify"], ["check", "--from", "main", "--to", "topic"]):
            gate(repo, *command)
        assert verdict(repo).paths("digest-mismatch") == {path}
        assert not (trap.parent / "sprung").exists()

    def test_nor_to_merge_two_branches(self, repo: Repo, trap: Path) -> None:
        path = G + "x.dat"
        guarded(repo, {path: "data\n"}, files={".gitattributes": "*.dat filter=rot\n", "src/lib.py": "x\n"})
        repo.git("checkout", "-q", "-b", "topic")
        repo.commit({"src/app.py": "x = 2\n"})
        repo.git("checkout", "-q", "main")
        repo.commit({"src/lib.py": "y\n"})
        for key in ("filter.rot.clean", "filter.rot.smudge"):
            repo.git("config", key, str(trap))
        assert verdict(repo, "check", "--from", "main", "--to", "topic").state == "PASS"
        assert not (trap.parent / "sprung").exists()

    def test_working_tree_encoding(self, repo: Repo) -> None:
        """The blob holds UTF-8 whatever the file on disk holds; a writer that stored the file's bytes is seen."""
        text, path = "Write-Host 'café'\n", G + "x.ps1"
        attributes = "*.ps1 text working-tree-encoding=UTF-16LE eol=crlf\n"
        guarded(repo, {path: text}, files={".gitattributes": attributes})
        on_disk = text.replace("\n", "\r\n").encode("utf-16-le")
        assert (repo.path / path).read_bytes() == on_disk
        repo.write("src/app.py", "x = 2\n")
        repo.git("add", "-A")
        assert verdict(repo, env=AS_AGENT).state == "PASS"
        repo.stage_blob(path, on_disk)
        seen = verdict(repo)
        assert seen.paths("digest-mismatch") == {path}
        assert "staged" in seen.message("digest-mismatch")

    def test_ident(self, repo: Repo) -> None:
        path = G + "x.c"
        guarded(repo, {path: "/* $Id$ */\n"}, files={".gitattributes": "*.c ident\n"})
        install_hooks(repo)
        assert "$Id: " in (repo.path / path).read_text()
        repo.write("src/app.py", "x = 2\n")
        assert accepted(commit(repo, "-a", env=AS_AGENT))
        repo.stage_blob(path, (repo.path / path).read_bytes())
        assert verdict(repo).paths("digest-mismatch") == {path}
