"""Property tests that came to try less, and edits of such that only look alike."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from ledgergate.guard import Edit, Loss
from ledgergate.guard.compare import compare

PATH = "tests/test_till.py"
HEAD = """\
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st

from till import due

"""
CHECK = "def test_due(prices):\n    assert due(prices) == sum(prices)\n"
GIVEN = "@given(st.lists(st.integers(min_value=0, max_value=100), max_size=9))\n"
NAMED = "PRICES = st.lists(st.integers())\n\n\n@given(prices=PRICES)\n"
MADE = """\
@st.composite
def prices(draw):
    return draw(st.lists(st.integers()))


@given(prices())
"""
MACHINE = """\
class Till(RuleBasedStateMachine):
    prices = []

    @rule(price=st.integers())
    def add(self, price):
        self.prices = [*self.prices, price]

    @invariant()
    def adds_up(self):
        assert due(self.prices) == sum(self.prices)
"""
PROFILE = 'settings.register_profile("ci", max_examples=500)\nsettings.load_profile("ci")\n\n\n'


def lost(old: str, new: str, path: str = PATH) -> list[Loss]:
    return compare([Edit(path, (HEAD + old).encode(), (HEAD + new).encode())])


LESS: list[tuple[str, bool, str, str]] = [
    ("expectation-changed", True, GIVEN + CHECK, GIVEN.replace("100", "1") + CHECK),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN.replace("min_value=0", "min_value=5") + CHECK),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN.replace("max_size=9", "max_size=1") + CHECK),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN.replace("st.lists(", "st.lists(min_size=1, elements=") + CHECK),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN.replace("9))", "9).filter(len))") + CHECK),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN.replace("st.integers(min_value=0, max_value=100)", "ROWS") + CHECK),
    ("expectation-changed", True, NAMED + CHECK, NAMED.replace("integers()", "integers(1, 2)") + CHECK),
    ("expectation-changed", True, MADE + CHECK, MADE.replace("integers()", "just(1)") + CHECK),
    ("expectation-changed", True, "@given(st.text() | st.none())\n" + CHECK, "@given(st.text())\n" + CHECK),
    ("assertion-weakened", False, GIVEN + CHECK, "@given(st.just([1]))\n" + CHECK),
    ("assertion-weakened", False, GIVEN + CHECK, "@given(st.nothing())\n" + CHECK),
    ("assertion-weakened", False, GIVEN + CHECK, "@given(st.sampled_from([[1]]))\n" + CHECK),
    ("assertion-weakened", False, GIVEN + CHECK, GIVEN.replace("9))", "9).filter(lambda one: False))") + CHECK),
    ("assertion-weakened", False, "@given(st.integers())\n" + CHECK, "@given(st.integers(min_value=1, max_value=1))\n" + CHECK),
    ("assertion-weakened", False, GIVEN + CHECK, '@pytest.mark.parametrize("prices", [[1]])\n' + CHECK),
    ("assertion-weakened", False, GIVEN + CHECK, f"@settings(max_examples=1)\n{GIVEN}{CHECK}"),
    ("assertion-weakened", True, GIVEN + CHECK, f"@settings(max_examples=50)\n{GIVEN}{CHECK}"),
    ("assertion-weakened", True, GIVEN + CHECK, f"@settings(max_examples=FEW)\n{GIVEN}{CHECK}"),
    ("assertion-weakened", False, GIVEN + CHECK, f"@settings(phases=[Phase.explicit])\n{GIVEN}{CHECK}"),
    ("assertion-weakened", False, GIVEN + CHECK, f"FEW = settings(max_examples=2)\n\n\n@FEW\n{GIVEN}{CHECK}"),
    ("assertion-weakened", True, GIVEN + CHECK, f"@settings(suppress_health_check=list(HealthCheck))\n{GIVEN}{CHECK}"),
    ("assertion-weakened", True, GIVEN + CHECK, f"@settings(suppress_health_check=[HealthCheck.filter_too_much])\n{GIVEN}{CHECK}"),
    ("test-removed", False, f"@example([1])\n@example([])\n{GIVEN}{CHECK}", f"@example([1])\n{GIVEN}{CHECK}"),
    ("expectation-changed", True, f"@example([])\n{GIVEN}{CHECK}", f"@example([1])\n{GIVEN}{CHECK}"),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    assume(prices)\n    assert")),
    ("assertion-removed", False, GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    assume(False)\n    assert")),
    ("assertion-removed", False, GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    assume(due(prices) == sum(prices))\n    assert")),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    prices = sorted(prices)\n    assert")),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    prices = prices or [1]\n    assert")),
    ("expectation-changed", True, GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    prices += [1]\n    assert")),
    ("assertion-removed", False, GIVEN + CHECK, GIVEN + "def test_due(prices):\n    due(prices)\n"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "waits", "old", "new"), LESS)
def test_what_tries_less_is_told(rule: str, waits: bool, old: str, new: str) -> None:
    assert (rule, waits) in {(loss.rule, loss.waits) for loss in lost(old, new)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (GIVEN + CHECK, GIVEN.replace("100", "1000") + CHECK),
        (GIVEN + CHECK, GIVEN.replace("min_value=0, ", "") + CHECK),
        (GIVEN + CHECK, GIVEN.replace(", max_size=9", "") + CHECK),
        (GIVEN.replace("9))", "9).filter(len))") + CHECK, GIVEN + CHECK),
        (NAMED + CHECK, "@given(prices=st.lists(st.integers()))\n" + CHECK),
        ("@given(st.text())\n" + CHECK, "@given(st.text() | st.none())\n" + CHECK),
        ("@given(st.text())\n" + CHECK, "@given(st.one_of(st.text(), st.binary()))\n" + CHECK),
        (GIVEN + CHECK, f"@settings(max_examples=500, deadline=None)\n{GIVEN}{CHECK}"),
        (f"@settings(max_examples=10)\n{GIVEN}{CHECK}", GIVEN + CHECK),
        (GIVEN + CHECK, f"@settings(suppress_health_check=[HealthCheck.too_slow])\n{GIVEN}{CHECK}"),
        (GIVEN + CHECK, f"@settings(phases=[Phase.explicit, Phase.generate])\n{GIVEN}{CHECK}"),
        (GIVEN + CHECK, f"@example([])\n{GIVEN}{CHECK}"),
        (GIVEN + CHECK.replace("    assert", "    assume(prices)\n    assert"), GIVEN + CHECK),
        (GIVEN + CHECK, f"{GIVEN}{CHECK}\n\n@given(st.just([]))\ndef test_nothing(prices):\n    assume(False)\n"),
        ("@given(st.booleans())\n" + CHECK, '@pytest.mark.parametrize("prices", [True, False])\n' + CHECK),
        (GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    prices = list(prices)\n    assert")),
        (GIVEN + CHECK, GIVEN + CHECK.replace("    assert", "    more = sorted(prices)\n    assert")),
        (CHECK, f"@settings(max_examples=5)\n{GIVEN}{CHECK}"),
    ],
)
def test_what_tries_no_less_is_not(old: str, new: str) -> None:
    assert lost(old, new) == []


@pytest.mark.parametrize(
    ("new", "rule"),
    [
        (
            MACHINE.replace(
                "    @invariant()\n    def adds_up(self):\n        assert due(self.prices) == sum(self.prices)\n", ""
            ),
            "test-removed",
        ),
        (MACHINE.replace("    @invariant()\n", ""), "test-removed"),
        (MACHINE.replace(" == sum(self.prices)", ""), "assertion-weakened"),
        (MACHINE.replace("assert due(self.prices) == sum(self.prices)", "due(self.prices)"), "assertion-removed"),
        (MACHINE.replace("price]", "price]  # one more"), ""),
        (
            MACHINE.replace("    @rule(", "    @precondition(lambda self: self.prices)\n    @rule("),
            "expectation-changed",
        ),
        (MACHINE.replace("st.integers()", "st.integers(0, 1)"), "expectation-changed"),
        (MACHINE.replace("price]", "max(price, 0)]"), "expectation-changed"),
        (
            MACHINE.replace("        self.prices =", "        if price:\n            return\n        self.prices ="),
            "expectation-changed",
        ),
        (MACHINE.replace("        self.prices =", "        assert price == int(price)\n        self.prices ="), ""),
        (MACHINE.replace("        self.prices =", '        """Adds one."""\n        self.prices ='), ""),
        (
            MACHINE.replace(
                "    prices = []\n", "    prices = []\n\n    def note(self):\n        print(self.prices)\n"
            ),
            "",
        ),
        (
            f"{MACHINE}\n\nTestTill = Till.TestCase\nTestTill.settings = settings(max_examples=50)\n",
            "assertion-weakened",
        ),
        (f"{MACHINE}\n\nTill.TestCase.settings = settings(stateful_step_count=2)\n", "assertion-weakened"),
        (
            f"{MACHINE}\n\nclass TestTill(Till.TestCase):\n    settings = settings(max_examples=2)\n",
            "assertion-weakened",
        ),
        (f"{MACHINE}\n\nTill.TestCase.settings = settings(max_examples=500, stateful_step_count=80)\n", ""),
        (f"{MACHINE}\n\nTill.TestCase.settings = settings(deadline=None)\n", ""),
        (MACHINE + "\n    @rule()\n    def empty(self):\n        self.prices = []\n", ""),
    ],
)
def test_state_machines(new: str, rule: str) -> None:
    assert {loss.rule for loss in lost(MACHINE, new)} == ({rule} if rule else set())


STARTS = MACHINE.replace(
    "    prices = []\n", "    def __init__(self):\n        super().__init__()\n        self.prices = []\n"
)


@pytest.mark.parametrize(
    ("old", "new", "is_lost"),
    [
        (STARTS, STARTS.replace("self.prices = []", "self.prices = [1]"), True),
        (STARTS, STARTS.replace("self.prices = []", "self.prices = []  # none yet"), False),
        (STARTS.replace("RuleBasedStateMachine", "Made"), STARTS.replace("RuleBasedStateMachine", "Made").replace("[]", "[1]"), False),
        (MACHINE.replace("@rule", "@precondition(lambda self: self.prices)\n    @rule"), MACHINE, False),
    ],
)  # fmt: skip
def test_what_state_machines_start_from(old: str, new: str, is_lost: bool) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(old, new)] == [("expectation-changed", True)] * is_lost


def test_what_is_rejected() -> None:
    new = (
        "from hypothesis import reject\n"
        + GIVEN
        + CHECK.replace("    assert", "    if not prices:\n        reject()\n    assert")
    )
    assert ("expectation-changed", True) in {(loss.rule, loss.waits) for loss in lost(GIVEN + CHECK, new)}


SHARED = "PRICES = st.lists(st.integers())\n\n\ndef prices():\n    return st.lists(st.integers())\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (SHARED, SHARED.replace("PRICES = st.lists(st.integers()", "PRICES = st.lists(st.integers(), max_size=1"), [("expectation-changed", True)]),
        (SHARED, SHARED.replace("return st.lists(st.integers()", "return st.lists(st.integers(), max_size=1"), [("expectation-changed", True)]),
        (SHARED, SHARED.replace("return st.lists(st.integers())", "return st.nothing()"), [("assertion-weakened", False)]),
        (MADE.replace("@given(prices())\n", ""), MADE.replace("@given(prices())\n", "").replace("integers()", "integers(0, 1)"), [("expectation-changed", True)]),
        (SHARED.replace("integers()", "integers(min_value=0)"), SHARED, []),
        (SHARED, SHARED + "\n\nMORE = st.just(1)\n", []),
        ("PRICES = list(till.all(3))\n", "PRICES = list(till.all(2))\n", []),
    ],
)  # fmt: skip
def test_strategies_that_others_import(old: str, new: str, told: list[tuple[str, bool]]) -> None:
    assert [(loss.rule, loss.waits) for loss in lost(old, new, "tests/strategies.py")] == told


@pytest.mark.parametrize("path", ["tests/conftest.py", PATH])
@pytest.mark.parametrize(
    ("old", "new", "is_lost"),
    [
        (PROFILE, PROFILE.replace("500", "5"), True),
        (PROFILE, PROFILE.replace("500", "1000"), False),
        ("", PROFILE.replace("500", "1"), True),
        ("", PROFILE, False),
        ("", 'settings.register_profile("dev", max_examples=5)\n', False),
        (PROFILE, f'settings.register_profile("dev", max_examples=5)\n{PROFILE.replace(chr(34) + "ci" + chr(34) + ")", "os.environ.get(1, " + chr(34) + "dev" + chr(34) + "))")}', True),
        (PROFILE, PROFILE.replace("500", "500, suppress_health_check=HealthCheck.all()"), True),
    ],
)  # fmt: skip
def test_profiles(path: str, old: str, new: str, is_lost: bool) -> None:
    assert bool(lost(old, new, path)) is is_lost
