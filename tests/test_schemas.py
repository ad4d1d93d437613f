"""The schemas that are shipped for editors say what the readers say, as far as a schema can."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.cli.schema import SCHEMAS, command
from ledgergate.errors import LedgergateError
from ledgergate.freeze import read_freeze_ledger
from ledgergate.ledger import read_ledger
from ledgergate.ledger.validate import _BY_CLASS, _CHECKS
from ledgergate.policy import Policy, read_policy, reader
from ledgergate.policy.model import Lane
from ledgergate.vouch.acks.document import AckError, read_ack
from support.documents import ROOT, blocks, section
from support.ledgers import LEDGER, TODAY, row_fields
from support.project import FREEZE, freezes, landed_ack, sha256

PATHS = {name: ROOT / "hooks/ledgergate" / package / f"{name}.schema.json" for name, package in SCHEMAS.items()}
DOCUMENTS = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in PATHS.items()}
VALIDATORS = {name: jsonschema.Draft202012Validator(schema) for name, schema in DOCUMENTS.items()}
FORMATS = ROOT / "docs" / "formats.md"


def fits(name: str, document: object) -> bool:
    return VALIDATORS[name].is_valid(document)


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(DOCUMENTS[name])


def test_every_schema_in_the_package_can_be_printed() -> None:
    assert set(PATHS.values()) == set((ROOT / "hooks/ledgergate").rglob("*.schema.json"))


# -- the test ledger ---------------------------------------------------------------------------------------------------


def is_read(rows: list[dict[str, Any]], today: date = TODAY) -> bool:
    return not read_ledger("l.yaml", _as_yaml({"version": 1, "rows": rows}), today=today).problems


def _as_yaml(document: object) -> bytes:
    """JSON, with escapes that YAML knows, too."""
    text = json.dumps(document, ensure_ascii=False)
    return re.sub(r"[^ -~]", lambda char: f"\\U{ord(char[0]):08x}", text).encode()


def is_row(row: dict[str, Any]) -> bool:
    return fits("ledger", {"version": 1, "rows": [row]})


def test_the_ledgers_of_the_documents_fit() -> None:
    for text in (LEDGER, blocks(section(FORMATS, "Test ledger"), "yaml")[0]):
        # YAML 1.2, which editors read, leaves dates as texts.
        assert fits("ledger", yaml.load(text.replace("2026-09-10", "'2026-09-10'"), yaml.SafeLoader))


def test_what_editors_take_for_numbers_and_booleans_fits() -> None:
    text = LEDGER.replace("owner: test-infra", "owner: 12").replace("2026-09-10", "'2026-09-10'")
    text = text.replace("artifact: tests", "lfs: true\n    params: 3\n    artifact: tests")
    assert fits("ledger", yaml.safe_load(text))
    assert not read_ledger("l.yaml", text.encode(), today=TODAY).problems


def test_a_test_may_be_an_artifact() -> None:
    row = yaml.safe_load(LEDGER)["rows"][0]
    assert is_row({**row, "artifact": "tests/test_parse.py::TestX::test_header"})


@given(row_fields)
def test_rows_that_are_read_fit(row: dict[str, Any]) -> None:
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}
    if is_read([plain]):
        assert is_row(plain), next(VALIDATORS["ledger"].iter_errors({"version": 1, "rows": [plain]})).message


_NAMES = sorted({*_CHECKS, "class", "sauce", *_BY_CLASS})
_VALUES = st.one_of(
    st.sampled_from(
        [
            *(
                "",
                " ",
                "agent",
                "true",
                "yes",
                "3",
                "0",
                "03",
                "property",
                "draft",
                "2026-09-10",
                "2026-9-1",
                "/a",
                "a/../b",
            ),
            *(
                "/a",
                "a/../b",
                "a\\b",
                ".git/x",
                "a/",
                "a//b",
                "./a",
                "t/a.py::x",
                "t/a.py",
                "a.py::x[é]",
                "a.py::x[a",
                "a.py::x[a]",
            ),
            *("sha256:" + "a" * 64, "sha256:" + "A" * 64, "t/FILE.py::NAME", "\t", "a\tb"),
        ]
    ),
    st.sampled_from([[], ["a"], ["a", "a"], ["sha256:" + "a" * 64], [""], ["a", "b"]]),
)


def _is_beyond_a_schema(row: dict[str, Any]) -> bool:
    """Lists of unequal length, dates that do not exist or lie ahead."""
    lists = [row.get(field) for field in ("artifact", "digest")]
    unequal = all(isinstance(value, list) for value in lists) and len(lists[0] or []) != len(lists[1] or [])
    return unequal or any("::" in text for text in _texts(row.get("artifact", ())))


def _texts(value: object) -> list[str]:
    return [value] if isinstance(value, str) else list(value) if isinstance(value, (list, tuple)) else []


@given(
    row_fields,
    st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=2),
    st.sets(st.sampled_from(_NAMES), max_size=1),
)
def test_both_say_the_same_of_rows_that_were_changed(row: dict[str, Any], put: dict[str, Any], gone: set[str]) -> None:
    changed = {key: list(value) if isinstance(value, tuple) else value for key, value in {**row, **put}.items()}
    changed = {key: value for key, value in changed.items() if key not in gone}
    if not _is_beyond_a_schema(changed):
        assert is_row(changed) == is_read([changed])


# -- the freeze ledger -------------------------------------------------------------------------------------------------

_FREEZE_DOCUMENT = json.loads(freezes(FREEZE))
_JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 3),
    st.sampled_from(
        ["", " ", "x", "a/b.py", "a/b.ts", "/a", "a/../b", "a\\b", "a/", "2026-10-06T00:00:00Z", "2026-10-06"]
    ),
    st.sampled_from([[], {}, ["a"], ["a", "a"], ["a", ""], [1], {"fixtures": 0}, {"fixtures": -1}, {"fixtures": "1"}]),
)


def is_freeze_ledger(document: object) -> bool:
    data = json.dumps(document).encode()
    return not read_freeze_ledger("f.json", data, remote_lanes=frozenset({"remote_review"})).problems


def test_the_freeze_ledger_of_the_documents_fits() -> None:
    assert fits("freeze", json.loads(blocks(section(FORMATS, "Freeze ledger"), "json")[0]))
    assert fits("freeze", _FREEZE_DOCUMENT)


@given(
    st.dictionaries(st.sampled_from([*_FREEZE_DOCUMENT, "lanes"]), _JUNK, max_size=1),
    st.dictionaries(st.sampled_from([*FREEZE, "assertion", "sauce"]), _JUNK, max_size=2),
    st.sets(st.sampled_from(list(FREEZE)), max_size=1),
)
def test_both_say_the_same_of_freeze_ledgers(top: dict[str, Any], put: dict[str, Any], gone: set[str]) -> None:
    freeze = {key: value for key, value in {**FREEZE, **put}.items() if key not in gone}
    document = {**_FREEZE_DOCUMENT, "freezes": [freeze], **top}
    lanes = {*_texts(document["required_lanes"]), *_texts(document["optional_lanes"])}
    named = {*document["cardinality_floor"]} if isinstance(document["cardinality_floor"], dict) else set()
    named |= {freeze["lane"]} if document["freezes"] == [freeze] and isinstance(freeze.get("lane"), str) else set()
    if not fits("freeze", document):
        assert not is_freeze_ledger(document)
    elif named <= lanes and len(lanes) == len(document["required_lanes"]) + len(document["optional_lanes"]):
        assert is_freeze_ledger(document)


# -- the policy --------------------------------------------------------------------------------------------------------


def is_policy(text: str) -> bool:
    try:
        read_policy(text.encode())
    except LedgergateError:
        return False
    return True


def test_the_policies_of_the_project_fit() -> None:
    for name in ("ledgergate.toml", "tests/policy/full.toml"):
        assert fits("policy", tomllib.loads((ROOT / name).read_text(encoding="utf-8")))
    for text in blocks(section(ROOT / "docs/policy.md", "A policy with every kind of setting"), "toml"):
        assert fits("policy", tomllib.loads(text))


def test_the_schema_has_every_key_with_its_default() -> None:
    said = DOCUMENTS["policy"]["properties"]
    assert list(said) == list(reader._TOP_NAMES)
    for key in reader._TOP:
        assert said[key].get("default") == _plain(getattr(Policy(), key)), key
        assert said[key]["description"]
    for name, (record, kinds) in reader._SECTIONS.items():
        assert {key: kind.get("default") for key, kind in said[name]["properties"].items()} == {
            key: _plain(getattr(record(), key)) for key in kinds
        }
    assert list(said["lanes"]["additionalProperties"]["properties"]) == list(reader._LANE)
    assert Lane("x", "y").remote is False


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


_TOML_VALUES = st.sampled_from(
    [
        *(
            "true",
            "0",
            "1",
            "-1",
            "1.5",
            '""',
            '" "',
            '"x"',
            '"a/b"',
            '"/a"',
            '"a/../b"',
            '"a*"',
            '"#x"',
            '"refs/heads/x"',
        ),
        *(
            '"refs/heads/x"',
            "[]",
            '["x"]',
            '[""]',
            "[1]",
            '["refs/heads/x"]',
            '["github:1"]',
            '["a "]',
            "{}",
            "{ x = 1 }",
            '"agent"',
        ),
        *('"hold"', '"allow"', '"ci"', '"signals"', "2026-01-01"),
    ]
)
_KEYS = [
    *((None, key) for key in (*reader._TOP, "version", "golden", "identity")),
    *((name, key) for name, (_, kinds) in reader._SECTIONS.items() for key in (*kinds, "sauce")),
    *(("lanes.x", key) for key in (*reader._LANE, "sauce")),
]
# Of a ledger's glob and of a list of signals the reader says more.
_BEYOND = {"ledger"}


@given(st.sampled_from(_KEYS), _TOML_VALUES)
def test_both_say_the_same_of_policies(place: tuple[str | None, str], value: str) -> None:
    table, key = place
    text = "version = 1\n" if key != "version" else ""
    text += f"{key} = {value}\n" if table is None else f"[{table}]\n{key} = {value}\n"
    if table == "lanes.x" and key != "command":
        text += 'command = "x"\n'
    fitting = fits("policy", tomllib.loads(text))
    assert not is_policy(text) or fitting, text
    if key not in _BEYOND:
        assert is_policy(text) == fitting, text


# -- acks --------------------------------------------------------------------------------------------------------------

_ACK = json.loads(landed_ack("2026-11-30", "2026-12-09"))
_ACK_VALUES = st.one_of(
    _JUNK,
    st.sampled_from(
        [
            *(
                "refs/heads/main",
                "refs/",
                "main",
                "refs/heads/a b",
                "refs/heads/x*",
                "refs/heads/é",
                "kim",
                "a,b",
                "*@x",
            ),
            *("ledgergate-ack.v1", "ledgergate-ack.v2", "2026-12-01T00:00:00", "2026-12-01T00:00:00Z"),
            *(f"{'a' * 64}.json", f"{'A' * 64}.json", "a" * 64, sha256("x"), sha256("x").upper(), "file", "rows"),
        ]
    ),
    st.sampled_from([_ACK["signature"], _ACK["signature"].strip(), "-----BEGIN SSH SIGNATURE-----", _ACK["changes"]]),
)


def is_ack(document: object) -> bool:
    try:
        read_ack(json.dumps(document).encode())
    except AckError:
        return False
    return True


@given(
    st.dictionaries(st.sampled_from([*_ACK, "revokes", "sauce"]), _ACK_VALUES, max_size=2),
    st.dictionaries(st.sampled_from([*_ACK["changes"][0], "sauce"]), _ACK_VALUES, max_size=2),
    st.sets(st.sampled_from([*_ACK]), max_size=1),
)
def test_both_say_the_same_of_acks(top: dict[str, Any], put: dict[str, Any], gone: set[str]) -> None:
    change = {**_ACK["changes"][0], **put}
    document = {key: value for key, value in {**_ACK, "changes": [change], **top}.items() if key not in gone}
    if not fits("ack", document):
        assert not is_ack(document)
    elif change["old"] != change["new"] and not {"issued_utc", "expires_utc"} & top.keys():
        assert is_ack(document)


def test_comments_for_an_editor_are_read_over() -> None:
    modeline = "# yaml-language-server: $schema=../.ledgergate/schemas/ledger.schema.json\n"
    assert not read_ledger("l.yaml", (modeline + LEDGER).encode(), today=TODAY).problems
    assert is_policy("#:schema ./.ledgergate/schemas/policy.schema.json\nversion = 1\n")


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_printed(name: str) -> None:
    assert CliRunner().invoke(command, [name]).output == PATHS[name].read_text(encoding="utf-8")
