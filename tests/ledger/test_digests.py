"""Artifacts and seed folders as git stores them, measured in real repositories and against the real sha256sum."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledgergate.git import Repository, Snapshot, index_snapshot
from ledgergate.ledger.digests import Measured, file_digest, measure, seed_files
from ledgergate.ledger.lfs import parse_pointer
from support.repo import Repo

REAL = b"real bytes\n"
REAL_SHA = hashlib.sha256(REAL).hexdigest()
EMPTY_SHA = hashlib.sha256(b"").hexdigest()


def pointer(sha: str = REAL_SHA, size: int | str = len(REAL)) -> bytes:
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha}\nsize {size}\n".encode()


def snapshot(repo: Repo) -> Snapshot:
    return index_snapshot(Repository(str(repo.path)))


def digest_of(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def test_a_file_is_its_stored_bytes(repo: Repo) -> None:
    repo.git("config", "core.autocrlf", "true")
    for path, data in (("g/a", b"x\n"), ("g/crlf", b"a\r\nb\n"), ("g/caf\udce9", b"latin"), ('g/a"b\n', b"odd")):
        repo.stage_blob(path, data)
        assert measure(snapshot(repo), path) == Measured(digest_of(data)), path
    assert file_digest(b"x\n") == digest_of(b"x\n")


def test_an_executable_is_a_file(repo: Repo) -> None:
    repo.stage_blob("g/run", b"x", "100755")
    assert measure(snapshot(repo), "g/run").digest == digest_of(b"x")


def what_the_command_prints(folder: Path) -> bytes:
    command = "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 sha256sum"
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=True).stdout


_names = st.one_of(
    st.sampled_from(
        [
            *(
                b"a",
                b"b",
                b"a.b",
                b"a-b",
                b"A",
                b".hidden",
                b"a b",
                b"\xc3\xa9",
                b"e\xcc\x81",
                b"caf\xe9",
                b"\\",
                b"a\\nb",
            ),
            *(
                b"new\nline",
                b"re\rturn",
                b"\r\n\\",
                b"tab\t",
                b'"',
                b"'",
                b"*",
                b"%s",
                b" lead",
                b"trail ",
                b"\xff",
                b"a\x01",
            ),
        ]
    ),
    st.binary(min_size=1, max_size=4),
).filter(lambda name: name not in (b".", b"..") and not set(name) & {0, ord("/")} and not name.startswith(b"-"))
_trees = st.recursive(
    st.binary(max_size=4), lambda inner: st.dictionaries(_names, inner, min_size=1, max_size=4), max_leaves=8
).filter(lambda tree: isinstance(tree, dict))


def _write(folder: bytes, tree: dict[bytes, object], prefix: bytes, repo: Repo) -> None:
    Path(os.fsdecode(folder)).mkdir()
    for name, inner in tree.items():
        if isinstance(inner, dict):
            _write(folder + b"/" + name, inner, prefix + name + b"/", repo)
        else:
            assert isinstance(inner, bytes)
            Path(os.fsdecode(folder + b"/" + name)).write_bytes(inner)
            repo.stage_blob(prefix + name, inner)


@settings(max_examples=15)
@given(_trees)
def test_a_folder_is_what_sha256sum_prints(tmp_path_factory: pytest.TempPathFactory, tree: dict[bytes, object]) -> None:
    top = tmp_path_factory.mktemp("folders")
    repo = Repo(top / "repo")
    _write(os.fsencode(top / "copy"), tree, b"g/folder/", repo)
    repo.stage({"g/beside": "x", "g/folder.txt": "y"})
    printed = what_the_command_prints(top / "copy")
    assert measure(snapshot(repo), "g/folder/", allow_empty=True) == Measured(digest_of(printed))
    shutil.rmtree(top)


@pytest.mark.parametrize(
    ("artifact", "message"),
    [
        ("g/none", "g/none is not there"),
        ("g/none/", "g/none is not there"),
        ("none/none", "none/none is not there"),
        ("g/link", "is a link, and no file"),
        ("g/sub", "is a submodule, and no file"),
        ("g/link/", "is a link, and no folder"),
        ("g/file/", "is a file, and no folder"),
        ("g/folder", "is a folder"),
        ("g/linked/a", "g/linked/a is gone: g/linked is a link"),
        ("g/file/a", "g/file/a is gone: g/file is a file"),
        ("g/withlink/", "g/withlink/l inside it is a link"),
        ("g/withsub/", "g/withsub/s inside it is a submodule"),
        ("g/FILE", "g/file is, and differs only by case"),
        ("G/folder/a", "g/folder/a is, and differs only by case"),
        ("g/e\u0301", "differs only by case or Unicode normalisation"),
        ("G/Folder/", "g/folder is, and differs only by case"),
    ],
)
def test_what_is_missing_says_what_became_of_it(repo: Repo, artifact: str, message: str) -> None:
    commit = repo.commit({"g/file": "x", "g/folder/a": "x", "g/\xe9": "x"})
    for path in ("g/link", "g/linked", "g/withlink/l"):
        repo.stage_blob(path, b"file", "120000")
    for path in ("g/sub", "g/withsub/s"):
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},{path}")
    measured = measure(snapshot(repo), artifact)
    assert (measured.digest, measured.rule) == (None, "artifact-missing")
    assert message in str(measured.message)


def test_what_is_only_intended_to_be_added_is_missing(repo: Repo) -> None:
    repo.write("g/a", "x")
    repo.git("add", "-N", "g/a")
    assert measure(snapshot(repo), "g/a").rule == "artifact-missing"


def test_no_bytes(repo: Repo) -> None:
    repo.stage({"g/empty": "", "g/all/a": "", "g/all/b": "", "g/some/a": "", "g/some/b": "x"})
    head = snapshot(repo)
    assert measure(head, "g/empty").rule == "artifact-empty"
    assert measure(head, "g/empty", allow_empty=True).digest == digest_of(b"")
    assert measure(head, "g/all/").rule == "artifact-empty"
    assert measure(head, "g/all/", allow_empty=True).digest is not None
    assert measure(head, "g/some/").digest is not None


def test_a_pointer_stands_for_the_real_bytes(repo: Repo) -> None:
    repo.stage(
        {"g/a": pointer(), "g/folder/x": pointer(), "g/folder/y": pointer("1" * 64, 5), "g/nil": pointer(EMPTY_SHA, 0)}
    )
    head = snapshot(repo)
    assert measure(head, "g/a", lfs=True) == Measured(digest_of(REAL))
    listing = f"{REAL_SHA}  x\n{'1' * 64}  y\n".encode()
    assert measure(head, "g/folder/", lfs=True) == Measured(digest_of(listing))
    assert measure(head, "g/nil", lfs=True).rule == "artifact-empty"
    assert measure(head, "g/nil", lfs=True, allow_empty=True).digest == digest_of(b"")


def test_a_pointer_in_a_plain_row_is_130_wrong_bytes(repo: Repo) -> None:
    repo.stage({"g/a": pointer(), "g/text": "version 1\n"})
    measured = measure(snapshot(repo), "g/a")
    assert (measured.digest, measured.rule) == (digest_of(pointer()), None)
    assert "add `lfs: true`" in str(measured.message)
    assert measure(snapshot(repo), "g/text").message is None


BAD_POINTERS = [
    REAL,
    b"version https://git-lfs.github.com/spec/v1\n",
    pointer()[:-1],
    pointer() + b"\n",
    pointer() + b"x y\n",
    pointer().replace(b"\n", b"\r\n"),
    pointer().replace(b"v1", b"v2"),
    pointer().replace(b"oid", b"ext-0-foo sha256:" + b"0" * 64 + b"\noid"),
    pointer().replace(b"sha256", b"sha1"),
    pointer(REAL_SHA.upper()),
    pointer(size="011"),
    pointer(size="-1"),
    pointer(size="1.0"),
    pointer(size=0),
    pointer(EMPTY_SHA, 7),
    pointer()[43:] + pointer()[:43],
]


@pytest.mark.parametrize("data", BAD_POINTERS)
def test_what_is_no_pointer(repo: Repo, data: bytes) -> None:
    assert isinstance(parse_pointer(data), str)
    repo.stage_blob("g/a", data)
    repo.stage_blob("g/folder/a", data)
    repo.stage_blob("g/folder/b", pointer())
    for artifact in ("g/a", "g/folder/"):
        measured = measure(snapshot(repo), artifact, lfs=True)
        assert (measured.digest, measured.rule) == (None, "lfs-pointer-invalid")


def test_an_empty_file_has_no_pointer_in_git_lfs_either(repo: Repo) -> None:
    repo.stage({"g/a": ""})
    assert measure(snapshot(repo), "g/a", lfs=True).rule == "artifact-empty"
    assert measure(snapshot(repo), "g/a", lfs=True, allow_empty=True).digest == digest_of(b"")


def test_seed_files_that_count(repo: Repo) -> None:
    counting = {"s/x/a": "1", "s/x/deep/er/b.json": "2", "s/x/c.d": "3", "s/x/-": "4"}
    others = {
        "s/x/.hidden": "1",
        "s/x/.dir/a": "1",
        "s/x/deep/.d/e/a": "1",
        "s/x/empty": "",
        "s/xy/a": "1",
        "s/x.txt": "1",
    }
    repo.stage({**counting, **others})
    repo.stage_blob("s/x/link", b"a", "120000")
    head = snapshot(repo)
    assert seed_files(head, "s/x/") == seed_files(head, "s/x") == sorted(counting)
    assert seed_files(head, "s/none/") == []
    assert seed_files(head, "s/x/a/") == []


def test_a_seed_folder_below_a_dot_counts_by_what_is_inside(repo: Repo) -> None:
    repo.stage({".seeds/x/a": "1"})
    assert seed_files(snapshot(repo), ".seeds/x/") == [".seeds/x/a"]
