"""The cyclic collector: off for a while, and back as it was."""

from __future__ import annotations

import gc

import pytest

from ledgergate.source.collector import without_cyclic_collection


@pytest.mark.parametrize("is_on", [True, False])
def test_it_is_off_meanwhile_and_then_as_it_was(is_on: bool) -> None:
    was = gc.isenabled()
    (gc.enable if is_on else gc.disable)()
    try:
        with pytest.raises(ValueError, match="inside"), without_cyclic_collection():
            with without_cyclic_collection():
                pass
            assert not gc.isenabled()
            raise ValueError("inside")
        assert gc.isenabled() is is_on
    finally:
        (gc.enable if was else gc.disable)()


def test_cycles_from_meanwhile_are_still_found() -> None:
    class Node:
        alive = 0

        def __init__(self) -> None:
            self.me = self
            Node.alive += 1

        def __del__(self) -> None:
            Node.alive -= 1

    with without_cyclic_collection():
        Node()
        assert Node.alive == 1
    gc.collect()
    assert Node.alive == 0
