"""The programs that ledgergate needs beside itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ledgergate.doctor.model import Line
from ledgergate.doctor.seen import Seen
from ledgergate.policy.model import Policy

# From here on git merges two trees in memory; with an older one libgit2 does, and of some conflicts tells less.
_MERGES = (2, 38)


def tools(seen: Seen) -> Iterator[Line]:
    """git, libgit2, ssh-keygen, and the command on the PATH."""
    yield _git(seen.git)
    yield Line("libgit2", "ok", seen.libgit2)
    yield _command(seen)
    policy = seen.default_policy if isinstance(seen.default_policy, Policy) else Policy()
    if policy.vouch.mode == "ack":
        yield _ssh_keygen(has_it=seen.has_ssh_keygen)


def _git(said: str) -> Line:
    found = re.search(r"(\d+)\.(\d+)", said)
    if found is None:
        return Line("git", "unknown", "`git version` names none", "Put git on the PATH.")
    if (int(found[1]), int(found[2])) < _MERGES:
        return Line("git", "stale", f"{said} cannot merge in memory, and libgit2 does it instead", "Install git 2.38.")
    return Line("git", "ok", said)


def _command(seen: Seen) -> Line:
    if seen.has_command:
        return Line("command", "ok", f"ledgergate {seen.version} is on the PATH")
    message = "`ledgergate` is not on the PATH, where hooks of the kind `language: system` look for it"
    return Line("command", "missing", message, "Activate the environment that it is installed in.")


def _ssh_keygen(*, has_it: bool) -> Line:
    if has_it:
        return Line("ssh-keygen", "ok", "it is on the PATH, to sign and verify approvals")
    return Line("ssh-keygen", "missing", "approvals can be neither signed nor verified", "Install OpenSSH's client.")
