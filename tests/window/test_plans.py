"""The plan of plan mode in the window: accepted, edited, sent back, by buttons, keys and commands."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from tests.servers.scripted import ScriptedServer, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.test_talking import point_at

PLAN = "# Plan\n\n1. Read a.txt\n2. Write b.txt"
HINT = "What should the plan do otherwise?"


def planned(furnished: Furnished, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> Any:
    """Open the window and let a plan be made; return what shows it."""
    point_at(monkeypatch, server.url)
    life = furnished.open()
    life.conversation.set_mode("plan")
    furnished.send("Plan it")
    planning = life.rest.planning
    furnished.until(planning.bar.isVisible, "the question about the plan")
    return planning


def modes(server: ScriptedServer) -> list[bool]:
    """Return for each request whether it could change files."""
    offered = [str(one.json.get("tools", "")) for one in server.requests]
    return ["write_file" in one for one in offered]


def said(server: ScriptedServer) -> str:
    return str(server.requests[-1].json["messages"][-1]["content"])


def test_an_accepted_plan_is_pinned_and_carried_out_in_agent_mode(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(says(PLAN), says("Written.")) as server:
        planning = planned(furnished, monkeypatch, server)
        life, modes_of = furnished.life, furnished.window.chat.composer.modes
        assert planning.bar.accessibleName() == "This is a plan. Nothing has been changed yet."
        assert [one.accessibleName() for one in planning.bar.buttons] == ["Send back", "Edit", "Accept"]
        furnished.bot.keyClick(planning.bar.accept, Qt.Key.Key_Return)
        assert not planning.bar.accept.isEnabled(), "one answer at a time"
        furnished.until(lambda: "Written." in furnished.text(), "the work")
        assert "I accept the plan. Carry it out." in furnished.text()
        assert modes(server) == [False, True] and "I accept the plan. Carry it out." in said(server)
        assert modes_of.value() == "agent" and planning.bar.isHidden()
        furnished.until(lambda: [pin.text for pin in life.rest.notes.notes] == [PLAN], "the pinned plan")
        life.conversation.show_new()
        assert modes_of.value() == "agent", "the next conversation does not fall back into planning"


def test_a_plan_waits_again_when_its_conversation_is_opened(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(says(PLAN), says("An answer.")) as server:
        planning = planned(furnished, monkeypatch, server)
        life = furnished.life
        life.conversation.show_new()
        assert planning.bar.isHidden()
        life.rest.deeds.open(life.list.all()[0], "")
        furnished.until(planning.bar.isVisible, "the question again")
        life.conversation.set_mode("agent")
        furnished.until(lambda: furnished.window.chat.composer.modes.value() == "agent", "the mode")
        furnished.send("Never mind")
        furnished.until(lambda: "An answer." in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end")
        assert planning.bar.isHidden()


def test_an_edited_plan_is_the_one_that_counts(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says(PLAN), says("Written.")) as server:
        planning = planned(furnished, monkeypatch, server)
        planning.bar.edit.click()
        editor = planning.editor
        assert editor.text() == PLAN and editor.field.accessibleName() == "Text of the plan"
        planning.bar.edit.click()
        assert planning.editor is editor, "there is one editor"
        editor.field.setPlainText("  ")
        assert not editor.agree.isEnabled(), "an empty plan is none"
        editor.field.setPlainText("1. Write only c.txt")
        furnished.bot.keyClick(editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        furnished.until(lambda: planning.editor is None, "the editor to be gone")
        furnished.until(lambda: "Written." in furnished.text(), "the work")
        assert "1. Write only c.txt" in str(server.requests[-1].json["messages"])
        furnished.until(
            lambda: [pin.text for pin in furnished.life.rest.notes.notes] == ["1. Write only c.txt"],
            "the pin",
        )


def test_what_a_person_wrote_is_said_whole_where_it_is_longer_than_a_note(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "\n".join(f"{at}. Do a thing that takes some words to say" for at in range(1, 200))
    with scripted_in_thread(says(PLAN), says("Written.")) as server:
        planning = planned(furnished, monkeypatch, server)
        planning.bar.edit.click()
        planning.editor.field.setPlainText(long)
        planning.editor.agree.click()
        furnished.until(lambda: "Written." in furnished.text(), "the work")
        assert "199. Do a thing" in said(server) and "as I changed it" in said(server)


def test_what_was_changed_is_given_up_only_after_a_yes(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(says(PLAN)) as server:
        planning = planned(furnished, monkeypatch, server)
        planning.bar.edit.click()
        furnished.bot.keyClick(planning.editor.field, Qt.Key.Key_Escape)
        assert planning.editor is None, "nothing was changed, so nothing is asked"
        planning.bar.edit.click()
        editor = planning.editor
        editor.field.setPlainText("1. Something else")
        for answer, stays in (("Go on editing", True), ("Close without them", False)):
            furnished.bot.keyClick(editor.field, Qt.Key.Key_Escape)
            box = editor.findChildren(QMessageBox)[-1]
            assert box.isVisible() and "Close it without your changes" in box.text()
            next(one for one in box.findChildren(QPushButton) if one.text() == answer).click()
            QApplication.processEvents()
            assert (planning.editor is editor) == stays
            assert not stays or editor.text() == "1. Something else"
        assert planning.bar.isVisible(), "the plan still waits"


def test_a_plan_that_cannot_be_accepted_keeps_what_was_written(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(says(PLAN)) as server:
        planning = planned(furnished, monkeypatch, server)
        session = furnished.life.conversation.session
        for at in range(3):
            text = str(at) * 3_999
            furnished.ask(lambda engine, text=text: engine.sessions.pins.add(session, text))
        planning.bar.edit.click()
        planning.editor.field.setPlainText("1. More than there is room for")
        planning.editor.agree.click()
        furnished.until(lambda: planning.editor._fault.isVisible(), "why not")
        assert "holds up to 4,000 characters" in planning.editor._fault.text()
        assert planning.editor.text() == "1. More than there is room for"
        assert planning.editor.agree.isEnabled() and not planning.editor.field.isReadOnly()
        planning.editor.field.setPlainText(PLAN)
        planning.editor.reject()
        planning.bar.accept.click()
        furnished.until(furnished.life.rest.notice.isVisible, "why not")
        furnished.until(planning.bar.accept.isEnabled, "the plan to wait still")


def test_sent_back_it_is_planned_anew(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says(PLAN), says("Another plan.")) as server:
        planning = planned(furnished, monkeypatch, server)
        editor, life = furnished.window.chat.composer.editor, furnished.life
        usual = editor.placeholderText()
        life.conversation.set_mode("agent")
        furnished.until(lambda: furnished.window.chat.composer.modes.value() == "agent", "the mode")
        planning.bar.back.click()
        furnished.until(lambda: furnished.window.chat.composer.modes.value() == "plan", "the mode")
        assert editor.placeholderText() == HINT == editor.accessibleDescription()
        assert planning.bar.isVisible()
        furnished.send("Without b.txt")
        furnished.until(lambda: "Another plan." in furnished.text(), "the other plan")
        assert modes(server) == [False, False] and editor.placeholderText() == usual
        furnished.until(planning.bar.isVisible, "the question about the other plan")


def test_the_commands_say_the_same(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says(PLAN), says("Another plan."), says("Written.")) as server:
        planning = planned(furnished, monkeypatch, server)
        life, editor = furnished.life, furnished.window.chat.composer.editor
        furnished.send("/accept perhaps")
        assert "/accept edit" in life.rest.toast._words.text()
        furnished.send("/reject ")
        assert editor.placeholderText() == HINT
        life.conversation.set_mode("agent")
        furnished.send("/reject Without b.txt")
        furnished.until(lambda: "Another plan." in furnished.text(), "the other plan")
        assert modes(server) == [False, False]
        furnished.until(planning.bar.isVisible, "the question")
        furnished.send("/accept edit")
        assert planning.editor is not None
        planning.editor.reject()
        furnished.send("/accept ")
        furnished.until(lambda: "Written." in furnished.text(), "the work")
        furnished.until(lambda: not life.conversation.running, "the end")
        for command in ("/accept ", "/accept edit", "/reject Something"):
            furnished.send(command)
            assert life.rest.toast._words.text() == "No plan waits in this conversation."
        assert editor.toPlainText() == "/reject Something", "what was written is not lost"


def test_the_card_is_reached_by_the_keyboard_and_keeps_its_words_at_any_width(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(says(PLAN)) as server:
        planning = planned(furnished, monkeypatch, server)
        furnished.window.chat.composer.editor.setFocus()
        for wanted in reversed(planning.bar.buttons):
            furnished.bot.keyClick(furnished.app.focusWidget(), Qt.Key.Key_Backtab)
            assert furnished.app.focusWidget() is wanted
        for width in (1280, 520):
            furnished.window.resize(width, 700)
            QApplication.processEvents()
            for part in planning.bar.buttons:
                corner = part.mapTo(furnished.window, part.rect().bottomRight())
                assert furnished.window.rect().contains(corner) and part.width() >= part.sizeHint().width()
