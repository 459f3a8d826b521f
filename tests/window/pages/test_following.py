"""Pages that are open follow another theme and size at once: they look as if they were made with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget

from tests.window.furnished import Furnished
from tests.window.seen import press
from tests.window.test_talking import CLOSED, point_at
from ui.window.pages.empty import EmptyPage
from ui.window.pages.first_run import FirstRunPage
from ui.window.pages.settings import SettingsPage
from ui.window.pages.shortcuts import ShortcutsPage
from ui.window.theme import DARK, LIGHT


def seen(page: QWidget) -> QImage:
    """What a page looks like."""
    return page.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def hold_same(furnished: Furnished, page: Any, fresh: Any, filled: Callable[[Any], object]) -> None:
    """Hold that an open page looks as one that was made anew, once both have what they read."""
    furnished.bot.addWidget(fresh)
    fresh.show()
    furnished.until(lambda: filled(page) and filled(fresh), "both pages to be filled")

    def same() -> bool:
        fresh.resize(page.size())
        for one in (page, fresh):
            focused = one.window().focusWidget()
            if focused is not None:
                focused.clearFocus()  # its ring is no part of the look
        return seen(page) == seen(fresh)

    furnished.until(same, "the same picture")


def test_the_settings_page_follows_what_is_chosen_on_it(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    life.window.show_page("settings")
    page: Any = life.rest.settings_page
    press(page, "Light")
    furnished.until(lambda: life.settings.theme == "light", "the light theme")
    assert seen(page).pixelColor(3, 3) == LIGHT.ground
    press(page, "Dark")
    furnished.until(lambda: life.settings.theme == "dark", "the dark theme")
    assert seen(page).pixelColor(3, 3) == DARK.ground
    card = page._keys_card
    assert seen(card).pixelColor(card.width() // 2, 8) == DARK.surface
    colours = {QColor(seen(page._calm).pixelColor(x, page._calm.height() // 2)).name() for x in range(40)}
    assert DARK.muted.name() in colours and LIGHT.muted.name() not in colours
    page._size.step(5)
    furnished.until(lambda: life.window.theme.size == 19, "the larger text")
    assert page._calm.sizeHint().width() == round(40 * 19 / 14)
    assert page._model.width() == round(240 * 19 / 14)
    assert page.title.font().pixelSize() == round(20 * 19 / 14)
    fresh = SettingsPage(life.bridge, life.window.theme, life.home, lambda **fields: None)
    fresh.show_settings(life.settings, life.models.title(life.models.current or ""))
    hold_same(furnished, page, fresh, lambda one: one.entry.provider.count())


def test_the_other_pages_follow_too(furnished: Furnished) -> None:
    life = furnished.open()
    rest = life.rest
    rest.deeds.setting_up.show_first_run()
    furnished.until(lambda: rest.first_run.ways.again.isEnabled(), "the search for servers to end")
    life.look.choose("dark")
    furnished.until(lambda: life.window.theme.dark, "the dark theme")
    life.look.larger(4)
    furnished.until(lambda: life.window.theme.size == 18, "the larger text")
    anew = FirstRunPage(life.bridge, life.window.theme)
    anew.begin("ways", alone=False)
    anew.look()
    hold_same(
        furnished,
        rest.first_run,
        anew,
        lambda one: one.entry.provider.count() and one._locals and one.ways.again.isEnabled(),
    )
    keys = life.window.show_page("keys")
    life.look.choose("light")
    furnished.until(lambda: not life.window.theme.dark, "the light theme")
    hold_same(furnished, keys, ShortcutsPage(life.window.theme, rest.deeds.acts), lambda one: True)
    life.window.show_page("chat")
    life.window.chat.show_in_middle(rest.empty)
    hold_same(furnished, rest.empty, EmptyPage(life.window.theme), lambda one: True)
