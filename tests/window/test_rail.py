"""The rail of places, as the size of the text changes while it is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ui.window.rail import Place, Rail
from ui.window.theme import Theme, make_theme

SMALL, LARGE = 14, 28


def places(theme: Theme, qtbot: QtBot, later: Theme | None = None) -> list[int]:
    """Return where the parts of a rail stand, after a change of its size where there is one."""
    rail = Rail(theme, [Place("chat", "message-square", "Chat"), Place("rules", "shield-check", "Rules")])
    qtbot.addWidget(rail)
    if later is not None:
        rail.set_theme(later)
    rail.resize(100, 600)
    rail.layout().activate()  # type: ignore[union-attr]
    return [part.y() for part in rail.findChildren(QWidget)]


def test_a_rail_that_changes_its_size_stands_as_one_made_in_that_size(qtbot: QtBot) -> None:
    small, large = make_theme("light", SMALL), make_theme("light", LARGE)
    assert places(large, qtbot, small) == places(small, qtbot) != places(large, qtbot)
