"""The list of conversations in the window: search, rename, pin, delete and bring back, drafts, other
processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from tests.bench.samples import fill_home
from tests.servers.scripted import says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at

ROW = Qt.ItemDataRole.UserRole


def titles(furnished: Furnished) -> list[str]:
    """The rows of the list, headings included."""
    model = furnished.life.list.view.model()
    return [model.index(at, 0).data(ROW).title for at in range(model.rowCount())]


def make(furnished: Furnished, *names: str) -> list[Any]:
    """Make conversations with these titles, oldest first."""

    async def work(engine: Any) -> list[Any]:
        made = []
        for name in names:
            info = await engine.sessions.create()
            await engine.sessions.rename(info.id, name)
            made.append(info)
        return made

    found: list[Any] = furnished.ask(work)
    furnished.until(lambda: set(names) <= set(titles(furnished)), "the new conversations in the list")
    return found


def test_delete_is_taken_back_from_the_toast(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    one, _two = make(furnished, "Port 8080", "Invoices")
    life.sessions.delete(one.id)
    furnished.until(
        lambda: "Port 8080" not in titles(furnished) and life.rest.toast.isVisible(),
        "the deletion",
    )
    assert furnished.ask(lambda engine: engine.sessions.get(one.id)).deleted
    life.rest.toast.undo()
    furnished.until(lambda: "Port 8080" in titles(furnished), "the conversation to come back")
    assert not furnished.ask(lambda engine: engine.sessions.get(one.id)).deleted


def test_what_was_exported_comes_back_by_import(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    (one,) = make(furnished, "Port 8080")
    saved, said = tmp_path / "a talk.json", []
    life.sessions.done.connect(lambda words, undo: said.append(words))
    life.sessions.export(one.id, "json", str(saved))
    furnished.until(lambda: said == ["Saved as a talk.json."], "the file")
    life.sessions.bring(str(saved))
    furnished.until(lambda: titles(furnished).count("Port 8080") == 2, "the copy in the list")
    assert said[1:] == ["Imported: Port 8080"]
    assert life.conversation.session not in ("", one.id)
    two = [{"title": title, "mapping": {}} for title in ("First", "Second")]
    saved.write_text(json.dumps(two))
    life.sessions.bring(str(saved))
    furnished.until(lambda: {"First", "Second"} <= set(titles(furnished)), "both in the list")
    assert said[2:] == ["Imported 2 conversations."]


def test_a_file_that_cannot_be_is_told_as_that(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    (one,) = make(furnished, "Port 8080")
    failed: list[str] = []
    life.sessions.problem.connect(lambda problem: failed.append(problem.code))
    (tmp_path / "no.json").write_text("{")
    life.sessions.bring(str(tmp_path / "no.json"))
    furnished.until(lambda: failed == ["bad_import"], "the refusal of the text")
    life.sessions.bring(str(tmp_path / "gone.json"))
    furnished.until(lambda: failed[1:] == ["not_found"], "the refusal of the name")
    life.sessions.export(one.id, "md", str(tmp_path / "no" / "a.md"))
    furnished.until(lambda: failed[2:] == ["not_found"], "the refusal of the folder")


def test_rename_and_pin(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    one, _two = make(furnished, "Port 8080", "Invoices")
    life.sessions.rename(one.id, "Who blocks port 8080")
    life.sessions.pin(one.id, True)
    wanted = ["Pinned", "Who blocks port 8080", "Today", "Invoices"]
    furnished.until(lambda: titles(furnished) == wanted, "the new order")


def test_a_title_is_edited_in_its_place(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    (one,) = make(furnished, "Port 8080")
    life.conversation.open(furnished.ask(lambda engine: engine.sessions.get(one.id)))
    life.rest.deeds.rename()
    field = life.list.view.findChild(type(life.list.search).__mro__[1])
    assert field is not None
    field.setText("Ports")
    furnished.bot.keyClick(field, Qt.Key.Key_Return)
    furnished.until(lambda: "Ports" in titles(furnished), "the new title")


def test_another_title_is_edited_without_going_there(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    one, _other = make(furnished, "Port 8080", "Invoices")
    life.conversation.open(furnished.ask(lambda engine: engine.sessions.get(one.id)))
    view = life.list.view
    index = next(
        index
        for index in (view.model().index(row, 0) for row in range(view.model().rowCount()))
        if index.data() == "Invoices"
    )
    view.setCurrentIndex(index)
    view.edit(index)
    field = view.findChild(type(life.list.search).__mro__[1])
    assert field is not None
    field.setText("Bills")
    furnished.bot.keyClick(field, Qt.Key.Key_Return)
    furnished.until(lambda: "Bills" in titles(furnished), "the new title")
    assert life.conversation.session == one.id, "Enter ended the title and opened nothing"


def test_search_finds_words_of_messages(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(says("The heron stands in the reeds.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("Where is the bird?")
        furnished.until(lambda: "reeds" in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end")
        life.rest.deeds.new()
        life.list.search.setText("heron")
        furnished.until(lambda: titles(furnished)[:1] == ["Found"], "the hit")
        index = life.list.view.model().index(1, 0)
        life.list.view.opened.emit(index)
        furnished.until(lambda: "reeds" in furnished.text(), "the conversation of the hit")
        life.list.search.setText("nothing has this word")
        furnished.until(lambda: titles(furnished) == ["Nothing found"], "no hit")
        furnished.bot.keyClick(life.list.search, Qt.Key.Key_Escape)
        furnished.until(lambda: "Today" in titles(furnished), "the whole list again")
        assert life.list.search.text() == ""


def test_a_hit_leads_to_its_message_though_it_is_far_above(
    furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    (session,) = fill_home(home, count=1, length=200)
    life = furnished.open()

    async def add(engine: Any) -> list[Any]:
        found: list[Any] = await engine.sessions.messages(session)
        return found

    furnished.until(lambda: life.transcript.shown, "the conversation")
    wanted = [one for one in furnished.ask(add) if one.role == "user"][3]
    life.rest.deeds.new()
    life.list.search.setText(wanted.text)
    furnished.until(lambda: titles(furnished)[:1] == ["Found"], "the hits")
    rows = life.list.view.model()
    hit = next(
        index
        for index in (rows.index(at, 0) for at in range(rows.rowCount()))
        if index.data(ROW).message == wanted.id
    )
    life.list.view.opened.emit(hit)
    shown = life.transcript.shown
    furnished.until(
        lambda: any(one.row.key == wanted.id and one.y >= 0 for one in life.transcript.shown), "the message"
    )
    assert life.transcript.shown is not shown
    furnished.until(lambda: life.rest.find_bar.isVisible(), "the bar that marks the words")
    assert life.transcript.finder.current[0] == life.transcript.story.place_of(wanted.id)[0].order
    life.rest.deeds.open(life.conversation.info, "no such message")
    assert any(one.row.key == wanted.id for one in life.transcript.shown), "it stays where it is"


def test_drafts_stay_with_their_conversation(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    one, two = make(furnished, "Port 8080", "Invoices")
    editor = life.window.chat.composer.editor
    life.conversation.open(one)
    editor.setPlainText("half a thought")
    life.conversation.open(two)
    assert editor.toPlainText() == ""
    life.conversation.open(one)
    assert editor.toPlainText() == "half a thought"
    life.rest.keep()
    path = furnished.life.home.data / "window.json"
    furnished.until(lambda: path.exists() and "half a thought" in path.read_text(), "the draft on disk")


def test_what_another_process_does_is_seen(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio
    import os

    from app.engine import Engine
    from app.platform.paths import home

    point_at(monkeypatch, CLOSED)
    furnished.open()

    async def elsewhere() -> None:
        engine = Engine(home(os.environ), os.environ)
        await engine.open()
        info = await engine.sessions.create()
        await engine.sessions.rename(info.id, "From the terminal")
        await engine.close()

    asyncio.run(elsewhere())
    furnished.until(lambda: "From the terminal" in titles(furnished), "the other process's conversation")
