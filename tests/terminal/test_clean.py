"""Text of others cannot steer the terminal, and what a person approves hides nothing."""

from __future__ import annotations

import random

import pytest

from ui.terminal.clean import Cleaner, cells, clean, cut, one_line, pad, visible
from ui.terminal.table import wrapped

HARMLESS = [
    ("\x1b[31mred\x1b[0m", "red"),
    ("\x1b]8;;http://evil\x1b\\shown\x1b]8;;\x1b\\", "shown"),
    ("\x1b]52;c;aGVsbG8=\x07after", "after"),
    ("\x9b2Jgone\x9d0;title\x9cstill", "gonestill"),
    ("\x1bP1;2q...\x1b\\x", "x"),
    ("safe\rrm", "safe\nrm"),
    ("one\r\ntwo", "one\ntwo"),
    ("bell\x07 back\x08 del\x7f nul\x00", "bell back del nul"),
    ("\x1bc\x1b(B\x1b7", ""),
    ("tab\tkept\n", "tab\tkept\n"),
    ("\x1b]0;never ended, then text\nnext", "]0;never ended, then text\nnext"),
]


@pytest.mark.parametrize(("text", "expected"), HARMLESS)
def test_sequences_and_controls_are_taken_out(text: str, expected: str) -> None:
    assert clean(text) == expected


@pytest.mark.parametrize("text", [text for text, _expected in HARMLESS])
def test_a_stream_in_single_letters_is_as_clean_as_the_whole(text: str) -> None:
    cleaner = Cleaner()
    assert "".join(map(cleaner.feed, text)) + cleaner.end() == clean(text)


@pytest.mark.proof("terminal-clean", small=300, full=100_000)
def test_no_cut_lets_an_escape_through(count: int, seed: int) -> None:
    chance = random.Random(seed)
    letters = "\x1b\x9b\x9d\x07\r\n[]\\;0m8Pa\x9c\x00\u202e\ud800é"
    for _case in range(count):
        text = "".join(chance.choice(letters) for _letter in range(chance.randrange(40)))
        cleaner, shown, rest = Cleaner(), "", text
        while rest:
            size = chance.randrange(1, 6)
            shown, rest = shown + cleaner.feed(rest[:size]), rest[size:]
        shown += cleaner.end()
        assert not [letter for letter in shown if ord(letter) < 32 and letter not in "\n\t"]
        assert not [letter for letter in shown if 0x7F <= ord(letter) < 0xA0]


def test_a_sequence_without_end_does_not_hold_the_text_back_for_ever() -> None:
    cleaner = Cleaner()
    assert "x" * 100 in cleaner.feed("\x1b]0;" + "x" * 10_000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rm \x1b[2K-rf", r"rm \x1b[2K-rf"),
        ("a\u202egpj.exe", r"a\u202egpj.exe"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("lone \ud800", r"lone \ud800"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("ünï 漢字", "ünï 漢字"),
        ("back\rover", r"back\rover"),
        ("c1 \x9b", r"c1 \x9b"),
    ],
)
def test_hidden_characters_are_shown(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_widths_count_columns_not_letters() -> None:
    assert cells("漢字") == 4
    assert cells("e\u0301") == 1
    assert cut("漢字漢字", 5) == "漢字…"
    assert cells(pad("漢字", 7)) == 7
    assert one_line("a\n  b\t\x1b[1mc") == "a b c"
    assert cut("abc", 1) == "…"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("carry out the plan, or change it first", 20, ["carry out the plan,", "or change it first"]),
        ("short", 20, ["short"]),
        ("", 20, []),
        ("a-word-that-is-wider than all", 9, ["a-word-t…", "than all"]),
        ("漢字 漢字", 5, ["漢字", "漢字"]),
    ],
)
def test_a_cell_goes_on_below(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width) == lines
