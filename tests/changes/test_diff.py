"""Diffs turn one text into the other, fast, and any choice of their hunks gives a sound file."""

from __future__ import annotations

import random
import time

import pytest

from app.changes.comparing import differences
from app.changes.diff import accept, edited, file_diff, hunks
from app.changes.lines import split


def _lines(rng: random.Random, count: int) -> list[str]:
    words = ("alpha", "beta", "gamma", "delta", "return", "value", "if", "else", "for", "import", "class")
    return [
        " " * rng.choice((0, 4, 8)) + " ".join(rng.choice(words) for _ in range(rng.randrange(9))) + "\n"
        for _ in range(count)
    ]


def _edited(rng: random.Random, lines: list[str], count: int) -> list[str]:
    out = list(lines)
    for _ in range(count):
        at = rng.randrange(len(out) + 1)
        kind = rng.random()
        if kind < 0.4 and at < len(out):
            out[at] = out[at].rstrip("\n") + " changed\n"
        elif kind < 0.7:
            out[at:at] = _lines(rng, 3)
        else:
            del out[at : at + 2]
    return out


def _applied(old: list[str], new: list[str]) -> list[str]:
    out, at = [], 0
    for i1, i2, j1, j2 in differences(old, new):
        assert i1 < i2 or j1 < j2
        out += old[at:i1] + new[j1:j2]
        at = i2
    return out + old[at:]


def test_differences_turn_old_into_new() -> None:
    rng = random.Random(7)
    for _ in range(300):
        old = _lines(rng, rng.randrange(0, 60))
        new = _edited(rng, old, rng.randrange(0, 8))
        assert _applied(old, new) == new
    old = [rng.choice("abc") + "\n" for _ in range(6000)]
    new = [rng.choice("abc") + "\n" for _ in range(6000)]
    assert _applied(old, new) == new


def test_a_long_file_with_many_edits_is_quick() -> None:
    """Issue and qt.md 4: 20,000 lines with 400 edits; 50 ms of processor time at most, the best of five."""
    rng = random.Random(3)
    old = _lines(rng, 20_000)
    new = _edited(rng, old, 400)
    before, after = "".join(old).encode(), "".join(new).encode()
    best = 9.0
    for _ in range(5):
        started = time.process_time()
        found = file_diff("/x.py", "x.py", before, after)
        best = min(best, time.process_time() - started)
    assert accept(before, after, ()) == after
    assert found.added and found.removed
    assert best < 0.05


def test_hunks_number_their_lines() -> None:
    old = [f"{number}\n" for number in range(1, 21)]
    new = [*old[:4], "x\n", *old[5:15], "y\n", "z\n", *old[15:]]
    first, second = hunks(old, new)
    assert (first.old_start, first.old_count, first.new_start, first.new_count) == (2, 7, 2, 7)
    assert [(line.kind, line.old, line.new, line.text) for line in first.lines[3:5]] == [
        ("-", 5, 0, "5"),
        ("+", 0, 5, "x"),
    ]
    assert (second.old_start, second.old_count, second.new_count) == (13, 6, 8)


def test_kinds_counts_and_languages() -> None:
    new = file_diff("/a/new.py", "new.py", None, b"one\ntwo\n")
    assert (new.kind, new.added, new.removed, new.language) == ("new", 2, 0, "python")
    gone = file_diff("/a/gone.md", "gone.md", b"one\n", None)
    assert (gone.kind, gone.added, gone.removed, gone.language) == ("deleted", 0, 1, "markdown")
    assert file_diff("/a/b.bin", "b.bin", b"\0\1", b"\0\2").binary
    assert file_diff("/b", "b", b"x\n", b"x\n", old_path="/a").kind == "renamed"


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        (b"caf\xe9\n", "café\n".encode(), "encoding_changed"),
        (b"a\r\nb\r\n", b"a\nb\n", "line_ends_changed"),
        (b"a\n", b"a\nb", "no_final_newline"),
        (b"caf\xe9\na\n", b"caf\xe9\nb\n", "other_encoding"),
        (b"\x81\xff\na\n", b"\x81\xff\nb\n", "unknown_encoding"),
        (b"a\n", b"b\n", ""),
    ],
)
def test_notes_say_what_lines_do_not_show(old: bytes, new: bytes, note: str) -> None:
    assert file_diff("/x", "x", old, new).note == note


def test_any_choice_of_hunks_is_a_sound_file() -> None:
    rng = random.Random(11)
    for _ in range(400):
        lines = [
            rng.choice(["a", "b", "ü", ""]) + rng.choice(["\n", "\n", "\r\n"])
            for _ in range(rng.randrange(40))
        ]
        changed = _edited(rng, lines, rng.randrange(1, 5))
        before, after = "".join(lines).encode(), "".join(changed).encode()
        if rng.random() < 0.3:
            before, after = before.rstrip(b"\r\n"), after.rstrip(b"\r\n")
        found = file_diff("/x", "x", before, after).hunks
        assert accept(before, after, range(len(found))) == before
        for number, hunk in enumerate(found):
            only = accept(before, after, [other for other in range(len(found)) if other != number])
            assert only is not None
            start = hunk.old_start - 1
            assert split(only.decode())[:start] == split(before.decode())[:start]
            taken = split(after.decode())[hunk.new_start - 1 : hunk.new_start - 1 + hunk.new_count]
            assert split(only.decode())[start : start + hunk.new_count] == taken


def test_rejecting_keeps_the_old_encoding() -> None:
    old = b"caf\xe9\n1\n2\n" + b"-\n" * 9 + b"x\n"
    new = "café\n1\n2!\n".encode() + b"-\n" * 9 + b"y\n"
    assert accept(old, new, [1]) == old.replace(b"2\n", b"2!\n")


def test_text_that_a_person_edited_keeps_the_ends_of_lines() -> None:
    old, proposed = b"a\r\nb\r\nc\n", b"a\r\nB\r\nc\n"
    assert edited(old, proposed, "a\nB\nc\n") == proposed
    assert edited(old, proposed, "a\nmine\nand more\nc\n") == b"a\r\nmine\r\nand more\r\nc\n"
    assert edited(b"caf\xe9\nx\n", b"caf\xe9\ny\n", "café\nz é\n") == b"caf\xe9\nz \xe9\n"
    assert edited(None, b"new\n", "other\n") == b"other\n"
    assert edited(b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n", "c\n") == b"\xef\xbb\xbfc\n"
