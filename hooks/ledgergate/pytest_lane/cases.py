"""What became of each case of a run, from the reports of its phases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_LONGEST = 500
_FALSIFYING = re.compile(r"^(?:E {3})?\s*((?:Falsifying|Failing)(?: \w+)+: .*(?:\n.*){0,20})", re.MULTILINE)
_MOST_LINES = 12


# The property by which a note travels: pytest copies an item's properties to the report of each phase, and takes them
# through any channel to another process.
NOTE = "ledgergate"


class Note(NamedTuple):
    """What the process that runs a case knows beside pytest's report.

    `repeats`: the case was run again, or is a repetition. `examples`: how many examples of a property ran. `freeze`:
    the id of the freeze for which it was skipped. `differs`: (path, message) of each artifact that was not as promised.
    `is_last`: the case is being torn down, and this is all that there is to know.

    Of most cases there is nothing else to know: their last note travels as the id alone.
    """

    case: str
    repeats: bool = False
    examples: int = 0
    freeze: str | None = None
    differs: Sequence[tuple[str, str]] = ()
    is_last: bool = False

    def attach(self, properties: list[tuple[str, Any]]) -> None:
        """Put the note in place of any other among the properties of an item."""
        if properties:
            properties[:] = [pair for pair in properties if pair[0] != NOTE]
        properties.append((NOTE, list(self)))

    @classmethod
    def attached(cls, properties: Iterable[tuple[str, Any]]) -> Note | None:
        """The first note among the properties of a report: what a test adds later is none of ours."""
        for name, sent in properties:
            if name == NOTE:
                return cls(sent, is_last=True) if isinstance(sent, str) else cls(*sent)
        return None


class Case:
    """One case: what its phases said, the worst of it counting."""

    __slots__ = (
        "closed",
        "counterexample",
        "differs",
        "examples",
        "failure",
        "freeze",
        "passed_unexpectedly",
        "ran",
        "repeated",
        "skipped",
        "why_skipped",
    )

    def __init__(self) -> None:
        self.failure: str | None = None
        self.counterexample: str | None = None
        self.ran = False
        self.skipped = False
        self.why_skipped = ""
        self.passed_unexpectedly = False
        self.closed = 0
        self.repeated = False
        self.examples = 0
        self.freeze: str | None = None
        self.differs: list[tuple[str, str]] = []

    @property
    def outcome(self) -> str:
        """`failed`, `skipped`, `passed`, or `unfinished`."""
        if self.failure is not None:
            return "failed"
        if not self.closed:
            return "unfinished"
        return "skipped" if self.skipped else "passed" if self.ran else "unfinished"

    def add(self, report: Any) -> None:
        """Take in the report of one phase, or of a subtest."""
        outcome = report.outcome
        if outcome == "failed":
            self._fail(report)
        elif outcome == "skipped" or hasattr(report, "wasxfail"):
            # An unexpected pass breaks the word of the test as well: it is no pass.
            self.skipped = True
            self.passed_unexpectedly = outcome == "passed"
            self.why_skipped = self.why_skipped or _why_skipped(report)
        elif outcome != "passed":
            self.repeated = True
        if report.when == "call" and outcome in ("passed", "failed") and not is_subtest(report):
            self.ran = True

    def close(self, note: Note) -> None:
        """Take in what the process that ran it knows."""
        self.closed += 1
        self.repeated = self.repeated or note.repeats or self.closed > 1
        self.examples += note.examples
        self.freeze = self.freeze or note.freeze
        self.differs += ((path, message) for path, message in note.differs)

    def _fail(self, report: Any) -> None:
        if self.failure is None:
            self.failure = _message(report)
            self.counterexample = _counterexample(report)


class Cases:
    """All cases of a run, by their ids."""

    def __init__(self) -> None:
        self.by_id: dict[str, Case] = {}

    def case(self, id_: str) -> Case:
        case = self.by_id.get(id_)
        if case is None:
            case = self.by_id[id_] = Case()
        return case

    def with_outcome(self, outcome: str, order: Iterable[str]) -> Iterator[str]:
        """The ids of the cases that ended so, in order."""
        return (id_ for id_ in self.in_order(order) if self.by_id[id_].outcome == outcome)

    def in_order(self, order: Iterable[str]) -> Iterator[str]:
        """The ids of all cases: those of the plan in its order, then any other."""
        return (id_ for id_ in dict.fromkeys((*order, *self.by_id)) if id_ in self.by_id)

    def executed(self) -> int:
        """How many cases really ran, each example of a property counting as one."""
        return sum(max(case.examples, 1) for case in self.by_id.values() if case.ran and not case.skipped)

    def receipts(self, signatures: Mapping[str, str]) -> list[dict[str, str]]:
        """One receipt for each freeze for which a case was skipped."""
        used = dict.fromkeys(case.freeze for case in self.by_id.values() if case.freeze and case.outcome == "skipped")
        return [{"id": id_, "signature": signatures[id_]} for id_ in used]


def is_subtest(report: Any) -> bool:
    """Whether a report is about a part of a test: pytest's own subtests, or those of pytest-subtests."""
    return type(report).__name__.lower() == "subtestreport"


def _message(report: Any) -> str:
    longrepr = report.longrepr
    crash = getattr(longrepr, "reprcrash", None)
    text = str(crash.message if crash is not None else longrepr).strip()
    when = "" if report.when == "call" else f"in {report.when}: "
    return _sound(f"{when}{text[:_LONGEST] or 'it failed'}")


def _why_skipped(report: Any) -> str:
    """What the test or its mark said, in one line."""
    if hasattr(report, "wasxfail"):
        ended = "passed" if report.outcome == "passed" else "failed"
        said = " ".join(str(report.wasxfail).split()).removeprefix("reason: ")
        text = f"expected to fail, and {ended}" + (f": {said}" if said else "")
    else:
        longrepr = report.longrepr
        said = longrepr[2] if isinstance(longrepr, tuple) and len(longrepr) == 3 else longrepr or ""
        text = " ".join(str(said).removeprefix("Skipped:").split())
    return _sound(text[:_LONGEST])


def _counterexample(report: Any) -> str | None:
    """What Hypothesis says of the example that failed."""
    found = _FALSIFYING.search(str(report.longrepr))
    if found is None:
        return None
    lines = [re.sub(r"^E {3}", "", line).rstrip() for line in found[1].splitlines()[:_MOST_LINES]]
    end = next((number for number, line in enumerate(lines) if line.strip() == ")"), len(lines) - 1)
    return _sound("\n".join(lines[: end + 1]))


def _sound(text: str) -> str:
    """A text that every reader of JSON takes: without halves of surrogate pairs."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
