"""openssh-server with a host key and a configuration of its own, for the user who runs the tests."""

from __future__ import annotations

import getpass
import os
import shlex
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from support.servers.processes import answers, free_port, running
from support.servers.programs import program

# Nothing of the machine's own settings is read, and nothing but loopback is listened on.
_CONFIG = """\
ListenAddress 127.0.0.1:{port}
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AcceptEnv {accepted}
SetEnv HOME={folder}/home GIT_CONFIG_NOSYSTEM=1
MaxStartups 100
"""
# More than any server should: what its clients say of these arrives at the hooks.
_ACCEPTED = "GIT_* LEDGERGATE_* LG_* PYTHON* LANG LC_* TZ CI GITLAB_CI CLAUDECODE"
_RUN = Path("/run/sshd")


def saying(client: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    """A client's environment, by which it sends these variables, those of git's own included."""
    sent = " ".join(f'"{name}={value}"' for name, value in variables.items())
    return {**client, "GIT_SSH_COMMAND": f"{client['GIT_SSH_COMMAND']} {shlex.quote(f'-oSetEnv={sent}')}"}


class Ssh(NamedTuple):
    """A server that is up: a key that is in `authorized_keys` gets in."""

    folder: Path
    port: int

    def admit(self, who: str, command: str | None = None) -> Mapping[str, str]:
        """Give somebody a key, and by it a shell, or one command alone; what that client needs in its environment."""
        key = self.folder / who
        _make_key(key)
        forced = f'restrict,command="{command}" ' if command else ""
        with (self.folder / "authorized_keys").open("a", encoding="utf-8") as authorized:
            authorized.write(forced + key.with_suffix(".pub").read_text(encoding="utf-8"))
        return self.client(key)

    def client(self, key: Path) -> Mapping[str, str]:
        options = ("BatchMode=yes", "IdentitiesOnly=yes", f"UserKnownHostsFile={self.folder}/known_hosts")
        words = [program("ssh"), "-F", "none", "-i", str(key), *(f"-o{option}" for option in options)]
        return {"GIT_SSH_COMMAND": shlex.join(words), "GIT_SSH_VARIANT": "ssh"}

    def url(self, path: str) -> str:
        return f"ssh://{getpass.getuser()}@127.0.0.1:{self.port}/{path.lstrip('/')}"


def _make_key(path: Path) -> None:
    subprocess.run([program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", path.name, "-f", path], check=True)


@contextmanager
def serving_ssh(folder: Path) -> Iterator[Ssh]:
    """The server, with its files in a new folder."""
    (folder / "home").mkdir(parents=True)
    (folder / "authorized_keys").touch()
    if os.geteuid() == 0:
        # The server wants an empty folder there, which a machine without a running one does not have.
        _RUN.mkdir(exist_ok=True)
    _make_key(folder / "host")
    port = free_port()
    (folder / "config").write_text(_CONFIG.format(port=port, folder=folder, accepted=_ACCEPTED), encoding="utf-8")
    public = (folder / "host.pub").read_text(encoding="utf-8")
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {public}", encoding="utf-8")
    command = [program("sshd"), "-D", "-e", "-f", str(folder / "config")]
    with running(command, folder / "log", lambda: answers(port)):
        yield Ssh(folder, port)
