"""Gitignore-style globs, compiled into one predicate over git paths."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

Predicate = Callable[[str], bool]

# What a glob may hold to be translated here. pathspec reads every other one, but importing it takes ten milliseconds,
# which a hook should not spend on `tests/**`. A test holds both to the same answers.
_SEGMENT = r"(?:[\w.-]|\*(?!\*))+"
_PLAIN = re.compile(rf"/?{_SEGMENT}(?:/{_SEGMENT})*(?:/\*\*|/)?")

# Characters that HFS+ leaves out of a name when it compares.
_UNSEEN = dict.fromkeys([*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF])


def compile_globs(globs: Iterable[str], *, anchored: bool = False, folded: bool = False) -> Predicate:
    """A predicate that says whether a git path matches a list of globs; the last glob that matches it decides.

    `anchored` reads every glob from the repository's root, also one without a slash. `folded` also matches the path in
    its case-folded NFC form against the globs in theirs, since that is one file on many disks.
    Raises `ValueError` where a glob cannot be read.
    """
    rooted = [_anchor(glob) if anchored else glob for glob in globs]
    exact = _compile(rooted)
    if not folded:
        return exact
    folded_globs = [fold_path(glob) for glob in rooted]
    loose = exact if folded_globs == rooted else _compile(folded_globs)

    def matches(path: str) -> bool:
        other = fold_path(path)
        return exact(path) or ((other != path or loose is not exact) and loose(other))

    return matches


def fold_path(path: str) -> str:
    """The path as disks would know it that ignore case, composition and, as those of older Macs, what is not seen."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path.translate(_UNSEEN)).casefold())


def check_glob(glob: str) -> None:
    """Raises `ValueError` with the reason where a glob could never match, or cannot be read at all."""
    if glob != glob.strip():
        raise ValueError("has white space around it")
    if not glob.strip("!/"):
        raise ValueError("is empty")
    if not glob.isprintable():
        raise ValueError("holds a control character")
    if glob.startswith("#"):
        raise ValueError(r"is a comment; write \# for a name that begins with #")
    segments = glob.removeprefix("!").removeprefix("/").removesuffix("/").split("/")
    if any(segment in ("", ".", "..") for segment in segments):
        raise ValueError("has an empty, `.` or `..` segment, so that it could never match a path of the repository")
    for spelling in (glob, fold_path(glob)):
        _compile([spelling])


def _anchor(glob: str) -> str:
    return glob if glob.startswith("/") else f"/{glob}"


def _compile(globs: list[str]) -> Predicate:
    if all(map(_PLAIN.fullmatch, globs)):
        return _compile_plain(globs)
    return _compile_any(globs)


def _compile_plain(globs: list[str]) -> Predicate:
    matches = re.compile("|".join(map(_translate, globs)) or "(?!)", re.DOTALL).match
    return lambda path: matches(path) is not None


def _translate(glob: str) -> str:
    below = glob.removesuffix("**") if glob.endswith("/**") else glob
    body = below.strip("/")
    start = "" if "/" in below.removesuffix("/") or glob.endswith("/**") else "(?:.+/)?"
    segments = ("[^/]+" if part == "*" else re.escape(part).replace(r"\*", "[^/]*") for part in body.split("/"))
    return start + "/".join(segments) + ("/" if below.endswith("/") else r"(?:/|\Z)")


def _compile_any(globs: list[str]) -> Predicate:
    import warnings

    from pathspec import GitIgnoreSpec

    with warnings.catch_warnings():
        # A bracket that means something else to `re` than to git is refused, not guessed at.
        warnings.simplefilter("error")
        try:
            spec = GitIgnoreSpec.from_lines(globs)
        except (ValueError, re.error, Warning) as error:
            raise ValueError("cannot be read as a glob") from error
    if len(spec.patterns) != len(globs) or any(pattern.include is None for pattern in spec.patterns):
        raise ValueError("cannot be read as a glob")
    # Its expressions let a dot stop at a line end, which a name may hold; NUL is in no name.
    return lambda path: bool(spec.check_file(path.replace("\n", "\0")).include)
