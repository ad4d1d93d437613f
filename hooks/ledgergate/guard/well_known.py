"""Names that mean the same wherever they stand: of Python, its standard library, unittest and pytest."""

from __future__ import annotations

from collections.abc import Mapping

# What looks at what it is given, and gives nothing that holds it.
LOOKING = frozenset({"print", "pprint", "id", "hash", "repr", "str", "type", "isinstance"})
# What gives the values of what it is given, each of them, in whatever order.
GIVING_ALL = frozenset({"list", "tuple", "iter", "reversed", "sorted", "set"})
# Terms of what holds nothing.
EMPTY_VALUES: Mapping[str, object] = {"[]": [], "{}": {}, "()": (), "set()": set(), "dict()": {}, "list()": []}
EMPTY = frozenset(EMPTY_VALUES)
# What something has to be raised in.
RAISING = frozenset(
    {"raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp", "assert_raises", "assert_raises_regex"}
)
# Those that tests may have of their own, too.
OF_OTHERS = frozenset({"assert_raises", "assert_raises_regex"})
# What does nothing but raise where something went wrong, with the attributes that say whether it did.
SETTLING = {
    "raise_for_status": ("status_code", "status", "ok", "is_success"),
    "check_returncode": ("returncode",),
}
# What runs before tests, other than fixtures.
SET_UPS = frozenset(
    {
        *("setUp", "asyncSetUp", "setUpClass", "setUpModule", "setup", "setup_method", "setup_class"),
        *("setup_module", "setup_function"),
    }
)
# What runs behind tests, other than fixtures.
TEAR_DOWNS = frozenset(
    {
        *("tearDown", "asyncTearDown", "tearDownClass", "tearDownModule", "teardown", "teardown_method"),
        *("teardown_class", "teardown_module", "teardown_function"),
    }
)
