"""Writes the merge note as a comment of the pull request, or anew into the one that is there.

Usage: comment.py NOTE. Where the job may not comment it says so, and that is no failure: the note decides nothing.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from forge import ForgeError, ask, field, get_all, setting

MARK = "<!-- ledgergate merge note -->"
_NOT_PERMITTED = (401, 403, 404)


def main() -> int:
    note = Path(sys.argv[1]).read_text(encoding="utf-8")
    try:
        write(setting("GITHUB_REPOSITORY"), int(setting("NUMBER")), note)
    except ForgeError as error:
        if error.status in _NOT_PERMITTED:
            print(f"::notice title=ledgergate::no comment was written: {error}")
            return 0
        print(f"::error title=ledgergate::no comment was written: {error}")
        return 1
    return 0


def write(repository: str, number: int, note: str) -> None:
    own = [
        field(comment, "id", int)
        for comment in get_all(f"/repos/{repository}/issues/{number}/comments")
        if is_own(comment.get("user")) and str(comment.get("body")).startswith(MARK)
    ]
    content = {"body": note}
    if own:
        ask(f"/repos/{repository}/issues/comments/{own[0]}", method="PATCH", content=content)
    else:
        ask(f"/repos/{repository}/issues/{number}/comments", method="POST", content=content)


def is_own(user: object) -> bool:
    """Whether an account is the one whose token the job has: anybody can write the mark."""
    return isinstance(user, dict) and user.get("login") == (os.environ.get("COMMENT_AS") or "github-actions[bot]")


if __name__ == "__main__":
    sys.exit(main())
