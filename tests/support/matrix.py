"""Who changes what and how it arrives: one table for every judge of what reaches a protected branch.

The right answer to a cell follows from three facts: to whom the difference belongs, whether its makers carry a signal,
and whether somebody has proved to be the human who wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Literal, NamedTuple

from ledgergate.values import Item, State
from ledgergate.vouch.acks.document import Ack
from support.acks import EVE, KIM, LEE, MAIN, SIGNERS_PATH, ack, files, key_of, public_of, signers
from support.project import (
    BASE,
    DRAFT,
    FREEZE,
    FREEZES,
    GOLDEN,
    LEDGER,
    LOCKED,
    NOW,
    PROPERTY,
    QUARANTINE,
    ROWS,
    SEED,
    SIGNALLED,
    TEST_FILE,
    Edit,
    edited,
    freezes,
    ledger,
    rows,
    sha256,
)
from support.repo import Repo

RELEASE = "refs/heads/release/1"
# Lee's key has expired; Ron's was taken out, after the project had it; Eve is nobody here.
RON = "ron@example.org"
ALL_SIGNERS = signers(KIM) + signers(LEE, options='namespaces="ledgergate-ack",valid-before="20261101Z"')
GUARDED: dict[str, str | bytes | None] = {**BASE, SIGNERS_PATH: ALL_SIGNERS}
ADOPTED = ("ledgergate.toml", LEDGER, FREEZES, ".ledgergate/")

# contract: proof of a human decides. manners: a signal decides. broken: nobody may. free: anybody may.
Belongs = Literal["contract", "manners", "broken", "free"]


class What(NamedTuple):
    """An edit of `GUARDED`, to whom it belongs, and to whom the way back from it does.

    `is_backported`: all of it may be taken over from the default branch. `base` is what the project has otherwise.
    """

    name: str
    edit: Edit
    belongs: Belongs
    back: Belongs
    is_backported: bool = False
    base: Edit = MappingProxyType({})

    @property
    def needs_adoption(self) -> bool:
        """Whether it edits what a branch that was cut before adoption does not have."""
        return any(path.startswith(ADOPTED) for path in self.edit)

    @property
    def reversed(self) -> Edit:
        return {path: {**GUARDED, **self.base}.get(path) for path in self.edit}


class Who(NamedTuple):
    """Who made a change. `acks` makes what approves these items for a target, and what of it base already holds.

    `was_signer` is whose key the project had, and took out before the change.
    """

    name: str
    trailers: tuple[str, ...] = ()
    email: str = "pat@example.org"
    acks: Callable[[tuple[Item, ...], str], tuple[Iterable[Ack], Iterable[Ack]]] | None = None
    proves: bool = False
    was_signer: str | None = None

    @property
    def has_signal(self) -> bool:
        return bool(self.trailers)


def _signed(**options: object) -> Callable[[tuple[Item, ...], str], tuple[Iterable[Ack], Iterable[Ack]]]:
    return lambda items, target: ((ack(items, target=target, **options),), ())  # type: ignore[arg-type]


def _revoked(items: tuple[Item, ...], target: str) -> tuple[Iterable[Ack], Iterable[Ack]]:
    approval = ack(items, target=target)
    return (approval,), (ack(target=target, revokes=approval.name),)


WHO = (
    Who("agent with a signal", (SIGNALLED,)),
    Who("agent without a signal"),
    Who("unsigned human", email=KIM),
    Who("agent under a human's name", (SIGNALLED,), email=KIM),
    Who("human with ack", email=KIM, acks=_signed(), proves=True),
    Who("agent, and a human's ack", (SIGNALLED,), acks=_signed(), proves=True),
    Who("stranger's ack", acks=_signed(signer=EVE)),
    Who("stranger's ack under a signer's name", acks=_signed(key=key_of(EVE))),
    Who("expired ack", acks=_signed(issued=NOW - timedelta(days=10))),
    Who("expired key", acks=_signed(signer=LEE)),
    Who("revoked key", acks=_signed(signer=RON), was_signer=RON),
    Who("revoked ack", acks=_revoked),
)

NEW_ROW = edited(edited(LOCKED, "test_header", "test_new"), GOLDEN, "tests/goldens/new.bin")
RELOCKED = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))))
MOVED = "tests/goldens/moved.bin"
FLAKY_LENGTH = edited(QUARANTINE, "test_reload", "test_length")
WITHOUT_TEST = edited(TEST_FILE, "def test_header(): pass\n", "")
SECOND_DRAFT = edited(DRAFT, "test_strip", "test_more")
WHAT = (
    What("production", {"src/app.py": "x = 2\n"}, "free", "free", True),
    What("draft added", {LEDGER: ledger(*ROWS, SECOND_DRAFT)}, "free", "contract", True),
    What(
        "row added", {LEDGER: ledger(*ROWS, NEW_ROW), "tests/goldens/new.bin": "header"}, "contract", "contract", True
    ),
    What(
        "class changed",
        rows((PROPERTY, edited(QUARANTINE, "test_reload", "test_length"))),
        "contract",
        "contract",
        True,
    ),
    What("golden and digest", {GOLDEN: "new", **RELOCKED}, "contract", "contract", True),
    What("digest alone", RELOCKED, "broken", "contract"),
    # The way back is to what the row says.
    What("golden alone", {GOLDEN: "new"}, "broken", "free"),
    What("golden gone", {GOLDEN: None}, "broken", "free"),
    What(
        "artifact moved",
        {
            GOLDEN: None,
            "tests/goldens/moved.bin": "header",
            **rows((LOCKED, edited(LOCKED, "header.bin", "moved.bin"))),
        },
        "contract",
        "contract",
        True,
    ),
    What("invariant", rows((PROPERTY, edited(PROPERTY, "non_negative_", ""))), "contract", "contract", True),
    What(
        "seeds moved",
        {"tests/properties/seeds/other/1": "1", **rows((PROPERTY, edited(PROPERTY, "seeds/length/", "seeds/other/")))},
        "contract",
        "contract",
        True,
    ),
    What("quarantine edited", rows((QUARANTINE, edited(QUARANTINE, "09-10", "11-30"))), "contract", "contract", True),
    What("quarantine removed", rows((QUARANTINE, "")), "contract", "contract"),
    What("row removed", rows((PROPERTY, "")), "contract", "contract"),
    What("row renamed", rows((LOCKED, edited(LOCKED, "test_header", "test_other_header"))), "contract", "contract"),
    What("row edited", rows((LOCKED, f"{LOCKED}    params: 3\n")), "contract", "contract", True),
    What("draft edited", rows((DRAFT, edited(DRAFT, "idempotent", "stable"))), "contract", "contract", True),
    What("draft removed", rows((DRAFT, "")), "contract", "free"),
    What("floor lowered", {FREEZES: freezes(FREEZE, floor=0)}, "contract", "contract"),
    What("freeze added", {FREEZES: freezes(FREEZE, {**FREEZE, "id": "fx-2"})}, "contract", "contract", True),
    What("freeze removed", {FREEZES: freezes()}, "contract", "contract"),
    What("policy", {"ledgergate.toml": "version = 1\nagent_new_tests = true\n"}, "contract", "contract"),
    What(
        "signers",
        {SIGNERS_PATH: ALL_SIGNERS + f'zoe@example.org namespaces="ledgergate-ack" {public_of("zoe@example.org")}\n'},
        "contract",
        "contract",
    ),
    What("conftest", {"tests/conftest.py": "collect_ignore = ['x']\n"}, "contract", "contract"),
    What("workflow", {".github/workflows/ci.yml": "on: push\n"}, "contract", "contract"),
    What("seed rewritten", {SEED: "another"}, "contract", "contract", True),
    What("seed added", {"tests/properties/seeds/length/2": "2"}, "free", "contract", True),
    What("live ack removed", {".ledgergate/acks/live.json": None}, "contract", "broken"),
    What("expired ack removed", {".ledgergate/acks/expired.json": None}, "free", "broken"),
    What("test edited", {"tests/test_parse.py": f"{TEST_FILE}\nX = 1\n"}, "manners", "manners"),
    What(
        "test edited where all are approved",
        {"tests/test_parse.py": f"{TEST_FILE}\nX = 1\n"},
        "contract",
        "contract",
        base={"ledgergate.toml": "version = 1\n[vouch]\ntests = true\n"},
    ),
    What(
        "test of a row removed",
        {"tests/test_parse.py": edited(TEST_FILE, "def test_header(): pass\n", "")},
        "broken",
        "manners",
    ),
)


class Arrived(NamedTuple):
    """What is judged: from one commit to another, for a ref. `is_behind`: the ref has got more meanwhile."""

    old: str
    new: str
    target: str = MAIN
    is_exact: bool = False
    is_behind: bool = False


class Cell:
    """A history in which somebody changes something, written in one go. Commits are marks until then."""

    def __init__(self, repo: Repo, who: Who, what: What, in_base: Edit) -> None:
        self._repo = repo
        self.who = who
        self.what = what
        self.base: Edit = {**GUARDED, **what.base, **in_base}
        self._stream: list[bytes] = []
        self._marks = 0

    def commit(
        self, edit: Edit, *parents: str, who: Who | None = None, committer: str | None = None, as_is: bool = False
    ) -> str:
        """A commit of an edit on top of its first parent, by a human without a signal, or by `who`."""
        self._marks += 1
        author = who.email if who else "lin@example.org"
        text = "\n\n".join(("change", *(who.trailers if who else ())))
        lines = [
            f"commit refs/scratch/{self._marks}\nmark :{self._marks}\n"
            f"author A <{author}> 1780000000 +0000\ncommitter C <{committer or author}> 1780000000 +0000\n".encode(),
            _data(text),
            *(f"{'merge' if number else 'from'} {parent}\n".encode() for number, parent in enumerate(parents)),
        ]
        for path, content in edit.items():
            if content is None:
                lines += [f"D {path}\n".encode()] if parents else []
            else:
                lines += [f"M 100644 inline {path}\n".encode(), _data(content)]
        self._stream += [*lines, b"\n"]
        return f":{self._marks}"

    def first(self, without: tuple[str, ...] = ()) -> str:
        """The first commit: the guarded project, or what of it lies elsewhere than below these."""
        project = {path: text for path, text in self.base.items() if not (without and path.startswith(without))}
        if self.who.was_signer and not without:
            before = self.commit({**project, SIGNERS_PATH: ALL_SIGNERS + signers(self.who.was_signer)})
            return self.commit({SIGNERS_PATH: project[SIGNERS_PATH]}, before)
        return self.commit(project)

    def change(self, *parents: str, edit: Edit | None = None, committer: str | None = None) -> str:
        """The commit of whoever is asked about."""
        return self.commit(self.what.edit if edit is None else edit, *parents, who=self.who, committer=committer)

    def write(self, arrived: Arrived, refs: Mapping[str, str]) -> None:
        """Make the repository hold all that was said, and the refs what they are named for."""
        resets = b"".join(f"reset {ref}\nfrom {mark}\n\n".encode() for ref, mark in refs.items())
        marks = "".join(f"reset refs/judged/{name}\nfrom {getattr(arrived, name)}\n\n" for name in ("old", "new"))
        stream = b"".join(self._stream) + resets + marks.encode()
        self._repo.git("fast-import", "--quiet", "--force", stdin=stream)


def _data(content: str | bytes) -> bytes:
    data = content.encode() if isinstance(content, str) else content
    return b"data %d\n%b\n" % (len(data), data)


README: Edit = {"README.md": "more\n"}
Arrival = tuple[Arrived, Mapping[str, str]]


class How(NamedTuple):
    """A way in which a change reaches a branch. `goes_back`: what is judged is the way back from the edit."""

    name: str
    make: Callable[[Cell], Arrival]
    goes_back: bool = False


def _plain(cell: Cell) -> Arrival:
    main = cell.first()
    return Arrived(main, cell.change(main)), {MAIN: main}


def _fork(cell: Cell) -> Arrival:
    """A pull request of a fork: its branch is behind, and merged in memory."""
    start = cell.first()
    main = cell.commit(README, start)
    return Arrived(main, cell.change(start), is_behind=True), {MAIN: main}


def _merge(cell: Cell) -> Arrival:
    start = cell.first()
    main = cell.commit(README, start)
    return Arrived(main, cell.commit(README, cell.change(start), main, who=cell.who)), {MAIN: main}


def _evil_merge(cell: Cell) -> Arrival:
    """A merge that makes the change itself."""
    start = cell.first()
    main, topic = cell.commit(README, start), cell.commit({"NEWS.md": "n\n"}, start)
    return Arrived(main, cell.change(topic, main, edit={**README, **cell.what.edit})), {MAIN: main}


def _ours(cell: Cell) -> Arrival:
    """A merge that leaves out what the branch has got."""
    start = cell.first()
    main, topic = cell.commit(cell.what.edit, start), cell.commit(README, start)
    return Arrived(main, cell.change(topic, main, edit={})), {MAIN: main}


def _squash(cell: Cell) -> Arrival:
    main = cell.first()
    return Arrived(main, cell.change(main, committer="noreply@github.com")), {MAIN: main}


def _rebase(cell: Cell) -> Arrival:
    main = cell.commit(README, cell.first())
    return Arrived(main, cell.change(main, committer="lin@example.org"), is_exact=True), {MAIN: main}


def _revert(cell: Cell) -> Arrival:
    main = cell.commit(cell.what.edit, cell.first())
    return Arrived(main, cell.change(main, edit=cell.what.reversed)), {MAIN: main}


def _force_push(cell: Cell) -> Arrival:
    start = cell.first()
    main = cell.commit({"NEWS.md": "n\n"}, start)
    return Arrived(main, cell.change(start, edit={"NEWS.md": "n\n", **cell.what.edit}), is_exact=True), {MAIN: main}


def _queue(cell: Cell) -> Arrival:
    """Two pull requests in one batch, of which one is somebody else's."""
    main = cell.first()
    other, topic = cell.commit(README, main), cell.change(main)
    batch = cell.commit(cell.what.edit, cell.commit({}, main, other), topic)
    return Arrived(main, batch, is_exact=True), {MAIN: main}


def _stale(cell: Cell) -> Arrival:
    """A branch that was cut before the project was guarded."""
    start = cell.first(without=ADOPTED)
    guard = {path: text for path, text in cell.base.items() if path.startswith(ADOPTED)}
    main = cell.commit(guard, start)
    return Arrived(main, cell.change(start), is_behind=True), {MAIN: main}


def _backport(cell: Cell) -> Arrival:
    """What the default branch has got, for a release branch."""
    release = cell.first()
    main = cell.commit(cell.what.edit, release)
    return Arrived(release, cell.change(release), RELEASE), {MAIN: main, RELEASE: release}


STALE, BACKPORT = How("stale branch", _stale), How("backport", _backport)
HOW = (
    How("plain commit", _plain),
    How("pull request of a fork", _fork),
    How("merge", _merge),
    How("evil merge", _evil_merge),
    How("merge -s ours", _ours, goes_back=True),
    How("squash", _squash),
    How("rebase", _rebase),
    How("revert", _revert, goes_back=True),
    How("amend and force-push", _force_push),
    How("merge queue", _queue),
    STALE,
    BACKPORT,
)


def right_answer(who: Who, what: What, how: How) -> State:
    """The state that a cell has to end in."""
    belongs = what.back if how.goes_back else what.belongs
    if how is STALE and what.needs_adoption:
        # It adds what the branch has got meanwhile: a conflict; or removes what it never had.
        return State.PASS if set(what.edit.values()) == {None} else State.UNSCORED
    if how is BACKPORT and what.is_backported:
        belongs = "free"
    match belongs:
        case "free":
            return State.PASS
        case "broken":
            return State.FAIL
        case "manners":
            return State.FAIL if who.has_signal and not who.proves else State.PASS
        case "contract":
            return State.PASS if who.proves else State.FAIL if who.has_signal else State.UNSCORED


Judged = Callable[[Arrived], tuple[State, tuple[Item, ...]]]


def arrive(repo: Repo, who: Who, what: What, how: How, items: tuple[Item, ...]) -> Arrived:
    """Write a cell's history, with the acks of its contract on top; the arrival names commits."""
    target = RELEASE if how is BACKPORT else MAIN
    added, landed = who.acks(items, target) if who.acks and items else ((), ())
    cell = Cell(repo, who, what, files(*landed))
    arrived, refs = how.make(cell)
    approvals = files(*added)
    if approvals:
        arrived = arrived._replace(new=cell.commit(approvals, arrived.new))
    cell.write(arrived, refs)
    old, new = repo.git("rev-parse", "refs/judged/old", "refs/judged/new").split()
    return arrived._replace(old=old, new=new)


def landing(repo: Repo, arrived: Arrived) -> str | None:
    """The commit that a server would be given: what a forge merges in memory, somebody has merged before they push.

    None on a conflict: until it is resolved there is no such commit. That is why "stale branch" has fewer cells there.
    """
    if not arrived.is_behind:
        return arrived.new
    merged = repo.run("git", "merge-tree", "--write-tree", "--no-messages", arrived.old, arrived.new)
    if merged.returncode != 0:
        return None
    tree = merged.stdout.decode().split()[0]
    return repo.git("commit-tree", tree, "-p", arrived.old, "-p", arrived.new, "-m", "merge")
