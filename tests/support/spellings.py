"""Reads the edits of a folder below tests/guard, and gives them as commits of one repository.

A file holds the spellings of one kind of move. `=== base` begins the files before an edit, and `=== TITLE` those that
the edit lays over the base above it; `=== TITLE (not told)` is one that the guard lets pass. Within them `--- PATH`
begins a file (`--- PATH (removed)` takes it away), and without that line the text is that of `tests/test_app.py`.
Files of tests begin with the usual imports, which are not written out, but in `WHOLE` folders; `%GOOD` stands for the
code without its bugs, and `%RICH` for more code with more of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ledgergate.checks import test_guard
from ledgergate.git import Change, Repository
from ledgergate.policy.model import Policy
from ledgergate.values import Actor, Finding
from ledgergate.vouch import Case, Rules
from support.repo import Repo

CODE = "app.py"
_TESTS = "tests/test_app.py"
_FUNCTIONS = """\
def total(xs):
    return sum(xs) + 1


def parse(s):
    if not s:
        raise RuntimeError("empty")
    return int(s)
"""
_WRONG = f"""\
class Bad(ValueError):
    pass


{_FUNCTIONS}"""
_RIGHT = _WRONG.replace("sum(xs) + 1", "sum(xs)").replace('RuntimeError("empty")', 'Bad("empty")')
_RICH = (
    """\
import asyncio
from dataclasses import dataclass


class Bad(ValueError):
    pass


class Limit(Bad):
    pass


"""
    + _FUNCTIONS
    + """\


async def fetch_total(xs):
    await asyncio.sleep(0)
    return total(xs)


async def fetch_parsed(s):
    await asyncio.sleep(0)
    return parse(s)


def slugify(text):
    return text.strip().replace(" ", "-")


def discount(price, pct):
    return round(price - price * pct / 1000, 2)


def summary(xs):
    return {"count": len(xs), "total": total(xs), "max": max(xs, default=None)}


def tags(line):
    return line.split(",")


def withdraw(balance, amount):
    if amount > balance:
        raise RuntimeError("insufficient funds")
    return balance - amount


class Cart:
    def __init__(self, currency="EUR"):
        self.currency = currency
        self.lines = []

    def add(self, name, price, qty=1):
        if qty < 0:
            raise Bad("qty must be positive")
        self.lines.append((name, price, qty))
        return self

    def total(self):
        return sum(price for _, price, _ in self.lines)

    def to_dict(self):
        return {"currency": self.currency, "lines": len(self.lines), "total": self.total()}


@dataclass
class User:
    name: str
    admin: bool = True


def make_user(name):
    return User(name)
"""
)
WHOLE = frozenset({"natural_spellings"})
_IMPORTS = "import pytest\n\nfrom app import Bad, parse, total\n\n\n"
_STANDING_FOR = {"%GOOD\n": _RIGHT, "%RICH\n": _RICH}
_NOT_TOLD = " (not told)"
_SECTION = re.compile(r"^=== (.+)\n", re.MULTILINE)
_FILE = re.compile(r"^--- (\S+)( \(removed\))?\n", re.MULTILINE)

_AGENT = Actor("agent", ("env:AI_AGENT",))
_POLICY = Policy(tests=("tests/**",), goldens=(), agent_write_paths=("**",))

Files = dict[str, str | None]


class Spelling(NamedTuple):
    """One edit: whole trees before and after, but for the code under test where it is the wrong one (`CODE`)."""

    kind: str
    title: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    is_told: bool


def spellings(folder: Path) -> Iterator[Spelling]:
    """All spellings of a folder, those of one kind after another."""
    is_whole = folder.name in WHOLE
    for path in sorted(folder.glob("*.txt")):
        base: Files = {}
        parts = _SECTION.split(path.read_text("utf-8"))[1:]
        for title, text in zip(parts[::2], parts[1::2], strict=True):
            if title == "base":
                base = {CODE: _WRONG, **_files(text, is_whole=is_whole)}
            else:
                name = title.removesuffix(_NOT_TOLD)
                yield Spelling(
                    path.stem, name, _tree(base), _tree({**base, **_files(text, is_whole=is_whole)}), name == title
                )


def _files(text: str, *, is_whole: bool) -> Files:
    parts = _FILE.split(text)
    found: Files = {_TESTS: _with_imports(_TESTS, parts[0])} if parts[0].strip() else {}
    for path, removed, content in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        shown = _STANDING_FOR.get(content, content)
        found[path] = None if removed else shown if is_whole else _with_imports(path, shown)
    return found


def _with_imports(path: str, text: str) -> str:
    is_tests = path.startswith("tests/") and path.rpartition("/")[2].startswith("test_") and path.endswith(".py")
    has_own = text.startswith("import pytest\n") and "from app import Bad, parse, total" in text
    return _IMPORTS + text if is_tests and not has_own else text


def _tree(files: Files) -> Mapping[str, str]:
    return {path: text for path, text in files.items() if text is not None}


def findings_of(repo: Repo, found: Sequence[Spelling]) -> list[list[Finding]]:
    """What the guard says of each spelling as the staged edit of an agent who may write anywhere."""
    trees = [tree for one in found for tree in (one.before, one.after)]
    repo.git("fast-import", "--quiet", stdin=b"".join(_commit(number, tree) for number, tree in enumerate(trees)))
    told = repo.git("for-each-ref", "--format=%(refname:lstrip=3) %(objectname)").splitlines()
    commits = dict(line.split() for line in told)
    repository = Repository(str(repo.path))
    sides = ((commits[f"{2 * number}"], commits[f"{2 * number + 1}"]) for number in range(len(found)))
    return [list(_findings(repository, before, after)) for before, after in sides]


def _commit(number: int, tree: Mapping[str, str]) -> bytes:
    lines = [f"commit refs/heads/n/{number}\ncommitter K <k@example.org> 1700000000 +0000\ndata 0\n".encode()]
    for path, text in tree.items():
        data = text.encode()
        lines.append(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")
    return b"".join(lines)


def _findings(repository: Repository, before: str, after: str) -> Iterator[Finding]:
    base, head = repository.snapshot(before), repository.snapshot(after)
    change = Change("staged", base=base, head=head, target=base)
    case = Case(change, Rules(_POLICY, "base"), datetime.now(UTC), _AGENT)
    return (one for one in test_guard.check(case) if not one.is_note)
