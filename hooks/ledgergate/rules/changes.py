"""Rules about who may change a contract. Each is a human's difference: who made it decides its state."""

from __future__ import annotations

from ledgergate.rules.undo import OWN_COMMIT, UNDO
from ledgergate.values import State

Entry = tuple[str, State | None, str, str, str]

_HAND_OVER = "and tell your human what should change, and why."
_AGENT_ROW = f"Agent: put the row back as it was (`git diff HEAD -- :PATH` shows what you changed), {_HAND_OVER}"
_AGENT_FILE = f"Agent: {UNDO}, {_HAND_OVER}"
_HUMAN_EDIT = f"Human: if it is meant, {OWN_COMMIT}. Before it lands, another human should look at it."
CHANGES: tuple[Entry, ...] = (
    (
        "row-added-classified",
        None,
        "a row was added that counts as evidence",
        "A new row of any class but `draft` decides what the pass or the failure of a test is worth, so a human adds "
        "it. Well-formed `draft` rows are free to anyone.",
        "Agent: make it a draft: `class: draft`, `source: agent`, `proposed_class: property` (with its `invariant`) or "
        "`proposed_class: locked_fixture` (with its `artifact`); move the test and a new golden below the drafts "
        "folder, and let the row follow.\n" + _HUMAN_EDIT,
    ),
    (
        "class-changed",
        None,
        "the class of a row changed",
        "The class says what a pass is worth: whoever may change it can turn a failing contract into a tolerated "
        "flake, or a draft into evidence. The order of rows, comments and quoting are no change.",
        f"{_AGENT_ROW}\n{_HUMAN_EDIT}",
    ),
    (
        "digest-changed",
        None,
        "the digest of a golden or pinned test changed",
        "The digest is the contract of a golden, or of a test that is pinned itself. Rewriting both together makes any "
        "output look right, so a human decides which bytes are. A pinned test that only took another layout is not "
        "flagged.",
        "Agent: put the row and its golden or test back as they were (`git diff HEAD` shows what you changed), "
        f"{_HAND_OVER}\n"
        f"Human: look at what changed (`git diff HEAD`); if it is meant, {OWN_COMMIT}. Before it lands, another human "
        "should look at it.",
    ),
    (
        "artifact-changed",
        None,
        "a row points at another golden",
        "Pointing a row at another file replaces the contract without touching the old one. A rename of the file with "
        "its row following is this one difference, too.",
        "Agent: put the row back, and the file where the row has it (`git diff HEAD -- :PATH` shows what you changed), "
        f"{_HAND_OVER}\n{_HUMAN_EDIT}",
    ),
    (
        "invariant-changed",
        None,
        "a property row names another invariant",
        "The invariant's name is what the test promises; under another name it may promise less.",
        f"{_AGENT_ROW}\n{_HUMAN_EDIT}",
    ),
    (
        "seeds-changed",
        None,
        "a property row names another seed folder",
        "Another folder drops every counterexample that the old one has collected. Adding files to the folder that the "
        "row names is free.",
        "Agent: put the row back, and new seeds into the folder that it names, under names of their own, "
        f"{_HAND_OVER}\n{_HUMAN_EDIT}",
    ),
    (
        "quarantine-edited",
        None,
        "a quarantine row was edited",
        "The row says since when a flake is known, why, and who owns it. An edit can renew it for ever or hide its "
        "reason.",
        f"{_AGENT_ROW}\n{_HUMAN_EDIT}",
    ),
    (
        "quarantine-removed",
        None,
        "a quarantine row was removed",
        "Without its row a known flake is forgotten, or comes back as if it were evidence. A rename of the row is "
        "reported as one difference with both ids.",
        f"{_AGENT_ROW}\n{_HUMAN_EDIT}",
    ),
    (
        "row-removed",
        None,
        "a row was removed or renamed",
        "A test without a row has no contract left to break. A rename of the row is reported as one difference with "
        "both ids.",
        f"{_AGENT_ROW}\n{_HUMAN_EDIT}",
    ),
    (
        "row-edited",
        None,
        "another field of a row changed",
        "Fields like `params`, `lfs` and `allow_empty` say how much a pass has to show. The order of fields, comments "
        "and quoting are no change.",
        f"{_AGENT_ROW}\n{_HUMAN_EDIT}",
    ),
    (
        "draft-edited",
        None,
        "a draft row was edited or removed",
        "A draft on the target branch waits for a human, who should find what was proposed. A row with `source: agent` "
        "that has not reached the target branch yet may be edited freely.",
        f"{_AGENT_ROW} You may append another draft beside it.\n{_HUMAN_EDIT}",
    ),
    (
        "freeze-edited",
        None,
        "the freeze ledger changed",
        "Freezes, floors and lanes decide which tests may be skipped and how many must run.",
        f"{_AGENT_FILE}\n{_HUMAN_EDIT}",
    ),
    (
        "policy-edited",
        None,
        "the policy changed",
        "The policy says which paths are contracts and who is an agent; whoever edits it could allow themselves "
        "anything. A change is always judged by the policy that stood before it.",
        f"{_AGENT_FILE}\n{_HUMAN_EDIT}",
    ),
    (
        "signers-edited",
        None,
        "the list of signers changed",
        "The signers are the people whose word counts. Nobody adds themselves without the others knowing.",
        f"{_AGENT_FILE}\n{_HUMAN_EDIT}",
    ),
    (
        "protected-path",
        None,
        "a protected file changed",
        "Whoever edits what runs the tests need not edit a test to make all of them pass: hook configuration, CI "
        "workflows, `conftest.py`, `pytest.ini`, `.gitattributes`, what `protected` in the policy adds, and any new "
        "file that would be run or imported in place of Python, git or what runs the tests. Of files that hold more "
        "(`pyproject.toml`, `tox.ini`, `Makefile`, `noxfile.py`, `package.json`, requirements and lock files, ...) "
        "only the parts that run or steer tests are protected, and the finding names them: adding a dependency is "
        "free.",
        f"{_AGENT_FILE}\n{_HUMAN_EDIT}",
    ),
    (
        "test-edited",
        None,
        "a file of the tests changed",
        "With `[vouch] tests = true` the policy wants every file below the tests approved, whoever edits it: "
        "those that a row pins by the row, all others by themselves. Goldens, ledgers, drafts and new seeds have "
        "rules of their own. In a commit this is a note; where an agent may edit tests at all is said by `write-path`.",
        "Agent: nothing is wrong with it; tell your human that it waits for an approval.\n"
        "Human: look at it; if it is right, let a signer approve it: `ledgergate ack --staged`.",
    ),
    (
        "ack-removed",
        None,
        "a live approval was removed or edited",
        "A file below `.ledgergate/acks/` is an approval: it records that a human has looked at a change of a contract "
        "and takes it for right, until the date in the file. Whoever removes or edits it takes the human's word back, "
        "or puts another in its place: even one that has expired tells that an older one is not the last word. Adding "
        "an approval is free, and so is removing one of more than 30 days ago, as `ledgergate ack --prune` does, or "
        "one that is by nobody of the signers.",
        f"{_AGENT_FILE}\n{_HUMAN_EDIT}",
    ),
    (
        "ack-invalid",
        State.FAIL,
        "an added approval is none, or vouches for nothing",
        "An approval (an ack, below `.ledgergate/acks/`) is a signed file that names exactly what it approves. One "
        "that is malformed, has another name than its content gives it, or a signature that is not its own, might "
        "be read in two ways. One that has expired or was revoked, that names another repository, branch or value, "
        "or is by nobody of the signers, vouches for nothing; then this is a note.",
        "Agent: take the file out of the commit (`git rm --cached :PATH`) if you added it; no file that you write "
        "approves anything.\n"
        "Human: take it out (`git rm --cached :PATH`), and let a signer approve what the change is now: "
        "`ledgergate ack`.",
    ),
)
