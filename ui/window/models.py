"""Which model answers: its name in the composer, and the list to choose another one from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from app.records import ModelInfo
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.main_window import MainWindow
from ui.words import money

if TYPE_CHECKING:
    from ui.window.picker import Entry, Picker


class Models(QObject):
    """Knows the model that is set and those that can be picked, read when they are asked for."""

    picked = Signal(str)
    """PROFILE/MODEL was chosen from the list."""
    set_up_asked = Signal()
    """The person wants to enter a key or get another model."""
    known = Signal()
    """The model that is set is known now (`current`)."""

    def __init__(self, bridge: Bridge, window: MainWindow) -> None:
        super().__init__()
        self._bridge, self._window = bridge, window
        self.current: str | None = None
        """What new conversations use: PROFILE/MODEL, "" when none is set up, None while it is not known
        yet."""
        self._models: tuple[ModelInfo, ...] = ()
        self._picker: Picker | None = None

    def read(self) -> None:
        """Read which model is set."""
        self._bridge.call(lambda engine: engine.models.current(), self._show_current)

    def title(self, name: str) -> str:
        """Return the words for PROFILE/MODEL."""
        found = next((model for model in self._models if model.name == name), None)
        return found.title or found.model if found else name.partition("/")[2]

    def pick(self) -> None:
        """Open the list of models above the composer's button."""
        from ui.window.picker import Entry, Picker

        button, theme = self._window.chat.composer.model, self._window.theme
        picker = Picker(self._window, theme, _("Choose a model"))
        picker.taken.connect(self._taken)
        picker.destroyed.connect(self._forget)
        self._picker = picker
        picker.show_entries(self._entries() or [Entry("", _("Looking for models…"), enabled=False)])
        width, height = theme.px(380), theme.px(420)
        corner = button.mapToGlobal(QPoint(0, 0))
        left = corner.x() + button.width() - width if button.isRightToLeft() else corner.x()
        picker.open_at(QPoint(left, corner.y() - height - theme.s8), width, height)
        self._bridge.call(lambda engine: engine.models.list(), self._show_models)

    def _forget(self) -> None:
        self._picker = None

    def _show_current(self, name: str) -> None:
        self.current = name
        self.known.emit()

    def _show_models(self, models: Sequence[ModelInfo]) -> None:
        self._models = tuple(models)
        if self._picker is not None:
            self._picker.show_entries(self._entries())
        self.known.emit()

    def _entries(self) -> list[Entry]:
        from ui.window.picker import Entry

        ordered = sorted(self._models, key=lambda model: not model.ready)
        entries = [_entry(model) for model in ordered]
        if entries:
            entries.append(Entry("", _("Enter a key, or get another model"), icon="key-round"))
        return entries

    def _taken(self, name: str) -> None:
        found = next((model for model in self._models if model.name == name), None)
        if found is not None and found.ready:
            self.picked.emit(name)
        elif found is not None and found.why == "model_terms":
            self._ask_terms(found)
        else:
            self.set_up_asked.emit()

    def _ask_terms(self, model: ModelInfo) -> None:
        """Show a model's own terms, and pick it after a yes to them."""
        from ui.window import dialogs

        words = model.terms or _("The provider shows no text of them.")
        title = _("Terms of {name}").replace("{name}", model.title)
        dialogs.ask(self._window, title, words, _("Accept them"), lambda: self._accept(model.name))

    def _accept(self, name: str) -> None:
        self._bridge.call(
            lambda engine: engine.models.accept_terms(name), lambda done: self.picked.emit(name)
        )


def _entry(model: ModelInfo) -> Entry:
    from ui.window.picker import Entry

    parts = [model.profile]
    if model.window:
        parts.append(_("{n} tokens").replace("{n}", f"{model.window:,}"))
    if not model.ready:
        parts.append(_lacks().get(model.why) or _("not ready"))
    return Entry(model.name, model.title or model.model, " · ".join(parts), _price(model))


def _lacks() -> dict[str, str]:
    return {
        "no_key": _("needs a key"),
        "bad_key": _("needs a key"),
        "no_sign_in": _("sign in first"),
        "terms_open": _("read what it means first"),
        "model_terms": _("has terms of its own"),
        "model_off": _("switched off for your account"),
        "local_missing": _("can be fetched"),
    }


def _price(model: ModelInfo) -> str:
    if model.input_price is None or model.output_price is None:
        if model.multiplier is None:
            return ""
        return _("counts {n} times").replace("{n}", f"{model.multiplier:g}")
    if model.input_price == model.output_price == 0:
        return _("free")
    return f"{money(model.input_price)} / {money(model.output_price)}"
