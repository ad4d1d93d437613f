"""Text for people: the whole of two reports as goldens, and what holds of any."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from ledgergate.report import render
from ledgergate.report.text import findings_lines, note_lines
from ledgergate.rules import finding
from ledgergate.values import Finding, Report, State
from support.report_examples import NEW, OLD, PASS, PLAIN_PASS, REFUSAL, TEST
from support.report_strategies import REPORTS

GOLDENS = Path(__file__).parent.parent / "goldens" / "report"


def text(report: Report, *, all_findings: bool = False, colour: bool = False) -> str:
    return render(report, "text", all_findings=all_findings, colour=colour)


@pytest.mark.parametrize(
    ("name", "report", "all_findings"),
    [
        ("refusal.txt", REFUSAL, False),
        ("refusal-all.txt", REFUSAL, True),
        ("pass.txt", PASS, False),
        ("pass-all.txt", PASS, True),
    ],
    ids=["refusal", "refusal-all", "pass", "pass-all"],
)
def test_the_text_is_as_agreed(name: str, report: Report, all_findings: bool) -> None:
    assert text(report, all_findings=all_findings) == (GOLDENS / name).read_text(encoding="utf-8")


def test_a_pass_without_notes_is_one_line() -> None:
    assert text(PLAIN_PASS) == "ledgergate: PASS; 1 check ran on tree bbbbbbbbbbbb against aaaaaaaaaaaa\n"


def test_colour_adds_nothing_but_colour() -> None:
    coloured = text(REFUSAL, colour=True)
    assert "\x1b[31;1mFAIL\x1b[0m digest-changed" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text(REFUSAL)


def report_of(*findings: Finding) -> Report:
    return REFUSAL._replace(findings=findings, notes=(), items=())


def mismatch(path: str, subject: str = TEST) -> Finding:
    return finding("digest-mismatch", "fixture-digests", "It differs.", path=path, subject=subject, old=OLD, new=NEW)


@pytest.mark.parametrize("number", [1, 5])
def test_few_findings_of_a_rule_are_all_shown_and_the_remedy_once(number: int) -> None:
    shown = text(report_of(*(mismatch(f"g{n}") for n in range(number))))
    assert all(f"  g{n}  {TEST}\n" in shown for n in range(number))
    assert shown.count("> Human:") == 1
    assert shown.count("It differs.") == number


def test_many_findings_of_a_rule_are_a_count_and_the_first_few_unless_all() -> None:
    report = report_of(*(mismatch(f"g{n}") for n in range(20)))
    assert "(20 findings)" in text(report)
    assert "... and 17 more; --all lists them" in text(report)
    more = "`ledgergate check --all`"
    assert f"... and 17 more; {more} lists them" in render(report, "text", more=more)
    assert len(text(report).splitlines()) < 20
    assert all(f"  g{n}  " in text(report, all_findings=True) for n in range(20))


def test_findings_with_different_remedies_keep_each_its_own() -> None:
    other = mismatch("g2")._replace(remedy="Agent: something else.")
    shown = text(report_of(mismatch("g1"), other, mismatch("g3")))
    assert shown.count("Agent: something else.") == 1
    assert shown.count("> Human:") == 1


def test_fails_stand_before_what_could_not_be_judged() -> None:
    shown = text(REFUSAL)
    assert shown.index("FAIL digest-changed") < shown.index("UNSCORED quarantine-removed")


def test_what_others_come_of_stands_before_them() -> None:
    rules = ("case-missing", "quarantine-skipped", "case-failed", "lane-incomplete")
    own = [finding(rule, "lane-score", "m", subject=rule) for rule in rules]

    def shown(findings: list[Finding]) -> list[str]:
        lines = findings_lines(findings, all_findings=False, colour=False)
        return [line.split()[1].removesuffix(":") for line in lines if line.startswith(("FAIL", "UNSCORED"))]

    assert shown(own) == ["case-failed", "lane-incomplete", "case-missing", "quarantine-skipped"]
    assert shown(own[:-1]) == ["quarantine-skipped", "case-failed", "case-missing"]


@pytest.mark.parametrize(
    ("path", "typed"),
    [
        ("g/a.bin", ":/g/a.bin"),
        ("g/a b.bin", "':/g/a b.bin'"),
        ("g/$(x)", "':/g/$(x)'"),
        ("g/it's", "':/g/it'\"'\"'s'"),
        ("g/*.bin", "':(top,literal)g/*.bin'"),
        ("g/\x1b", "PATH"),
    ],
)
def test_one_path_stands_in_the_command_ready_to_type(path: str, typed: str) -> None:
    assert f"`git restore --staged --worktree {typed}`" in text(report_of(mismatch(path)))


@pytest.mark.parametrize(
    ("paths", "typed"),
    [
        (("b", "a"), ":/a :/b"),
        (("a", "b b", "c"), ":/a ':/b b' :/c"),
        (("a", "b\x1b"), "PATH"),
        (("a", "b", "c", "d"), "PATH"),
    ],
)
def test_of_several_paths_few_stand_in_the_command(paths: tuple[str, ...], typed: str) -> None:
    assert f"`git restore --staged --worktree {typed}`" in text(report_of(*map(mismatch, paths)))


def test_a_message_that_says_what_the_title_says_is_left_out() -> None:
    seen = finding("artifact-empty", "fixture-digests", "A golden is empty.", path="g")
    assert "A golden is empty." not in text(report_of(seen))
    assert "A golden is empty." in text(report_of(seen._replace(path=None)))


def test_one_act_on_one_file_is_mended_once() -> None:
    both = finding("two-sided", "two-sided-diff", "With code.", path="g1")
    assert "  > As for digest-mismatch above.\n" in text(report_of(mismatch("g1"), both))
    assert "As for" not in text(report_of(mismatch("g2"), both))
    assert "As for" not in text(report_of(both))


@pytest.mark.parametrize("rule", ["write-path", "assertion-weakened", "expectation-changed"])
def test_a_pinned_test_is_mended_as_its_digest_asks(rule: str) -> None:
    def seen(path: str) -> Finding:
        return finding(rule, "test-guard", "It asks for less.", path=path)

    assert "  > As for digest-mismatch above.\n" in text(report_of(mismatch("g1"), seen("g1")))
    assert "As for" not in text(report_of(mismatch("g2"), seen("g1")))
    to_approve = seen("g1")._replace(remedy="Human: let a signer approve it: `ledgergate ack --from a --to b`.")
    assert "As for" not in text(report_of(mismatch("g1"), to_approve))


def test_a_block_to_paste_stands_as_it_is() -> None:
    seen = mismatch("g")._replace(remedy=f"Append this:\n  - id: {'x' * 120}\n    class: y")
    assert f"  > Append this:\n      - id: {'x' * 120}\n        class: y\n" in text(report_of(seen))


def test_who_was_taken_for_an_agent_is_said_when_it_mattered() -> None:
    judged = "Judged as an agent's change (env:CLAUDECODE, trailer:"
    assert judged in text(REFUSAL)
    assert "Judged as" not in text(PLAIN_PASS._replace(actor=REFUSAL.actor))
    assert "Judged as" not in text(REFUSAL._replace(actor=PASS.actor))


def test_a_refusal_without_findings_is_no_pass_to_the_eye() -> None:
    shown = text(PLAIN_PASS._replace(state=State.UNSCORED, checks=()))
    assert shown.startswith("ledgergate: UNSCORED, refused: no check could say why; no check ran on tree bbbbbbbbbbbb ")


def test_nothing_enforced_is_said() -> None:
    note = finding("not-enforced", "rules", "Nothing is enforced yet.")
    shown = text(PLAIN_PASS._replace(checks=(), notes=(note,)))
    assert shown.startswith("note not-enforced: Nothing is enforced yet.\n  > Human: `ledgergate init` writes")
    assert "PASS; no check ran" in shown


def test_many_notes_are_counted_too() -> None:
    notes = tuple(finding("contract-change", "fixture-digests", "m", path=f"s{n}/") for n in range(30))
    assert "note contract-change: 27 more; --all lists them" in text(PLAIN_PASS._replace(notes=notes))


@given(REPORTS)
def test_any_report_is_harmless_text_that_ends_in_its_verdict(report: Report) -> None:
    for all_findings in (False, True):
        shown = text(report, all_findings=all_findings)
        shown.encode("utf-8")
        lines = shown.split("\n")
        assert lines.pop() == ""
        assert all(line.isprintable() for line in lines)
        verdict = lines[-1]
        assert verdict.startswith(f"ledgergate: {report.state.value}")
        assert ("refused" in verdict) == (report.state is not State.PASS)
        assert {f.rule for f in report.findings} <= set(re.findall(r"(?m)^[A-Z]+ ([a-z-]+)", shown))


@given(REPORTS)
def test_lines_are_short_except_for_what_must_stay_whole(report: Report) -> None:
    prose = [f._replace(message="word " * 60, remedy="Agent: `git status` and word. " * 20) for f in report.findings]
    for line in text(report_of(*prose), all_findings=True).split("\n"):
        assert len(line) <= 100 or line.startswith(("  ", "Judged", "ledgergate"))
        assert line.count("`") % 2 == 0 or not line.startswith("  > ")


def test_of_two_long_values_what_differs_is_shown() -> None:
    call = "assert render(document, width=100, colour=False, encoding='utf-8', more=None) == "
    lines = list(note_lines(finding("expectation-changed", "test-guard", "x", old=f"{call}1", new=f"{call}2")))
    assert "=None) == 1 -> " in " ".join(lines)
    assert lines[-1].endswith("=None) == 2")
