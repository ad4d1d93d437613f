"""The parts of a `tox.ini` or `setup.cfg` that steer tests."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as IniError

from ledgergate.policy import pins
from ledgergate.policy.import_roots import package_dir, unusual_folders
from ledgergate.policy.installed import is_open_folder, is_standing_command, is_test_group, stands_in
from ledgergate.policy.pins import Part

Sections = Mapping[str, Mapping[str, str]]

_WHOLE = re.compile(
    r"\s*(?:pytest|tool:pytest|coverage|tox|testenv|gh-actions|gh\s*$|nose|unittest|easy_install\s*$|install\s*$|develop\s*$)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"\{\[([^\]]+)\]")
_ENVIRONMENT = "testenv:"
_PLAIN_NAME = re.compile(r"testenv:[A-Za-z][\w-]*")
_PYTHON_FACTOR = re.compile(r"(?:py|pypy|python|cpython|jython|graalpy|rustpython|ironpython)?[\d.]*")
_LISTS = ("envlist", "env_list")
# What an environment may say of itself that touches no other.
_OWN_SETTINGS = frozenset(
    {
        *("commands", "deps", "extras", "dependency_groups", "skip_install", "basepython", "base_python", "usedevelop"),
        *("allowlist_externals", "whitelist_externals", "passenv", "pass_env", "setenv", "set_env"),
    }
)
# Keys that list what is installed; the sections `files` and `entry_points` are those of pbr.
_INSTALLED = frozenset({("options", "scripts"), ("options", "py_modules"), ("options", "packages")})
_REQUIREMENTS = ("deps", "install_requires", "tests_require")


def ini_parts(text: str) -> Iterator[Part]:
    """Each part that steers tests. Raises `ValueError` for what cannot be read for certain.

    Such parts are: the sections of pytest, coverage, tox and its environments with every section that these refer to,
    entry points that test tools load, files that are installed in the place of one or for Python to read when it
    starts, and the pins of ledgergate, pytest and pytest plugins. A section counts by being there, too: pytest goes by
    that.
    """
    return _parts(_read(text))


def ini_parts_since(old: str, new: str) -> Iterator[Part]:
    """The parts of `new` without environments of tox that came since `old` and run no tests, nor steer what does.

    That such a one is named in the list of environments is no part either.
    """
    before, after = _read(old), _read(new)
    free = frozenset(
        name for name in after if name not in before and _is_harmless_environment(name, before, after[name])
    )
    kept = {name: values for name, values in after.items() if name not in free}
    names = [name.removeprefix(_ENVIRONMENT) for name in free]
    if "tox" in kept:
        kept["tox"] = {k: _without(v, names) if k in _LISTS else v for k, v in kept["tox"].items()}
    return _parts(kept)


def _parts(sections: Sections) -> Iterator[Part]:
    whole = _whole_sections(sections)
    for name, values in sections.items():
        if name in whole:
            yield (name, ""), ""
        for key, value in values.items():
            part = _whole_value(key, value) if name in whole else _guarded_value(name, key, value)
            if part is not None:
                yield (name, key), part


def _read(text: str) -> Sections:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    if lines.splitlines() != lines.removesuffix("\n").split("\n") and lines:
        # pytest ends lines at characters where tox and setuptools do not: they would see other sections than we.
        raise ValueError("it holds an unusual line separator")
    parser = ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(lines)
    except IniError as error:
        raise ValueError(" ".join(str(error).split())) from error
    return {name: dict(parser.items(name)) for name in parser.sections()}


def _whole_sections(sections: Sections) -> frozenset[str]:
    """The sections that steer tests as a whole, and those that they take values from."""
    found: set[str] = set()
    waiting = [name for name in sections if _WHOLE.match(name)]
    while waiting:
        name = waiting.pop()
        if name in sections and name not in found:
            found.add(name)
            waiting.extend(_REFERENCE.findall("\n".join(sections[name].values())))
            waiting.extend(re.split(r"[\s,]+", sections[name].get("base", "")))
    return frozenset(found)


def _is_harmless_environment(name: str, before: Sections, values: Mapping[str, str]) -> bool:
    """Whether a new section is an environment of its own that runs other things than tests.

    It says itself what it runs, nowhere but in an environment of its own, and none that was there before, nor a Python
    version, is called like it or a factor of it: else it would be another's settings.
    """
    called = name.removeprefix(_ENVIRONMENT)
    if not _PLAIN_NAME.fullmatch(name) or pins.runs_tests(called) or not values.get("commands", "").strip():
        return False
    mentioned = {
        word for section in before for word in _words(section, *before[section].keys(), *before[section].values())
    }
    if any(_PYTHON_FACTOR.fullmatch(factor) or factor in mentioned for factor in (called, *called.split("-"))):
        return False
    told = {key: value for key, value in values.items() if key != "description"}
    text = "\n".join(value for key, value in told.items() if key != "deps")
    return (
        told.keys() <= _OWN_SETTINGS
        and not pins.says_tests(text)
        and "{[" not in text.replace("{[testenv]deps}", "")
        and _guarded_lines(told.get("deps", ""), for_pip=True) is None
    )


def _words(*texts: str) -> Iterator[str]:
    for text in texts:
        for word in re.findall(r"[\w.-]+", text):
            yield from (word, *word.split("-"))


def _without(listed: str, names: list[str]) -> str:
    for name in names:
        listed = re.sub(rf"(?:^|[,\s]+){re.escape(name)}(?=$|[,\s])", "", listed)
    return listed.strip(", \t\n") if names else listed


def _whole_value(key: str, value: str) -> str | None:
    return _guarded_lines(value, for_pip=True) if key.lower() in _REQUIREMENTS else value.strip()


def _guarded_value(section: str, key: str, value: str) -> str | None:
    """What counts of a value in a section that as a whole does not steer tests."""
    key = key.replace("-", "_")
    if section in ("options.entry_points", "entry_points"):
        return _entry_points(key, value)
    if section == "options.extras_require" or (section == "options" and key in _REQUIREMENTS):
        return _guarded_lines(value)
    if section == "options" and key in ("entry_points", "setup_requires"):
        return value.strip()
    if (section, key) in _INSTALLED or section in ("options.data_files", "files"):
        return _installed_lines(key, value)
    if (section, key) == ("metadata", "name") and pins.is_in_the_way(value):
        return value.strip()
    if section.startswith("options.packages.find") and key == "where":
        return unusual_folders(iter(re.split(r"[,\s]+", value.strip())))
    if (section, key) == ("options", "package_dir"):
        pairs = (line.partition("=") for line in re.split(r"[,\n]", value) if line.strip())
        moved = [package_dir(package.strip(), folder.strip()) for package, _, folder in pairs]
        return json.dumps(sorted(filter(None, moved))) if any(moved) else None
    if section == "aliases" and pins.runs_tests(f"{key} {value}"):
        return value.strip()
    return None


def _entry_points(group: str, value: str) -> str | None:
    lines = sorted(_lines(value))
    if is_test_group(group):
        return json.dumps(lines)
    named = [line for line in lines if is_standing_command(line.partition("=")[0].strip())]
    return json.dumps(named) if named else None


def _installed_lines(key: str, value: str) -> str | None:
    """The lines that may put a test tool's command, or what Python reads when it starts, into place."""
    is_command = key == "scripts" or is_open_folder(key)
    found = [
        line
        for line in _lines(value)
        if any(stands_in(name, as_command=is_command) for name in re.split(r"[\s,=]+", line) if name)
    ]
    return json.dumps(sorted(found)) if found else None


def _guarded_lines(value: str, *, for_pip: bool = False) -> str | None:
    guarded = pins.guarded_requirements(_lines(value), for_pip=for_pip)
    return json.dumps(guarded) if guarded else None


def _lines(value: str) -> list[str]:
    return [line.strip() for line in value.split("\n") if line.strip()]
