"""Which refs are protected."""

from __future__ import annotations

import pytest

from ledgergate.policy.model import Policy
from ledgergate.policy.refs import is_protected_ref


@pytest.mark.parametrize(
    ("ref", "is_protected"),
    [
        ("refs/heads/main", True),
        ("refs/heads/master", True),
        ("refs/heads/release/1.0", True),
        ("refs/heads/release/1.0/fix", True),
        ("refs/heads/MAIN", True),
        ("refs/heads/Release/1.0", True),
        ("refs/heads/topic", False),
        ("refs/heads/mainline", False),
        ("refs/heads/my/main", False),
        ("refs/heads/release", False),
        ("refs/tags/main", False),
        ("refs/remotes/origin/main", False),
        ("refs/heads/refs/heads/main", False),
        ("refs/heads/caf\udce9", False),
    ],
)
def test_by_default(ref: str, is_protected: bool) -> None:
    assert is_protected_ref(Policy(), ref) is is_protected


@pytest.mark.parametrize(
    ("pattern", "ref", "is_protected"),
    [
        ("refs/tags/v*", "refs/tags/v1.0", True),
        ("refs/tags/v*", "refs/tags/w1.0", False),
        ("refs/heads/**", "refs/heads/any/thing", True),
        ("refs/heads/café", "refs/heads/cafe\u0301", True),
        ("refs/heads/re?ease", "refs/heads/release", True),
    ],
)
def test_by_pattern(pattern: str, ref: str, is_protected: bool) -> None:
    assert is_protected_ref(Policy(protected_refs=(pattern,)), ref) is is_protected
