"""What came of one ref of a push."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ledgergate.hosts.refs import Malformed, RefUpdate
from ledgergate.rules import finding
from ledgergate.values import Actor, Finding, Report, State, display_text, fold, shell_word

if TYPE_CHECKING:
    from ledgergate.score import Score

CHECK = "refs"
NOBODY = Actor("human")


class Judged(NamedTuple):
    """What came of one ref: `what` names it for a person. A score that is not allowed refuses where it is enforced.

    `names` are revisions for both ends of what was judged, where there are two.
    """

    what: str
    report: Report
    score: Score | None = None
    is_enforced: bool = True
    update: RefUpdate | None = None
    names: tuple[str, str] | None = None

    @property
    def shown_by(self) -> str:
        """The command that shows all of it in this clone; of a proposal, as it would be judged where it may go."""
        if self.names is None:
            return "`ledgergate check --all`"
        target = ""
        if self.update is not None and self.update.ref and self.report.aside is None:
            target = f" --target {shell_word(self.update.ref)}"
        return f"`ledgergate check --from {self.names[0]} --to {self.names[1]} --exact{target} --all`"

    @property
    def is_silent(self) -> bool:
        """Whether it passes, and there is no more to say."""
        return self.report.state is State.PASS and not self.report.notes and self.score is None


def not_a_ref(line: Malformed, remedy: str | None = None) -> Judged:
    """What came of a line that says nothing which could be judged; without a `remedy` it is that of a clone."""
    message = f"{line.reason[:1].upper()}{line.reason[1:]}."
    seen = finding("ref-malformed", CHECK, message, subject=line.line or "(an empty line)", remedy=remedy)
    return Judged("a line that git did not write", report_on([seen]))


def what_of(update: RefUpdate) -> str:
    """The ref with its old and new object, for a person to read."""
    old, new = (id_[:12] if id_ else "(nothing)" for id_ in (update.old, update.new))
    return f"{display_text(update.ref) or '(a ref that nobody named)'}: {old} -> {new}"


def report_on(findings: Iterable[Finding]) -> Report:
    """The report on what no change stands behind."""
    found = tuple(findings)
    state = fold((State.PASS, *(seen.state for seen in found)))
    return Report(state, ((CHECK, state),), NOBODY, None, None, None, (), (), found)
