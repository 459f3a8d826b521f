"""What happens to a file without lines to show: a folder, something moved or copied, something not text."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.records import FileDiff
from ui.notes import without_lines
from ui.places import tilde
from ui.window.approvals.facts import Fact, Facts
from ui.window.approvals.proposal import WHOLE
from ui.window.approvals.wording import amount_text, sample_lines
from ui.window.diff.piece_choice import PieceChoice
from ui.window.kinds import icon_of
from ui.window.parts import box, label
from ui.window.theme import Theme
from ui.words import _


def story(file: FileDiff) -> list[Fact]:
    """Return what happens, how much it is, and some of the names in it."""
    rows = [Fact(icon_of(file), "text", without_lines(file), _places(file))]
    if amount_text(file) or file.sample:
        sample = sample_lines(file.sample, file.items)
        words = (
            _("It holds {amount}.").replace("{amount}", amount_text(file))
            if file.items
            else amount_text(file)
        )
        rows.append(Fact("list-checks" if file.items else "hard-drive", "muted", words, sample))
    return rows


def _places(file: FileDiff) -> tuple[str, ...]:
    here = tilde(file.path)
    if file.old_path and file.kind in ("renamed", "copied"):
        return f"{tilde(file.old_path)} \u2192", here
    return (here,)


class Whole(QWidget):
    """Stands in the place of the diff; with other pieces beside it, it can be left out by itself."""

    flipped = Signal(int, bool)
    past = Signal(int)
    """Alt and an arrow want the piece behind (1) or before (-1), which is in another file."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rejected = self._choosable = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        head = box("panel")
        self._row = QHBoxLayout(head)
        self._words = label("", "caption")
        self._choice = PieceChoice(theme, head)
        self._choice.chosen.connect(self.flipped)
        self._row.addWidget(self._words, 1)
        self._row.addWidget(self._choice)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(box("rule"))
        column.addWidget(self._area, 1)
        self._facts: Facts | None = None
        self.set_theme(theme)

    def show_file(self, file: FileDiff, rejected: bool, choosable: bool) -> None:
        """Show a file; `choosable` gives it the two buttons of a piece."""
        self._rejected, self._choosable = rejected, choosable
        self._words.setText(_("As a whole"))
        self._choice.setVisible(choosable)
        self._choice.show_piece(WHOLE, rejected)
        inside = QWidget()
        around = QVBoxLayout(inside)
        margin = self._theme.s20
        around.setContentsMargins(margin, self._theme.s16, margin, self._theme.s16)
        self._facts = Facts(self._theme, story(file))
        around.addWidget(self._facts)
        around.addStretch(1)
        self._area.setWidget(inside)
        self.setAccessibleName(without_lines(file))
        self.setAccessibleDescription(" ".join((*_places(file), amount_text(file), *file.sample)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.past.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Space and self._choosable:
            self.flipped.emit(WHOLE, not self._rejected)
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._row.setContentsMargins(theme.px(14), theme.px(4), theme.s12, theme.px(5))
        self._choice.set_theme(theme)
        if self._facts is not None:
            self._facts.set_theme(theme)
