"""Accounts, engines, addresses, browser and calendars in the settings: kept only when they are right."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.errors import BrambleError
from app.models.accounts import Accounts
from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at
from ui.window.pages.said import Said

KEY = "ghp_" + "k" * 36


@pytest.fixture
def page(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The settings page; nothing of the environment signs in."""
    for name in ("GH_TOKEN", "GITHUB_TOKEN", "BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY", "TAVILY_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.window.show_page("settings")
    made = life.rest.settings_page
    furnished.until(lambda: len(made.accounts._accounts) == 3 and made.reach.switches, "what there is")
    return made


def write(field: Any, text: str) -> None:
    field.setText(text)
    field.editingFinished.emit()


def press(card: Any, name: str) -> None:
    """Press the button with this name."""
    one = next(one for one in card.findChildren(QPushButton) if one.accessibleName() == name)
    one.click()


def words(card: Any) -> str:
    """Return all that a card says."""
    return " ".join(one.text() for one in card.findChildren(object) if hasattr(one, "text"))


def test_a_token_is_looked_at_before_it_is_kept_and_never_shown(
    furnished: Furnished, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, life = page.accounts, furnished.life
    looked: list[str] = []

    async def check(self: Accounts, name: str, key: str) -> str:
        looked.append(f"{name} {key}")
        await asyncio.sleep(0)
        if key == "wrong":
            raise BrambleError("account_refused", "GitHub refuses this token.", service="GitHub")
        return "ada"

    monkeypatch.setattr(Accounts, "check", check)
    press(card, "GitHub: Sign in…")
    assert card.entry.isVisible() and not card.entry.save.isEnabled()
    card.entry.field.setText("wrong")
    card.entry.save.click()
    furnished.until(lambda: "refuse" in card.entry.word.text(), "the refusal")
    assert card.entry.field.text() == "wrong" and card._accounts[0].key == ""
    card.entry.field.setText(KEY)
    assert card.entry.field.echoMode() == card.entry.field.EchoMode.Password
    card.entry.save.click()
    furnished.until(lambda: card.entry.agree.isVisible() or card._accounts[0].key, "kept, or the question")
    if card.entry.agree.isVisible():  # no keyring answers here
        card.entry.agree.click()
    furnished.until(lambda: card._accounts[0].key, "the key")
    assert card.word.text().startswith("Signed in as ada. Saved in") and looked[-1] == f"github {KEY}"
    assert KEY not in words(card) and card.entry.field.text() == "" and not card.entry.isVisible()
    press(card, "Sign out of GitHub")
    furnished.until(lambda: card._accounts[0].key == "", "signed out")
    assert "still valid at the provider" in card.word.text()
    assert life.settings.services == {}


def test_what_has_a_key_can_be_asked(
    furnished: Furnished, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach, life = page.reach, furnished.life
    assert reach.way.part("all").isChecked() and not reach._engines.isVisible()
    reach.way.part("some").click()
    assert reach.switches["mojeek"].isEnabled() and not reach.switches["brave"].isEnabled()
    reach.switches["mojeek"].click()
    furnished.until(lambda: life.settings.search_engines == ("mojeek",), "the engine")
    reach.switches["bing"].click()
    furnished.until(lambda: life.settings.search_engines == ("mojeek", "bing"), "both")
    reach.way.part("all").click()
    furnished.until(lambda: life.settings.search_engines == (), "all")
    assert not reach._engines.isVisible()


def test_an_address_is_one_of_the_web(furnished: Furnished, page: Any) -> None:
    reach, life = page.reach, furnished.life
    assert set(reach.fields) == {"searxng", "weather", "places", "github"}
    assert reach.fields["weather"].placeholderText() == "https://api.open-meteo.com/v1"
    for wrong in ("search.example", "ftp://search.example", "https://", "https://[x"):
        write(reach.fields["searxng"], wrong)
        assert "is no address of the web" in reach.word.text() and not reach.word.isHidden()
        assert life.settings.services == {}
    write(reach.fields["searxng"], " https://search.example/ ")
    furnished.until(lambda: life.settings.services == {"searxng": "https://search.example"}, "the address")
    assert reach.word.isHidden()
    furnished.until(lambda: reach.switches["searxng"].isEnabled(), "an engine that can be asked")
    write(reach.fields["weather"], "http://127.0.0.1:9")
    furnished.until(lambda: len(life.settings.services) == 2, "both")
    write(reach.fields["searxng"], "")
    furnished.until(lambda: life.settings.services == {"weather": "http://127.0.0.1:9"}, "one")


def test_the_browser_is_found_named_or_left_alone(furnished: Furnished, page: Any, tmp_path: Path) -> None:
    reach, life = page.reach, furnished.life
    reach.browser_way.part("own").click()
    assert not reach._browser_row.isHidden() and life.settings.browser == ""
    write(reach.browser, str(tmp_path / "gone"))
    furnished.until(lambda: "cannot be used" in reach.browser_word.text(), "the word on it")
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    write(reach.browser, str(program))
    furnished.until(lambda: reach.browser_word.text().endswith("chromium"), "the program")
    reach.browser_way.part("none").click()
    furnished.until(lambda: life.settings.browser == "none", "none")
    furnished.until(lambda: "without their scripts" in reach.browser_word.text(), "the word on none")
    reach.browser_way.part("").click()
    furnished.until(lambda: life.settings.browser == "", "that which is found")


def test_a_model_of_pictures_that_is_set_stays_in_the_list(furnished: Furnished, page: Any) -> None:
    reach, life = page.reach, furnished.life
    assert reach.pictures.itemText(0) == "The first that has a key"
    life.change_settings(image_model="mine/painter")
    furnished.until(lambda: reach.pictures.currentData() == "mine/painter", "the model")
    reach.pictures.setCurrentIndex(0)
    reach.pictures.activated.emit(0)
    furnished.until(lambda: life.settings.image_model == "", "the first")


def test_calendars_are_added_and_removed(furnished: Furnished, page: Any, tmp_path: Path) -> None:
    card, life = page.calendars, furnished.life
    card.take(str(tmp_path))
    furnished.until(lambda: life.settings.calendars == (str(tmp_path),), "the folder")
    card.take(str(tmp_path))
    card.take("/home/ada/work.ics")
    furnished.until(lambda: len(life.settings.calendars) == 2, "the file")
    press(card, f"Remove {tmp_path}")
    furnished.until(lambda: life.settings.calendars == ("/home/ada/work.ics",), "the file alone")


def test_enter_and_keys_in_a_file_can_be_switched(furnished: Furnished, page: Any) -> None:
    life = furnished.life
    assert page._in_file_row.isHidden()
    page._enter.click()
    furnished.until(lambda: not life.settings.enter_sends, "Enter for a new line")
    life.change_settings(keys_in_file=True)
    furnished.until(lambda: not page._in_file_row.isHidden(), "the row")
    page._in_file.click()
    furnished.until(lambda: not life.settings.keys_in_file, "no file")


def test_what_is_said_stands_where_reading_begins(qtbot: QtBot, qapp: QApplication) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        said = Said()
        qtbot.addWidget(said)
        said.resize(400, 30)
        said.say("Used: /usr/bin/chromium")
        image = said.grab().toImage()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    ground = image.pixelColor(0, 0)
    inked = [x for x in range(image.width()) for y in range(30) if image.pixelColor(x, y) != ground]
    assert min(inked) > 100 and max(inked) > 380
