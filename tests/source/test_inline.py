"""Which edits of a test file change the digest of one of its tests: attacks do, and their honest twins do not."""

from __future__ import annotations

import hashlib

from ledgergate.source.inline import covered_text, inline_digest
from ledgergate.source.text import Unreadable

SOURCE = '''\
# -*- coding: utf-8 -*-
"""Headers."""
import pytest

EXPECTED = 3


def helper(a):
    return a


def unrelated(): pass


@pytest.fixture
def fix():
    return 1


class TestA:
    size = 2

    def setup_method(self): pass

    def util(self):
        return helper(self.size)

    def other(self): pass

    # The test itself.
    @pytest.mark.slow
    def test_a(self):
        assert self.util() == 2   \n\

        assert EXPECTED

    def test_b(self):
        assert EXPECTED == 3


def test_c():
    assert EXPECTED == 3
'''
COVERED = '''\
# -*- coding: utf-8 -*-
"""Headers."""
import pytest
EXPECTED = 3
def helper(a):
    return a
@pytest.fixture
def fix():
    return 1
class TestA:
    size = 2
    def setup_method(self): pass
    def util(self):
        return helper(self.size)
    @pytest.mark.slow
    def test_a(self):
        assert self.util() == 2

        assert EXPECTED'''


def test_the_covered_lines() -> None:
    assert covered_text(SOURCE.encode(), ("TestA", "test_a")) == COVERED
    assert (
        inline_digest(SOURCE.encode(), ("TestA", "test_a")) == "sha256:" + hashlib.sha256(COVERED.encode()).hexdigest()
    )


def test_a_function_that_is_not_there_has_no_digest() -> None:
    assert isinstance(inline_digest(SOURCE.encode(), ("TestA", "test_c")), Unreadable)
