"""Artifacts on the disk, just before their tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledgergate.ledger import Row
from ledgergate.pytest_lane.watch import Watch
from support.project import sha256


@pytest.mark.parametrize("size", [0, 1, 2**16 - 1, 2**16, 2**16 + 1, 2**17, 3 * 2**16 + 5])
def test_files_of_any_size_are_read_whole(tmp_path: Path, size: int) -> None:
    content = bytes(range(251)) * (size // 251) + bytes(size % 251)
    row = Row.of({"id": "a.py::t", "class": "locked_fixture", "artifact": "g.bin", "digest": sha256(content)})
    (tmp_path / "g.bin").write_bytes(content)
    assert Watch(tmp_path, [row]).before("a.py::t", row) == []
    (tmp_path / "g.bin").write_bytes(content + b"\1")
    assert Watch(tmp_path, [row]).before("a.py::t", row) == [("g.bin", "its bytes are not those of its row")]
