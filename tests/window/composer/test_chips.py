"""Chips by keys: completion of paths, going from chip to chip; the hint of a blind model; what was sent."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.attachment_records import attachments_of
from tests.window.composer.bringing import chips, drop, picture, urls, words
from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at

# --- by keys


def test_an_at_completes_files_of_the_folder(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    work = tmp_path / "work"
    (work / "src").mkdir(parents=True)
    for name in ("notes.md", "src/notes.py", "other.txt"):
        (work / name).write_text("x")
    life = furnished.open()
    life.conversation.set_folder(str(work))
    editor, shown = life.window.chat.composer.editor, life.rest.files
    editor.setFocus()
    furnished.bot.keyClicks(editor, "See @no")
    furnished.until(lambda: shown.isVisible(), "the files")
    assert shown.list.count() == 2
    furnished.bot.keyClick(editor, Qt.Key.Key_Down)
    furnished.bot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "See @src/notes.py " and not shown.isVisible()
    assert [thing.path for thing in chips(furnished).things] == [str(work / "src/notes.py")]
    furnished.bot.keyClicks(editor, "@other")
    furnished.until(lambda: shown.isVisible(), "the files")
    furnished.bot.keyClick(editor, Qt.Key.Key_Escape)
    assert not shown.isVisible() and editor.toPlainText().endswith("@other")
    furnished.send(f"/attach {tmp_path}")
    assert [thing.path for thing in chips(furnished).things][1:] == [str(tmp_path)]


def test_chips_are_reached_and_taken_away_by_keys(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(name)
    drop(life.window.chat, urls(*(tmp_path / name for name in ("a.txt", "b.txt", "c.txt"))))
    shown = life.window.chat.composer.chips
    life.window.activateWindow()
    first = shown._chips[0]
    first.setFocus()
    furnished.until(first.hasFocus, "the first chip to have the keyboard")
    furnished.bot.keyClick(first, Qt.Key.Key_Right)
    assert shown._chips[1].hasFocus()
    for part in (shown._chips[2], life.window.chat.composer.editor):
        furnished.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert part.hasFocus()
    for part in (shown._chips[2], shown._chips[1]):
        furnished.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
        assert part.hasFocus()
    furnished.bot.keyClick(shown._chips[1], Qt.Key.Key_Delete)
    assert [thing.name for thing in chips(furnished).things] == ["a.txt", "c.txt"]
    assert shown._chips[1].hasFocus()
    shown._chips[0].remove.click()
    furnished.bot.keyClick(shown._chips[0], Qt.Key.Key_Backspace)
    assert not chips(furnished).things and life.window.chat.composer.editor.hasFocus()


def test_a_model_that_does_not_see_is_told_quietly(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.conversation.set_model("deepseek/deepseek-flash")
    shown = life.window.chat.composer.chips
    (tmp_path / "a.txt").write_text("a")
    drop(life.window.chat, urls(tmp_path / "a.txt"))
    drop(life.window.chat, urls(picture(tmp_path / "a.png")))
    furnished.until(lambda: shown._hint.isVisible(), "the hint")
    assert shown._hint.text().startswith("This model does not see pictures.")
    chips(furnished).remove(chips(furnished).things[1])
    assert not shown._hint.isVisible()


def test_an_attachment_of_a_message_can_be_looked_at(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from ui.window.viewer import Fitted, Viewer

    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    (tmp_path / "a.txt").write_text("one\u202etwo")
    text = furnished.ask(
        lambda engine: engine.attach("", [str(tmp_path / "a.txt"), str(picture(tmp_path / "b.png"))])
    )
    for one in attachments_of(text):
        life.transcript.attachment_requested.emit(one)
        shown = life.window.findChild(Viewer)
        assert shown is not None and shown.isVisible()
        if one.picture is None:
            assert shown.body.toPlainText() == "one\\u202etwo"  # as the model reads it
        else:
            assert isinstance(shown.body, Fitted)
            body = shown.body
            furnished.until(lambda body=body: not body.pixmap().isNull(), "the picture")
        furnished.bot.keyClick(shown, Qt.Key.Key_Escape)
        furnished.until(lambda: life.window.findChild(Viewer) is None, "its end")


def test_chips_come_back_with_the_next_start(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from app.platform.paths import home
    from ui.window.remembered import Remembered, read, write

    point_at(monkeypatch, CLOSED)
    (tmp_path / "a.txt").write_text("a")
    part = "Attached file `/gone/b.md`:\n\n```\nkept words\n```"
    path = home(os.environ).data / "window.json"
    kept = {"": [[str(tmp_path / "a.txt"), ""], ["", part], [str(tmp_path / "gone.txt"), ""]]}
    wrong: Any = {"x": [["only one"]], "y": "text", "z": [[1, 2]]}
    assert write(path, Remembered(drafts={"": "a draft"}, attached={**kept, **wrong}))
    assert read(path).attached == kept
    furnished.open()
    furnished.until(
        lambda: words(furnished) == ["a.txt, 1 byte", "b.md, 10 bytes", "gone.txt, Not there any more"],
        "the chips",
    )


@pytest.mark.parametrize(("size", "width"), [(14, 480), (28, 700), (28, 1280)])
def test_chips_stay_within_a_narrow_window(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, size: int, width: int
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.change_settings(font_size=size)
    furnished.until(lambda: life.window.theme.size == size, "the size")
    life.window.resize(width, 800)
    for number in range(9):
        (tmp_path / f"a rather long name of a file {number}.txt").write_text("x" * number)
    paths = sorted(tmp_path.glob("*.txt"))
    drop(life.window.chat, urls(*paths, tmp_path / "one that is not there, with a long name too.pdf"))
    shown = life.window.chat.composer.chips
    furnished.until(lambda: chips(furnished).things[-1].problem is not None, "a look")
    furnished.until(lambda: chips(furnished).things[-2].size, "a look")
    room = shown._area.viewport().width()
    assert shown._inside.width() <= room
    places = [chip.geometry() for chip in shown._chips]
    assert all(place.right() < room for place in places)
    assert not any(a.intersects(b) for n, a in enumerate(places) for b in places[n + 1 :])
    composer = life.window.chat.composer
    furnished.until(lambda: composer.attach.isVisible() == (width * 14 / size > 450), "the button to fit")
    if composer.attach.isVisible():
        furnished.until(
            lambda: composer.modes.width() >= composer.modes.minimumSizeHint().width(), "whole words"
        )
    assert life.window.width() == width and life.window.chat.composer.height() < 800 * 3 // 4


def test_a_name_with_everything_in_it_is_shown_as_it_is(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    name = '<b>it\'s<br> `a` "name"\nwith \u202etxt.exe & more.md'
    (tmp_path / name).write_text("x")
    drop(life.window.chat, urls(tmp_path / name))
    chip = life.window.chat.composer.chips._chips[0]
    shown = '<b>it\'s<br> `a` "name" with ⟨U+202E⟩txt.exe & more.md'
    furnished.until(lambda: chip.accessibleName() == f"{shown}, 1 byte", "a look")
    assert chip._name.text() == shown and "&lt;b&gt;" in chip.toolTip() and "\u202e" not in chip.toolTip()
