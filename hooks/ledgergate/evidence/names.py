"""What the ids of a ledger are called in JUnit reports, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ledgergate.evidence.junit import Name
from ledgergate.ledger import Row

Pair = tuple[str, str]


def mangle(nodeid: str) -> Pair:
    """(classname, name) under which pytest writes a test into its report."""
    path, bracket, parameters = nodeid.partition("[")
    file, *names = path.split("::")
    parts = [file.replace("/", ".").removesuffix(".py"), *names]
    parts[-1] += bracket + parameters
    return ".".join(parts[:-1]), _escaped(parts[-1])


def _escaped(text: str) -> str:
    """The text as pytest writes it: what XML cannot hold stands as #x and its number."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if _is_xml(ord(char)) else _number(ord(char)) for char in text)


def _is_xml(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or (
        0x20 <= code <= 0x7E or 0x80 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF
    )


def _number(code: int) -> str:
    return f"#x{code:02X}" if code <= 0xFF else f"#x{code:04X}"


class Ambiguous(NamedTuple):
    """A case that may be any of several tests, or says of itself what cannot be."""

    reason: str


class Names:
    """Finds the row of each case of a report."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows: dict[str, Row] = {}
        self._pairs: dict[Pair, list[Row]] = {}
        for row in rows:
            self._rows[row.id] = row
            self._pairs.setdefault(mangle(row.id), []).append(row)

    def row_of(self, name: Name) -> Row | Ambiguous | None:
        """The row that covers a case; None where no row does."""
        if name.nodeid:
            return self._by_nodeid(name)
        exact = self._exact(name)
        if len(exact) > 1:
            return _ambiguous(exact)
        return exact[0] if exact else self._parametrised(name)

    def row_with(self, id_: str) -> Row | None:
        """The row that covers the test with this exact id."""
        return self._rows.get(id_) or self._covering(self._rows.get(id_.partition("[")[0]))

    def _by_nodeid(self, name: Name) -> Row | Ambiguous | None:
        if mangle(name.nodeid) != (name.classname, name.name):
            return Ambiguous(f"it calls itself {name.nodeid}, which pytest would not write like this")
        return self.row_with(name.nodeid)

    def _exact(self, name: Name) -> list[Row]:
        found = {row.id: row for row in self._pairs.get((name.classname, name.name), ())}
        for id_ in (f"{name.file}::{name.name}", f"{name.classname}::{name.name}"):
            if id_ in self._rows:
                found[id_] = self._rows[id_]
        return list(found.values())

    def _parametrised(self, name: Name) -> Row | Ambiguous | None:
        """The row of a function whose cases it covers all, where the case is one of them."""
        function, bracket, _ = name.name.partition("[")
        if not bracket:
            return None
        found = [row for row in self._exact(name._replace(name=function)) if self._covering(row)]
        return _ambiguous(found) if len(found) > 1 else found[0] if found else None

    def _covering(self, row: Row | None) -> Row | None:
        return row if row is not None and "params" in row.fields else None


def _ambiguous(rows: Iterable[Row]) -> Ambiguous:
    return Ambiguous(f"it may be any of {', '.join(row.id for row in rows)}")
