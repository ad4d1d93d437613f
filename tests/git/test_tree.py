"""Tree objects that git would not write are refused, byte by byte; those that it writes are read as it reads them."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pygit2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.checks.collisions import Twins
from ledgergate.checks.whole_tree import verify
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository, Snapshot, between
from ledgergate.git.change import differing_paths
from ledgergate.git.tree import parse_tree
from ledgergate.values import State
from support.project import GOLDEN, NOW, Project, rules
from support.repo import Repo
from support.trees import Stored, commit_edited, in_order, tree_bytes

Edit = Callable[[list[Stored]], list[Stored]]

OID = "12" * 20
FILE = b"100644"
ODD_MODES = (
    *("120777", "20000", "60000", "140000", "177777", "0", "1", "100600", "100640", "100666"),
    *("0100644", "040000", "10644", "160777", "40755", "+100644"),
)
HOSTILE_NAMES = (
    "",
    "a/b",
    "/",
    "tests/goldens/header.bin",
    ".",
    "..",
    ".git",
    ".GIT",
    ".gIt ",
    ".git. .",
    ".git::$INDEX_ALLOCATION",
    "git~1",
    "GIT~1.",
    ".git\\config",
    "a\\.git",
    "a\\git~1 \\b",
    ".git\u200c",
    ".g\u200d\u202ei\u206ft",
    "\ufeff.GI\u200bT".replace("\u200b", "\u200f"),
)
HONEST_NAMES = (
    "...",
    "..a",
    ".gitignore",
    ".github",
    ".git-blame-ignore-revs",
    ".git~1",
    "git~2",
    "git~10",
    "git",
    "a.git",
    ".git\u200b",
    ".gi\u00ef",
    "caf\udce9",
    "a b",
    "back\\slash",
    "new\nline",
    "x\\.gitx",
)


def one(mode: bytes = FILE, name: str = "a") -> bytes:
    return tree_bytes([(mode, name.encode("utf-8", "surrogateescape"), OID)])


@pytest.mark.parametrize("mode", ODD_MODES)
def test_other_modes_than_gits_own_are_refused(mode: str) -> None:
    with pytest.raises(ValueError, match="a mode or a name"):
        parse_tree(one(mode.encode()))


@pytest.mark.parametrize("mode", [b"40000", b"100644", b"100755", b"120000", b"160000"])
def test_gits_own_modes_are_kept(mode: bytes) -> None:
    assert parse_tree(one(mode)) == {b"a": (mode, bytes.fromhex(OID))}


def test_the_groups_right_to_write_is_no_difference() -> None:
    assert parse_tree(one(b"100664")) == parse_tree(one(FILE))


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_that_land_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="name in it"):
        parse_tree(one(name=name))


@pytest.mark.parametrize("name", HONEST_NAMES)
def test_names_that_only_look_like_them_are_taken(name: str) -> None:
    assert list(parse_tree(one(name=name))) == [name.encode("utf-8", "surrogateescape")]


@pytest.mark.parametrize(
    "entries",
    [
        [(FILE, b"a", OID), (FILE, b"a", OID)],
        [(FILE, b"a", OID), (b"40000", b"a", OID)],
        [(FILE, b"b", OID), (FILE, b"a", OID)],
        [(b"40000", b"a", OID), (FILE, b"a.b", OID)],
    ],
    ids=["twice", "file and folder", "out of order", "a folder in a file's place"],
)
def test_names_twice_or_out_of_order(entries: list[Stored]) -> None:
    with pytest.raises(ValueError, match="twice in it, or out of order"):
        parse_tree(tree_bytes(entries))


def is_plain(name: bytes) -> bool:
    return not set(name) & set(b"/.\0~")


@given(st.data())
def test_a_tree_of_gits_own_is_read_whole_and_no_part_of_one_is(data: st.DataObject) -> None:
    names = data.draw(
        st.sets(st.binary(min_size=1, max_size=4).filter(lambda name: not set(name) & set(b"/.\0~")), min_size=1)
    )
    modes = st.sampled_from([b"40000", b"100644", b"100755", b"120000", b"160000"])
    entries = in_order((data.draw(modes), name, data.draw(st.binary(min_size=20, max_size=20)).hex()) for name in names)
    whole = tree_bytes(entries)
    assert parse_tree(whole) == {name: (mode, bytes.fromhex(oid)) for mode, name, oid in entries}
    cut = data.draw(st.integers(1, len(tree_bytes(entries[-1:])) - 1))
    for damaged in (whole[:-cut], whole + b"x", b"x" + whole):
        with pytest.raises(ValueError, match="a mode or a name"):
            parse_tree(damaged)


def remoded(entries: list[Stored]) -> list[Stored]:
    return [(b"120777", name, oid) for _, name, oid in entries]


def overlaid(entries: list[Stored]) -> list[Stored]:
    """One more entry, whose name is the path of a golden."""
    return in_order([*entries, (FILE, GOLDEN.encode(), next(oid for mode, _, oid in entries if mode == FILE))])


MALFORMED = pytest.mark.parametrize(
    ("folder", "edit"),
    [
        ("tests/goldens", remoded),
        ("tests/properties/seeds/length", remoded),
        ("", overlaid),
        ("tests/agent_drafts", lambda entries: [(mode, b".git", oid) for mode, _, oid in entries]),
    ],
    ids=["golden modes", "seed modes", "a path for a name", "git's own folder"],
)


def snapshot(project: Project, commit: str | None) -> Snapshot:
    return Repository(str(project.repo.path)).snapshot(commit)


class TestEverywhere:
    @pytest.fixture
    def project(self, repo: Repo) -> Project:
        return Project(repo)

    @MALFORMED
    def test_no_range_and_no_whole_tree_passes(self, project: Project, folder: str, edit: Edit) -> None:
        commit = commit_edited(project.repo, folder, edit)
        assert rules(project.between("main", commit).findings) == {"git-unreadable"}
        whole = verify(snapshot(project, None), snapshot(project, commit), NOW, iter)
        assert rules(whole.findings) == {"git-unreadable"}
        assert whole.state is State.UNSCORED

    @MALFORMED
    def test_nor_does_a_branch_that_has_to_be_merged(self, project: Project, folder: str, edit: Edit) -> None:
        commit = commit_edited(project.repo, folder, edit)
        project.repo.commit({"src/app.py": "x = 2\n"})
        with pytest.raises(LedgergateError, match="is malformed"):
            between(Repository(str(project.repo.path)), "main", commit)

    def test_what_a_change_does_not_touch_is_not_looked_at(self, project: Project) -> None:
        commit = commit_edited(project.repo, "tests/agent_drafts", remoded)
        project.repo.git("update-ref", "HEAD", commit)
        later = commit_edited(project.repo, "src", lambda found: [(b"100755", name, oid) for _, name, oid in found])
        assert project.between("main", later).state is State.PASS

    def test_look_ups_walks_and_listings_refuse_it(self, project: Project) -> None:
        tree = snapshot(project, commit_edited(project.repo, "tests/goldens", remoded))
        for look in (
            lambda: tree.entry(GOLDEN),
            lambda: tree.names("tests/goldens"),
            lambda: list(tree.files("tests")),
            lambda: tree.is_folder("tests/goldens"),
            lambda: tree.read(GOLDEN),
        ):
            with pytest.raises(LedgergateError, match="is malformed"):
                look()
        assert tree.entry("src/app.py") is not None

    def test_a_folder_that_is_no_tree(self, project: Project) -> None:
        commit = commit_edited(project.repo, "tests/goldens", lambda found: [(b"40000", n, oid) for _, n, oid in found])
        with pytest.raises(LedgergateError, match="no tree"):
            list(snapshot(project, commit).files())

    def test_honest_trees_of_old_gits_pass(self, project: Project) -> None:
        commit = commit_edited(project.repo, "src", lambda found: [(b"100664", name, oid) for _, name, oid in found])
        assert project.between("main", commit).state is State.PASS
        assert [path for path, _ in snapshot(project, commit).files("src")] == ["src/app.py"]


def test_folders_may_lie_deeper_in_each_other_than_calls_may(repo: Repo) -> None:
    """A push of such a tree is judged as any other, and not an error in us."""
    repo.commit({"a.py": "x\n"})
    objects = pygit2.Repository(str(repo.path))
    tree, folders = objects.head.peel(pygit2.Tree).id, 2 * sys.getrecursionlimit()
    for _ in range(folders):
        builder = objects.TreeBuilder()
        builder.insert("d", tree, pygit2.enums.FileMode.TREE)
        tree = builder.write()
    author = pygit2.Signature("A", "a@example.org")
    commit = objects.create_commit(None, author, author, "Deep", tree, [objects.head.target])
    own = Repository(str(repo.path))
    old, new = own.snapshot(str(objects.head.target)), own.snapshot(str(commit))
    path = "d/" * folders + "a.py"
    assert [each for each, _ in new.files()] == [path]
    assert [each.path for each in differing_paths(old, new)] == ["a.py", path]
    assert list(Twins(new).of(path)) == []
