"""The container of tools: its tabs, made at the first visit and reached by keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.events import SettingsChanged
from tests.window.furnished import Furnished
from ui.window.pages.tool_rows import ToolRow
from ui.window.pages.toolbox import TabPlace, ToolboxPage
from ui.window.theme import make_theme


class Seen(QWidget):
    """A page that keeps what it is told."""

    def __init__(self, told: list[object]) -> None:
        super().__init__()
        self.told = told

    def apply(self, event: object) -> None:
        self.told.append(event)


def test_pages_are_made_at_their_first_visit_and_told_of_events(qtbot: QtBot) -> None:
    made: list[str] = []
    told: list[object] = []

    def make(name: str) -> QWidget:
        made.append(name)
        return Seen(told)

    page = ToolboxPage(
        make_theme("light", 14),
        [TabPlace(name, name.title(), lambda name=name: make(name)) for name in ("tools", "servers")],
    )
    qtbot.addWidget(page)
    assert (made, page.tab()) == (["tools"], "tools")
    page.apply(SettingsChanged())
    assert len(told) == 1
    with qtbot.waitSignal(page.shown):
        page.show_tab("servers")
    page.show_tab("tools")
    assert made == ["tools", "servers"], "a page is made once"
    page.apply(SettingsChanged())
    assert len(told) == 3
    page.rename("servers", "Servers (2)")
    assert page._tabs["servers"].accessibleName() == "Servers (2)"


def test_the_rail_leads_to_the_tools_and_keys_go_through_the_tabs(furnished: Furnished) -> None:
    life = furnished.open()
    page: Any = life.window.show_page("tools")
    assert page.tab() == "tools" and life.rest is not None
    furnished.until(lambda: "tools" in page._made["tools"].sentence.text(), "the tools")
    names = list(page._tabs)
    if len(names) > 1:
        life.window.activateWindow()
        furnished.until(life.window.isActiveWindow, "the keyboard")
        page._tabs["tools"].setFocus()
        furnished.bot.keyClick(page._tabs["tools"], Qt.Key.Key_Right)
        assert page.tab() == names[1]
    assert life.rest.toolbox.show("tools") is page._made["tools"]


def test_names_of_tools_can_be_read_in_the_dark(furnished: Furnished) -> None:
    life = furnished.open()
    page: Any = life.rest.toolbox.show("tools")  # type: ignore[union-attr]
    furnished.until(lambda: page.row("read_file") is not None, "the rows")
    life.change_settings(theme="dark")
    furnished.until(lambda: life.window.theme.dark, "the dark theme")

    def light() -> bool:
        names = [row._head.itemAt(0).widget() for row in page.findChildren(ToolRow)]
        return all(one.palette().color(one.foregroundRole()).lightnessF() > 0.7 for one in names)

    furnished.until(light, "light names on a dark ground")


def test_rows_without_a_switch_stand_in_line_with_the_others(furnished: Furnished) -> None:
    life = furnished.open()
    page: Any = life.window.show_page("tools")
    tools = page._made["tools"]
    furnished.until(lambda: tools.findChildren(ToolRow), "the rows")

    def in_line() -> bool:
        rows = [row for row in tools.findChildren(ToolRow) if row.isVisible()]
        ends = {row._room.geometry().right() for row in rows}
        costs = {row._cost.geometry().right() for row in rows}
        heights = {row._line.itemAt(row._line.count() - 1).geometry().height() for row in rows}
        return (len(heights), len(ends), len(costs)) == (1, 1, 1) and heights.pop() >= 20

    furnished.until(in_line, "switches and costs in line")
