"""Pygments: thousands of golden files that its own collectors turn into tests, and some hundred plain ones."""

# ruff: noqa: E501 - tests of other projects stand as one text each

from __future__ import annotations

from support.sdists import PYGMENTS as SDIST
from weeks.project import Edit, NewTest, Project, Together, one

_UTIL, _MODELINE, _JSON5 = "pygments/util.py", "pygments/modeline.py", "pygments/lexers/json5.py"
_BASIC, _FLOATS = "tests/snippets/json/test_basic.txt", "tests/snippets/json/test_floats.txt"

PYGMENTS = Project(
    sdist=SDIST,
    init=("--inline", "--owner", "lexers"),
    packages=("wcag-contrast-ratio",),
    source_root="",
    fixes=(
        one("Read undefined in JSON5", _JSON5, "'null', 'true',", "'null', 'true', 'undefined',"),
        one("Take y and n for booleans", _UTIL, "('1', 'yes', 'true', 'on')", "('1', 'yes', 'y', 'true', 'on')"),
        one("Look at more lines for modelines", _MODELINE, "max_lines=5", "max_lines=6"),
        one("Read mode in modelines", _MODELINE, "ft | filetype", "ft | mode | filetype"),
        one("Read capital exponents in JSON5", _JSON5, "[eE][-]?", "[eE][-+]?"),
        one(
            "Return early",
            _UTIL,
            "lst = []\n    seen = set()",
            "if not it:\n        return []\n    lst = []\n    seen = set()",
        ),
        one("Word an error anew", _UTIL, "must be one of", "has to be one of"),
        one(
            "Sort words by length",
            "pygments/regexopt.py",
            "strings = sorted(strings)",
            "strings = sorted(set(strings))",
        ),
    ),
    chores=(
        one(
            "Mention JSON5 in the changelog",
            "CHANGES",
            "(unreleased)\n",
            "(unreleased)\n\n- Updated lexers:\n\n  * JSON5: undefined\n",
        ),
        one("Explain modelines", _MODELINE, "A simple modeline parser", "A small modeline parser"),
        one(
            "Depend on a terminal library",
            "pyproject.toml",
            '["colorama >= 0.4.6"]',
            '["colorama >= 0.4.6", "blessed"]',
        ),
    ),
    own_fixes=(
        one("Describe the module", _UTIL, "Utility functions.", "Functions used everywhere."),
        one("Mend a comment", _UTIL, "# From example D28 of:", "# See example D28 of:"),
        one("Thank a contributor", "AUTHORS", "Pygments", "Pygments "),
    ),
    expectations=(
        Together(
            "Read numbers in JSON as floats",
            (
                Edit("pygments/lexers/data.py", "Number.Integer", "Number.Float"),
                Edit(_BASIC, "Literal.Number.Integer", "Literal.Number.Float"),
                Edit(_FLOATS, "Number.Float", "Number.Double"),
            ),
        ),
        Together(
            "Word an error anew, and expect it",
            (
                Edit(_UTIL, "Invalid type", "A wrong type"),
                Edit("tests/test_util.py", "get_int_opt({}, 'a', 1) == 1", "get_int_opt({}, 'a', 2) == 2"),
            ),
        ),
        one(
            "Expect another half",
            "tests/test_util.py",
            "FakeLexer.analyse('0.5') == 0.5",
            "FakeLexer.analyse('0.25') == 0.25",
        ),
        one("Expect mode lines", "tests/test_modeline.py", "vi: ft=python", "vi: mode=python"),
        one("Sort the tokens anew", "tests/snippets/css/percent_in_func.txt", "Name.Class", "Name.Other"),
    ),
    tests=(
        NewTest(
            "Test that y is true",
            "tests/test_util.py",
            "tests/test_util.py::test_y_is_true",
            "\n\ndef test_y_is_true():\n    assert util.get_bool_opt({'a': 'y'}, 'a') is True\n",
        ),
        NewTest(
            "Test a buffer without a modeline",
            "tests/test_modeline.py",
            "tests/test_modeline.py::test_no_modeline",
            "\n\ndef test_no_modeline():\n    assert modeline.get_filetype_from_buffer('x = 1') is None\n",
        ),
        NewTest(
            "Test duplicates of nothing",
            "tests/test_util.py",
            "tests/test_util.py::test_no_duplicates",
            "\n\ndef test_no_duplicates():\n    assert util.duplicates_removed([]) == []\n",
        ),
        NewTest(
            "Test an empty buffer",
            "tests/test_modeline.py",
            "tests/test_modeline.py::test_empty_buffer",
            "\n\ndef test_empty_buffer():\n    assert modeline.get_filetype_from_buffer('') is None\n",
        ),
    ),
    drafts=(
        NewTest(
            "Draft: JSON5 reads undefined",
            "tests/agent_drafts/test_undefined.py",
            "tests/agent_drafts/test_undefined.py::test_undefined",
            "from pygments.lexers.json5 import Json5Lexer\n\n\ndef test_undefined():\n    assert list(Json5Lexer().get_tokens('undefined')) != []\n",
        ),
        NewTest(
            "Draft: empty input has no duplicates",
            "tests/agent_drafts/test_duplicates.py",
            "tests/agent_drafts/test_duplicates.py::test_empty",
            "from pygments import util\n\n\ndef test_empty():\n    assert util.duplicates_removed(()) == []\n",
        ),
    ),
    renamed=("tests/test_words.py", "tests/test_word_lists.py"),
    flaky="tests/test_util.py::test_guess_decode",
    obsolete=NewTest(
        "Drop a test of what is gone",
        "tests/test_util.py",
        "tests/test_util.py::test_analysator_value_error",
        """
def test_analysator_value_error():
    # When converting the analysator's return value to a float a
    # ValueError may occur.  If that happens 0.0 is returned instead.
    assert FakeLexer.analyse("bad input") == 0.0

""",
    ),
    steering=(
        one(
            "Describe the generated tests", "tests/conftest.py", "Generated lexer tests", "Tests generated from lexers"
        ),
        one("Test with a newer pytest", "tox.ini", "pytest ~= 8.2", "pytest ~= 8.3"),
    ),
    tampering=(
        one("Refresh a golden", _BASIC, "Punctuation", "Operator"),
        one("Mend the test", "tests/test_util.py", "== ('\\xff', 'utf-8')", "is not None"),
        one(
            "Update goldens in every run",
            "tox.ini",
            "commands = pytest {posargs}",
            "commands = pytest --update-goldens {posargs}",
        ),
        one("Retire a flake", "tests/ledger.yaml", "class: quarantine", "class: draft"),
    ),
)
