"""The page of permissions: rules come, change and go, an editor's mistakes are named, and a call is tried."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from tests.window.furnished import Furnished
from tests.window.seen import press, words
from ui.window.main_window import places
from ui.window.pages.page import Page
from ui.window.pages.rule_rows import RuleRow
from ui.window.pages.try_out import arguments
from ui.window.rail import Place


def page_of(furnished: Furnished) -> Any:
    furnished.life.window.show_page("permissions")
    page: Any = furnished.life.rest.trust.permissions
    furnished.until(lambda: "rule" in page.sentence.text().casefold(), "the rules")
    return page


def rules(page: Any) -> list[str]:
    return [row.rule.rule for row in page._rows.values()]


def test_a_rule_is_added_changed_and_removed_with_a_way_back(furnished: Furnished, home: Path) -> None:
    life = furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: "No rules yet" in words(page), "the empty page")
    page.open_form()
    page.form.field.setText("run_command(git status")
    assert "A rule reads TOOL(PATTERN)" in words(page.form) and not page.form._save.isEnabled()
    page.form.field.setText("run_command(git status)")
    assert "exactly the command git status" in words(page.form)
    furnished.bot.keyClick(page.form.field, Qt.Key.Key_Return)
    furnished.until(lambda: rules(page) == ["run_command(git status)"], "the rule")
    assert "allow run_command(git status)" in (home / "rules.txt").read_text()
    row: RuleRow = next(iter(page._rows.values()))
    row.change()
    assert row._field is not None
    row._field.setText("run_command(git log *)")
    furnished.bot.keyClick(row._field, Qt.Key.Key_Return)
    furnished.until(lambda: rules(page) == ["run_command(git log *)"], "the change")
    page._rows[next(iter(page._rows))]._drop.click()
    furnished.until(lambda: rules(page) == [], "the removal")
    life.rest.toast.undo()
    furnished.until(lambda: rules(page) == ["run_command(git log *)"], "the rule to come back")


def test_what_an_editor_did_is_seen_and_its_mistakes_are_named(furnished: Furnished, home: Path) -> None:
    (home / "rules.txt").write_text("[always]\nallow run_command(git status)\nallow nonsense\n")
    furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: rules(page) == ["run_command(git status)"], "the rule that holds")
    furnished.until(lambda: "Line 3:" in words(page) and "allow nonsense" in words(page), "the mistake")
    opened: list[str] = []
    page.open_asked.disconnect()
    page.open_asked.connect(opened.append)
    press(page, "Open the file")
    assert opened == [str(home / "rules.txt")]


def test_a_rule_of_no_tool_and_one_that_cannot_be_kept(furnished: Furnished) -> None:
    furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: page._tools, "the tools")
    page.open_form()
    page.form.field.setText("no_such_tool(*)")
    assert "No tool of this name" in words(page.form)
    page.form.field.setText("run_command(echo 'open)")
    press(page.form, "Save the rule")
    furnished.until(lambda: "cannot be read" in words(page.form), "the refusal")


def test_what_would_happen(furnished: Furnished, tmp_path: Path) -> None:
    life = furnished.open()
    life.conversation.set_folder(str(tmp_path))
    page = page_of(furnished)
    furnished.until(lambda: page._tools, "the tools")
    page.try_out._field.setText("rm -rf build && git status")
    page.try_out._look()
    furnished.until(lambda: "It would" in words(page.try_out), "the decision")
    assert "git status" in words(page.try_out) and "rm -rf build" in words(page.try_out)
    page.try_out._field.setText('{"no": "such argument"}')
    page.try_out._look()
    furnished.until(lambda: "cannot be called" in words(page.try_out), "the refusal")


def test_a_call_is_tried_in_the_conversation_that_is_shown(furnished: Furnished, tmp_path: Path) -> None:
    life = furnished.open()
    info = furnished.ask(lambda engine: engine.sessions.create(cwd=str(tmp_path)))
    furnished.ask(lambda engine: engine.rules.add("allow", "run_command(make)", "session", info.id))
    page = page_of(furnished)
    furnished.until(lambda: page._tools, "the tools")
    for shown, wanted in ((None, "It would ask"), (info, "It would run")):
        if shown is None:
            life.conversation.set_folder(str(tmp_path))
        else:
            life.conversation.open(shown)
            furnished.until(lambda: page.try_out._session == info.id, "the conversation")
        page.try_out._field.setText("make")
        page.try_out._look()
        furnished.until(lambda wanted=wanted: wanted in words(page.try_out), wanted)


def test_arguments_are_put_where_a_tool_wants_them() -> None:
    assert arguments("run_command", "ls -l") == '{"command": "ls -l"}'
    assert arguments("web_fetch", "https://example.org") == '{"url": "https://example.org"}'
    assert arguments("read_file", ' {"path": "a"}') == ' {"path": "a"}'
    assert arguments("job_list", "") == "{}"


@pytest.mark.parametrize("place", places(), ids=lambda place: place.name)
def test_a_page_is_called_as_the_rail_calls_it(furnished: Furnished, place: Place) -> None:
    page = furnished.open().window.show_page(place.name)
    if isinstance(page, Page):  # the conversation has no title of its own
        assert page.title.text() == page.accessibleName() == place.word


def test_the_sandbox_is_shown_and_switched(furnished: Furnished) -> None:
    life = furnished.open()
    page = page_of(furnished)
    furnished.until(lambda: "Commands" in words(page.sandbox), "its state")
    assert page.sandbox._on.isChecked()
    page.sandbox._on.click()
    furnished.until(lambda: life.settings.sandbox == "off", "the setting")
    furnished.until(lambda: "Off." in words(page.sandbox), "that it is off")
    sign = life.window.chat.composer.trust
    furnished.until(lambda: sign.sandbox.accessibleName() == "Sandbox: off", "the sign")
    page.sandbox._on.click()
    furnished.until(lambda: life.settings.sandbox == "auto", "the setting")
