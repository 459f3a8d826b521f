"""The page of what changed, over a real journal: by turn, with every way back, and a choice in a conflict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from app.records import ChangeInfo, SessionInfo, TurnOptions
from app.toolbox.registry import Tool, load_registry
from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.seen import button, buttons, press, words
from tests.window.test_talking import point_at
from ui.window.pages.change_rows import tool_word


def names(page: QWidget) -> list[str]:
    return [one.accessibleName() for one in buttons(page) if ": " in one.accessibleName()]


@pytest.fixture
def opened(furnished: Furnished, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The page after a turn that wrote two files."""
    first = calls(
        ("write_file", {"path": "a.md", "content": "one\ntwo\nthree\n"}),
        ("write_file", {"path": "b.md", "content": "hello\n"}),
    )
    with scripted_in_thread(first, says("Written.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()

        async def begin(engine: Any) -> SessionInfo:
            info: SessionInfo = await engine.sessions.create(cwd=str(tmp_path))
            await engine.send(info.id, "Write them", TurnOptions(yes=True))
            await engine.wait(info.id)
            return info

        life.conversation.open(furnished.ask(begin))
        life.window.show_page("changed")
        page = life.rest.trust.changed
        furnished.until(lambda: names(page) == ["Undo: b.md", "Undo: a.md"], "the changes")
        yield page


def test_one_change_there_and_back(furnished: Furnished, tmp_path: Path, opened: Any) -> None:
    assert "2 changes in 2 files" in opened.sentence.text() and "Today" in words(opened)
    press(opened, "Undo: b.md")
    furnished.until(lambda: "Redo: b.md" in names(opened), "the undo")
    assert not (tmp_path / "b.md").exists()
    toast = furnished.life.rest.toast
    assert toast._words.text() == "Taken back."
    press(opened, "Redo: b.md")
    furnished.until(lambda: toast._words.text() == "It stands again.", "the words of a redo")
    assert (tmp_path / "b.md").read_text() == "hello\n"


def held(page: QWidget) -> str:
    """The name of what has the keyboard of the window."""
    return page.window().focusWidget().accessibleName()


def focused_press(page: QWidget, name: str) -> None:
    """Press as a person does: what is pressed has the keyboard."""
    made = button(page, name)
    made.setFocus()
    made.click()


def test_the_keyboard_stays_at_the_row(furnished: Furnished, opened: Any) -> None:
    focused_press(opened, "Undo: a.md")
    furnished.until(lambda: "Redo: a.md" in names(opened), "the undo")
    assert held(opened) == "Redo: a.md"
    focused_press(opened, "Redo: a.md")
    furnished.until(lambda: "Undo: a.md" in names(opened), "the redo")
    assert held(opened) == "Undo: a.md"
    opened._rows[next(iter(opened._rows))]._more.setFocus()
    opened._draw()
    assert held(opened) == "Show the lines of b.md", "a look at the journal moves it nowhere"


def test_the_keyboard_stays_where_more_is_taken_back(furnished: Furnished, opened: Any) -> None:
    focused_press(opened, "Undo this turn (2 changes)")
    furnished.until(lambda: names(opened) == ["Redo: b.md", "Redo: a.md"], "the rows")
    assert held(opened) == "Redo: b.md"
    focused_press(opened, "Redo: a.md")
    furnished.until(lambda: "Undo: a.md" in names(opened), "one of them to stand again")
    opened.open_since()
    opened.since._take.setFocus()
    opened.since._take.click()
    furnished.until(lambda: not opened.since.isVisible(), "the card to go")
    assert held(opened) == "Take back since\u2026"


def test_a_turn_and_everything_since(furnished: Furnished, tmp_path: Path, opened: Any) -> None:
    press(opened, "Undo this turn (2 changes)")
    furnished.until(lambda: not (tmp_path / "a.md").exists(), "the turn to be taken back")
    furnished.until(lambda: names(opened) == ["Redo: b.md", "Redo: a.md"], "the rows")
    furnished.until(lambda: furnished.life.rest.toast._words.text() == "Taken back.", "its toast")
    furnished.life.rest.toast.undo()
    furnished.until((tmp_path / "a.md").exists, "the turn to stand again")
    furnished.until(lambda: names(opened)[:1] == ["Undo: b.md"], "the rows")
    opened.open_since()
    assert "2 files" in words(opened.since)
    opened.since._take.click()
    furnished.until(lambda: not (tmp_path / "b.md").exists(), "everything since")
    furnished.until(lambda: not opened.since.isVisible(), "the card to go")
    furnished.until(lambda: names(opened) == ["Redo: b.md", "Redo: a.md"], "the rows")
    opened.open_since()
    assert not opened.since._take.isEnabled(), "a change and its way back leave nothing to take back"


def test_the_lines_are_shown_on_demand(furnished: Furnished, opened: Any) -> None:
    row = list(opened._rows.values())[-1]
    row.flip()
    furnished.until(lambda: row._lines is not None, "the lines")
    assert len(row._lines._diff._rows) == 4 and row._lines._diff.height() > 0
    row.flip()
    assert row._lines is None


def test_a_conversation_is_picked_out(furnished: Furnished, opened: Any) -> None:
    session = furnished.life.conversation.session
    opened.show_session(session)
    assert opened._filter.currentData() == session and len(opened._rows) == 2


def test_what_the_person_wrote_since_is_never_overwritten(
    furnished: Furnished, tmp_path: Path, opened: Any
) -> None:
    (tmp_path / "a.md").write_text("one\ntwo, as I see it\nthree\n")
    press(opened, "Undo: a.md")
    back = furnished.life.rest.back
    furnished.until(lambda: back.dialog is not None, "the three versions")
    dialog = back.dialog
    assert "1 file was changed since" in dialog.windowTitle()
    assert (tmp_path / "a.md").read_text() == "one\ntwo, as I see it\nthree\n"
    dialog._way.part("before").click()
    assert dialog._take.text() == "Take back 1 file"
    dialog._take.click()
    furnished.until(lambda: not (tmp_path / "a.md").exists(), "what was chosen")
    toast = furnished.life.rest.toast
    furnished.until(lambda: toast._words.text() == "Taken back.", "its toast")
    toast.undo()
    furnished.until((tmp_path / "a.md").exists, "the way back of that")
    assert (tmp_path / "a.md").read_text() == "one\ntwo, as I see it\nthree\n"


@pytest.mark.parametrize("several", [False, True])
def test_the_button_names_a_rest_only_where_there_is_one(
    furnished: Furnished, tmp_path: Path, opened: Any, several: bool
) -> None:
    mine = "one\ntwo, as I see it\nthree\n"
    (tmp_path / "a.md").write_text(mine)
    press(opened, "Undo this turn (2 changes)" if several else "Undo: a.md")
    back = furnished.life.rest.back
    furnished.until(lambda: back.dialog is not None, "the three versions")
    dialog = back.dialog
    dialog._way.part("mine").click()
    assert dialog._take.text() == ("Take back the rest" if several else "Leave the file as it is")
    dialog._take.click()
    furnished.until(lambda: back.dialog is None, "the dialog to close")
    if several:
        furnished.until(lambda: not (tmp_path / "b.md").exists(), "the rest")
    assert (tmp_path / "a.md").read_text() == mine
    assert (tmp_path / "b.md").exists() is not several


def test_what_a_tool_did_to_files_is_told_as_something_done() -> None:
    kinds = {"files", "documents", "calendar", "email", "git", "media"}
    tools = [one for one in load_registry().tools.values() if isinstance(one, Tool) and not one.read_only]
    names = [one.name for one in tools if one.category in kinds] + ["download_file", "screenshot"]
    assert len(names) > 20
    for name in names:
        word = tool_word(ChangeInfo(id="c", session="s", turn="t", tool=name, made=1.0, files=()))
        assert word == "Archive" or word.casefold() != name.replace("_", " "), name
