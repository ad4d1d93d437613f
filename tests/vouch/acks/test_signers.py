"""The reader of signers: literal names, our namespace, keys that OpenSSH knows; one wrong line and nobody vouches."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.errors import LedgergateError
from ledgergate.vouch.acks.signers import Signers, read_signers
from support.acks import EVE, KIM, LEE, public_of

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICaueE0ZSldgRkNIMpr065/KKye7+CN0LJaKYVQ+OhFT"
OTHER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIUmKt90UYu7cMfLlM1hWdkWaeWoHt8e/r1UPq29qfor"
OURS = 'namespaces="ledgergate-ack"'


def read(text: str) -> Signers:
    return read_signers("s", text.encode())


SOUND = {
    "a line": f"{KIM} {OURS} {KEY}\n",
    "no line end": f"{KIM} {OURS} {KEY}",
    "a comment behind it": f"{KIM} {OURS} {KEY} kim's laptop, 2026\n",
    "comments and blank lines": f"# who\n\n  # more\n \t\n{KIM} {OURS} {KEY}\n",
    "CRLF": f"{KIM} {OURS} {KEY}\r\n",
    "tabs": f"{KIM}\t{OURS}\t{KEY}\tx\n",
    "several names": f"lee,{KIM},k {OURS} {KEY}\n",
    "several namespaces": f'{KIM} namespaces="git,ledgergate-ack" {KEY}\n',
    "dates": f'{KIM} valid-after="20260101",{OURS},valid-before="20270101120000Z" {KEY}\n',
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_who_vouches(text: str) -> None:
    (key,) = read(text).named(KIM)
    assert (key.key_type, key.line) == ("ssh-ed25519", text[: text.index(KIM)].count("\n") + 1)


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_keys_of_every_type(kind: str) -> None:
    assert read(f"{KIM} {OURS} {public_of(KIM, kind)}\n").named(KIM)


def test_other_namespaces_are_somebody_elses() -> None:
    assert read(f'{KIM} namespaces="git" {KEY}\n{LEE} {OURS} {OTHER}\n').named(KIM) == ()


BROKEN = {
    "no namespace": f"{KIM} {KEY}",
    "every namespace": f'{KIM} namespaces="*" {KEY}',
    "a pattern of namespaces": f'{KIM} namespaces="ledgergate*" {KEY}',
    "a negated namespace": f'{KIM} namespaces="!git" {KEY}',
    "a blank among namespaces": f'{KIM} namespaces="git, ledgergate-ack" {KEY}',
    "an empty namespace": f'{KIM} namespaces="" {KEY}',
    "a namespace without quotes": f"{KIM} namespaces=ledgergate-ack {KEY}",
    "namespaces twice": f'{KIM} {OURS},namespaces="git" {KEY}',
    "capitals in an option": f'{KIM} NAMESPACES="ledgergate-ack" {KEY}',
    "every name": f"* {OURS} {KEY}",
    "names of a domain": f"*@example.org {OURS} {KEY}",
    "a name with a wildcard": f"k?m@example.org {OURS} {KEY}",
    "a negated name": f"{KIM},!eve {OURS} {KEY}",
    "an empty name": f"{KIM},, {OURS} {KEY}",
    "a quoted name": f'"{KIM}" {OURS} {KEY}',
    "a name with a blank": f'"kim lee" {OURS} {KEY}',
    "an authority": f"{KIM} cert-authority,{OURS} {KEY}",
    "an authority alone": f"{KIM} cert-authority {KEY}",
    "an unknown option": f"{KIM} no-touch-required,{OURS} {KEY}",
    "a certificate": f"{KIM} {OURS} {KEY.replace('ed25519 ', 'ed25519-cert-v01@openssh.com ')}",
    "an old type": f"{KIM} {OURS} ssh-dss {KEY.split()[1]}",
    "another type than its key's": f"{KIM} {OURS} ssh-rsa {KEY.split()[1]}",
    "no key": f"{KIM} {OURS} ssh-ed25519",
    "only a type in the key": f"{KIM} {OURS} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5",
    "no base64": f"{KIM} {OURS} ssh-ed25519 AAAAC3NzaC1lZDI1NTE5A",
    "a name alone": KIM,
    "a day that does not exist": f'{KIM} {OURS},valid-before="20260231" {KEY}',
    "a word for a day": f'{KIM} {OURS},valid-before="forever" {KEY}',
    "half a time": f'{KIM} {OURS},valid-after="2026010112" {KEY}',
    "a date twice": f'{KIM} {OURS},valid-after="20260101",valid-after="20270101" {KEY}',
    "a control character": f"{KIM} {OURS} {KEY} \x1b[2K",
    "a vertical tab": f"{KIM}\x0b{OURS} {KEY}",
    "a line end of another kind": f"{KIM} {OURS} {KEY}\u2028{EVE} {OURS} {OTHER}",
    "a lone carriage return": f"{KIM} {OURS} {KEY}\r{EVE} {OURS} {OTHER}",
    "a byte order mark": f"\ufeff{KIM} {OURS} {KEY}",
}


@pytest.mark.parametrize("line", BROKEN.values(), ids=BROKEN)
def test_one_wrong_line_and_nobody_vouches(line: str) -> None:
    with pytest.raises(LedgergateError) as raised:
        read(f"{LEE} {OURS} {OTHER}\n\n{line}\n")
    assert raised.value.rule == "policy-unreadable"
    assert raised.value.message.startswith("line 3 ")


def test_nor_with_bytes_that_are_no_text() -> None:
    with pytest.raises(LedgergateError, match="UTF-8"):
        read_signers("s", b"k\xe9m " + f"{OURS} {KEY}".encode())


@pytest.mark.parametrize(
    ("options", "at", "valid"),
    [
        ("", "20261201", True),
        (',valid-after="20261201"', "20261201", True),
        (',valid-after="20261202"', "20261201", False),
        (',valid-before="20261201"', "20261201", False),
        (',valid-before="20261202"', "20261201", True),
        (',valid-before="202612010001"', "20261201", True),
        (',valid-before="20261201000001Z"', "20261201", True),
        (',valid-after="20261101",valid-before="20261130"', "20261201", False),
    ],
)
def test_a_key_counts_from_a_day_and_until_a_day(options: str, at: str, valid: bool) -> None:
    (key,) = read(f"{KIM} {OURS}{options} {KEY}").keys
    assert key.is_valid(datetime.strptime(at, "%Y%m%d").replace(tzinfo=UTC)) is valid


class TestOnePersonUnderManyNames:
    def names(self, text: str, key: str) -> set[str]:
        signers = read(text)
        (found,) = {one.key for one in signers.keys if one.principals == (key,)}
        return set(signers.person(found))

    def test_names_on_one_line(self) -> None:
        signers = read(f"kim,boss {OURS} {KEY}\n{LEE} {OURS} {OTHER}\n")
        assert signers.person(signers.keys[0].key) == {"kim", "boss"}

    def test_one_key_on_two_lines(self) -> None:
        assert self.names(f"kim {OURS} {KEY}\nboss {OURS} {KEY}\n{LEE} {OURS} {OTHER}\n", "boss") == {"kim", "boss"}

    def test_two_keys_of_one_name(self) -> None:
        text = f"kim {OURS} {KEY}\nkim,boss {OURS} {OTHER}\n"
        assert self.names(text, "kim") == {"kim", "boss"}

    def test_two_people(self) -> None:
        assert self.names(f"kim {OURS} {KEY}\nlee {OURS} {OTHER}\n", "kim") == {"kim"}


def _finds(text: str, name: str, tmp_path: Path) -> bool:
    """Whether ssh-keygen finds a name in a file for our namespace."""
    file = tmp_path / "signers"
    file.write_text(text)
    command = ["ssh-keygen", "-Y", "match-principals", "-f", str(file), "-I", name]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_what_is_taken_is_what_ssh_keygen_takes(text: str, tmp_path: Path) -> None:
    assert _finds(text, KIM, tmp_path)
    assert not _finds(text, EVE, tmp_path)


PIECES = [*'kim@*,!"= \t#\r', f" {OURS} ", KEY, OTHER, "cert-authority", "namespaces=", "eve"]
lines = st.lists(st.sampled_from(PIECES)).map("".join)


@given(st.lists(lines).map("\n".join))
def test_no_text_is_more_than_refused_and_no_name_stands_for_others(text: str) -> None:
    try:
        signers = read(text)
    except LedgergateError as error:
        assert re.match(r"line \d+ of the signers: ", error.message)
        return
    for key in signers.keys:
        assert all(re.fullmatch(r'[^*?!,"\s]+', name) for name in key.principals)
        assert OURS in text.split("\n")[key.line - 1]
