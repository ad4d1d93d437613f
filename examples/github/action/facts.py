"""Writes what the forge knows of a pull request: `{"author": ..., "approvals": [{"account": ..., "commit": ...}]}`.

Usage: facts.py FILE. Anything unexpected ends with 1, and leaves no file.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from forge import ForgeError, field, get, get_all, setting

# What a review can be; a comment, or one that is not sent yet, says nothing of approval.
_APPROVES = {"APPROVED": True, "CHANGES_REQUESTED": False, "DISMISSED": False}
_SILENT = ("COMMENTED", "PENDING")


def main() -> int:
    file = Path(sys.argv[1])
    file.unlink(missing_ok=True)
    try:
        facts = facts_of(setting("GITHUB_REPOSITORY"), int(setting("NUMBER")), setting("TO"))
    except (ForgeError, ValueError) as error:
        print(f"::error title=ledgergate::the facts of the pull request are not known: {error}")
        return 1
    part = file.with_suffix(".part")
    part.write_text(json.dumps(facts), encoding="utf-8")
    part.replace(file)
    print(f"author {facts['author']}, approved by {[entry['account'] for entry in facts['approvals']]}")
    return 0


def facts_of(repository: str, number: int, head: str) -> dict[str, Any]:
    """The facts of a pull request whose head is this commit still."""
    pull = get(f"/repos/{repository}/pulls/{number}")
    if field(field(pull, "head", dict), "sha", str) != head:
        raise ForgeError("it has got other commits meanwhile, and a run of their own judges them")
    author = field(field(pull, "user", dict), "id", int)
    return {
        "author": f"github:{author}",
        "approvals": approvals_in(get_all(f"/repos/{repository}/pulls/{number}/reviews")),
    }


def approvals_in(reviews: list[dict[str, Any]]) -> list[dict[str, str]]:
    """The approvals that stand: of each person the latest review, unless that is a mere comment."""
    latest: dict[int, dict[str, Any]] = {}
    for review in sorted(reviews, key=lambda review: field(review, "id", int)):
        state = field(review, "state", str)
        if state in _SILENT:
            continue
        if state not in _APPROVES:
            raise ForgeError("a review is in a state that is not known here")
        # A review may outlive its account; then it is nobody's.
        user = review.get("user")
        if user is not None:
            latest[field(user, "id", int)] = review
    return [
        {"account": f"github:{account}", "commit": field(review, "commit_id", str)}
        for account, review in sorted(latest.items())
        if _APPROVES[review["state"]] and review["user"].get("type") == "User"
    ]


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
