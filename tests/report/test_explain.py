"""`explain` shows every rule as the golden has it, and helps with a name that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledgergate.errors import UsageError
from ledgergate.report import render
from ledgergate.report.explain import explain
from ledgergate.rules import RULES
from ledgergate.rules.terms import TERMS
from support.report_examples import PLAIN_PASS

GOLDEN = Path(__file__).parent.parent / "goldens" / "report" / "explain.txt"


def test_every_rule_is_explained_as_agreed() -> None:
    assert "\n".join(map(explain, RULES)) == GOLDEN.read_text(encoding="utf-8")


def test_the_word_that_every_message_uses_is_explained() -> None:
    assert explain("contract").startswith("contract: what tests are held to\n\n  The contract of a test is ")


@pytest.mark.parametrize("name", [*RULES, *TERMS])
def test_lines_fit(name: str) -> None:
    assert all(len(line) <= 100 for line in explain(name).split("\n"))


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("digest-change", "digest-changed"),
        ("write_path", "write-path"),
        ("TWO-SIDED", "two-sided"),
        ("contracts", "contract"),
    ],
)
def test_a_slip_is_answered_with_the_nearest_name(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"no rule '{name}'; did you mean {near}\\?"):
        explain(name)


def test_a_name_like_no_other_is_answered_with_what_lists_all() -> None:
    with pytest.raises(UsageError, match=r"`ledgergate explain` lists them$"):
        explain("xyzzy")


def test_an_unknown_format_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="no output format 'yaml'; there are text, json, sarif, github"):
        render(PLAIN_PASS, "yaml")  # type: ignore[arg-type]
