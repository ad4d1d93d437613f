"""Workflow commands: nothing of a repository may become a command, or end one early."""

from __future__ import annotations

import re

from hypothesis import given

from ledgergate.report import render
from ledgergate.rules import finding
from ledgergate.values import Report, State
from support.report_examples import PASS, PLAIN_PASS, REFUSAL
from support.report_strategies import REPORTS

COMMAND = re.compile(r"::(?:error|notice) (?:[a-z]+=[^:,]*)(?:,[a-z]+=[^:,]*)*::.+")


def test_a_finding_is_an_error_at_its_line() -> None:
    seen = finding("two-sided", "two-sided-diff", "100% wrong\nsecond", path="a,b:c%.bin", line=7, subject="s", old="x")
    shown = render(REFUSAL._replace(findings=(seen,), notes=()), "github")
    place = "file=a%2Cb%3Ac%25.bin,line=7,title=two-sided (FAIL)"
    assert shown.startswith(f"::error {place}::s%0Ax -> (nothing)%0A100%25 wrong%0Asecond%0AAgent: keep")
    assert "%0AHuman: if" in shown
    assert shown.splitlines()[1].startswith("Judged as an agent's change (env:CLAUDECODE, ")
    assert shown.splitlines()[3].startswith("ledgergate: FAIL, refused: 1 FAIL; 3 checks ran on tree")


def test_without_a_place_there_is_a_title_only() -> None:
    seen = finding("git-unreadable", "rules", "no object")
    assert "::error title=git-unreadable (UNSCORED)::no object%0A" in render(
        REFUSAL._replace(findings=(seen,)), "github"
    )


def test_notes_for_review_are_notices_without_a_remedy() -> None:
    lines = render(PASS, "github").splitlines()
    assert [line.split("title=")[1].split(" ")[0] for line in lines[:-1]] == ["digest-changed", "contract-change"]
    assert all(line.startswith("::notice ") and "approval" not in line for line in lines[:-1])
    assert len(render(PASS, "github", all_findings=True).splitlines()) == 5


def test_a_pass_without_notes_is_one_line() -> None:
    assert render(PLAIN_PASS, "github") == render(PLAIN_PASS, "text")


@given(REPORTS)
def test_every_line_is_a_whole_command_or_ours(report: Report) -> None:
    shown = render(report, "github", all_findings=True)
    shown.encode("utf-8")
    lines = shown.removesuffix("\n").split("\n")
    assert all(line.isprintable() for line in lines)
    commands = [line for line in lines if line.startswith("::")]
    assert len(commands) == len(report.findings) + len(report.notes)
    assert all(COMMAND.fullmatch(line) for line in commands)
    assert lines[-1].startswith(f"ledgergate: {report.state.value}")
    rest = lines[len(commands) :]
    assert len(rest) == 1 + 2 * (report.actor.is_agent and report.state is not State.PASS) + bool(report.aside)
