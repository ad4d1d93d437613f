"""People and agents at work in one repository: each commit goes through the real hooks, and is written down."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from support.gate import AS_AGENT, SCRIPTS, Said, commit, said
from support.repo import Repo

Who = Literal["agent", "human"]
# What a refusal tells a human to do: each remedy but those for agents alone.
_FOR_HUMANS = re.compile(r"^ *> (?!Agent:)(.*?)(?=^ *> |^ *$|\Z)", re.MULTILINE | re.DOTALL)
# Seconds. The suites are large, and a week may be played beside other work.
_PATIENCE = 600
_CONTRACT = re.compile(r"--contract (sha256:[0-9a-f]{64})")
_NOT_COMMANDS = ("git add", "git diff", "git show", "git restore")


class Move(NamedTuple):
    """One commit that someone wanted.

    `rules` refused it, and the hooks said `told` (none: it was made); `mended_by` is what then let it pass.
    """

    who: Who
    title: str
    honest: bool
    rules: tuple[str, ...]
    told: str
    mended_by: str | None = None

    @property
    def refused(self) -> bool:
        return bool(self.rules)


class Play:
    """A repository in which moves are made.

    `mindful` people run the commands that the README names beside a change; those who are not commit at once, and
    follow what a refusal says. `seen` is told of each move.
    """

    def __init__(self, repo: Repo, *, mindful: bool, seen: Callable[[Move], None]) -> None:
        self.repo = repo
        self.mindful = mindful
        self.seen = seen

    def agent(self, title: str, files: Mapping[str, str | bytes | None] | None = None, *before: str) -> None:
        """An agent's honest commit, after the commands that it may run itself."""
        self._move("agent", title, files or {}, before)

    def human(self, title: str, files: Mapping[str, str | bytes | None] | None = None, *before: str) -> None:
        """A human's honest commit; `before` are the commands that a mindful one runs after staging."""
        self._move("human", title, files or {}, before if self.mindful else ())

    def always(self, title: str, files: Mapping[str, str | bytes | None] | None = None, *before: str) -> None:
        """A human's commit whose commands are its very content, so that nobody forgets them."""
        self._move("human", title, files or {}, before)

    def tamper(self, title: str, files: Mapping[str, str | bytes | None]) -> None:
        """An agent's attempt that must be refused; afterwards the repository is as it was."""
        self.repo.stage(files)
        done = commit(self.repo, message=title, env=AS_AGENT, patience=_PATIENCE)
        self.seen(Move("agent", title, False, _rules(done), _told(done)))
        self.repo.git("reset", "-q", "--hard")

    def merge(self, branch: str) -> None:
        """A human merges a branch, as the hooks of a merge judge it."""
        done = said(self.repo, ["git", "merge", "-q", "--no-ff", "-m", f"Merge {branch}", branch], patience=_PATIENCE)
        assert "CONFLICT" not in done.everything, done
        self.seen(Move("human", f"Merge {branch}", True, _rules(done), _told(done)))

    def edited(self, path: str, old: str, new: str) -> dict[str, str]:
        """The file with the first `old` replaced."""
        text = (self.repo.path / path).read_bytes().decode()
        assert old in text, (path, old)
        return {path: text.replace(old, new, 1)}

    def appended(self, path: str, text: str) -> dict[str, str]:
        return {path: (self.repo.path / path).read_bytes().decode() + text}

    def run(self, line: str, who: Who = "human") -> Said:
        """A command of ledgergate or git as people use it: look at what it shows, then approve exactly that."""
        arguments = shlex.split(line)
        command = [str(SCRIPTS / arguments[0]) if arguments[0] == "ledgergate" else arguments[0], *arguments[1:]]
        env = AS_AGENT if who == "agent" else None
        shown = said(self.repo, command, env, patience=_PATIENCE)
        contract = _CONTRACT.search(shown.everything)
        if shown.status == 0 or contract is None:
            return shown
        return said(self.repo, [*command, "--yes", "--contract", contract[1]], env, patience=_PATIENCE)

    def _move(self, who: Who, title: str, files: Mapping[str, str | bytes | None], before: tuple[str, ...]) -> None:
        self.repo.stage(files)
        for line in before:
            done = self.run(line, who)
            assert done.status == 0, (title, line, done)
        self.repo.git("add", "-u")
        done = self._commit(who, title)
        mended_by = self._mend(title, done) if done.status != 0 else None
        self.seen(Move(who, title, True, _rules(done), _told(done), mended_by))

    def _commit(self, who: Who, title: str) -> Said:
        return commit(self.repo, message=title, env=AS_AGENT if who == "agent" else None, patience=_PATIENCE)

    def _mend(self, title: str, refused: Said) -> str | None:
        """The one command of the refusal after which a human's commit of the same passes; None where none helps."""
        wanted = self.repo.git("write-tree").strip()
        for line in _offered(refused):
            done = self.run(line)
            self.repo.git("add", "-u")
            if done.status == 0 and self._commit("human", title).status == 0:
                return line
            self.repo.git("read-tree", "--reset", "-u", wanted)
        self.repo.git("reset", "-q", "--hard")
        return None


def _offered(refused: Said) -> list[str]:
    told = " ".join(" ".join(part.split()) for part in _FOR_HUMANS.findall(refused.everything))
    commands = re.findall(r"`((?:ledgergate|git) [^`]*)`", told)
    return [line for line in dict.fromkeys(commands) if not line.startswith(_NOT_COMMANDS)]


def _rules(done: Said) -> tuple[str, ...]:
    rules = tuple(dict.fromkeys(re.findall(r"^\s*(?:FAIL|UNSCORED) ([a-z-]+):", done.everything, re.MULTILINE)))
    assert (done.status == 0) == (not rules), done
    return rules


def _told(done: Said) -> str:
    """The report without what the hook manager says around it; nothing for a commit that was made."""
    found = re.search(r"^ *(?:FAIL|UNSCORED) .*?^ *ledgergate: .*?$", done.everything, re.MULTILINE | re.DOTALL)
    return textwrap.dedent(found[0]) if found and done.status != 0 else ""
