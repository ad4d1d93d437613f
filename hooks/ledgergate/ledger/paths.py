"""What the paths and ids of a ledger may look like."""

from __future__ import annotations

import re
from typing import NamedTuple

from ledgergate.ledger.text import UNSAFE

_CHANGING = re.compile(r"0x[0-9A-Fa-f]{8,}|[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
_UNPRINTED = re.compile("[^ -~]")
# What stands in the rows that messages show, for the reader to replace.
PLACEHOLDER = "/FILE.py::NAME"
_EXACT = "Write the exact id that the runner prints, like tests/test_parse.py::test_header."
_RELATIVE = "Write it from the repository's root, wherever the ledger itself stands, with `/` between its parts."
_OUTSIDE = f"{_RELATIVE} A file outside the repository cannot be pinned: copy it in, and `git add` it."


class Fault(NamedTuple):
    """Why a text cannot stand where it stands."""

    rule: str
    message: str
    remedy: str | None = None


def path_fault(text: str, what: str) -> Fault | None:
    """What is wrong with a path inside the repository, or None. A folder may end in `/`; `what` names the path."""
    parts = text.removesuffix("/").split("/")
    if text.startswith("/"):
        return Fault("artifact-outside", f"{what} is an absolute path", _OUTSIDE)
    if ".." in parts:
        return Fault("artifact-outside", f"{what} climbs out through `..`", _OUTSIDE)
    if any(part.lower() == ".git" for part in parts):
        return Fault("artifact-outside", f"{what} lies inside a .git folder, which git does not store", _OUTSIDE)
    if "\\" in text:
        slashed = text.replace("\\", "/")
        return Fault("row-invalid", f"{what} holds a backslash", f"Did you mean `{slashed}`? {_RELATIVE}")
    if "" in parts or "." in parts:
        return Fault("row-invalid", f"{what} has an empty part or a `.` part", _RELATIVE)
    if "\0" in text:
        return Fault("row-invalid", f"{what} holds a NUL character")
    return None


def id_fault(identity: str) -> Fault | None:
    """What keeps a text from being a test id, or None."""
    file, separator, name = identity.partition("::")
    # A collector of data files may leave a test without a name of its own: then the id ends in `::`. Pygments has such
    # tests, and among their data files some that end in .py.
    if not separator:
        return Fault("row-invalid", "the id has no `::` between file and test", _EXACT)
    if identity.endswith(PLACEHOLDER):
        return Fault("row-invalid", "the id still is the one of the message it was copied from", _EXACT)
    # `folder/::golden.py` stands for the unknown test of a golden that is Python itself.
    if file.endswith("/") and "." not in name:
        return Fault("row-invalid", "the id names a folder where its file should stand", _EXACT)
    return path_fault(file, "the id's file") or _escaping_fault(identity, file, name)


def placeholder_id(path: str) -> str:
    """The id of a golden's row whose test is not known. None names a Python file: that would have to define it."""
    folder, slash, name = path.rpartition("/")
    if not path.endswith(".py"):
        return f"{path}::golden"
    return f"{folder}{slash}::{name}" if slash else f"{path}::"


def is_placeholder(test_id: str) -> bool:
    """Whether an id was made by `placeholder_id`, and is that of no test."""
    file, _, name = test_id.partition("::")
    return name == "golden" or (file.endswith("/") and bool(name))


def changing_part(test_id: str) -> str | None:
    """What in the parameters of an id looks like an address in memory or a UUID, which few runs have in common."""
    found = _CHANGING.search(test_id.partition("[")[2])
    return None if found is None else found[0]


def split_id(test_id: str) -> tuple[str, tuple[str, ...]]:
    """(file, names) of a test id without its parameters: `a.py::TestX::test_y[1::2]` is `a.py`, (`TestX`, `test_y`)."""
    file, _, rest = test_id.partition("::")
    return file, tuple(rest.partition("[")[0].split("::"))


def file_of(test_id: str) -> str:
    """The file of a test id, as `split_id` gives it: for who asks of thousands, and needs no more."""
    return test_id.partition("::")[0]


def split_artifact(artifact: str) -> tuple[str, tuple[str, ...]]:
    """(path, names) of an artifact: `a.py::TestX::test_y` is `a.py`, (`TestX`, `test_y`); files have no names."""
    path, separator, rest = artifact.partition("::")
    return path, tuple(rest.split("::")) if separator else ()


def has_reader(artifact: str) -> bool:
    """Whether an inline artifact is a test in a language that we read; else it stands for its whole file."""
    path, separator, _ = artifact.partition("::")
    return bool(separator) and path.endswith(".py")


def inline_fault(artifact: str) -> Fault | None:
    """What is wrong with an artifact that names a test in a file, or None."""
    path, names = split_artifact(artifact)
    if path.endswith("/"):
        return Fault("row-invalid", f"the artifact {artifact} names a test in a folder", "Name the file that holds it.")
    if any(not name.strip() for name in names):
        return Fault(
            "row-invalid", f"the artifact {artifact} has an empty name", "Write FILE::NAME or FILE::CLASS::NAME."
        )
    if _holds_control(artifact):
        return Fault("row-invalid", f"the artifact {artifact!r} holds a control character")
    if has_reader(artifact) and not all(name.isidentifier() for name in names):
        remedy = "Write the names of its classes and its function as they stand in the file, without parameters."
        return Fault("row-invalid", f"the artifact {artifact} is no path to a Python function", remedy)
    return path_fault(path, f"the artifact {artifact}")


def _holds_control(text: str) -> bool:
    if text.isascii() and text.isprintable():
        return False
    return any(char < " " or char == "\x7f" or char in UNSAFE for char in text)


def _escaping_fault(identity: str, file: str, name: str) -> Fault | None:
    """Ids that a runner cannot have printed.

    pytest writes parameters in ASCII, with escapes like `\\xe9`; double quotes in YAML undo such an escape.
    """
    function, bracket, parameters = name.partition("[")
    if _holds_control(identity):
        return Fault("row-invalid", "the id holds a control character", _did_you_mean(identity))
    if not file.endswith(".py") or not bracket:
        return None
    if _UNPRINTED.search(parameters):
        start = f"{file}::{function}["
        return Fault(
            "row-invalid",
            "the id's parameters hold a character outside ASCII, and pytest prints those escaped",
            f"{_did_you_mean(parameters, start)} Where pytest's escaping is switched off, give the parameter "
            "an ASCII id, or let a row without brackets say `params:`.",
        )
    if "]" not in parameters:
        remedy = "In YAML ` #` begins a comment: put the whole id in single quotes."
        return Fault("row-invalid", "the id has a `[` that is never closed", remedy)
    return None


def _did_you_mean(text: str, start: str = "") -> str:
    meant = start + _UNPRINTED.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
    return (
        f"Did you mean {meant} ? (In double quotes YAML undoes such escapes: write the id plain or in single quotes.)"
    )
