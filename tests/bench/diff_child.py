"""The changes of a file of 20,000 lines worked out and painted, in turn with the file in Qt's own text field.

`python -P diff_child.py ROUNDS` prints the milliseconds of each as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QPlainTextEdit, QWidget

from app.changes.diff import file_diff
from tests.bench.samples import long_file
from ui.window.diff.view import DiffView
from ui.window.theme import Theme, make_theme


class Painted(QObject):
    """Calls back once when a widget's first paint is over."""

    def __init__(self, widget: QWidget, then: Callable[[], None]) -> None:
        super().__init__(widget)
        self._then: Callable[[], None] | None = then
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._then is not None:
            QTimer.singleShot(0, self._then)
            self._then = None
        return False


class Showing(QObject):
    """Shows one view after the other, each a window of its own, and notes how long each took."""

    def __init__(self, app: QApplication, theme: Theme, rounds: int) -> None:
        super().__init__(app)
        self._theme = theme
        self._kinds = ["diff", "plain"] * rounds
        self._view: QAbstractScrollArea | None = None
        self._old, self._new = long_file()
        self.taken: dict[str, list[float]] = {"diff": [], "plain": []}

    def next(self) -> None:
        """Show the next view; after the last one print what was noted."""
        if not self._kinds:
            print(json.dumps(self.taken), flush=True)
            QApplication.quit()
            return
        kind, began = self._kinds.pop(0), time.perf_counter()
        view = self._view = self._diff() if kind == "diff" else self._plain()
        view.resize(1000, 700)

        def note() -> None:
            self.taken[kind].append((time.perf_counter() - began) * 1000)
            QTimer.singleShot(100, self.next)

        Painted(view.viewport(), note)
        view.show()

    def _diff(self) -> DiffView:
        view = DiffView(self._theme)
        view.show_file(file_diff("/tmp/values.py", "values.py", self._old, self._new))
        return view

    def _plain(self) -> QPlainTextEdit:
        view = QPlainTextEdit()
        view.setPlainText(self._new.decode())
        return view


def main(rounds: int) -> int:
    """Show both views `rounds` times."""
    app = QApplication([])
    theme = make_theme("light", 14, reduced_motion=True)
    theme.apply(app)
    showing = Showing(app, theme, rounds)
    QTimer.singleShot(100, showing.next)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
