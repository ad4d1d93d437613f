"""Signatures: ssh-keygen alone says whether one is good, and where it says nothing, nothing is."""

from __future__ import annotations

import binascii
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.cli.signing import configured_key
from ledgergate.errors import LedgergateError
from ledgergate.git import Repository
from ledgergate.vouch.acks import keygen
from ledgergate.vouch.acks.keygen import is_signed, public_key, sign
from ledgergate.vouch.acks.signature import Signature, read_signature
from support.acks import EVE, KIM, key_of, public_of
from support.repo import Repo

DATA = b'{"a":"\xc3\xbc"}'
TYPES = {"ed25519": "ssh-ed25519", "ecdsa": "ecdsa-sha2-nistp256", "rsa": "ssh-rsa"}


def checked(data: bytes, armored: str, signature: Signature | None = None) -> bool:
    read = signature or read_signature(armored)
    return is_signed(data, armored, read.key_type, read.key)


@pytest.mark.parametrize("kind", TYPES)
def test_keys_of_every_type_sign(kind: str) -> None:
    armored = sign(DATA, str(key_of(KIM, kind)))
    signature = read_signature(armored)
    public = binascii.a2b_base64(public_of(KIM, kind).split()[1])
    assert signature == Signature(TYPES[kind], public, False)
    assert checked(DATA, armored)


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A real ssh-agent that alone holds a key; the public part of that."""
    key, socket = tmp_path / "key", tmp_path / "s"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
    running = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
    try:
        while not socket.exists():
            assert running.poll() is None
            time.sleep(0.01)
        monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
        subprocess.run(["ssh-add", "-q", key], check=True)
        key.unlink()
        yield Path(f"{key}.pub").read_text().strip()
    finally:
        running.terminate()
        running.wait()


def test_a_key_that_only_an_agent_holds_signs(agent: str, tmp_path: Path, repo: Repo) -> None:
    repo.git("config", "gpg.format", "ssh")
    for text, named in ((f"key::{agent}", None), (agent, None), ("", f"{tmp_path}/key.pub"), ("", f"key::{agent}")):
        repo.git("config", "user.signingkey", text)
        key = configured_key(Repository(str(repo.path)), named)
        assert key is not None
        assert public_key(key.text, is_public=key.is_public)[1] == binascii.a2b_base64(agent.split()[1])
        assert checked(DATA, sign(DATA, key.text, is_public=key.is_public))


def test_one_that_the_agent_does_not_hold_signs_nothing(agent: str) -> None:
    with pytest.raises(LedgergateError, match="did not sign"):
        sign(DATA, public_of(EVE), is_public=True)


def test_other_bytes_another_key_or_another_signature_do_not() -> None:
    armored, others = sign(DATA, str(key_of(KIM))), sign(DATA, str(key_of(EVE)))
    assert not checked(DATA + b" ", armored)
    assert not checked(DATA, armored, read_signature(others))
    assert not checked(b"", armored)


def test_nor_does_one_for_another_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keygen, "NAMESPACE", "git")
    armored = sign(DATA, str(key_of(KIM)))
    monkeypatch.undo()
    with pytest.raises(ValueError, match="namespace"):
        read_signature(armored)


def _packed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def armoured(data: bytes) -> str:
    text = binascii.b2a_base64(data, newline=False).decode()
    return f"-----BEGIN SSH SIGNATURE-----\n{text}\n-----END SSH SIGNATURE-----\n"


def made(
    key: bytes = _packed(b"ssh-ed25519", b"k"),
    namespace: bytes = b"ledgergate-ack",
    hashed: bytes = b"sha512",
    signature: bytes = _packed(b"ssh-ed25519", b"s"),
    version: int = 1,
) -> bytes:
    return b"SSHSIG" + version.to_bytes(4, "big") + _packed(key, namespace, b"", hashed, signature)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"SSHSIG",
        made()[:-1],
        made() + b"x",
        made()[1:],
        made(version=2),
        made(namespace=b"git"),
        made(namespace=b"ledgergate-ack\0"),
        made(hashed=b"sha1"),
        made(key=_packed(b"ssh-dss", b"k")),
        made(key=_packed(b"ssh-ed25519-cert-v01@openssh.com", b"k")),
        made(key=b""),
    ],
)
def test_what_cannot_be_taken_apart(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_signature(armoured(data))


def security_key(flags: bytes, kind: bytes = b"sk-ssh-ed25519@openssh.com", inner: bytes | None = None) -> Signature:
    signature = _packed(inner or kind, b"s") + flags
    return read_signature(armoured(made(key=_packed(kind, b"k", b"ssh:"), signature=signature)))


@pytest.mark.parametrize("kind", [b"sk-ssh-ed25519@openssh.com", b"sk-ecdsa-sha2-nistp256@openssh.com"])
class TestKeysThatNeedATouch:
    """Such keys cannot be had without hardware, so that their signatures are put together here."""

    @pytest.mark.parametrize("flags", [1, 5, 0x85])
    def test_were_touched(self, kind: bytes, flags: int) -> None:
        assert security_key(bytes([flags]) + b"\0\0\0\1", kind).is_touched

    @pytest.mark.parametrize("flags", [b"\0" * 5, b"\4\0\0\0\1", b"", b"\1", b"\1\0\0\0\1\0"])
    def test_were_not(self, kind: bytes, flags: bytes) -> None:
        assert not security_key(flags, kind).is_touched

    def test_that_sign_as_another_type_were_not(self, kind: bytes) -> None:
        assert not security_key(b"\1\0\0\0\1", kind, b"ssh-ed25519").is_touched


def test_other_keys_need_none_whatever_follows_their_signature() -> None:
    signature = _packed(b"ssh-ed25519", b"s") + b"\1\0\0\0\1"
    assert not read_signature(armoured(made(signature=signature))).is_touched


@given(st.data())
def test_no_bit_of_a_signature_can_change(data: st.DataObject) -> None:
    raw = bytearray(binascii.a2b_base64("".join(sign(DATA, str(key_of(KIM))).split("\n")[1:-2])))
    place = data.draw(st.integers(0, len(raw) * 8 - 1))
    raw[place // 8] ^= 1 << place % 8
    armored = armoured(bytes(raw))
    try:
        assert not checked(DATA, armored)
    except ValueError:
        return


# -- ssh-keygen that is not there, or does otherwise -------------------------------------------------------------------


def instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a program in the place of ssh-keygen."""
    program = tmp_path / "ssh-keygen"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


GOOD = "cat >/dev/null; echo 'Good \"ledgergate-ack\" signature for signer with ED25519 key SHA256:x'"
ODD = {
    "no word": "cat >/dev/null; exit 0",
    "another word": "cat >/dev/null; echo Fine; exit 0",
    "good for another name": "cat >/dev/null; echo 'Good \"ledgergate-ack\" signature for eve with X'; exit 0",
    "good for another namespace": "cat >/dev/null; echo 'Good \"git\" signature for signer with X'; exit 0",
    "good, and another status": f"{GOOD}; exit 1",
    "255 without a word": "cat >/dev/null; exit 255",
    "another status": "cat >/dev/null; echo 'Could not verify signature.'; exit 2",
    "a signal": "kill -9 $$",
    "a usage error": "echo 'unknown option -- Y' >&2; exit 1",
}


@pytest.mark.parametrize("script", ODD.values(), ids=ODD)
def test_an_odd_end_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    armored = sign(DATA, str(key_of(KIM)))
    instead(tmp_path, monkeypatch, script)
    with pytest.raises(LedgergateError) as raised:
        checked(DATA, armored)
    assert raised.value.rule == "ack-invalid"


def test_none_at_all_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    armored = sign(DATA, str(key_of(KIM)))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LedgergateError, match="no ssh-keygen"):
        checked(DATA, armored)
    with pytest.raises(LedgergateError, match="no ssh-keygen"):
        sign(DATA, "key")


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    armored = sign(DATA, str(key_of(KIM)))
    instead(tmp_path, monkeypatch, "exec sleep 60")
    monkeypatch.setattr(keygen, "_VERIFY_SECONDS", 0.2)
    with pytest.raises(LedgergateError, match="was not done"):
        checked(DATA, armored)


def test_the_child_has_nothing_of_gits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    armored = sign(DATA, str(key_of(KIM)))
    instead(tmp_path, monkeypatch, f"env | grep -q '^GIT_' && exit 3; {GOOD}")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    assert checked(DATA, armored)


def test_nothing_stays_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    checked(DATA, sign(DATA, str(key_of(KIM))))
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_is_not_there_signs_nothing(tmp_path: Path) -> None:
    with pytest.raises(LedgergateError, match="did not sign"):
        sign(DATA, str(tmp_path / "none"))
