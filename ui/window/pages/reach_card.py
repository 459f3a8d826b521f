"""What tools reach beyond this computer: search engines, services, the browser, models of pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.records import Reachable, SearchEngine
from app.settings import Settings
from ui.language import _
from ui.places import tilde
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, Row, clear, give_room
from ui.window.pages.said import Said
from ui.window.parts import Choice, Segments, Switch, label
from ui.window.theme import Theme

_WIDTH = 280


class ReachCard(Card):
    """`change(**fields)` writes settings. What is typed wrong is told and not kept."""

    def __init__(self, bridge: Bridge, theme: Theme, change: Callable[..., None]) -> None:
        super().__init__(
            theme, _("Search, web and pictures"), _("What the tools ask when the model uses them.")
        )
        self._bridge, self._change = bridge, change
        self._shown, self._reach, self._showing = Settings(), Reachable(), False
        self.way = Segments(
            _("Search engines"),
            (("all", _("All that can be asked"), ""), ("some", _("Only these"), "")),
        )
        self.way.chosen.connect(self._choose_way)
        self.add_row(_("Search engines"), self.way)
        self._engines = QWidget()
        self._engine_rows = QVBoxLayout(self._engines)
        self._engine_rows.setContentsMargins(0, 0, 0, 0)
        self._engine_rows.setSpacing(0)
        self.rows.addWidget(self._engines)
        self.switches: dict[str, Switch] = {}
        self.fields: dict[str, QLineEdit] = {}
        self._add_address(
            "searxng",
            _("A SearXNG of your own"),
            "https://search.example",
            _("Then it alone is asked: what you look for goes nowhere else."),
        )
        self.add_rule()
        self._browser_rows()
        self.add_rule()
        self.pictures = Choice(theme, _("Model that makes pictures"))
        give_room(self.pictures, theme, _WIDTH)
        self.pictures.activated.connect(lambda at: self._set(image_model=self.pictures.itemData(at)))
        self.add_row(_("Model that makes pictures"), self.pictures)
        self.add_rule()
        self.word = Said()
        self.rows.addWidget(self.word)

    def _browser_rows(self) -> None:
        self.browser_way = Segments(
            _("Browser for pages that need one"),
            (("", _("Find one"), ""), ("none", _("None"), ""), ("own", _("This one"), "")),
        )
        self.browser_way.chosen.connect(self._choose_browser)
        self.add_row(_("Browser for pages that need one"), self.browser_way)
        self.browser = QLineEdit()
        self.browser.setAccessibleName(_("Path of the browser"))
        self.browser.setPlaceholderText("/usr/bin/chromium")
        give_room(self.browser, self.theme, _WIDTH)
        self.browser.editingFinished.connect(lambda: self._keep_browser(self.browser.text()))
        self._browser_row = self.add_row(_("Path of the browser"), self.browser)
        self._browser_row.hide()
        self.browser_word = Said()
        self.rows.addWidget(self.browser_word)

    # --- showing -------------------------------------------------------------------------------------------

    def show_settings(self, settings: Settings) -> None:
        """Show what is set, and read again what that reaches; what is being typed stays."""
        self._shown = settings
        own = settings.browser not in ("", "none")
        self.browser_way.choose("own" if own else settings.browser)
        self._browser_row.setVisible(own)
        if not self.browser.hasFocus():
            self.browser.setText(settings.browser if own else "")
        self._fill()
        self.read()

    def read(self) -> None:
        """Read what can be reached."""
        self._bridge.call(lambda engine: engine.reachable(), self._show_reach, self.word.tell)

    def _show_reach(self, reach: Reachable) -> None:
        self._reach = reach
        for service in reach.services:
            if service.name not in self.fields:
                name = {
                    "weather": _("Weather from"),
                    "places": _("Places from"),
                    "github": _("GitHub Enterprise"),
                }.get(service.name, service.title)
                note = {
                    "places": _("Servers of the same kind can be asked in place of these."),
                    "github": _("The address of its API, such as https://github.example/api/v3."),
                }.get(service.name, "")
                self._add_address(service.name, name, service.address, note)
        self.rows.removeWidget(self.word)
        self.rows.addWidget(self.word)
        self._fill()
        self._say_browser()

    def _fill(self) -> None:
        self._showing = True
        wanted = self._shown.search_engines
        self.way.choose("some" if wanted else "all")
        self._engines.setVisible(bool(wanted))
        if list(self.switches) != [one.name for one in self._reach.engines]:
            clear(self._engine_rows)
            self.switches = {one.name: self._add_engine(one) for one in self._reach.engines}
        for one in self._reach.engines:
            switch = self.switches[one.name]
            switch.setChecked(one.name in wanted)
            switch.setEnabled(one.ready or one.name in wanted)
        for name, field in self.fields.items():
            if not field.hasFocus():
                field.setText(self._shown.services.get(name, ""))
        self._fill_pictures()
        self._showing = False

    def _add_engine(self, one: SearchEngine) -> Switch:
        switch = Switch(self.theme, one.title)
        switch.toggled.connect(lambda on: self._choose_engine(one.name, on))
        note = one.host
        if one.account:
            note = _("Asked once you signed in above.")
        elif one.service:
            note = _("Asked once its address is set below.")
        self._engine_rows.addWidget(Row(self.theme, one.title, (label(note, "caption"), switch), ""))
        switch.setAccessibleName(one.title)
        return switch

    def _fill_pictures(self) -> None:
        wanted = self._shown.image_model
        self.pictures.clear()
        self.pictures.addItem(_("The first that has a key"), "")
        for one in self._reach.pictures:
            if one.ready or one.name == wanted:
                self.pictures.addItem(one.title, one.name)
        if self.pictures.findData(wanted) < 0:
            self.pictures.addItem(wanted, wanted)
        self.pictures.setCurrentIndex(self.pictures.findData(wanted))

    def _say_browser(self) -> None:
        path, setting = self._reach.browser, self._shown.browser
        if path:
            self.browser_word.say(_("Used: {path}").replace("{path}", tilde(path)))
        elif setting == "none":
            self.browser_word.say(_("Pages are read as they are sent, without their scripts."))
        elif setting:
            self.browser_word.say(_("This program cannot be used, so pages are read without one."), "caution")
        else:
            words = _("No Chromium was found, so pages are read as they are sent, without their scripts.")
            self.browser_word.say(words)

    def _add_address(self, service: str, name: str, hint: str, note: str) -> QWidget:
        field = self.fields[service] = QLineEdit()
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        give_room(field, self.theme, _WIDTH)
        field.editingFinished.connect(partial(self._keep_address, service))
        return self.add_row(name, field, note=note)

    # --- changing ------------------------------------------------------------------------------------------

    def _set(self, **fields: object) -> None:
        if not self._showing:
            self._change(**fields)

    def _choose_way(self, way: str) -> None:
        self._engines.setVisible(way == "some")
        if way == "all" and self._shown.search_engines:
            self._set(search_engines=())

    def _choose_engine(self, name: str, on: bool) -> None:
        now = [one for one in self._shown.search_engines if one != name]
        self._set(search_engines=(*now, name) if on else tuple(now))

    def _choose_browser(self, way: str) -> None:
        self._browser_row.setVisible(way == "own")
        if way == "own":
            self.browser.setFocus()
        else:
            self._set(browser=way)

    def _keep_browser(self, text: str) -> None:
        text = text.strip()
        if text and text != self._shown.browser:
            self._set(browser=text)

    def _keep_address(self, service: str) -> None:
        """Keep an address of the web, or none; anything else is told and what was set still holds."""
        text = self.fields[service].text().strip().rstrip("/")
        if text == self._shown.services.get(service, ""):
            self.word.hide()
            return
        if text and not is_address(text):
            words = _("{text} is no address of the web.").replace("{text}", text[:80])
            self.word.say(words + " " + _("What was set before still holds."), "danger")
            return
        self.word.hide()
        services = {name: one for name, one in self._shown.services.items() if name != service}
        self._set(services={**services, service: text} if text else services)


def is_address(text: str) -> bool:
    """Tell whether this is an address that can be asked."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False
