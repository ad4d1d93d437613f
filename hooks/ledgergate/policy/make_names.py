"""Which targets and variables of make a line is about, where its name is a pattern or put together from variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase

# A variable of targets (`test: PY = true`), which may be given by a pattern, and what stands for text put together.
_OF_TARGETS = re.compile(
    r"((?:\$[({][^(){}\n]*[)}]|\$\w|[^:=;#$\n])*)::?(?!=)[ \t]*(?:[^;#\n]*=|(?:(?:un)?export|override|private)\b)"
)
_PUT_TOGETHER = re.compile(r"\$[({][^(){}]*[)}]|\$\w")
# The name of a rule or a variable, with the sign after it.
_NAMED = re.compile(r"((?:\$[({][^(){}\n]*[)}]|\$\w|[^:=;#$\n?+!])*)(:{0,3}=|[?+!]=|::?)")
_LITERAL = re.compile(r"\s*+([\w.-]+)\s*+:{0,3}=\s*+([\w./%-]*+)\s*+")
_SET = re.compile(r"\s*+(?:(?:define|export|override|private)\s++)*+([\w.-]+)\s*+(?:[?+!]|:{0,3})=")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]")
_RULE = (":", "::")
_OF_MAKE = frozenset({"SHELL", ".SHELLFLAGS", "MAKE", "MAKEFLAGS", "MAKEFILES", "VPATH", "GPATH", "PATH"})


def globs(text: str) -> Iterator[str]:
    """The targets before a colon as globs; one that is all put together could be any, and is left out."""
    for word in _PUT_TOGETHER.sub("*", text.partition(":")[0]).split():
        if word.strip("*"):
            yield word.replace("%", "*")


class Names:
    """Names that globs are held against, in time that does not grow with the product of both for plain ones."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._lines = "\n".join(self._names)

    def fit(self, glob: str) -> bool:
        """Whether one of the names fits, as `fnmatchcase` says."""
        if "?" in glob or "[" in glob:
            return any(fnmatchcase(name, glob) for name in self._names)
        first, *others = map(re.escape, re.split(r"\*+", glob))
        if not others:
            return glob in self._names
        # What has been found for the parts between two stars is not looked for again: that would take for ever.
        between = "".join(rf"(?>[^\n]*?{part})" for part in others[:-1])
        return re.search(rf"^{first}{between}[^\n]*{others[-1]}$", self._lines, re.MULTILINE) is not None


def sets_for(text: str, targets: Names) -> bool:
    """Whether a block sets a variable for one of these targets, by its name or by a pattern that it fits."""
    found = _OF_TARGETS.match(_joined(text))
    return found is not None and any(map(targets.fit, globs(found[1])))


def by_parts(texts: Iterable[str], targets: Names, mentioned: Iterable[str]) -> Callable[[str], bool]:
    """What tells of a block whether its name, put together, may be one of the targets, or a variable that is mentioned.

    Variables stand for their value where a block of `texts` says it plainly, and else for anything.
    """
    variables = Names(_OF_MAKE.union(mentioned))
    plain = _plain_values(texts)

    def is_named(text: str) -> bool:
        found = _NAMED.match(_joined(text)) if "$" in text.partition("\n")[0] else None
        if found is None or "$" not in found[1]:
            return False
        name = _REFERENCE.sub(lambda one: plain.get(one[1], one[0]), found[1])
        is_rule = found[2] in _RULE
        fitting = tuple(globs(name)) if is_rule else (_PUT_TOGETHER.sub("*", name).strip(),)
        known = targets if is_rule else variables
        return any(map(known.fit, fitting))

    return is_named


def _plain_values(texts: Iterable[str]) -> dict[str, str]:
    """The values of variables that are set to one literal, and to nothing else anywhere."""
    values: dict[str, set[str | None]] = {}
    for text in texts:
        if found := _SET.match(text):
            literal = _LITERAL.fullmatch(text)
            values.setdefault(found[1], set()).add(literal[2] if literal else None)
    return {name: value for name, (value, *others) in values.items() if value is not None and not others}


def _joined(text: str) -> str:
    return re.sub(r"\\\n\s*", " ", text)
