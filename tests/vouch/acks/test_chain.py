"""Which acks count, and where they lead, with no git and no keys."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.values import Item
from ledgergate.vouch.acks.chain import Said, counting
from ledgergate.vouch.acks.document import Ack
from ledgergate.vouch.values import Place
from support.project import NOW, sha256

ROW, OTHER = ("row", "r"), ("row", "s")
A, B, C, D = (sha256(text) for text in "abcd")
Change = tuple[Place, str | None, str | None]


def said(hour: int, *changes: Change) -> Ack:
    items = tuple(Item(place[0], place[1], old, new) for place, old, new in changes)  # type: ignore[arg-type]
    return Ack("", "refs/heads/main", NOW + timedelta(hours=hour), NOW + timedelta(days=1), f"kim{hour}", items)


def leads(acks: list[Ack], old: str | None, new: str | None, others: dict[Place, str | None] | None = None) -> bool:
    """Whether the acks vouch for the row's change, all else standing at `others`."""
    values = {**(others or {}), ROW: new}
    counted = Said(counting(acks, values.get))
    return bool(counted.path(ROW, old, new)) and Said(acks).leads_away(ROW, new) is None


VOUCHED: dict[str, tuple[list[Ack], str | None, str | None]] = {
    "one step": ([said(1, (ROW, A, B))], A, B),
    "a new row": ([said(1, (ROW, None, B))], None, B),
    "a row that goes": ([said(1, (ROW, A, None))], A, None),
    "two steps": ([said(1, (ROW, A, B)), said(2, (ROW, B, C))], A, C),
    "a second thought, from base": ([said(1, (ROW, A, B)), said(2, (ROW, A, C))], A, C),
    "back and forth": ([said(1, (ROW, A, B)), said(2, (ROW, B, A)), said(3, (ROW, A, B))], A, B),
    "a detour": ([said(1, (ROW, A, B)), said(2, (ROW, B, C)), said(3, (ROW, C, B))], A, B),
    "twice the same": ([said(1, (ROW, A, B)), said(2, (ROW, A, B))], A, B),
    "from where another step led": ([said(1, (ROW, D, B)), said(2, (ROW, A, B))], A, B),
}
NOT: dict[str, tuple[list[Ack], str | None, str | None]] = {
    "nothing": ([], A, B),
    "another value": ([said(1, (ROW, A, C))], A, B),
    "another beginning": ([said(1, (ROW, C, B))], A, B),
    "the other way round": ([said(1, (ROW, B, A))], A, B),
    "another row": ([said(1, (OTHER, A, B))], A, B),
    "another kind": ([said(1, (("freeze", "r"), A, B))], A, B),
    "steps out of order": ([said(2, (ROW, A, B)), said(1, (ROW, B, C))], A, C),
    "two steps of one second": ([said(1, (ROW, A, B)), said(1, (ROW, B, C))], A, C),
    "a gap": ([said(1, (ROW, A, B)), said(2, (ROW, C, D))], A, D),
    "taken back since": ([said(1, (ROW, A, B)), said(2, (ROW, B, A))], A, B),
    "superseded": ([said(1, (ROW, A, B)), said(2, (ROW, A, C))], A, B),
    "taken back in the same second": ([said(1, (ROW, A, B)), said(1, (ROW, B, C))], A, B),
    "a later step away": ([said(1, (ROW, A, B)), said(2, (ROW, C, D))], A, B),
}


@pytest.mark.parametrize(("acks", "old", "new"), VOUCHED.values(), ids=VOUCHED)
def test_steps_in_their_order_lead_to_what_stands(acks: list[Ack], old: str | None, new: str | None) -> None:
    assert leads(acks, old, new)
    assert leads(acks[::-1], old, new)


@pytest.mark.parametrize(("acks", "old", "new"), NOT.values(), ids=NOT)
def test_nothing_else_does(acks: list[Ack], old: str | None, new: str | None) -> None:
    assert not leads(acks, old, new)
    assert not leads(acks[::-1], old, new)


class TestHalfOfAnApproval:
    BOTH = said(1, (ROW, A, B), (OTHER, C, D))

    def test_all_of_it_stands(self) -> None:
        assert leads([self.BOTH], A, B, {OTHER: D})

    @pytest.mark.parametrize("other", [C, A, None])
    def test_a_part_does_not(self, other: str | None) -> None:
        assert not leads([self.BOTH], A, B, {OTHER: other})

    def test_the_other_part_was_led_on(self) -> None:
        assert leads([self.BOTH, said(2, (OTHER, D, A))], A, B, {OTHER: A})

    def test_but_not_by_what_was_said_before(self) -> None:
        assert not leads([self.BOTH, said(0, (OTHER, D, A))], A, B, {OTHER: A})

    def test_nor_by_half_of_another_approval(self) -> None:
        third = ("row", "t")
        assert not leads([self.BOTH, said(2, (OTHER, D, A), (third, A, B))], A, B, {OTHER: A, third: A})

    def test_two_that_need_each_other(self) -> None:
        third = ("row", "t")
        acks = [said(1, (ROW, A, B), (third, A, B)), said(1, (OTHER, C, D), (third, B, A))]
        assert leads(acks, A, B, {OTHER: D, third: A})


values = st.sampled_from([A, B, C, None])
changes = st.tuples(st.sampled_from([ROW, OTHER]), values, values).filter(lambda change: change[1] != change[2])
acks_of_both = st.lists(
    st.builds(
        lambda hour, found: said(hour, *found),
        st.integers(0, 5),
        st.lists(changes, min_size=1, max_size=2, unique_by=lambda change: change[0]),
    ),
    max_size=6,
)


@given(acks_of_both, values, values, values)
def test_who_vouches_has_said_so_last_and_all_that_they_said_stands(
    acks: list[Ack], old: str | None, new: str | None, other: str | None
) -> None:
    stands = {ROW: new, OTHER: other}
    counted = counting(acks, stands.get)
    path = Said(counted).path(ROW, old, new)
    about = [(ack.issued, item) for ack in acks for item in ack.changes if (item.kind, item.subject) == ROW]
    if path and Said(acks).leads_away(ROW, new) is None:
        assert [ack.issued for ack in path] == sorted(ack.issued for ack in path)
        assert set(path) <= set(counted)
        assert {item.new for issued, item in about if issued == max(about, key=lambda one: one[0])[0]} == {new}
    # Whatever counts ends where the place stands now, alone or by what was said since.
    for ack in counted:
        for item in ack.changes:
            later = Said(one for one in counted if one.issued >= ack.issued)
            stand = stands[(item.kind, item.subject)]
            assert item.new == stand or later.path((item.kind, item.subject), item.new, stand)


@given(acks_of_both, acks_of_both, values, values, values)
def test_more_acks_that_say_nothing_of_a_row_take_nothing_back(
    acks: list[Ack], more: list[Ack], old: str | None, new: str | None, other: str | None
) -> None:
    """Half approvals that were added by someone else cannot void a whole one."""
    quiet = [ack for ack in more if all(item.subject != "r" for item in ack.changes)]
    if leads(acks, old, new, {OTHER: other}):
        assert leads([*acks, *quiet], old, new, {OTHER: other})
