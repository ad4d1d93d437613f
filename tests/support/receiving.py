"""A server's hook without the child that it judges in, so that what happens there happens here."""

from __future__ import annotations

import sys
from pathlib import Path

from ledgergate.errors import run
from ledgergate.hosts import receive
from ledgergate.hosts.server_config import read_server_config


def main() -> int:
    """Judge what standard input lists; the argument names the server's configuration."""
    return run(lambda: receive.judge_updates(receive._read_lines(), read_server_config(Path(sys.argv[1]))))
