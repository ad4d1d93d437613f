"""What a pusher can say beside the commits, and what a hook runs in: nothing of it switches the gate off."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.project import GOLDEN
from support.servers import Host, program
from support.servers.commits import Commits
from support.servers.guarded import MAIN, Guarded, install
from support.servers.http import BARE_ENVIRONMENT, serving_http
from support.servers.ssh import Ssh, saying

from .conftest import Made

pytestmark = pytest.mark.slow
REASON = "FAIL digest-changed"
OPTIONS = (
    *("ledgergate.skip", "ledgergate=off", "skip-hooks", "no-verify", "ci.skip", "merge_request.create"),
    *("--config=/dev/null", "\u202e-I"),
)
STEERING = {
    "LEDGERGATE_SKIP": "1",
    "LEDGERGATE_DISABLE": "1",
    "LEDGERGATE_CONFIG": "/dev/null",
    "LEDGERGATE_DEADLINE_S": "0",
    "LG_PROTOCOL": "web",
    "PYTHONSTARTUP": "/dev/null",
    "PYTHONHOME": "/nowhere",
    "PYTHONINSPECT": "1",
    "PYTHONOPTIMIZE": "2",
    "PYTHONWARNINGS": "error",
    "PYTHONIOENCODING": "ascii",
    "PYTHONPROFILEIMPORTTIME": "1",
    "PYTHONBREAKPOINT": "os._exit",
    "LC_ALL": "tlh_QO.KOI8-R",
    "TZ": "Pacific/Kiritimati",
    "CI": "true",
    "GITLAB_CI": "true",
    "CLAUDECODE": "0",
    "GIT_PUSH_OPTION_COUNT": "1",
    "GIT_PUSH_OPTION_0": "ledgergate.skip",
    "GIT_REPLACE_REF_BASE": "refs/heads/",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_DEFAULT_HASH": "sha256",
    "GIT_AUTHOR_NAME": "Kim Human",
    "GIT_AUTHOR_EMAIL": "kim@example.org",
    "GIT_COMMITTER_EMAIL": "kim@example.org",
    "GIT_AUTHOR_DATE": "1",
    "GIT_TRACE": "/dev/null",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_ICASE_PATHSPECS": "1",
}


def judged_alike(guarded: Guarded, commits: Commits, *options: str, env: Mapping[str, str] | None = None) -> None:
    """Tampering is refused for what it is, and an honest push accepted."""
    guarded.refuses(guarded.push(*options, f"{commits.tampered}:{MAIN}", env=env), REASON)
    guarded.accepts(guarded.push(*options, f"{commits.honest}:{MAIN}", env=env), commits.honest)


def test_push_options(made: Made, http_host: Host, commits: Commits) -> None:
    judged_alike(made(http_host), commits, *(f"--push-option={option}" for option in OPTIONS))


def test_variables_that_the_server_accepts(made: Made, ssh_host: Host, ssh: Ssh, commits: Commits) -> None:
    """The server takes them from its clients; and a module of our name lies where they can point to."""
    fake = ssh.folder / "modules/ledgergate"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    env = {**STEERING, "PYTHONPATH": str(fake.parent), "PYTHONUSERBASE": str(fake.parent)}
    guarded = made(ssh_host)
    told = ssh.folder / "told"
    hook = guarded.path / "hooks/pre-receive"
    hook.write_text(hook.read_text().replace("#!/bin/sh\n", f"#!/bin/sh\nenv >>{told}\n", 1), encoding="utf-8")
    judged_alike(guarded, commits, env=saying(ssh_host.env, env))
    arrived = {line.partition("=")[0] for line in told.read_text(errors="replace").splitlines()}
    assert arrived >= set(env)
    assert not list((ssh.folder / "home").iterdir())


def test_what_no_hook_can_close(made: Made, ssh_host: Host, commits: Commits) -> None:
    """Who may set all of git's variables names another folder of hooks; docs/server.md says what to accept."""
    guarded = made(ssh_host)
    env = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": "/nowhere"}
    guarded.accepts(guarded.to_main(commits.tampered, saying(ssh_host.env, env)), commits.tampered)


def test_headers(made: Made, http_host: Host, commits: Commits) -> None:
    headers = ("Ledgergate-Skip: 1", "Proxy: http://127.0.0.1:1", "Content-Encoding: identity")
    config = {"GIT_CONFIG_COUNT": str(len(headers))}
    for number, header in enumerate(headers):
        config |= {f"GIT_CONFIG_KEY_{number}": "http.extraHeader", f"GIT_CONFIG_VALUE_{number}": header}
    judged_alike(made(http_host), commits, env=config)


def test_replaced_objects(made: Made, http_host: Host, commits: Commits) -> None:
    """Anybody may push refs that tell git to read one object for another: of the tip, and of the golden in it."""
    guarded = made(http_host)
    golden = commits.repo.git("rev-parse", f"{commits.tip}:{GOLDEN}", f"{commits.tampered}:{GOLDEN}").split()
    replaced = {commits.tip: commits.tampered, commits.tampered: commits.honest, golden[0]: golden[1]}
    done = guarded.push(*(f"{new}:refs/replace/{old}" for old, new in replaced.items()))
    assert done.status == 0, done
    judged_alike(guarded, commits)


def test_names_in_a_bare_environment(made: Made, http_host: Host, commits: Commits) -> None:
    """No home, `LANG=C`: what is said of a path with foreign letters arrives whole."""
    guarded = made(http_host)
    path = "tests/goldens/gr\u00fc\u00dfe-\u8a3c.bin"
    guarded.refuses(guarded.to_main(commits.changed({path: "x"})), "FAIL golden-unclassified", path)


def as_user(name: str) -> list[str]:
    """Options of setpriv, by which a child runs as another user who can read this installation.

    Where that lies in a home that is closed, it may search closed folders as well. Where that cannot be had either, the
    test is skipped.
    """
    options = ["--reuid", name, "--regid", name, "--clear-groups"]
    for more in ((), ("dac_read_search",), ("dac_override",)):
        extra = [f"--{kind}-caps=+{capability}" for capability in more for kind in ("inh", "ambient")]
        command = ["sh", "-c", 'test -x "$0" && exec "$0" -I -m ledgergate --version', sys.executable]
        done = subprocess.run([program("setpriv"), *options, *extra, *command], capture_output=True, check=False)
        if done.returncode == 0:
            return [*options, *extra]
    pytest.skip(f"needs root, and an installation that the user {name} can read")


@pytest.mark.parametrize("owner", ["www-data", "root"])
def test_another_user(servers_folder: Path, template: Path, commits: Commits, owner: str) -> None:
    """The service runs as a user who did not install ledgergate; the repository is that user's, or somebody else's."""
    privileges = as_user("www-data")
    servers_folder.chmod(0o755)
    folder = servers_folder / f"for-{owner}"
    folder.mkdir()
    # git asks for this where the repository is somebody else's; an administrator may have it in /etc/gitconfig as well.
    (folder / ".gitconfig").write_text("[safe]\n\tdirectory = *\n", encoding="utf-8")
    with serving_http(folder / "served", {**BARE_ENVIRONMENT, "HOME": str(folder)}, privileges) as host:
        (folder / "served/cgi").chmod(0o777)
        guarded = Guarded(host, "plain", commits)
        shutil.copytree(template, guarded.path)
        install(guarded.path)
        for path in (guarded.path, *guarded.path.rglob("*")):
            shutil.chown(path, owner, owner)
            path.chmod(path.stat().st_mode | 0o222)
        judged_alike(guarded, commits)
