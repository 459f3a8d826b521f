"""The page of a new conversation in a low window: what does not fit is left out, never squeezed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.window.pages.empty import EmptyPage
from ui.window.theme import make_theme


@pytest.mark.parametrize(("height", "least", "most"), [(600, 3, 3), (130, 1, 2), (60, 0, 0)])
def test_examples_that_do_not_fit_are_left_out(qtbot: QtBot, height: int, least: int, most: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    page = EmptyPage(make_theme("light", 14))
    page.setParent(window)
    page.resize(600, height)
    window.show()
    seen = [one for one in page.examples if one.isVisible()]
    assert least <= len(seen) <= most
    for above, below in pairwise(seen):
        assert above.geometry().bottom() < below.geometry().top()
    assert all(one.height() >= one.sizeHint().height() for one in seen)
    page.resize(600, 700)
    assert all(one.isVisible() for one in page.examples)
