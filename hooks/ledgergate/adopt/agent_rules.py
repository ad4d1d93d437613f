"""The rules for agents as text to stand in AGENTS.md or its like, in the words and paths of one repository's policy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ledgergate.errors import UsageError
from ledgergate.ledger.own import own_draft
from ledgergate.ledger.row_text import row_lines
from ledgergate.policy import ACKS_FOLDER, POLICY_PATH, Policy

BEGIN = "<!-- ledgergate agent-rules: begin (what stands between these two lines is written by the command) -->"
END = "<!-- ledgergate agent-rules: end -->"
_MARKS = ("<!-- ledgergate agent-rules: begin", "<!-- ledgergate agent-rules: end")
_MOST_GLOBS = 8


class Statement(NamedTuple):
    """One thing that an agent may or may not do. `name` tells it from the others and is not shown."""

    name: str
    text: str


def render(policy: Policy) -> str:
    """The block with its two marks, ending in a line break."""
    lines = (
        BEGIN,
        "## Tests, goldens and who may change them",
        "",
        f"What the tests are held to stands in {_list(policy.ledger)} and is a human's to decide. Git hooks and CI",
        "judge every change with `ledgergate`; `ledgergate check` says beforehand what they will say.",
        "",
        "You may:",
        "",
        *(f"- {statement.text}" for statement in may(policy)),
        "",
        "`ledgergate draft ID` appends this row; with `--artifact PATH` one that names the file which the test",
        f"compares with (it lies below `{policy.drafts}`, too), with `--invariant NAME` one for a property:",
        "",
        "```yaml",
        *(line.rstrip() for line in row_lines(own_draft(f"{policy.drafts}test_NAME.py::test_NAME"))),
        "```",
        "",
        "You may not:",
        "",
        *(f"- {statement.text}" for statement in may_not(policy)),
        "",
        "Where the work needs any of that: do the rest, leave that undone, and tell your human which file or row",
        "should change, to what, and why. Never skip the hooks (`--no-verify`) or hide that you are an agent: the",
        "whole branch is judged once more. A refusal says how to go on; `ledgergate explain RULE` says why.",
        END,
    )
    return "\n".join(lines) + "\n"


def may(policy: Policy) -> Iterator[Statement]:
    """What an agent may do."""
    yield Statement("code", "Change production code, and documents.")
    yield Statement("draft", f"Add tests below `{policy.drafts}`, and append a draft row for each to {_first(policy)}.")
    yield Statement("own draft", "Edit or remove a draft row of your own (`source: agent`) until it has been merged.")
    yield Statement("seed", "Add files of data to a seed folder that a row names, under names that are new there.")
    if policy.agent_write_paths:
        yield Statement(
            "write path", f"Edit tests at {_list(policy.agent_write_paths)}, except for what is listed below."
        )
    if policy.agent_new_tests:
        yield Statement(
            "new test", "Add a new test file (`test_*.py`) anywhere, with a draft row for each of its tests."
        )


def may_not(policy: Policy) -> Iterator[Statement]:
    """What is refused when an agent does it."""
    yield Statement(
        "golden", f"Edit, add or remove goldens ({_list(policy.goldens)}), or any other file that a row pins."
    )
    yield Statement("row", "Add a row of another class than `draft`, or edit or remove a row that has been merged.")
    yield Statement("seed gone", "Rewrite or remove a file in a seed folder, or add code or settings to one.")
    if not policy.agent_write_paths:
        yield Statement("test", f"Edit, add or remove any other file below the tests ({_list(policy.tests)}).")
    else:
        yield Statement("test", f"Edit, add or remove tests ({_list(policy.tests)}) anywhere else.")
        yield Statement(
            "guard",
            "Let a test that was there prove less, where you may edit it: remove, skip or weaken a test or a check, "
            "catch what would fail, or put a stand-in in the place of what is tested. Another expected value or input "
            "waits for a human. New tests, renames, moves and stricter checks are yours, and so are corrections of "
            "what you added on the branch, in commits that name you.",
        )
    yield Statement(
        "policy",
        f"Edit `{POLICY_PATH}`, `{policy.freeze_ledger}`, `{policy.vouch.signers}`, or remove approvals from "
        f"`{ACKS_FOLDER}`.",
    )
    also = f", {_list(policy.protected)}" if policy.protected else ""
    yield Statement(
        "steering",
        "Edit what steers the tests: `conftest.py`, `.pre-commit-config.yaml`, CI workflows, `.gitattributes`, "
        f"`pytest.ini`{also}; what runs or steers the tests in `pyproject.toml`, `tox.ini`, `setup.cfg`, `setup.py` "
        "and task files (`Makefile`, `noxfile.py`, `package.json` and others); and the pins of ledgergate, pytest and "
        "its plugins in requirements and lock files.",
    )
    yield Statement(
        "relock",
        "Run the commands that approve: `ledgergate ack`, `relock`, `promote`, `quarantine`, `release`, `freeze`, "
        "`thaw`, and `collect` with `--add`, `--prune`, `--params` or `--floors`. (`ledgergate relock ID` is yours "
        "where only the layout of a test changed, in a file that you may edit.)",
    )


def spliced(data: bytes, block: str) -> bytes:
    """A file's bytes with the block in place of the one that it holds, or else at its end; every other byte stays.

    Raises `UsageError` where the file holds one mark without the other, or a mark twice.
    """
    lines = data.splitlines(keepends=True)
    begins, ends = ([at for at, line in enumerate(lines) if line.startswith(mark.encode())] for mark in _MARKS)
    if not begins and not ends:
        newline = b"\r\n" if b"\r\n" in data else b"\n"
        ended = data if not data or data.endswith(b"\n") else data + newline
        return ended + (newline if ended else b"") + block.encode("utf-8").replace(b"\n", newline)
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise UsageError(
            "it does not hold one begin mark and one end mark of `ledgergate agent-rules` in this order; remove what "
            "is left of them by hand, then run this again"
        )
    newline, end = _ending(lines[begins[0]]), _ending(lines[ends[0]])
    new = block.removesuffix("\n").encode("utf-8").replace(b"\n", newline)
    return b"".join(lines[: begins[0]]) + new + end + b"".join(lines[ends[0] + 1 :])


def _ending(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]


def _first(policy: Policy) -> str:
    return f"`{policy.ledger[0]}`"


def _list(globs: Sequence[str]) -> str:
    shown = ", ".join(f"`{glob}`" for glob in globs[:_MOST_GLOBS]) or "none yet"
    return shown if len(globs) <= _MOST_GLOBS else f"{shown} and {len(globs) - _MOST_GLOBS} more in `{POLICY_PATH}`"
