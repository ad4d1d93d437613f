"""Rules about test reports: which results are evidence, and which are not."""

from __future__ import annotations

from ledgergate.values import State

Entry = tuple[str, State | None, str, str, str]

_REPORT = "Agent, human: run the tests again, to their end, on what is judged, and hand in that report."

# To be followed by the file of a report.
SKIPPED_IN = "--skipped-in REPORT"
# For what was skipped, in place of the remedy of `case-missing`.
SKIPPED_REMEDY = (
    "Agent: let it run where the tests are run, with all that it needs; or tell your human.\n"
    "Human: the same; or, where it cannot run here, take all that was skipped out of the evidence with one command: "
    f"`ledgergate quarantine {SKIPPED_IN} --owner NAME --reason WHY`, with the JUnit or lane report of the run."
)

EVIDENCE: tuple[Entry, ...] = (
    (
        "case-failed",
        State.FAIL,
        "a test that counts as evidence failed",
        "Its row says what it is held to, and that does not hold. A pass elsewhere makes up for nothing.",
        "Agent: mend the code, not the test.\nHuman: mend the code, or change what the test expects and relock it.",
    ),
    (
        "case-missing",
        State.UNSCORED,
        "a test that counts as evidence has no pass",
        "A test whose row counts was skipped, was deselected, or is in no report, and a test that did not run proves "
        "nothing: its absence is the cheapest way to a green run. Of a parametrised test as many cases have to pass as "
        "`params` of its row says.",
        "Agent: bring the test back into the run.\n"
        "Human: the same; where it was renamed, `ledgergate collect --add` lets its row follow; where it has fewer "
        "cases now, `ledgergate collect --params` does; where it is gone for good, `ledgergate collect --prune` takes "
        "its row out.",
    ),
    (
        "case-flaky",
        State.UNSCORED,
        "a test passed only when it was repeated",
        "A pass that needs several tries says as much about luck as about the code.",
        "Agent: mend the flake, or tell your human.\nHuman: mend it, or move it to quarantine.",
    ),
    (
        "case-ambiguous",
        State.UNSCORED,
        "a result cannot be told apart from another test's",
        "Results are matched exactly, never guessed. Two ids can look alike in a report, and a report can call a case "
        "what it is not.",
        "Agent, human: rename one of the tests, or let the report carry exact ids (the property `nodeid`).",
    ),
    (
        "quarantine-cited",
        State.FAIL,
        "a quarantined test is cited as a pass",
        "A known flake proves nothing when it happens to pass.",
        "Agent, human: keep quarantined tests out of the run that is to be evidence (`--deselect ID`), and list what "
        "is collected: `--collected FILE` with the ids of `ledgergate collect --format pytest`.\n"
        "Human: if the test is mended, release it: give its row a class that counts.",
    ),
    (
        "quarantine-skipped",
        State.FAIL,
        "a quarantined test was skipped, or is no longer there",
        "Quarantine is no bin. A flake that can vanish unseen takes what it tests with it.",
        "Agent, human: run it, where it may fail; or keep it out of the run (ledgergate's pytest plugin does) and show "
        "that it is still collected (`--collected FILE` with the ids of `ledgergate collect --format pytest`).\n"
        "Human: if the test is gone for good, take its row out.",
    ),
    (
        "draft-cited",
        State.FAIL,
        "a draft is cited as a pass",
        "A draft is whatever its author made it, until a human has promoted it.",
        "Agent, human: keep drafts out of the run that is to be evidence.\nHuman: promote the draft if it is right.",
    ),
    (
        "unclassified",
        State.FAIL,
        "a test has no row",
        "What no row covers is held to nothing: such a test may be anything, and its pass proves nothing.",
        "Agent: tell your human which tests are new.\n"
        "Human: `ledgergate collect --add` shows a row for each, and asks; a test that it has no proposal for (a "
        "doctest, for instance) is kept out of the run that is to be evidence.",
    ),
    (
        "no-evidence",
        State.UNSCORED,
        "production changed, and nothing proves it",
        "Not one pass of the run counts as evidence.",
        "Agent, human: run tests whose rows are `locked_fixture` or `property`.",
    ),
    (
        "report-unreadable",
        State.UNSCORED,
        "a report cannot be read whole",
        "A report that was cut off, or whose header promises more than follows, has lost cases, and nobody can "
        "say which.",
        _REPORT,
    ),
    ("report-empty", State.UNSCORED, "a report holds no case", "Nothing was measured.", _REPORT),
    (
        "report-stale",
        State.UNSCORED,
        "a report is about another tree",
        "What was measured is not what is judged.",
        _REPORT,
    ),
)
