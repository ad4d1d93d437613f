"""One server of each kind for all tests of a process, and repositories made by copying one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from support.servers import Host
from support.servers.commits import Commits, make_commits
from support.servers.gitolite import Gitolite
from support.servers.guarded import Guarded, install, make_template
from support.servers.http import serving_http
from support.servers.ssh import Ssh, serving_ssh


@pytest.fixture(scope="session")
def servers_folder() -> Iterator[Path]:
    """A short path: that of a socket must not be longer than a hundred bytes."""
    with tempfile.TemporaryDirectory(prefix="lg-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def commits(servers_folder: Path) -> Commits:
    return make_commits(servers_folder)


@pytest.fixture(scope="session")
def template(servers_folder: Path, commits: Commits) -> Path:
    return make_template(servers_folder / "template.git", commits)


@pytest.fixture(scope="session")
def ssh(servers_folder: Path) -> Iterator[Ssh]:
    with serving_ssh(servers_folder / "ssh") as server:
        yield server


@pytest.fixture(scope="session")
def http_host(servers_folder: Path) -> Iterator[Host]:
    with serving_http(servers_folder / "http") as server:
        yield server


@pytest.fixture(scope="session")
def ssh_host(servers_folder: Path, ssh: Ssh) -> Host:
    folder = servers_folder / "over-ssh"
    folder.mkdir()
    return Host("ssh", folder, ssh.url(f"{folder}/{{}}.git"), ssh.admit("kim"))


@pytest.fixture(scope="session")
def file_host(servers_folder: Path) -> Host:
    folder = servers_folder / "files"
    folder.mkdir()
    return Host("file", folder, f"file://{folder}/{{}}.git", {})


@pytest.fixture(scope="session")
def gitolite(servers_folder: Path, ssh: Ssh) -> Gitolite:
    return Gitolite(servers_folder / "gitolite", ssh)


_numbers = count()
Made = Callable[..., Guarded]


@pytest.fixture
def made(template: Path, commits: Commits) -> Iterator[Made]:
    """Makes a repository on a host, of which the test is the only user, with our hook or without."""
    paths = []

    def make(host: Host, prefix: str = "plain-", *, hook: bool = True) -> Guarded:
        name = f"{prefix}{next(_numbers)}"
        shutil.copytree(template, host.path(name), symlinks=True)
        paths.append(host.path(name))
        if hook:
            install(host.path(name))
        return Guarded(host, name, commits)

    yield make
    for path in paths:
        shutil.rmtree(path)
