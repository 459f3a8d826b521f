"""Nothing in shown text can act on a terminal, hide, or turn the reading direction."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as some

from app.platform.plain_text import terminal, visible

FAMILY = "👨\u200d👩\u200d👧"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;http://evil\x07link\x1b]8;;\x07", "link"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;c2VjcmV0\x07x", "x"),
        ("\x1b]0;never closed\nnext", "\nnext"),
        ("\x1bPq data\x1b\\x", "x"),
        ("\x9b31mred\x9d0;title\x9c.", "red."),
        ("\x1b", ""),
        ("a\x1b(Bb", "ab"),
        ("bell\x07", "bell\\x07"),
        ("nul\0", "nul\\x00"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("safe\rrm", "safe\\rrm"),
        ("back\x08", "back\\x08"),
        ("a\u200bb\u2060c\ufeffd", "a\\u200bb\\u2060c\\ufeffd"),
        ("txt\u202egpj.exe", "txt\\u202egpj.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("soft\xadhyphen", "soft\\xadhyphen"),
        ("tag\U000e0041\U000e0042", "tag\\U000e0041\\U000e0042"),
        ("half \ud83d", "half \\ud83d"),
        ("line\u2028break", "line\\u2028break"),
        ("\u3164x", "\\u3164x"),
        ("a\u200db", "a\\u200db"),
        ("a\ufe0fb", "a\\ufe0fb"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f\\ufe0f"),
        ("🏴\U000e0041", "🏴\\U000e0041"),
    ],
)
def test_what_hides_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        FAMILY,
        ENGLAND,
        "❤\ufe0f 1\ufe0f\u20e3",
        "\u0645\u06cc\u200c\u062e\u0648",
        "क्\u200dष",
        "葛\U000e0100",
        "שלום مرحبا",
        "日本語",
        "é",
    ],
)
def test_writing_and_emoji_stay_whole(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("10 %\r50 %\r100 %\ndone", "100 %\ndone"),
        ("10 %\r", "10 %"),
        ("a\r\r\nb\r\n", "a\nb\n"),
        ("bold b\bbo\bo", "bold bo"),
        ("\b\bx", "x"),
        ("ding\x07", "ding"),
        ("\x1b[2K\x1b[1Gready", "ready"),
        ("\u202e", "\u202e"),
    ],
)
def test_a_terminal_would_show_this(text: str, left: str) -> None:
    assert terminal(text) == left


@given(some.text(some.characters(), max_size=200))
def test_shown_text_is_harmless_and_stays_so(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert not any(letter < " " and letter not in "\n\t" for letter in shown)
    assert "\u202e" not in shown and "\x9b" not in shown
    assert visible(shown) == shown
    assert "\x1b" not in terminal(text)
