"""Attachments of the message that is being written: dropped, pasted, completed, read and sent, kept with the
draft; what hinders one stands at its chip.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication

from app.attachment_records import attachments_of
from tests.documents.test_documents import pdf
from tests.servers.scripted import says, scripted_in_thread
from tests.window.composer.bringing import chips, drop, picture, sent, urls, words
from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, endless, point_at
from ui.attachment_words import MOST
from ui.window.composer.file_offers import typed_of
from ui.window.composer.incoming import holds, taken
from ui.window.transcript.attached import Attached

# --- what comes in


def test_only_files_of_this_computer_are_taken() -> None:
    assert taken(urls(Path("/a b/c.txt"), Path("/a b/c.txt"))).paths == ("/a b/c.txt",)
    for elsewhere in ("https://example.org/a.png", "file://server/share/a.png", "smb://host/a", "data:,x"):
        assert not holds(urls(elsewhere)), elsewhere
    assert taken(urls("file://localhost/etc/hosts")).paths == ("/etc/hosts",)
    assert taken(urls("https://example.org/a.png", Path("/a.txt"))).paths == ("/a.txt",)


def test_text_beside_a_picture_is_meant_as_text() -> None:
    both = QMimeData()
    both.setText("a cell of a table")
    both.setData("image/png", QByteArray(b"\x89PNG"))
    assert not holds(both)
    alone = QMimeData()
    alone.setHtml("<img src='https://example.org/x.png'>")
    alone.setData("image/png", QByteArray(b"\x89PNG"))
    assert taken(alone).data == b"\x89PNG"


def test_an_at_begins_a_path_at_the_start_of_a_word() -> None:
    assert typed_of("@") == "" and typed_of("look at @src/ma") == "src/ma" and typed_of("\t@x") == "x"
    for text in ("", "me@example", "@a b", "x@"):
        assert typed_of(text) is None, text


# --- dropping


def test_dropped_files_go_with_the_message(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "notes.md").write_text("Kumquats")
    (tmp_path / "photos").mkdir()
    with scripted_in_thread(says("Seen.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        page = life.window.chat
        assert drop(page, urls(tmp_path / "notes.md", tmp_path / "photos"))
        assert drop(page, urls(picture(tmp_path / "a.png")))
        assert page.composer.chips.isVisible()
        furnished.until(lambda: chips(furnished).things[-1].image is not None, "the thumbnail")
        assert words(furnished)[0] == "notes.md, 8 bytes"
        assert words(furnished)[1] == "photos, Folder"
        assert words(furnished)[2].startswith("a.png, ")
        furnished.send("What is this?")
        furnished.until(lambda: "Seen." in furnished.text(), "the answer")
        assert not chips(furnished).things and not page.composer.chips.isVisible()
        assert page.composer.text() == ""
        text = sent(server)
        assert "What is this?" in text and "Kumquats" in text and "[empty]" in text
        info = life.conversation.info
        assert info is not None and info.title == "What is this?"
        row = life.transcript.story.rows[0]
        row.make()
        assert row.said == "What is this?" and isinstance(row.blocks[-1], Attached)
        assert [one.title for one in row.blocks[-1].attached] == ["notes.md", "photos", "a.png"]
        assert "Kumquats" in row.markdown(), "a copy keeps what was attached"
        wanted = row.blocks[-1].attached[2].picture
        assert wanted is not None
        furnished.until(lambda: life.transcript.sheet.gallery.image(wanted) is not None, "the picture")


def test_what_is_dragged_is_announced_and_text_stays_text(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    page = furnished.open().window.chat
    mime = urls(tmp_path)
    enter = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction | Qt.DropAction.MoveAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(page.composer.editor.viewport(), enter)
    assert page.composer._frame.property("over") and enter.dropAction() == Qt.DropAction.CopyAction
    QApplication.sendEvent(page, QDragLeaveEvent())
    assert not page.composer._frame.property("over")
    text = QMimeData()
    text.setText("only words")
    assert not drop(page, text)
    assert drop(page.composer.editor.viewport(), text)
    assert page.composer.text() == "only words"
    assert not chips(furnished).things


def test_five_hundred_files_at_once(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    for number in range(500):
        (tmp_path / f"{number:03}.txt").write_text("x")
    drop(life.window.chat, urls(*sorted(tmp_path.glob("*.txt"))))
    assert len(chips(furnished).things) == MOST
    assert life.rest.toast.isVisible() and "folder" in life.rest.toast._words.text()
    furnished.until(lambda: all(thing.size for thing in chips(furnished).things), "a look at each")
    assert life.window.chat.composer.height() < life.window.height() // 2


# --- pasting


def test_a_pasted_picture_is_kept_by_the_engine(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with scripted_in_thread(says("A square.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        editor = life.window.chat.composer.editor
        image = QImage(64, 48, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.darkCyan)
        QGuiApplication.clipboard().setImage(image)
        editor.paste()
        editor.paste()
        assert words(furnished) == ["Pasted picture, Taking it in", "Pasted picture 2, Taking it in"]
        furnished.bot.keyClick(editor, Qt.Key.Key_Return)  # sent before they are there, and without words
        furnished.until(lambda: "A square." in furnished.text(), "the answer")
        found = attachments_of(next(iter(life.conversation.texts.values())))
        assert [one.name for one in found] == ["Pasted picture", "Pasted picture 2"]
        assert found[0].picture is not None and (found[0].picture.width, found[0].picture.height) == (64, 48)
        assert life.conversation.info is not None
        assert life.conversation.info.title == "Pasted picture, Pasted picture 2"
        assert list((tmp_path / "home").rglob(found[0].picture.id)) or life.home.pictures.exists()


def test_files_of_a_file_manager_are_pasted(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    editor = furnished.open().window.chat.composer.editor
    (tmp_path / "a.txt").write_text("a")
    QGuiApplication.clipboard().setMimeData(urls(tmp_path / "a.txt"))
    editor.paste()
    assert [thing.path for thing in chips(furnished).things] == [str(tmp_path / "a.txt")]
    assert editor.toPlainText() == ""
    remote = urls("https://example.org/x.png")
    remote.setText("https://example.org/x.png")
    QGuiApplication.clipboard().setMimeData(remote)
    editor.paste()
    assert editor.toPlainText() == "https://example.org/x.png" and len(chips(furnished).things) == 1


# --- what cannot be read


def test_each_chip_says_what_hinders_it_and_nothing_is_lost(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with scripted_in_thread(says("Thanks.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        (tmp_path / "locked.pdf").write_bytes(pdf(password="secret"))
        (tmp_path / "good.txt").write_text("good")
        (tmp_path / "zero.png").write_bytes(b"")
        (tmp_path / "gone.txt").write_text("soon gone")
        (tmp_path / "long.txt").write_text("x" * 300 * 1024)
        os.mkfifo(tmp_path / "pipe")
        names = ("locked.pdf", "good.txt", "zero.png", "gone.txt", "long.txt", "pipe")
        drop(life.window.chat, urls(*(tmp_path / name for name in names)))
        furnished.until(lambda: chips(furnished).things[3].size, "a look")
        (tmp_path / "gone.txt").unlink()
        furnished.send("Read these")
        furnished.until(
            lambda: chips(furnished)._reading is None and life.rest.toast.isVisible(), "the end of reading"
        )
        assert words(furnished) == [
            "locked.pdf, Locked with a password",
            "good.txt, 4 bytes",
            "zero.png, Nothing to read in it",
            "gone.txt, Not there any more",
            "long.txt, Too large to attach",
            "pipe, Of a kind that cannot be read",
        ]
        editor = life.window.chat.composer.editor
        assert editor.toPlainText() == "Read these" and not editor.isReadOnly() and not server.requests
        for thing in list(chips(furnished).things):
            if thing.problem is not None:
                chips(furnished).remove(thing)
        furnished.bot.keyClick(editor, Qt.Key.Key_Return)
        furnished.until(lambda: "Thanks." in furnished.text(), "the answer")
        assert "good" in sent(server) and editor.toPlainText() == ""


def test_reading_can_be_given_up(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    composer = life.window.chat.composer
    drop(life.window.chat, urls(picture(tmp_path / "a.png", 3_000, 3_000)))
    furnished.send("Look")
    assert composer.editor.isReadOnly() and composer.send.accessibleName() == "Stop"
    assert composer.chips._progress.isVisible() and composer.text() == "Look"
    chips(furnished).bring(taken(urls(tmp_path)))
    furnished.bot.keyClick(composer.editor, Qt.Key.Key_Escape)
    assert not composer.editor.isReadOnly() and composer.send.accessibleName() == "Send"
    assert composer.text() == "Look" and len(chips(furnished).things) == 1
    assert not composer.chips._progress.isVisible()
    furnished.send("//help is a word")
    assert composer.editor.isReadOnly()
    composer.chips.cancel.click()
    assert composer.text() == "//help is a word" and not composer.editor.isReadOnly()
    assert life.conversation.session == ""


# --- the draft


def test_chips_stay_with_their_draft(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with scripted_in_thread(says("Hello.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("first")
        furnished.until(lambda: not life.conversation.running and "Hello." in furnished.text(), "the answer")
        first = life.conversation.info
        assert first is not None
        drop(life.window.chat, urls(picture(tmp_path / "a.png")))
        life.window.chat.composer.editor.setPlainText("a draft")
        life.rest.deeds.new()
        assert not chips(furnished).things and not life.window.chat.composer.chips.isVisible()
        drop(life.window.chat, urls(tmp_path))
        life.rest.deeds.open(first, "")
        assert [thing.name for thing in chips(furnished).things] == ["a.png"]
        assert life.window.chat.composer.text() == "a draft"
        life.rest.deeds.new()
        assert [thing.path for thing in chips(furnished).things] == [str(tmp_path)]
        life.rest.keep()
        from ui.window.remembered import read

        path = life.home.data / "window.json"
        furnished.until(
            lambda: read(path).attached.get(first.id) == [[str(tmp_path / "a.png"), ""]], "the file"
        )


def test_a_queued_and_a_steered_message_keep_what_they_bring(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Medlars")
    with scripted_in_thread(endless()) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        furnished.send("Go on for ever")
        furnished.until(lambda: "It begins" in furnished.text(), "the stream")
        drop(life.window.chat, urls(tmp_path / "a.txt"))
        furnished.send("Then this")
        furnished.until(lambda: life.rest.queue.queued(), "the queue")
        item = life.rest.queue.queued()[0]
        assert "Medlars" in item.text
        row = life.rest.queue._rows.itemAt(0).widget()
        assert row._line.text() == "Then this · 1 attached" and row._field.text() == "Then this"
        row._edit()
        row._field.setText("Then that")
        row._field.editingFinished.emit()
        furnished.until(lambda: life.rest.queue.queued()[0].text.startswith("Then that\n"), "the edit")
        assert "Medlars" in life.rest.queue.queued()[0].text
        drop(life.window.chat, urls(tmp_path / "a.txt"))
        editor = life.window.chat.composer.editor
        editor.setPlainText("And at once")
        furnished.bot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        furnished.until(lambda: len(life.rest.queue.queued()) == 2, "the steering text")
        assert {one.kind for one in life.rest.queue.queued()} == {"next", "steer"}
        assert all("Medlars" in one.text for one in life.rest.queue.queued())
        life.conversation.stop()
        furnished.until(lambda: not life.conversation.running, "the stop")


def test_an_edited_message_keeps_what_it_brought(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Quinces")
    with scripted_in_thread(says("Yes.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        drop(life.window.chat, urls(tmp_path / "a.txt"))
        furnished.send("Fruit?")
        furnished.until(lambda: not life.conversation.running and "Yes." in furnished.text(), "the answer")
        (tmp_path / "a.txt").unlink()
        life.transcript.edit_requested.emit(life.transcript.story.rows[0].key)
        assert life.window.chat.composer.text() == "Fruit?"
        assert words(furnished) == ["a.txt, 7 bytes"]
        furnished.send("Which fruit?")
        furnished.until(lambda: len(server.requests) == 2, "the second request")
        assert "Which fruit?" in sent(server) and "Quinces" in sent(server)
        furnished.until(lambda: not life.conversation.running, "the end")
        life.rest.deeds.again()
        furnished.until(lambda: len(server.requests) == 3, "the third request")
        assert "Quinces" in sent(server)
        furnished.until(lambda: not life.conversation.running, "the end")


def test_what_could_not_be_sent_stands_there_again(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    (tmp_path / "a.txt").write_text("Plums")
    gone = tmp_path / "folder"
    life.remembered.folder = str(gone)  # it is not there, so no conversation can be made
    drop(life.window.chat, urls(tmp_path / "a.txt"))
    furnished.send("Sort them")
    furnished.until(lambda: life.rest.notice.isVisible(), "the problem")
    assert life.window.chat.composer.text() == "Sort them"
    assert words(furnished) == ["a.txt, 5 bytes"]
    assert "Plums" in chips(furnished).things[0].part


def test_files_that_are_not_given_any_more_at_the_drop_are_those_that_were_dragged(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    page = furnished.open().window.chat
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    full, empty = urls(tmp_path), QMimeData()
    enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, full, left, none)
    QApplication.sendEvent(page, enter)
    QApplication.sendEvent(page, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, empty, left, none))
    assert [thing.path for thing in chips(furnished).things] == [str(tmp_path)]
