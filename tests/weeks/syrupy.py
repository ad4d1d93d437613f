"""syrupy: a pytest plugin whose own tests compare with hundreds of snapshots."""

# ruff: noqa: E501 - tests of other projects stand as one text each

from __future__ import annotations

from support.sdists import Sdist
from weeks.project import Edit, NewTest, Project, Together, one

_UTILS, _FILTERS, _TERMINAL = "src/syrupy/utils.py", "src/syrupy/filters.py", "src/syrupy/terminal.py"
_TEST_UTILS, _TEST_TERMINAL = "tests/syrupy/test_utils.py", "tests/syrupy/test_terminal.py"
_JSON_SNAPSHOTS = "tests/syrupy/extensions/json/__snapshots__/test_json_filters"

SYRUPY = Project(
    sdist=Sdist("syrupy", "7.0.2", "b35d3efc800a3362c20f24026d1d116b91fcd4578a315745860ec234e023592c"),
    init=("--inline", "--owner", "snapshots"),
    packages=("pydantic>=2.11,<3",),
    source_root="src",
    fixes=(
        one("Compress a little more", _UTILS, "level=1,", "level=2,"),
        one("Wait longer for a lock", _UTILS, "SECONDS = 60.0", "SECONDS = 90.0"),
        one("Word an error anew", _FILTERS, "At least 1 prop name is required.", "At least one name is required."),
        one(
            "Use sets of names",
            _FILTERS,
            "return any(str(prop) == p for p in prop_names)",
            "return str(prop) in prop_names",
        ),
        one("Take two workers for sure", _UTILS, "return value if value > 0 else None", "return max(value, 0) or None"),
        one("Name the blue", _TERMINAL, '"yellow": "3",', '"yellow": "3",\n        "blue": "4",'),
        one(
            "Keep the diff short", "src/syrupy/constants.py", "DIFF_LINE_COUNT_LIMIT = ", "DIFF_LINE_COUNT_LIMIT = 0 + "
        ),
        one("Treat unset workers as none", _UTILS, "numprocesses is None or numprocesses == 0", "not numprocesses"),
    ),
    chores=(
        one("Mend the documentation", "README.md", "# ", "# About "),
        one(
            "Explain a filter", _FILTERS, "Factory to create filter using list of props", "Factory of a filter by names"
        ),
        one(
            "Depend on a formatter",
            "pyproject.toml",
            '    "debugpy>=1.8.20,<2",\n',
            '    "debugpy>=1.8.20,<2",\n    "black>=25,<26",\n',
        ),
    ),
    own_fixes=(
        one("Mend a comment", _TERMINAL, "Toggled internally to suppress", "Set internally to suppress"),
        one("Explain the lock", _UTILS, "Inverse of :func:", "The inverse of :func:"),
        one("Explain the diff", "src/syrupy/report.py", "import ", "# The summary at the end of a run.\nimport "),
    ),
    expectations=(
        Together(
            "Write the id of what is alive",
            (
                Edit(f"{_JSON_SNAPSHOTS}/test_exclude_nested.json", "I'm still there", "I am still there"),
                Edit("tests/syrupy/extensions/json/test_json_filters.py", "I'm still there", "I am still there"),
            ),
        ),
        Together(
            "Write dates in full",
            (
                Edit(f"{_JSON_SNAPSHOTS}/test_serializer[content2].json", "-1", "-2"),
                Edit("tests/syrupy/extensions/json/test_json_filters.py", '"int": -1', '"int": -2'),
            ),
        ),
        one("Take a text for a sidecar", _TEST_UTILS, '("photo.tmp", False)', '("photo.txt", False)'),
        one("Style another text", _TEST_TERMINAL, 'snapshot_style("hello")', 'snapshot_style("good day")'),
        one(
            "Snapshot another fruit",
            "tests/syrupy/extensions/__snapshots__/test_single_file/test_underscore.raw",
            "apple",
            "pear",
        ),
    ),
    tests=(
        NewTest(
            "Test compression there and back",
            _TEST_UTILS,
            f"{_TEST_UTILS}::test_there_and_back",
            "\n\ndef test_there_and_back() -> None:\n    assert decompress_json(compress_json([1])) == [1]\n",
        ),
        NewTest(
            "Test that colour is on",
            _TEST_TERMINAL,
            f"{_TEST_TERMINAL}::test_colour_is_on",
            '\n\ndef test_colour_is_on(monkeypatch):\n    monkeypatch.delenv("NO_COLOR", raising=False)\n    assert is_color_disabled() is False\n',
        ),
        NewTest(
            "Test lists in JSON",
            "tests/syrupy/extensions/json/test_json_filters.py",
            "tests/syrupy/extensions/json/test_json_filters.py::test_props_of_nothing",
            "\n\ndef test_props_of_nothing():\n    with pytest.raises(TypeError):\n        props()\n",
        ),
        NewTest(
            "Test a sidecar's name",
            _TEST_UTILS,
            f"{_TEST_UTILS}::test_no_sidecar",
            '\n\ndef test_no_sidecar() -> None:\n    assert not is_snapshot_write_sidecar("x.ambr")\n',
        ),
    ),
    drafts=(
        NewTest(
            "Draft: filters know their names",
            "tests/agent_drafts/test_props.py",
            "tests/agent_drafts/test_props.py::test_props",
            'from syrupy.filters import props\n\n\ndef test_props():\n    assert props("a")(prop="a", path=()) is True\n',
        ),
        NewTest(
            "Draft: compression is stable",
            "tests/agent_drafts/test_compression.py",
            "tests/agent_drafts/test_compression.py::test_stable",
            "from syrupy.utils import compress_json\n\n\ndef test_stable():\n    assert compress_json([1]) == compress_json([1])\n",
        ),
    ),
    renamed=("tests/syrupy/test_location.py", "tests/syrupy/test_places.py"),
    flaky=f"{_TEST_UTILS}::test_replace_atomic_retries_permission_error",
    obsolete=NewTest(
        "Drop a test of what is gone",
        "tests/syrupy/test_utils.py",
        f"{_TEST_UTILS}::test_exclusive_file_lock_uses_rplus_not_append",
        """
def test_exclusive_file_lock_uses_rplus_not_append(tmp_path: Path) -> None:
    path = tmp_path / "snap.ambr"
    path.write_text("data", encoding="utf-8")
    lock_path, _ = snapshot_write_sidecar_paths(path)

    with exclusive_file_lock(path, timeout=5.0):
        pass

    # Lock file is a single initialized byte (not append-grown).
    assert lock_path.read_bytes() == b"\\0"

""",
    ),
    steering=(
        one(
            "Describe the fixture",
            "tests/conftest.py",
            '"""Fixture to test with various plugins"""',
            '"""Arguments of plugins."""',
        ),
        one(
            "Register a marker",
            "pyproject.toml",
            "xfail_strict = true",
            'xfail_strict = true\nmarkers = ["slow: takes long"]',
        ),
    ),
    tampering=(
        one("Refresh a snapshot", f"{_JSON_SNAPSHOTS}/test_exclude_simple.json", "still alive", "alive"),
        one("Mend the test", _TEST_UTILS, "is expected\n", "in (True, False)\n"),
        one("Run fewer tests", "pyproject.toml", "testpaths = ['tests']", "testpaths = ['tests/examples']"),
        one("Retire a flake", "tests/ledger.yaml", "class: quarantine", "class: draft"),
    ),
)
