"""Edits of a test file that no pinned test can notice leave its digest alone."""

from __future__ import annotations

import pytest

from ledgergate.source.inline import differ_in_layout_only, inline_digest
from support.tampering import HEAD, TEST

_OTHER = '''

@pytest.mark.parametrize("x", [1, 2])
def test_other(x, tmp_path):
    """Others."""
    # Why.
    result = app.add(x, 1)
    assert result == x + 1


def test_more():
    assert app.add(0, 0) == 0


class TestMore:
    size = 1

    def check(self, x):
        assert x == self.size

    def test_method(self):
        self.check(app.add(0, 1))
'''
_FILE = HEAD + TEST + _OTHER
ADDED = [
    # marks and conditions of other tests
    "@pytest.mark.skipif('not helper(1)')\ndef test_z(): pass",
    "@pytest.mark.xfail(condition='GATE', reason='x')\ndef test_z(): pass",
    "@pytest.mark.skipif(platform.system() == 'Windows', reason='x')\ndef test_z(): pass",
    "@pytest.mark.skipif(sys.platform == 'win32' or os.name == 'nt', reason='x')\ndef test_z(): pass",
    "@pytest.mark.skipif(os.environ.get('CI') is None, reason='x')\ndef test_z(): pass",
    "@pytest.mark.skipif(shutil.which('git') is None, reason='x')\ndef test_z(): pass",
    "@pytest.mark.filterwarnings('ignore::DeprecationWarning')\ndef test_z(): pass",
    "@pytest.mark.flaky(reruns=2)\ndef test_z(): pass",
    "@settings(max_examples=5, deadline=None)\n@given(st.integers().map(str))\ndef test_z(x): pass",
    "@unittest.skipIf(os.name == 'nt', 'x')\ndef test_z(): pass",
    # values of other tests
    "@pytest.mark.parametrize('x', [re.compile('a')])\ndef test_z(x): pass",
    "@pytest.mark.parametrize('mode', ['r', 'w'])\ndef test_z(mode): pass",
    "@pytest.mark.parametrize('name', ['start', 'skip', 'exit', 'setattr', '__dict__'])\ndef test_z(name): pass",
    "@pytest.mark.parametrize('x', [json.loads('{}'), Decimal('1'), datetime(2020, 1, 1)])\ndef test_z(x): pass",
    "@pytest.mark.parametrize('f', [operator.add, len, str.upper])\ndef test_z(f): pass",
    "@pytest.mark.parametrize('x', open('data.txt').read().split())\ndef test_z(x): pass",
    "@pytest.mark.parametrize('x', [GATE['on'], *GATE])\ndef test_z(x): pass",
    "@pytest.mark.parametrize('x', [mock.call(1), mock.sentinel.x])\ndef test_z(x): pass",
    "@pytest.mark.parametrize('x', [float('nan'), 1 << 3, 1j, None, ...], ids=lambda x: f'<{x}>')\ndef test_z(x): pass",
    "@given(st.lists(st.text()).filter(lambda x: x.count('a')))\ndef test_z(x): pass",
    "@pytest.mark.parametrize('x', [{'a': [1]}, {1, 2}, (x for x in 'ab')])\ndef test_z(x): pass",
    "@mock.patch.dict(os.environ, {'A': 'b'})\ndef test_z(): pass",
    # what other tests do and undo
    "def test_z(monkeypatch): monkeypatch.setattr(app, 'add', fake)",
    "def test_z(monkeypatch): monkeypatch.setitem(GATE, 'on', 0)",
    "def test_z(monkeypatch):\n    monkeypatch.delattr(app, 'add')\n    monkeypatch.setenv('A', 'b')",
    "def test_z():\n    with mock.patch('app.add', fake): pass",
    "def test_z():\n    with contextlib.ExitStack() as stack: stack.enter_context(mock.patch('app.add'))",
    # what they do with what is their own
    "def test_z():\n    gate = dict(GATE)\n    gate.clear()",
    "def test_z():\n    data = app.add(1, 1)\n    data['x'] = 1\n    data.update(GATE)",
    "def test_z():\n    x = [1]\n    x[0] = GATE\n    x[1] = 2\n    x.append(GATE)",
    "def test_z():\n    for x in GATE: print(x)",
    "def test_z():\n    total = 0\n    total += 1",
    "def test_z():\n    made = mock.Mock()\n    made.x = 1\n    made.start()",
    "def test_z():\n    class Local: x = 1\n    Local.x = 2",
    "def test_z():\n    global other\n    other = 1",
    "def test_z(client): client.session['x'] = 1",
    "async def test_z():\n    async with app.client() as c: c.x = 1",
    "def test_z():\n    assert f'{GATE}' != eval('1', {})",
    "def test_z():\n    match GATE:\n        case {'on': x}: assert x",
    "def test_z(tmp_path):\n    (tmp_path / 'x').write_text('y')",
    "def test_z(request): assert request.module.__name__",
    "def test_z(): assert sys.modules['app']",
    "def test_z(): pytest.skip('x')",
    "def test_z(): os.environ.setdefault('A', 'b')",
    # names that are like those which are looked up
    "def test_pytestmark(): pass",
    "def pytestmarks(): pass",
    "def setup_modules(): pass",
    "class TestNew:\n    class Meta:\n        ordering = ['x']\n    def test_a(self): pass",
    "class TestNew:\n    def setup_method(self): self.x = 1\n    def test_a(self): pass",
    "class TestNew(unittest.TestCase):\n    def setUp(self): self.x = 1\n    def test_a(self): pass",
    "class TestNew:\n    @pytest.fixture(autouse=True, scope='class')\n    def x(self): x\n    def test_a(self): x",
    "class TestNew(Described):\n    def test_a(self): pass",
    "def unused(f):\n    return f()",
]  # fmt: skip
CHANGED = [
    ('"x", [1, 2])', '"x", [1, 2, 3, pytest.param(4, id="four")])'),
    ('"x", [1, 2])', '"x", range(10))'),
    ('@pytest.mark.parametrize("x", [1, 2])\n', '@pytest.mark.slow\n@pytest.mark.parametrize("x", [1, 2])\n'),
    ('    """Others."""\n', ""),
    ('"""Others."""', '"""Others, too."""'),
    ("    # Why.\n", ""),
    ("result == x + 1", "result >= 0"),
    ("def test_more():\n    assert app.add(0, 0) == 0\n", ""),
    ("test_more", "test_less"),
    ("x, tmp_path", "x"),
    ('"x", [1, 2])', '"x", [1, 2], ids=lambda x: str(x))'),
    ("size = 1", "size = 2"),
    ("x == self.size", "x >= self.size"),
    ("    def check(self, x):\n        assert x == self.size\n", ""),
    ("TestMore", "TestLess"),
    (_OTHER, _OTHER.replace("\n\n\n", "\n\n\n\n# ----\n\n")),
    (_OTHER, ""),
    (TEST + _OTHER, _OTHER + "\n\n" + TEST),
    ("def test_sum():\n", "\n# The sum.\n\n\ndef test_sum():\n"),
]


@pytest.mark.parametrize("text", ADDED)
def test_what_is_added(text: str) -> None:
    edited = f"{_FILE}\n\n{text}\n"
    assert inline_digest(edited.encode(), ("test_sum",)) == inline_digest(_FILE.encode(), ("test_sum",))
    assert differ_in_layout_only(_FILE.encode(), edited.encode(), ("test_sum",))


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_what_is_changed(old: str, new: str) -> None:
    assert old in _FILE
    edited = _FILE.replace(old, new)
    assert inline_digest(edited.encode(), ("test_sum",)) == inline_digest(_FILE.encode(), ("test_sum",))
