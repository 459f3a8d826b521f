"""The rows of the list: headings, conversations, and what a search found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.records import SearchHit, SessionInfo
from ui.language import _
from ui.window.sessions.days import grouped, heading_text

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole


class Row(NamedTuple):
    """One line. A heading has no session; a hit of the search has a message."""

    title: str
    line: str = ""
    session: str = ""
    message: str = ""
    running: bool = False
    waits: bool = False
    pinned: bool = False


class SessionModel(QAbstractListModel):
    """The rows for QListView."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._waiting: frozenset[str] = frozenset()

    def show_sessions(self, sessions: Sequence[SessionInfo], today: date, waiting: frozenset[str]) -> None:
        """Show all conversations; `waiting` are those with an open question."""
        self._waiting = waiting
        rows: list[Row] = []
        for key, infos in grouped(sessions, today):
            rows.append(Row(heading_text(key)))
            rows.extend(self._row(info) for info in infos)
        self._replace(rows)

    def show_hits(self, hits: Sequence[SearchHit]) -> None:
        """Show what a search found."""
        if not hits:
            self._replace([Row(_("Nothing found"))])
            return
        found = [Row(_named(hit.title), hit.snippet, hit.session, hit.message) for hit in hits]
        self._replace([Row(heading_text("found")), *found])

    def find(self, session: str) -> int:
        """Return the row of a conversation, -1 when it is not shown."""
        return next((at for at, row in enumerate(self.rows) if row.session == session), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or not self.rows[index.row()].session:
            return Qt.ItemFlag.NoItemFlags
        shown = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return shown if self.rows[index.row()].message else shown | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            states = (
                [_("running")] * row.running + [_("waits for you")] * row.waits + [_("pinned")] * row.pinned
            )
            return ", ".join(part for part in (row.title, plain(row.line), *states) if part)
        return None

    def _row(self, info: SessionInfo) -> Row:
        waits = info.id in self._waiting
        return Row(_named(info.title), info.summary, info.id, "", info.running, waits, info.pinned)

    def _replace(self, rows: list[Row]) -> None:
        if rows == self.rows:
            return
        if [row.session for row in rows] == [
            row.session for row in self.rows
        ]:  # same places: keep scroll and editor
            self.rows = rows
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()


def plain(snippet: str) -> str:
    """Return a snippet without the marks around the words that were found."""
    return snippet.replace("\u2068", "").replace("\u2069", "")


def _named(title: str) -> str:
    return " ".join(title.split()) or _("New conversation")
