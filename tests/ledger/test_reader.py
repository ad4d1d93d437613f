"""The strict reader: what is a ledger, what is none, and where it says so."""

from __future__ import annotations

import builtins
import sys
import time
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.errors import LedgergateError
from ledgergate.ledger.reader import read_ledger
from ledgergate.ledger.rows import Ledger, Row, Value
from support.ledgers import DIGEST, LEDGER, TODAY, ledger_texts, row_lists

IDS = (
    "tests/test_parse.py::test_header_roundtrip",
    "tests/test_parse.py::test_length_never_negative",
    "tests/test_parse.py::test_concurrent_reload",
    "tests/agent_drafts/test_prefix.py::test_prefix_strip",
)


def read(data: bytes | str) -> Ledger:
    return read_ledger("tests/ledger.yaml", data.encode() if isinstance(data, str) else data, today=TODAY)


def change(old: str, new: str) -> str:
    assert LEDGER.count(old) >= 1
    return LEDGER.replace(old, new, 1)


def one_problem(data: bytes | str) -> tuple[str, int, str]:
    ledger = read(data)
    assert len(ledger.problems) == 1, ledger.problems
    [problem] = ledger.problems
    return problem.rule, problem.line, f"{problem.message} | {problem.remedy}"


def test_the_four_classes() -> None:
    ledger = read(LEDGER)
    assert (ledger.path, ledger.problems) == ("tests/ledger.yaml", ())
    assert [(row.id, row.line) for row in ledger.rows] == list(zip(IDS, (3, 7, 11, 16), strict=True))
    assert ledger.by_id == {row.id: row for row in ledger.rows}
    assert ledger.rows[0].fields == {
        "id": IDS[0],
        "class": "locked_fixture",
        "artifact": "tests/goldens/header.bin",
        "digest": DIGEST,
    }
    assert ledger.rows[2].fields["opened"] == "2026-09-10"


@pytest.mark.parametrize(
    "data",
    [
        LEDGER.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + LEDGER.encode(),
        b"\xef\xbb\xbf" + LEDGER.replace("\n", "\r\n").encode(),
        b"---\n" + LEDGER.encode(),
        LEDGER.encode() + b"...\n",
        LEDGER.rstrip("\n").encode(),
        LEDGER.replace("    ", "        ").replace("  - id", "    -   id").encode(),
        LEDGER.replace("version: 1\n", "").encode() + b"version: 1\n",
        change("class: draft", "'class': \"draft\"  # why").encode(),
    ],
)
def test_the_same_ledger_in_other_clothes(data: bytes) -> None:
    ledger = read(data)
    assert ledger.problems == ()
    assert [row.fields for row in ledger.rows] == [row.fields for row in read(LEDGER).rows]


@pytest.mark.parametrize(
    "data", ["version: 1\nrows: []\n", "rows: []\nversion: '1'", "# none\nversion: 1\nrows:\n  []\n"]
)
def test_a_ledger_without_rows_is_one(data: str) -> None:
    assert read(data) == Ledger("tests/ledger.yaml", (), {}, ())


UNREADABLE: list[tuple[bytes | str, int, str]] = [
    ("", 1, "empty"),
    ("# only a comment\n", 1, "empty"),
    ("- a\n", 1, "mapping with the keys"),
    ("rows\n", 1, "mapping with the keys"),
    ("version: 1\n", 1, "no `rows`"),
    ("rows: []\n", 1, "no `version`"),
    ("version: 1\nrows: {}\n", 2, "no list"),
    ("version: 1\nrows:\n", 2, "no list"),
    ("version: 1\nrows: ~\n", 2, "no list"),
    ("version: 2\nrows: []\n", 1, "version 1 only"),
    ("version:\nrows: []\n", 1, "version 1 only"),
    ("version: [1]\nrows: []\n", 1, "version 1 only"),
    ("version: 1.0\nrows: []\n", 1, "version 1 only"),
    ("version: 1\nversion: 1\nrows: []\n", 2, "lines 1 and 2"),
    (LEDGER + "rows: []\n", 21, "lines 2 and 21"),
    (LEDGER + "row: []\n", 21, "`row` is no key of a ledger"),
    (LEDGER + "[a]: []\n", 21, "is no key of a ledger"),
    (LEDGER + "---\nversion: 1\n", 21, "second document"),
    ("%YAML 1.1\n---\n" + LEDGER, 1, "no YAML directives"),
    (change("source: agent", "source: &me agent"), 18, "anchor (&me)"),
    (change("source: agent", "source: *me"), 18, "alias (*me)"),
    (change("source: agent", "source: !!str agent"), 18, "tag"),
    (change("source: agent", "source: ! agent"), 18, "tag"),
    (change("source: agent", "*me : agent"), 18, "alias (*me)"),
    (change("source: agent", "source: [&me agent]"), 18, "anchor"),
    (change("rows:\n", "rows: &all\n"), 2, "anchor"),
    (change("  - id", "  - &row\n    id"), 3, "anchor"),
    (change("source: agent", "[a]: agent"), 18, "a key of a row is a name"),
    (change("test_prefix_strip", "test_prefix_strip[x: y]"), 16, "mapping values are not allowed"),
    (change("source: agent", "source: @agent"), 18, "cannot start any token"),
    (change("source: agent", 'source: "a\\ud800"'), 18, "invalid Unicode"),
    (change("source: agent", 'source: "agent'), 21, "quoted scalar that begins in line 18"),
    (change("    source: agent", "\tsource: agent"), 18, "indented with a tab"),
    (change("    source: agent", "    \tsource: agent"), 18, "indented with a tab"),
    (change("source: agent", "source: ag\0ent"), 18, "NUL"),
    (change("source: agent", "source: ag\x1bent"), 18, "U+001B"),
    (change("source: agent", "source: ag\x85ent"), 18, "U+0085"),
    (change("class: draft\n", "class: draft # a\u2028    lfs: true\n"), 17, "U+2028"),
    (change("class: draft\n", "class: draft # a\r    lfs: true\n"), 17, "carriage return"),
    (LEDGER.replace("\n", "\r"), 1, "carriage return"),
    ("---\n\ufeff" + LEDGER, 2, "byte order mark"),
    ("\ufeff\ufeff" + LEDGER, 1, "byte order mark"),
    (change("source: agent", "source: caf\xe9").encode("latin-1"), 18, "0xe9 is not UTF-8"),
    (LEDGER.encode()[:-3] + b"\xc3", 20, "is not UTF-8"),
    (LEDGER.encode("utf-16"), 1, "UTF-16"),
    (LEDGER.encode("utf-16-be"), 1, "NUL"),
    (b"\xff\xfe", 1, "UTF-16"),
    ("version: 1\nrows: " + "[" * 200_000, 2, "nest"),
    ("version: 1\nrows:\n  " + "- " * 200_000, 3, "nested too deeply"),
    ("version: 1\nrows: " + "{a: " * 200_000, 2, "no list"),
    ("version: 1\nrows: [" + "{a: " * 200_000, 2, "nested too deeply"),
    ("version: 1\nrows:\n  - id: " + "[" * 60 + "]" * 60 + "\n", 3, "nested too deeply"),
]


@pytest.mark.parametrize(("data", "line", "text"), UNREADABLE)
def test_what_is_no_ledger(data: bytes | str, line: int, text: str) -> None:
    ledger = read(data)
    assert (ledger.rows, ledger.by_id) == ((), {})
    rule, found_line, message = one_problem(data)
    assert (rule, found_line) == ("ledger-unreadable", line)
    assert text in message


BAD_ROWS: list[tuple[str, int, str]] = [
    (
        change("class: quarantine", "class: quarantine\n    class: property"),
        13,
        "twice, in lines 12 and 13",
    ),
    (change(f"digest: {DIGEST}", f"digest: {DIGEST}\n    'digest': {DIGEST}"), 7, "lines 6 and 7"),
    (change("class: draft", "class: yes"), 17, "'yes' is no class"),
    (change("class: draft", "classs: draft"), 16, "no `class`"),
    (change("opened: 2026-09-10", "opened: 2026-02-30"), 13, "no date"),
    (change("owner: test-infra", "owner:"), 15, "`owner` is empty"),
    (change("invariant: prefix_is_idempotent", "invariant: {a: b}"), 20, "holds a mapping"),
    (change("invariant: prefix_is_idempotent", "invariant: {a: {b: [c]}}"), 20, "holds a mapping"),
    (change("artifact: tests/goldens/header.bin", "artifact: [a, [b]]"), 5, "inside a list"),
    (
        change("test_length_never_negative", '"test[\\xe9]"').replace(
            'tests/test_parse.py::"', '"tests/test_parse.py::'
        ),
        7,
        "[\\xe9]",
    ),
    (LEDGER + "  - a text\n", 21, "a row is a mapping"),
    (LEDGER + "  - []\n", 21, "a row is a mapping"),
    (LEDGER + "  -\n", 21, "a row is a mapping"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD_ROWS)
def test_what_is_no_row(text: str, line: int, message: str) -> None:
    problems = read(text).problems
    assert {problem.rule for problem in problems} == {"row-invalid"}
    assert any(problem.line == line and message in f"{problem.message} {problem.remedy}" for problem in problems), (
        problems
    )


@pytest.mark.parametrize("id_", [IDS[0], f'"{IDS[0]}"', f"'{IDS[0]}'", f"'{IDS[0]}'  # again"])
def test_an_id_has_one_row_however_it_is_quoted(id_: str) -> None:
    text = change(f"id: {IDS[2]}", f"id: {id_}")
    rule, line, message = one_problem(text)
    assert (rule, line) == ("row-duplicate", 11)
    assert "lines 3 and 11" in message
    ledger = read(text)
    assert [row.line for row in ledger.rows] == [3, 7, 16]
    assert IDS[0] not in {row.id for row in ledger.sound_rows}


def test_a_row_with_a_problem_is_still_compared() -> None:
    ledger = read(change(DIGEST, "sha256:0"))
    assert [row.id for row in ledger.rows] == list(IDS)
    assert [row.id for row in ledger.sound_rows] == list(IDS[1:])


@pytest.mark.parametrize("cut", range(0, len(LEDGER), 7))
def test_a_truncated_ledger_never_gains_from_it(cut: int) -> None:
    whole = read(LEDGER)
    ledger = read(LEDGER[:cut])
    if not ledger.problems:
        kept = [row for row in ledger.rows if whole.by_id[row.id].fields == row.fields]
        assert len(ledger.rows) - len(kept) <= 1
        assert ledger.rows


@pytest.mark.parametrize("word", ["no", "on", "y", "~", ".inf", "12:30", "1_000", "0o7", "2026-01-31", "null", "1e3"])
def test_scalars_are_read_as_they_are_written(word: str) -> None:
    assert read(change("owner: test-infra", f"owner: {word}")).by_id[IDS[2]].fields["owner"] == word


@pytest.mark.parametrize("written", ["2026-01-31", "'2026-01-31'", '"2026-01-31"'])
def test_a_date_is_the_same_bare_and_quoted(written: str) -> None:
    ledger = read(change("2026-09-10", written))
    assert ledger.problems == ()
    assert ledger.by_id[IDS[2]].fields["opened"] == "2026-01-31"


def test_folded_and_literal_texts() -> None:
    ledger = read(change("reason: order-dependent on module import cache", "reason: >-\n      order\n      dependent"))
    assert ledger.problems == ()
    assert ledger.by_id[IDS[2]].fields["reason"] == "order dependent"


@given(st.data(), row_lists)
def test_reading_gives_what_was_written(data: st.DataObject, rows: list[dict[str, Value]]) -> None:
    ledger = read(data.draw(ledger_texts(rows)))
    assert ledger.problems == ()
    assert [row.fields for row in ledger.rows] == rows
    assert list(ledger.by_id.values()) == list(ledger.rows)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode), st.integers(0, len(LEDGER)))
def test_no_bytes_make_the_reader_fail(junk: bytes, at: int) -> None:
    for data in (junk, LEDGER[:at].encode() + junk + LEDGER[at:].encode()):
        ledger = read(data)
        assert ledger.rows or ledger.problems or b"rows" in data


def test_a_yaml_reader_without_libyaml_judges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_libyaml(
        name: str,
        globals_: Mapping[str, object] | None = None,
        locals_: Mapping[str, object] | None = None,
        names: Sequence[str] = (),
        level: int = 0,
    ) -> object:
        if name == "yaml._yaml":
            raise ImportError(name)
        return real(name, globals_, locals_, names, level)

    monkeypatch.delitem(sys.modules, "yaml._yaml", raising=False)
    monkeypatch.setattr(builtins, "__import__", without_libyaml)
    with pytest.raises(LedgergateError, match="libyaml") as caught:
        read("---\n" + LEDGER)
    assert caught.value.rule == "ledger-unreadable"


def test_rows_are_cheap_records() -> None:
    assert isinstance(read(LEDGER).rows[0], Row)


def test_a_flood_of_problems_is_cut_short_and_says_so() -> None:
    row = "  - id: t/test_a.py::test_{}\n    class: draft\n    sauce: agent\n"
    data = ("version: 1\nrows:\n" + "".join(map(row.format, range(200_000)))).encode()
    started = time.process_time()
    ledger = read_ledger("l.yaml", data, today=TODAY)
    assert time.process_time() - started < 10
    assert ledger.rows == ()
    *first, last = ledger.problems
    assert {problem.rule for problem in first} == {"row-invalid"}
    assert len(first) == 1000
    assert last.rule == "ledger-unreadable"
    assert last.message.startswith("more than 1,000 problems stand before line 1,503 of 600,002")


def test_many_problems_are_all_told() -> None:
    row = "  - id: t/test_a.py::test_{}\n    class: draft\n    source: agent\n"
    data = ("version: 1\nrows:\n" + "".join(map(row.format, range(999)))).encode()
    ledger = read_ledger("l.yaml", data, today=TODAY)
    assert len(ledger.rows) == len(ledger.problems) == 999


def test_both_readers_refuse_a_row_with_the_id_of_a_message() -> None:
    row = "  - id: t/FILE.py::NAME\n    class: property\n    invariant: x\n    seeds: s/\n"
    assert [
        problem.rule for problem in read_ledger("l", ("version: 1\nrows:\n" + row).encode(), today=TODAY).problems
    ] == ["row-invalid"]


def test_two_digests_that_a_merge_left_say_how_to_go_on() -> None:
    row = "  - id: a\n    class: locked_fixture\n    artifact: g\n"
    text = f"version: 1\nrows:\n{row}    digest: {DIGEST}\n    digest: {DIGEST}\n"
    problems = read_ledger(LEDGER, text.encode(), today=TODAY).problems
    assert any("keep one of them, then `ledgergate relock --staged`" in problem.message for problem in problems)
