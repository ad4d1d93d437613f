"""Rules about edits of tests, by which a suite comes to prove less."""

from __future__ import annotations

from ledgergate.rules.undo import OWN_COMMIT
from ledgergate.values import State

Entry = tuple[str, State | None, str, str, str]

_AGENT = (
    "Agent: put it back as it was (`git diff HEAD -- :PATH` shows what you changed), and mend the code instead. If the "
    "test itself is wrong, tell your human why."
)
BACK = f"{_AGENT}\nHuman: look at old and new; if the test is right as it is now, {OWN_COMMIT}."
_NO_SKIP = "Agent: take the skip out, and mend the code; of a flaky test, tell your human."
# Where the skip stands in a file, a class or a fixture, which no row could be about.
SKIPS_SEVERAL = (
    f"{_NO_SKIP}\nHuman: put those of its tests that are flaky into quarantine (`ledgergate quarantine FILE::TEST... "
    f"--owner NAME --reason WHY`); if the skip is right, {OWN_COMMIT}."
)
_SETTINGS = (
    "Agent: take back what is named here, the rest of the file may stay; tell your human what should change, and why.\n"
    f"Human: if fewer tests are meant to run, {OWN_COMMIT}."
)
_PRODUCTION = (
    "Agent: let the code do the same whether it is tested or not; if it has to know, tell your human why.\n"
    f"Human: look at it; if it is right, {OWN_COMMIT}."
)

TESTS: tuple[Entry, ...] = (
    (
        "test-removed",
        State.FAIL,
        "a test is gone, or a row's test does not exist",
        "A failing test that is deleted, renamed out of collection, shadowed by a second definition or that lost rows"
        " of its table fails no more. A renamed or moved test is not flagged, nor are tests merged into one that asks"
        " the same. Where a row names the test, nobody may let it vanish and keep the row.",
        "Agent: bring the test back: `git log -S NAME -- PATH` shows where it went.\n"
        "Human: bring it back; or let the rows follow: `ledgergate collect --add` where the test was renamed, "
        "`ledgergate collect --prune` where it is gone.",
    ),
    (
        "skip-added",
        State.FAIL,
        "a test is skipped, or expected to fail",
        "A test that does not run, or whose failure is expected, proves nothing. Skips for a platform, a version or a "
        "dependency that is not there are not flagged, nor are those of new tests.",
        f"{_NO_SKIP}\n"
        "Human: put a flaky test into quarantine (`ledgergate quarantine ID --owner NAME --reason WHY`), or freeze it; "
        "if the skip is right, "
        f"{OWN_COMMIT}.",
    ),
    (
        "assertion-removed",
        State.FAIL,
        "a check of a test is gone, or is never made",
        "A check that was deleted, that cannot be reached, whose failure is caught, or that is only made where it "
        "holds anyway finds nothing. A check that another test of the change makes, that a helper makes or that a "
        "stricter one implies is not gone.",
        BACK,
    ),
    (
        "assertion-weakened",
        State.FAIL,
        "a check of a test asks for less",
        "A bound, a type or `is not None` in the place of a value passes where the value is wrong; so does `bool(...)` "
        "around both sides, or a wider exception. A tolerance waits for a human's word.",
        BACK,
    ),
    (
        "assertion-tautology",
        State.FAIL,
        "a check of a test always holds",
        "A constant, a value compared with itself, or one whose expectation the tested code makes, never fails. It is"
        " told where such a check came in the place of one that could fail.",
        BACK,
    ),
    (
        "expectation-changed",
        State.UNSCORED,
        "a test expects, or is given, something else",
        "A changed value may be right, and it may be what the code prints since it is wrong: no syntax can tell, so a"
        " human has to. New tests, and values that other tests of the change still ask for, are not flagged.",
        BACK,
    ),
    (
        "exception-broadened",
        State.FAIL,
        "a handler in a test catches more",
        "What a wider `except` catches no longer fails the test. Narrower handlers and new ones are not flagged.",
        BACK,
    ),
    (
        "subject-replaced",
        State.FAIL,
        "what a test looks at was replaced",
        "A test of a mock, of a copy in the test file or of another module says nothing about the code. Patches of "
        "what the tested code leans on (clocks, networks, settings) are not flagged.",
        BACK,
    ),
    (
        "collection-changed",
        State.FAIL,
        "fewer tests run, or a failure counts for less",
        "Settings, hooks of a conftest and lines of CI decide which tests run and what their failure does. More test "
        "paths, reports and other output are not flagged.",
        _SETTINGS,
    ),
    (
        "outcome-tampered",
        State.FAIL,
        "a test, or a hook, changes how the run ends",
        "A hook that rewrites outcomes, an exit in the middle of a test and a patched test framework turn any suite "
        "green. Hooks that only look at outcomes are not flagged.",
        BACK,
    ),
    (
        "test-aware-production",
        State.UNSCORED,
        "code can tell that it is being tested",
        "Code that looks for the test runner or its caller, equals everything or ends the process at exit can pass "
        "tests and be wrong. Settings that are read from the environment by another name are not flagged.",
        _PRODUCTION,
    ),
)
