"""What the artifacts and seed folders of a ledger are in one snapshot: digests, and what stands in their way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ledgergate.ledger.lfs import EMPTY_SHA256, looks_like_pointer, parse_pointer
from ledgergate.ledger.paths import has_reader, split_artifact
from ledgergate.values import display_path

if TYPE_CHECKING:
    from ledgergate.git import Entry
    from ledgergate.git.files import Files

# The object ids that git gives to no bytes at all, in its two formats.
_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
# How sha256sum writes a name that would break its line; the line then begins with a backslash.
_ESCAPES = ((b"\\", b"\\\\"), (b"\n", b"\\n"), (b"\r", b"\\r"))


class Measured(NamedTuple):
    """An artifact as a snapshot has it.

    Either `digest` is `sha256:<hex>`, or `rule` and `message` say why there is none. A digest with a message beside it
    (and no rule) is that of bytes which are hardly the ones that the row means: an LFS pointer's.
    """

    digest: str | None
    rule: str | None = None
    message: str | None = None


def file_digest(data: bytes) -> str:
    """`sha256:<hex>` of the bytes."""
    return f"sha256:{_sha256(data)}"


def measure(snapshot: Files, artifact: str, *, lfs: bool = False, allow_empty: bool = False) -> Measured:
    """The digest of one artifact, over the bytes that git stores: a file, a folder (its path ends in `/`), or a test.

    A folder's digest is the sha256 of what sha256sum prints for its files in the order of their paths' bytes; a test's
    (`FILE.py::NAME`) that of the lines that decide whether it can fail, and of other languages the whole file's. With
    `lfs` each file must be an LFS pointer, and the oid that it names stands for the real bytes' sha256. The rules of a
    measurement that fails are `artifact-missing`, `artifact-empty` and `lfs-pointer-invalid`.
    """
    path, names = split_artifact(artifact)
    if path.endswith("/"):
        return _measure_folder(snapshot, path, lfs=lfs, allow_empty=allow_empty)
    entry = snapshot.entry(path)
    if entry is None or not entry.is_file:
        return _missing(_what_became(snapshot, path, entry))
    if has_reader(artifact):
        return _measure_test(path, names, source_file(snapshot, entry))
    data = snapshot.read_entry(entry)
    hashed = _hash(path, data, lfs=lfs)
    if isinstance(hashed, Measured):
        return hashed
    if hashed == EMPTY_SHA256 and not allow_empty:
        return Measured(None, "artifact-empty", f"{display_path(path)} has no bytes")
    return Measured(f"sha256:{hashed}", None, None if lfs else _pointer_hint(path, data))


def seed_files(snapshot: Files, folder: str) -> list[str]:
    """The files of a seed folder that count, at any depth: regular, not empty, and nowhere hidden below a dot."""
    top = f"{folder.rstrip('/')}/"
    return [
        path
        for path, entry in snapshot.files(top)
        if entry.is_file and entry.oid not in _EMPTY_BLOBS and "/." not in f"/{path.removeprefix(top)}"
    ]


def _measure_folder(snapshot: Files, artifact: str, *, lfs: bool, allow_empty: bool) -> Measured:
    if not snapshot.is_folder(artifact.rstrip("/")):
        path = artifact.rstrip("/")
        return _missing(_what_became(snapshot, path, snapshot.entry(path), "folder"))
    listing: list[bytes] = []
    hashes: set[str] = set()
    hint: str | None = None
    for path, entry in snapshot.files(artifact):
        if not entry.is_file:
            return _missing(f"{display_path(path)} inside it is {_kind(entry)}")
        data = snapshot.read_entry(entry)
        hashed = _hash(path, data, lfs=lfs)
        if isinstance(hashed, Measured):
            return hashed
        hint = hint or (None if lfs else _pointer_hint(path, data))
        hashes.add(hashed)
        listing.append(_sha256sum_line(hashed, path.removeprefix(artifact)))
    if not listing:
        return _missing(f"{display_path(artifact)} holds no files")
    if hashes == {EMPTY_SHA256} and not allow_empty:
        return Measured(None, "artifact-empty", f"no file in {display_path(artifact)} has any bytes")
    return Measured(file_digest(b"".join(listing)), None, hint)


@lru_cache(maxsize=16)
def source_file(snapshot: Files, entry: Entry) -> bytes:
    """The bytes of a file in which many tests may be pinned: each asks for it again."""
    return snapshot.read_entry(entry)


def _measure_test(path: str, names: Sequence[str], data: bytes) -> Measured:
    from ledgergate.source.inline import inline_digest
    from ledgergate.source.text import Unreadable

    digest = inline_digest(data, names)
    return _missing(f"{display_path(path)}: {digest.message}") if isinstance(digest, Unreadable) else Measured(digest)


def _pointer_hint(path: str, data: bytes) -> str | None:
    if not looks_like_pointer(data):
        return None
    return f"{display_path(path)} is a Git LFS pointer, not the real bytes: add `lfs: true` to the row"


def _hash(path: str, data: bytes, *, lfs: bool) -> str | Measured:
    # Git LFS stores an empty file as an empty file, with no pointer.
    if not lfs or not data:
        return _sha256(data)
    pointer = parse_pointer(data)
    if isinstance(pointer, str):
        return Measured(None, "lfs-pointer-invalid", f"{display_path(path)} {pointer}")
    return pointer.sha256


def _sha256(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()


def _sha256sum_line(digest: str, path: str) -> bytes:
    name = path.encode("utf-8", "surrogateescape")
    escaped = name
    for raw, written in _ESCAPES:
        escaped = escaped.replace(raw, written)
    return (b"\\" if escaped != name else b"") + digest.encode("ascii") + b"  " + escaped + b"\n"


def _missing(message: str) -> Measured:
    return Measured(None, "artifact-missing", message)


def _kind(entry: Entry) -> str:
    return "a link" if entry.is_link else "a submodule" if entry.is_submodule else "a file"


def _what_became(snapshot: Files, path: str, entry: Entry | None, wanted: str = "file") -> str:
    """What stands where the file or folder should be, or the nearest thing to it."""
    shown = display_path(path)
    if entry is not None:
        return f"{shown} is {_kind(entry)}, and no {wanted}"
    if snapshot.is_folder(path):
        return f"{shown} is a folder (the path of a folder ends in `/`)"
    slash = path.find("/")
    while slash != -1:
        above = snapshot.entry(path[:slash])
        if above is not None:
            return f"{shown} is gone: {display_path(path[:slash])} is {_kind(above)}"
        slash = path.find("/", slash + 1)
    twin = _twin(snapshot, path)
    if twin is not None:
        return f"{shown} is not there; {display_path(twin)} is, and differs only by case or Unicode normalisation"
    return f"{shown} is not there"


def _twin(snapshot: Files, path: str) -> str | None:
    """Another path that a case-folding or normalising disk would take for this one."""
    found = ""
    for part in path.split("/"):
        names = _folded_names(snapshot, found)
        name = names.get(_fold(part))
        if name is None:
            return None
        found = f"{found}/{name}" if found else name
    return found


@lru_cache(maxsize=32)
def _folded_names(snapshot: Files, folder: str) -> dict[str, str]:
    """The names in one folder by their folded form. A ledger whose artifacts are all gone asks again and again."""
    return {_fold(name): name for name in snapshot.names(folder)}


def _fold(name: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
