"""Rules about ledgers, policy and git themselves, and about tests beside the ledger."""

from __future__ import annotations

from ledgergate.rules.undo import UNDO
from ledgergate.values import State

Entry = tuple[str, State | None, str, str, str]

READING: tuple[Entry, ...] = (
    (
        "quarantine-stale",
        State.UNSCORED,
        "a test has been in quarantine for too long",
        "Quarantine is for mending a flake, no place to keep it. The policy's `[quarantine] max_age_days` sets how "
        "long; without it no row is too old.",
        "Agent: mend the flake if you can, and tell your human; the row is theirs.\n"
        "Human: when the test is mended, give the row its class back, or remove test and row.",
    ),
    (
        "ledger-unreadable",
        State.UNSCORED,
        "a ledger cannot be read",
        "What cannot be read cannot be judged, so nothing passes on it. The reader takes plain YAML only: no tabs, "
        "anchors, second document or key given twice.",
        "Agent, human: correct the file at the line shown and stage it. Or take the last good one, without all that "
        "was added since: `git restore --staged --worktree :PATH`.",
    ),
    (
        "ledger-missing",
        State.UNSCORED,
        "a ledger is missing",
        "The policy names a ledger, and there is no regular file at its path: no test would have a contract.",
        "Agent, human: bring it back with `git restore --staged --worktree :PATH`.\n"
        'Human: if it moved, say where in ledgergate.toml: `ledger = ["tests/new.yaml"]` (or `freeze_ledger`).',
    ),
    (
        "row-invalid",
        State.FAIL,
        "a row is not well-formed, or its test cannot fail",
        "A row that lacks a field, or has one too many, pins less than it seems to; so does one that pins a test "
        "without a check that can fail.",
        "Agent, human: correct the row at the line shown. Needed beside `id` and `class`: `locked_fixture` has "
        "`artifact`, `digest`; `property` has `invariant`, `seeds`; `quarantine` has `opened`, `reason`, `owner`; "
        "`draft` has `source`, `proposed_class` and its `invariant` or `artifact`. Only drafts point below the drafts "
        "folder.",
    ),
    (
        "row-duplicate",
        State.FAIL,
        "an id has two rows",
        "With two rows for one id, nobody can say which of them is the contract. Over all ledgers together an id has "
        "one row.",
        "Agent: remove the row that you added.\nHuman: keep the one that is meant.",
    ),
    (
        "artifact-outside",
        State.FAIL,
        "a path leads out of the repository",
        "Only what git stores below the repository's root can be a contract. Absolute paths, `..` and `.git` are "
        "refused, even where they would lead back inside.",
        "Agent, human: write the path from the repository's root, wherever the ledger itself stands, with `/`: "
        "`tests/goldens/header.bin`. A file outside the repository cannot be pinned: copy it in, and `git add` it.",
    ),
    (
        "freeze-unreadable",
        State.UNSCORED,
        "the freeze ledger cannot be read",
        "Without it nobody knows which lanes must run and which skips are allowed.",
        "Agent, human: correct the JSON (the fault may stand before the line shown: `git diff HEAD -- :PATH`) and "
        "stage it. Or take the last good one, without all that was added since: "
        "`git restore --staged --worktree :PATH`.",
    ),
    (
        "freeze-invalid",
        State.FAIL,
        "the freeze ledger is not well-formed",
        "A freeze without an end, a missing lane or a floor that is no count would let tests be skipped unseen.",
        f"Agent: {UNDO}.\nHuman: correct the entry that the message names.",
    ),
    (
        "policy-unreadable",
        State.UNSCORED,
        "the policy cannot be read",
        "The policy says what is a contract and for whom; without it nothing can be allowed. Unknown keys count, too: "
        "a misspelt one would switch off what it was to switch on.",
        f"Agent: {UNDO}, or tell your human.\nHuman: correct what the message names, stage it, and commit again.",
    ),
    (
        "git-unreadable",
        State.UNSCORED,
        "git cannot give what has to be judged",
        "An object, index or commit that cannot be read might hold anything, so it never passes.",
        "Agent, human: `git fsck` finds damage; in a shallow clone `git fetch --unshallow` brings what is missing, in "
        "one of a single branch `git fetch origin '+refs/heads/*:refs/remotes/origin/*'`.",
    ),
    (
        "ref-malformed",
        State.UNSCORED,
        "a line about a pushed ref cannot be read",
        "git says line by line what is pushed; a line that is not understood could be about any ref.",
        "Agent, human: let git call the hook, with its standard input as it is: `ledgergate install --pre-push`.",
    ),
    (
        "ref-deleted",
        State.UNSCORED,
        "a protected ref would be deleted",
        "With a branch goes what it guards; `protected_refs` in the policy names those that stay.",
        "Agent: leave the ref, and tell your human why it should go.\n"
        "Human: take it out of `protected_refs` first, in a change of its own.",
    ),
    (
        "deadline",
        State.UNSCORED,
        "the time for judging was over",
        "A server waits for a few seconds. What could not be judged in them is refused, never waved through.",
        "Agent, human: push once more; where it stays so, push fewer refs or commits at a time. `deadline_s` in the "
        "server's configuration sets the time.",
    ),
    (
        "facts-unreadable",
        State.UNSCORED,
        "what a job has read from its forge cannot be taken",
        "Approvals are proof only where it is certain whose they are, and of which commit.",
        "Agent: leave the job as it is, and tell your human.\n"
        "Human: let the job write what `ledgergate schema facts` describes: for each account its latest review, once.",
    ),
    (
        "internal-error",
        State.UNSCORED,
        "an error in ledgergate itself",
        "A check that broke has judged nothing, so nothing passes on it.",
        "Agent, human: run the command once more. If it stays, report it as a bug of ledgergate, with the message and "
        "`ledgergate --version`.",
    ),
    (
        "row-shadowed",
        State.FAIL,
        "a draft row names a test that has its place already",
        "A draft is never evidence: one that names a locked test would switch that test off. It may name neither what "
        "another row covers nor a test function that already exists outside the drafts folder.",
        "Agent: put your test below the drafts folder and give the draft row its id there.\n"
        "Human: give the draft a new test's id; or lock the existing test with a row of class `locked_fixture` or "
        "`property` instead of this one.",
    ),
    (
        "write-path",
        State.FAIL,
        "an agent wrote below the tests",
        "An agent that may edit the tests can make them agree with its code. Production code, the drafts folder, new "
        "files in seed folders, appended draft rows and the policy's `agent_write_paths` are free; a human is never "
        "refused.",
        "Agent: move a new test below the drafts folder, and append a `draft` row for it; put an edited or removed one "
        "back with `git restore --staged --worktree :PATH`.\n"
        "Human: commit it from a shell that no agent started.",
    ),
    (
        "not-enforced",
        State.PASS,
        "nothing is enforced yet",
        "The repository has no policy, so there are no contracts to judge by.",
        "Human: `ledgergate init` writes the policy and the ledgers.",
    ),
)
