"""Slash commands: the same names as in the terminal, suggested while they are typed, each carried out."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at
from ui import slash
from ui.window.composer.suggestions import fitting


def test_what_fits_is_a_slash_and_the_beginning_of_a_name() -> None:
    assert {one.name for one in fitting("/")} == {one.name for one in slash.COMMANDS}
    assert [one.name for one in fitting("/ne")] == ["new"]
    assert [one.name for one in fitting("/NE")] == ["new"]
    for text in ("", "new", "/etc", "/new ", "/etc/hosts", "/ne\n", "//"):
        assert fitting(text) == [], text


def test_keys_go_through_the_suggestions(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    editor, shown = life.window.chat.composer.editor, life.rest.suggestions
    editor.setFocus()
    furnished.bot.keyClicks(editor, "/mo")
    assert shown.isVisible() and shown.list.count() == 2
    furnished.bot.keyClick(editor, Qt.Key.Key_Down)
    furnished.bot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "/model "
    assert not shown.isVisible()
    editor.replace("/")
    furnished.bot.keyClick(editor, Qt.Key.Key_Escape)
    assert not shown.isVisible() and editor.toPlainText() == "/"


def test_a_command_that_is_typed_whole_needs_enter_once(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    editor, shown = life.window.chat.composer.editor, life.rest.suggestions
    asked: list[str] = []
    life.rest.planning.answer = asked.append
    editor.setFocus()
    furnished.bot.keyClicks(editor, "/accept")
    assert shown.isVisible()
    furnished.bot.keyClick(editor, Qt.Key.Key_Return)
    assert asked == [""] and editor.toPlainText() == "" and not shown.isVisible()
    furnished.bot.keyClicks(editor, "/accept")
    furnished.bot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "/accept " and asked == [""], "Tab goes on to what it may be given"
    editor.replace("")
    furnished.bot.keyClicks(editor, "/reject")
    furnished.bot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "/reject ", "it says nothing without words"


def test_commands_are_carried_out(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    furnished.send("/mode plan")
    assert life.conversation.mode() == "plan"
    furnished.send("/context")
    assert life.window.page() == "context"
    furnished.send("/search heron")
    assert life.list.search.text() == "heron"
    furnished.send("/help")
    assert life.window.page() == "keys"
    assert furnished.ask(lambda engine: engine.sessions.list()) in ([], ())


def test_every_command_of_the_terminal_is_known_here(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.window.slash_commands import run_slash

    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    monkeypatch.setattr(life.window, "close", lambda: True)
    monkeypatch.setattr(life.models, "pick", lambda: None)
    monkeypatch.setattr(life.rest.deeds, "pick_folder", lambda: None)
    unknown = [
        one.name for one in slash.COMMANDS if not run_slash(life, life.rest, life.rest.deeds, one.name, "")
    ]
    assert unknown == []


def test_a_misspelt_command_is_not_sent(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    furnished.send("/modle")
    assert life.window.chat.composer.text() == "/modle"
    assert life.rest.toast.isVisible()


def test_commands_that_ask_say_what_there_is(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    toast, editor = life.rest.toast, life.window.chat.composer.editor
    furnished.send("/mode wrong")
    assert toast._words.text() == "There is no mode wrong: it is agent, plan or chat. Now: Agent."
    assert editor.toPlainText() == "/mode wrong" and life.conversation.mode() == "agent"
    life.rest.deeds.send("/mode")
    assert toast._words.text() == "Say /mode agent, /mode plan or /mode chat. Now: Agent."
    life.rest.deeds.send("/queue")
    assert toast._words.text() == "Nothing waits."
    furnished.send("/help")
    said = {one.text() for one in life.window.pages.currentWidget().findChildren(QLabel)}
    assert {"/mode [agent | plan | chat]", "/quit", "show the tools"} <= said
    life.window.show_page("chat")
    furnished.send("/tools")
    page = life.window.pages.currentWidget()
    tools = furnished.ask(all_tools)
    names = {tool.name for tool in tools}
    furnished.until(lambda: names <= {one.text() for one in page.findChildren(QLabel)}, "the tools")
    shown = page.show_tab("tools")
    assert shown.sentence.text().startswith(f"{len(tools)} tools.") and len(tools) > 10


async def all_tools(engine: Any) -> Any:
    """Every tool that there is."""
    return engine.tools()


def test_a_toast_comes_up_unless_motion_is_off(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    toast, composer = life.rest.toast, life.window.chat.composer
    toast.say("Done")
    assert toast.pos() != toast._spot(), "it begins a little lower"
    furnished.until(lambda: toast.pos() == toast._spot(), "its place")
    toast.hide()
    life.change_settings(reduced_motion=True)
    furnished.until(lambda: life.window.theme.reduced_motion, "the setting")
    toast.say("Done")
    assert toast.pos() == toast._spot() and toast.geometry().bottom() < composer.y()
