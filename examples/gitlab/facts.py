"""Writes what the forge knows of a merge request: `{"author": ..., "approvals": [{"account": ..., "commit": ...}]}`.

Usage: facts.py FILE. Anything unexpected ends with 1, and leaves no file.

An approval here names no commit. It counts for the head of the merge request if it was given after that had come, and
if the project takes approvals away when commits are added.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

TIMEOUT_S = 30
_MOST_BYTES = 16 * 1024 * 1024


class ForgeError(Exception):
    """Why nothing is known, in words of our own."""


def main() -> int:
    file = Path(sys.argv[1])
    file.unlink(missing_ok=True)
    try:
        facts = facts_of(setting("TO"))
    except ForgeError as error:
        print(f"ledgergate: the facts of the merge request are not known: {error}")
        return 1
    part = file.with_suffix(".part")
    part.write_text(json.dumps(facts), encoding="utf-8")
    part.replace(file)
    print(f"author {facts['author']}, approved by {[entry['account'] for entry in facts['approvals']]}")
    return 0


def facts_of(head: str) -> dict[str, Any]:
    """The facts of the merge request, whose head is this commit."""
    project = f"/projects/{quote(setting('CI_MERGE_REQUEST_PROJECT_ID'), safe='')}"
    request = f"{project}/merge_requests/{quote(setting('CI_MERGE_REQUEST_IID'), safe='')}"
    found = get(request)
    versions = get(f"{request}/versions")
    newest = versions[0] if isinstance(versions, list) and versions else None
    if field(found, "sha", str) != head or field(newest, "head_commit_sha", str) != head:
        raise ForgeError("it has got other commits meanwhile, and a pipeline of their own judges them")
    author = field(field(found, "author", dict), "id", int)
    approvals = field(get(f"{request}/approvals"), "approved_by", list)
    if not field(get(f"{project}/approvals"), "reset_approvals_on_push", bool):
        print("ledgergate: the project keeps approvals when commits are added, so none is of this commit")
        approvals = []
    since = time_of(field(newest, "created_at", str))
    accounts = sorted({account for account, given in map(approval, approvals) if given >= since})
    return {
        "author": f"gitlab:{author}",
        "approvals": [{"account": f"gitlab:{account}", "commit": head} for account in accounts],
    }


def approval(entry: object) -> tuple[int, datetime]:
    """Whose approval it is, and when it was given."""
    return field(field(entry, "user", dict), "id", int), time_of(field(entry, "approved_at", str))


def time_of(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ForgeError("an answer holds a time that is none") from error
    if moment.tzinfo is None:
        raise ForgeError("an answer holds a time without its zone")
    return moment


def setting(name: str) -> str:
    """A variable that has to be set."""
    value = os.environ.get(name, "")
    if not value:
        raise ForgeError(f"{name} is not set")
    return value


def get(path: str) -> Any:
    """The JSON value at a path below the API's root: one attempt."""
    url = setting("CI_API_V4_URL").rstrip("/") + path
    if not url.startswith(("https://", "http://")):
        raise ForgeError("CI_API_V4_URL is no address of a web server")
    request = urllib.request.Request(url)
    request.add_unredirected_header("PRIVATE-TOKEN", setting("LEDGERGATE_TOKEN"))
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            data = answer.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ForgeError(f"GET {path} gave more than {_MOST_BYTES} bytes")
        return json.loads(data)
    except urllib.error.HTTPError as error:
        error.close()
        raise ForgeError(f"GET {path} ended with the status {error.code}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise ForgeError(f"GET {path} failed, or gave no JSON: {type(error).__name__}") from error


def field(entry: Any, name: str, kind: type) -> Any:
    """A field of an object that has to be there, and of this type."""
    value = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ForgeError(f"an answer has no {name}, or another type of it")
    return value


if __name__ == "__main__":
    sys.exit(main())
