"""Which program is called as git, and that nobody's settings change what it says to us."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, between
from ledgergate.git.plumbing import find_git
from support.repo import Repo


def test_git_is_the_first_on_the_path_and_never_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, first, second = tmp_path / "here", tmp_path / "first", tmp_path / "second"
    for folder in (here, first, second):
        folder.mkdir()
        (folder / "git.exe").touch()
    monkeypatch.chdir(here)
    assert find_git([".", "", str(tmp_path), str(first), str(second)]) == str(first / "git.exe")
    with pytest.raises(LedgergateError, match="there is no git"):
        find_git([".", "", str(tmp_path)])


SETTINGS = (
    *(
        f"i18n.{key}={name}"
        for key in ("logOutputEncoding", "commitEncoding")
        for name in ("utf-16", "utf-32", "UTF-7")
    ),
    *("i18n.logOutputEncoding=ebcdic-us", "i18n.logOutputEncoding=ISO-2022-KR", "i18n.logOutputEncoding=latin1"),
    *("log.showSignature=true", "log.follow=true", "log.diffMerges=first-parent", "log.decorate=full"),
    *("log.abbrevCommit=true", "log.date=iso", "log.mailmap=true", "format.pretty=oneline", "diff.renames=copies"),
    *("color.ui=always", "column.ui=always", "core.quotePath=false", "core.abbrev=4", "core.commentChar=;"),
    *("core.pager=false", "diff.external=false", "diff.noprefix=true", "diff.relative=true", "status.short=true"),
    *("diff.mnemonicPrefix=true", "diff.wordRegex=.", "diff.algorithm=patience", "notes.displayRef=refs/heads/*"),
    *("gpg.format=ssh", "tag.sort=-refname", "branch.sort=-refname", "submodule.recurse=true"),
)


@pytest.fixture
def told(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A history with a move, a merge, a signature that nobody made, and a message in an encoding of its own."""
    monkeypatch.chdir(repo.path)
    verifier = repo.write(".git/verifier", "#!/bin/sh\necho 'gpg: whose signature is this?' >&2\nexit 1\n")
    verifier.chmod(0o755)
    repo.git("config", "gpg.program", str(verifier))
    repo.commit({"kept": "1", "old é": "one\ntwo\n"})
    repo.commit({"old é": "one\ntwo\nthree\n"})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"old é": None, "new é": "one\ntwo\nthree\n"})
    odd = repo.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\nencoding UTF-16LE\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n", 1
    )
    repo.git("reset", "-q", "--hard", repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=odd.encode()))
    repo.git("checkout", "-q", "main")
    repo.commit({"kept": "2"})
    repo.git("checkout", "-q", "side")
    repo.git("merge", "-q", "--no-ff", "--no-edit", "main")
    repo.commit({"new é": "two\nthree\nfour\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"kept": "3"})
    repo.git("checkout", "-q", "side")
    return repo


def all_that_is_parsed(repository: Repository) -> Iterable[object]:
    change = between(repository, "main", "side")
    yield change.head.id
    yield [commit.id for commit in change.commits]
    yield change.merge_bases("main", "side") if change.merge_bases else None
    yield [snapshot.id for path in ("new é", "kept") for snapshot in repository.earlier_snapshots(path)]
    yield repository.branches_in(repository.commit_id("side"), "refs/heads/")
    yield repository.last_of([repository.commit_id("main"), repository.commit_id("side")])


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_changes_what_is_read(setting: str, told: Repo) -> None:
    plain = list(all_that_is_parsed(Repository()))
    key, _, value = setting.partition("=")
    told.git("config", key, value)
    assert list(all_that_is_parsed(Repository())) == plain
