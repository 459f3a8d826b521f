"""Which model answers: its name in the composer, and the list to choose another one from."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from app.records import Effort, ListState, ModelInfo, Problem
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.main_window import MainWindow
from ui.words import problem_text

if TYPE_CHECKING:
    from app.engine import Engine
    from ui.window.model_picker import ModelPicker
    from ui.window.picker import Entry


class Models(QObject):
    """Knows the model that is set and those that can be picked, read when they are asked for."""

    picked = Signal(str)
    """PROFILE/MODEL was chosen from the list."""
    effort_picked = Signal(str)
    """How much the model is to reason was chosen: one of our words, "" for its own measure."""
    set_up_asked = Signal(str)
    """The person wants another model (""), or PROFILE/MODEL that lacks a key or a sign-in."""
    known = Signal()
    """The model that is set is known now (`current`)."""

    def __init__(self, bridge: Bridge, window: MainWindow) -> None:
        super().__init__()
        self._bridge, self._window = bridge, window
        self.current: str | None = None
        """What new conversations use: PROFILE/MODEL, "" when none is set up, None while it is not known
        yet."""
        self._models: tuple[ModelInfo, ...] = ()
        self._lists: tuple[ListState, ...] = ()
        """How old the list of each provider is, and why it is no newer."""
        self._picker: ModelPicker | None = None
        self.holds: Callable[[], tuple[str, Effort]] = lambda: ("", "")
        """Tells the model of the shown conversation, "" for the one that is set, and how much it reasons."""
        self._shown = ""
        """The model that holds where the list was opened."""

    def read(self) -> None:
        """Read which model is set."""
        self._bridge.call(lambda engine: engine.models.current(), self._show_current)

    def title(self, name: str) -> str:
        """Return the words for PROFILE/MODEL."""
        found = next((model for model in self._models if model.name == name), None)
        return found.title or found.model if found else name.partition("/")[2]

    def show_effort(self) -> None:
        """Show how much the model reasons beside its name, where it takes that wish."""
        name, effort = held = self.holds()
        button = self._window.chat.composer.model
        if not effort:
            button.show_effort("")
            return

        def show(taken: tuple[Effort, ...]) -> None:
            if held == self.holds():
                button.show_effort(effort if effort in taken else "")

        self._bridge.call(lambda engine: engine.models.efforts(name), show)

    def pick(self) -> None:
        """Open the list of models above the composer's button."""
        from ui.window.model_picker import ModelPicker
        from ui.window.picker import Entry

        button, theme = self._window.chat.composer.model, self._window.theme
        picker = ModelPicker(self._window, theme)
        picker.taken.connect(self._taken)
        picker.effort_chosen.connect(self.effort_picked)
        picker.destroyed.connect(self._forget)
        name, effort = self.holds()
        self._picker, self._shown = picker, name or self.current or ""
        picker.show_entries(self._entries() or [Entry("", _("Looking for models…"), enabled=False)])
        width = min(theme.px(480), self._window.width() - theme.s24)
        corner = button.mapToGlobal(QPoint(0, 0))
        left = corner.x() + button.width() - width if button.isRightToLeft() else corner.x()
        side = self._window.mapToGlobal(QPoint(0, 0))
        left = max(side.x() + theme.s12, min(left, side.x() + self._window.width() - width - theme.s12))
        height = min(theme.px(480), corner.y() - side.y() - theme.s16)
        picker.open_at(QPoint(left, corner.y() - height - theme.s8), width, height)
        shown = self._shown
        self._bridge.call(
            lambda engine: engine.models.efforts(shown), lambda taken: self._show_efforts(taken, effort)
        )
        self._bridge.call(_listed, lambda found: self._show_listed(*found), self._refused)

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

    def _show_listed(self, models: Sequence[ModelInfo], lists: Sequence[ListState]) -> None:
        self._lists = tuple(lists)
        self._show_models(models)

    def _show_efforts(self, taken: tuple[Effort, ...], effort: Effort) -> None:
        if self._picker is not None:
            self._picker.show_efforts(taken, effort)

    def _refused(self, problem: Problem) -> None:
        """Say in the list why it cannot be read."""
        from ui.window.picker import Entry

        if self._picker is not None and not self._models:
            text = problem_text(problem)
            self._picker.show_entries([Entry("", text.title, text.detail, enabled=False)])

    def _entries(self) -> list[Entry]:
        from ui.window.model_rows import rows, stale
        from ui.window.picker import Entry

        entries = rows(self._models, self._shown)
        if entries:
            entries = [*stale(self._lists, time.time()), *entries]
        if entries:
            entries.append(Entry("", _("Enter a key, or get another model"), icon="key-round", chosen=False))
        return entries

    def _taken(self, name: str) -> None:
        found = next((model for model in self._models if model.name == name), None)
        if found is not None and found.ready:
            self.picked.emit(name)
        elif found is not None and found.why == "model_terms":
            self._ask_terms(found)
        else:
            self.set_up_asked.emit(name)

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


async def _listed(engine: Engine) -> tuple[Sequence[ModelInfo], Sequence[ListState]]:
    """Return the models, and after that how up to date the lists are from which they came."""
    models = await engine.models.list()
    return models, engine.models.lists()
