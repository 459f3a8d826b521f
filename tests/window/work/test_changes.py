"""The tab of changes: one row a change, and a way there and back that the journal knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton

from app.records import ChangeInfo, FileDiff, SessionInfo, TurnOptions
from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.seen import button, buttons
from tests.window.test_talking import point_at
from ui.window.theme import make_theme
from ui.window.work.changes import ChangesTab


def change(id_: str, made: float, shown: str, *undoes: str, undone: bool = False) -> ChangeInfo:
    file = FileDiff(path=f"/f/{shown}", shown=shown, kind="changed", added=1, removed=1)
    tool = "undo" if undoes else "edit_file"
    return ChangeInfo(
        id=id_, session="s", turn="", tool=tool, made=made, files=(file,), undone=undone, undoes=undoes
    )


def names(tab: ChangesTab) -> list[str]:
    return [one.accessibleName() for one in buttons(tab) if ": " in one.accessibleName()]


def test_the_keyboard_stays_at_its_change(furnished: Furnished) -> None:
    tab = ChangesTab(make_theme("light"))
    tab.show_changes([change("b", 2, "b"), change("a", 1, "a")])
    tab.show()
    tab.findChildren(QPushButton)[1].setFocus()
    tab.show_changes([change("c", 3, "c"), change("b", 2, "b"), change("a", 1, "a", undone=True)])
    assert tab.window().focusWidget().accessibleName() == "Redo: a"
    tab.close()


def test_an_undo_marks_its_change_and_has_no_row(furnished: Furnished) -> None:
    tab = ChangesTab(make_theme("light"))
    asked: list[str] = []
    tab.undo_asked.connect(asked.append)
    tab.show_changes([change("u", 3, "/f/b", "b"), change("b", 2, "b", undone=True), change("a", 1, "a")])
    assert names(tab) == ["Redo: b", "Undo: a"]
    assert tab.newest() == "a"
    for one in tab.findChildren(QPushButton):
        one.click()
    assert asked == ["u", "a"], "a change comes back by taking back what took it"
    tab.show_changes(
        [
            change("w", 4, "/f/b", "u"),
            change("u", 3, "/f/b", "b", undone=True),
            change("b", 2, "b"),
        ]
    )
    assert names(tab) == ["Undo: b"]
    tab.show_changes([change("u", 3, "/f/b", "forgotten")])
    assert names(tab) == ["Undo: /f/b"], "an undo whose change is forgotten can be taken back itself"
    tab.deleteLater()


def test_undo_and_redo_in_the_panel(
    furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = calls(("write_file", {"path": "notes.md", "content": "hello\n"}))
    with scripted_in_thread(write, says("Written.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()

        async def begin(engine: Any) -> SessionInfo:
            info: SessionInfo = await engine.sessions.create(cwd=str(tmp_path))
            await engine.send(info.id, "Write it", TurnOptions(yes=True))
            return info

        life.conversation.open(furnished.ask(begin))
        tab = life.rest.panel.changes

        def press(words: str) -> None:
            furnished.until(lambda: names(tab) == [f"{words}: notes.md"], words)
            button(tab, words).click()

        notes = tmp_path / "notes.md"
        press("Undo")
        furnished.until(lambda: not notes.exists(), "the undo")
        press("Redo")
        furnished.until(notes.exists, "the redo")
        furnished.until(lambda: names(tab) == ["Undo: notes.md"], "its row")
