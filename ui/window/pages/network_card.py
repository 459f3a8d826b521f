"""The settings of the network: a proxy, own certificates, the domain of a GitHub Enterprise; each is checked
before it is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit

from app.records import Problem
from app.settings import Settings
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, give_room
from ui.window.parts import Segments, button, label
from ui.window.theme import Theme
from ui.words import problem_text

_WIDTH = 280


class NetworkCard(Card):
    """`change(**fields)` writes settings; `file_asked` wants a dialog for a file of certificates."""

    file_asked = Signal()

    def __init__(self, bridge: Bridge, theme: Theme, change: Callable[..., None]) -> None:
        super().__init__(
            theme,
            _("Network"),
            _("For networks that want it, such as those of a firm. Most need none of it."),
        )
        self._bridge, self._change = bridge, change
        self._shown = Settings()
        self.way = Segments(
            _("Proxy"),
            (("system", _("As the system"), ""), ("none", _("None"), ""), ("own", _("This one"), "")),
        )
        self.way.chosen.connect(self._choose_way)
        self.add_row(
            _("Proxy"),
            self.way,
            note=_("Through which models are reached. This computer itself is always reached without one."),
        )
        self.proxy = self._field(_("Address of the proxy"), "http://proxy.example:3128", "proxy")
        self._proxy_row = self.add_row(_("Address of the proxy"), self.proxy)
        self._proxy_row.hide()
        self.add_rule()
        self.ca_file = self._field(_("File of certificates"), _("none"), "ca_file")
        choose = button(_("Choose…"), "", self.file_asked.emit)
        choose.setAccessibleName(_("Choose a file of certificates"))
        self.add_row(
            _("Own certificates"),
            self.ca_file,
            choose,
            note=_("A file (PEM) that is trusted beside what the system trusts."),
        )
        self.add_rule()
        self.domain = self._field(_("Domain of GitHub Enterprise"), "github.com", "copilot_domain")
        self.add_row(
            _("GitHub Enterprise"),
            self.domain,
            note=_("Such as octo.ghe.com, for signing in to Copilot there. Each keeps a sign-in of its own."),
        )
        self.word = label("", "danger", wrap=True)
        self.rows.addWidget(self.word)
        self.word.hide()

    def show_settings(self, settings: Settings) -> None:
        """Show what is set; what is being typed stays."""
        self._shown = settings
        way = settings.proxy if settings.proxy == "none" else "own" if settings.proxy else "system"
        self.way.choose(way)
        self._proxy_row.setVisible(way == "own")
        for field, text in (
            (self.proxy, settings.proxy if way == "own" else ""),
            (self.ca_file, settings.ca_file),
            (self.domain, settings.copilot_domain),
        ):
            if not field.hasFocus():
                field.setText(text)

    def take_file(self, path: str) -> None:
        """Take a file of certificates that was chosen in a dialog."""
        self.ca_file.setText(path)
        self._keep("ca_file", path)

    def _field(self, name: str, hint: str, setting: str) -> QLineEdit:
        made = QLineEdit()
        made.setAccessibleName(name)
        made.setPlaceholderText(hint)
        give_room(made, self.theme, _WIDTH)
        made.editingFinished.connect(lambda: self._keep(setting, made.text()))
        return made

    def _choose_way(self, way: str) -> None:
        self._proxy_row.setVisible(way == "own")
        if way == "own":
            self.proxy.setFocus()
        else:
            self._keep("proxy", "none" if way == "none" else "")

    def _keep(self, setting: str, text: str) -> None:
        """Look whether it can be used, and write it then."""
        text = text.strip()
        if text == getattr(self._shown, setting) or (setting == "proxy" and self._own_is_empty(text)):
            self.word.hide()
            return
        what: dict[str, Any] = {("domain" if setting == "copilot_domain" else setting): text}
        self._bridge.call(
            lambda engine: engine.models.check_network(**what),
            lambda done: self._checked(setting, text),
            self._refused,
        )

    def _own_is_empty(self, text: str) -> bool:
        """Whether the person has yet to write the address of the proxy that they want."""
        return not text and self.way.value() == "own" and self._shown.proxy in ("", "none")

    def _checked(self, setting: str, text: str) -> None:
        self.word.hide()
        self._change(**{setting: text})

    def _refused(self, problem: Problem) -> None:
        """Say what is wrong; what was typed stays, and what was set before still holds."""
        why = problem.fields.get("why", "")
        words = {
            "ca_file": _("This file cannot be used ({why})."),
            "proxy": _("This proxy cannot be used ({why})."),
            "copilot_domain": _("This is no domain ({why})."),
        }.get(problem.fields.get("path", ""))
        text = words.replace("{why}", why) if words else problem_text(problem).title
        self.word.setText(text + " " + _("What was set before still holds."))
        self.word.show()
