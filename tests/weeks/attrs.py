"""attrs: plain unit tests, many of them in classes, and Hypothesis."""

# ruff: noqa: E501 - tests of other projects stand as one text each

from __future__ import annotations

from support.sdists import Sdist
from weeks.project import Edit, NewTest, Project, Together, one

_VALIDATORS, _CONVERTERS, _SETTERS = "src/attr/validators.py", "src/attr/converters.py", "src/attr/setters.py"

ATTRS = Project(
    sdist=Sdist("attrs", "25.3.0", "75d7cefc7fb576747b2c81b4442d4d4a1ce0900973527c011d1030fd3bf4af1b"),
    init=("--inline", "--owner", "attrs-core"),
    packages=(),
    source_root="src",
    fixes=(
        one("Word an error anew", "src/attr/_config.py", "'run' must be bool.", "'run' must be a bool."),
        one(
            "Skip empty pipes",
            _SETTERS,
            "rv = new_value\n",
            "rv = new_value\n        if not setters:\n            return rv\n",
        ),
        one("Take ok for true", _CONVERTERS, '"yes", "y"', '"yes", "y", "ok"'),
        one("Mend the grammar of an error", _VALIDATORS, "must be callable", "must be a callable"),
        one("Compare classes as they are", "src/attr/filters.py", "value.__class__ in cls", "type(value) in cls"),
        one("Read two parts of a version", "src/attr/_version_info.py", "if len(v) == 3", "if len(v) <= 3"),
        one("Validate only what has a validator", _SETTERS, "if not v:", "if v is None:"),
        one(
            "Close the pattern",
            _VALIDATORS,
            "import operator\nimport re\n",
            "import operator\nimport re  # noqa: ICN\n",
        ),
    ),
    chores=(
        one("Describe pipes of setters", "docs/extending.md", "# ", "# A note on "),
        one(
            "Mention the new spelling in the changelog",
            "CHANGELOG.md",
            "## ",
            "## Unreleased\n\n- `to_bool` takes y.\n\n## ",
        ),
        one(
            "Use a development dependency more",
            "pyproject.toml",
            '  "pympler",\n',
            '  "pympler",\n  "sortedcontainers",\n',
        ),
    ),
    own_fixes=(
        one("Spell the docstring out", "src/attr/filters.py", "Commonly useful filters", "Filters that are useful"),
        one("Explain setters", _SETTERS, "Commonly used hooks", "Hooks that are used"),
        one("Explain validators", _VALIDATORS, "Commonly useful validators", "Validators that are useful"),
    ),
    expectations=(
        Together(
            "Word the error of a wrong type anew",
            (
                Edit("src/attr/_config.py", "'run' must be a bool.", "'run' must be True or False."),
                Edit("tests/test_config.py", "'run' must be bool.", "'run' must be True or False."),
            ),
        ),
        one("Expect another default", "tests/test_version_info.py", '"19.2.0"', '"19.2"'),
        one("Order older releases", "tests/test_version_info.py", "assert vi > (0,)", "assert vi > (0, 1)"),
        one("Allow a float too", "tests/test_filters.py", "((int,), 42)", "((int,), 43)"),
        one(
            "Pickle more converters",
            "tests/test_converters.py",
            "c = Converter(int, takes_self",
            "c = Converter(float, takes_self",
        ),
    ),
    tests=(
        NewTest(
            "Test that y is true",
            "tests/test_converters.py",
            "tests/test_converters.py::test_y_is_true",
            '\n\ndef test_y_is_true():\n    assert to_bool("y") is True\n',
        ),
        NewTest(
            "Test an empty pipe",
            "tests/test_setattr.py",
            "tests/test_setattr.py::test_empty_pipe",
            "\n\ndef test_empty_pipe():\n    assert setters.pipe()(None, None, 1) == 1\n",
        ),
        NewTest(
            "Test releases before the first",
            "tests/test_version_info.py",
            "tests/test_version_info.py::test_before_the_first",
            "\n\ndef test_before_the_first(vi):\n    assert vi > (18, 9)\n",
        ),
        NewTest(
            "Test includes of nothing",
            "tests/test_filters.py",
            "tests/test_filters.py::test_includes_nothing",
            "\n\ndef test_includes_nothing():\n    assert include()(fields(C).a, 1) is False\n",
        ),
    ),
    drafts=(
        NewTest(
            "Draft: setters keep the value",
            "tests/agent_drafts/test_setters.py",
            "tests/agent_drafts/test_setters.py::test_keeps_the_value",
            "from attr import setters\n\n\ndef test_keeps_the_value():\n    assert setters.pipe()(None, None, 3) == 3\n",
        ),
        NewTest(
            "Draft: booleans are booleans",
            "tests/agent_drafts/test_booleans.py",
            "tests/agent_drafts/test_booleans.py::test_booleans",
            "from attr.converters import to_bool\n\n\ndef test_booleans():\n    assert to_bool(True) is True\n",
        ),
    ),
    renamed=("tests/test_cmp.py", "tests/test_compare.py"),
    flaky="tests/test_config.py::TestConfig::test_default",
    obsolete=NewTest(
        "Drop a test of what is gone",
        "tests/test_config.py",
        "tests/test_config.py::TestConfig::test_get_run_validators",
        '''
    def test_get_run_validators(self):
        """
        Returns `_run_validators`.
        """
        _config._run_validators = False
        assert _config._run_validators is _config.get_run_validators()
        _config._run_validators = True
        assert _config._run_validators is _config.get_run_validators()
''',
    ),
    steering=(
        one("Give Hypothesis more time", "conftest.py", "milliseconds=400", "milliseconds=800"),
        one(
            "Move an action to its next release",
            ".github/workflows/ci.yml",
            "actions/checkout@v4",
            "actions/checkout@v5",
        ),
    ),
    tampering=(
        one(
            "Mend the test",
            "tests/test_config.py",
            "assert True is _config._run_validators",
            "assert _config._run_validators",
        ),
        one(
            "Skip what fails",
            "tests/test_converters.py",
            "    def test_falsey_converter",
            "    @pytest.mark.skip\n    def test_falsey_converter",
        ),
        one("Ignore a module", "conftest.py", "collect_ignore = []", 'collect_ignore = ["tests/test_make.py"]'),
        one("Retire a flake", "tests/ledger.yaml", "class: quarantine", "class: draft"),
    ),
)
