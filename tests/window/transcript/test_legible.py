"""Text that hides something shows it; text that people write stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from ui.window.transcript.legible import encodable, legible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x00b", "a⟨NUL⟩b"),
        ("\x1b[31m", "⟨ESC⟩[31m"),
        ("abc\u202efed", "abc⟨U+202E⟩fed"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("lone \ud800 half", "lone ⟨U+D800⟩ half"),
        ("\ufdd0\uffff\ufeff", "⟨U+FDD0⟩⟨U+FFFF⟩⟨U+FEFF⟩"),
        ("ad\u200dmin", "ad⟨U+200D⟩min"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("para\u2029graph", "para⟨U+2029⟩graph"),
    ],
)
def test_what_hides_is_shown(text: str, shown: str) -> None:
    assert legible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain\ttext\nwith lines",
        "👩‍👩‍👧‍👦 family",
        "🏳️‍🌈 flag",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "क्‍ष joined",
        "می‌خواهم",
        "ﷺ العربية עברית",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert legible(text) == text


@given(st.text(st.characters(codec=None)))
def test_any_text_can_be_shown_and_copied(text: str) -> None:
    legible(text).encode()
    encodable(text).encode()
