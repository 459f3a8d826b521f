"""Accept or Reject for one piece: two real buttons that stand on the piece's head while it is in sight."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from ui.window.theme import Theme
from ui.words import _


class PieceChoice(QWidget):
    """Shows and changes whether a piece is taken."""

    chosen = Signal(int, bool)
    """The piece and whether it is rejected now."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.piece = -1
        self._accept = self._button(_("Accept"), "first", rejected=False)
        self._reject = self._button(_("Reject"), "last", rejected=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._accept)
        row.addWidget(self._reject)
        self.set_theme(theme)

    def _button(self, text: str, place: str, *, rejected: bool) -> QPushButton:
        made = QPushButton(text, self)
        made.setProperty("piece", "reject" if rejected else "accept")
        made.setProperty("segment", place)
        made.setCheckable(True)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(lambda: self.chosen.emit(self.piece, rejected))
        return made

    def show_piece(self, piece: int, rejected: bool) -> None:
        """Stand for another piece, counted from 0."""
        self.piece = piece
        self._accept.setChecked(not rejected)
        self._reject.setChecked(rejected)
        self._accept.setAccessibleName(_("Accept piece {number}").format(number=piece + 1))
        self._reject.setAccessibleName(_("Reject piece {number}").format(number=piece + 1))

    def set_theme(self, theme: Theme) -> None:
        """Take the size of the theme's font."""
        self.setFixedHeight(theme.px(22))
