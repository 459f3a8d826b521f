"""The empty PySide6 window that start-up and memory are measured against."""

from __future__ import annotations

import os
import sys
import time

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow


class Painted(QObject):
    """Prints once how long it took until the window was exposed and painted."""

    def __init__(self) -> None:
        super().__init__()
        self.done = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Expose and not self.done:
            self.done = True
            QTimer.singleShot(0, self.report)
        return False

    def report(self) -> None:
        elapsed = (time.time() - float(os.environ["BRAMBLE_TRACE_START"])) * 1000
        print(f"start frame_ms={elapsed:.0f}", file=sys.stderr, flush=True)


def main() -> int:
    """Show the window until killed."""
    app = QApplication(sys.argv)
    window = QMainWindow()
    window.resize(1280, 820)
    painted = Painted()
    window.show()
    window.windowHandle().installEventFilter(painted)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
