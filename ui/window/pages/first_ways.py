"""The ways to get an answer as cards: what is here already, and one row for each of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.records import LocalServer, ProfileInfo
from ui.language import _
from ui.window.pages.page import Card, clear
from ui.window.parts import button, label
from ui.window.theme import Theme

MODELS_SHOWN = 6
"""Models of one server that are offered here; the list of models has them all."""
ROUTES = ("key", "copilot", "free", "app", "server")
"""Each is a screen of its own; what is found here already needs none."""


class FirstWays(QWidget):
    """Signals carry what the person chose: a model, a provider whose key is here, or a route to go."""

    model_taken = Signal(str)
    profile_taken = Signal(str)
    route_taken = Signal(str)
    look_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.servers = Card(theme, _("On this computer"), _("Looking for Ollama, LM Studio and llama.cpp…"))
        self.again = button(_("Look again"), "quiet", self._look_again)
        self.again.setEnabled(False)
        _beside_heading(self.servers, self.again)
        self.found = Card(theme, _("Keys that are here already"))
        self.found.hide()
        self.others = Card(theme, _("Other ways"))
        self.rows: dict[str, QWidget] = {}
        for at, (route, title, note, verb) in enumerate(_routes()):
            go = button(verb, "", partial(self.route_taken.emit, route))
            go.setAccessibleName(f"{title}: {verb}")
            if at:
                self.others.add_rule()
            self.rows[route] = self.others.add_row(title, go, note=note)
        self._column = QVBoxLayout(self)
        for card in (self.servers, self.found, self.others):
            self._column.addWidget(card)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.s12)

    def show_servers(self, servers: Sequence[LocalServer]) -> None:
        """Show the servers that answer on this computer."""
        clear(self.servers.rows, keep=2)
        for server in servers:
            for model in server.models[:MODELS_SHOWN]:
                self._offer(f"{server.profile}/{model}", model, server.title)
        if any(server.models for server in servers):
            self.servers.say(_("These answer here now. What you write stays on this computer."))
        elif servers:
            words = _("{name} runs here and has no model yet. Fetch one with it, then look again.")
            self.servers.say(words.replace("{name}", servers[0].title))
        else:
            self.servers.say(
                _("No model server answers here. Ollama, LM Studio and llama.cpp are found when they run.")
            )
        self.again.setEnabled(True)

    def show_keys(self, profiles: Sequence[ProfileInfo]) -> None:
        """Show the providers whose key is here."""
        clear(self.found.rows, keep=2)
        present = [
            one
            for one in profiles
            if one.key in ("environment", "keyring", "file") and one.sign_in == "key" and not one.keyless
        ]
        for profile in present:
            use = _use(profile.title, partial(self.profile_taken.emit, profile.name))
            self.found.add_row(profile.title, use, note=_(profile.sends))
        self.found.setVisible(bool(present))

    def _look_again(self) -> None:
        self.servers.say(_("Looking for Ollama, LM Studio and llama.cpp…"))
        self.again.setEnabled(False)
        clear(self.servers.rows, keep=2)
        self.look_asked.emit()

    def _offer(self, name: str, title: str, where: str) -> QWidget:
        use = _use(title, lambda: self.model_taken.emit(name))
        return self.servers.add_row(title, label(where, "caption"), use)


def _beside_heading(card: Card, control: QWidget) -> None:
    """Put a control at the end of a card's heading."""
    line = QHBoxLayout()
    card.rows.insertLayout(0, line)
    item = card.rows.itemAt(1)
    heading = item.widget() if item is not None else None
    assert heading is not None
    line.addWidget(heading, 1)
    line.addWidget(control)


def _use(title: str, taken: Callable[[], object]) -> QWidget:
    made = button(_("Use this"), "", taken)
    made.setAccessibleName(_("Use {name}").replace("{name}", title))
    return made


def _routes() -> tuple[tuple[str, str, str, str], ...]:
    return (
        ("key", _("A key of your own"), _("For OpenAI, Anthropic, Gemini and others."), _("Enter it")),
        ("copilot", _("GitHub Copilot"), _("With the plan of your GitHub account."), _("Sign in")),
        (
            "free",
            _("Free models, without a key"),
            _("No account. Whoever runs them may keep what is sent, so nothing private."),
            _("Look at it"),
        ),
        (
            "app",
            _("A small model in the app"),
            _("No key, and no network once it is here. Often wrong on longer work."),
            _("Look at it"),
        ),
        (
            "server",
            _("Another server"),
            _("Yours, or one of your organisation, by its address."),
            _("Enter it"),
        ),
    )
