"""Ledgers for tests: one good text, and strategies for ledgers of any look."""

from __future__ import annotations

from datetime import date

from hypothesis import strategies as st

from ledgergate.ledger.rows import Value

TODAY = date(2026, 10, 1)
DIGEST = "sha256:" + "ab" * 32

LEDGER = f"""\
version: 1
rows:
  - id: tests/test_parse.py::test_header_roundtrip
    class: locked_fixture
    artifact: tests/goldens/header.bin
    digest: {DIGEST}
  - id: tests/test_parse.py::test_length_never_negative
    class: property
    invariant: non_negative_length
    seeds: tests/properties/seeds/length/
  - id: tests/test_parse.py::test_concurrent_reload
    class: quarantine
    opened: 2026-09-10
    reason: order-dependent on module import cache
    owner: test-infra
  - id: tests/agent_drafts/test_prefix.py::test_prefix_strip
    class: draft
    source: agent
    proposed_class: property
    invariant: prefix_is_idempotent
"""

# Texts that YAML makes something else of, or that need care in one style or another.
_ODD_TEXTS = (
    *(
        "no",
        "on",
        "~",
        "null",
        "12:30",
        "1_000",
        ".inf",
        "2026-01-31",
        "a: b",
        "a #b",
        "a#b",
        "a:b",
        "[x]",
        "{x}",
        "*x",
    ),
    *(
        "&x",
        "!x",
        "@x",
        "`x",
        "%x",
        "- x",
        "? x",
        "it's",
        'say "so"',
        "back\\slash",
        "\\xe9",
        "é",
        "日本",
        "😀",
        "tab\there",
    ),
    *(
        " lead",
        "trail ",
        "a\u00a0b",
        "two\nlines",
        "x" * 1100,
        "a  b",
        "a : b",
        "<<",
        "=",
        "---",
        "...",
        "#x",
        "x:",
        ":x",
    ),
    *("\u2028", "\x85", "\ufeffx", "\x07", "|", ">", "a,b", "'", '"', "''", "\u00a0", "\u3000x"),
)
texts = st.one_of(
    st.sampled_from(_ODD_TEXTS),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=12),
    st.from_regex(r"[a-z_]{1,12}", fullmatch=True),
).filter(lambda text: bool(text.strip()))
_words = st.from_regex(r"[a-z][a-z0-9_.-]{0,7}", fullmatch=True)
_parts = st.one_of(
    _words, st.sampled_from(["café", "a b", "-x", ".hidden", "x#y", "a'b", 'a"b', "x\ty", "x\ny", "[z]", "a: b"])
)
paths = st.lists(_parts, min_size=1, max_size=4).map("/".join)
_parameters = st.one_of(
    st.just(""),
    st.from_regex(r"\[[ -~]{0,10}\]", fullmatch=True),
    st.sampled_from(
        ["[]", "[a: b]", "[#1]", "[ #1]", r"[\xe9]", "[x y]", "[a::b]", "[<&>\"']", "[" + "long-" * 250 + "]", "[]]"]
    ),
)
_files = paths.filter(str.isprintable)
ids = st.builds("{}.py::{}{}".format, _files, _words, _parameters)
_dates = st.dates(date(1990, 1, 1), TODAY).map(str)
_digests = st.from_regex(r"sha256:[0-9a-f]{64}", fullmatch=True)
_flags = st.sampled_from(["true", "false"])
folders = paths.map(lambda path: f"{path}/")


def _list_of_fixtures(paths: list[str], digests: list[str]) -> dict[str, Value]:
    return {"artifact": tuple(paths), "digest": tuple(digests[: len(paths)])}


_fixtures = st.one_of(
    st.fixed_dictionaries({"artifact": st.one_of(paths, folders), "digest": _digests}),
    st.builds(
        _list_of_fixtures,
        st.lists(paths, min_size=1, max_size=3, unique=True),
        st.lists(_digests, min_size=3, max_size=3),
    ),
)
_flagged = st.fixed_dictionaries({}, optional={"lfs": _flags, "allow_empty": _flags})
_class_fields = st.one_of(
    st.builds(lambda a, b: {"class": "locked_fixture", **a, **b}, _fixtures, _flagged),
    st.fixed_dictionaries({"class": st.just("property"), "invariant": texts, "seeds": st.one_of(paths, folders)}),
    st.fixed_dictionaries({"class": st.just("quarantine"), "opened": _dates, "reason": texts, "owner": texts}),
    st.fixed_dictionaries(
        {"class": st.just("draft"), "source": texts, "proposed_class": st.just("property"), "invariant": texts}
    ),
    st.fixed_dictionaries(
        {"class": st.just("draft"), "source": texts, "proposed_class": st.just("locked_fixture"), "artifact": paths}
    ),
)
# The fields of one row that has no problem.
row_fields: st.SearchStrategy[dict[str, Value]] = st.builds(lambda id_, rest: {"id": id_, **rest}, ids, _class_fields)
row_lists = st.lists(row_fields, max_size=5, unique_by=lambda fields: fields["id"])


def _single(text: str) -> str | None:
    plain = text.isprintable() or all(char.isprintable() or char in "\u00a0\u3000" for char in text)
    return "'" + text.replace("'", "''") + "'" if plain else None


def _double(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return (
        '"'
        + "".join(escapes.get(char) or (char if char.isprintable() else f"\\U{ord(char):08x}") for char in text)
        + '"'
    )


_PLAIN_START = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./(~\\")


def _plain(text: str) -> str | None:
    safe = text.isascii() and text.isprintable() and text[0] in _PLAIN_START and text[-1] not in " :"
    return text if safe and ": " not in text and " #" not in text else None


@st.composite
def scalars(draw: st.DrawFn, text: str, *, flow: bool = False) -> str:
    """One way to write the text on one line that YAML reads back as it."""
    forms = [_double(text)]
    single, plain = _single(text), None if flow and set(text) & set(",[]{}?:") else _plain(text)
    forms += [form for form in (plain, plain, plain, single) if form is not None]
    return draw(st.sampled_from(forms))


_comments = st.sampled_from(["# why", "#", '# it\'s: a "comment" [', "# é", "#\ttab"])


@st.composite
def _ends(draw: st.DrawFn, line_end: str) -> str:
    """What may follow a value on its line and after it, up to the next line."""
    tail = draw(st.sampled_from(["", "", "", "", "  ", " # note", "   # 'x'"]))
    more = draw(st.lists(st.one_of(st.just(""), _comments, _comments.map(lambda text: "      " + text)), max_size=1))
    return tail + line_end + "".join(line + line_end for line in more)


@st.composite
def _row_text(draw: st.DrawFn, fields: dict[str, Value], indent: str, end: str, tidy: bool) -> str:
    ends = st.just(end) if tidy else _ends(end)
    lead, inner = indent + "- ", indent + "  "
    text = ""
    for field in draw(st.permutations(list(fields))) if not tidy and draw(st.booleans()) else list(fields):
        value = fields[field]
        if isinstance(value, str):
            text += f"{lead}{field}: {draw(scalars(value))}{draw(ends)}"
        elif draw(st.booleans()):
            items = ", ".join(draw(scalars(item, flow=True)) for item in value)
            text += f"{lead}{field}: [{items}]{draw(ends)}"
        else:
            item_lead = inner + draw(st.sampled_from(["", "  "])) + "- "
            text += f"{lead}{field}:{draw(ends)}"
            text += "".join(f"{item_lead}{draw(scalars(item))}{draw(ends)}" for item in value)
        lead = inner
    return text


@st.composite
def ledger_texts(draw: st.DrawFn, rows: list[dict[str, Value]]) -> str:
    """The rows as a ledger file of one look or another: indents, quoting, comments, line ends, a byte order mark."""
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    tidy = draw(st.booleans())
    if not rows:
        return f"version: 1{end}rows: []{end}"
    indent = " " * draw(st.sampled_from([2, 2, 0, 4]))
    ends = st.just(end) if tidy else _ends(end)
    text = f"version: 1{draw(ends)}rows:{draw(ends)}"
    text += "".join(draw(_row_text(fields, indent, end, tidy)) for fields in rows)
    if draw(st.integers(0, 5)) == 0:
        text = text.rstrip("\r\n")
    return draw(st.sampled_from(["", "", "\ufeff"])) + text
