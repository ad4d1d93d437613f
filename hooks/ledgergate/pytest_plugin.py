"""The pytest plugin: four options, and nothing else until one of them is given (`ledgergate.pytest_lane`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ledgergate")
    group.addoption("--ledgergate-lane", metavar="NAME", help="Run as this lane, and write its report.")
    group.addoption(
        "--ledgergate-only",
        choices=("quarantine", "draft"),
        help="Run the tests of this class alone, and record how they end. That is never evidence.",
    )
    group.addoption("--ledgergate-shard", metavar="I/N", help="This is part I of N of the lane; I begins at 1.")
    group.addoption("--ledgergate-report", metavar="PATH", help="Where the report is written.")


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    # Before any conftest, since that of a draft must not be imported.
    options = early_config.known_args_namespace
    given = (options.ledgergate_lane, options.ledgergate_only, options.ledgergate_shard, options.ledgergate_report)
    if any(option is not None for option in given):
        from ledgergate.pytest_lane.start import prepare

        prepare(early_config)


def pytest_configure(config: pytest.Config) -> None:
    if config.option.ledgergate_lane is not None or config.option.ledgergate_only:
        from ledgergate.pytest_lane.start import start

        start(config)
