"""The steps of the work above the composer: live, in a stored conversation, and gone when all is done."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.agent_tools import Held, plan
from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at
from ui.step_words import Step


def test_the_strip_follows_the_work_and_goes_with_the_next_turn(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    second, third, last = (
        Held(plan("done", "doing", "open")),
        Held(plan("done", "dropped", "done")),
        Held(says("Done.")),
    )
    with scripted_in_thread(plan("doing", "open", "open"), second, third, last, says("Hello.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        strip = life.rest.planning.strip
        assert strip.isHidden()
        furnished.send("Do three things")
        furnished.until(strip.isVisible, "the strip")
        assert strip.accessibleName() == "Step 1 of 3: Do thing 1"
        assert strip.bar.accessibleName() == "0 of 3 steps are done"
        strip.toggle_button.click()
        assert strip.toggle_button.accessibleName() == "Hide the steps"
        rows = [strip._list.itemAt(at).widget().accessibleName() for at in range(3)]
        assert rows == ["Do thing 1, in work", "Do thing 2, to do", "Do thing 3, to do"]
        second.go()
        furnished.until(lambda: strip.accessibleName() == "Step 2 of 3: Do thing 2", "the second step")
        assert strip.opened, "it stays open while it changes"
        third.go()
        furnished.until(lambda: strip.accessibleName() == "All steps are done.", "the end of the steps")
        last.go()
        furnished.until(lambda: not life.conversation.running, "the end of the turn")
        assert strip.isVisible()
        life.conversation.show_new()
        assert strip.isHidden()
        life.rest.deeds.open(life.list.all()[0], "")
        furnished.until(strip.isVisible, "the strip again")
        assert strip.accessibleName() == "All steps are done."
        furnished.send("Hello")
        furnished.until(strip.isHidden, "it to go with the next turn")
        furnished.until(lambda: "Hello." in furnished.text(), "the answer")
        life.conversation.show_new()
        life.rest.deeds.open(life.list.all()[0], "")
        furnished.until(lambda: "Hello." in furnished.text(), "the conversation")
        assert strip.isHidden()


def test_unfinished_steps_stay_and_are_found_far_above(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [
        calls(("list_dir", {"path": "."}), *[("list_dir", {"path": f"./{'./' * n}"}) for n in range(40)])
    ] * 2
    with scripted_in_thread(plan("done", "open"), *many, says("So far.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        strip = life.rest.planning.strip
        furnished.send("Begin")
        furnished.until(lambda: "So far." in furnished.text(), "the answer")
        assert strip.accessibleName() == "Next is step 2 of 2: Do thing 2"
        furnished.until(lambda: not life.conversation.running, "the end")
        life.conversation.show_new()
        life.rest.deeds.open(life.list.all()[0], "")
        furnished.until(strip.isVisible, "the strip, though its message is not among those drawn first")
        assert strip.accessibleName() == "Next is step 2 of 2: Do thing 2"


def test_long_steps_wrap_scroll_and_are_reached_by_the_keyboard(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    strip = life.rest.planning.strip
    long = "a step with very many words in it that has to be wrapped somewhere " * 4
    strip.show_steps([Step(f"{long}{at}", "open") for at in range(30)])
    editor = furnished.window.chat.composer.editor
    furnished.window.activateWindow()
    editor.setFocus()
    furnished.until(editor.hasFocus, "the field to have the keyboard")
    furnished.bot.keyClick(editor, Qt.Key.Key_Backtab)
    assert furnished.app.focusWidget() is strip.toggle_button
    furnished.bot.keyClick(strip.toggle_button, Qt.Key.Key_Space)
    for width in (1280, 520):
        furnished.window.resize(width, 700)
        QApplication.processEvents()
        assert strip.opened and strip._scroll.height() == strip._theme.px(220)
        assert strip._rows.height() > strip._scroll.height() and strip._rows.width() <= strip._scroll.width()
        assert furnished.window.width() == width, "no long step makes the window wider"
