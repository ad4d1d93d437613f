"""Run test files one by one, each in a process of its own; print for each how the outcomes of its last test were.

Run: python fates.py NAME FOLDER...; in each folder lies a file `test_it.py`, and NAME is the end of the test's id.
"""

from __future__ import annotations

import json
import os
import sys

import pytest


class Outcomes:
    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.nodeid.endswith(f"::{self.name}") and (report.when == "call" or not report.passed):
            self.found.append(report.outcome)


def fate(folder: str, name: str) -> list[str]:
    """The outcomes of the test in a forked process, `[]` if it never came to one."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            os.chdir(folder)
            sys.path.insert(0, folder)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            outcomes = Outcomes(name)
            plugins = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist"]
            pytest.main(["-c", os.devnull, "--rootdir", folder, *plugins, "test_it.py"], plugins=[outcomes])
            os.write(writer, json.dumps(outcomes.found).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return list(json.loads(found or b"[]"))


if __name__ == "__main__":
    sys.stdout.write(json.dumps([fate(folder, sys.argv[1]) for folder in sys.argv[2:]]))
