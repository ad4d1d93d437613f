"""Reports as hypothesis makes them: every rule and state, and texts that hold whatever a repository may hold."""

from __future__ import annotations

from hypothesis import strategies as st

from ledgergate.rules import RULES
from ledgergate.values import Actor, Cases, Finding, Item, JudgedCase, Report, State

TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)
SOME_TEXTS = st.one_of(TEXTS.filter(bool), st.sampled_from(["\x1b[2J", "::error::x", "a,b:c%d", "`x y` z", "\udcff"]))
PATHS = st.binary(min_size=1, max_size=20).map(lambda path: path.decode("utf-8", "surrogateescape"))
DIGESTS = st.binary(min_size=32, max_size=32).map(lambda digest: f"sha256:{digest.hex()}")
TREES = st.one_of(st.none(), st.binary(min_size=20, max_size=20).map(bytes.hex), st.just("ab" * 32))


def findings(*states: State) -> st.SearchStrategy[Finding]:
    return st.builds(
        Finding,
        rule=st.sampled_from(list(RULES)),
        state=st.sampled_from(states),
        check=SOME_TEXTS,
        message=SOME_TEXTS,
        remedy=st.one_of(TEXTS, st.sampled_from(["Agent: see PATH.\nHuman: `ledgergate relock ID`."])),
        path=st.none() | PATHS,
        line=st.none() | st.integers(1, 10**6),
        subject=st.none() | TEXTS,
        old=st.none() | DIGESTS | TEXTS,
        new=st.none() | DIGESTS | TEXTS,
    )


COUNTS = st.integers(0, 10**6)
CASES = st.builds(
    Cases,
    total=COUNTS,
    admitted=COUNTS,
    refused=COUNTS,
    judged=st.lists(
        st.builds(
            JudgedCase,
            id=SOME_TEXTS,
            class_=st.sampled_from(["", "property", "draft"]),
            outcome=st.sampled_from(["", "passed", "failed"]),
            verdict=st.sampled_from(["admitted", "recorded", *RULES]),
        ),
        max_size=3,
    ).map(tuple),
)
REPORTS = st.builds(
    Report,
    state=st.sampled_from(State),
    checks=st.dictionaries(SOME_TEXTS, st.sampled_from(State), max_size=4).map(lambda checks: tuple(checks.items())),
    actor=st.builds(
        Actor,
        kind=st.sampled_from(["agent", "human"]),
        signals=st.sets(SOME_TEXTS, max_size=3).map(lambda signals: tuple(sorted(signals))),
    ),
    base=TREES,
    head=TREES,
    contract=st.none() | DIGESTS,
    items=st.lists(
        st.builds(
            Item,
            kind=st.sampled_from(["row", "freeze", "settings", "file"]),
            subject=TEXTS,
            old=st.none() | DIGESTS,
            new=st.none() | DIGESTS,
        ),
        max_size=3,
    ).map(tuple),
    notes=st.lists(findings(State.PASS), max_size=8).map(tuple),
    findings=st.lists(findings(State.FAIL, State.UNSCORED, State.SKIP), max_size=12).map(tuple),
    cases=st.none() | CASES,
)
