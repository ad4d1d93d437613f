"""Which pinned tests are said to check only through helpers of other files."""

from __future__ import annotations

import pytest

from ledgergate.adopt.leaning import leaning_lines
from ledgergate.ledger import Row

FILE = "test/test_a.py"
HELPERS = {"test/common.py": b"def assert_equal(a, b):\n    assert a == b\n"}


def said(source: str, *more: str, names: tuple[str, ...] = ("test_a",), helpers: dict[str, bytes] = HELPERS) -> str:
    files = {**helpers, FILE: source.encode()}
    own = [f"{FILE}::{name}" for name in names]
    rows = [
        Row.of({"id": id_, "class": "locked_fixture", "artifact": [id_, *more], "digest": ["0" * 64] * (1 + len(more))})
        for id_ in own
    ]
    return "\n".join(leaning_lines(rows, files.get))


@pytest.mark.parametrize(
    "source",
    [
        "from common import assert_equal\ndef test_a(): assert_equal(f(), 1)\n",
        "from .common import assert_equal\ndef test_a(): assert_equal(f(), 1)\n",
        "from test.common import assert_equal\ndef test_a(): assert_equal(f(), 1)\n",
        "from common import assert_equal as check_it\ndef test_a(): check_it(f(), 1)\n",
        "from common import assert_equal\ndef own(x): assert_equal(x, 1)\ndef test_a(): own(f())\n",
        "from common import assert_equal\ndef test_a():\n    assert f()\n    assert_equal(f(), 1)\n",
        "import common\ndef test_a(): common.assert_equal(f(), 1)\n",
        "import common as c\ndef test_a(): c.assert_equal(f(), 1)\n",
        "import test.common\ndef test_a(): test.common.assert_equal(f(), 1)\n",
        "from test import common\ndef test_a(): common.assert_equal(f(), 1)\n",
        "from . import common as c\ndef test_a(): c.assert_equal(f(), 1)\n",
    ],
)
def test_helpers_that_all_checking_is_left_to(source: str) -> None:
    assert "1 pinned test checks only through" in said(source)
    assert "test/common.py::assert_equal (1)" in said(source)


@pytest.mark.parametrize(
    "source",
    [
        "from common import assert_equal\ndef test_a():\n    assert_equal(f(), 1)\n    assert f() == 1\n",
        "from common import skip\ndef test_a(): assert f() == 1\n",
        "from numpy.testing import assert_allclose\ndef test_a(): assert_allclose(f(), 1)\n",
        "import numpy as np\ndef test_a(): np.testing.assert_allclose(f(), 1)\n",
        "from unittest.mock import Mock\ndef test_a():\n    m = Mock()\n    f(m)\n    m.assert_called_once()\n",
        "import common\ndef test_a():\n    common.assert_equal(f(), 1)\n    assert f() == 1\n",
        "from common import assert_equal\ndef test_a(): pass\n",
        "def assert_equal(a, b): assert a == b\ndef test_a(): assert_equal(f(), 1)\n",
        "def test_a(: pass\n",
    ],
)
def test_nothing_is_said_of_others(source: str) -> None:
    assert said(source) == ""


@pytest.mark.parametrize("artifact", ["test/common.py::assert_equal", "test/common.py"])
def test_a_helper_that_the_row_names_is_pinned(artifact: str) -> None:
    assert said("from common import assert_equal\ndef test_a(): assert_equal(f(), 1)\n", artifact) == ""


def test_tests_are_counted_for_each_helper() -> None:
    source = (
        "from common import assert_equal, assert_in\n"
        "def test_a(): assert_equal(f(), 1)\n"
        "def test_b():\n    assert_equal(f(), 1)\n    assert_in(f(), [1])\n"
    )
    told = said(source, names=("test_a", "test_b"))
    assert told.startswith("2 pinned tests check only through")
    assert "test/common.py::assert_equal (2), test/common.py::assert_in (1)." in told
