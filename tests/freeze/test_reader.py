"""The freeze ledger's reader: what is well-formed, and what each problem is called."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.freeze import FreezeLedger, read_freeze_ledger

REMOTE = frozenset({"remote_review", "far"})
FREEZE: dict[str, Any] = {
    "id": "fx-1",
    "signature": "sha256:" + "a" * 64,
    "path": "tests/property/test_retry.py",
    "case_id": "retry_under_jitter",
    "lane": "properties",
    "fixtures": ["tests/data/a.bin"],
    "reason": "timing-dependent under shared runners",
    "expires_utc": "2026-10-06T00:00:00Z",
    "owner": "test-infra",
}
LEDGER: dict[str, Any] = {
    "schema": "freeze-ledger.v1",
    "required_lanes": ["properties", "fixtures"],
    "optional_lanes": ["remote_review"],
    "cardinality_floor": {"properties": 64, "fixtures": 0, "remote_review": 1},
    "freezes": [FREEZE],
}
GONE = object()


def read(data: bytes) -> FreezeLedger:
    return read_freeze_ledger("tests/freeze_ledger.json", data, remote_lanes=REMOTE)


def read_with(**changes: Any) -> FreezeLedger:
    document = {key: value for key, value in (LEDGER | changes).items() if value is not GONE}
    return read(json.dumps(document).encode())


def read_freeze_with(**changes: Any) -> FreezeLedger:
    return read_with(freezes=[{key: value for key, value in (FREEZE | changes).items() if value is not GONE}])


def problems(ledger: FreezeLedger) -> list[str]:
    assert {problem.rule for problem in ledger.problems} <= {"freeze-invalid"}
    return [problem.message for problem in ledger.problems]


def test_a_sound_ledger() -> None:
    ledger = read(json.dumps(LEDGER, indent=2).encode())
    assert not ledger.problems
    assert ledger.settings is not None
    assert ledger.settings.required_lanes == ("properties", "fixtures")
    assert [ledger.settings.floor(lane) for lane in ("properties", "fixtures", "other")] == [64, 0, 1]
    (freeze,) = ledger.freezes
    assert (freeze.id, freeze.lane, freeze.owner, freeze.line) == ("fx-1", "properties", "test-infra", 17)
    assert freeze.expires_utc is not None
    assert freeze.expires_utc.isoformat() == "2026-10-06T00:00:00+00:00"


def test_fingerprints_are_those_of_the_canonical_json() -> None:
    # Known values: whoever approves with them must find them again in every later release.
    ledger = read(json.dumps(LEDGER, indent=2).encode())
    assert ledger.settings is not None
    assert ledger.freezes[0].fingerprint == "sha256:7f6e8d1fde94ad254fdeb15a597e760f04d83237f4ca968347b38054be3378be"
    assert ledger.settings.fingerprint == "sha256:9e2ba164f02844c5ce0c159491adc39320a360527c3e7af14b81e95157067ad3"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + json.dumps(LEDGER).encode(),
        json.dumps(LEDGER, indent=4).replace("\n", "\r\n").encode(),
        b'{"schema": "freeze-ledger.v1", "required_lanes": ["a"]}',
        b'{"schema": "freeze-ledger.v1", "required_lanes": ["on", "\xc3\xa9"], "freezes": []}',
    ],
)
def test_other_sound_files(data: bytes) -> None:
    assert not read(data).problems


@pytest.mark.parametrize(
    "changes",
    [
        {"lane": GONE},
        {"owner": GONE},
        {"fixtures": GONE},
        {"fixtures": []},
        {"path": "web/retry.spec.ts", "assertion": "expect(x).toBe(1)"},
        {"case_id": "tests/property/test_retry.py::test_x[a-1]"},
        {"owner": "no"},
        {"path": "tests/caf\u00e9.py"},
    ],
)
def test_sound_freezes(changes: dict[str, Any]) -> None:
    assert not read_freeze_with(**changes).problems


@pytest.mark.parametrize(
    ("data", "said", "line"),
    [
        (b"", "not valid JSON", 1),
        (b"{\n,}", "not valid JSON", 2),
        (b"[]", "no JSON object", None),
        (b"{}", "has no `schema`", None),
        (b'{"schema": "freeze-ledger.v2"}', "has the schema freeze-ledger.v2", None),
        (b'{"schema": 1}', "has the schema 1", None),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"schema": "freeze-ledger.v1"}', "not valid JSON", 1),
        (b'{\n"a": "\xff"}', "not UTF-8", 2),
        ('{"a": 1}'.encode("utf-16"), "not UTF-8", 1),
        (b'{"a": 1, "a": 1}', 'the key "a" stands twice', None),
        (b'{"freezes": [{"id": "fx-9", "lane": "a", "lane": "b"}]}', "of fx-9", None),
        (b'{"a": NaN}', "NaN is no JSON", None),
        (b'{"a": -Infinity}', "-Infinity is no JSON", None),
        (b'{"a": "\\ud800"}', "half of a surrogate pair", None),
        (b'{"a": 1} x', "not valid JSON", 1),
        (b'{"a": "\x01"}', "not valid JSON", 1),
        (b"// no\n{}", "not valid JSON", 1),
        (b"[" * 100_000, "nested too deeply", None),
        (b'{"a":' * 100_000, "nested too deeply", None),
    ],
)
def test_files_that_cannot_be_read(data: bytes, said: str, line: int | None) -> None:
    ledger = read(data)
    (problem,) = ledger.problems
    assert problem.rule == "freeze-unreadable"
    assert said in problem.message
    assert problem.line == line
    assert (ledger.settings, ledger.freezes) == (None, ())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"required_lanes": [], "cardinality_floor": {}, "freezes": []}, "`required_lanes` is empty"),
        ({"required_lanes": GONE, "cardinality_floor": {}, "freezes": []}, "`required_lanes` is empty"),
        ({"required_lanes": ["properties", "fixtures", "far"]}, "holds far, a remote lane"),
        ({"required_lanes": ["properties", "fixtures", "remote_review"], "optional_lanes": []}, "a remote lane"),
        ({"required_lanes": ["properties", "fixtures", 3]}, "must be a list of lane names"),
        ({"required_lanes": ["properties", "fixtures", ""]}, "must be a list of lane names"),
        ({"optional_lanes": "remote_review", "cardinality_floor": {}}, "`optional_lanes` must be a list"),
        ({"optional_lanes": ["remote_review", "fixtures"]}, "fixtures is listed 2 times"),
        ({"required_lanes": ["properties", "fixtures", "fixtures"]}, "fixtures is listed 2 times"),
        ({"cardinality_floor": {"propertys": 1}}, "which is in no lane list; did you mean `properties`?"),
        ({"cardinality_floor": []}, "must be an object"),
        ({"cardinality_floor": {"fixtures": True}}, "the floor of fixtures must be a whole number"),
        ({"cardinality_floor": {"fixtures": "1"}}, "the floor of fixtures must be a whole number"),
        ({"cardinality_floor": {"fixtures": -1}}, "the floor of fixtures must be a whole number"),
        ({"cardinality_floor": {"fixtures": 1.0}}, "the floor of fixtures must be a whole number"),
        ({"cardinality_floor": {"fixtures": None}}, "the floor of fixtures must be a whole number"),
        ({"cardinality_floor": {"fixtures": 10**400}}, "the floor of fixtures must be a whole number"),
        ({"cardinality_floors": {}}, "unknown key `cardinality_floors`; did you mean `cardinality_floor`?"),
        ({"freezes": {}}, "`freezes` is no list"),
        ({"freezes": [FREEZE, 3]}, "`freezes` holds an entry that is no object"),
        ({"freezes": [FREEZE, FREEZE]}, "freeze fx-1: its id stands 2 times"),
    ],
)
def test_ledgers_that_are_refused(changes: dict[str, Any], said: str) -> None:
    (message,) = problems(read_with(**changes))
    assert said in message


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        *(({key: GONE}, f"`{key}` is missing") for key in ("signature", "case_id", "reason", "expires_utc", "path")),
        ({"id": GONE}, "freeze without id: `id` is missing"),
        ({"id": " "}, "`id` must be a text"),
        ({"id": 7}, "freeze without id: `id` must be a text"),
        ({"reason": ""}, "`reason` must be a text"),
        ({"owner": None}, "`owner` must be a text"),
        ({"lane": None}, "`lane` must be a text"),
        ({"onwer": "x"}, "unknown key `onwer`; did you mean `owner`?"),
        ({"signature": "sha256:abc"}, "`signature` must be sha256:"),
        ({"signature": "sha256:" + "A" * 64}, "`signature` must be sha256:"),
        ({"signature": "a" * 64}, "`signature` must be sha256:"),
        ({"path": "/tests/a.py"}, "is absolute"),
        ({"path": "../a.py"}, "leaves the repository"),
        ({"path": "tests\\a.py"}, "holds a backslash"),
        ({"path": ".git/a.py"}, "git's own folder"),
        ({"path": "tests//a.py"}, "has an empty"),
        ({"fixtures": ["a.bin", "../b.bin"]}, "the path ../b.bin leaves"),
        ({"fixtures": "a.bin"}, "`fixtures` must be a list of paths"),
        ({"fixtures": [1]}, "`fixtures` must be a list of paths"),
        ({"fixtures": [""]}, "`fixtures` must be a list of paths"),
        ({"lane": "propertys"}, "in no lane list; did you mean `properties`?"),
        ({"path": "web/a.ts"}, "`assertion` is missing"),
        ({"expires_utc": "2026-10-06"}, "is no point in time"),
        ({"expires_utc": "2026-10-06T00:00:00"}, "has no time zone"),
        ({"expires_utc": 1790000000}, "`expires_utc` must be a text"),
    ],
)
def test_freezes_that_are_refused(changes: dict[str, Any], said: str) -> None:
    ledger = read_freeze_with(**changes)
    (message,) = problems(ledger)
    assert said in message
    assert ledger.problems[0].subject in ("fx-1", None)


def test_every_problem_is_told() -> None:
    ledger = read_with(required_lanes=["far"], freezes=[{"id": "a"}, {"id": "b", "lane": "x"}], zzz=1)
    assert len(problems(ledger)) >= 14


KEYS = st.permutations(list(LEDGER))
FREEZE_KEYS = st.permutations(list(FREEZE))


@given(keys=KEYS, freeze_keys=FREEZE_KEYS, indent=st.integers(0, 3) | st.none())
def test_layout_and_order_of_keys_never_change_fingerprints(
    keys: list[str], freeze_keys: list[str], indent: int | None
) -> None:
    shuffled = {key: LEDGER[key] for key in keys} | {"freezes": [{key: FREEZE[key] for key in freeze_keys}]}
    ledger, plain = read(json.dumps(shuffled, indent=indent).encode()), read_with()
    assert ledger.settings == plain.settings
    assert [freeze.fingerprint for freeze in ledger.freezes] == [freeze.fingerprint for freeze in plain.freezes]


def test_numbers_count_as_the_text_that_stands_in_the_file() -> None:
    plain, other = (read(f'{{"schema": "freeze-ledger.v1", "x": {number}}}'.encode()) for number in ("1.0", "1.00"))
    assert plain.settings is not None
    assert other.settings is not None
    assert plain.settings.fingerprint != other.settings.fingerprint


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*LEDGER, *FREEZE]), inner, max_size=4),
    max_leaves=8,
)


@given(
    changes=st.dictionaries(st.sampled_from([*LEDGER][1:]), JSON),
    freeze=st.dictionaries(st.sampled_from([*FREEZE]), JSON),
)
def test_no_value_in_any_place_breaks_the_reader(changes: dict[str, Any], freeze: dict[str, Any]) -> None:
    for ledger in (read_with(**changes), read_freeze_with(**freeze)):
        assert {problem.rule for problem in ledger.problems} <= {"freeze-invalid", "freeze-unreadable"}


@given(data=st.binary(max_size=80))
def test_no_bytes_are_silently_a_ledger(data: bytes) -> None:
    ledger = read(data)
    assert [problem.rule for problem in ledger.problems] == ["freeze-unreadable"]


SOUND = json.dumps(LEDGER).encode()


@given(start=st.integers(0, len(SOUND)), length=st.integers(0, 8), extra=st.binary(max_size=4))
def test_damage_never_breaks_the_reader(start: int, length: int, extra: bytes) -> None:
    ledger = read(SOUND[:start] + extra + SOUND[start + length :])
    assert ledger.problems or ledger.settings is not None
