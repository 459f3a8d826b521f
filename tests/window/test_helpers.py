"""Helpers in the window: their rows while they work and afterwards, and their transcripts read in place."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent

from app.records import Answer
from tests.servers.scripted import Exchange, Script, calls, says, scripted_in_thread
from tests.window.agent_tools import Held, helps
from tests.window.desk import LAUNCH, until
from tests.window.furnished import Furnished
from tests.window.test_talking import endless, point_at
from ui.window.composer.incoming import Incoming
from ui.window.life import Life
from ui.window.transcript.helper_rows import HelperRow


def by_task(**scripts: list[Script]) -> Script:
    """Answer each request by the first word of its conversation: helpers ask side by side."""
    left = {word: list(each) for word, each in scripts.items()}

    async def answer(exchange: Exchange) -> None:
        messages = exchange.request.json["messages"]
        first = next(str(one["content"]) for one in messages if one["role"] == "user")
        word = next(word for word in left if f"{word} " in first)
        await left[word].pop(0)(exchange)

    return answer


def rows(life: Life) -> list[str]:
    """Return what the rows of helpers say."""
    life.transcript.flush()
    found = []
    for row in life.transcript.story.rows:
        row.make()
        found += [block.text() for block in row.blocks if isinstance(block, HelperRow)]
    return found


def press(life: Life, task: str) -> None:
    """Press the row of a helper."""
    for shown in life.transcript.shown:
        if isinstance(shown.block, HelperRow) and shown.block.seen.task == task:
            life.transcript.keys.activate(shown.block, shown.block.parts()[0])
            return
    raise AssertionError(f"no row of {task!r} is in sight")


def test_they_are_watched_opened_and_left_again(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    second, last = Held(says("It holds nothing.")), Held(says("Both are done."))
    script = by_task(
        Everything=[helps("Look around the folder", "Read the names"), last],
        Look=[calls(("list_dir", {"path": "."})), second],
        Read=[says("There are none.")],
    )
    with scripted_in_thread(script) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        bar, composer = life.rest.helping.bar, furnished.window.chat.composer
        furnished.send("Everything please")
        wanted = ["Look around the folder: Thinking", "Read the names: Done, 1 round"]
        furnished.until(lambda: rows(life) == wanted, "one to work and one to be done")
        home = life.conversation.session
        assert [info.id for info in life.list.all()] == [home], "helpers stand in no list"

        life.window.chat.composer.editor.setPlainText("half a thought")
        furnished.until(lambda: any(isinstance(s.block, HelperRow) for s in life.transcript.shown), "rows")
        press(life, "Look around the folder")
        furnished.until(bar.isVisible, "the helper's transcript")
        assert bar.accessibleName() == "A helper works for “Everything please”. You can watch it here."
        assert composer.isHidden() and life.conversation.home() == home
        assert life.remembered.session == home, "the next start shows the conversation, not its helper"
        furnished.until(lambda: "Look around the folder" in furnished.text(), "its task")
        second.go()
        furnished.until(lambda: "It holds nothing." in furnished.text(), "its answer, live")
        furnished.until(lambda: "worked for" in bar.accessibleName(), "its end")
        assert life.rest.planning.bar.isHidden()

        for act in ("again", "delete", "compact", "pin"):
            getattr(life.rest.deeds, act)()
            assert "can only be read" in life.rest.toast._words.text()
            life.rest.toast.hide()
        bar.back.click()
        furnished.until(bar.isHidden, "the way back")
        assert life.conversation.session == home and composer.isVisible()
        assert composer.text() == "half a thought"
        done = ["Look around the folder: Done, 2 rounds", "Read the names: Done, 1 round"]
        furnished.until(lambda: rows(life) == done, "both rows")
        last.go()
        furnished.until(lambda: "Both are done." in furnished.text(), "the answer")
        assert rows(life) == done


def test_a_stored_card_opens_by_keyboard_and_escape_leads_back(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = calls(("list_dir", {"path": "."}))
    script = by_task(
        Everything=[helps("Look around", "Read on"), says("Done.")],
        Look=[says("Nothing here.")],
        Read=[broken, says("")],
    )
    with scripted_in_thread(script) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("Everything please")
        furnished.until(lambda: "Done." in furnished.text(), "the answer")
        furnished.until(lambda: not life.conversation.running, "the end")
        life.conversation.show_new()
        life.rest.deeds.open(life.list.all()[0], "")
        furnished.until(lambda: len(rows(life)) == 2, "the stored card")
        assert rows(life)[0] == "Look around: Done, 1 round" and "early" in rows(life)[1]
        view = life.transcript
        view.viewport().repaint()
        furnished.window.activateWindow()
        view.setFocus()
        while view.keys.focus is None or view.keys.focus[1].act != "helper":
            assert view.keys.tab(backward=False)
        furnished.bot.keyClick(view, Qt.Key.Key_Return)
        bar = life.rest.helping.bar
        furnished.until(lambda: bar.isVisible() and "Nothing here." in furnished.text(), "the helper")
        assert (
            bar.accessibleName() == "A helper worked for “Everything please”. You can read here what it did."
        )
        furnished.until(view.hasFocus, "the transcript to have the keyboard")
        furnished.bot.keyClick(view, Qt.Key.Key_Escape)
        furnished.until(bar.isHidden, "the way back")
        furnished.until(lambda: "Done." in furnished.text(), "the conversation")
        assert furnished.window.chat.composer.isVisible()


def test_a_question_of_a_helper_is_asked_while_its_transcript_is_read(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks = Held(calls(("write_file", {"path": "a.txt", "content": "x"})))
    script = by_task(Everything=[helps("Write it"), says("Done.")], Write=[asks, says("It was not allowed.")])
    with scripted_in_thread(script) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("Everything please")
        furnished.until(lambda: rows(life) == ["Write it: Thinking"], "the helper")
        furnished.until(lambda: any(isinstance(s.block, HelperRow) for s in life.transcript.shown), "its row")
        press(life, "Write it")
        furnished.until(life.rest.helping.bar.isVisible, "its transcript")
        asks.go()
        furnished.until(lambda: life.questions.waiting(life.conversation.home()), "its question")
        life.questions.deny(life.questions.waiting()[0].id)
        furnished.until(lambda: "It was not allowed." in furnished.text(), "what it made of the answer")


def test_what_a_helper_changes_is_shown_over_its_transcript_and_files_go_nowhere_unseen(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    last = Held(says("It is written."))
    asks = calls(("write_file", {"path": "a.txt", "content": "x"}))
    script = by_task(Everything=[helps("Write it"), says("Done.")], Write=[asks, last])
    with scripted_in_thread(script) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("Everything please")
        furnished.until(lambda: any(isinstance(s.block, HelperRow) for s in life.transcript.shown), "its row")
        furnished.until(lambda: life.questions.waiting(), "its question")
        press(life, "Write it")
        furnished.until(life.rest.helping.bar.isVisible, "its transcript")
        changes = life.rest.panel.changes
        question = life.questions.waiting()[0]
        furnished.ask(lambda engine: engine.answer(question.id, Answer(decision="allow")))
        furnished.until(lambda: changes.newest(), "the change that it made, while it is watched")
        last.go()
        furnished.until(lambda: "worked for" in life.rest.helping.bar.accessibleName(), "its end")
        life.rest.helping.bar.back.click()
        furnished.until(life.rest.helping.bar.isHidden, "the way back")
        furnished.until(lambda: changes.newest(), "the change in its conversation")
        furnished.until(lambda: "Done." in furnished.text(), "the answer")
        press(life, "Write it")
        furnished.until(life.rest.helping.bar.isVisible, "its transcript again")
        furnished.until(lambda: changes.newest(), "the change, read from the store")

        brought = tmp_path / "b.txt"
        brought.write_text("b")
        page, data = life.window.chat, QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(brought))])
        copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        over = QDragEnterEvent(QPoint(9, 9), copy, data, left, Qt.KeyboardModifier.NoModifier)
        page.dragEnterEvent(over)
        assert not over.isAccepted()
        page.dropped.emit(Incoming((str(brought),)))
        life.rest.deeds.files.pick()
        assert not life.rest.attaching.things
        assert "can only be read" in life.rest.toast._words.text()


def test_helpers_of_a_call_that_a_kill_broke_off_can_still_be_read(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script = by_task(
        Everything=[helps("Look around", "Read on"), says("Where were we?")],
        Look=[says("Nothing here.")],
        Read=[calls(("list_dir", {"path": "."})), endless()],
    )
    with scripted_in_thread(script) as server:
        point_at(monkeypatch, server.url)
        asked = [*LAUNCH, "ask", "--yes", "Everything please"]
        with subprocess.Popen(
            asked, cwd=tmp_path, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        ) as ran:
            until(lambda: len(server.requests) == 4, "the second round of a helper")
            ran.kill()
        life = furnished.open()
        furnished.until(lambda: len(life.list.all()) == 1, "the conversation")
        life.rest.deeds.open(life.list.all()[0], "")
        furnished.until(lambda: len(rows(life)) == 2, "their rows")
        assert rows(life)[0] == "Look around: Done, 1 round" and "Read on: Ended early" in rows(life)[1]
        furnished.until(lambda: any(isinstance(s.block, HelperRow) for s in life.transcript.shown), "rows")
        press(life, "Look around")
        furnished.until(lambda: "Nothing here." in furnished.text(), "what the helper said")
        life.rest.helping.bar.back.click()
        furnished.until(lambda: len(rows(life)) == 2, "the way back")
        furnished.send("Go on")
        furnished.until(lambda: "Where were we?" in furnished.text(), "the answer")
        assert len(rows(life)) == 2, "the result that says it broke off takes none of them away"
