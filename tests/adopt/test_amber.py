from __future__ import annotations

import pytest

from ledgergate.adopt.amber import amber_tests

IDS = [
    "tests/test_mod.py::test_f",
    "tests/test_mod.py::test_f_more",
    "tests/test_mod.py::test_p[a.b]",
    "tests/test_mod.py::test_p[c::d]",
    "tests/test_mod.py::TestX::test_f",
    "tests/other/test_mod.py::test_f",
]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_f", "test_f"),
        ("test_f.1", "test_f"),
        ("test_f[custom name]", "test_f"),
        ("test_f_more", "test_f_more"),
        ("test_p[a.b]", "test_p[a.b]"),
        ("test_p[a.b].3", "test_p[a.b]"),
        ("test_p[c::d]", "test_p[c::d]"),
        ("TestX.test_f", "TestX::test_f"),
        ("test_gone", None),
        ("test_p", None),
    ],
)
def test_the_test_of_a_snapshot(name: str, expected: str | None) -> None:
    data = f"# serializer version: 1\n# name: {name}\n  'x'\n# ---\n".encode()
    found = amber_tests("tests/__snapshots__/test_mod.ambr", data, IDS)
    assert found == ((f"tests/test_mod.py::{expected}",) if expected else ())


def test_every_test_of_the_file_is_found_once() -> None:
    data = b"# name: test_f\r\n# name: test_f.1\r\n# name: TestX.test_f\r\n"
    assert amber_tests("tests/__snaps__/test_mod.ambr", data, IDS) == (IDS[0], IDS[4])
    assert amber_tests("__snapshots__/test_mod.ambr", data, ["test_mod.py::test_f"]) == ("test_mod.py::test_f",)
    assert amber_tests("test_mod.ambr", data, IDS) == ()
