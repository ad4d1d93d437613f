"""The options that say what a test is held to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

F = TypeVar("F", bound=Callable[..., object])


def held_options(command: F) -> F:
    """Adds `--class`, `--artifact` (again for more), `--inline`, `--invariant` and `--seeds`."""
    classes = click.Choice(["property", "locked_fixture"])
    command = click.option("--seeds", metavar="FOLDER/", help="The property's folder of seeds.")(command)
    command = click.option("--invariant", metavar="NAME", help="What always holds: the property's name.")(command)
    command = click.option("--inline", is_flag=True, help="Its own source, beside its golden where it has one.")(
        command
    )
    command = click.option(
        "--artifact", "artifacts", multiple=True, metavar="PATH", help="The golden; may be given again."
    )(command)
    return click.option("--class", "class_", type=classes, help="What the test is; the options above tell as well.")(
        command
    )
