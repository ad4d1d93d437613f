"""TOML and YAML as others wrote them, read in a time that grows with their size alone.

Whoever proposes a change writes these files, too: `tomllib` takes half a minute for one endless dotted key, and so
does PyYAML's own scanner for as many open brackets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from yaml import Node

_MOST_PARTS = 200
# What PyYAML raises for a text that is none of what its tag says; and for what is too deep.
_OF_A_TAG = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError)
_STRING = r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'"""
_ENDLESS_KEY = rf"(?:[^.,=\[\]{{}}\n]*\.){{{_MOST_PARTS}}}"


def read_toml(text: str) -> dict[str, Any]:
    """The document. Raises `ValueError` for what is none, or is nested too deeply to be read."""
    import tomllib

    long = (line for line in text.splitlines() if line.count(".") >= _MOST_PARTS)
    if any(re.search(_ENDLESS_KEY, re.sub(_STRING, "", line)) for line in long):
        raise ValueError(f"a key has more than {_MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply to be read") from error


def read_yaml(text: str, *, aliases: bool = True) -> Any:
    """The document, by the safe types. Raises `ValueError` for what is none, and for an alias where none may be."""
    import yaml

    loader = _loader()
    try:
        if not aliases and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise ValueError("it holds an alias")
        return yaml.load(text, Loader=loader)  # noqa: S506 - the safe one
    except (yaml.YAMLError, *_OF_A_TAG) as error:
        raise ValueError(_in_one_line(error)) from error


def yaml_node(text: str) -> Node | None:
    """The document as nodes that know their lines; None where it is empty. Raises `ValueError` as `read_yaml` does."""
    import yaml

    try:
        node: Node | None = yaml.compose(text, Loader=_loader())
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(_in_one_line(error)) from error
    return node


def _loader() -> Any:
    try:
        from yaml import CSafeLoader
    except ImportError as error:
        raise ValueError("PyYAML has no libyaml here") from error
    return CSafeLoader


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or "it is nested too deeply to be read"
