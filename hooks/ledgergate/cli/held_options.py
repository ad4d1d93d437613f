"""The options that say what a test is held to."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ledgergate.amend import Wish

_CLASSES = click.Choice(["property", "locked_fixture"])


def held_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds `--class`, `--artifact` (again for more), `--inline`, `--invariant` and `--seeds`: the argument `wish`."""

    @click.option("--class", "class_", type=_CLASSES, help="What the test is; the options above tell as well.")
    @click.option("--artifact", "artifacts", multiple=True, metavar="PATH", help="The golden; may be given again.")
    @click.option("--inline", is_flag=True, help="Its own source, beside its golden where it has one.")
    @click.option("--invariant", metavar="NAME", help="What always holds: the property's name.")
    @click.option("--seeds", metavar="FOLDER/", help="The property's folder of seeds.")
    @wraps(command)
    def with_wish(
        *,
        class_: str | None,
        artifacts: tuple[str, ...],
        invariant: str | None,
        seeds: str | None,
        inline: bool,
        **others: Any,
    ) -> int:
        return command(wish=Wish(class_, artifacts, invariant, seeds, inline), **others)

    return with_wish
