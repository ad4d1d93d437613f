"""The catalogue is complete, consistent and fit to be read from a refusal alone."""

from __future__ import annotations

import re

import pytest

from ledgergate.rules import RULES, Rule, finding
from ledgergate.values import State

BY_MAKER = [
    "row-added-classified",
    "class-changed",
    "digest-changed",
    "artifact-changed",
    "invariant-changed",
    "seeds-changed",
    "quarantine-edited",
    "quarantine-removed",
    "row-removed",
    "row-edited",
    "draft-edited",
    "freeze-edited",
    "policy-edited",
    "signers-edited",
    "protected-path",
    "test-edited",
    "ack-removed",
    "seeds-shrunk",
]
FAIL = [
    "ack-invalid",
    *("lane-violation", "case-failed", "quarantine-cited", "quarantine-skipped", "draft-cited", "unclassified"),
    "digest-mismatch",
    "artifact-missing",
    "artifact-empty",
    "artifact-collision",
    "lfs-pointer-invalid",
    "seeds-empty",
    "golden-unclassified",
    "two-sided",
    "row-invalid",
    "row-duplicate",
    "artifact-outside",
    "freeze-invalid",
    "row-shadowed",
    "write-path",
    *("test-removed", "skip-added", "assertion-removed", "assertion-weakened", "assertion-tautology"),
    *("exception-broadened", "subject-replaced", "collection-changed", "outcome-tampered"),
]
UNSCORED = [
    *("case-missing", "case-flaky", "case-ambiguous", "no-evidence"),
    *("report-unreadable", "report-empty", "report-stale"),
    *("lane-missing", "lane-incomplete", "floor-missed", "receipt-missing", "receipt-unknown", "receipt-mismatch"),
    *("artifact-differs", "golden-update-run", "plugin-unlisted"),
    *("freeze-signature", "freeze-expired", "freeze-unowned"),
    "quarantine-stale",
    "ledger-unreadable",
    "ledger-missing",
    "freeze-unreadable",
    "policy-unreadable",
    "git-unreadable",
    *("ref-malformed", "ref-deleted", "deadline", "facts-unreadable"),
    "internal-error",
    *("expectation-changed", "test-aware-production"),
]
NOTE = ["contract-change", "not-enforced"]

COMMANDS = {
    "ack",
    "quarantine",
    "check",
    "collect",
    "verify",
    "explain",
    "relock",
    "init",
    "demo",
    "score",
    "freeze",
    "thaw",
    "run",
    "schema",
    "install",
}

rules = pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))


def test_the_catalogue_holds_exactly_the_rules_of_this_version() -> None:
    expected = {
        **dict.fromkeys(BY_MAKER),
        **dict.fromkeys(FAIL, State.FAIL),
        **dict.fromkeys(UNSCORED, State.UNSCORED),
        **dict.fromkeys(NOTE, State.PASS),
    }
    assert {rule.name: rule.state for rule in RULES.values()} == expected
    assert list(RULES) == [rule.name for rule in RULES.values()]


@rules
def test_every_text_is_there_short_and_printable(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert 0 < len(rule.title) <= 60
    assert not rule.title.endswith(".")
    assert 1 <= len(re.findall(r"[.](?=\s|$)", rule.why)) <= 3
    assert len(rule.remedy) <= 500
    for text in (rule.title, rule.why, *rule.remedy.split("\n")):
        assert text == text.strip()
        assert text.isprintable()
        assert "  " not in text


@rules
def test_a_remedy_says_to_whom_it_speaks_and_reaches_humans(rule: Rule) -> None:
    speakers = [line.split(":")[0] for line in rule.remedy.split("\n")]
    if rule.state is State.PASS:
        assert speakers in (["Human"], [rule.remedy])
    else:
        assert speakers in (["Agent", "Human"], ["Agent, human"], ["Agent, human", "Human"])


@rules
def test_remedies_name_only_commands_that_exist(rule: Rule) -> None:
    for command in re.findall(r"`ledgergate ([^ `]+)", rule.remedy):
        assert command in COMMANDS or command == "--version"


@pytest.mark.parametrize("name", BY_MAKER)
def test_an_agent_may_always_hand_a_human_difference_over(name: str) -> None:
    agent = RULES[name].remedy.split("\n")[0]
    assert "tell your human" in agent or "make it a draft" in agent or "new file in the folder" in agent


def test_a_finding_takes_state_and_remedy_from_the_catalogue() -> None:
    seen = finding("two-sided", "two-sided-diff", "both", path="g", old="a", new="b")
    assert (seen.state, seen.remedy) == (State.FAIL, RULES["two-sided"].remedy)
    assert (seen.check, seen.path, seen.old, seen.new, seen.line) == ("two-sided-diff", "g", "a", "b", None)


def test_the_caller_may_know_better_than_the_catalogue() -> None:
    seen = finding("class-changed", "ledger-edits", "x", state=State.PASS, remedy="nothing to do")
    assert (seen.state, seen.remedy, seen.is_note) == (State.PASS, "nothing to do", True)


def test_a_state_that_nobody_gives_is_an_error() -> None:
    with pytest.raises(ValueError, match="class-changed"):
        finding("class-changed", "ledger-edits", "x")


def test_an_unknown_rule_is_an_error() -> None:
    with pytest.raises(KeyError):
        finding("no-such-rule", "ledger-edits", "x")
