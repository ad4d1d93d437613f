"""Where the tests of ids stand in a tree."""

from __future__ import annotations

from collections.abc import Iterator

from ledgergate.errors import UsageError
from ledgergate.git import Snapshot
from ledgergate.ledger import split_id
from ledgergate.ledger.paths import changing_part
from ledgergate.source.checks import functions_named
from ledgergate.source.listing import kind_of_no_test, listed_tests
from ledgergate.source.names import Defined, defines
from ledgergate.source.strength import Strength, check_strength
from ledgergate.source.text import Unreadable

# How a fixture comes to a test that does not name it, and how a hook multiplies tests.
_GIVES_CASES = (b"autouse", b"usefixtures", b"pytest_generate_tests", b"pytest_plugins", b"parametrize")


def may_define(tree: Snapshot, file: str, names: tuple[str, ...]) -> bool:
    """Whether the file is there and, as far as its text tells, may define the test.

    Raises `UsageError` for a Python file that cannot be parsed.
    """
    entry = tree.entry(file)
    if entry is None or not entry.is_file:
        return False
    if not file.endswith(".py") or names == ("",):
        return True
    defined = defines(tree.read_entry(entry), names)
    if defined is Defined.UNPARSED:
        raise UsageError(f"{file} cannot be parsed, so that nobody can say whether it defines {'::'.join(names)}")
    return defined is not Defined.NO


def refuse_changing(id_: str) -> None:
    """Raises `UsageError` for an id that another run is not likely to have again."""
    part = changing_part(id_)
    if part is not None:
        raise UsageError(
            f"{id_}: {part} looks different in every run. Give the parameter an id of its own (`ids=` or "
            "`pytest.param(..., id=...)`), or write the row of the function, with `params: N`"
        )


def refuse_undefined(tree: Snapshot, id_: str) -> None:
    """Raises `UsageError` where no file of the working tree can define the test, or its id will not come again."""
    refuse_changing(id_)
    file, names = split_id(id_)
    if not may_define(tree, file, names):
        entry = tree.entry(file)
        reason = f"there is no file {file}" if entry is None else f"{file} does not define {'::'.join(names)}"
        raise UsageError(f"{id_}: {reason}. Give the exact id, as `pytest --collect-only -q` prints it")
    _refuse_no_test(tree, id_)


def _refuse_no_test(tree: Snapshot, id_: str) -> None:
    file, names = split_id(id_)
    if not file.endswith(".py"):
        return
    if "::" not in id_:
        raise UsageError(f"{id_} is a file, and a row is about one test: FILE::NAME")
    entry = tree.entry(file)
    kind = None if entry is None else kind_of_no_test(tree.read_entry(entry), names)
    if kind is not None:
        raise UsageError(f"{id_} is {kind}, and a row is about one test. Give the ids of the tests that it concerns")


def refuse_caseless(tree: Snapshot, id_: str) -> None:
    """Raises `UsageError` for one case of a Python test that has no argument, where no fixture could give it any."""
    file, names = split_id(id_)
    entry = tree.entry(file)
    if "[" not in id_ or not file.endswith(".py") or entry is None or not entry.is_file:
        return
    data = tree.read_entry(entry)
    functions = functions_named(data, id_)
    if isinstance(functions, Unreadable) or not functions or not all(one.takes_nothing for one in functions):
        return
    if not any(word in text for text in (data, *_conftests(tree, file)) for word in _GIVES_CASES):
        raise UsageError(
            f"{id_}: {names[-1]} takes no parameters, so that it has no such case. Give the id without the brackets"
        )


def _conftests(tree: Snapshot, file: str) -> Iterator[bytes]:
    while file:
        file = file.rpartition("/")[0]
        entry = tree.entry(f"{file}/conftest.py" if file else "conftest.py")
        if entry is not None and entry.is_file:
            yield tree.read_entry(entry)


def refuse_skipped(tree: Snapshot, id_: str) -> None:
    """Raises `UsageError` where a mark keeps the test from running or from passing: its row would never be evidence."""
    file, names = split_id(id_)
    entry = tree.entry(file)
    if entry is None or not entry.is_file or not file.endswith(".py"):
        return
    if check_strength(tree.read_entry(entry), names) is Strength.SKIPPED:
        raise UsageError(
            f"{id_} is still marked to be skipped, or expected to fail, so that no run could pass it as evidence. Take "
            "the mark away first, in the same commit"
        )


def other_tests(tree: Snapshot, file: str, names: set[tuple[str, ...]]) -> list[str] | None:
    """The tests of a file besides these; None where its text does not tell."""
    entry = tree.entry(file)
    if entry is None or not entry.is_file:
        return []
    if not file.endswith(".py"):
        return None
    found = listed_tests(tree.read_entry(entry))
    return None if isinstance(found, Unreadable) else ["::".join(one) for one in found if one not in names]
