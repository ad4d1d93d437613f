"""`ledgergate.toml`: what it may say, and how it is told what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.errors import LedgergateError
from ledgergate.policy.globs import compile_globs
from ledgergate.policy.model import Lane, Policy
from ledgergate.policy.reader import read_policy

FULL = (Path(__file__).parent / "full.toml").read_bytes()


def read(text: str) -> Policy:
    return read_policy(f"version = 1\n{text}".encode())


def problem_of(data: bytes) -> str:
    with pytest.raises(LedgergateError) as caught:
        read_policy(data)
    assert caught.value.rule == "policy-unreadable"
    assert caught.value.path == "ledgergate.toml"
    return caught.value.message


def test_a_version_is_a_whole_policy() -> None:
    assert read("") == Policy()


def test_every_key_is_read() -> None:
    policy = read_policy(FULL)
    for name, value in policy._asdict().items():
        assert value != getattr(Policy(), name), name
        if hasattr(value, "_asdict"):
            for key, inner in value._asdict().items():
                assert inner != type(value)()._asdict()[key], f"{name}.{key}"


def test_lanes() -> None:
    policy = read('[lanes.a]\ncommand = "pytest"\n[lanes.b]\ncommand = "x"\ntimeout_s = 5\nremote = true\n')
    assert policy.lanes == (Lane("a", "pytest"), Lane("b", "x", 5, True))
    assert policy.remote_lanes == {"remote_review", "b"}


@pytest.mark.parametrize("text", ["drafts = 'x'", "drafts = 'x/'", "drafts = 'a/b c/'"])
def test_drafts_end_in_a_slash(text: str) -> None:
    assert read(text).drafts.endswith("/")


@pytest.mark.parametrize(
    "text",
    [
        "tests = []",
        "goldens = ['!**/x', '**/snapshots/**', 'a b/*.txt']",
        "ledger = ['a/*/ledger.yaml', 'l\u00e9dger.yaml', 'services/**/ledger.yaml']",
        "name = ''",
        "protected_refs = ['refs/tags/v*']",
        "[vouch]\nhumans = ['github:1234']",
        "[quarantine]\nmax_age_days = 0",
        "# a comment\r\nname = 'x'\r\n",
        "production = []",
    ],
)
def test_what_is_fine(text: str) -> None:
    read(text)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "version: is missing"),
        (b"version = 2", "version: is 2"),
        (b"version = true", "version: is True"),
        (b"version = 1.0", "version: is 1.0"),
        (b"version = '1'", "version: is '1'"),
        (b"\xef\xbb\xbfversion = 1", "byte order mark"),
        (b"version = 1\n# caf\xe9\n", "not UTF-8 (line 2)"),
        (b"\xff\xfev\0e\0", "not UTF-8"),
        (b"version = 1\nname = \n", "line 2"),
        (b"version = 1\nversion = 1\n", "line 2"),
        (b"version = 1\nname = " + b"[" * 100_000, "nested too deeply"),
        (b"version = " + b"1" * 5000, "not valid TOML"),
    ],
)
def test_files_that_cannot_be_read(data: bytes, said: str) -> None:
    assert said in problem_of(data)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("goldnes = []", 'goldnes: unknown key; did you mean "goldens"?'),
        ("max_days = 3", "max_days: unknown key; it belongs in [freeze]"),
        ("[vouch]\ngoldens = []", "vouch.goldens: unknown key; it belongs at the top of the file"),
        ("[vuoch]\nmode = 'ack'", 'vuoch: unknown key; did you mean "vouch"?'),
        ("[vouch]\nfour-eyes = true", 'did you mean "four_eyes"?'),
        ("zzz = 1", "zzz: unknown key"),
        ("vouch = 'ack'", "vouch: must be a table, as in [vouch]"),
        ("lanes = []", "lanes: must be a table"),
        ("lanes.x = 'pytest'", "lanes.x: must be a table"),
        ("[lanes.x]", "lanes.x: has no command"),
        ("[lanes.x]\ncommand = ' '", "lanes.x.command: is empty"),
        ("[lanes.x]\ncommand = 'a'\ntimeout = 3", 'did you mean "timeout_s"?'),
        ("[lanes.x]\ncommand = 'a'\ntimeout_s = 0", "lanes.x.timeout_s: must be at least 1"),
        ("[lanes.'']\ncommand = 'a'", "its name is empty"),
        ("name = 3", "name: must be a text, not a whole number"),
        ("name = 1979-05-27", "not a date or time"),
        ('name = "a\\u0000"', "name: holds a control character"),
        ("agent_new_tests = 1", "agent_new_tests: must be true or false"),
        ("agent_new_tests = 'no'", "agent_new_tests: must be true or false"),
        ("[freeze]\nmax_days = true", "freeze.max_days: must be a whole number, not a boolean"),
        ("[freeze]\nmax_days = 30.0", "freeze.max_days: must be a whole number, not a float"),
        ("[freeze]\nmax_days = 0", "freeze.max_days: must be at least 1"),
        ("[quarantine]\nmax_age_days = -1", "must be at least 0, not -1"),
        ("[vouch]\nmode = 'acks'", 'vouch.mode: is "acks", which is none of "ack", "signals"; did you mean "ack"?'),
        ("[merge]\nunscored = 'allow'", 'which is none of "block", "hold"'),
        ("[push]\nevidence = 'never'", "push.evidence: is"),
        ("[identity]\nassisted = 'robot'", "identity.assisted: is"),
        ("[vouch]\nhumans = ['kim']", "numeric account id"),
        ("[vouch]\nhumans = ['github:01']", "numeric account id"),
        ("tests = 'tests/**'", "tests: must be a list of texts, not a text"),
        ("tests = [3]", "tests: entry 1 must be a text"),
        ("tests = ['']", 'tests: entry 1 ("") is empty'),
        ("tests = ['a', '../b']", 'entry 2 ("../b") has an empty'),
        ("goldens = ['[z-a]']", "cannot be read as a glob"),
        ("goldens = ['[']", "cannot be read as a glob"),
        ("goldens = ['# x']", "is a comment"),
        ("not_production = ['/docs//x']", "has an empty"),
        ("ledger = []", "ledger: is empty"),
        ("ledger = ['/tests/ledger.yaml']", "is absolute"),
        ("ledger = ['!tests/ledger.yaml']", "cannot exclude"),
        ("ledger = ['tests/**']", "must end in the name of a file"),
        ("ledger = ['tests/']", "ends in a slash"),
        ("ledger = ['a', '../ledger.yaml']", "leaves the repository"),
        ("ledger = ['.git/ledger.yaml']", "git's own folder"),
        ("freeze_ledger = 'C:/x.json'", "is absolute"),
        ("freeze_ledger = 'a\\\\b.json'", "without wildcards or backslashes"),
        ("freeze_ledger = '*.json'", "without wildcards"),
        ("freeze_ledger = 'tests/ledger.yaml'", "which `ledger` names too"),
        ("drafts = ''", "drafts: is empty"),
        ("drafts = '/'", "covers the whole repository"),
        ("drafts = './'", "covers the whole repository"),
        ("drafts = '.'", "covers the whole repository"),
        ("drafts = '**'", "without wildcards"),
        ("drafts = '/tests/d'", "is absolute"),
        ("drafts = 'tests/../'", "leaves the repository"),
        ("[vouch]\nsigners = '../signers'", "leaves the repository"),
        ("protected_refs = ['main']", "must begin with refs/, as in refs/heads/main"),
        ("protected_refs = ['refs/heads/[']", "cannot be read as a glob"),
        ("protected_refs = ['refs/heads/[z-a]']", "cannot be read as a glob"),
        ("protected_refs = ['refs//heads/main']", "is no name or pattern of a ref"),
    ],
)
def test_values_that_are_refused(text: str, said: str) -> None:
    message = problem_of(f"version = 1\n{text}\n".encode())
    assert said in message
    assert len(message.splitlines()) == 2, message


def test_every_problem_is_told_at_once() -> None:
    message = problem_of(b"goldnes = []\ntests = [1, '']\n[vouch]\nmode = 1\nfour_eyes = 'x'\n[lanes.a]\n")
    assert [line.split(":")[0].strip() for line in message.splitlines()[1:]] == [
        "version",
        "goldnes",
        "tests",
        "vouch.mode",
        "vouch.four_eyes",
        "lanes.a",
    ]


@given(
    data=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: f"version=1\n{text}".encode("utf-8", "ignore"))
)
def test_any_bytes_are_a_policy_or_policy_unreadable(data: bytes) -> None:
    try:
        policy = read_policy(data)
    except LedgergateError as error:
        assert error.rule == "policy-unreadable"
    else:
        assert b"version" in data
        compile_globs(policy.tests, folded=True)("x")


HEAD, *SECTIONS = FULL.decode().split("\n\n")


@given(head=st.permutations(HEAD.splitlines()), sections=st.permutations(SECTIONS))
def test_the_order_of_keys_means_nothing(head: list[str], sections: list[str]) -> None:
    shuffled = read_policy("\n\n".join(["\n".join(head), *sections]).encode())
    assert shuffled._replace(lanes=()) == read_policy(FULL)._replace(lanes=())
    assert set(shuffled.lanes) == set(read_policy(FULL).lanes)


@given(cut=st.integers(0, len(FULL)), extra=st.binary(max_size=4))
def test_damaged_files_never_break_the_reader(cut: int, extra: bytes) -> None:
    try:
        read_policy(FULL[:cut] + extra + FULL[cut + len(extra) :])
    except LedgergateError as error:
        assert error.rule == "policy-unreadable"
