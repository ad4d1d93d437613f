"""Which changes are alike, and how much of them is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.report.alike import FileChange, Group, alike, show_groups
from ledgergate.report.excerpt import excerpt


def change(old: bytes | None, new: bytes | None, path: str = "g/a", remark: str = "") -> FileChange:
    return FileChange(path, old, new, "note", remark)


def labels(*changes: FileChange) -> list[tuple[str, int]]:
    return [(group.label, len(group.files)) for group in alike(changes)]


def shown(*changes: FileChange) -> str:
    return "\n".join(show_groups(alike(changes)))


@pytest.mark.parametrize(
    ("old", "new", "label"),
    [
        (b"a\nb\n", b"a\nc\n", "1 line removed, 1 added"),
        (b"a\n", b"a\nb\nc\n", "0 lines removed, 2 added"),
        (b"a\na\nb\n", b"a\nb\n", "1 line removed, 0 added"),
        (b"a\nb\n", b"b\na\n", "the same lines in another order"),
        (b"a\nb\n", b"a\r\nb\r\n", "only line ends differ, LF -> CRLF"),
        (b"a\r\nb\n", b"a\nb\n", "only line ends differ, CRLF and LF -> LF"),
        (b"a\rb", b"a\nb", "only line ends differ, CR -> LF"),
        (b"a \nb\n", b"a\nb\t\n", "only white space at the ends of lines differs"),
        (b"a\n", b"a", "only white space at the ends of lines differs"),
        (b"a\n", b"a\n\n", "only white space at the ends of lines differs"),
        (b" a\n", b"a\n", "1 line removed, 1 added"),
        (b"a\n\nb\n", b"a\nb\n", "1 line removed, 0 added"),
        (b"a\0", b"b", "binary"),
        (b"\xff\xfe", b"b", "binary"),
        (None, b"a\nb\n", "new file, 2 lines"),
        (b"a\n", None, "removed file, 1 line"),
        (None, b"\0", "binary"),
    ],
)
def test_labels(old: bytes | None, new: bytes | None, label: str) -> None:
    assert labels(change(old, new)) == [(label, 1)]


class TestGroups:
    def test_the_same_lines_gone_and_come_are_alike_wherever_they_stand(self) -> None:
        one = change(b"head\nversion 1\nbody\n", b"head\nversion 2\nbody\n", "one")
        two = change(b"version 1\nother\n", b"version 2\nother\n", "two")
        three = change(b"version 1\n", b"version 3\n", "three")
        assert labels(one, three, two) == [("1 line removed, 1 added", 2), ("1 line removed, 1 added", 1)]

    def test_one_line_more_is_not_alike(self) -> None:
        assert len(alike([change(b"v1\n", b"v2\n"), change(b"v1\nv1\n", b"v2\nv2\n")])) == 2

    def test_line_ends_are_alike_only_in_one_direction(self) -> None:
        assert len(alike([change(b"a\n", b"a\r\n"), change(b"b\n", b"b\r\n"), change(b"c\r\n", b"c\n")])) == 2

    def test_a_remark_keeps_apart(self) -> None:
        assert labels(change(b"a", b"b"), change(b"a", b"b", remark="from elsewhere")) == [
            ("1 line removed, 1 added", 1),
            ("1 line removed, 1 added (from elsewhere)", 1),
        ]

    def test_additions_of_other_content_are_not_alike(self) -> None:
        assert len(alike([change(None, b"a\n"), change(None, b"b\n"), change(b"a\n", None)])) == 3

    @given(st.lists(st.tuples(st.binary(max_size=6), st.binary(max_size=6)), max_size=8))
    def test_every_file_is_in_exactly_one_group(self, contents: list[tuple[bytes, bytes]]) -> None:
        changes = [change(old, new, str(number)) for number, (old, new) in enumerate(contents)]
        groups: list[Group] = alike(changes)
        assert sorted(path for group in groups for path, _ in group.files) == sorted(c.path for c in changes)
        assert all(line.isprintable() for line in show_groups(groups))


class TestManyGroups:
    """What is not quite alike is put together where there would be too much to look at, and says so."""

    def test_the_same_words_in_different_lines(self) -> None:
        pairs = [(f'{{"{chr(97 + n)}": "size"}}\n', f'{{"{chr(97 + n)}": "length"}}\n') for n in range(20)]
        pairs.insert(9, ("a size\n", "a width\n"))
        changes = [change(old.encode(), new.encode(), f"g/{n}") for n, (old, new) in enumerate(pairs)]
        text = shown(*changes)
        assert text.startswith(
            "20 files, the same words in each, in different lines: other lines around it\n  g/0  note\n"
        )
        assert "\n1 file: 1 line removed, 1 added\n  g/9  note\n" in text
        assert text.count("length") == 3
        assert "  g/1:\n    @@ -1 +1 @@\n" in text

    def test_numbers(self) -> None:
        line = b"took %d ms at %07x\n"
        changes = [change(line % (n, n), line % (n + 7, n * 99)) for n in range(1, 21)]
        assert shown(*changes).startswith("20 files, the same words in each but for numbers: other lines around it\n")

    def test_numbers_of_tests_are_each_shown(self) -> None:
        line = b"assert f() == %d\n"
        changes = [change(line % n, line % (7 * n + 1))._replace(noun="test") for n in range(1, 21)]
        assert len(alike(changes)) == 20

    def test_line_ends_and_white_space_stay_what_they_are(self) -> None:
        ends = [change(b"%d\n" % n, b"%d\r\n" % n) for n in range(9)]
        lines = [change(b"%c\n" % (97 + n), b"%c\n" % (65 + n)) for n in range(20)]
        found = labels(*ends, *lines)
        assert found[0] == ("only line ends differ, LF -> CRLF", 9)
        assert len(found) == 21

    def test_few_groups_stay_apart(self) -> None:
        assert len(alike([change(b"%d a\n" % n, b"%d b\n" % n) for n in range(10)])) == 10

    def test_a_remark_keeps_apart(self) -> None:
        changes = [change(b"%d a\n" % n, b"%d b\n" % n, remark="lost" if n % 2 else "") for n in range(20)]
        assert [len(group.files) for group in alike(changes)] == [10, 10]

    def test_new_files_are_each_shown(self) -> None:
        assert len(alike([change(None, b"%d\n" % n) for n in range(20)])) == 20


class TestShowing:
    def test_a_group_shows_the_first_few_and_one_diff(self) -> None:
        text = shown(*(change(f"{n}\nv1\n".encode(), f"{n}\nv2\n".encode(), f"g/{n}") for n in range(9)))
        assert text.startswith("9 files, the same in each: 1 line removed, 1 added\n  g/0  note\n")
        assert "  g/4  note\n  ... and 4 more\n" in text
        assert text.count("+v2") == 1

    def test_binaries_each_have_their_sizes(self) -> None:
        text = shown(change(b"\0" * 1200, b"\0", "one"), change(None, b"\0", "two"))
        assert text.startswith("2 files: binary\n  one  1,200 -> 1 bytes  note\n  two  nothing -> 1 bytes  note\n")
        assert "  two:\n    it begins with:\n    +00000000  00        " in text

    def test_the_first_binaries_are_shown_where_they_differ(self) -> None:
        changes = [change(b"\0" * 100 + b"old", b"\0" * 100 + b"new", f"g/{n}") for n in range(5)]
        text = shown(*changes)
        assert text.count("    from byte 100 on:\n    -00000060  00 00 00 00 6f 6c 64") == 3
        assert text.count("    +00000060  00 00 00 00 6e 65 77") == 3
        assert "  g/2:\n" in text

    def test_images_have_their_measures(self) -> None:
        old, new = (b"GIF89a" + size + b"\0\0\0\xff" for size in (b"\x10\0\x20\0", b"\x11\0\x20\0"))
        text = shown(change(old, new, "a.gif"), change(old, old + b"\xfe", "b.gif"))
        assert "  a.gif  14 -> 14 bytes  GIF 16x32 -> GIF 17x32  note\n" in text
        assert "  b.gif  14 -> 15 bytes  GIF 16x32  note\n" in text
        assert "from byte" not in text

    def test_long_diffs_are_cut_and_say_by_how_much(self) -> None:
        text = shown(change(b"", b"".join(b"%d\n" % n for n in range(100)), "g/a b"))
        assert "    ... and 61 more lines; `git diff HEAD -- 'g/a b'` shows them" in text
        assert "    +38\n" in text
        assert "    +39\n" not in text

    def test_many_groups_are_each_shorter(self) -> None:
        lines = [b"".join(b"%c-%d\n" % (97 + n, line) for line in range(30)) for n in range(12)]
        text = shown(*(change(b"", content, f"g/{n}") for n, content in enumerate(lines)))
        assert text.count("... and 15 more lines") == 12

    def test_nothing_reaches_the_terminal_as_a_command(self) -> None:
        text = shown(change(b"a\n", b"\x1b[2Jb\r\n", "g/\x1b"))
        assert "\x1b" not in text
        assert "+\\x1b[2Jb\\r" in text

    def test_missing_final_line_end_is_told(self) -> None:
        assert "\\ No newline at end of file" in list(excerpt("a", b"a\n", b"b", 40))


class TestWideLines:
    def test_they_are_shown_where_they_differ(self) -> None:
        old = b"x" * 500 + b"OLD" + b"y" * 500
        new = b"x" * 500 + b"NEW" + b"y" * 500
        removed, added = [line for line in excerpt("a", old + b"\n", new + b"\n", 40) if line[0] in "-+"]
        assert (removed[:4], added[:4]) == ("-...", "+...")
        assert ("OLD" in removed, "NEW" in added) == (True, True)
        assert max(len(removed), len(added)) < 180

    def test_without_a_counterpart_from_their_beginning(self) -> None:
        added = [line for line in excerpt("a", b"", b"z" * 900 + b"\n", 40) if line[0] == "+"]
        assert added == ["+" + "z" * 160 + "..."]
