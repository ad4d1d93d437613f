"""What keeps a failing test from failing changes its digest; what only looks like it does not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ledgergate.source.inline import differ_in_layout_only, inline_digest
from support import fates
from support.tampering import APP, TAMPERINGS, Tampering


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda one: ascii(one.name))
def test_tampering_changes_the_digest(tampering: Tampering) -> None:
    before, after = tampering.before.encode(), tampering.after.encode()
    digest = inline_digest(before, tampering.names)
    assert isinstance(digest, str)
    assert inline_digest(after, tampering.names) != digest
    assert not differ_in_layout_only(before, after, tampering.names)


@pytest.mark.exhaustive
def test_the_tests_fail_before_and_do_not_afterwards(tmp_path: Path) -> None:
    befores = _fates(tmp_path / "before", sorted({one.before for one in TAMPERINGS}))
    assert [source for source, fate in befores.items() if fate != ["failed"]] == []
    afters = _fates(tmp_path / "after", [one.after for one in TAMPERINGS])
    assert [one.name for one in TAMPERINGS if "failed" in afters[one.after]] == []


def _fates(folder: Path, sources: list[str]) -> dict[str, list[str]]:
    """The outcomes of `test_sum` in each of the files, when pytest runs it."""
    places = [folder / str(number) for number in range(len(sources))]
    for place, source in zip(places, sources, strict=True):
        place.mkdir(parents=True)
        (place / "app.py").write_text(APP, "utf-8")
        (place / "test_it.py").write_text(source, "utf-8")
    run = [sys.executable, fates.__file__, "test_sum", *map(str, places)]
    done = subprocess.run(run, capture_output=True, check=True)
    return dict(zip(sources, json.loads(done.stdout), strict=True))
