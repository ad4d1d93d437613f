"""The lines about refs: each is read as git means it, or said to be malformed."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.hosts.refs import Malformed, RefUpdate, read_pushed, read_received

A, B, ZERO = "a" * 40, "b" * 40, "0" * 40
LONG, LONG_ZERO = "c" * 64, "0" * 64
LINE = f"refs/heads/topic {A} refs/heads/main {B}"


def read(text: str | bytes) -> list[RefUpdate | Malformed]:
    return list(read_pushed(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")))


@pytest.mark.parametrize(
    ("line", "update"),
    [
        (LINE, ("refs/heads/main", B, A)),
        (f"refs/heads/x {A} refs/heads/x {ZERO}", ("refs/heads/x", None, A)),
        (f"(delete) {ZERO} refs/heads/x {B}", ("refs/heads/x", B, None)),
        (f"(delete) {LONG_ZERO} refs/heads/x {LONG}", ("refs/heads/x", LONG, None)),
        (f"(delete) 0 refs/heads/x {B}", ("refs/heads/x", B, None)),
        (f"HEAD~1 {A} refs/heads/x {B}", ("refs/heads/x", B, A)),
        (f":/fix the bug {A} refs/heads/x {B}", ("refs/heads/x", B, A)),
        (f"refs/tags/v1 {A} refs/tags/v1 {ZERO}", ("refs/tags/v1", None, A)),
        (f"x {A} refs/heads/caf\udce9 {B}", ("refs/heads/caf\udce9", B, A)),
        (f"x {A} refs/heads/café/ü {B}", ("refs/heads/café/ü", B, A)),
        (f"x {A} refs/for/main%topic=1 {B}", ("refs/for/main%topic=1", B, A)),
        (f"x {A} refs/heads/-x {B}", ("refs/heads/-x", B, A)),
        (f"x {A} refs/heads/a\u2028b {B}", ("refs/heads/a\u2028b", B, A)),
    ],
)
@pytest.mark.parametrize("end", ["\n", ""], ids=["whole line", "no line end"])
def test_lines_that_git_writes(line: str, update: tuple[str, str | None, str | None], end: str) -> None:
    assert read(line + end) == [RefUpdate(*update)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "too few parts"),
        ("garbage", "too few parts"),
        (f"refs/heads/x {A} refs/heads/x", "too few parts"),
        (f"{LINE}\r", "no id"),
        (f"{LINE} ", "no id"),
        (f"x {A[:12]} refs/heads/x {B}", "no id"),
        (f"x {A.upper()} refs/heads/x {B}", "no id"),
        (f"x {A} refs/heads/x {B}a", "no id"),
        (f"x {A} main {B}", "no full name"),
        (f"x {A} refs/heads/a..b {B}", "no full name"),
        (f"x {A} refs/heads/a\x01b {B}", "no full name"),
        (f"x {A} refs/heads/a\tb {B}", "no full name"),
        (f"x {A} refs/heads/a:b {B}", "no full name"),
        (f"x {A} refs/heads/x.lock {B}", "no full name"),
        (f"x {A} refs/heads/ {B}", "no full name"),
        (f"x {A} refs/heads/.x {B}", "no full name"),
        (f"x {A} refs//heads/x {B}", "no full name"),
        (f"x {A} --upload-pack=x {B}", "no full name"),
        (f"(delete) {ZERO} refs/heads/x {LONG_ZERO}", "nothing to nothing"),
        (f"x {A} refs/heads/x\0 {B}", "no full name"),
    ],
)
def test_lines_that_it_does_not(line: str, reason: str) -> None:
    (found,) = read(f"{line}\n")
    assert isinstance(found, Malformed)
    assert reason in found.reason
    assert found.reason.isprintable()


def test_every_line_counts() -> None:
    found = read(f"{LINE}\n\n(delete) {ZERO} refs/heads/x {B}\n{LINE}")
    assert [type(one) for one in found] == [RefUpdate, Malformed, RefUpdate, RefUpdate]
    assert read("") == []
    assert len(read(f"{LINE}\n" * 5000)) == 5000


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    lines = [line for line in data.split(b"\n") if line]
    assert len(read(data)) >= len(lines)
    assert all(isinstance(one, Malformed) for one in read(data))


@given(
    st.lists(st.sampled_from(["a", "..", ".", "@{", "/", "\\", "é", "-", "*", "~", ".lock", "@", "{", "b"]), min_size=1)
)
def test_names_are_those_that_git_takes(parts: list[str]) -> None:
    ref = "refs/heads/" + "".join(parts)
    by_git = subprocess.run(["git", "check-ref-format", ref], check=False).returncode == 0
    (found,) = read(f"x {A} {ref} {B}")
    assert isinstance(found, RefUpdate) == by_git, ref


def received(text: str) -> list[RefUpdate | Malformed]:
    return list(read_received(text.encode("utf-8", "surrogateescape")))


RECEIVED = f"{B} {A} refs/heads/main"


@pytest.mark.parametrize(
    ("line", "update"),
    [
        (RECEIVED, ("refs/heads/main", B, A)),
        (f"{ZERO} {A} refs/heads/x", ("refs/heads/x", None, A)),
        (f"{B} {ZERO} refs/heads/x", ("refs/heads/x", B, None)),
        (f"{LONG} {LONG_ZERO} refs/heads/x", ("refs/heads/x", LONG, None)),
        (f"0 {A} refs/heads/x", ("refs/heads/x", None, A)),
        (f"{B} {A} refs/heads/caf\udce9", ("refs/heads/caf\udce9", B, A)),
    ],
)
def test_lines_that_git_gives_to_a_receiving_hook(line: str, update: tuple[str, str | None, str | None]) -> None:
    assert received(f"{line}\n") == [RefUpdate(*update)]


@pytest.mark.parametrize(
    "text",
    [
        "\n",
        "garbage\n",
        RECEIVED,
        f"{RECEIVED}\r\n",
        f"{RECEIVED} \n",
        f" {RECEIVED}\n",
        f"{B}  {A} refs/heads/main\n",
        f"{A} refs/heads/main\n",
        f"{B} {A[:12]} refs/heads/main\n",
        f"{B} {A.upper()} refs/heads/main\n",
        f"{B} {A} main\n",
        f"{B} {A} HEAD\n",
        f"{B} {A} refs/heads/a b\n",
        f"{ZERO} {ZERO} refs/heads/main\n",
        f"{B}\0 {A} refs/heads/main\n",
    ],
)
def test_a_malformed_line_is_said_to_be_one_and_the_others_are_read(text: str) -> None:
    (found,) = received(text)
    assert isinstance(found, Malformed)
    whole = received(f"{RECEIVED}\n{text}")
    assert (whole[0], type(whole[1])) == (RefUpdate("refs/heads/main", B, A), Malformed)


def test_a_last_line_that_was_cut_is_none() -> None:
    """The name of the ref could go on."""
    assert isinstance(received(f"{B} {A} refs/heads/release\n{B} {A} refs/heads/rel")[1], Malformed)


@given(st.binary(max_size=200))
def test_any_bytes_of_a_receiving_hook_are_read(data: bytes) -> None:
    assert all(isinstance(one, Malformed) for one in read_received(data))
    assert len(list(read_received(data))) >= len([line for line in data.split(b"\n") if line])
