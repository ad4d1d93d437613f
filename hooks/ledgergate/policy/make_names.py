"""Which targets and variables of make a line is about, where its name is a pattern or put together from variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from fnmatch import fnmatchcase

# A variable of targets (`test: PY = true`), which may be given by a pattern, and what stands for text put together.
_OF_TARGETS = re.compile(
    r"((?:\$[({][^(){}\n]*[)}]|\$\w|[^:=;#$\n])*)::?(?!=)[ \t]*(?:[^;#\n]*=|(?:(?:un)?export|override|private)\b)"
)
_PUT_TOGETHER = re.compile(r"\$[({][^(){}]*[)}]|\$\w")
# The name of a rule or a variable, with the sign after it.
_NAMED = re.compile(r"((?:\$[({][^(){}\n]*[)}]|\$\w|[^:=;#$\n?+!])*)(:{0,3}=|[?+!]=|::?)")
_LITERAL = re.compile(r"\s*([\w.-]+)\s*:{0,3}=\s*([\w./%-]*)\s*")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]")
_RULE = (":", "::")
_OF_MAKE = frozenset({"SHELL", ".SHELLFLAGS", "MAKE", "MAKEFLAGS", "MAKEFILES", "VPATH", "GPATH", "PATH"})


def globs(text: str) -> Iterator[str]:
    """The targets before a colon as globs; one that is all put together could be any, and is left out."""
    for word in _PUT_TOGETHER.sub("*", text.partition(":")[0]).split():
        if word.strip("*"):
            yield word.replace("%", "*")


def sets_for(text: str, targets: AbstractSet[str]) -> bool:
    """Whether a block sets a variable for one of these targets, by its name or by a pattern that it fits."""
    found = _OF_TARGETS.match(_joined(text))
    return found is not None and any(fnmatchcase(name, glob) for glob in globs(found[1]) for name in targets)


def by_parts(texts: Iterable[str], targets: AbstractSet[str], mentioned: AbstractSet[str]) -> Callable[[str], bool]:
    """What tells of a block whether its name, put together, may be one of the targets, or a variable that is mentioned.

    Variables stand for their value where a block of `texts` says it plainly, and else for anything.
    """
    plain = {found[1]: found[2] for text in texts if (found := _LITERAL.fullmatch(text))}

    def is_named(text: str) -> bool:
        found = _NAMED.match(_joined(text)) if "$" in text.partition("\n")[0] else None
        if found is None or "$" not in found[1]:
            return False
        name = _REFERENCE.sub(lambda one: plain.get(one[1], one[0]), found[1])
        is_rule = found[2] in _RULE
        fitting = tuple(globs(name)) if is_rule else (_PUT_TOGETHER.sub("*", name).strip(),)
        known = targets if is_rule else mentioned | _OF_MAKE
        return any(fnmatchcase(one, glob) for glob in fitting for one in known)

    return is_named


def _joined(text: str) -> str:
    return re.sub(r"\\\n\s*", " ", text)
