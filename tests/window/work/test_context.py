"""The tab of the context shows parts, tools with their reasons and what caching saved; tools are switched."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.records import Caching, ContextPart, ContextReport, LoadedTool, PrefixUse, ToolInfo
from tests.window.furnished import Furnished
from ui.window.pages.tools import FEW
from ui.window.parts import Switch
from ui.window.theme import make_theme
from ui.window.work.context import ContextTab

REPORT = ContextReport(
    parts=(
        ContextPart(name="system", tokens=180, bytes=800),
        ContextPart(name="tools", tokens=700, bytes=3000),
        ContextPart(name="now", tokens=30, bytes=90),
        ContextPart(name="files", tokens=0, bytes=0),
    ),
    total_tokens=910,
    window=128_000,
    tools=("read_file",),
    counted=800,
    loaded=(
        LoadedTool(name="read_file", why="core", tokens=70),
        LoadedTool(name="archive", why="found", tokens=60, words="unpack it"),
    ),
    loadable=210,
    caching=Caching(requests=3, input=3000, cached=2000, money=0.01),
    prefixes=(PrefixUse(why="first", count=1), PrefixUse(why="model", count=2)),
)


def test_the_tab_says_what_is_in_the_request_and_why(qtbot: QtBot) -> None:
    tab = ContextTab(make_theme("light", 14))
    qtbot.addWidget(tab)
    tab.show_report(REPORT)
    words = "\n".join(part.text() for part in tab.findChildren(QLabel))
    for text in (
        "Time, folder and news",
        "counted 800",
        "found by: unpack it",
        "210 more tools",
        "another model 2",
    ):
        assert text in words or any(text in one.accessibleName() for one in tab.findChildren(QLabel)), text
    assert "Attached files" not in words
    with qtbot.waitSignal(tab.tools_asked):
        tab.findChildren(QPushButton)[-1].click()
    tab.set_theme(make_theme("dark", 28))


def test_a_tool_is_deferred_and_comes_back(furnished: Furnished) -> None:
    life = furnished.open()
    assert life.rest is not None
    page: Any = life.rest.toolbox.show("tools")

    def switch(name: str) -> Switch | None:
        found = [one for one in page.findChildren(Switch) if one.accessibleName() == f"{name} is always on"]
        return next((one for one in found if one.isVisibleTo(page)), None)

    furnished.until(lambda: switch("grep_files") is not None, "the switches")
    assert switch("find_tools") is None and switch("use_tool") is None
    first = switch("grep_files")
    assert first is not None and first.isChecked()
    first.click()
    furnished.until(lambda: life.settings.deferred == ("grep_files",), "the setting")
    furnished.until(lambda: (found := switch("grep_files")) is not None and not found.isChecked(), "the row")
    other = switch("move_file")
    assert other is not None and not other.isChecked()
    other.click()
    furnished.until(lambda: life.settings.always_on == ("move_file",), "the setting")


def test_each_tool_stands_once_and_the_keyboard_stays_beside_a_row_that_moves(furnished: Furnished) -> None:
    life = furnished.open()
    assert life.rest is not None
    page: Any = life.rest.toolbox.show("tools")
    furnished.until(lambda: page.row("copy_file") is not None, "the rows")
    names = [row.tool.name for card in page.cards.values() for row in card.list.rows]
    assert len(names) == len(set(names)) and page.row("read_file").parent() is page.cards[""].list
    life.window.activateWindow()
    furnished.until(life.window.isActiveWindow, "the keyboard")
    page.row("copy_file").switch.setFocus()
    below = page.cards["files"].neighbour("copy_file")
    furnished.bot.keyClick(page.row("copy_file").switch, Qt.Key.Key_Space)
    furnished.until(lambda: page.row("copy_file").parent() is page.cards[""].list, "the move")
    furnished.until(lambda: page.focusWidget() is page.row(below).switch, "the keyboard beside it")
    toast = life.rest.toast
    assert toast._words.text() == "copy_file is always on."
    toast._act()
    furnished.until(lambda: page.row("copy_file").parent() is page.cards["files"].list, "the way back")


def test_the_tools_of_a_large_server_come_by_pages_and_are_found_by_words(furnished: Furnished) -> None:
    life = furnished.open()
    assert life.rest is not None
    page: Any = life.rest.toolbox.show("tools")
    furnished.until(lambda: page.row("copy_file") is not None, "the rows")
    many = [
        ToolInfo(
            name=f"big__{n}{'_long' * 16}",
            category="big",
            summary=f"Does {n}.",
            core=False,
            read_only=False,
            source="big",
        )
        for n in range(500)
    ]
    page.show_tools(many)
    card = page.cards["big"]
    assert len(card.list.rows) == FEW and "Show 50 more of 494" in card.list.more.text()
    page.search.setText("does 499.")
    furnished.until(lambda: [row.tool.summary for row in card.list.rows] == ["Does 499."], "the search")
    furnished.until(lambda: 0 < card.list.rows[0].width() <= card.width(), "the layout")
    assert card.width() <= page.width()
    page.search.setText("nothing of this kind")
    furnished.until(lambda: not page._none.isHidden() and card.isHidden(), "the empty list")


def test_the_keyboard_stays_at_its_button_when_the_report_is_drawn_anew(furnished: Furnished) -> None:
    life = furnished.open()
    assert life.rest is not None
    life.rest.deeds.show_tab("context")
    tab = life.rest.panel.context
    furnished.window.activateWindow()
    furnished.until(furnished.window.isActiveWindow, "the keyboard")

    def shown(name: str) -> QPushButton:
        return next(one for one in reversed(tab.findChildren(QPushButton)) if one.text() == name)

    def stays(name: str) -> None:
        tab.show_report(REPORT)
        held = shown(name)
        held.setFocus()
        furnished.until(held.hasFocus, "the button")
        tab.show_report(REPORT)
        furnished.until(lambda: shown(name) is not held and shown(name).hasFocus(), "the same button, anew")

    stays("Look closer")
    stays("Choose the tools")
    tab.show_report(None)
    assert not tab.findChildren(QPushButton) or not shown("Look closer").hasFocus()
