"""A rule of the catalogue, or a word of the messages, explained to whoever was refused."""

from __future__ import annotations

from ledgergate.errors import UsageError
from ledgergate.report.remedy import unfilled_remedy
from ledgergate.report.text import wrapped
from ledgergate.rules import RULES, Rule
from ledgergate.rules.terms import TERMS
from ledgergate.values import State

_STATES = {
    State.FAIL: "FAIL: a violation was found, and the change is refused.",
    State.UNSCORED: "UNSCORED: it could not be judged, and what could not be judged does not pass.",
    State.SKIP: "SKIP: left out on purpose.",
    State.PASS: "PASS: a note, which refuses nothing.",
    None: "It depends on who made the change. Staged by an agent: FAIL. Staged by a human: a note, which refuses "
    "nothing. In a range of commits: FAIL where a commit that made it carries an agent's signal, else UNSCORED, since "
    "commits do not prove who made them.",
}


def explain(name: str) -> str:
    """What the rule means, why it exists, and how to go on; or what the word means; ending in a line break.

    Raises `UsageError` for a name that is none, with the nearest one or, failing that, what lists all.
    """
    if name in TERMS:
        title, text = TERMS[name]
        return "\n".join([f"{name}: {title}", "", *wrapped(text, "  ", "  ")]) + "\n"
    rule = RULES.get(name)
    if rule is None:
        raise UsageError(_unknown(name))
    return "\n".join(_lines(rule)) + "\n"


def _lines(rule: Rule) -> list[str]:
    remedy = [line for part in unfilled_remedy(rule.remedy).split("\n") for line in wrapped(part, "  > ", "    ")]
    return [
        f"{rule.name}: {rule.title}",
        "",
        "State",
        *wrapped(_STATES[rule.state], "  ", "  "),
        "",
        "Why",
        *wrapped(rule.why, "  ", "  "),
        "",
        "How to go on",
        *remedy,
    ]


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), [*RULES, *TERMS], n=1)
    if near:
        return f"there is no rule {name!r}; did you mean {near[0]}?"
    return f"there is no rule {name!r}; `ledgergate explain` lists them"
