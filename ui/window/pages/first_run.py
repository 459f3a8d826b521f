"""The page of the first start: every way to get an answer, with what it means, so that a person talks
within two minutes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.events import DownloadProgressed
from app.records import LocalServer, ModelInfo, Problem, ProfileInfo, WeightsInfo
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.pages.key_entry import KeyEntry
from ui.window.pages.local_model import LocalModel
from ui.window.pages.page import Card, Page, clear
from ui.window.pages.sign_in_panel import SignInPanel
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.words import problem_text

if TYPE_CHECKING:
    from app.engine import Engine


_MODELS_SHOWN = 6
"""Models of one server that are offered here; the list of models has them all."""


class FirstRunPage(Page):
    """`chosen` carries PROFILE/MODEL when the person has picked what answers."""

    chosen = Signal(str)

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(
            theme,
            _("Who should answer?"),
            _("Bramble needs a model to talk to. Choose one way; you can change it at any time."),
            width=600,
            margin=28,
        )
        self._bridge = bridge
        self._locals: dict[str, LocalModel] = {}
        self._word = label("", "danger", wrap=True)
        self._word.hide()
        self._servers = Card(theme, _("On this computer"), _("Looking for Ollama, LM Studio and llama.cpp…"))
        self._found = Card(theme, _("Keys that are here already"))
        self._found.hide()
        self._key = Card(theme, _("With a key of your own"))
        self.entry = KeyEntry(bridge, theme)
        self.entry.kept.connect(self._use_profile)
        self._key.rows.addWidget(self.entry)
        self._copilot = Card(
            theme,
            _("GitHub Copilot"),
            _("With the plan of your GitHub account."),
        )
        self.sign_in = SignInPanel(bridge, theme)
        self.sign_in.used.connect(self._use_profile)
        self._copilot.rows.addWidget(self.sign_in)
        self._free = Card(theme, _("Free models, without a key"))
        self._free.hide()
        self._app = Card(
            theme,
            _("A small model in the app"),
            _("Works without a key, and without a network once it is here. Often wrong on longer work."),
        )
        for part in (
            self._word,
            self._servers,
            self._found,
            self._key,
            self._copilot,
            self._free,
            self._app,
        ):
            self.column.addWidget(part)
        self.column.addStretch(1)

    def look(self) -> None:
        """Look for servers, keys and weights again."""
        self._bridge.call(
            lambda engine: engine.models.find_local_servers(),
            self._show_servers,
            lambda problem: self._show_servers(()),
        )
        self._bridge.call(lambda engine: engine.models.profiles(), self._show_profiles, self._say)
        self._bridge.call(lambda engine: engine.models.weights(), self._show_weights, self._say)
        self.sign_in.look()

    def apply(self, event: DownloadProgressed) -> None:
        """Show how far a model is fetched."""
        if event.name in self._locals:
            self._locals[event.name].apply(event)

    def _show_servers(self, servers: Sequence[LocalServer]) -> None:
        clear(self._servers.rows, keep=2)
        for server in servers:
            for model in server.models[:_MODELS_SHOWN]:
                self._offer(self._servers, f"{server.profile}/{model}", model, server.title)
        if any(server.models for server in servers):
            self._servers.say(_("These answer here now. What you write stays on this computer."))
        elif servers:
            self._servers.say(
                _("{name} runs here and has no model yet. Fetch one with it, then look again.").replace(
                    "{name}", servers[0].title
                )
            )
        else:
            self._servers.say(
                _("No model server answers here. Ollama, LM Studio and llama.cpp are found when they run.")
            )
        again = button(_("Look again"), "", self._look_again)
        self._servers.rows.addWidget(again, 0, Qt.AlignmentFlag.AlignLeading)

    def _look_again(self) -> None:
        self._servers.say(_("Looking for Ollama, LM Studio and llama.cpp…"))
        clear(self._servers.rows, keep=2)
        self.look()

    def _offer(self, card: Card, name: str, title: str, where: str) -> QWidget:
        use = button(_("Use this"), "", lambda: self.chosen.emit(name))
        use.setAccessibleName(_("Use {name}").replace("{name}", title))
        return card.add_row(title, label(where, "caption"), use)

    def _show_profiles(self, profiles: Sequence[ProfileInfo]) -> None:
        self.entry.show_profiles(profiles)
        clear(self._found.rows, keep=2)
        present = [
            one
            for one in profiles
            if one.key in ("environment", "keyring", "file") and one.sign_in == "key" and not one.keyless
        ]
        for profile in present:
            use = button(_("Use this"), "", partial(self._use_profile, profile.name))
            use.setAccessibleName(_("Use {name}").replace("{name}", profile.title))
            self._found.add_row(profile.title, use, note=_(profile.sends))
        self._found.setVisible(bool(present))
        self._show_free([one for one in profiles if one.keyless])

    def _show_free(self, profiles: Sequence[ProfileInfo]) -> None:
        clear(self._free.rows, keep=2)
        for profile in profiles:
            words = _("Use this") if profile.agreed else _("I have read this, use it")
            use = button(words, "", partial(self._use_free, profile.name))
            use.setAccessibleName(_("Use {name}").replace("{name}", profile.title))
            note = f"{_(profile.terms)} {_(profile.sends)}"
            self._free.add_row(profile.title, use, note=note)
        self._free.setVisible(bool(profiles))

    def _show_weights(self, weights: Sequence[WeightsInfo]) -> None:
        if self._locals:
            return
        for one in weights:
            made = LocalModel(one, self._bridge, self.theme)
            made.ready.connect(self.chosen)
            self._locals[one.name] = made
            if len(self._locals) > 1:
                self._app.add_rule()
            self._app.rows.addWidget(made)
        self._app.setVisible(bool(weights))

    def _use_free(self, profile: str) -> None:
        """Take down that the person agreed, then take the first model that is free now."""
        self._bridge.call(
            lambda engine: engine.models.sign_in.agree(profile),
            lambda done: self._use_profile(profile),
            self._say,
        )

    def _use_profile(self, profile: str) -> None:
        """Take a model of a provider that is ready, the profile's own first; one that calls tools before one
        that does not, one that counts less against a plan before one that counts more.
        """

        async def first(engine: Engine) -> str:
            models = [model for model in await engine.models.list() if model.profile == profile]
            ready = [model for model in models if model.ready] or models
            return min(ready, key=_reluctance).name if ready else ""

        self._bridge.call(first, self._take_first, self._say)

    def _take_first(self, name: str) -> None:
        if name:
            self.chosen.emit(name)
        else:
            self._word.setText(
                _("No model of it can be reached now. Try again later, or choose another way.")
            )
            self._word.show()

    def _say(self, problem: Problem) -> None:
        words = problem_text(problem)
        self._word.setText(f"{words.title} {words.detail}")
        self._word.show()


def _reluctance(model: ModelInfo) -> tuple[bool, float]:
    return "tools" not in model.abilities, 1.0 if model.multiplier is None else model.multiplier
