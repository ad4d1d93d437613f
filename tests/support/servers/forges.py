"""How forges call the hooks of their administrators: through which script, from which folder, with which variables."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from support.servers.guarded import install

_GITLAB = {
    "GL_ID": "user-7",
    "GL_USERNAME": "pat",
    "GL_REPOSITORY": "project-1",
    "GL_PROJECT_PATH": "acme/app",
    "GITALY_HOOKS_PAYLOAD": "eyJyZXBvc2l0b3J5Ijp7fX0=",
    "GITALY_LOG_DIR": "/var/log/gitlab/gitaly",
    "CORRELATION_ID": "01EWJFPCSZAMWQG6B3TRMZVC9R",
    "GIT_CONFIG_PARAMETERS": "'receive.fsck.badTimezone=ignore' 'core.alternateRefsCommand=exit 0 #'",
}
_GITEA = {
    "GITEA_REPO_NAME": "app",
    "GITEA_REPO_USER_NAME": "acme",
    "GITEA_REPO_ID": "1",
    "GITEA_REPO_IS_WIKI": "false",
    "GITEA_PUSHER_NAME": "pat",
    "GITEA_PUSHER_EMAIL": "pat@example.org",
    "GITEA_PUSHER_ID": "7",
    "GITEA_KEY_ID": "3",
    "GITEA_DEPLOY_KEY_ID": "0",
    "GITEA_ROOT_URL": "https://git.example.org/",
    "GITEA_ACTION_PERM": "0",
    "SSH_ORIGINAL_COMMAND": "git-receive-pack 'acme/app.git'",
}
_BITBUCKET = {
    "BB_HOOK_TYPE": "PRE",
    "BB_PROJECT_KEY": "ACME",
    "BB_REPO_SLUG": "app",
    "BB_REPO_IS_FORK": "false",
    "BB_REPO_IS_PUBLIC": "false",
    "BB_BASE_URL": "https://git.example.org",
    "BB_REPO_CLONE_SSH": "ssh://git@git.example.org/acme/app.git",
    "BB_REPO_CLONE_HTTP": "https://git.example.org/scm/acme/app.git",
    "BB_USER_NAME": "pat",
    "BB_USER_DISPLAY_NAME": "Pat",
    "BB_USER_EMAIL": "pat@example.org",
    "BB_USER_PERMISSION": "SYS_ADMIN",
}
_BITBUCKET_MERGE = {
    "BB_HOOK_TRIGGER_ID": "pull-request-merge",
    "BB_IS_DRY_RUN": "true",
    "BB_FROM_REF": "refs/heads/topic",
    "BB_TO_REF": "refs/heads/main",
    "BB_MERGE_HASH": "",
    "BB_MERGE_STRATEGY_ID": "no-ff",
    "BB_PULL_REQUEST_ID": "5",
    "BB_PULL_REQUEST_AUTHOR_USER_NAME": "kim",
}
_GITHUB = {
    "GIT_USER_AGENT": "git/2.39.5",
    "GITHUB_REPO_NAME": "acme/app",
    "GITHUB_REPO_PUBLIC": "false",
    "GITHUB_USER_IP": "127.0.0.1",
    "GITHUB_USER_LOGIN": "pat",
}
_GITHUB_MERGE = {
    "GITHUB_VIA": "pull request merge button",
    "GITHUB_PULL_REQUEST_HEAD": "acme/app:topic",
    "GITHUB_PULL_REQUEST_BASE": "acme/app:main",
    "GITHUB_PULL_REQUEST_AUTHOR_LOGIN": "kim",
}


class Forge(NamedTuple):
    """A way in which a forge calls hooks.

    `layout` is what `ledgergate install --host` calls it, and `folder` where it looks for them; without one an
    administrator hands it a script.
    """

    name: str
    layout: str
    folder: str | None
    env: Mapping[str, str]


def _gitlab(protocol: str) -> Forge:
    return Forge(f"gitlab {protocol}", "gitlab", "custom_hooks/pre-receive.d", {**_GITLAB, "GL_PROTOCOL": protocol})


def _gitea(name: str, **more: str) -> Forge:
    return Forge(f"gitea {name}", "gitea", "hooks/pre-receive.d", {**_GITEA, **more})


FORGES = (
    *map(_gitlab, ("ssh", "http", "web")),
    _gitea("push"),
    _gitea("merge", GITEA_PR_ID="5", GITEA_INTERNAL_PUSH="true"),
    Forge("bitbucket push", "git", None, {**_BITBUCKET, "BB_HOOK_TRIGGER_ID": "push", "BB_IS_DRY_RUN": "false"}),
    Forge("bitbucket merge", "git", None, {**_BITBUCKET, **_BITBUCKET_MERGE}),
    Forge("github push", "git", None, {**_GITHUB, "GITHUB_VIA": "git"}),
    Forge("github merge", "git", None, {**_GITHUB, **_GITHUB_MERGE}),
)
# Each file of the folder that may be executed is given the same lines, and the first that refuses decides.
_CALL_EACH = """\
lines=$(cat)
for hook in "$GIT_DIR"/{folder}/*; do
    [ -f "$hook" ] && [ -x "$hook" ] || continue
    printf '%s\\n' "$lines" | "$hook" || exit
done
"""
_CALL = "exec {python} -I -m ledgergate pre-receive --config {config}\n"


def call_as(forge: Forge, path: Path) -> None:
    """Install the hook in a repository for a forge, and let git call it as that forge would."""
    config = install(path, "--host", forge.layout)
    script = path / "hooks/pre-receive"
    told = "".join(f"export {name}={quote(value)}\n" for name, value in forge.env.items())
    text = _CALL_EACH if forge.folder else _CALL
    script.parent.mkdir(exist_ok=True)
    script.write_text(
        "#!/bin/sh\n"
        + told
        + text.format(folder=forge.folder, python=quote(sys.executable), config=quote(str(config))),
        encoding="utf-8",
    )
    script.chmod(0o755)
