"""Rules about what rows pin: goldens and seed folders. Most hold whoever made the change."""

from __future__ import annotations

from ledgergate.rules.undo import OWN_COMMIT, UNDO
from ledgergate.values import State

Entry = tuple[str, State | None, str, str, str]

_TELL = "tell your human why"

FIXTURES: tuple[Entry, ...] = (
    (
        "digest-mismatch",
        State.FAIL,
        "a golden or pinned test does not match its digest",
        "The bytes that git would store are not those that the row was locked on, so a pass of the test proves "
        "nothing. Only stored bytes count: line ends that git converts on checkout make no difference. Of a pinned "
        "test the lines count that decide whether it can fail; other tests in its file may change.",
        f"Agent: {UNDO}, and mend the code instead. If the golden itself is wrong, {_TELL}.\n"
        "Human: if the new bytes are right, `git add :PATH` and `ledgergate relock --staged`: it shows old and new, "
        "asks, writes the digests and stages the ledger; then commit.",
    ),
    (
        "artifact-missing",
        State.FAIL,
        "a golden or pinned test is missing, or is no regular file",
        "What a row pins is not there to be measured, so that a pass of its test proves nothing. A golden: its file "
        "is gone, only announced with `git add -N`, or has become a link, a folder or a submodule. A pinned test: its "
        "file does not define it exactly once, or this Python cannot read the file.",
        "Agent: bring it back with `git restore --staged --worktree :PATH`.\n"
        "Human: if a test moved, `ledgergate collect --add` lets its row follow; if it is gone for good, `ledgergate "
        "collect --prune` takes its row out: both show what they would write, and ask. Of a golden that moved, correct "
        "`artifact` in its row.",
    ),
    (
        "artifact-empty",
        State.FAIL,
        "a golden is empty",
        "An empty golden matches whatever prints nothing. A row for which that is right says `allow_empty: true`.",
        f"Agent: {UNDO}.\nHuman: bring the content back, or write `allow_empty: true` in the row.",
    ),
    (
        "artifact-collision",
        State.FAIL,
        "two paths are one file on some disks",
        "On disks that ignore case or normalise letters the two overwrite each other, and a test reads what no row "
        "pins. Paths that differ in more than that are not flagged.",
        "Agent, human: give the new one of the two another name in its folder, and let its row follow.",
    ),
    (
        "lfs-pointer-invalid",
        State.FAIL,
        "a golden under Git LFS is no valid pointer",
        "The row says `lfs: true`, so the file must be exactly an LFS pointer, whose oid is the digest. A pointer is "
        "three lines and nothing else: `version https://git-lfs.github.com/spec/v1`, `oid sha256:` with the sha256 of "
        "the real bytes, `size` with their number. Git LFS writes it when the file is added.",
        f"Agent: {UNDO}. Never write a pointer by hand: `git lfs install`, then `git add --renormalize :PATH`, where "
        "`.gitattributes` names the file.\n"
        "Human: if the file belongs into LFS, `git lfs track PATH` and `git add --renormalize :PATH` store its "
        "pointer; if it has left LFS, remove `lfs: true` from its row, stage the ledger, and "
        "`ledgergate relock --staged`.",
    ),
    (
        "seeds-empty",
        State.FAIL,
        "a property has no seeds",
        "A property without seeds re-runs no known counterexample. The folder needs one file with content whose name "
        "does not begin with a dot.",
        "Agent, human: bring the seeds back with `git restore --staged --worktree :PATH`, or stage a seed file there.\n"
        "Human: or correct `seeds` in the row.",
    ),
    (
        "seeds-shrunk",
        None,
        "seed files were removed or rewritten",
        "Each seed is an input that once broke something. Adding seeds is free, unless the new file is one that a test "
        "runner would import or read as settings.",
        "Agent: keep new content as a new file in the folder, then bring the old one back with "
        "`git restore --staged --worktree :PATH`.\n"
        f"Human: if it is meant, {OWN_COMMIT}. Before it lands, another human should look at it.",
    ),
    (
        "golden-unclassified",
        State.FAIL,
        "a golden has no row",
        "A file under the policy's golden paths that no row pins can be rewritten unseen. Goldens that did not change "
        "are not flagged.",
        "Agent: move a new golden below the drafts folder, and append a `draft` row that names it (`source: agent`, "
        f"`proposed_class: locked_fixture`, `artifact`); an edited one: {UNDO}.\n"
        "Human: where a new test reads it, `ledgergate collect --add` shows rows for both, and asks; else add a row to "
        "the ledger: `id`, `class: locked_fixture`, `artifact`, `digest`.",
    ),
    (
        "two-sided",
        State.FAIL,
        "code and golden changed together",
        "Code and the golden that judges it moved in one change while the golden's row stayed as it was: nobody has "
        "said that the new output is right. A golden whose row changes its digest with it is not flagged.",
        f"Agent: keep the code; for the golden, {UNDO}. If it has to change, {_TELL}.\n"
        "Human: if the new output is right, `git add :PATH` and `ledgergate relock --staged`: it shows old and new, "
        "asks, writes the digests and stages the ledger; then commit.",
    ),
    (
        "contract-change",
        State.PASS,
        "a contract changed: for review",
        "The line that a reviewer reads: which contract changed, from what to what. It refuses nothing.",
        "Nothing to do; a reviewer compares old and new.",
    ),
)
