"""The signature of a freeze: the sha256 of the check that it freezes, looked up again in the test's own file."""

from __future__ import annotations

from collections.abc import Callable

from ledgergate.freeze.model import Freeze
from ledgergate.git.files import Files

# The bytes of a file below the root, None where there is no regular file.
Read = Callable[[str], bytes | None]


def tree_reader(tree: Files) -> Read:
    """Reads the regular files of a tree, git's own or a folder's."""

    def read(path: str) -> bytes | None:
        entry = tree.entry(path)
        return tree.read_entry(entry) if entry is not None and entry.is_file else None

    return read


def signature_of(assertion: str, fixtures: tuple[bytes, ...] = ()) -> str:
    """`sha256:<hex>` of a check's text, every run of white space as one space, and the bytes of its fixtures."""
    import hashlib

    text = " ".join(assertion.split())
    return f"sha256:{hashlib.sha256(b''.join((text.encode('utf-8', 'surrogatepass'), *fixtures))).hexdigest()}"


def broken_signature(freeze: Freeze, read: Read) -> str | None:
    """Why the freeze's signature does not hold of the files as they are; None: it holds."""
    file, separator, _ = freeze.case_id.partition("::")
    if separator and file != freeze.path:
        return f"Its case lies in {file}, and its path is {freeze.path}."
    source = read(freeze.path)
    if source is None:
        return f"There is no file {freeze.path}."
    fixtures: list[bytes] = []
    for path in freeze.fixtures:
        data = read(path)
        if data is None:
            return f"There is no file {path}, a fixture of it."
        fixtures.append(data)
    if not freeze.path.endswith(".py"):
        return _broken_text(freeze, source, tuple(fixtures))
    return _broken_python(freeze, source, tuple(fixtures))


def _broken_text(freeze: Freeze, source: bytes, fixtures: tuple[bytes, ...]) -> str | None:
    text = " ".join((freeze.assertion or "").split())
    if not text or signature_of(text, fixtures) != freeze.signature:
        return "Its `assertion` and its fixtures do not have its signature."
    found = " ".join(source.decode("utf-8", "surrogateescape").split())
    return None if text in found else f"{freeze.path} does not hold the text of its check."


def _broken_python(freeze: Freeze, source: bytes, fixtures: tuple[bytes, ...]) -> str | None:
    from ledgergate.source.checks import functions_named
    from ledgergate.source.text import Unreadable

    functions = functions_named(source, freeze.case_id)
    if isinstance(functions, Unreadable):
        return f"{freeze.path}: {functions.message}."
    if len(functions) != 1:
        return f"{freeze.path} has {len(functions) or 'no'} functions of that name, and a freeze is about exactly one."
    if any(signature_of(check.text, fixtures) == freeze.signature for check in functions[0].checks):
        return None
    return "No check of its function has its signature: the check was edited, or a fixture was."
