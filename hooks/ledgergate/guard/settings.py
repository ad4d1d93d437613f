"""Settings of test runners: what of them decides which tests run, and what a failure counts for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from ledgergate.guard.loss import Loss
from ledgergate.source.documents import read_toml

# A plugin that is a file of the project, and no package.
_PLUGIN = r"-p[ =]?(?!no:)((?:tests?|testing|plugins?|conftest)(?:[._]\w+)*|\w+(?:\.\w+)+)"
_OWN_PLUGIN = "all runs load a plugin of the project now: `"
_SECTIONS = ("pytest", "tool:pytest")
_STRICT_XFAIL = ("xfail_strict", "strict_xfail")
NOT_STRICT = "tests that are expected to fail may pass now (xfail_strict)"
# In the order in which pytest looks for them.
FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
_PATTERNS = {
    "python_files": frozenset({"test_*.py", "*_test.py"}),
    "python_classes": frozenset({"Test"}),
    "python_functions": frozenset({"test"}),
}
_USUAL_FOLDERS = (
    r"(?:\.\./)*\.{0,2}/?|(?:\.\./)+src/?|(?:\./)?(?:src|lib|python|tests?|testing|\.)/?|(?:\./)?[\w./-]+/src/?"
)
_SHORT_WITH_VALUE = r"(-[kmco])(.+)"
_WITHOUT_MARKS = r"`-m[ =]?(not \w+(?: and not \w+)*)` leaves out tests.*"
_STRICT = frozenset({"--strict-markers", "--strict-config", "--strict"})


@cache
def _harmful() -> re.Pattern[str]:
    """Options that leave tests out, or let a failure count for less; those with a value are compared with it."""
    return re.compile(
        r"-k|-m|--ignore|--ignore-glob|--deselect|--co|--collect-only|--noconftest|--lf|--last-failed|--ff|--sw|--stepwise"
        r"|--stepwise-skip|--nf|--continue-on-collection-errors|--suppress-no-test-exit-code|--suppress-tests-failed-exit-code"
        r"|-c|--config-file|--rootdir|--confcutdir|--pyargs|-o|--override-ini|--maxfail-exit|--disable-plugin-autoload"
        r"|--runxfail|--reruns|--only-rerun|--setup-only|--setup-plan|--no-strict|--snapshot-update|--inline-snapshot"
        r"|--keyword|--markexpr|--version|-V|-VV|-h|--help|--markers|--fixtures|--fixtures-per-test|--cache-show|--trace-config-only"
        r"|--force-regen|--testmon|--picked|--exitfirst-ok|--nomatch|--collect-in-virtualenv"
    )


def is_usual_folder(name: str) -> bool:
    """Whether code that is tested usually lies in a folder of that name."""
    return re.fullmatch(_USUAL_FOLDERS, name) is not None


def changed_settings(
    path: str,
    old: bytes | None,
    new: bytes | None,
    holds_tests: Callable[[str], bool] = lambda _folder: True,
    is_carried: Callable[[str], bool] = lambda _mark: True,
) -> Iterator[Loss]:
    """What settings came to leave out. `path` is that of an INI or TOML file; what cannot be read waits for a human.

    `holds_tests` says whether tests lay below a folder whose name is like a pattern, and `is_carried` whether any of
    them had a mark.
    """
    try:
        before, after = _settings(path, old), _settings(path, new)
    except (ValueError, RecursionError) as error:
        yield Loss("collection-changed", path, f"It cannot be read: {error}", waits=True)
        return
    texts = [(data or b"").decode("utf-8", "replace") for data in (old, new)]
    if any(before.get(name, "").lower() in _TRUE for name in _STRICT_XFAIL) and not _is_strict(after):
        yield Loss("collection-changed", path, NOT_STRICT, waits=not after)
    for key in sorted(before.keys() | after.keys()):
        for message in _judged(key, before.get(key), after.get(key), holds_tests):
            (_, was), (line, now) = (_line_of(text, key) for text in texts)
            # Where all settings went, those of another file may come in their place.
            waits = not after or message.startswith(_OWN_PLUGIN) or _leaves_out_none(message, is_carried)
            yield Loss("collection-changed", path, message, None, line, was, now, waits)


def _leaves_out_none(message: str, is_carried: Callable[[str], bool]) -> bool:
    """Whether an option leaves out marks alone that no old test has."""
    found = re.fullmatch(_WITHOUT_MARKS, message)
    return found is not None and not any(map(is_carried, re.findall(r"\bnot (\w+)", found[1])))


def test_paths(read: Callable[[str], bytes | None]) -> tuple[str, ...]:
    """The paths that the settings of pytest name; `read` gives a file."""
    return tuple(one.strip("/").removeprefix("./") for one in _in_force(read).get("testpaths", "").split())


def options(read: Callable[[str], bytes | None]) -> str:
    """The options that the settings of pytest give to all runs; `read` gives a file."""
    return _in_force(read).get("addopts", "")


def _in_force(read: Callable[[str], bytes | None]) -> Mapping[str, str]:
    """The settings of the first file that holds any; none where it cannot be read."""
    for path in FILES:
        data = read(path)
        try:
            found = _settings(path, data) if data is not None else {}
        except (ValueError, RecursionError):
            return {}
        if found or (data is not None and path.endswith("pytest.ini")):
            return found
    return {}


def is_strict(path: str, data: bytes | None) -> bool:
    """Whether settings have tests fail that pass in spite of `xfail`."""
    try:
        return _is_strict(_settings(path, data))
    except (ValueError, RecursionError):
        return False


def _is_strict(settings: Mapping[str, str]) -> bool:
    return any(settings.get(name, "").lower() in _TRUE for name in (*_STRICT_XFAIL, "strict"))


def _judged(key: str, old: str | None, new: str | None, holds_tests: Callable[[str], bool]) -> Iterator[str]:
    was, now = old or "", new or ""
    if old == new:
        return
    if key == "addopts":
        known = list(harmful_options(was))
        more = [one for one in harmful_options(now) if one not in known]
        plugins = set(re.findall(_PLUGIN, now)) - set(re.findall(_PLUGIN, was))
        yield from (f"{_OWN_PLUGIN}{one}`" for one in sorted(plugins))
        yield from (f"`{one}` leaves out tests, or lets failures count for less" for one in more)
    elif key in _PATTERNS:
        lost = (set(was.split()) or _PATTERNS[key]) - (set(now.split()) or _PATTERNS[key])
        if lost and not any(_is_wider(one, glob) for one in lost for glob in now.split()):
            yield f"{key} has no `{min(lost)}` any more"
    elif key in ("collect_ignore", "collect_ignore_glob"):
        yield f"{key} changed"
    else:
        yield from _folders(key, was.split(), now.split(), holds_tests)


def _folders(key: str, was: Sequence[str], now: Sequence[str], holds_tests: Callable[[str], bool]) -> Iterator[str]:
    if key == "testpaths":
        kept = [one.rstrip("/") for one in now]
        lost = [one.rstrip("/") for one in was if one.rstrip("/") not in kept]
        gone = [one for one in lost if not any(one.startswith(f"{other}/") for other in kept)]
        if gone and now and "." not in now:
            yield f"testpaths has no `{gone[0]}` any more"
    elif key == "norecursedirs":
        more = sorted(one for one in set(now) - set(was) - _USUALLY_LEFT_OUT if not one.startswith("."))
        yield from (f"norecursedirs leaves out `{one}`" for one in more if holds_tests(one))
    elif key == "pythonpath":
        more = sorted(one for one in set(now) - set(was) if not is_usual_folder(one))
        yield from (f"modules of `{one}` come first now" for one in more)


_TRUE = ("true", "1", "yes", "on")
_USUALLY_LEFT_OUT = frozenset(
    {
        *("*.egg", ".*", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}", ".git", ".tox", ".venv"),
        *("*.egg-info", "__pycache__", ".hypothesis", ".nox", "docs", ".eggs", "env", ".env", ".mypy_cache"),
    }
)


def harmful_options(text: str) -> Iterator[str]:
    """The options in a command line of pytest that leave tests out, or let a failure count for less."""
    import shlex

    try:
        words = shlex.split(text, comments=False)
    except ValueError:
        words = text.split()
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        following = words[number + 1] if number + 1 < len(words) else ""
        short = re.fullmatch(_SHORT_WITH_VALUE, word)
        if word == "-p" and following.startswith("no:") and following[3:] not in _FREE_PLUGINS:
            yield f"-p {following}"
        elif name.startswith("-pno:") or (short is not None and not word.startswith("--")) or _is_one_of(words, number):
            yield word
        elif name.startswith("--ignore") and (value or following).strip("./") in _USUALLY_LEFT_OUT:
            continue
        elif _harmful().fullmatch(name):
            yield f"{name}={value}" if equals else f"{name} {following}".strip()


def _is_one_of(words: Sequence[str], number: int) -> bool:
    """Whether a word names some of the tests, and is no value of an option before it."""
    return re.fullmatch(_ONE_FILE, words[number]) is not None and (number == 0 or words[number - 1] in _PLAIN)


# A file, a test or a folder below that of the tests, in the place of all tests.
_ONE_FILE = r"(?:\./)?(?:[\w.-]+/)*[\w.-]+\.py(?:::\S+)?|(?:\./)?tests?(?:/[\w.-]+)+/?"
_PLAIN = frozenset({"-q", "-v", "-vv", "-s", "-x", "-l", "-ra", "-rA", "-qq", "--strict-markers", "--strict-config"})
_FREE_PLUGINS = frozenset(
    {"cacheprovider", "warnings", "nose", "randomly", "sugar", "doctest", "logging", "legacypath"}
)


def _is_wider(lost: str, glob: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(lost.replace("*", "x"), glob if "*" in glob else f"{glob}*")


def _settings(path: str, data: bytes | None) -> Mapping[str, str]:
    if data is None:
        return {}
    text = data.decode("utf-8")
    if path.endswith(".toml"):
        document = read_toml(text)
        pytest = _table(_table(document, "tool") if path.endswith("pyproject.toml") else document, "pytest")
        found = {**{k: v for k, v in pytest.items() if k != "ini_options"}, **_table(pytest, "ini_options")}
        return {key: _as_text(value) for key, value in found.items()}
    from configparser import ConfigParser
    from configparser import Error as IniError

    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except IniError as error:
        raise ValueError(" ".join(str(error).split())) from error
    return {key: value.strip() for name in parser.sections() if name in _SECTIONS for key, value in parser.items(name)}


def _table(document: Mapping[str, object], key: str) -> Mapping[str, object]:
    found = document.get(key, {})
    if not isinstance(found, dict):
        raise ValueError(f"`{key}` is no table")  # noqa: TRY004 - what reads settings knows this one
    return found


def _as_text(value: object) -> str:
    if isinstance(value, list):
        import shlex

        return " ".join(shlex.quote(str(one)) if " " in str(one) else str(one) for one in value)
    return str(value).strip()


def _line_of(text: str, key: str) -> tuple[int | None, str | None]:
    """The number of the line that sets a key, and the line itself."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\"?{re.escape(key)}\"?\s*[=:]", line):
            return number, line.strip()
    return None, None
