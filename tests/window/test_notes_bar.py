"""Pinned notes and summaries in the window, over a real engine, store and model server."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel

from tests.conversation.long_talk import summary
from tests.servers.scripted import Exchange, fails, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.test_talking import point_at
from ui.window.parts import IconButton


def open_talk(furnished: Furnished, monkeypatch: pytest.MonkeyPatch, url: str, words: str) -> None:
    """Open the window and say something."""
    point_at(monkeypatch, url)
    life = furnished.open()
    furnished.send(words)
    furnished.until(
        lambda: life.conversation.session and not life.conversation.running, "the end of the turn"
    )
    furnished.until(lambda: "First." in furnished.text(), "the answer")


def test_a_message_is_pinned_shown_and_let_go(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says("First.")) as server:
        open_talk(furnished, monkeypatch, server.url, "Never touch the archive.")
        life, bar = furnished.life, furnished.life.rest.notes
        assert not bar.isVisible()
        row = life.transcript.story.rows[0]
        menu = life.transcript.pointer.menu(life.transcript.rect_of(row, 0).center() + QPoint(0, 1))
        next(one for one in menu.actions() if one.text() == "Pin message").trigger()
        furnished.until(bar.isVisible, "the bar")
        assert bar.accessibleName() == "Never touch the archive."
        furnished.send("/pin Be\nbrief.")
        furnished.until(lambda: len(bar.notes) == 2, "the second note")
        assert bar.accessibleName() == "2 pinned notes"
        bar.toggle()
        shown = [one.text() for one in bar._rows.findChildren(QLabel)]
        assert shown == ["Never touch the archive.", "Be\nbrief."]
        life.conversation.show_new()
        furnished.until(lambda: not bar.isVisible(), "no bar in a new conversation")
        furnished.send("/pin too early")
        assert bar.notes == ()
        life.rest.deeds.open(life.list.all()[0], "")
        furnished.until(lambda: len(bar.notes) == 2, "the notes again")
        bar.toggle()
        bar._rows.findChildren(IconButton)[0].click()
        furnished.until(lambda: len(bar.notes) == 1, "one note less")
        life.rest.toast.undo()
        furnished.until(lambda: len(bar.notes) == 2, "the note again")


def test_a_summary_by_hand_is_shown_where_it_stands(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "Many words stand here. " * 300
    with scripted_in_thread(says("First."), says("Second."), says(summary(goal="read it"))) as server:
        open_talk(furnished, monkeypatch, server.url, long)
        furnished.send("And?")
        furnished.until(lambda: "Second." in furnished.text(), "the second answer")
        furnished.until(lambda: not furnished.life.conversation.running, "the end of the turn")
        furnished.send("/compact")
        furnished.until(
            lambda: any(row.summary is not None for row in furnished.life.transcript.story.rows),
            "the summary",
        )
        assert "Many words stand here." in furnished.text()


def test_the_effort_is_chosen_by_a_command(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says("First.")) as server:
        point_at(monkeypatch, server.url)
        monkeypatch.setenv("BRAMBLE_WIRE", "responses")
        life = furnished.open()
        furnished.send("/effort high")
        furnished.until(lambda: life.conversation.effort() == "high", "the effort")
        furnished.send("Hello.")
        furnished.until(lambda: life.conversation.info is not None, "a stored conversation")
        assert life.conversation.effort() == "high"
        furnished.send("/effort nonsense")
        assert life.conversation.effort() == "high"


def test_the_other_model_answers_when_the_person_says_so(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = fails(429, {"error": {"message": "slow down"}}, {"retry-after": "3600"})

    async def script(exchange: Exchange) -> None:
        await (says("From the other.") if exchange.request.json["model"] == "other" else limited)(exchange)

    with scripted_in_thread(script) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.ask(lambda engine: engine.change_settings(fallback_model="env/other"))
        furnished.send("Hello.")
        problems = lambda: [row.problem for row in life.transcript.story.rows if row.problem]  # noqa: E731
        furnished.until(problems, "the problem")
        assert [one.code for one in problems()] == ["rate_limit_other"]
        furnished.until(lambda: not life.conversation.running, "the end of the turn")
        life.transcript.remedy_requested.emit("use_fallback")
        furnished.until(lambda: "From the other." in furnished.text(), "the other answer")


def test_the_settings_choose_the_other_model(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says("First.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.ask(lambda engine: engine.change_settings(fallback_model="env/other"))
        life.window.show_page("settings")
        rows = life.rest.settings_page.fall_back
        furnished.until(lambda: rows.models.currentData() == "env/other", "what is set")
        rows.auto.click()
        furnished.until(lambda: life.settings.fall_back == "auto", "the switch")
        rows.models.setCurrentIndex(0)
        rows.models.activated.emit(0)
        furnished.until(lambda: life.settings.fallback_model == "", "no other model")
        assert not rows.auto.isEnabled()
