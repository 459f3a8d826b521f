"""A project's instructions in the window: asked about once, read, taken back, told of when they changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from tests.servers.scripted import says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.pages.test_skills import make
from tests.window.seen import buttons, press, words
from tests.window.test_talking import CLOSED, point_at
from ui.window.pages.skill_sheet import SkillText


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a file of instructions."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "AGENTS.md").write_text("# Ways\n\nUse tabs, and <b>never</b> spaces.\n")
    return folder


def opened(furnished: Furnished, monkeypatch: pytest.MonkeyPatch, project: Path) -> Any:
    """Open the window in the project; return its bar."""
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.conversation.set_folder(str(project))
    bar = life.rest.toolbox.bar
    furnished.until(lambda: bar.isVisible() and bar.shown.name == "instructions", "the question")
    return bar


def tap(furnished: Furnished, part: QWidget, name: str) -> None:
    """Press a button once it is there."""
    furnished.until(
        lambda: any(one.text() == name and one.isVisible() for one in buttons(part)), f"the button {name!r}"
    )
    press(part, name)


def state(furnished: Furnished, project: Path) -> str:
    found = furnished.ask(lambda engine: engine.instructions.project(str(project)))
    return f"{found.state}{' changed' if found.changed else ''}"


def test_a_project_is_asked_about_once_and_its_answer_taken_back(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    bar = opened(furnished, monkeypatch, project)
    toast = furnished.life.rest.toast
    assert bar.accessibleName() == "This project brings a file of instructions."
    assert "AGENTS.md" in words(bar)
    bar.question.agree.click()
    furnished.until(bar.isHidden, "the answer")
    assert state(furnished, project) == "agreed"
    toast.undo()
    furnished.until(bar.isVisible, "the question again")
    bar.question.refuse.click()
    furnished.until(bar.isHidden, "the other answer")
    assert state(furnished, project) == "refused"
    toast.undo()
    furnished.until(bar.isVisible, "the question again")
    bar.question.later.click()
    assert bar.isHidden() and state(furnished, project) == "waiting"
    bar.read()
    furnished.until(lambda: bar._found, "what waits")
    assert bar.isHidden(), "it was put off"


def test_instructions_and_skills_are_asked_about_one_after_the_other(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    make(project / ".agents" / "skills", "deploy")
    bar = opened(furnished, monkeypatch, project)
    assert "deploy" not in words(bar)
    bar.question.agree.click()
    furnished.until(lambda: bar.shown.name == "skills", "the other question")
    assert bar.isVisible() and "deploy" in words(bar) and "AGENTS.md" not in words(bar)
    (project / "AGENTS.md").write_text("Use spaces.")
    bar.read()
    furnished.until(lambda: len(bar._found) == 2, "both")
    assert bar.line.isHidden(), "what was changed is told when nothing is asked any more"
    bar.question.later.click()
    assert bar.line.isVisible() and bar.question.isHidden()


def test_they_are_read_in_the_inspector_and_answered_there(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    bar = opened(furnished, monkeypatch, project)
    life = furnished.life
    bar.question.look.click()
    card = life.rest.inspecting.page.instructions
    furnished.until(lambda: card.findChildren(SkillText), "its text")
    text = card.findChildren(SkillText)[0]
    assert "<b>never</b>" in text.toPlainText() and text.accessibleName().endswith("AGENTS.md")
    tap(furnished, card, "Use them")
    furnished.until(lambda: "You agreed to them" in words(card), "the answer")
    furnished.until(bar.isHidden, "nothing to be asked")
    tap(furnished, card, "Leave them out")
    furnished.until(lambda: "You left them out" in words(card), "the other answer")
    life.rest.toast.undo()
    furnished.until(lambda: "You agreed to them" in words(card), "the answer before")
    assert state(furnished, project) == "agreed"
    tap(furnished, card, "Hide the texts")
    assert not [one for one in card.findChildren(SkillText) if one.isVisible()]


def test_a_change_is_told_in_a_line_and_seen_by_looking(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    bar = opened(furnished, monkeypatch, project)
    life = furnished.life
    bar.question.agree.click()
    furnished.until(bar.isHidden, "the answer")
    (project / "AGENTS.md").write_text("Use spaces.")
    life.window.activated.emit()  # the person comes back from the editor
    furnished.until(bar.line.isVisible, "the line")
    assert bar.accessibleName() == "AGENTS.md was changed since you last saw it."
    bar.line.look.click()
    furnished.until(lambda: state(furnished, project) == "agreed", "it to be seen")
    card = life.rest.inspecting.page.instructions
    furnished.until(lambda: card.findChildren(SkillText), "the new text")
    assert card.findChildren(SkillText)[-1].toPlainText() == "Use spaces."
    furnished.until(bar.isHidden, "nothing to be told")
    life.window.show_page("chat")
    (project / "AGENTS.md").write_text("Use both.")
    bar.read()
    furnished.until(bar.line.isVisible, "the line again")
    bar.line.refuse.click()
    furnished.until(bar.isHidden, "the answer")
    assert state(furnished, project) == "refused"
    life.rest.toast.undo()
    furnished.until(lambda: state(furnished, project) == "agreed changed", "the answer before")
    furnished.until(bar.line.isVisible, "the line, since nobody has looked at the change")


def test_a_turn_that_changes_them_and_another_process_that_answers_are_followed(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    with scripted_in_thread(says("Hello.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        life.conversation.set_folder(str(project))
        bar = life.rest.toolbox.bar
        furnished.until(bar.isVisible, "the question")
        found = furnished.ask(lambda engine: engine.instructions.project(str(project)))
        furnished.ask(lambda engine: engine.instructions.agree(str(project), found.print))
        furnished.until(bar.isHidden, "the answer that came elsewhere")
        (project / "AGENTS.md").write_text("Use spaces.")
        furnished.send("Hello")
        furnished.until(bar.line.isVisible, "the line after the turn")


def test_a_file_that_is_not_read_says_why(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, project: Path
) -> None:
    (project / "AGENTS.md").write_bytes(b"\0\1binary")
    bar = opened(furnished, monkeypatch, project)
    bar.question.look.click()
    card = furnished.life.rest.inspecting.page.instructions
    furnished.until(lambda: "It is no text" in words(card), "why")
    assert not card.findChildren(SkillText)
