"""Score objects as a program reads them, checked against their schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
from referencing import Registry, Resource

import ledgergate.report
from support.gate import Said

_FOLDER = Path(ledgergate.report.__file__).parent
_SCHEMAS = [
    json.loads((_FOLDER / name).read_text(encoding="utf-8")) for name in ("score.schema.json", "report.schema.json")
]
_REGISTRY = Registry().with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in _SCHEMAS])
_VALIDATOR = jsonschema.Draft202012Validator(_SCHEMAS[0], registry=_REGISTRY)


def score_document(said: Said) -> dict[str, Any]:
    """The score object that a command printed; its exit status has to be that of the decision."""
    found: dict[str, Any] = json.loads(said.out)
    _VALIDATOR.validate(found)
    assert (said.status == 0) == (found["decision"] == "allow"), said
    return found
