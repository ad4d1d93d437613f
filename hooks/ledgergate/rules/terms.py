"""The words that messages use, explained."""

from __future__ import annotations

TERMS = {
    "contract": (
        "what tests are held to",
        "The contract of a test is what it is held to, so that only a human changes it: the row in the ledger with its "
        "digests, its invariant and its seed folder. The freeze ledger, the policy, the list of signers and the files "
        "that steer how tests run belong to it for all tests together. `contract sha256:...` names all differences of "
        "that kind in one change by one digest: whoever approves the digest approves these and no others.",
    ),
}
