"""The records that every layer passes on. Frozen, and free of I/O.

Named tuples, since a hook pays for each data class with a millisecond of its start.

A *git path* is a `str` that holds the path's bytes decoded as UTF-8 with `surrogateescape`: any byte that git allows
survives, two paths are equal exactly when their bytes are, and `display_path` makes one printable.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Literal, NamedTuple


class State(Enum):
    """What a check, a lane or a verdict can be. Members stand in folding order: a later one outweighs an earlier."""

    PASS = "PASS"  # noqa: S105 - a verdict, no password
    SKIP = "SKIP"
    UNSCORED = "UNSCORED"
    FAIL = "FAIL"


_WEIGHT = {state: weight for weight, state in enumerate(State)}


def fold(states: Iterable[State]) -> State:
    """The worst of the states. Of none at all: UNSCORED, since nothing was measured."""
    return max(states, key=_WEIGHT.__getitem__, default=State.UNSCORED)


class Finding(NamedTuple):
    """One thing that a check saw.

    `rule` names an entry of the catalogue (`rules.RULES`), `check` who saw it. `path` is a git path, `line` counts from
    1. `old` and `new` are short texts (a digest, a class, a whole field). A note decides nothing: its state is PASS.
    """

    rule: str
    state: State
    check: str
    message: str
    remedy: str
    path: str | None = None
    line: int | None = None
    subject: str | None = None
    old: str | None = None
    new: str | None = None

    @property
    def is_note(self) -> bool:
        return self.state is State.PASS


ActorKind = Literal["agent", "human"]


class Actor(NamedTuple):
    """Who made a change, as far as signals tell. `signals` holds texts like `env:CLAUDECODE`, sorted."""

    kind: ActorKind
    signals: tuple[str, ...] = ()

    @property
    def is_agent(self) -> bool:
        return self.kind == "agent"


class Identity(NamedTuple):
    """A name and an e-mail address, as a commit or git's configuration gives them."""

    name: str
    email: str


ItemKind = Literal["row", "freeze", "settings", "file"]


class Item(NamedTuple):
    """One difference that belongs to a human. `old` and `new` are `sha256:<hex>`, or None where there is nothing."""

    kind: ItemKind
    subject: str
    old: str | None
    new: str | None


class JudgedCase(NamedTuple):
    """One case of a test report, or one row, and what became of it.

    `class_` is empty where no row covers it, `outcome` empty where no report has it. `verdict` is `admitted`,
    `recorded` (neither evidence nor a finding), or the rule that it broke.
    """

    id: str
    class_: str
    outcome: str
    verdict: str


class Cases(NamedTuple):
    """What test reports were worth: how many cases they hold, and how many rows were admitted and refused."""

    total: int
    admitted: int
    refused: int
    judged: tuple[JudgedCase, ...]


class Report(NamedTuple):
    """The result object between the checks and whatever prints it (`ledgergate-report.v1`).

    `vouched` are those of the items that somebody has vouched for, each with who did. `cases` is there only where test
    reports were judged. `aside` is what there is to say beside the findings, in a sentence. `lacks_signers` tells that
    an item waits for an approval, and that nobody's key counts.
    """

    state: State
    checks: tuple[tuple[str, State], ...]
    actor: Actor
    base: str | None
    head: str | None
    contract: str | None
    items: tuple[Item, ...]
    notes: tuple[Finding, ...]
    findings: tuple[Finding, ...]
    cases: Cases | None = None
    vouched: tuple[tuple[Item, str], ...] = ()
    aside: str | None = None
    lacks_signers: bool = False


_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def display_path(path: str) -> str:
    """The path as it is, or in git's quoted form where a byte of it would not print."""
    if path.isprintable() and '"' not in path and "\\" not in path:
        return path
    return '"' + "".join(_display_char(char) for char in path) + '"'


def display_text(text: str) -> str:
    """The text in one line, with whatever would not print as an escape like `\\n`, `\\x1b` or `\\u202e`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def shell_word(text: str) -> str:
    """The text as one word of a shell command that is shown to be typed."""
    from shlex import quote

    return display_text(quote(text))


def display_lines(text: str) -> list[str]:
    """The lines of a text, each as `display_text` shows it."""
    return [display_text(line) for line in text.split("\n")]


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def _display_char(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    # A byte that was no UTF-8 comes back as itself; any other lone surrogate, which no path holds, as three bytes.
    errors = "surrogateescape" if "\udc80" <= char <= "\udcff" else "surrogatepass"
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", errors))


def path_problem(path: str) -> str | None:
    """Why a text that someone wrote cannot be the path of a file inside the repository, or None."""
    parts = path.split("/")
    if path.startswith("/") or (path[1:3] == ":/" and path[0].isalpha()):
        return "is absolute; write it relative to the root of the repository"
    if "\\" in path:
        return "holds a backslash; write `/` between its parts"
    if any(ord(char) < 32 or ord(char) == 127 for char in path):
        return "holds a control character"
    if ".." in parts:
        return "leaves the repository"
    if "" in parts or "." in parts:
        return "has an empty or `.` part, or ends in a slash"
    if any(part.lower() == ".git" for part in parts):
        return "lies in git's own folder"
    return None
