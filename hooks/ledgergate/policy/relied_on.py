"""The names of what the runner, its plugins and the gate import, as modules and as packages of an index or of npm."""

from __future__ import annotations

import re

START = frozenset({"sitecustomize", "usercustomize"})
_GATE = frozenset({"ledgergate", "pygit2", "_cffi_backend", "cffi", "yaml", "_yaml", "click", "pathspec", "defusedxml"})
_RUNNERS = frozenset(
    {
        *("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "exceptiongroup", "tomli", "xdist", "execnet"),
        *("coverage", "hypothesis", "_hypothesis_pytestplugin", "_hypothesis_ftz_detector", "_hypothesis_globals"),
        *("syrupy", "flaky", "inline_snapshot", "approvaltests", "xdoctest", "unittest", "doctest", "nose", "nose2"),
        *("tox", "nox", "behave", "robot", "virtualenv", "pre_commit", "prek", "pip", "setuptools", "pkg_resources"),
    }
)
# What those import, or import where it is there. Such names may mean other things elsewhere.
_IMPORTED = frozenset(
    {
        *("pygments", "platformdirs", "colorama", "attr", "attrs", "sortedcontainers", "typing_extensions", "psutil"),
        *("filelock", "cachetools", "chardet", "distlib", "pyproject_api", "argcomplete", "setproctitle", "wcwidth"),
        *("importlib_metadata", "zipp", "cpuinfo", "pexpect", "ptyprocess", "colorlog", "humanize"),
        *("python_discovery", "dependency_groups", "tomli_w", "_distutils_hack", "identify", "cfgv", "nodeenv"),
    }
)
# The module that a package of another name brings.
_CALLED_OTHERWISE = {"pyyaml": "yaml"}
_NPM_RUNNER = re.compile(
    r"(?<![\w-])(?:@(?:jest|vitest|playwright|tapjs|cucumber|web|wdio)/[\w.-]+|(?:ts-|babel-)?jest(?:-[\w-]+)?|vitest|vite"
    r"|mocha|ava|jasmine(?:-[\w-]+)?|karma(?:-[\w-]+)?|tap|cypress|playwright|nyc|c8|uvu|qunit|chai|expect|sinon)(?![\w-])"
)
# A release or range of releases, or a name for one; `$NAME` repeats the project's own.
_NPM_VERSION = re.compile(r"\$?[\w.^~<>=|*+ -]*|catalog:[\w-]*")


def is_anywhere(module: str) -> bool:
    """Whether tests or the gate rely on a module of this name, and nothing else is likely to be called so."""
    return module in START or module in _GATE or module in _RUNNERS


def is_imported(module: str) -> bool:
    """Whether test tools import a module of this name, which may mean other things elsewhere."""
    return module in _IMPORTED


def is_relied_on(package: str) -> bool:
    """Whether tests or the gate rely on a package or module, by its name: case, `-` and `_` do not count."""
    name = module_of(package)
    name = _CALLED_OTHERWISE.get(name, name)
    return is_anywhere(name) or is_imported(name)


def module_of(package: str) -> str:
    """The module that a package would bring, to go by its name alone: in small letters, with `_` for `-` and `.`."""
    return re.sub(r"[-_.]+", "_", package.strip().lower())


def is_npm_runner(package: str) -> bool:
    """Whether a key of `package.json`, such as `jest`, `**/mocha` or `@vitest/runner@2`, names what runs tests."""
    return _NPM_RUNNER.search(package) is not None


def is_npm_version(value: object) -> bool:
    """Whether what a key of `package.json` asks for is a version, and no folder, address, revision or other package."""
    return isinstance(value, str) and _NPM_VERSION.fullmatch(value) is not None
