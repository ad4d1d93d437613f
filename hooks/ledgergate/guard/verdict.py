"""What became of something that a test asked."""

from __future__ import annotations

from typing import NamedTuple


class Verdict(NamedTuple):
    """The rule that was broken and, in the beginning of a sentence, how; see `Loss`."""

    rule: str
    message: str
    waits: bool = False
