"""The transcript as a widget of the window: takes messages and events, asks for what reaches further."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.events import ApprovalAsked, Event, TurnEnded
from app.records import HelperInfo, Message, Problem
from ui.window.theme import Theme
from ui.window.transcript.accessible import announce, install
from ui.window.transcript.attached import Attached
from ui.window.transcript.calls import question
from ui.window.transcript.code import Code
from ui.window.transcript.find import Finder
from ui.window.transcript.helpers_seen import HelperSeen
from ui.window.transcript.highlight import Highlighter
from ui.window.transcript.keys import Keys
from ui.window.transcript.painting import Sheet, Words
from ui.window.transcript.pointer import Pointer
from ui.window.transcript.selection import Place
from ui.window.transcript.story import Story
from ui.window.transcript.surface import Surface
from ui.words import _, problem_text

FLUSH_MS = 33
"""How often streamed text is shown: once in two frames of a common screen."""


class TranscriptView(Surface):
    """Shows one conversation; its signals name what the person wants of the engine or the window."""

    review_requested = Signal(str)
    deny_requested = Signal(str)
    undo_requested = Signal(str)
    link_activated = Signal(str)
    remedy_requested = Signal(str)
    edit_requested = Signal(str)
    pin_requested = Signal(str)
    helper_requested = Signal(str)
    """The conversation of a helper is to be shown."""
    attachment_requested = Signal(object)
    """An Attachment of a message is to be shown."""
    found_changed = Signal(int, int)
    """Older messages came while finding: which hit of how many, as `find` returns."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        words: Callable[[Problem], Words] = problem_text,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        sheet = Sheet(theme, Highlighter(), words)
        super().__init__(sheet, Story(sheet, clock), parent)
        install()
        self._clock = clock
        self.setObjectName("transcript")
        self.setAccessibleName(_("Conversation"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        sheet.highlighter.setParent(self)
        sheet.highlighter.ready.connect(self._coloured)
        sheet.gallery.setParent(self)
        sheet.gallery.ready.connect(self._pictured)
        self._flush = QTimer(self, singleShot=True, interval=FLUSH_MS)
        self._flush.timeout.connect(self.flush)
        self._countdown = QTimer(self, interval=1000)
        self._countdown.timeout.connect(self._tick)
        self.pointer: Pointer = Pointer(self)
        self.keys: Keys = Keys(self)
        self.set_theme(theme)

    def load(self, messages: Sequence[Message], *, running: bool = False) -> None:
        """Show these messages from their end; older ones may follow by `prepend`. `running` says that their
        last turn goes on.
        """
        self.finder, self.keys.focus, self.pointer.hover = None, None, None
        story = Story(self.sheet, self._clock, messages)
        if running:
            story.resume()
        self.begin(story)

    def prepend(self, messages: Sequence[Message]) -> None:
        """Show older messages above; what is being read stays where it is."""
        self.story.prepend(messages)
        self.changed()
        if self.finder is not None:
            self.finder.look_again()
            self.found_changed.emit(self.finder.number, self.finder.total)

    def apply(self, event: Event) -> None:
        """Take one event of this conversation; streamed text is shown a moment later, by `flush`."""
        self.story.apply(event)
        waits = self.story.countdown.row is not None
        if waits != self._countdown.isActive():
            self._countdown.start() if waits else self._countdown.stop()
        if (self.story.stale or self.story.streaming) and not self._flush.isActive():
            self._flush.start()
        if isinstance(event, TurnEnded):
            self.flush()
            self._announce(event.turn)
        elif isinstance(event, ApprovalAsked):
            announce(self, question(event.approval.effect))

    def halt(self) -> None:
        """Nothing runs in this conversation any more."""
        self.story.halt()
        self.flush()

    def show_helpers(self, helpers: Sequence[HelperSeen]) -> None:
        """Show how the helpers of the running call get on."""
        self.story.show_helpers(helpers)
        self._flush_soon()

    def find_helpers(self, stored: Sequence[HelperInfo], *, running: bool) -> None:
        """Show stored helpers under the calls that began them and tell of none."""
        self.story.find_helpers(stored, running=running)
        self._flush_soon()

    def _flush_soon(self) -> None:
        if self.story.stale and not self._flush.isActive():
            self._flush.start()

    def flush(self) -> None:
        """Show everything that has come."""
        self._flush.stop()
        rows = dict(self.story.streaming)
        self.story.streaming.clear()
        changed = any([row.flush() for row in rows.values()])
        stale = dict(self.story.stale)
        self.story.stale.clear()
        for row in stale.values():
            row.refresh()
        for row in (rows | stale).values():
            self.story.heights[self.story.index(row)] = row.height
        if stale:
            self.changed()
        elif changed:
            self.moved()

    def _coloured(self) -> None:
        """Paint the code in sight that waited for its colours."""
        for shown in self.shown:
            if isinstance(shown.block, Code) and shown.block.waits:
                self.viewport().update(self.rect_of(shown.row, shown.number))

    def _pictured(self, id: str) -> None:
        """Paint what was attached and is in sight, now that a picture has come."""
        for shown in self.shown:
            if isinstance(shown.block, Attached):
                self.viewport().update(self.rect_of(shown.row, shown.number))

    def _tick(self) -> None:
        self.story.tick()
        self.flush()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme or font size, at the same place of the text."""
        self.sheet.restyle(theme)
        self.sheet.mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        self.restyle()

    def show_message(self, message: str) -> bool:
        """Bring a message into sight; False when it is not among those that are here."""
        found = self.story.place_of(message)
        if found is None:
            return False
        row, call = found
        row.make()
        if row.blocks:
            calls = [getattr(block, "call", None) for block in row.blocks]
            at = next((at for at, one in enumerate(calls) if one is not None and one is call), 0)
            self.reveal(Place(row.order, at, 0))
        return True

    def says(self, message: str, text: str) -> bool:
        """Tell whether a message that is here holds `text`, whatever its capitals."""
        found = self.story.place_of(message)
        return found is not None and found[1] is None and text.lower() in found[0].said.lower()

    def find(self, text: str, message: str = "") -> tuple[int, int]:  # type: ignore[override]
        """Find `text` from a message, or from what is in sight, on; return which hit of how many it stands
        on, or (0, 0)."""
        self.finder = Finder(self.story, text) if text else None
        if self.finder is None or not self.shown:
            self.viewport().update()
            return 0, 0
        place = self.story.place_of(message)
        found = self._go(self.finder.start((place[0] if place is not None else self.shown[0].row).order))
        self.older_wanted.emit()
        return found

    def find_next(self, *, backward: bool = False) -> tuple[int, int]:
        """Go to the next hit; return which one of how many."""
        if self.finder is None:
            return 0, 0
        self.finder.look_again()
        return self._go(self.finder.step(backward=backward))

    def _go(self, hit: tuple[Place, int] | None) -> tuple[int, int]:
        assert self.finder is not None
        if hit is not None:
            self.reveal(hit[0])
        self.viewport().update()
        return (self.finder.number, self.finder.total) if hit is not None else (0, 0)

    def select_all(self) -> None:
        """Select the whole conversation."""
        rows = self.story.rows
        if rows:
            rows[-1].make()
            last = max(0, len(rows[-1].blocks) - 1)
            self.selection.set(Place(rows[0].order, -1, 0), Place(rows[-1].order, last, 1 << 40))
            self.viewport().update()

    def selected_text(self, *, marks: bool = True) -> str:
        """Return the selected text as Markdown, or as plain text."""
        return self.selection.text(self.story, marks=marks) if self.story.rows else ""

    def _announce(self, turn: str) -> None:
        row = next((row for row in reversed(self.story.rows) if row.turn == turn and not row.mine), None)
        if row is not None:
            announce(self, row.text)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.sheet.highlighter.close()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.set_theme(self.sheet.theme)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pointer.double(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.pointer.wheel(event):
            super().wheelEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.pointer.menu(event.pos()).popup(event.globalPos())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self.pointer.tooltip(event)
            return True
        if event.type() == QEvent.Type.Leave:
            self.pointer.leave()
        return super().viewportEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keys.press(event):
            event.ignore()

    def focusNextPrevChild(self, next: bool) -> bool:
        return self.keys.tab(backward=not next) or super().focusNextPrevChild(next)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.keys.focus = None
        self.viewport().update()
