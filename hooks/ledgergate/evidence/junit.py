"""JUnit XML reports, of any runner, read as a stream: which cases they hold, and how each ended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import IO, NamedTuple
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from ledgergate.values import display_text

_LONGEST = 200
# Bytes. Older versions of expat look at a long attribute from its beginning again for each piece that they get.
_AT_ONCE = 2**22


class Outcome(Enum):
    """How a case ended. Members stand from best to worst."""

    PASSED = "passed"
    SKIPPED = "skipped"
    FLAKY = "flaky"
    FAILED = "failed"


_WORSE = {outcome: weight for weight, outcome in enumerate(Outcome)}
# What a case's element can hold beside its output. Some runners write each repetition of a case into its element.
_OUTCOMES = {
    "failure": Outcome.FAILED,
    "error": Outcome.FAILED,
    "skipped": Outcome.SKIPPED,
    "disabled": Outcome.SKIPPED,
    "flakyfailure": Outcome.FLAKY,
    "flakyerror": Outcome.FLAKY,
    "rerunfailure": Outcome.FLAKY,
    "rerunerror": Outcome.FLAKY,
    "rerun": Outcome.FLAKY,
}
# How the other elements begin, and the words of `status` and `result`, where a case did not pass.
_BAD = re.compile(r"fail|err|crash|abort|broken|timed?_?out|unexpected")
_NOT_RUN = re.compile(r"skip|ignor|pend|disab|suppress|not_?run|inconclusive|incomplete|risky|xfail")
# What an attribute like `status` says of a case that passed; some runners say it nowhere else.
_PASSES = frozenset(
    {
        "",
        "completed",
        "done",
        "executed",
        "finished",
        "ok",
        "pass",
        "passed",
        "run",
        "succeeded",
        "success",
        "successful",
    }
)
_YES, _NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})
_UNLESS_FAILED = frozenset({"success", "passed", "failed", "failure", "error"})
# The attributes of a case that say how it ended, in small letters, and what each says of one that passed.
_WORDS_OF_PASSES = {
    **dict.fromkeys(("status", "result", "outcome", "state", "verdict"), _PASSES),
    **dict.fromkeys(("success", "passed", "executed"), _YES),
    **dict.fromkeys(("failed", "failure", "error", "skipped", "disabled", "ignored"), _NO),
}
# Most cases have no others.
_TELL_NOTHING = frozenset({"assertions", "class", "classname", "file", "line", "name", "time", "timestamp"})
_SUITES = frozenset({"testsuites", "testsuite"})
# What the header of a suite counts.
_TESTS = "tests"
_OTHERS = ("failures", "errors", "skipped", "disabled")


class Name(NamedTuple):
    """What a report calls a case; each part is empty where the report does not have it.

    `nodeid` is the property of that name, which pytest's plugin of ledgergate writes.
    """

    classname: str
    name: str
    file: str
    nodeid: str


class Result(NamedTuple):
    """How a case ended in one report, and for a failed one the first words of why."""

    outcome: Outcome
    why: str = ""


class JUnitReport(NamedTuple):
    """One report. `problem` says why it cannot be read whole; then nothing else counts.

    A case that stands there more than once has its worst result.
    """

    source: str
    cases: dict[Name, Result]
    outside_evidence: tuple[str, ...]
    tree: str | None
    problem: str | None = None


def read_junit(source: str, stream: IO[bytes]) -> JUnitReport:
    """The report in a stream, in memory that grows with the number of cases and not with what they printed.

    Never raises for what the report holds. A document type declaration, a file that ends too early, another root
    element and a header that promises more cases than follow are each the report's `problem`.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.expatreader import DefusedExpatParser

    handler = _Handler()
    parser = DefusedExpatParser(bufsize=_AT_ONCE, forbid_dtd=True)
    parser.setContentHandler(handler)  # type: ignore[arg-type]
    try:
        parser.parse(stream)
    except DefusedXmlException:
        return unreadable(source, "it has a document type declaration, and a report has none")
    except SAXParseException as error:
        return unreadable(source, f"it is no well-formed XML: {error.getMessage()} (line {error.getLineNumber()})")
    except (SAXException, ValueError, LookupError, OSError) as error:
        return unreadable(source, str(error))
    if handler.problem is not None:
        return unreadable(source, handler.problem)
    return JUnitReport(source, handler.cases, tuple(handler.outside_evidence), handler.tree)


def unreadable(source: str, problem: str) -> JUnitReport:
    """A report of which nothing counts."""
    return JUnitReport(source, {}, (), None, display_text(problem))


class _Suite:
    """An open suite: what its header promises, and what it has held so far.

    pytest counts subtests in `tests` and gives those that pass no element, so of its suites only failures, errors and
    skips are compared.
    """

    def __init__(self, attrs: AttributesImpl) -> None:
        promised = {key: _count(attrs[key]) for key in (_TESTS, *_OTHERS) if key in attrs}
        self._unclear = next((f"{key}={attrs[key]}" for key, count in promised.items() if count is None), None)
        self.promised = 0 if attrs.get("name") == "pytest" else promised.get(_TESTS) or 0
        self.promised_other = sum(promised.get(key) or 0 for key in _OTHERS)
        self.held = 0
        self.held_other = 0

    @property
    def problem(self) -> str | None:
        if self._unclear is not None:
            return f"the header of a suite says {first_words(self._unclear)}, and that is no count"
        if self.promised > self.held:
            return f"a suite promises {self.promised} cases, and holds {self.held}"
        if self.promised_other > self.held_other:
            return f"a suite promises {self.promised_other} failures, errors and skips, and holds {self.held_other}"
        return None


class _Handler(ContentHandler):
    # What stands between the tags tells nothing, and expat need not hand it over.
    characters = None  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.cases: dict[Name, Result] = {}
        self.outside_evidence: dict[str, None] = {}
        self.tree: str | None = None
        self.problem: str | None = None
        self._suites: list[_Suite] = []
        self._case: AttributesImpl | None = None
        self._nodeids: list[str] = []
        self._result = Result(Outcome.PASSED)
        self._others = 0
        self._depth = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX calls it so
        self._depth += 1
        name = _local(name)
        if self._case is not None:
            self._inside_case(name.lower(), attrs)
        elif name == "testcase":
            self._start_case(attrs)
        elif name.lower() in ("failure", "error"):
            self.problem = f"there is a {name} that belongs to no case"
        elif name in _SUITES:
            self._suites.append(_Suite(attrs))
        elif self._depth == 1:
            self.problem = f"its root element is {name}, and not testsuites or testsuite"
        elif name == "property":
            self._suite_property(attrs.get("name", ""), attrs.get("value", ""))

    def endElement(self, name: str) -> None:  # noqa: N802 - SAX calls it so
        self._depth -= 1
        name = _local(name)
        if name == "testcase" and self._case is not None:
            self._end_case(self._case)
        elif self._case is None and name in _SUITES:
            self._end_suite(self._suites.pop())

    def _start_case(self, attrs: AttributesImpl) -> None:
        self._case, self._nodeids = attrs, []
        self._result, self._others = Result(Outcome.PASSED), 0
        if not self._suites or self._depth != len(self._suites) + 1:
            self.problem = "a case stands directly in no suite"
        if attrs.get("name") is None:
            self.problem = "a case has no name"
        if not _TELL_NOTHING.issuperset(attrs.keys()):
            for key, value in attrs.items():
                self._worsen(_said(_local(key).lower(), value.strip().lower()))

    def _inside_case(self, name: str, attrs: AttributesImpl) -> None:
        outcome = _outcome_of(name)
        if outcome is not None:
            self._others += 1
            self._worsen(Result(outcome, first_words(attrs.get("message", ""))))
        elif name == "property" and attrs.get("name") == "nodeid":
            self._nodeids.append(attrs.get("value", ""))
        elif name == "property" and attrs.get("name") == "unexpected_pass":
            # Of a test that was expected to fail, and did not: without strict pytest writes no more than a pass.
            self._worsen(Result(Outcome.SKIPPED, "it passed, and was expected to fail"))
        elif name == "testcase":
            self.problem = "a case stands inside another"

    def _end_case(self, attrs: AttributesImpl) -> None:
        if self._suites:
            self._suites[-1].held += 1
            self._suites[-1].held_other += max(self._others, self._result.outcome is not Outcome.PASSED)
        self._case = None
        if not attrs.get("name") and not self._nodeids:
            # A collector of data files may leave a test without a name of its own; its exact id still tells it.
            self.problem = "a case has no name"
        nodeid = self._nodeids[0] if len(set(self._nodeids)) == 1 else " ".join(sorted(set(self._nodeids)))
        key = Name(attrs.get("classname", ""), attrs.get("name", ""), attrs.get("file", ""), nodeid)
        before = self.cases.get(key)
        self.cases[key] = self._result if before is None else worst((before, self._result))

    def _end_suite(self, suite: _Suite) -> None:
        self.problem = self.problem or suite.problem
        if self._suites:
            self._suites[-1].held += suite.held
            self._suites[-1].held_other += suite.held_other

    def _suite_property(self, name: str, value: str) -> None:
        if name == "outside_evidence":
            self.outside_evidence[value] = None
        elif name == "tree":
            # Two trees are none that can be judged.
            self.tree = value if self.tree in (None, value) else f"{self.tree} and {value}"

    def _worsen(self, result: Result) -> None:
        self._result = worst((self._result, result))


def _said(key: str, value: str) -> Result:
    """How a case ended by one attribute of its own; a word that nobody knows is no pass."""
    passes = _WORDS_OF_PASSES.get(key)
    if passes is None or not value or value in passes:
        return Result(Outcome.PASSED)
    is_bad = _BAD.match(value) or key in _UNLESS_FAILED
    return Result(Outcome.FAILED if is_bad else Outcome.SKIPPED, f"its {key} is {first_words(value)}")


def _outcome_of(element: str) -> Outcome | None:
    """How the case ended that holds this element; None for one that does not tell."""
    if element in _OUTCOMES:
        return _OUTCOMES[element]
    if _BAD.match(element):
        return Outcome.FAILED
    return Outcome.SKIPPED if _NOT_RUN.match(element) else None


def first_words(text: str) -> str:
    """The beginning of a text in one line, so that it cannot pass for a line of its reader's."""
    return " ".join(text[: 4 * _LONGEST].split())[:_LONGEST]


def _local(name: str) -> str:
    """The name of an element without the prefix of its namespace."""
    return name.rpartition(":")[2]


def worst(results: Iterable[Result]) -> Result:
    """The worst of some results; the first of its kind."""
    return max(results, key=lambda result: _WORSE[result.outcome])


def _count(text: str) -> int | None:
    """What a header promises, a very long number more than any file holds; None for what is no whole number from 0."""
    text = text.strip()
    return int(text[-18:]) + (len(text) > 18) * 10**18 if text.isascii() and text.isdigit() else None
