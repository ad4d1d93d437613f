"""What is the same about every server: where its repositories lie, and how a client reaches them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Host(NamedTuple):
    """A server that is up. `url` holds `{}` where the repository's name goes; `env` is what its clients need."""

    name: str
    folder: Path
    url: str
    env: Mapping[str, str]

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.git"

    def address(self, name: str) -> str:
        return self.url.format(name)
