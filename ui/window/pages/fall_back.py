"""The rows of the settings that choose which model answers where the chosen one has to wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from app.records import ModelInfo
from app.settings import Settings
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.pages.page import Card, give_room
from ui.window.parts import Choice, Switch


class FallBackRows(QObject):
    """A list of the models that are ready, and whether one of them answers by itself."""

    def __init__(self, bridge: Bridge, card: Card, change: Callable[..., None]) -> None:
        """`change(**fields)` writes settings."""
        super().__init__(card)
        self._bridge, self._change = bridge, change
        self._wanted = ""
        self.models = Choice(card.theme, _("Model for when a provider asks to wait"))
        give_room(self.models, card.theme, 240)
        self.models.activated.connect(lambda at: self._change(fallback_model=self.models.itemData(at)))
        self.auto = Switch(card.theme, _("It answers without asking me"))
        self.auto.clicked.connect(lambda on: self._change(fall_back="auto" if on else "ask"))
        card.add_row(_("When a provider asks to wait"), self.models, note=_("Offered by a button then."))
        card.add_row(_("It answers without asking me"), self.auto)
        self._fill(())

    def read(self) -> None:
        """Read which models are ready."""
        self._bridge.call(lambda engine: engine.models.list(), self._fill)

    def show(self, settings: Settings) -> None:
        """Show what is set."""
        self._wanted = settings.fallback_model
        self.auto.setChecked(settings.fall_back == "auto")
        self.auto.setEnabled(bool(settings.fallback_model))
        if self.models.findData(self._wanted) < 0:
            self.models.addItem(self._wanted, self._wanted)
        self.models.setCurrentIndex(self.models.findData(self._wanted))

    def _fill(self, models: Sequence[ModelInfo]) -> None:
        self.models.clear()
        self.models.addItem(_("No other model"), "")
        for model in models:
            if model.ready:
                self.models.addItem(model.title or model.name, model.name)
        if self._wanted and self.models.findData(self._wanted) < 0:
            self.models.addItem(self._wanted, self._wanted)
        self.models.setCurrentIndex(max(0, self.models.findData(self._wanted)))
