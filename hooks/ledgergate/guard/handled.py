"""What a test itself does to the objects that its checks look at, before it checks them."""

from __future__ import annotations

import ast
import builtins
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from ledgergate.guard.context import Context
from ledgergate.guard.facts import Fact, Strength
from ledgergate.guard.loss import Loss
from ledgergate.guard.parts import SKIPPING
from ledgergate.guard.reading import Deed, Reading
from ledgergate.guard.suite import Suite, Test
from ledgergate.guard.terms import shape
from ledgergate.guard.well_known import EMPTY, LOOKING, SETTLING
from ledgergate.source.believed import is_check
from ledgergate.source.syntax import last_name, walk

# What only looks at what it is given, or opens a block of which others say what it does.
_LOOKING = frozenset(
    {
        *(*SKIPPING, *LOOKING, *SETTLING, "len", "super", "fail", "exit", "breakpoint"),
        *("raises", "warns", "assume", "note", "event", "target", "subTest", "gc", "sleep"),
    }
)
# What is named like this is no object of the test's own; what fixtures of pytest do has rules of its own.
_NO_OBJECTS = frozenset(
    {
        *("self", "cls", "monkeypatch", "mocker", "caplog", "capsys", "capfd", "capsysbinary", "capfdbinary"),
        "request",
        *("tmp_path", "tmpdir", "tmp_path_factory", "tmpdir_factory", "recwarn", "record_property", "pytester"),
        *("testdir", "benchmark", "subtests", "logger", "log", "logging", "warnings", "os", "sys", "pytest", "mock"),
    }
)
# What fills or empties something: whether less of it shows more or less, nobody can say.
_FILLING = frozenset(
    {
        *("append", "add", "extend", "insert", "update", "pop", "popitem", "remove", "discard", "sort", "reverse"),
        *("clear", "setdefault", "reset_mock", "reset", "close", "flush", "write", "write_text", "write_bytes"),
        *("mkdir", "makedirs", "touch", "seek", "setenv", "connect", "open", "register", "append_text", "writelines"),
    }
)
# Folders of pytest, out of which a test may take what the tested code put there.
_FOLDERS = frozenset({"tmp_path", "tmpdir"})
_REMOVING = frozenset({"unlink", "rmdir", "rmtree", "remove", "rename", "replace", "move"})
_MOST_COMPARED = 1_000_000

# The statements that may do something to an object, beside those within them.
DOING = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.With, ast.AsyncWith)

Done = tuple[str, str, str]


def deeds(node: ast.stmt, context: Context) -> Iterator[Done]:
    """(object, its name, what is done to it) of one statement; the object and the deed are terms."""
    if isinstance(node, ast.Expr):
        call = called_alone(node)
        if call is not None:
            yield from _by_call(call, context)
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
        targets = [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else node.targets
        value: ast.expr | None = getattr(node, "value", None)
        yield from _made_anew(node, context)
        for target in (part for one in targets for part in _parts(one)):
            given = "" if value is None else context.term(value)
            yield from _on(target, f" = {given}", context)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for entered in (one.context_expr for one in node.items):
            if isinstance(entered, ast.Call) and entered.args and ast.unparse(entered.func).endswith("patch.dict"):
                yield from _on(entered.args[0], context.term(entered), context)


def called_alone(node: ast.Expr) -> ast.Call | None:
    """The call of a statement that throws its value away, or an attribute of that."""
    call = node.value
    while isinstance(call, (ast.Await, ast.Attribute)):
        call = call.value
    return call if isinstance(call, ast.Call) else None


def _made_anew(node: ast.stmt, context: Context) -> Iterator[Done]:
    """A variable that another object is put into, made like the one that was in it: a deed without an act."""
    target, value = (node.targets[0], node.value) if isinstance(node, ast.Assign) else (None, None)
    if isinstance(target, ast.Name) and isinstance(value, ast.Call) and target.id in context.environment:
        term = context.term(value)
        if context.environment[target.id] == term:
            yield term, "", ""


def _parts(target: ast.expr) -> Iterator[ast.expr]:
    """The attributes and elements that a target sets."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            yield from _parts(one)
    elif isinstance(target, ast.Starred):
        yield from _parts(target.value)
    elif isinstance(target, (ast.Attribute, ast.Subscript)):
        yield target


def _by_call(call: ast.Call, context: Context) -> Iterator[Done]:
    """Of a call whose value is thrown away: what it is a method of, or else what it is handed."""
    name = last_name(call.func)
    if is_check(call) or name.startswith("assert") or name in _LOOKING:
        return
    act = f".{name}({', '.join(context.term(one) for one in _given(call))})"
    if isinstance(call.func, ast.Attribute):
        if _name(call.func.value) in _NO_OBJECTS - {"os", "sys"} and name not in _REMOVING:
            return
        found = list(_on(call.func.value, act, context))
        if found:
            yield from found
            return
    for one in _given(call):
        if isinstance(one, (ast.Name, ast.Attribute, ast.BinOp)):
            yield from _on(one, act, context)
        elif isinstance(one, (ast.List, ast.Dict, ast.Set)):
            # A helper may give it a name.
            term = context.term(one)
            yield term, "", term + act


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(one.value for one in call.keywords)]


def _on(node: ast.expr, act: str, context: Context) -> Iterator[Done]:
    name = _name(node)
    first = name.partition(".")[0]
    suite = context.suite
    is_function = first in suite.functions and first not in suite.fixtures
    # An imported function is called where a check is about it, and a fixture may be imported too.
    is_class = first in suite.classes or (first in suite.origins and first[:1].isupper() and not first.isupper())
    known = first in suite.modules or is_function or is_class
    known = known or (hasattr(builtins, first) and first not in context.environment)
    is_no_object = name in _NO_OBJECTS and not (name in _FOLDERS and act[1:].partition("(")[0] in _REMOVING)
    if not name or is_no_object or (known and first not in context.nodes):
        return
    term = context.environment.get(name, name)
    if not term.startswith("«"):
        yield (
            term,
            name if _is_shared(name, term, context) else "",
            context.term(node) + act,
        )


def _name(node: ast.expr) -> str:
    """The variable that an expression reaches into: `result`, or `self.client`."""
    while True:
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                return f"{node.value.id}.{node.attr}"
            node = node.value
        elif isinstance(node, (ast.Subscript, ast.Starred, ast.Await)):
            node = node.value
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            node = node.left
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func
        else:
            return node.id if isinstance(node, ast.Name) else ""


def _is_shared(name: str, term: str, context: Context) -> bool:
    """Whether another variable, that is no other name of it, was made in the same way."""
    return any(
        other != name and one == term and not isinstance(context.nodes.get(other), (ast.Name, ast.Attribute))
        for other, one in context.environment.items()
    )


def changed_before_checks(
    old: Suite, was: Test, new: Suite, now: Test, readings: tuple[Reading, Reading]
) -> Iterator[Loss]:
    """The first deed that came, or else went, before a check which both sides ask, if there is any."""
    before, after = readings
    if [(one.act, one.at) for one in after.deeds] == [(one.act, one.at) for one in before.deeds]:
        return
    if max(len(one.facts) * len(one.deeds) for one in (before, after)) > _MOST_COMPARED:
        message = "It does too much to be compared step by step"
        yield Loss("expectation-changed", new.path, message, now.name, now.node.lineno, waits=True)
        return
    known, came = _by_fact(before, after.keys), _by_fact(after, before.keys)
    pairs = [(did, came[key]) for key, occurrences in known.items() for did in occurrences]
    for did, candidates in pairs:
        least, done = min(((_added(did, one), one) for one in candidates), key=lambda pair: len(pair[0]))
        if least:
            yield _loss(new, now, least[0], is_more=len(done) > len(did))
            return
    later = {one.act for one in after.deeds}
    judged: set[str] = set()
    for did, candidates in pairs:
        for deed in min((_added(one, did) for one in candidates), key=len):
            if deed.act in later or (deed.act not in judged and _is_no_longer_done(deed, old, was, new, now)):
                yield _gone(new, now, deed, is_later=deed.act in later)
                return
            judged.add(deed.act)


def _is_no_longer_done(deed: Deed, old: Suite, was: Test, new: Suite, now: Test) -> bool:
    """Whether what it calls is called less often; what only fills or empties something does not count."""
    found = re.search(r"\.(\w+)\($", deed.act[: _end_of_name(deed)])
    if found is None or found[1] in _FILLING:
        return False
    counts = [sum(last_name(one.func) == found[1] for one in _calls(test)) for test in (was, now)]
    if counts[0]:
        return counts[0] > counts[1]
    return old.count(f"{found[1]}(") > new.count(f"{found[1]}(")


def _end_of_name(deed: Deed) -> int:
    """Where, in the deed of a call, the arguments of that begin."""
    depth = 0
    for at in range(len(deed.act) - 1, -1, -1):
        depth += (deed.act[at] == ")") - (deed.act[at] == "(")
        if depth <= 0:
            return at + 1
    return 0


def _calls(test: Test) -> list[ast.Call]:
    return [one for one in walk(test.node) if isinstance(one, ast.Call)]


def _gone(new: Suite, now: Test, deed: Deed, *, is_later: bool) -> Loss:
    what = "is done only behind a check" if is_later else "is no longer done before a check"
    at = now.node.lineno
    message = f"`{deed.text}` {what} that looks at what it is done to"
    return Loss("expectation-changed", new.path, message, now.name, at, deed.text, new.line(at), waits=True)


def _loss(new: Suite, now: Test, deed: Deed, *, is_more: bool) -> Loss:
    if is_more:
        message = f"What the check looks at is changed by the test itself before it: `{deed.text}`"
    else:
        message = f"The test does something else to what the check looks at before it: `{deed.text}`"
    at = now.node.lineno if deed.is_elsewhere else deed.line
    return Loss("expectation-changed", new.path, message, now.name, at, None, new.line(at), waits=True)


def _by_fact(reading: Reading, keys: frozenset[tuple[str, str, str]]) -> dict[tuple[str, str, str], list[list[Deed]]]:
    """What was done, before each check, to the objects in it."""
    rows: dict[int, list[Deed]] = {}
    for deed in reading.deeds:
        rows.setdefault(deed.row, []).append(deed)
    found: dict[tuple[str, str, str], list[list[Deed]]] = {}
    for number, fact in enumerate(reading.facts):
        if fact.key in keys and fact.strength is not Strength.NOTHING:
            done = rows.get(bisect_right(reading.starts, number), ())
            touched = {of for of in {one.of for one in done} if _mentions(fact, of)}
            concerned = [one for one in _since(done, number) if one.of in touched and _is_meant(one, fact)]
            found.setdefault(fact.key, []).append(concerned)
    return found


def _since(done: Sequence[Deed], number: int) -> list[Deed]:
    """What was done before the check of that number to the objects that are there by then."""
    found: list[Deed] = []
    for deed in done:
        if deed.at > number:
            break
        if deed.act:
            found.append(deed)
        else:
            found = [one for one in found if one.of != deed.of]
    return found


def _mentions(fact: Fact, of: str) -> bool:
    text = fact.subject if of in EMPTY else fact.whole
    return of in text and re.search(rf"(?<![\w.]){re.escape(of)}(?![\w(])", text) is not None


def _is_meant(deed: Deed, fact: Fact) -> bool:
    """Where two objects were made in the same way, their names tell."""
    return not deed.name or re.search(rf"\b{re.escape(deed.name)}\b", fact.text) is not None


def _added(old: Sequence[Deed], new: Sequence[Deed]) -> list[Deed]:
    """What is done more; where only literals differ, that is told as other values."""
    counts = Counter(one.act for one in old)
    came = []
    for one in new:
        counts[one.act] -= 1
        if counts[one.act] < 0:
            came.append(one)
    gone = Counter(shape(act) for act, number in counts.items() for _ in range(number))
    found = []
    for one in came:
        gone[shape(one.act)] -= 1
        if gone[shape(one.act)] < 0:
            found.append(one)
    return found
