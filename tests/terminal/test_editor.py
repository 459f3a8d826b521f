"""Keys from bytes, and the text they make."""

from __future__ import annotations

import time

import pytest

from ui.terminal.editor import Editor
from ui.terminal.keys import Key, Keys
from ui.terminal.screen import layout, wrapped


def typed(*pieces: bytes) -> tuple[Editor, list[str]]:
    editor, keys, sent = Editor(), Keys(), []
    for piece in pieces:
        for key in keys.feed(piece):
            text = editor.press(key)
            if text is not None:
                sent.append(text)
    return editor, sent


def test_letters_come_in_any_pieces() -> None:
    keys = Keys()
    assert keys.feed("é".encode()[:1]) == []
    assert keys.feed("é".encode()[1:]) == [Key("text", "é")]
    assert keys.feed(b"\x1b") == []
    assert keys.feed(b"[D") == [Key("left")]


def test_pasted_lines_are_text_and_send_nothing() -> None:
    editor, sent = typed(b"\x1b[200~one\rtwo\x1b[20", b"1~!")
    assert (editor.text, sent) == ("one\ntwo!", [])


def test_escape_sequences_that_mean_nothing_leave_no_letters() -> None:
    editor, _sent = typed(b"\x1b[15~a\x1b[1;9Xb\x1bx")
    assert editor.text == "ab"


@pytest.mark.parametrize(
    ("pieces", "text", "cursor"),
    [
        ([b"one two", b"\x17"], "one ", 4),
        ([b"one two", b"\x1b[1;5D", b"X"], "one Xtwo", 5),
        ([b"abc", b"\x01", b"\x0b"], "", 0),
        ([b"abc", b"\x1b[D\x1b[D", b"\x1b[3~"], "ac", 1),
        ([b"a\nbc", b"\x15"], "a\n", 2),
        ([b"long\nab", b"\x1b[A", b"X"], "loXng\nab", 3),
        ([b"ab\nlong", b"\x1b[A", b"\x1b[B", b"X"], "ab\nloXng", 6),
    ],
)
def test_editing(pieces: list[bytes], text: str, cursor: int) -> None:
    editor, _sent = typed(*pieces)
    assert (editor.text, editor.cursor) == (text, cursor)


def test_enter_sends_and_the_history_comes_back() -> None:
    editor, sent = typed(b"first\r", b"second\r", b"draft", b"\x1b[A\x1b[A")
    assert sent == ["first", "second"]
    assert editor.text == "first"
    editor.press(Key("down"))
    editor.press(Key("down"))
    assert editor.text == "draft"


def test_a_backslash_before_enter_goes_on_in_the_next_line() -> None:
    editor, sent = typed(b"one\\\rtwo\r")
    assert sent == ["one\ntwo"]
    assert editor.text == ""


def test_rows_of_the_prompt_and_the_place_of_the_cursor() -> None:
    assert layout("abc", 3, "> ", 80) == (["> abc"], 0, 5)
    assert layout("a\nb", 2, "> ", 80) == (["> a", "  b"], 1, 2)
    rows, row, column = layout("x" * 30, 30, "> ", 10)
    assert max(map(len, rows)) <= 10
    assert (row, column) == (len(rows) - 1, 2 + 30 - 7 * (len(rows) - 1))


def test_a_long_text_shows_the_rows_around_the_cursor() -> None:
    rows, row, _column = layout("\n".join(str(n) for n in range(40)), 0, "> ", 80)
    assert (rows[0], row, len(rows)) == ("> 0", 0, 8)
    text = "\n".join(str(n) for n in range(40))
    rows, row, _column = layout(text, len(text), "> ", 80)
    assert (rows[-1], row) == ("  39", 7)


def test_words_are_broken_at_blanks_and_styles_take_no_room() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("x" * 20, 8) == ["x" * 8, "x" * 8, "x" * 4]
    assert wrapped("\x1b[31mone two\x1b[0m", 8) == ["\x1b[31mone two\x1b[0m"]
    assert wrapped("a\n", 8) == ["a", ""]
    assert wrapped("漢字漢字", 5) == ["漢字", "漢字"]
    assert wrapped("a  bc", 2) == ["a", "bc"]


def test_a_long_line_is_wrapped_in_time_that_grows_with_its_length() -> None:
    def spent(length: int) -> float:
        before = time.process_time()
        assert len(wrapped("x" * length, 80)) == length // 80
        return time.process_time() - before

    # Eight times the length costs eight times as much, not sixty-four times.
    assert min(spent(160_000) for _try in range(3)) < 24 * min(spent(20_000) for _try in range(3))
