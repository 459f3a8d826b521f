"""The column of conversations: search on top, a new one below it, then the list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import QModelIndex, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QListView, QMenu, QSpacerItem, QVBoxLayout, QWidget

from app.records import SearchHit, SessionInfo
from ui.language import _
from ui.window.parts import SearchField, button
from ui.window.sessions.delegate import SessionDelegate
from ui.window.sessions.model import ROW, Row, SessionModel
from ui.window.theme import Theme

WIDTH = 256
_SEARCH_PAUSE_MS = 150
"""Waited after a key before the store is searched."""


class SessionView(QListView):
    """The list itself, with the keys that act on the chosen conversation."""

    delete_pressed = Signal()
    opened = Signal(QModelIndex)

    def __init__(self, model: SessionModel, theme: Theme) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(_("Conversations"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.EditKeyPressed)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.clicked.connect(self.opened)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() == QListView.State.EditingState:  # the Enter that ends a new title comes by here
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)


class SessionPanel(QWidget):
    """What can be done with conversations, as signals; what there is, by `show_sessions`, `put` and
    `show_hits`."""

    opened = Signal(str, str)
    """A conversation, and the message in it that a search found ("" for none)."""
    new_asked = Signal()
    renamed = Signal(str, str)
    pinned = Signal(str, bool)
    deleted = Signal(str)
    exported = Signal(str)
    searched = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sessions: dict[str, SessionInfo] = {}
        self._waiting: frozenset[str] = frozenset()
        self._shown = ""
        self._day = date.today()
        self.search = SearchField(theme, _("Search conversations"))
        self.search.setToolTip(_("Search conversations ({keys})").replace("{keys}", "Ctrl+Shift+F"))
        self.new = button(_("New conversation"), "accent", self.new_asked.emit)
        self.new.setText(f" {self.new.text()}")  # room between the icon and the word
        self.new.setToolTip(_("New conversation ({keys})").replace("{keys}", "Ctrl+N"))
        self._model = SessionModel()
        self._delegate = SessionDelegate(theme)
        self.view = SessionView(self._model, theme)
        self.view.setItemDelegate(self._delegate)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_SEARCH_PAUSE_MS)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.search)
        self._gaps = (QSpacerItem(0, 0), QSpacerItem(0, 0))
        self._column.addSpacerItem(self._gaps[0])
        self._column.addWidget(self.new)
        self._column.addSpacerItem(self._gaps[1])
        self._column.addWidget(self.view)
        self._connect()
        self.set_theme(theme)

    def show_sessions(self, sessions: Sequence[SessionInfo]) -> None:
        """Show these conversations."""
        self._sessions = {info.id: info for info in sessions}
        self._refresh()

    def put(self, info: SessionInfo) -> None:
        """Show a conversation that is new or has changed."""
        self._sessions[info.id] = info
        self._refresh()

    def remove(self, session: str) -> None:
        """Leave a conversation out."""
        self._sessions.pop(session, None)
        self._refresh()

    def set_waiting(self, sessions: frozenset[str]) -> None:
        """Mark the conversations that wait for an answer of the person."""
        self._waiting = sessions
        self._refresh()

    def new_day(self) -> None:
        """Put the conversations under other headings when the day has changed."""
        if date.today() != self._day:
            self._refresh()

    def choose(self, session: str) -> None:
        """Mark the conversation that is shown; "" marks none."""
        self._shown = session
        at = self._model.find(session) if session else -1
        if at < 0:
            self.view.clearSelection()
            self.view.setCurrentIndex(QModelIndex())
        elif self.view.currentIndex().row() != at:
            self.view.setCurrentIndex(self._model.index(at))

    def show_hits(self, text: str, hits: Sequence[SearchHit]) -> None:
        """Show what was found, unless the person has typed on since."""
        if text == self.search.text().strip():
            self._model.show_hits(hits)

    def all(self) -> tuple[SessionInfo, ...]:
        """Return every conversation that can be shown, newest first."""
        shown = [info for info in self._sessions.values() if not info.deleted]
        return tuple(sorted(shown, key=lambda info: info.updated, reverse=True))

    def info(self, session: str) -> SessionInfo | None:
        """Return what is known of a conversation."""
        return self._sessions.get(session)

    def neighbour(self, step: int) -> str:
        """Return the conversation above (-1) or below (1) the shown one, "" at the ends."""
        shown = [row.session for row in self._model.rows if row.session]
        if self._shown not in shown:
            return shown[0] if shown else ""
        at = shown.index(self._shown) + step
        return shown[at] if 0 <= at < len(shown) else ""

    def rename_shown(self) -> None:
        """Open the field that renames the chosen conversation."""
        if self.view.currentIndex().isValid():
            self.view.edit(self.view.currentIndex())

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = self._delegate.theme = theme
        self.setFixedWidth(theme.px(WIDTH))
        self._column.setContentsMargins(theme.px(12), theme.px(12), theme.px(12) + 1, 0)
        self._column.setSpacing(0)
        for gap, room in zip(self._gaps, (11, 3), strict=True):
            gap.changeSize(0, theme.px(room))
        self._column.invalidate()
        self.new.setIcon(theme.icon("plus", "accent"))
        self.new.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.search.set_theme(theme)
        self.view.scheduleDelayedItemsLayout()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colors.panel)
        edge = 0 if self.isRightToLeft() else self.width() - 1
        painter.fillRect(edge, 0, 1, self.height(), self._theme.colors.line)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            self._search()
        else:
            super().keyPressEvent(event)

    def _offer_keyboard(self) -> None:
        """An empty list is no place for the keyboard: nothing in it could show that it is there."""
        some = self._model.rowCount() > 0
        self.view.setFocusPolicy(Qt.FocusPolicy.StrongFocus if some else Qt.FocusPolicy.NoFocus)

    def _connect(self) -> None:
        for signal in (self._model.modelReset, self._model.rowsInserted, self._model.rowsRemoved):
            signal.connect(self._offer_keyboard)
        self._offer_keyboard()
        self.view.opened.connect(self._open)
        self.view.delete_pressed.connect(lambda: self._act(self.deleted.emit))
        self.view.customContextMenuRequested.connect(self._menu)
        self._delegate.commitData.connect(self._rename)
        self.search.textChanged.connect(lambda text: self._pause.start())
        self.search.returnPressed.connect(self._search)
        self._pause.timeout.connect(self._search)

    def _refresh(self) -> None:
        if self.search.text().strip():
            return
        self._day = date.today()
        self._model.show_sessions(list(self._sessions.values()), self._day, self._waiting)
        self.choose(self._shown)

    def _search(self) -> None:
        self._pause.stop()
        text = self.search.text().strip()
        if text:
            self.searched.emit(text)
        else:
            self._refresh()

    def _open(self, index: QModelIndex) -> None:
        row: Row = index.data(ROW)
        if row.session:
            self.opened.emit(row.session, row.message)

    def _row(self) -> Row | None:
        row: Row | None = self.view.currentIndex().data(ROW) if self.view.currentIndex().isValid() else None
        return row if row and row.session else None

    def _act(self, act: Callable[[str], object]) -> None:
        row = self._row()
        if row is not None:
            act(row.session)

    def _rename(self, editor: QWidget) -> None:
        row = self._row()
        assert isinstance(editor, QLineEdit)
        title = " ".join(editor.text().split())
        if row is not None and title and title != row.title:
            self.renamed.emit(row.session, title)

    def _menu(self, where: QPoint) -> None:
        index = self.view.indexAt(where)
        row: Row | None = index.data(ROW) if index.isValid() else None
        if row is None or not row.session:
            return
        self.view.setCurrentIndex(index)
        menu = QMenu(self)
        session, pinned = row.session, row.pinned
        menu.addAction(_("Rename"), Qt.Key.Key_F2, lambda: self.view.edit(index))
        menu.addAction(_("Unpin") if pinned else _("Pin"), lambda: self.pinned.emit(session, not pinned))
        menu.addAction(_("Export…"), lambda: self.exported.emit(session))
        menu.addSeparator()
        menu.addAction(_("Delete"), Qt.Key.Key_Delete, lambda: self.deleted.emit(session))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(where))
