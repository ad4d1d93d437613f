"""What a test shall be held to, as a human says it, and the row that comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ledgergate.errors import UsageError
from ledgergate.git import Snapshot
from ledgergate.ledger import Row, measure, seed_files
from ledgergate.ledger.own import own_source
from ledgergate.ledger.rows import Value


class Wish(NamedTuple):
    """The class and its fields; None or empty: not said. `inline`: its own source as well as its golden."""

    class_: str | None = None
    artifacts: tuple[str, ...] = ()
    invariant: str | None = None
    seeds: str | None = None
    inline: bool = False

    def held_of(self, id_: str, goldens: tuple[str, ...]) -> tuple[str, ...]:
        """The artifacts of the test: those that were said, else these goldens, else its own source."""
        named, own = self.artifacts or goldens, own_source(id_)
        return (*named, own) if not named or (self.inline and own not in named) else named

    @property
    def paths(self) -> list[str]:
        """The files and folders that it names."""
        named = [artifact.partition("::")[0] for artifact in self.artifacts]
        return named if self.seeds is None else [*named, self.seeds]

    @property
    def said_class(self) -> str | None:
        """The class that was said, or that the fields belong to. Raises `UsageError` where they contradict."""
        implied = {
            "locked_fixture": bool(self.artifacts) or self.inline,
            "property": bool(self.invariant or self.seeds),
        }
        if all(implied.values()):
            raise UsageError(
                "--artifact and --inline are for a locked_fixture, --invariant and --seeds for a property: not both"
            )
        found = next((name for name, said in implied.items() if said), None)
        if self.class_ is not None and found not in (None, self.class_):
            fields = "--artifact and --inline go" if found == "locked_fixture" else "--invariant and --seeds go"
            raise UsageError(f"{fields} with a {found}, and --class says {self.class_}")
        return self.class_ or found


def kept_fields(row: Row | None) -> dict[str, Value]:
    """The fields of a row that outlive a change of its class."""
    return {} if row is None else {field: row.fields[field] for field in ("params",) if field in row.fields}


def locked_row(
    id_: str, held: Sequence[tuple[str, str]], tree: Snapshot, kept: dict[str, Value], old: Row | None = None
) -> Row:
    """The `locked_fixture` row on these artifacts: pairs of its path in the row and where it stands in the tree now.

    Raises `UsageError` where one cannot be locked.
    """
    flags = {field: old.fields[field] for field in ("lfs", "allow_empty") if old and field in old.fields}
    lfs, allow_empty = flags.get("lfs") == "true", flags.get("allow_empty") == "true"
    digests: list[str] = []
    for _, path in held:
        measured = measure(tree, path, lfs=lfs, allow_empty=allow_empty)
        if measured.digest is None or measured.message is not None:
            raise UsageError(f"{id_} cannot be locked: {measured.message}")
        digests.append(measured.digest)
    artifacts = tuple(artifact for artifact, _ in held)
    single = len(held) == 1
    fields: dict[str, Value] = {"artifact": artifacts[0] if single else artifacts}
    fields["digest"] = digests[0] if single else tuple(digests)
    return Row.of({"id": id_, "class": "locked_fixture", **fields, **flags, **kept})


def property_row(
    id_: str, invariant: str | None, seeds: tuple[str, str] | None, tree: Snapshot, kept: dict[str, Value]
) -> Row:
    """The `property` row; `seeds` are the folder in the row and where it stands in the tree now.

    Raises `UsageError` where either is missing, or the folder holds no seed.
    """
    if not invariant:
        raise UsageError(f"a property needs the name of what always holds: --invariant NAME ({id_})")
    if seeds is None:
        raise UsageError(
            "a property needs a folder of seeds: --seeds FOLDER/, with a file in it for each input worth a re-run; "
            f"without any, `--class locked_fixture` holds the test to its own source ({id_})"
        )
    if not seed_files(tree, seeds[1]):
        raise UsageError(f"{seeds[1]} holds no seed (a file that is not empty, and no dotfile); a property needs one")
    return Row.of({"id": id_, "class": "property", "invariant": invariant, "seeds": seeds[0], **kept})
