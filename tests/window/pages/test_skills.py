"""The page of skills: list, search, switch, pin, read, edit, new, from a conversation, and a project's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from tests.servers.scripted import calls, says
from tests.terminal.model_server import ModelServer
from tests.window.furnished import Furnished
from tests.window.seen import press, words
from ui.window.pages.skill_sheet import SkillText


def make(place: Path, name: str, more: str = "", body: str = "Do it.") -> Path:
    folder = place / name
    folder.mkdir(parents=True, exist_ok=True)
    text = f"---\nname: {name}\ndescription: About {name}.\n{more}---\n\n# {name}\n\n{body}\n"
    (folder / "SKILL.md").write_text(text)
    return folder / "SKILL.md"


def page_of(furnished: Furnished) -> Any:
    furnished.life.rest.toolbox.show("skills")
    page: Any = furnished.life.rest.toolbox.skills
    furnished.until(lambda: page.rows, "the skills")
    return page


def row(page: Any, name: str) -> Any:
    return next(one for one in page.rows.values() if one.info.name == name)


def test_the_list_is_searched_switched_and_pinned(furnished: Furnished, home: Path) -> None:
    make(home / "skills", "my-notes")
    make(home / "skills", "colon", "suggested-tools: [a/b]\n")
    furnished.open()
    page = page_of(furnished)
    assert len(page.rows) == 12 and page.sentence.text().startswith("12 skills.")
    assert "has a fault" in words(row(page, "colon")) and "Line 4" in words(row(page, "colon"))
    page.search.setText("my-NOTES")
    assert [one.info.name for one in page.rows.values()] == ["my-notes"]
    row(page, "my-notes").switch.click()
    furnished.until(lambda: "off" in words(row(page, "my-notes")), "it to be off")
    furnished.life.rest.toast.undo()
    furnished.until(lambda: row(page, "my-notes").info.enabled, "it to be on")
    row(page, "my-notes").pin.click()
    furnished.until(lambda: row(page, "my-notes").info.pinned, "the pin")
    page.search.setText("xyzzy")
    furnished.until(lambda: "No skill holds these words" in words(page), "the word that there is none")
    for part in page.findChildren(QPushButton):
        assert part.accessibleName() or part.text()


def test_one_is_read_edited_with_its_faults_and_put_back(furnished: Furnished, home: Path) -> None:
    path = make(
        home / "skills", "my-notes", body="Look at ![x](/etc/passwd) and <b>this</b>.\n\n- one\n- two"
    )
    before = path.read_text()
    furnished.open()
    page = page_of(furnished)
    row(page, "my-notes").name.click()
    furnished.until(lambda: page.sheet.isVisible(), "the skill")
    text = page.sheet.findChildren(SkillText)[-1].toPlainText()
    assert "one" in text and "<b>this</b>" in text and "# my-notes" not in text
    press(page.sheet, "Edit")
    furnished.until(lambda: page.editor.isVisible(), "the editor")
    assert page.editor.field.text() == before
    page.editor.field.setPlainText(before.replace("description: About", "description: Triggers: about"))
    furnished.until(lambda: "Line 3" in faults(page), "the fault")
    assert page.editor.save.isEnabled()
    page.editor.field.setPlainText("no block")
    furnished.until(lambda: not page.editor.save.isEnabled(), "it to be refused")
    after = before.replace("Look at", "See")
    page.editor.field.setPlainText(after)
    furnished.until(lambda: page.editor.save.isEnabled() and "/etc/passwd leaves" in faults(page), "the rest")
    page.editor.save.click()
    furnished.until(lambda: path.read_text() == after, "the file")
    furnished.until(lambda: page.card.isVisible(), "the list")
    furnished.life.rest.toast.undo()
    furnished.until(lambda: path.read_text() == before, "the way back")


def faults(page: Any) -> str:
    return " ".join(one.text() for one in page.editor.findChildren(QPushButton) if one.isVisibleTo(page))


def test_a_bundled_one_becomes_one_of_the_persons_own(furnished: Furnished, home: Path) -> None:
    furnished.open()
    page = page_of(furnished)
    row(page, "meeting-notes").edit.click()
    furnished.until(lambda: page.editor.isVisible(), "the editor")
    assert "saved as a skill of yours" in words(page.editor)
    page.editor.field.setPlainText(page.editor.field.text() + "\nMine.\n")
    furnished.until(lambda: page.editor.save.isEnabled(), "it to be whole")
    page.editor.save.click()
    own = home / "skills" / "meeting-notes" / "SKILL.md"
    furnished.until(own.exists, "the copy")
    furnished.until(lambda: len(page.rows) == 11, "the list with both")
    furnished.life.rest.toast.undo()
    furnished.until(lambda: not own.parent.exists(), "the way back")


def test_a_new_one_names_what_is_missing(furnished: Furnished, home: Path) -> None:
    furnished.open()
    page = page_of(furnished)
    press(page, "New skill")
    furnished.until(lambda: page.editor.isVisible() and not page.editor.save.isEnabled(), "the editor")
    page.editor.name_field.setText("lost")
    furnished.bot.keyClick(page.editor.field, Qt.Key.Key_Escape)
    assert page.editor.isHidden() and page.card.isVisible()
    furnished.life.rest.toast.undo()
    assert page.editor.isVisible() and page.editor.name_field.text() == "lost"
    page.editor.name_field.setText("Weekly Report")
    page.editor.what_field.setText("Write the weekly report: short.")
    furnished.until(lambda: page.editor.save.isEnabled(), "it to be whole")
    page.editor.save.click()
    path = home / "skills" / "weekly-report" / "SKILL.md"
    furnished.until(path.exists, "the skill")
    assert 'description: "Write the weekly report: short."' in path.read_text()
    furnished.until(lambda: any(one.info.name == "weekly-report" for one in page.rows.values()), "its row")


def test_what_was_done_becomes_a_skill(
    furnished: Furnished, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer().running() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        server.answers = [calls(("list_dir", {"path": "."})), says("The folder is empty.")]
        furnished.open()
        furnished.send("List this folder with the key sk-abcdefgh12345678")
        furnished.until(lambda: "The folder is empty." in furnished.text(), "the answer")
        furnished.send("/skill")
        page: Any = None

        def shown() -> bool:
            nonlocal page
            page = furnished.life.rest.toolbox.skills
            return page is not None and page.editor.isVisible()

        furnished.until(shown, "the editor")
        text = page.editor.field.text()
        assert "List folder with `list_dir`: `.`" in text and "sk-abc" not in text
        assert "> The folder is empty." in text
        press(page.editor, "Let the model word it")
        assert "write-a-skill" in furnished.window.chat.composer.editor.toPlainText()
        furnished.life.rest.toolbox.save_as_skill()
        furnished.until(lambda: page.editor.isVisible() and page.editor.save.isEnabled(), "the editor again")
        page.editor.name_field.setText("list-it")
        page.editor.save.click()
        furnished.until((home / "skills" / "list-it" / "SKILL.md").exists, "the skill")


def test_a_project_is_asked_about_once_and_again_when_it_changes(
    furnished: Furnished, home: Path, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    path = make(project / ".agents" / "skills", "deploy")
    life = furnished.open()
    life.conversation.set_folder(str(project))
    bar = life.rest.toolbox.bar
    furnished.until(bar.isVisible, "the question")
    assert "deploy" in words(bar) and bar.accessibleName() == "This project brings 1 skill."
    bar.question.look.click()
    page = life.rest.toolbox.skills
    furnished.until(lambda: page.project.findChildren(SkillText), "its text")
    assert "deploy" not in [one.info.name for one in page.rows.values()]
    furnished.until(lambda: "About deploy." in words(page.project), "the card")
    press(page.project, "Use them")
    furnished.until(lambda: "deploy" in [one.info.name for one in page.rows.values()], "the skill")
    assert bar.isHidden()
    path.write_text(path.read_text() + "Changed.\n")
    life.window.show_page("chat")
    bar.read()
    furnished.until(bar.isVisible, "the question again")
    assert "changed since you agreed" in words(bar)
    bar.question.refuse.click()
    furnished.until(bar.isHidden, "the answer")
    assert "deploy" not in {
        one.name for one in furnished.ask(lambda engine: engine.skills.list(str(project)))
    }
