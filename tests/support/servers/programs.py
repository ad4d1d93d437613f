"""The programs that the servers are made of, and Debian's packages that hold them."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

# A program and its package in each line; scripts/install-servers reads it, too.
_LIST = Path(__file__).with_name("packages.txt")
_PACKAGES = dict(line.split() for line in _LIST.read_text(encoding="utf-8").splitlines())
_PLACES = ("/usr/sbin", "/usr/lib/git-core", "/usr/libexec/git-core", "/usr/share/gitolite3")


@cache
def program(name: str) -> str:
    """The path of a program; a test fails where it is missing."""
    found = shutil.which(name, path=os.pathsep.join((os.environ["PATH"], *_PLACES)))
    assert found, f"{name} is missing: install the package {_PACKAGES[name]}, or all of them by scripts/install-servers"
    return found
