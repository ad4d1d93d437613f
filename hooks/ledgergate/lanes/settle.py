"""The report of a lane that was run: what its command wrote and how it ended, the worse of the two."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from typing import Any, NamedTuple

from ledgergate.freeze.strict_json import JsonError, read_json
from ledgergate.lanes.child import Ended
from ledgergate.lanes.environment import SEED
from ledgergate.policy.model import Lane

_NOTHING_COLLECTED, _TESTS_FAILED = 5, 1
_FROM_GOOD_TO_BAD = ("ok", "empty", "parse_error", "crash", "timeout")


class _Fault(NamedTuple):
    status: str
    reason: str | None = None


def settle(
    lane: Lane, written: bytes | None, ended: Ended, tree: str, *, none_written: str = "it wrote no report"
) -> bytes:
    """The lane report, from the bytes that the command wrote (None: nothing) and how it ended.

    Whatever else stands in what it wrote stays there. `none_written` says what is known where there is nothing.
    """
    document, problem = _document(written)
    own = document.get(lane.name) if document is not None else None
    fields: dict[str, Any] = dict(own) if isinstance(own, dict) else _blank()
    of_report = _Fault("empty", none_written) if written is None else _of_report(lane, document, own, problem)
    fault = _worse(_of_exit(lane, ended, fields), of_report)
    if written is None and fault is not of_report and ended.status == _TESTS_FAILED:
        fault = fault._replace(reason=f"{fault.reason}; {none_written}")
    if _is_worse(fault.status, fields.get("status")):
        fields["status"] = fault.status
        if fault.reason is not None:
            fields["reason"] = fault.reason
    known = {"tree": tree, "random_seed": SEED, "duration_s": round(ended.seconds, 3)}
    whole = {**(document or {}), lane.name: {**known, **fields}}
    return json.dumps(whole, indent=1).encode("ascii") + b"\n"


def _document(written: bytes | None) -> tuple[dict[str, Any] | None, str]:
    """The object that was written; None for anything else, and what is wrong with that."""
    problem = "its report is no JSON object"
    try:
        if written is None or not isinstance(read_json(written), dict):
            return None, problem
        document: dict[str, Any] = json.loads(written.removeprefix(b"\xef\xbb\xbf"))
    except JsonError as error:
        return None, f"{problem}: {error.message}"
    except ValueError:
        return None, problem
    return document, ""


def _blank() -> dict[str, Any]:
    none: dict[str, Any] = {"violations": [], "skipped": False, "ran_case_ids": [], "receipts": []}
    return {"status": "ok", "executed": 0, **none}


def _of_exit(lane: Lane, ended: Ended, fields: Mapping[str, Any]) -> _Fault:
    if ended.problem is not None or ended.status is None:
        return _Fault("crash", ended.problem)
    if ended.is_late:
        return _Fault("timeout", f"it was ended after {lane.timeout_s} seconds")
    if ended.status == 0 or (ended.status == _TESTS_FAILED and fields.get("violations")):
        return _Fault("ok")
    if ended.status == _NOTHING_COLLECTED:
        return _Fault("empty", "it collected nothing")
    if ended.status < 0:
        return _Fault("crash", f"it was ended by {_signal_name(-ended.status)}")
    shown = ", and no report of its shows a failure" if ended.status == _TESTS_FAILED else ""
    return _Fault("crash", f"it ended with status {ended.status}{shown}")


def _of_report(lane: Lane, document: Mapping[str, Any] | None, own: object, problem: str) -> _Fault:
    if document is None:
        return _Fault("parse_error", problem)
    if lane.name not in document:
        return _Fault("empty", f"its report does not name the lane {lane.name}")
    return _Fault("ok") if isinstance(own, dict) else _Fault("parse_error", "its report says nothing of the lane")


def _worse(one: _Fault, two: _Fault) -> _Fault:
    return max(one, two, key=lambda fault: _FROM_GOOD_TO_BAD.index(fault.status))


def _is_worse(status: str, than: object) -> bool:
    """Whether a status outweighs what a report says; one that is none at all is for its reader to refuse."""
    return than in _FROM_GOOD_TO_BAD and _FROM_GOOD_TO_BAD.index(status) > _FROM_GOOD_TO_BAD.index(str(than))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
