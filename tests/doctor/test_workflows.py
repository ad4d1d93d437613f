"""Whatever a workflow file holds, reading it ends, and in nothing but a workflow or none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.doctor.workflows import Workflow, read_workflow

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["ledgergate check", "ledgergate run", "push", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["on", "jobs", "steps", "run", "uses", "with", "ref", "a"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@given(_VALUES)
def test_any_document(document: object) -> None:
    found = read_workflow("a.yml", json.dumps(document).encode())
    assert found is None or isinstance(found, Workflow)


@given(st.binary(max_size=60))
def test_any_bytes(data: bytes) -> None:
    found = read_workflow("a.yml", data)
    assert found is None or isinstance(found, Workflow)


def test_aliases_that_grow_without_end() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60))]
    data = "\n".join([*lines, "on: [*a59]", "jobs: {one: {steps: [{run: *a59, with: *a59, uses: checkout}]}}"])
    found = read_workflow("a.yml", data.encode())
    assert found is not None
    assert not found.checks


@pytest.mark.parametrize(
    ("text", "triggers"),
    [
        ("on: push", {"push"}),
        ("on: [push, pull_request]", {"push", "pull_request"}),
        ("on: {push: {branches: [main]}, merge_group: }", {"push", "merge_group"}),
        ('"on": push', {"push"}),
        ("name: x", set()),
    ],
)
def test_what_starts_it(text: str, triggers: set[str]) -> None:
    found = read_workflow("a.yml", f"{text}\njobs: {{}}\n".encode())
    assert found is not None
    assert found.triggers == triggers
