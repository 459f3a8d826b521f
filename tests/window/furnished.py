"""The whole window in this process, without a display, over a real engine and store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.platform.paths import home as find_home
from ui.window.bridge import Bridge
from ui.window.desktop.single import SingleWindow
from ui.window.life import Life
from ui.window.main_window import MainWindow
from ui.window.remembered import read
from ui.window.theme import make_theme

PATIENCE_MS = 30_000


@dataclass
class Furnished:
    """Builds the window when a test asks for it, so that a test can fill the home before."""

    app: QApplication
    bot: QtBot
    environ: Mapping[str, str]
    window: Any = None
    life: Any = None

    def open(self, *argv: str) -> Life:
        """Open the window and wait until its list is filled and its model known."""
        ours = find_home(self.environ)
        ours.make()
        remembered = read(ours.data / "window.json")
        single = SingleWindow(ours.runtime)
        assert single.claim()
        theme = make_theme(remembered.theme, remembered.font_size)
        theme.apply(self.app)
        self.window = MainWindow(theme)
        self.window.resize(remembered.width, remembered.height)
        self.window.show()
        bridge = Bridge(ours, self.window)
        bridge.start()
        life = self.life = Life(self.app, self.window, ours, single, remembered, argv, bridge)
        happened: list[str] = []
        life.bridge.refused.connect(lambda problem: happened.extend(("filled", "known")))
        life.sessions.filled.connect(lambda: happened.append("filled"))
        life.models.known.connect(lambda: happened.append("known"))
        self.until(lambda: {"filled", "known"} <= set(happened), "the engine to be open")
        self.until(lambda: life.rest is not None, "the rest of the window")
        return life

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Let the window work until a condition holds."""

        def holds() -> None:
            assert condition(), f"waited in vain for {what}"

        self.bot.waitUntil(holds, timeout=PATIENCE_MS)

    def ask(self, work: Callable[[Any], Any]) -> Any:
        """Run something in the engine and return its result, or the problem that it met."""
        found: list[Any] = []
        self.life.bridge.call(work, found.append, found.append)
        self.until(lambda: found, "the engine's answer")
        return found[0]

    def send(self, text: str) -> None:
        """Write a text and press Enter."""
        editor = self.window.chat.composer.editor
        editor.setPlainText(text)
        self.bot.keyClick(editor, Qt.Key.Key_Return)

    def text(self) -> str:
        """Return what the transcript holds."""
        transcript = self.life.transcript
        transcript.flush()
        transcript.select_all()
        return str(transcript.selected_text())

    def close(self) -> None:
        """End the engine and the window."""
        if self.life is not None:
            self.life.end()
            self.window.close()
            self.window.deleteLater()
            # Not "": that deletes the style of all widgets, which Python may hold; the next sheet meets it.
            self.app.setStyleSheet("/* none */")
