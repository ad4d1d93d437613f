"""Which program is called as git."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.git.plumbing import find_git


def test_git_is_the_first_on_the_path_and_never_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, first, second = tmp_path / "here", tmp_path / "first", tmp_path / "second"
    for folder in (here, first, second):
        folder.mkdir()
        (folder / "git.exe").touch()
    monkeypatch.chdir(here)
    assert find_git([".", "", str(tmp_path), str(first), str(second)]) == str(first / "git.exe")
    with pytest.raises(LedgergateError, match="there is no git"):
        find_git([".", "", str(tmp_path)])
