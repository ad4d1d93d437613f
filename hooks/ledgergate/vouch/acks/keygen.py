"""ssh-keygen, which makes and checks the signatures of acks."""

from __future__ import annotations

import binascii
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ledgergate.errors import LedgergateError
from ledgergate.vouch.acks.signers import NAMESPACE

_VERIFY_SECONDS = 20
# A key may ask for its pass phrase, or wait to be touched.
_SIGN_SECONDS = 180
_REFUSED = 255
_SIGNER = "signer"
_GOOD = f'Good "{NAMESPACE}" signature for {_SIGNER} with '
_REMEDY = "Install OpenSSH's ssh-keygen (8.2 or newer), so that it is on the PATH, and try again."


class _Done(NamedTuple):
    status: int
    stdout: str
    stderr: str


class Key(NamedTuple):
    """A key that can sign: the text for ssh-keygen, a file or, `is_public`, the key of an agent itself."""

    text: str
    is_public: bool

    @classmethod
    def of(cls, text: str) -> Key:
        """The key that a command line or git's `user.signingkey` names."""
        if text.startswith(("key::", "ssh-", "sk-", "ecdsa-")):
            return cls(text.removeprefix("key::"), True)
        return cls(str(Path(text).expanduser()), False)


def is_signed(data: bytes, signature: str, key_type: str, key: bytes) -> bool:
    """Whether a signature, armored, is one of these bytes by this key.

    Raises `LedgergateError` where ssh-keygen does not say so or otherwise.
    """
    import tempfile

    try:
        with tempfile.TemporaryDirectory(prefix="ledgergate-") as folder:
            public = binascii.b2a_base64(key, newline=False).decode("ascii")
            (Path(folder) / "signers").write_text(f'{_SIGNER} namespaces="{NAMESPACE}" {key_type} {public}\n')
            (Path(folder) / "signature").write_text(signature.rstrip("\n") + "\n")
            command = ["-Y", "verify", "-f", "signers", "-I", _SIGNER, "-n", NAMESPACE, "-s", "signature"]
            done = _run(command, data, folder, _VERIFY_SECONDS)
    except OSError as error:
        raise _unjudged(f"ssh-keygen cannot be asked about a signature: {error}") from error
    if done.status == 0 and done.stdout.startswith(_GOOD):
        return True
    if done.status == _REFUSED and "Could not verify signature." in done.stdout:
        return False
    raise _unjudged(f"ssh-keygen ended with status {done.status}: {done.stderr or done.stdout or 'it said nothing'}")


def sign(data: bytes, key: str, *, is_public: bool = False) -> str:
    """The armored signature of the bytes by the key in a file, or by the agent's whose public part this text is.

    It may ask on the terminal, or say there that a key waits to be touched. Raises `LedgergateError`.
    """
    import tempfile

    try:
        with tempfile.TemporaryDirectory(prefix="ledgergate-") as folder:
            command = ["-q", "-Y", "sign", "-n", NAMESPACE, "-f", key]
            if is_public:
                (Path(folder) / "key.pub").write_text(key + "\n")
                command = [*command[:-1], str(Path(folder) / "key.pub"), "-U"]
            done = _run(command, data, None, _SIGN_SECONDS, is_heard=True)
    except OSError as error:
        raise _unjudged(f"ssh-keygen cannot sign: {error}") from error
    if done.status != 0 or not done.stdout.startswith("-----BEGIN SSH SIGNATURE-----\n"):
        raise LedgergateError(
            "ack-invalid",
            f"ssh-keygen did not sign: it ended with status {done.status}",
            remedy="See that the key is there: `ssh-add -L` lists those of the agent.",
        )
    return done.stdout


def public_key(key: str, *, is_public: bool = False, may_ask: bool = True) -> tuple[str, bytes]:
    """The type and the public part of the key in a file, or of the one whose public part this text is.

    It may ask for a pass phrase on the terminal, if it `may_ask`. Raises `LedgergateError`.
    """
    text = key
    if not is_public:
        beside = Path(key if key.endswith(".pub") else f"{key}.pub")
        try:
            text = beside.read_text("utf-8") if beside.is_file() or not may_ask else _derived(key)
        except (OSError, UnicodeDecodeError) as error:
            raise _no_key(key, str(error)) from error
    key_type, _, rest = text.strip().partition(" ")
    try:
        return key_type, binascii.a2b_base64(rest.split()[0] if rest.split() else "-", strict_mode=True)
    except binascii.Error as error:
        raise _no_key(key, "it is not a type and base64") from error


def _derived(key: str) -> str:
    try:
        done = _run(["-y", "-f", key], b"", None, _SIGN_SECONDS, is_heard=True)
    except OSError as error:
        raise _no_key(key, str(error)) from error
    if done.status != 0:
        raise _no_key(key, f"ssh-keygen ended with status {done.status}")
    return done.stdout


def _no_key(key: str, why: str) -> LedgergateError:
    remedy = "Name one with `--key FILE`, or `git config user.signingkey FILE` and `git config gpg.format ssh`."
    return LedgergateError("ack-invalid", f"{key} is no key that can sign: {why}", remedy=remedy)


def _run(arguments: Sequence[str], data: bytes, folder: str | None, seconds: int, *, is_heard: bool = False) -> _Done:
    import subprocess

    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["ssh-keygen", *arguments],
            cwd=folder,
            env={**env, "LC_ALL": "C"},
            input=data,
            stdout=subprocess.PIPE,
            stderr=None if is_heard else subprocess.PIPE,
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError as error:
        raise _unjudged("there is no ssh-keygen on the PATH") from error
    except subprocess.TimeoutExpired as error:
        raise _unjudged(f"ssh-keygen was not done after {seconds} seconds") from error
    stdout, stderr = (out.decode("utf-8", "backslashreplace") for out in (done.stdout, done.stderr or b""))
    return _Done(done.returncode, stdout, " ".join(stderr.split()))


def _unjudged(message: str) -> LedgergateError:
    return LedgergateError("ack-invalid", f"{message}, so no approval can be judged", remedy=_REMEDY)
