"""Small parts of the window."""

from __future__ import annotations

from ui.window.parts import plain_tip


def test_a_tooltip_shows_markup_as_it_is() -> None:
    assert plain_tip("plain\nwords") == "plain\nwords"
    assert plain_tip("<img src='x'>\n&amp;") == "<qt>&lt;img src='x'&gt;<br>&amp;amp;</qt>"
