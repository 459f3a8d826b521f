"""The page of own tools: begin one, look at it, trust it, see it change, switch it, faults, keyboard."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.toolbox.own.start import text
from tests.window.furnished import Furnished
from tests.window.seen import press, words
from ui.window.pages.own_tools import OwnToolsPage


def page_of(furnished: Furnished) -> Any:
    page = furnished.life.rest.toolbox.show("own")
    assert isinstance(page, OwnToolsPage)
    furnished.until(lambda: page.sentence.text() != "Looking…", "the folder")
    return page


def state(page: Any, name: str) -> str:
    return str(page.rows[name].info.state) if name in page.rows else ""


def own(furnished: Furnished) -> list[str]:
    """Return the own tools that models may call."""

    async def look(engine: Any) -> list[str]:
        return [tool.name for tool in engine.tools() if tool.source == "own"]

    found = furnished.ask(look)
    assert isinstance(found, list)
    return found


def test_from_nothing_to_a_trusted_tool(furnished: Furnished, home: Path) -> None:
    furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: "No tools of your own yet" in words(page), "the words")
    press(page, "Begin with count_words")
    assert page.field.text() == "count_words" and page.field.accessibleName() == "Name of the tool"
    furnished.bot.keyClick(page.field, Qt.Key.Key_Return)
    furnished.until(lambda: not page.sheet.isHidden(), "the new tool")
    sheet = page.sheet
    assert (home / "tools" / "count_words.py").is_file() and own(furnished) == []
    assert "waits for you" in words(sheet) and "It runs sealed" in words(sheet)
    assert "async def count_words" in sheet.source.toPlainText() and sheet.source.isReadOnly()
    assert sheet.source.accessibleName() == "Source of count_words" and sheet.diff is None
    sheet.trust.click()
    furnished.until(lambda: state(page, "count_words") == "on" and page.sheet.isHidden(), "trust")
    assert page.sentence.text() == "1 tool is on." and own(furnished) == ["count_words"]
    page.rows["count_words"].switch.click()
    furnished.until(lambda: state(page, "count_words") == "off", "it to be off")
    assert own(furnished) == []
    toast = furnished.life.rest.toast
    furnished.until(lambda: "count_words is off" in words(toast), "the news of it")
    toast.undo()
    furnished.until(lambda: state(page, "count_words") == "on", "it to be on again")


def test_a_changed_file_is_shown_with_its_difference(furnished: Furnished, home: Path) -> None:
    furnished.open()
    page = page_of(furnished)
    furnished.ask(lambda engine: engine.own_tools.new("count_words"))
    furnished.ask(lambda engine: engine.own_tools.trust("count_words"))
    furnished.until(lambda: state(page, "count_words") == "on", "it to be on")
    file = home / "tools" / "count_words.py"
    file.write_text(file.read_text().replace("lines, ", "rows, "))
    page.read()
    furnished.until(lambda: state(page, "count_words") == "changed", "the change")
    assert own(furnished) == [] and "changed since you trusted it" in words(page.rows["count_words"])
    page.rows["count_words"].look.click()
    furnished.until(lambda: page.sheet.diff is not None, "the difference")
    assert not page.sheet.diff.isHidden() and page.sheet.source.isHidden()
    press(page.sheet, "All of it")
    assert page.sheet.diff.isHidden() and not page.sheet.source.isHidden()
    # What is trusted is what was shown: a file that changes meanwhile is shown again instead.
    file.write_text(file.read_text().replace("rows, ", "ROWS, "))
    page.sheet.trust.click()
    furnished.until(lambda: "ROWS" in page.sheet.source.toPlainText(), "what stands there now")
    assert own(furnished) == []
    page.sheet.trust.click()
    furnished.until(lambda: state(page, "count_words") == "on" and page.sheet.isHidden(), "trust")
    page.open("count_words")
    furnished.until(lambda: not page.sheet.isHidden(), "the tool")
    press(page.sheet, "Trust it no longer")
    furnished.until(lambda: own(furnished) == [] and "waits for you" in words(page.sheet), "no trust")


def test_faults_and_names_that_cannot_be(furnished: Furnished, home: Path) -> None:
    folder = home / "tools"
    folder.mkdir()
    (folder / "broken.py").write_text('"""X."""\nimport os\n')
    (folder / "gr\u00f6\u00dfe.py").write_text("x = (")
    (folder / "read_file.py").write_bytes(b"\xff\xfe")
    os.mkfifo(folder / "pipe.py")
    furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: len(page.rows) == 4, "the list")
    assert page.sentence.text() == "0 tools are on, 4 have a fault."
    assert "Line 2: Import of os is refused." in words(page.rows["broken"]) or "Line 1" in words(
        page.rows["broken"]
    )
    page.rows["broken"].name.click()
    furnished.until(lambda: not page.sheet.isHidden(), "the tool")
    assert "Line 2: Import of os is refused." in words(page.sheet) and "Trust it" not in words(page.sheet)
    assert [one for one in page.sheet.findChildren(QPushButton) if one.text() == "Trust it"] == []
    page.show_list()
    late = text("late").replace('Annotated[str, "Text file"]', 'Annotated[set, "Text file"]')
    (folder / "late.py").write_text(late)
    page.read()
    furnished.until(lambda: "late" in page.rows, "the file")
    page.open("late")
    furnished.until(lambda: not page.sheet.isHidden(), "the tool")
    page.sheet.trust.click()
    furnished.until(lambda: "does not keep the contract" in words(page.sheet), "the refusal")
    assert page.sheet.trust.isEnabled()
    page.show_list()
    page.begin("Bad Name")
    press(page.form, "Write it")
    furnished.until(lambda: not page.problem.isHidden(), "the refusal")
    assert "cannot be named" in page.problem.text() and "digits" in page.problem.text()
    page.field.setText("read_file")
    press(page.form, "Write it")
    furnished.until(lambda: "already" in page.problem.text(), "the refusal")
    page.leave_form()
    assert page.form.isHidden()
    for theme in ("dark", "light"):
        from ui.window.theme import make_theme

        page.set_theme(make_theme(theme, 28))
