"""Checks, marks and inputs in other words: what an edit says anew, beside what only looks like it."""

# ruff: noqa: E501 - edits stand as one text each

from __future__ import annotations

import pytest

from support.losses import told

HEAD = "import asyncio\nimport importlib\nimport os\nimport sys\nimport unittest\nfrom pathlib import Path\nfrom unittest.mock import patch\n\nimport pytest\n\nimport till\nfrom till import Refused, due\n\n\n"
TRUTH = "def test_due():\n    assert due.search('a')\n"
RAISES = "def test_due():\n    with pytest.raises(Refused):\n        due(None)\n"
WARNS = "def test_due():\n    with pytest.warns(UserWarning):\n        due([2])\n"
RECORDED = "def test_due(recwarn):\n    due([2])\n    assert len(recwarn.list) == 1\n"
CASE = "class TestTill(unittest.TestCase):\n    def test_due(self):\n        {}\n"
IN_CASE = CASE.format("self.assertEqual('a' in due([2]), True)")
NOT_IN_CASE = CASE.format("self.assertEqual('a' in due([2]), False)")
ELSE = "class TestTill:\n    def test_due(self):\n        try:\n            due(None)\n        except Refused:\n            pass\n        else:\n            {}\n"
FAILS = "def test_due():\n    try:\n        due(None)\n        {}\n    except Refused:\n        pass\n"
PATHS = "def test_due(tmp_path):\n    got = str(due(tmp_path))\n    assert Path(got) == Path(str(tmp_path))\n    assert got == str(tmp_path)\n"
NAMED = "def test_due():\n    for one in [3, 4]:\n        assert due(['item {}'.format(os.getpid())], one) == one\n"
FIRST = "def test_due():\n    assert list(due([2]))[0] == 2\n"
ADDS = "def test_due():\n    due.insert(1).last\n    assert due([2]) == 2\n"
SKIPPED = "@pytest.mark.skipif(not till.is_open, reason='{}')\ndef test_due():\n    assert due([2]) == 2\n"
XFAIL = "@pytest.mark.xfail(reason='{}')\ndef test_due():\n    assert due([2]) == 2\n"
OF_CLASS = "{}class TestTill:\n    {}def test_due(self):\n        assert due([2]) == 2\n"
MARK = "@pytest.mark.skipif(not till.is_open, reason='later')\n"
CHOSEN = "def test_due(one):\n    if isinstance(one, list):\n        want = 1\n    else:\n        want = 2\n    assert due(one) == want\n"
SET_FIRST = (
    "def test_due(one):\n    want = 2\n    if isinstance(one, list):\n        want = 1\n    assert due(one) == want\n"
)
IN_BRANCHES = "def test_due(one):\n    if isinstance(one, list):\n        assert due(one) == 1\n    else:\n        assert due(one) == 2\n"
LEFT = "def test_due(one):\n    want = 2\n    if one is None:\n        want = 3\n        return\n    assert due(one) == want\n"
OWN_CLASS = "def test_due():\n    class Coin:\n        worth = 2\n\n    assert due([Coin(2)]) == 2\n"
KEYS = "def test_due():\n    due(None)\n    assert due([2], key=first) == 2\n"
FIRST_KEY = "def first(one):\n    return one[0]\n\n\n"
REFUSES = "def test_due():\n    assert due([2]) == 2\n    with pytest.raises(Refused):\n        due(None)\n"
SPLIT = "def test_due():\n    assert due([2]) == 2\n\n\ndef test_due_of_nothing():\n    with pytest.raises(Refused{}):\n        due(None)\n"
ASKS_TYPE = "def test_due():\n    try:\n        due(None)\n    except KeyError as error:\n        assert isinstance(error, Refused)\n    else:\n        assert False\n"
ROWS = "@pytest.mark.parametrize(('one', 'want'), [({'a': {'b': 1}}, {'a_b': 1}), ({'a': {'b': 1, 'c': 2}}, {'a_b': 1, 'a_c': 2}), ({'a': {}}, {}), ({}, {})])\n"
TEXT_OF = "def test_due():\n    with pytest.raises(Refused{}) as error:\n        due(None)\n    assert error.value.args[0] == 'no'\n"
PROBE = "def _can():\n    try:\n        os.fsencode('a')\n        return True\n    except OSError:\n        return False\n\n\n"
STATES = "def test_due():\n    assert till.is_open == False\n    due(till)\n    assert till.is_open == True\n"
OPTIONS = "@pytest.mark.parametrize('name', ['first', 'last', 'special'])\ndef test_of(name):\n    assert due.of(name) == till.of(name)\n"
RANGE = "@pytest.mark.parametrize('one', range(5))\ndef test_due(one):\n    assert due(one) == one * 2\n"
LISTED = "def test_due():\n    names = [one.name for one in due([2])]\n    assert names == ['a', 'b']\n"
APART = "def test_due():\n    one, other = due([2])\n    assert one == 1\n"
DUE = "def test_due():\n    assert due([2]) == 2\n"
TWICE = "def test_due():\n    till = due([0])\n    assert due(due(1, till)) == 1\n    assert due(due(2, till)) == 2\n"
OF_ONE = "def test_due():\n    {}\n    till = due([0])\n    assert twice(1) == 1\n    assert twice(2) == 2\n"
TABLE = "@pytest.mark.parametrize('given, want', [{}])\ndef test_due(given, want):\n    assert due({}given) == want\n"
ROW_GONE = TABLE.format("([1], 1), {}", "{}") + "{}"
AS_LIST, AS_DICT = (
    ROW_GONE.format("([[2, 'b'], till.a], 'b')", "*", ""),
    ROW_GONE.format("({'a': 2, 'b': [3]}, 'b')", "**", ""),
)
PATCHED = "@patch('till.send')\n@patch('till.ring', side_effect=[1])\ndef test_due(ring, send):\n    due([2])\n    send.assert_not_called()\n    ring.assert_called_once_with(2)\n"
IN_BLOCKS = "def test_due(mocker):\n    bell = mocker.patch('till.ring', side_effect=[1])\n    with patch('till.send') as sent:\n        due([2])\n    sent.assert_not_called()\n    bell.assert_called_once_with(2)\n"
IN_FIXTURE = "class TestTill:\n    @pytest.fixture(autouse=True)\n    def _send(self):\n        with patch('till.send') as self.send:\n            yield\n\n    @patch('till.ring', side_effect=[1])\n    def test_due(self, ring):\n        due([2])\n        self.send.assert_not_called()\n        ring.assert_called_once_with(2)\n"
SENDS = "def test_due(till):\n    got = till.patch('due')\n    assert got.status == 2\n"
MEMBER = "def test_due():\n    coin = till.Coin['ONE']\n    assert due(coin) == coin.worth\n"
BY_NAME = "def test_due():\n    shop = importlib.import_module('till.shop')\n    assert shop.due([2]) == 2\n"
IMPORTED = "from till import shop\n\n\ndef test_due():\n    assert shop.due([2]) == 2\n"
NUMBERS = "def test_due():\n    assert due() == [0, 1, 2]\n"
LOOP = "def test_due():\n    loop = asyncio.new_event_loop()\n    got = loop.run_until_complete(due(2))\n    loop.close()\n    assert got == 2\n"
RUN = "def test_due():\n    got = asyncio.run(due(2))\n    assert got == 2\n"
GREETS = "NAME = 'kim'\n\n\ndef test_due():\n    assert due() == {}\n"
OWN_TEST = "\n\ndef test_of_b():\n    assert due({}) == 'b'\n"

THE_SAME: dict[str, tuple[str, str]] = {
    "a longer range": (RANGE, RANGE.replace("5", "7")),
    "numbers in the place of a range": (RANGE, RANGE.replace("range(5)", "[0, 1, 2, 3, 4]")),
    "a list in other words": (LISTED, LISTED.replace("[one.name for one in due([2])]", "list(one.name for one in due([2]))")),
    "fewer values": (APART.replace("one, other", "one, *_"), APART.replace("one, other", "one, _")),
    "more values of another call": (APART, APART.replace("    assert", "    first, *_ = due([3])\n    assert")),
    "a value beside a warning": (WARNS, WARNS.replace("due([2])", "assert due([2]) == 2")),
    "a warning in the block": (RAISES, "def test_due():\n    with pytest.raises(Refused):\n        with pytest.warns(UserWarning):\n            due(None)\n"),
    "a list of what has to be there": (TRUTH, TRUTH.replace("due.search('a')", "list(due.search('a'))")),
    "a membership that is true": (IN_CASE, CASE.format("assert 'a' in due([2])")),
    "a membership that is false": (NOT_IN_CASE, CASE.format("assert 'a' not in due([2])")),
    "an assert in the place of a failure": (ELSE.format("self.assertTrue(False, 'no')"), ELSE.format("assert 0, 'no'")),
    "a failure in the place of one": (ELSE.format("self.assert_true(0)"), ELSE.format("pytest.fail('no')")),
    "raises in the place of a failure behind": (FAILS.format("pytest.fail('no')"), RAISES),
    "raises in the place of a failure in else": (ELSE.format("assert False"), OF_CLASS.format("", "").replace("assert due([2]) == 2", "with pytest.raises(Refused):\n            due(None)")),
    "a failure behind in the place of raises": (RAISES, FAILS.format("assert False, 'no'")),
    "checks of branches that are joined": (IN_BRANCHES, CHOSEN),
    "a value that is set first": (CHOSEN, SET_FIRST),
    "a value that one expression chooses": (CHOSEN, CHOSEN.replace("    if isinstance(one, list):\n        want = 1\n    else:\n        want = 2\n", "    want = 1 if isinstance(one, list) else 2\n")),
    "a value of a branch that leaves": (LEFT, LEFT.replace("want = 3\n", "want = 4\n")),
    "a warning of an attribute": ("def test_due():\n    with pytest.warns(UserWarning):\n        due.now\n", "def test_due():\n    with pytest.warns(UserWarning, match='no'):\n        due.now\n"),
    "another name of a class of the test": (OWN_CLASS, OWN_CLASS.replace("Coin", "Token")),
    "a function in the place of a lambda": (KEYS.replace("=first", "=lambda one: one[0]"), FIRST_KEY + KEYS),
    "a refusal with its text in another test": (REFUSES, SPLIT.format(", match='no'")),
    "a text that is asked of what is raised, too": (TEXT_OF.format(""), TEXT_OF.format(", match='no'")),
    "truths of two states": (STATES, STATES.replace("till.is_open == False", "not till.is_open").replace("till.is_open == True", "till.is_open")),
    "what equal values give": (PATHS, PATHS.replace("    assert Path(got) == Path(str(tmp_path))\n", "")),
    "an f-string": (NAMED, NAMED.replace("'item {}'.format(os.getpid())", "f'item {os.getpid()}'")),
    "an f-string with a form": (NAMED.replace("{}", "{0!s:>4}"), NAMED.replace("'item {}'.format(os.getpid())", "'item {pid!s:>4}'.format(pid=os.getpid())")),
    "the first of a list": (FIRST, FIRST.replace("list(due([2]))[0]", "next(iter(due([2])))")),
    "an attribute that nobody looks at": (ADDS, ADDS.replace(".last\n", "\n")),
    "another reason": (SKIPPED.format("later"), SKIPPED.format("Later.")),
    "another reason to fail": (XFAIL.format("TODO: later"), XFAIL.format("later")),
    "a mark of the class": (OF_CLASS.format(MARK, ""), MARK + DUE),
    "a failure where nothing runs": (DUE, DUE.replace("    assert", "    if sys.version_info < (3, 7):\n        pytest.xfail('old')\n    assert")),
    "names of unittest in snake case": (CASE.format("self.assertRaises(Refused, due, None)"), CASE.format("self.assert_raises(Refused, due, None)")),
    "a module of a package": (DUE, "import till.drawer\n\n\n" + DUE),
    "a function of the test that it calls": (TWICE, OF_ONE.format("def twice(x):\n        return due(due(x, till))\n")),
    "no function of the test any more": (OF_ONE.format("def twice(x):\n        return due(due(x, till))\n"), TWICE),
    "a lambda of the test that it calls": (TWICE, OF_ONE.format("twice = lambda x: due(due(x, till))")),
    "a row that is a test of its own": (AS_LIST, ROW_GONE.format("", "*", OWN_TEST.format("[2, 'b'], till.a"))),
    "a row of names that is a test of its own": (AS_DICT, ROW_GONE.format("", "**", OWN_TEST.format("a=2, b=[3]"))),
    "patches in blocks": (PATCHED, IN_BLOCKS),
    "patches as decorators": (IN_BLOCKS, PATCHED),
    "a patch in a fixture of a class": (PATCHED, IN_FIXTURE),
    "a member of an enum": (MEMBER, MEMBER.replace("['ONE']", ".ONE")),
    "a module by its name": (BY_NAME, IMPORTED),
    "a range": (NUMBERS, NUMBERS.replace("[0, 1, 2]", "list(range(3))")),
    "a loop of events": (LOOP, RUN),
    "a constant in a text": (GREETS.format("'hi {}'.format(NAME)"), GREETS.format("f'hi {NAME}'")),
    "a constant of a text": (GREETS.format("f'hi {NAME}'"), GREETS.format("'hi kim'")),
    "a manager of plugins of its own": (DUE, DUE + "\n\ndef test_plugins(pm):\n    pm.register(due)\n    assert pm.get_plugin('due') is due\n"),
}  # fmt: skip

TOLD: dict[str, tuple[str, bool, str, str]] = {
    "a shorter range": ("test-removed", False, RANGE, RANGE.replace("5", "3")),
    "a range that begins later": ("test-removed", False, RANGE, RANGE.replace("5", "1, 5")),
    "what is sorted in the place of a list": ("assertion-weakened", True, LISTED, LISTED.replace("[one.name for one in due([2])]", "sorted(one.name for one in due([2]))")),
    "a set in the place of a list": ("expectation-changed", True, LISTED, LISTED.replace("[one.name for one in due([2])]", "{one.name for one in due([2])}").replace("['a', 'b']", "{'a', 'b'}")),
    "any more values": ("expectation-changed", True, APART, APART.replace("one, other", "one, other, *_")),
    "any more values than one": ("expectation-changed", True, APART.replace("one, other", "[one]"), APART.replace("one, other", "one, *_")),
    "a value in the place of a warning": ("expectation-changed", True, WARNS, "def test_due():\n    assert due([2]) == 2\n"),
    "a warning in the place of a refusal": ("assertion-removed", False, RAISES, RAISES.replace("raises(Refused)", "warns(UserWarning)")),
    "a list that is never empty": ("assertion-tautology", False, TRUTH, TRUTH.replace("due.search('a')", "[due.search('a')]")),
    "a membership of something": ("assertion-weakened", False, IN_CASE, CASE.format("assert due([2])")),
    "no failure": ("assertion-tautology", False, ELSE.format("self.assertTrue(False)"), ELSE.format("self.assertTrue(True)")),
    "no failure behind": ("assertion-removed", False, FAILS.format("pytest.fail('no')"), FAILS.format("pass")),
    "no failure in else": ("assertion-removed", False, ELSE.format("pytest.fail('no')"), ELSE.format("pass")),
    "a failure behind that is caught": ("assertion-removed", False, RAISES, FAILS.replace("Refused", "Exception").format("pytest.fail('no')").replace("pytest.fail('no')", "assert False")),
    "another value of one branch": ("expectation-changed", True, CHOSEN, CHOSEN.replace("want = 1", "want = 5")),
    "a computed value of one branch": ("expectation-changed", True, CHOSEN, CHOSEN.replace("want = 1", "want = due(one)")),
    "another value of the other branch": ("expectation-changed", True, CHOSEN, CHOSEN.replace("want = 2", "want = 5")),
    "another value that is set first": ("expectation-changed", True, SET_FIRST, SET_FIRST.replace("want = 2", "want = 5")),
    "another value in the joined branches": ("expectation-changed", True, IN_BRANCHES, CHOSEN.replace("want = 1", "want = due(one)")),
    "another class of the test": ("expectation-changed", True, OWN_CLASS, OWN_CLASS.replace("Coin", "Token").replace("worth = 2", "worth = 3")),
    "a function that is another lambda": ("expectation-changed", True, KEYS.replace("=first", "=lambda one: one[0]"), FIRST_KEY.replace("[0]", "[1]") + KEYS),
    "a refusal of something else in another test": ("assertion-removed", False, REFUSES, SPLIT.format(", match='no'").replace("due(None)", "due.close(None)").replace("Refused,", "ValueError,")),
    "raises where a handler asked for more": ("expectation-changed", True, ASKS_TYPE, "def test_due():\n    with pytest.raises(KeyError) as error:\n        due(None)\n    assert error.errisinstance(Refused)\n"),
    "a handler that asks for nothing any more": ("assertion-removed", False, ASKS_TYPE, ASKS_TYPE.replace("assert isinstance(error, Refused)", "pass")),
    "a table of a test that asks less": ("assertion-weakened", False, ROWS + "def test_flat(one, want):\n    assert dict(till._flat(one)) == want\n", ROWS + "def test_all_of_it(one, want):\n    assert till._flat(one)\n"),
    "a text that is asked, and no value": ("assertion-weakened", False, TEXT_OF.format(""), TEXT_OF.format(", match='.'").replace(" == 'no'", "")),
    "a truth of one state": ("assertion-weakened", False, STATES, STATES.replace("till.is_open == False", "till.is_open").replace("till.is_open == True", "till.is_open")),
    "how another object is shown": ("expectation-changed", True, "def test_due(till):\n    assert '<Till>' == repr(till['a'])\n", "def test_due(shop):\n    assert '<Till b>' == repr(shop['b'])\n"),
    "a row that a new test asks about": ("test-removed", True, OPTIONS, OPTIONS.replace(", 'special'", "") + "\n\ndef test_special():\n    assert due.of('special').get('special') == 3\n"),
    "a row that a new test asks little about": ("test-removed", False, OPTIONS, OPTIONS.replace(", 'special'", "") + "\n\ndef test_special():\n    assert due.of('special')\n"),
    "a row that a new test does not ask about": ("test-removed", False, OPTIONS, OPTIONS.replace(", 'special'", "") + "\n\ndef test_other():\n    assert due.of('other') == 3\n"),
    "a skip where Python itself cannot do it": ("skip-added", True, DUE, PROBE + DUE.replace("    assert", "    if not _can():\n        pytest.skip('old')\n    assert")),
    "a skip where the tested code cannot do it": ("skip-added", False, DUE, PROBE.replace("os.fsencode('a')", "due(os)") + DUE.replace("    assert", "    if not _can():\n        pytest.skip('old')\n    assert")),
    "a skip where a function says so": ("skip-added", False, DUE, "def _can():\n    return False\n\n\n" + DUE.replace("    assert", "    if not _can():\n        pytest.skip('old')\n    assert")),
    "what equal values give alone": ("assertion-removed", False, PATHS, PATHS.replace("    assert got == str(tmp_path)\n", "")),
    "an f-string of something else": ("expectation-changed", True, NAMED, NAMED.replace("'item {}'.format(os.getpid())", "f'item {os.getppid()}'")),
    "the first of another list": ("expectation-changed", True, FIRST, FIRST.replace("list(due([2]))[0]", "next(iter(due([3])))")),
    "another condition for the same reason": ("skip-added", True, SKIPPED.format("later"), SKIPPED.replace("not till.is_open", "due([2]) != 2").format("later")),
    "a condition that always holds for the same reason": ("skip-added", False, SKIPPED.format("later"), SKIPPED.replace("not till.is_open", "True").format("later")),
    "another condition for another reason": ("skip-added", False, SKIPPED.format("later"), SKIPPED.replace("not till.is_open", "due([2]) != 2").format("never")),
    "a mark that was of another class": ("skip-added", False, OF_CLASS.format(MARK, "").replace("Till", "Other") + "\n\n" + DUE, OF_CLASS.format(MARK, "").replace("Till", "Other") + "\n\n" + MARK + DUE),
    "a failure where everything runs": ("skip-added", False, DUE, DUE.replace("    assert", "    if sys.version_info > (3, 7):\n        pytest.xfail('new')\n    assert")),
    "a helper that expects nothing": ("assertion-removed", False, RAISES, "def assert_raises(*given):\n    pass\n\n\ndef test_due():\n    assert_raises(Refused, due, None)\n"),
    "a part of a module that is set": ("subject-replaced", True, DUE, "import till.drawer\n\ntill.shelf = 1\n\n\n" + DUE),
    "the plugins of the run": ("outcome-tampered", True, DUE, DUE + "\n\ndef test_plugins(request):\n    pm = request.config.pluginmanager\n    assert pm.get_plugin('due') is due\n"),
    "no warning in the place of one": ("assertion-removed", False, WARNS, WARNS.replace("(UserWarning)", "(UserWarning)").replace("def test_due():\n    with pytest.warns(UserWarning):\n        due([2])", "def test_due(recwarn):\n    due([2])\n    assert recwarn.list == []")),
    "a warning of which the text is not asked": ("expectation-changed", True, RECORDED, "def test_due():\n    with pytest.warns(UserWarning):\n        due([2])\n"),
    "a warning that is taken from a record": ("expectation-changed", True, WARNS, "def test_due(recwarn):\n    due([2])\n    recwarn.pop(UserWarning)\n"),
    "a function of the test that calls less": ("assertion-removed", False, TWICE, OF_ONE.format("def twice(x):\n        return x\n")),
    "a function of the test that calls another": ("expectation-changed", True, TWICE, OF_ONE.format("def twice(x):\n        return till.due(due(x, till))\n")),
    "a function of the test that is bound anew": ("assertion-removed", False, TWICE, OF_ONE.format("twice = lambda x: due(due(x, till))\n    twice = int")),
    "a generator of the test": ("assertion-removed", False, "def test_due():\n    assert due(1)\n", "def test_due():\n    def once(x):\n        return (yield due(x))\n\n    assert once(1)\n"),
    "a lambda of the test that calls less": ("assertion-removed", False, TWICE, OF_ONE.format("twice = lambda x: x")),
    "a row that is another test": ("test-removed", False, AS_LIST, ROW_GONE.format("", "*", OWN_TEST.format("[2, 'c'], till.a"))),
    "a row of which a part is a test": ("test-removed", False, AS_DICT, ROW_GONE.format("", "**", OWN_TEST.format("a=2"))),
    "a row of one value that is computed": ("test-removed", False, ROW_GONE.format("([till.a + till.b], 'b')", "*", ""), ROW_GONE.format("", "*", OWN_TEST.format("till.a, till.b"))),
    "patches of each other's names": ("expectation-changed", True, PATCHED, PATCHED.replace("ring, send", "send, ring")),
    "a patch of something else": ("expectation-changed", True, PATCHED, PATCHED.replace("till.send", "till.wait")),
    "a patch in a fixture of something else": ("expectation-changed", True, PATCHED, IN_FIXTURE.replace("till.send", "till.wait")),
    "a fake in a block that gives something else": ("expectation-changed", True, PATCHED, IN_BLOCKS.replace("[1]", "[2]")),
    "another request to patch": ("expectation-changed", True, SENDS, SENDS.replace("'due'", "'due2'")),
    "another member of an enum": ("expectation-changed", True, MEMBER, MEMBER.replace("['ONE']", ".TWO")),
    "a value of a dict": ("expectation-changed", True, MEMBER.replace("Coin", "COINS"), MEMBER.replace("Coin['ONE']", "COINS.ONE")),
    "another function of a module by its name": ("assertion-removed", False, BY_NAME, IMPORTED.replace("shop.due", "shop.owe")),
    "another range": ("expectation-changed", True, NUMBERS, NUMBERS.replace("[0, 1, 2]", "list(range(1, 3))")),
    "something else that is run": ("expectation-changed", True, LOOP, RUN.replace("due(2)", "due(3)")),
    "another constant in a text": ("expectation-changed", True, GREETS.format("f'hi {NAME}'"), GREETS.format("'hi tim'")),
    "a record without the warning": ("assertion-removed", False, "def test_due(recwarn):\n    due([2])\n    recwarn.pop(UserWarning)\n", "def test_due(recwarn):\n    due([2])\n"),
}  # fmt: skip


def lost(old: str, new: str) -> list[tuple[str, bool]]:
    return told(HEAD + old, HEAD + new)


@pytest.mark.parametrize("name", THE_SAME)
def test_the_same_in_other_words(name: str) -> None:
    assert lost(*THE_SAME[name]) == []


@pytest.mark.parametrize("name", TOLD)
def test_less_in_other_words(name: str) -> None:
    rule, waits, old, new = TOLD[name]
    assert (rule, waits) in lost(old, new)


def test_a_check_written_anew_beside_one_that_went() -> None:
    """What most likely was one of two lost checks is not taken for the other one first."""
    old = "def test_due():\n    assert due.main([]) == 1\n    assert due.source('option') == till.Source.DEFAULT\n"
    new = "def test_due(runner):\n    got = runner.invoke(due)\n    assert got.output.rstrip() == till.Source.DEFAULT\n"
    assert [waits for _, waits in lost(old, new)] == [True]
