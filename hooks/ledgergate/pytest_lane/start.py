"""What happens before the first test is looked for: options, scope, refusals."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from ledgergate.errors import LedgergateError
from ledgergate.pytest_lane.report import refused_report, shard_keys, write_json
from ledgergate.pytest_lane.scope import Drafts, Scope, read_scope
from ledgergate.pytest_lane.updates import golden_update
from ledgergate.values import display_path

_REPORTS = ".ledgergate/reports"


class Wish(NamedTuple):
    """What the options ask for. Either `lane` or `only` is set; `now` is the clock at the start.

    `shard` is (which part of the lane this is, from 1; of how many), None for all of it.
    """

    lane: str | None
    only: str | None
    report: Path
    scope: Scope
    tree: str | None
    seed: int | None
    now: datetime
    shard: tuple[int, int] | None


_WISH = pytest.StashKey[Wish]()


def prepare(config: pytest.Config) -> None:
    """Remove an old report, read what the run is held to, and keep the drafts out, before any test code is imported.

    Raises `pytest.UsageError` for whatever stands against the run.
    """
    options = config.known_args_namespace
    lane, only = options.ledgergate_lane, options.ledgergate_only
    if not lane and not only:
        raise pytest.UsageError("--ledgergate-lane: a lane needs a name")
    if lane and only:
        raise pytest.UsageError("--ledgergate-only is never evidence: leave --ledgergate-lane out, or the other")
    shard = _shard(options.ledgergate_shard, lane)
    name = lane or f"only-{only}"
    part = f".{shard[0]}-of-{shard[1]}" if shard else ""
    report = _report_path(config, f"{name}{part}", options.ledgergate_report)
    if lane:
        _remove(report)
    now = datetime.now(UTC)
    try:
        scope = read_scope(config.rootpath, now)
    except LedgergateError as error:
        raise pytest.UsageError(f"ledgergate: {error.message} ({error.rule})") from error
    if scope.root != config.rootpath:
        raise pytest.UsageError(
            f"ledgergate: ids in the ledger begin at {scope.root}, and pytest's at {config.rootpath}: "
            f"run pytest with --rootdir={scope.root}"
        )
    settings = config.inipath
    if lane and settings is not None and scope.root not in settings.parents:
        raise pytest.UsageError(
            f"ledgergate: {settings} lies outside of what is tested, and its settings would steer the run: give "
            "pytest settings in the repository, if only an empty [tool.pytest.ini_options] in pyproject.toml"
        )
    config.stash[_WISH] = Wish(
        lane, only, report, scope, os.environ.get("LEDGERGATE_TREE") or None, _seed(), now, shard
    )
    if only != "draft":
        _refuse_drafts(config, scope, options.file_or_dir or config.getini("testpaths"))


def start(config: pytest.Config) -> None:
    """Refuse what would rewrite goldens, and register what watches the run."""
    wish = config.stash[_WISH]
    if wish.only is not None:
        from ledgergate.pytest_lane.only import OnlyPlugin

        config.pluginmanager.register(OnlyPlugin(wish.only, wish.report, wish.scope), "ledgergate-only")
        return
    option = golden_update(vars(config.option), os.environ, _inline_flags(config))
    if option is not None:
        write_json(wish.report, {wish.lane: {**refused_report(option), **shard_keys(wish.shard)}})
        raise pytest.UsageError(
            f"ledgergate: {option} makes the run rewrite what it is compared with, and such a run proves nothing "
            "(golden-update-run)"
        )
    from ledgergate.pytest_lane.plugin import LanePlugin

    config.pluginmanager.register(LanePlugin(config, wish), "ledgergate-lane")


def _report_path(config: pytest.Config, name: str, given: str | None) -> Path:
    path = given or os.environ.get("LEDGERGATE_REPORT")
    if path:
        return config.invocation_params.dir / path
    if name != os.path.basename(name) or name.startswith(".") or "\\" in name:  # noqa: PTH119 - a name, and no path
        raise pytest.UsageError(f"--ledgergate-lane: {name} is no file name, so say --ledgergate-report=PATH as well")
    folder = config.rootpath / _REPORTS
    folder.mkdir(parents=True, exist_ok=True)
    # Reports are made anew for each run, and are nothing to commit.
    (folder / ".gitignore").write_text("*\n", encoding="ascii")
    return folder / f"{name}.json"


def _remove(report: Path) -> None:
    try:
        report.unlink(missing_ok=True)
    except OSError as error:
        raise pytest.UsageError(f"ledgergate: the old report {report} is in the way: {error}") from error


def _shard(text: str | None, lane: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    which, _, total = text.partition("/")
    numbers = [int(part) if part.isascii() and part.isdigit() else 0 for part in (which, total)]
    if not lane or not 1 <= numbers[0] <= numbers[1]:
        raise pytest.UsageError(f"--ledgergate-shard={text}: a shard is part of a lane, as 2/4 is the second of four")
    return numbers[0], numbers[1]


def _seed() -> int | None:
    text = os.environ.get("LEDGERGATE_SEED")
    if not text:
        return None
    if not text.isascii() or not text.isdigit():
        raise pytest.UsageError(f"LEDGERGATE_SEED is {text!r}, and has to be a decimal number")
    return int(text)


def _refuse_drafts(config: pytest.Config, scope: Scope, arguments: list[str]) -> None:
    """What is named on the command line pytest collects whatever a plugin says about it."""
    drafts = Drafts(scope)
    for argument in arguments:
        path = Path(os.path.abspath(config.invocation_params.dir / argument.partition("::")[0]))  # noqa: PTH100
        if path.exists() and any(drafts.hold(folder) for folder in _inside(path, scope.root)):
            raise pytest.UsageError(
                f"ledgergate: {display_path(argument)} holds drafts, and a run that is to be evidence does not even "
                "import them; `--ledgergate-only=draft` runs them alone"
            )


def _inside(path: Path, root: Path) -> Iterator[Path]:
    yield path
    yield from (folder for folder in path.parents if root in folder.parents)


def _inline_flags(config: pytest.Config) -> tuple[str, ...]:
    """What `[tool.inline-snapshot]` has that plugin do by default, where it is loaded."""
    settings = config.rootpath / "pyproject.toml"
    if "inline_snapshot" not in sys.modules or not settings.is_file():
        return ()
    from ledgergate.source.documents import read_toml

    try:
        flags = read_toml(settings.read_text("utf-8"))["tool"]["inline-snapshot"]["default-flags"]
    except (KeyError, TypeError, ValueError):
        return ()
    return tuple(map(str, flags)) if isinstance(flags, list) else ()
