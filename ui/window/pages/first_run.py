"""The first start in three steps: what answers, which folder, and one example; each way to a model is one
screen, and nothing is lost by leaving it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.events import DownloadProgressed
from app.records import ModelInfo, Problem, ProfileInfo, WeightsInfo
from ui.language import _
from ui.window.bridge import Bridge, Ticket
from ui.window.pages.first_folder import FirstFolder
from ui.window.pages.first_try import FirstTry
from ui.window.pages.first_ways import ROUTES, FirstWays
from ui.window.pages.key_entry import KeyEntry
from ui.window.pages.local_model import LocalModel
from ui.window.pages.own_server import OwnServer
from ui.window.pages.page import Card, Page, clear
from ui.window.pages.sign_in_panel import SignInPanel
from ui.window.pages.steps_bar import StepsBar
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.words import problem_text

if TYPE_CHECKING:
    from app.engine import Engine

STEPS = ("ways", "folder", "try")


class FirstRunPage(Page):
    """`chosen` carries PROFILE/MODEL when the person has picked what answers."""

    chosen = Signal(str)
    left = Signal()
    """The person goes on without the rest."""
    went_back = Signal(str)
    """From a later step to this one."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(theme, "", "", width=600, margin=28)
        self._bridge = bridge
        self._ticket: Ticket | None = None
        self._locals: dict[str, LocalModel] = {}
        self._alone = True
        self._profiles: tuple[ProfileInfo, ...] = ()
        self._wanted = self._lead = ""
        """The model that lacks something, and the same until its screen is shown."""
        self.shown = ""
        """Which screen is shown: one of STEPS or of ROUTES."""
        self.steps = StepsBar(theme)
        self.back = button(_("Back"), "quiet", self._go_back)
        self.later = button(_("Set up later"), "quiet", self._leave)
        self._line = QHBoxLayout()
        self._line.addWidget(self.steps, 1)
        self._line.addStretch(0)
        for action in (self.back, self.later):
            self._line.addWidget(action)
        self._head.insertLayout(0, self._line)
        self._word = label("", "danger", wrap=True)
        self._word.hide()
        self._make_busy()
        self.ways = FirstWays(theme)
        self.folder = FirstFolder(theme)
        self.example = FirstTry(theme)
        self._screens: dict[str, QWidget] = {
            "ways": self.ways,
            **self._make_routes(theme),
            "folder": self.folder,
            "try": self.example,
        }
        for part in (self._word, self._busy, *self._screens.values()):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self._connect()
        self._fit(theme)
        self.show_screen("ways", focus=False)

    @property
    def _servers(self) -> Card:
        return self.ways.servers

    @property
    def _found(self) -> Card:
        return self.ways.found

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._fit(theme)
        super().set_theme(theme)

    # --- which screen ------------------------------------------------------------

    def begin(self, step: str, *, alone: bool) -> None:
        """Show a step; `alone` chooses a model only, outside of the first start."""
        self._alone = alone
        kept = ("ways", *ROUTES) if step == "ways" else (step,)
        if self.shown not in kept:
            self.show_screen(step, focus=False)
        self.steps.setVisible(not alone)
        self._name_later()

    def show_screen(self, name: str, *, focus: bool = True) -> None:
        """Show one screen; what was typed on the others stays there."""
        self._stop_waiting()
        self._word.hide()
        self.shown = name
        for key, screen in self._screens.items():
            screen.setVisible(key == name)
        title, sentence = _heads()[name]
        self.title.setText(title)
        self.sentence.setText(sentence)
        self.setAccessibleName(title)
        self.back.setVisible(name != "ways")
        self.steps.show_step(self._step())
        self.area.verticalScrollBar().setValue(0)
        self._name_later()
        if focus:
            self.focus_first()

    def lead_to(self, model: str) -> None:
        """Show the screen on which PROFILE/MODEL gets what it lacks, once it is known what its provider
        wants; that model is taken then. "" leads nowhere.
        """
        self._wanted = self._lead = model
        self._follow_lead()

    def _follow_lead(self) -> None:
        name = self._lead.partition("/")[0]
        profile = next((one for one in self._profiles if one.name == name), None)
        if profile is None:
            return
        self._lead = ""
        if name == "local":
            self.show_screen("app")
        elif profile.sign_in != "key":
            self.show_screen("copilot")
        elif profile.keyless and not profile.agreed:
            self.show_screen("free")
        else:
            self.show_screen("key", focus=False)
            self.entry.choose(name)

    def focus_first(self) -> None:
        """Put the keyboard on what most go on with."""
        name = self.shown
        if name in ("folder", "try"):
            (self.folder if name == "folder" else self.example).begin()
        elif name == "key":
            self.entry.field.setFocus()
        elif name == "server":
            self.own_server.address.setFocus()
        else:
            parts = self._screens[name].findChildren(QPushButton)
            able = (part for part in parts if part.isVisible() and part.isEnabled())
            if (first := next(able, None)) is not None:
                first.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes back a screen."""
        if event.key() == Qt.Key.Key_Escape and self._ticket is not None:
            self._stop_waiting()
        elif event.key() == Qt.Key.Key_Escape and self.back.isVisible():
            self._go_back()
        else:
            super().keyPressEvent(event)

    def _step(self) -> int:
        return STEPS.index(self.shown) if self.shown in STEPS else 0

    def _name_later(self) -> None:
        """Leaving is offered where something is there to go on with."""
        words = _("Back to the conversation") if self._alone else _("Skip the rest")
        self.later.setText(words)
        self.later.setAccessibleName(words)
        self.later.setVisible((self._alone and self.shown == "ways") or self.shown in ("folder", "try"))

    def _go_back(self) -> None:
        if self.shown in ("folder", "try"):
            self.went_back.emit(STEPS[self._step() - 1])
        else:
            self.show_screen("ways")

    def _leave(self) -> None:
        self._stop_waiting()
        self.left.emit()

    # --- parts ------------------------------------------------------------

    def _make_busy(self) -> None:
        """Make the line that stands while a provider is asked, with its way out."""
        self._busy = QWidget()
        row = QHBoxLayout(self._busy)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(_("Asking which models there are…"), "small", wrap=True), 1)
        self.cancel = button(_("Cancel"), "", self._stop_waiting)
        row.addWidget(self.cancel)
        self._busy.hide()

    def _make_routes(self, theme: Theme) -> dict[str, QWidget]:
        self.entry = KeyEntry(self._bridge, theme)
        self.sign_in = SignInPanel(self._bridge, theme)
        self.own_server = OwnServer(self._bridge, theme)
        cards = {route: Card(theme, "") for route in ROUTES}
        cards["key"].rows.addWidget(self.entry)
        cards["copilot"].rows.addWidget(self.sign_in)
        cards["server"].rows.addWidget(self.own_server)
        self._free, self._app = cards["free"], cards["app"]
        for route, card in cards.items():
            card.setAccessibleName(_heads()[route][0])
        return dict(cards)

    def _connect(self) -> None:
        self.ways.model_taken.connect(self.chosen)
        self.ways.profile_taken.connect(self._use_profile)
        self.ways.route_taken.connect(self.show_screen)
        self.ways.look_asked.connect(self.look)
        self.entry.kept.connect(self._use_profile)
        self.sign_in.used.connect(self._use_profile)
        self.own_server.ready.connect(self.chosen)

    def _fit(self, theme: Theme) -> None:
        self.back.setIcon(theme.icon("chevron-left", "muted"))
        self.back.setIconSize(QSize(theme.px(16), theme.px(16)))

    # --- what is there ------------------------------------------------------------

    def look(self) -> None:
        """Look for servers, keys and weights again."""
        self._bridge.call(
            lambda engine: engine.models.find_local_servers(),
            self.ways.show_servers,
            lambda problem: self.ways.show_servers(()),
        )
        self._bridge.call(lambda engine: engine.models.profiles(), self._show_profiles, self._say)
        self._bridge.call(lambda engine: engine.models.weights(), self._show_weights, self._say)
        self.sign_in.look()

    def apply(self, event: DownloadProgressed) -> None:
        """Show how far a model is fetched."""
        if event.name in self._locals:
            self._locals[event.name].apply(event)

    def _show_profiles(self, profiles: Sequence[ProfileInfo]) -> None:
        self._profiles = tuple(profiles)
        self.entry.show_profiles(profiles)
        self.ways.show_keys(profiles)
        keyless = [one for one in profiles if one.keyless]
        clear(self._free.rows, keep=2)
        for profile in keyless:
            words = _("Use this") if profile.agreed else _("I have read this, use it")
            use = button(words, "main", partial(self._use_free, profile.name))
            use.setAccessibleName(_("Use {name}").replace("{name}", profile.title))
            note = f"{_(profile.terms)} {_(profile.sends)}"
            self._free.add_row(profile.title, use, note=note)
        self.ways.rows["free"].setVisible(bool(keyless))
        self._follow_lead()

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
        self.ways.rows["app"].setVisible(bool(weights))

    # --- taking one ------------------------------------------------------------

    def _use_free(self, profile: str) -> None:
        """Take down that the person agreed, then take the first model that is free now."""
        self._bridge.call(
            lambda engine: engine.models.sign_in.agree(profile),
            lambda done: self._use_profile(profile),
            self._say,
        )

    def _use_profile(self, profile: str) -> None:
        """Take a model of a provider that is ready: the one that was picked, else the profile's own first;
        one that calls tools before one that does not, one that counts less against a plan before one that
        counts more.
        """
        wanted = self._wanted

        async def first(engine: Engine) -> str:
            models = [model for model in await engine.models.list() if model.profile == profile]
            ready = [model for model in models if model.ready] or models
            picked = any(model.name == wanted for model in ready)
            return wanted if picked else min(ready, key=_reluctance).name if ready else ""

        self._stop_waiting()
        self._word.hide()
        self._busy.show()
        self._ticket = self._bridge.call(first, self._take_first, self._say)

    def _stop_waiting(self) -> None:
        if self._ticket is not None:
            self._ticket.cancel()
            self._ticket = None
        self._busy.hide()

    def _take_first(self, name: str) -> None:
        if self._ticket is None:
            return
        self._stop_waiting()
        if name:
            self.chosen.emit(name)
        else:
            self._word.setText(
                _("No model of it can be reached now. Try again later, or choose another way.")
            )
            self._word.show()

    def _say(self, problem: Problem) -> None:
        self._stop_waiting()
        words = problem_text(problem)
        self._word.setText(f"{words.title} {words.detail}")
        self._word.show()


def _reluctance(model: ModelInfo) -> tuple[bool, float]:
    return "tools" not in model.abilities, 1.0 if model.multiplier is None else model.multiplier


def _heads() -> dict[str, tuple[str, str]]:
    """Return the title of each screen and its one sentence."""
    return {
        "ways": (
            _("Who should answer?"),
            _("Bramble needs a model to talk to. Choose one way; you can change it at any time."),
        ),
        "key": (
            _("A key of your own"),
            _("The key stays on this computer, and goes to its provider with each request."),
        ),
        "copilot": (_("GitHub Copilot"), _("With the plan of your GitHub account.")),
        "free": (_("Free models, without a key"), _("Read what that means before you use them.")),
        "app": (
            _("A small model in the app"),
            _("Works without a key, and without a network once it is here. Often wrong on longer work."),
        ),
        "server": (
            _("Another server"),
            _("Yours, or one of your organisation. What you write goes to it."),
        ),
        "folder": (
            _("Which folder?"),
            _("Bramble works in one folder at a time, and asks before it leaves it."),
        ),
        "try": (_("Try it"), _("A click sends the request. What comes back stands in a conversation.")),
    }
