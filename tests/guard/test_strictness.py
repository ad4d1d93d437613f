"""Settings by which tests hold what they run to more, gone or come; and edits that ask for the same in other words."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from support.losses import told

HEAD = "import subprocess\nfrom unittest.mock import Mock, create_autospec, patch\n\nimport numpy as np\nimport pandas as pd\nimport pytest\n\nimport till\nfrom till import Repo, app, cli, due, store\n\n\n"
MOCK = "def test_store():\n    repo = Mock(spec=Repo)\n    store(repo, 1)\n    assert repo.saved == 1\n"
SPY = "def test_due():\n    with patch.object(till, 'rounded', wraps=till.rounded) as spy:\n        due([2])\n    spy.assert_called_once()\n"
RUN = "def test_run(tmp_path):\n    subprocess.run(['till'], check=True, text=True)\n    assert tmp_path.stat()\n"
RAISING = "def test_due():\n    with np.errstate(all='raise'):\n        assert due([2])\n"
TESTING = "@pytest.fixture\ndef client():\n    app.config['TESTING'] = True\n    return app.test_client()\n\n\ndef test_due(client):\n    client.get('/due')\n    assert due.hits == 1\n"
SERVER = "client = app.client()\n\n\ndef test_due():\n    client.get('/due')\n    assert due.hits == 1\n"
DOCS = "def test_docs():\n    assert doctest.testmod(till).failed == 0\n"
ARRAY = "def test_due():\n    assert np.array_equal(due([2]), [2.0])\n"
PARAMETERS = "@pytest.fixture(params=[1, 2])\ndef one(request):\n    return request.param\n\n\ndef test_due(one):\n    assert due([one]) == one\n"
FRAME = "def test_frame():\n    pd.testing.assert_frame_equal(due([2]), till.frame())\n"

LOOSER: list[tuple[str, str]] = [
    (MOCK, MOCK.replace("Mock(spec=Repo)", "Mock()")),
    (MOCK.replace("Mock(spec", "Mock(spec_set"), MOCK.replace("Mock(spec=Repo)", "Mock()")),
    (SPY, SPY.replace(", wraps=till.rounded", "")),
    (RUN, RUN.replace("check=True, ", "")),
    (RUN, RUN.replace("check=True", "text=False").replace(", text=True", "")),
    (RAISING, RAISING.replace("'raise'", "'ignore'")),
    (TESTING, TESTING.replace("    app.config['TESTING'] = True\n", "")),
    (TESTING.replace("config['TESTING']", "testing"), TESTING.replace("    app.config['TESTING'] = True\n", "")),
    (SERVER, SERVER.replace("client()", "client(raise_server_exceptions=False)")),
    (FRAME, FRAME.replace("till.frame()", "till.frame(), check_dtype=False")),
    (FRAME, FRAME.replace("till.frame()", "till.frame(), check_like=True")),
    (PARAMETERS, PARAMETERS.replace("[1, 2]", "[1, 0]")),
    (PARAMETERS, PARAMETERS.replace("[1, 2]", "[1, pytest.param(0, id='2')]")),
    (DOCS, DOCS.replace("(till)", "(till, optionflags=doctest.NORMALIZE_WHITESPACE)")),
]  # fmt: skip
NO_LOOSER: list[tuple[str, str]] = [
    (ARRAY, ARRAY.replace("[2.0])", "[2.0], equal_nan=False)")),
    (MOCK, MOCK.replace("Mock(spec=Repo)", "Mock(spec_set=Repo)")),
    (MOCK, MOCK.replace("Mock()", "Mock(spec=Repo)")),
    (SPY, SPY.replace("wraps=till.rounded", "side_effect=till.rounded")),
    (RUN, RUN.replace("check=True, ", "").replace("subprocess", "assert subprocess").replace("text=True)", "text=True).returncode == 0")),
    (RUN, RUN.replace("run(", "check_output(").replace("check=True, ", "")),
    (RUN, RUN.replace("tmp_path):", "tmp_path):\n    subprocess.run(['other'], text=True)")),
    (TESTING, TESTING.replace("config['TESTING'] = True", "config.update(TESTING=True)")),
    (TESTING, TESTING.replace("config['TESTING']", "testing")),
    (FRAME.replace("till.frame()", "till.frame(), check_dtype=False"), FRAME),
    (FRAME, FRAME + "\n\ndef test_more():\n    pd.testing.assert_frame_equal(due([3]), till.frame(), check_dtype=False)\n"),
    (DOCS, DOCS.replace("(till)", "(till, optionflags=doctest.FAIL_FAST)")),
    (MOCK + "    other = Mock(spec=Repo)\n", MOCK),
]  # fmt: skip


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(HEAD + old, HEAD + new)


@pytest.mark.parametrize(("old", "new"), LOOSER)
def test_a_setting_that_lets_more_pass(old: str, new: str) -> None:
    assert ("expectation-changed", True) in lost(old, new)


@pytest.mark.parametrize(("old", "new"), NO_LOOSER)
def test_the_same_in_other_words(old: str, new: str) -> None:
    assert lost(old, new) == []


def test_what_takes_no_number_for_one_is_a_tolerance() -> None:
    new = ARRAY.replace("[2.0])", "[2.0], equal_nan=True)")
    assert lost(ARRAY, new) == [("assertion-weakened", True)]
