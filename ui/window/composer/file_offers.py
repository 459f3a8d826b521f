"""The files of the working folder that fit what is typed after an @."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QTextCursor

from app.attachment_records import Named
from app.records import Problem
from ui.language import _
from ui.window.bridge import Bridge, Ticket
from ui.window.composer.editor import Editor
from ui.window.composer.offers import Offers
from ui.window.picker import Entry
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

MOST = 20
"""Files that are offered."""
_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic")
_FOLDER = 36
"""Characters of a folder that are shown beside a name."""
_WAIT_MS, _AGAIN_MS = 40, 250
"""After a key before it is asked; and before it is asked again while files are still being looked at."""
_TYPED = re.compile(r"(?:^|(?<=\s))@(\S*)$")


def typed_of(before: str) -> str | None:
    """Return what is typed of a path before the caret: an @ at the beginning of a word; None for none."""
    found = _TYPED.search(before)
    return found[1] if found else None


class FileOffers(Offers):
    """Completes the path, and lets the file go with the message."""

    taken = Signal(str)
    """The path below the working folder of a file that was taken."""

    def __init__(self, theme: Theme, editor: Editor, bridge: Bridge, folder: Callable[[], str]) -> None:
        super().__init__(theme, editor, _("Files"))
        self._bridge, self._folder = bridge, folder
        self._typed: str | None = None
        self._left: str | None = None
        self._ticket: Ticket | None = None
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.timeout.connect(self._ask)
        editor.textChanged.connect(self._follow)
        editor.cursorPositionChanged.connect(self._follow)

    def leave(self) -> None:
        self._left = self._typed
        super().leave()

    def take(self, entry: Entry) -> None:
        typed, cursor = self._typed, self._editor.textCursor()
        self._end()
        if typed is None:
            return
        move, keep = QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor
        cursor.movePosition(move, keep, len(typed.encode("utf-16-le")) // 2)
        cursor.insertText(f"{entry.value} ")
        self.taken.emit(entry.value)

    def _follow(self) -> None:
        cursor = self._editor.textCursor()
        before = cursor.block().text().encode("utf-16-le")[: 2 * cursor.positionInBlock()]
        typed = None if cursor.hasSelection() else typed_of(before.decode("utf-16-le", "replace"))
        if typed == self._typed:
            return
        if typed is None or not self._folder() or self._editor.isReadOnly():
            self._end()
            return
        self._typed = typed
        self._wait.start(_WAIT_MS)

    def _end(self) -> None:
        self._typed = self._left = None
        self._wait.stop()
        if self._ticket is not None:
            self._ticket.cancel()
        self.hide()

    def _ask(self) -> None:
        typed, folder = self._typed, self._folder()
        if typed is None or not folder:
            return
        if self._ticket is not None:
            self._ticket.cancel()
        self._ticket = self._bridge.call(
            lambda engine: engine.attachments.find(folder, typed, MOST),
            lambda found: self._show(typed, found),
            self._failed,
        )

    def _show(self, typed: str, found: Named) -> None:
        if typed != self._typed or typed == self._left:
            return
        chosen = self.list.currentRow() if self.isVisible() else 0
        self.offer([(_entry(path), path) for path in found.paths])
        self.list.setCurrentRow(min(max(0, chosen), len(found.paths) - 1))
        if not found.whole:
            self._wait.start(_AGAIN_MS)

    def _failed(self, problem: Problem) -> None:
        self.hide()


def _entry(path: str) -> Entry:
    folder, _slash, name = path.rpartition("/")
    where = folder if len(folder) <= _FOLDER else "…" + folder[1 - _FOLDER :]
    icon = "image" if name.lower().endswith(_PICTURES) else "file-text"
    return Entry(path, legible(name), note=legible(where), icon=icon)
