"""The page of memory and what the window shows of it: rows, search, change, flags, forgetting with undo until
the page is left, private conversations, and the quiet row of what was recalled.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from app.memory_records import MemoryItem
from app.records import Mark
from tests.servers.scripted import ScriptedServer, calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.seen import press, words
from ui.window.pages.memory_rows import MemoryRow


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """A model that always says the same."""
    with scripted_in_thread(says("Meat.")) as running:
        for name, value in (("BASE_URL", running.url), ("API_KEY", "key"), ("MODEL", "scripted")):
            monkeypatch.setenv(f"BRAMBLE_{name}", value)
        yield running


def page_of(furnished: Furnished) -> Any:
    furnished.window.show_page("memory")
    page: Any = furnished.life.rest.memory.page
    furnished.until(lambda: page.sentence.text() != "Looking…", "what is remembered")
    return page


def remember(furnished: Furnished, text: str, **fields: Any) -> str:
    kept = furnished.ask(lambda engine: engine.memory.remember(MemoryItem(text=text, **fields)))
    return str(kept.item.id)


def texts(page: Any) -> list[str]:
    return [row.item.text for row in page.list.rows]


def row(page: Any, text: str) -> MemoryRow:
    return next(one for one in page.list.rows if one.item.text == text)


def test_an_empty_memory_teaches_with_an_example(furnished: Furnished) -> None:
    furnished.open()
    page = page_of(furnished)
    assert page.sentence.text() == "No fact is remembered yet." and page.empty.isVisible()
    assert not page.card.isVisible() and not page.export_button.isVisible()
    page.example.click()
    assert furnished.window.page() == "chat"
    assert "short answers" in furnished.window.chat.composer.editor.toPlainText()


def test_facts_are_listed_found_pinned_changed_and_had_back(furnished: Furnished) -> None:
    furnished.open()
    remember(furnished, "My dog is called Bruno", topic="pets")
    remember(furnished, "I live in Graz")
    page = page_of(furnished)
    furnished.until(lambda: texts(page) == ["I live in Graz", "My dog is called Bruno"], "the rows")
    assert page.sentence.text() == "2 facts are remembered." and page.export_button.isVisible()
    furnished.until(lambda: "pets · just now" in words(row(page, "My dog is called Bruno")), "topic and age")
    page.search.setText("dogs")
    furnished.until(lambda: texts(page) == ["My dog is called Bruno"], "the search")
    page.search.setText("zeppelin")
    furnished.until(lambda: "Nothing holds these words" in words(page), "the word that there is none")
    page.search.setText("")
    furnished.until(lambda: len(texts(page)) == 2, "all of them")
    page.topic.setCurrentIndex(page.topic.findData("pets"))
    page.topic.activated.emit(page.topic.currentIndex())
    furnished.until(lambda: texts(page) == ["My dog is called Bruno"], "the topic")
    row(page, "My dog is called Bruno").pin.click()
    furnished.until(lambda: row(page, "My dog is called Bruno").item.pinned, "the pin")
    furnished.until(lambda: "told to every new conversation" in page.sentence.text(), "the sum")
    row(page, "My dog is called Bruno").edit.click()
    furnished.until(lambda: page.form.isVisible(), "the form")
    page.form.text.setText("My dog is called Max")
    furnished.bot.keyClick(page.form.text, Qt.Key.Key_Return)
    furnished.until(lambda: texts(page) == ["My dog is called Max"], "the change")
    assert not page.form.isVisible()
    furnished.life.rest.toast.undo()
    furnished.until(lambda: texts(page) == ["My dog is called Bruno"], "the way back")


def test_what_cannot_be_kept_is_refused_in_the_form_and_stays_typed(furnished: Furnished) -> None:
    furnished.open()
    page = page_of(furnished)
    page.add_button.click()
    page.form.text.setText("my password is hunter2")
    furnished.bot.keyClick(page.form.text, Qt.Key.Key_Return)
    furnished.until(lambda: "looks like a key" in words(page.form), "the refusal")
    assert page.form.text.text() == "my password is hunter2"
    page.form.text.setText("I live in Graz")
    press(page.form, "Keep it")
    furnished.until(lambda: texts(page) == ["I live in Graz"], "the fact")
    page.add_button.click()
    furnished.bot.keyClick(page.form.text, Qt.Key.Key_Escape)
    assert not page.form.isVisible()


def test_forgetting_can_be_undone_until_the_page_is_left(furnished: Furnished, home: Path) -> None:
    furnished.open()
    remember(furnished, "Quillfeather lives under the stairwell")
    page = page_of(furnished)
    furnished.until(lambda: texts(page), "the row")
    row(page, "Quillfeather lives under the stairwell").forget.click()
    furnished.until(lambda: not texts(page), "it to be gone")
    furnished.life.rest.toast.undo()
    furnished.until(lambda: texts(page), "the way back")
    row(page, "Quillfeather lives under the stairwell").forget.click()
    furnished.until(lambda: not texts(page), "it to be gone")
    furnished.window.show_page("chat")

    def on_disk() -> bytes:
        return b"".join(one.read_bytes() for one in (home).rglob("bramble.db*")).lower()

    furnished.until(lambda: b"quillfeath" not in on_disk(), "it to be forgotten for good")
    assert furnished.ask(lambda engine: engine.memory.bring_back(["m1"])) == 0


def test_flags_are_settled_one_way_or_the_other(furnished: Furnished) -> None:
    furnished.open()
    remember(furnished, "I live in Graz")
    remember(furnished, "I live in Oslo")
    page = page_of(furnished)
    furnished.until(lambda: len(texts(page)) == 2, "the rows")
    flag = "Seems to speak against: I live in Graz"
    furnished.until(lambda: flag in words(row(page, "I live in Oslo")), "the flag")
    press(row(page, "I live in Oslo"), "Keep this one")
    furnished.until(lambda: texts(page) == ["I live in Oslo"], "one to stand for both")
    furnished.life.rest.toast.undo()
    furnished.until(lambda: len(texts(page)) == 2, "the way back")
    press(row(page, "I live in Oslo"), "Both are right")
    furnished.until(lambda: "speak against" not in words(page), "the flags to go")


def test_what_came_from_elsewhere_says_so_until_it_is_confirmed(furnished: Furnished) -> None:
    furnished.open()
    remember(furnished, "The show opens in May", marks=(Mark(kind="web", name="example.org"),))
    page = page_of(furnished)
    furnished.until(lambda: texts(page), "the row")
    doubt = "example.org was here, which nobody vouches for"
    furnished.until(lambda: doubt in words(row(page, "The show opens in May")), "the doubt")
    press(row(page, "The show opens in May"), "This is right")
    furnished.until(lambda: "vouches" not in words(page), "it to be confirmed")


def test_projects_and_lists_have_their_place(furnished: Furnished) -> None:
    furnished.open()
    remember(furnished, "Use SQLite", kind="decision", project="/w/garden", by="person", confirmed=True)
    remember(furnished, "Milk", kind="todo", topic="shopping")
    page = page_of(furnished)
    page.show_kind("project")
    furnished.until(lambda: texts(page) == ["Use SQLite"], "the project")
    furnished.until(lambda: "Decision" in words(page.list), "what it is")
    furnished.until(lambda: "No open item is written down." in words(page.unknown), "what nobody knows")
    page.show_kind("todo")
    furnished.until(lambda: texts(page) == ["Milk"], "the list")
    row(page, "Milk").tick.click()
    furnished.until(lambda: row(page, "Milk").item.done, "it to be ticked off")
    assert not page.unknown.isVisible()


def test_every_control_has_a_name_and_the_keys_lead_there(furnished: Furnished) -> None:
    furnished.open()
    remember(furnished, "I live in Graz")
    act = next(one for one in furnished.window.actions() if one.objectName() == "memory")
    assert act.shortcut() == QKeySequence("Ctrl+6")
    act.trigger()
    page = page_of(furnished)
    furnished.until(lambda: texts(page), "the row")
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit

    for part in (QAbstractButton, QComboBox, QLineEdit):
        for one in page.findChildren(part):
            if one.isVisibleTo(page):
                assert one.accessibleName() or getattr(one, "text", str)(), one


def test_what_was_recalled_is_one_quiet_row_that_opens(furnished: Furnished, server: ScriptedServer) -> None:
    furnished.open()
    remember(furnished, "My dog is called Bruno")
    furnished.send("What should I feed my dog?")
    furnished.until(lambda: "Meat." in furnished.text(), "the answer")
    mine = next(one for one in furnished.life.transcript.story.rows if one.mine)
    assert [block.text() for block in mine.blocks][1:] == ["1 thing recalled from memory"]
    assert "Bruno" not in furnished.text()
    mine.toggle("reasoning")
    assert mine.blocks[2].text().startswith("My dog is called Bruno (")


def test_what_a_model_keeps_is_a_row_whose_undo_takes_it_back(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted_in_thread(calls(("remember", {"fact": "I like tea"})), says("Noted.")) as running:
        for name, value in (("BASE_URL", running.url), ("API_KEY", "key"), ("MODEL", "scripted")):
            monkeypatch.setenv(f"BRAMBLE_{name}", value)
        furnished.open()
        furnished.send("Remember that I like tea")
        furnished.until(lambda: "Noted." in furnished.text(), "the answer")
    rows = furnished.life.transcript.story.rows
    (call,) = [call for one in rows for call in one.calls.values()]
    assert (call.title, call.argument, call.result()) == ("Remember", "I like tea", "kept")
    assert [one.text for one in furnished.ask(lambda engine: engine.memory.list())] == ["I like tea"]
    furnished.life.transcript.undo_requested.emit(call.undo)
    furnished.until(lambda: furnished.life.rest.toast.isVisible(), "the word that it is taken back")
    assert furnished.ask(lambda engine: engine.memory.list()) == []
    furnished.life.rest.toast.undo()
    furnished.until(lambda: furnished.ask(lambda engine: engine.memory.list()), "it to be there again")


def test_a_private_conversation_shows_its_sign_and_stays_one(
    furnished: Furnished, server: ScriptedServer
) -> None:
    furnished.open()
    remember(furnished, "My dog is called Bruno")
    sign = furnished.window.chat.title_bar.private
    assert sign.isHidden()
    furnished.send("/private")
    furnished.until(lambda: not sign.isHidden(), "the sign")
    assert sign.text() == "Private" and "neither uses memory" in sign.toolTip()
    furnished.send("What should I feed my dog?")
    furnished.until(lambda: "Meat." in furnished.text(), "the answer")
    assert not sign.isHidden() and "recalled" not in furnished.text()
    assert furnished.life.conversation.info.private and b"Bruno" not in b"".join(
        one.body for one in server.requests
    )
    furnished.send("/new")
    furnished.until(lambda: sign.isHidden(), "an ordinary one")


def test_memory_is_switched_off_in_the_settings_and_the_page_says_so(furnished: Furnished) -> None:
    furnished.open()
    remember(furnished, "I live in Graz")
    settings = furnished.window.show_page("settings")
    assert settings._memory_on.isChecked()
    settings._memory_on.click()
    furnished.until(lambda: not furnished.life.settings.memory, "it to be off")
    press(settings, "Look at what is remembered")
    page = furnished.life.rest.memory.page
    furnished.until(lambda: page.sentence.text().startswith("Memory is switched off"), "the word")
    assert furnished.window.page() == "memory" and texts(page) == ["I live in Graz"]
