"""Asks the forge's API. One attempt each, with a time-out and a limit; whatever is unexpected is a `ForgeError`."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from typing import Any

TIMEOUT_S = 30
_MOST_BYTES = 16 * 1024 * 1024
_PER_PAGE = 100
_MOST_PAGES = 50


class ForgeError(Exception):
    """Why nothing is known, in words of our own: nothing that others wrote stands in it unquoted."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


def setting(name: str) -> str:
    """A variable that has to be set."""
    value = os.environ.get(name, "")
    if not value:
        raise ForgeError(f"{name} is not set")
    return value


def ask(path: str, *, method: str = "GET", content: object = None, limit: int = _MOST_BYTES) -> bytes:
    """The bytes that the API answers with at a path below its root."""
    url = setting("GITHUB_API_URL").rstrip("/") + path
    if not url.startswith(("https://", "http://")):
        raise ForgeError("GITHUB_API_URL is no address of a web server")
    data = None if content is None else json.dumps(content).encode()
    request = urllib.request.Request(url, data=data, method=method)
    request.add_header("Accept", "application/vnd.github+json")
    request.add_header("X-GitHub-Api-Version", "2022-11-28")
    # Where the answer is kept elsewhere, the token is none of that server's business.
    request.add_unredirected_header("Authorization", f"Bearer {setting('TOKEN')}")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            found: bytes = answer.read(limit + 1)
    except urllib.error.HTTPError as error:
        error.close()
        raise ForgeError(f"{method} {path} ended with the status {error.code}", error.code) from error
    except (OSError, ValueError) as error:
        raise ForgeError(f"{method} {path} failed: {error!r}") from error
    if len(found) > limit:
        raise ForgeError(f"{method} {path} gave more than {limit} bytes")
    return found


def get(path: str) -> Any:
    """The JSON value at a path."""
    try:
        return json.loads(ask(path))
    except (ValueError, RecursionError) as error:
        raise ForgeError(f"GET {path} gave no JSON") from error


def get_all(path: str, key: str | None = None) -> list[dict[str, Any]]:
    """The objects on all pages of a list, which stands below `key` where one is given."""
    found: list[dict[str, Any]] = []
    for page in range(1, _MOST_PAGES + 1):
        answer = get(f"{path}{'&' if '?' in path else '?'}per_page={_PER_PAGE}&page={page}")
        entries = answer.get(key) if key is not None and isinstance(answer, dict) else answer
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ForgeError(f"GET {path} gave no list of objects")
        found += entries
        if len(entries) < _PER_PAGE:
            return found
    raise ForgeError(f"GET {path} has more than {_MOST_PAGES} pages")


def field(entry: Any, name: str, kind: type) -> Any:
    """A field of an object that has to be there, and of this type."""
    value = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ForgeError(f"an answer has no {name}, or another type of it")
    return value
