"""A person talks in the window: send, stream, stop, queue, and a text that could not be sent."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from tests.servers.scripted import Exchange, Script, chunk, fails, says, scripted_in_thread
from tests.window.furnished import Furnished

CLOSED = "http://127.0.0.1:9/v1"
"""Nobody listens on the discard port."""


def endless() -> Script:
    """A script that begins an answer and holds the line until the other side leaves."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"content": "It begins "}))
        await exchange.gone()

    return script


def point_at(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Make the server at `url` the model."""
    for name, value in (("BASE_URL", url), ("API_KEY", "key"), ("MODEL", "test-model")):
        monkeypatch.setenv(f"BRAMBLE_{name}", value)


def test_a_request_is_answered(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says("The answer is forty-two.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("What is the answer?")
        furnished.until(lambda: "forty-two" in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end of the turn")
        assert "What is the answer?" in furnished.text()
        assert life.window.chat.composer.text() == ""
        assert life.conversation.info is not None and life.conversation.info.title
        assert life.list.info(life.conversation.session) is not None


def test_send_becomes_stop_and_stops(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(endless()) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        composer = life.window.chat.composer
        assert composer.send.accessibleName() == "Send"
        furnished.send("Go on for ever")
        furnished.until(lambda: "It begins" in furnished.text(), "the stream")
        assert composer.send.accessibleName() == "Stop"
        furnished.bot.keyClick(composer.editor, Qt.Key.Key_Escape)
        furnished.until(lambda: not life.conversation.running, "the stop")
        assert composer.send.accessibleName() == "Send"
        session = life.conversation.session
        furnished.until(lambda: (info := life.list.info(session)) and not info.running, "its mark to go")


def test_a_text_waits_behind_a_running_turn(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(endless()) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("first")
        furnished.until(lambda: "It begins" in furnished.text(), "the stream")
        furnished.send("second")
        furnished.until(lambda: [q.text for q in life.rest.queue.queued()] == ["second"], "the queue")
        item = life.rest.queue.queued()[0].id
        life.outbox.edit(item, "second, better")
        furnished.until(lambda: [q.text for q in life.rest.queue.queued()] == ["second, better"], "the edit")
        composer = life.window.chat.composer
        composer.editor.setPlainText("words")
        assert composer.halt.isVisible(), "Stop stays in sight while the button sends"
        life.outbox.remove(item)
        furnished.until(lambda: not life.rest.queue.queued(), "the removal")
        life.conversation.stop()
        furnished.until(lambda: not life.conversation.running, "the stop")


def test_ctrl_enter_tells_the_running_turn(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(endless()) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("first")
        furnished.until(lambda: "It begins" in furnished.text(), "the stream")
        editor = life.window.chat.composer.editor
        editor.setPlainText("look at May too")
        furnished.bot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        furnished.until(lambda: [q.kind for q in life.rest.queue.queued()] == ["steer"], "the steering text")
        life.conversation.stop()
        furnished.until(lambda: not life.conversation.running, "the stop")


def test_a_refused_key_leads_to_the_key_field(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(fails(401, {"error": {"message": "bad key"}})) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("hello")
        furnished.until(lambda: "hello" in furnished.text(), "the message")
        furnished.until(lambda: not life.conversation.running, "the end")
        life.transcript.remedy_requested.emit("open_settings_key")
        assert life.window.page() == "settings"
        assert life.rest.settings_page is not None
        assert life.window.focusWidget() is life.rest.settings_page.entry.field


def test_a_text_that_cannot_be_sent_comes_back(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.remembered.folder = "/nowhere/at/all"
    furnished.send("work in a folder that is gone")
    composer = life.window.chat.composer
    furnished.until(lambda: composer.text() == "work in a folder that is gone", "the text to come back")
    assert life.rest.notice.isVisible()


def test_two_texts_at_once_make_one_conversation(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(says("One."), says("Two.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("first")
        furnished.send("second")
        furnished.until(lambda: "One." in (text := furnished.text()) and "Two." in text, "both answers")
        furnished.until(lambda: not life.conversation.running, "the end")
        assert len(furnished.ask(lambda engine: engine.sessions.list())) == 1


def test_text_of_any_kind_goes_through(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = "שלום \u202e emoji 👩‍👩‍👧 and a long line " + "x" * 5000
    with scripted_in_thread(says("\x00 ok \u2028 " + odd)) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send(odd)
        furnished.until(lambda: "ok" in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end")


def test_what_waits_is_read_when_a_conversation_is_opened(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fill(engine: Any) -> Any:
        info = await engine.sessions.create()
        await engine.queue(info.id, "later")
        return info

    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.conversation.open(furnished.ask(fill))
    furnished.until(lambda: [q.text for q in life.rest.queue.queued()] == ["later"], "the queue")
