"""Questions of a model and timers in the window: cards that are answered by mouse and keyboard."""

from __future__ import annotations

import time
from typing import Any

import pytest
from PySide6.QtCore import Qt

from app.daily_records import InquiryReply
from tests.servers.scripted import ScriptedServer, calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.test_talking import point_at

QUESTION = {
    "question": "Which tea shall I order?",
    "choices": ["Assam", {"text": "Darjeeling", "detail": "The first flush, dearer"}, "None"],
}


def asked(furnished: Furnished, monkeypatch: pytest.MonkeyPatch, server: ScriptedServer) -> Any:
    """Open the window and let a question be asked; return the card."""
    point_at(monkeypatch, server.url)
    furnished.open()
    furnished.send("Order tea")
    card = furnished.life.rest.asked.card
    furnished.until(card.isVisible, "the question")
    return card


def reply(server: ScriptedServer) -> str:
    return str(server.requests[-1].json["messages"][-1]["content"])


def test_a_choice_is_picked_by_its_number(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(calls(("ask_user", QUESTION)), says("Ordered.")) as server:
        card = asked(furnished, monkeypatch, server)
        assert card.accessibleName() == "Bramble asks you: Which tea shall I order?"
        names = [one.accessibleName() for one in card.choices]
        assert names == ["1. Assam", "2. Darjeeling", "3. None"]
        assert card.choices[1].accessibleDescription() == "The first flush, dearer"
        assert len({one._text.x() for one in card.choices}) == 1, "the texts stand in one line"
        (call,) = next(row.calls.values() for row in furnished.life.transcript.story.rows if row.calls)
        assert (call.state, call.result()) == ("asking", "needs you")
        card.choices[0].setFocus()
        furnished.bot.keyClick(card.choices[0], Qt.Key.Key_2)
        furnished.until(lambda: "Ordered." in furnished.text(), "the answer")
        assert "Picked: Darjeeling." in reply(server) and card.isHidden()
        assert furnished.ask(lambda engine: engine.approvals.list()) == []


def test_words_of_ones_own_and_several_choices(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(calls(("ask_user", {**QUESTION, "several": True})), says("Fine.")) as server:
        card = asked(furnished, monkeypatch, server)
        assert not card.send.isEnabled()
        furnished.bot.mouseClick(card.choices[0], Qt.MouseButton.LeftButton)
        furnished.bot.keyClick(card.choices[2], Qt.Key.Key_Space)
        assert card.isVisible() and card.send.isEnabled()
        furnished.bot.keyClicks(card.field, "2 bags")
        furnished.bot.keyClick(card.field, Qt.Key.Key_Return)
        furnished.until(lambda: "Fine." in furnished.text(), "the answer")
        assert "Picked: Assam; None." in reply(server) and "In their words: 2 bags" in reply(server)


def test_tab_goes_through_the_card_and_it_can_be_declined(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(calls(("ask_user", QUESTION)), says("Then not.")) as server:
        card = asked(furnished, monkeypatch, server)
        card.choices[0].setFocus()
        has = card.choices[0]
        for wanted in (*card.choices[1:], card.field, card.decline):
            furnished.bot.keyClick(has, Qt.Key.Key_Tab)
            has = furnished.window.focusWidget()
            assert has is wanted
        furnished.bot.keyClick(card.decline, Qt.Key.Key_Space)
        furnished.until(lambda: "Then not." in furnished.text(), "the answer")
        assert "rather not answer" in reply(server)


def test_one_that_is_answered_elsewhere_or_stopped_goes_away(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = calls(("ask_user", QUESTION))
    with scripted_in_thread(calls(("ask_user", QUESTION)), again, says("Done.")) as server:
        card = asked(furnished, monkeypatch, server)
        first = card.inquiry.id
        said = InquiryReply(picked=("None",))
        assert furnished.ask(lambda engine: engine.daily.inquiries.answer(first, said))
        furnished.until(lambda: card.inquiry is not None and card.inquiry.id != first, "the next question")
        assert not furnished.ask(lambda engine: engine.daily.inquiries.answer(first, said))
        furnished.ask(lambda engine: engine.stop(furnished.life.conversation.session))
        furnished.until(card.isHidden, "the question to be withdrawn")


def test_a_timer_rings_and_stays_until_it_is_put_away(furnished: Furnished) -> None:
    life = furnished.open()
    ring = life.rest.asked.ring
    furnished.ask(lambda engine: engine.daily.timers.set(time.time() + 0.2, "Tea is ready"))
    furnished.until(ring.isVisible, "the timer")
    assert ring.words.text().startswith("Tea is ready: it is ")
    furnished.bot.mouseClick(ring.done, Qt.MouseButton.LeftButton)
    furnished.until(ring.isHidden, "the timer to go")
    assert furnished.ask(lambda engine: engine.daily.timers.list()) == []
