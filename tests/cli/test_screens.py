"""What a signer sees before they sign, as goldens."""

from __future__ import annotations

import pytest

from support.documents import ROOT
from support.repo import Repo
from support.screens import SCREENS


@pytest.mark.parametrize("name", SCREENS)
def test_what_is_shown(repo: Repo, name: str) -> None:
    assert SCREENS[name](repo) == (ROOT / f"tests/goldens/screens/{name}.txt").read_text(encoding="utf-8")
