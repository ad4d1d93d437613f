"""A diagnosis as text, and for programs (`ledgergate-doctor.v1`, described by `doctor.schema.json`)."""

from __future__ import annotations

import json
from collections import Counter

from ledgergate.doctor.diagnosis import NO_GATE, Diagnosis
from ledgergate.doctor.model import Health
from ledgergate.report.escape import encodable

SCHEMA = "ledgergate-doctor.v1"
_ORDER: tuple[Health, ...] = ("missing", "stale", "unknown", "ok")


def render_text(diagnosis: Diagnosis) -> str:
    """A line for each thing, with the way to mend it below."""
    wide = max(len(line.topic) for line in diagnosis.lines)
    lines: list[str] = []
    for line in diagnosis.lines:
        lines.append(f"{line.health:<8} {line.topic:<{wide}}  {encodable(line.message)}")
        if line.remedy and line.health != "ok":
            lines.append(f"{'':<{9 + wide}}  > {encodable(line.remedy)}")
    lines += ["", "Not seen from here:", *(f"- {note}" for note in diagnosis.notes), ""]
    if diagnosis.no_gate:
        lines += [NO_GATE, "Here:", *(f"- {reason}" for reason in diagnosis.no_gate), ""]
    counts = Counter(line.health for line in diagnosis.lines)
    lines.append("ledgergate: " + ", ".join(f"{counts[health]} {health}" for health in _ORDER if counts[health]))
    return "\n".join(lines) + "\n"


def render_json(diagnosis: Diagnosis, version: str) -> str:
    """The diagnosis as one JSON object, all ASCII, ending in a line break."""
    document = {
        "schema": SCHEMA,
        "version": version,
        "healthy": diagnosis.is_healthy,
        "lines": [
            {
                "topic": line.topic,
                "state": line.health,
                "message": encodable(line.message),
                "remedy": None if line.remedy is None or line.health == "ok" else encodable(line.remedy),
            }
            for line in diagnosis.lines
        ],
        "notes": list(diagnosis.notes),
        "no_gate": list(diagnosis.no_gate),
    }
    return json.dumps(document, indent=2) + "\n"
