"""A ledger, the files that its rows name, and reports, judged by `ledgergate gate` as CI calls it."""

from __future__ import annotations

import json
from typing import NamedTuple

from support.gate import VALIDATOR, gate, quoted
from support.repo import Repo

SEEDS = "tests/seeds/"


class Judged(NamedTuple):
    """What the gate said: `verdicts` by id, `rules` of its findings. Only a `state` of PASS ends in status 0."""

    state: str
    verdicts: dict[str, str]
    rules: set[str]

    @property
    def admitted(self) -> set[str]:
        return {id_ for id_, verdict in self.verdicts.items() if verdict == "admitted"}


def held(*ids: str, params: int | None = None) -> str:
    """Rows of tests that count as evidence."""
    more = "" if params is None else f"    params: {params}\n"
    return "".join(
        f"  - id: {quoted(id_)}\n    class: property\n    invariant: i\n    seeds: {SEEDS}\n{more}" for id_ in ids
    )


def quarantined(*ids: str) -> str:
    fields = "    class: quarantine\n    opened: 2026-01-02\n    reason: r\n    owner: o\n"
    return "".join(f"  - id: {quoted(id_)}\n{fields}" for id_ in ids)


def suite(*cases: str) -> str:
    """A JUnit report of these elements."""
    return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites><testsuite>{"".join(cases)}</testsuite></testsuites>'


def case(name: str, inside: str = "", classname: str = "tests.t") -> str:
    """The element of a case, in the file tests/t.py unless its class is named."""
    escaped = name.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return f'<testcase classname="{classname}" name="{escaped}">{inside}</testcase>'


def judged(repo: Repo, rows: str, *reports: str | bytes, options: tuple[str, ...] = ()) -> Judged:
    """What `ledgergate gate` says of reports with these contents."""
    return judged_files(repo, *written(repo, rows, *reports), options=options)


def written(repo: Repo, rows: str, *reports: str | bytes) -> list[str]:
    """Write a ledger of these rows, their seeds, and the reports; the reports' names."""
    repo.write("ledger.yaml", f"version: 1\nrows:\n{rows}")
    repo.write(f"{SEEDS}one", "1")
    names = [f"report-{number}" for number in range(len(reports))]
    for name, content in zip(names, reports, strict=True):
        repo.write(name, content)
    return names


def judged_files(repo: Repo, *names: str, options: tuple[str, ...] = ()) -> Judged:
    """The same of reports that are there, against the ledger that is there."""
    said = gate(repo, "gate", "ledger.yaml", *names, "--format", "json", *options)
    document = json.loads(said.out)
    VALIDATOR.validate(document)
    assert (said.status == 0) == (document["state"] == "PASS"), said
    assert document["state"] != "PASS" or document["cases"]["admitted"] + document["cases"]["total"] > 0
    verdicts = {one["id"]: one["verdict"] for one in document["cases"]["judged"]}
    return Judged(document["state"], verdicts, {seen["rule"] for seen in document["findings"]})
