"""Takes changes back for every part of the window; where files were changed since, the person chooses."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.errors import UndoConflict
from ui.window.bridge import Bridge
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.records import Choice
    from ui.window.theme import Theme
    from ui.window.undo.dialog import ConflictDialog

Choices = Mapping[str, "Choice"]
Work = Callable[[Any, dict[str, Choices]], Coroutine[Any, Any, str]]
"""Takes the engine and, once the person has chosen, `choices` by name."""


class TakingBack(QObject):
    """One undo after the other; at most one dialog."""

    done = Signal(str, bool)
    """Something was taken back, or stands again (True); carries the id that flips it back."""
    problem = Signal(object)

    def __init__(self, bridge: Bridge, window: MainWindow) -> None:
        super().__init__()
        self._bridge, self._window = bridge, window
        self._undos: set[str] = set()
        """Undos made here: taking one of them back lets its changes stand again."""
        self.dialog: ConflictDialog | None = None

    def undo(self, change: str, again: bool = False) -> None:
        """Take a change back; `again` says that it is an undo, so that what it took back stands again."""
        again = again or change in self._undos
        self._run(lambda engine, chosen: engine.changes.undo(change, **chosen), again)

    def undo_turn(self, turn: str) -> None:
        """Take back what stands of a turn."""
        self._run(lambda engine, chosen: engine.changes.undo_turn(turn, **chosen), False)

    def undo_since(self, moment: float, session: str = "") -> None:
        """Bring the files of a conversation, or of all, back to how they were at a time (unix seconds)."""
        self._run(lambda engine, chosen: engine.changes.undo_since(moment, session, **chosen), False)

    def set_theme(self, theme: Theme) -> None:
        """Draw an open dialog with another theme."""
        if self.dialog is not None:
            self.dialog.set_theme(theme)

    def _run(self, work: Work, again: bool, choices: Choices | None = None) -> None:
        async def run(engine: Any) -> str | UndoConflict:
            try:
                return await work(engine, {"choices": choices} if choices else {})
            except UndoConflict as conflict:
                return conflict

        self._bridge.call(run, lambda made: self._ended(made, work, again, choices or {}), self.problem.emit)

    def _ended(self, made: str | UndoConflict, work: Work, again: bool, choices: Choices) -> None:
        if isinstance(made, UndoConflict):
            self._ask(made, work, again, choices)
            return
        if not again:
            self._undos.add(made)
        self.done.emit(made, again)

    def _ask(self, conflict: UndoConflict, work: Work, again: bool, before: Choices) -> None:
        """Let the person choose, and try again with that."""
        from ui.window.undo.dialog import ConflictDialog

        if self.dialog is not None:
            self.dialog.close()
        dialog = self.dialog = ConflictDialog(
            conflict.conflicts, self._window.theme, self._window, rest=conflict.rest
        )
        dialog.chosen.connect(lambda ways: self._run(work, again, {**before, **ways}))
        dialog.finished.connect(lambda code: self._forget(dialog))
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _forget(self, dialog: ConflictDialog) -> None:
        if self.dialog is dialog:
            self.dialog = None
