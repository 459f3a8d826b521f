"""Small parts that many views are made of: labels, buttons, icon buttons, a row of segments, an elided
line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from ui.window.theme import Theme


def label(text: str, tone: str = "", *, wrap: bool = False) -> QLabel:
    """Return a plain-text label in a tone of the theme; text from models and files is never taken for
    markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if QGuiApplication.isRightToLeft():  # Qt would put a name in Latin letters at the other side
        right, middle = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter
        made.setAlignment(right | Qt.AlignmentFlag.AlignAbsolute | middle)
    if tone:
        made.setProperty("tone", tone)
    return made


def plain_tip(text: str) -> str:
    """Return a tooltip that shows the text as it is: Qt takes what looks like markup for markup."""
    if "<" not in text and "&" not in text:
        return text
    return "<qt>" + _escaped(text).replace("\n", "<br>") + "</qt>"


def _escaped(text: str) -> str:
    """Return a text as markup has it; `html` would load the names of all characters for it, at the start."""
    for letter, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(letter, name)
    return text


def button(text: str, kind: str = "", clicked: Callable[[], object] | None = None) -> QPushButton:
    """Return a push button of a kind of the theme (main, quiet, danger, accent, link, example, toast)."""
    if kind == "example":
        from ui.window.example import Example  # late: it asks PySide for all about styles

        made: QPushButton = Example(text)
    else:
        made = QPushButton(text)
    made.setAccessibleName(text)
    made.setAutoDefault(True)  # Enter presses the one that has the keyboard
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    if kind:
        made.setProperty("kind", kind)
    if clicked is not None:
        made.clicked.connect(lambda: clicked())
    return made


def box(kind: str, parent: QWidget | None = None) -> QFrame:
    """Return a frame with the ground, line and radius of `kind` (card, dialog, panel, ground, notice,
    toast, rule)."""
    made = QFrame(parent)
    made.setProperty("box", kind)
    return made


class IconButton(QToolButton):
    """An icon alone; its name is read by screen readers and shown as a tooltip, with its keys."""

    def __init__(
        self, theme: Theme, icon: str, name: str, *, role: str = "muted", keys: str = "", px: int = 18
    ) -> None:
        super().__init__()
        self._icon, self._role, self._px = icon, role, px
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(f"{name} ({keys})" if keys else name))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_theme(theme)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses it, as Space does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def show_icon(self, theme: Theme, icon: str, role: str = "") -> None:
        """Change the icon, and the role of its colour when one is given."""
        self._icon, self._role = icon, role or self._role
        self.set_theme(theme)

    def rename(self, name: str, keys: str = "") -> None:
        """Say what the button does now."""
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(f"{name} ({keys})" if keys else name))

    def set_theme(self, theme: Theme) -> None:
        """Draw the icon anew in the theme's colours."""
        side = theme.px(self._px)
        self.setIcon(theme.icon(self._icon, self._role))
        self.setIconSize(QSize(side, side))
        self.setMinimumSize(theme.px(28), theme.px(28))


class Elided(QLabel):
    """One line that ends in an ellipsis where it does not fit; the whole text is its tooltip."""

    def __init__(self, tone: str = "", *, at_end: bool = False, middle: bool = False) -> None:
        """`at_end` writes the line at the end of its room; `middle` leaves the end of a name to be seen."""
        super().__init__()
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        self._side = Qt.AlignmentFlag.AlignTrailing if at_end else Qt.AlignmentFlag.AlignLeading
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if tone:
            self.setProperty("tone", tone)

    def setText(self, text: str) -> None:
        """Show the text on one line, whatever line ends it holds."""
        line = " ".join(text.replace("\0", " ").split())
        super().setText(line)
        self.setAccessibleName(line)
        self._tip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        line = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | self._side), line)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 2, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    def _tip(self) -> None:
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
        self.setToolTip(plain_tip(self.text()) if cut else "")


class LinkName(QPushButton):
    """A name that leads somewhere; it is cut where it does not fit."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setProperty("kind", "link")
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(name.replace("&", "&&"))

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self._name) + 8, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 6, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        cut = self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideRight, self.width() - 4)
        self.setText(cut.replace("&", "&&"))


class SearchField(QLineEdit):
    """A field with a magnifying glass at its start and a button that empties it."""

    def __init__(self, theme: Theme, hint: str) -> None:
        super().__init__()
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.textChanged.connect(self._let_empty)
        self.set_theme(theme)

    def _let_empty(self) -> None:
        """Give the field the button that empties it (4 ms in Qt) once there is something to empty."""
        self.textChanged.disconnect(self._let_empty)
        self.setClearButtonEnabled(True)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        room = theme.px(23)
        self.setTextMargins(*((0, 0, room, 0) if self.isRightToLeft() else (room, 0, 0, 0)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme, side = self._theme, self._theme.px(16)
        glass = theme.pixmap("search", "muted", 16, self.devicePixelRatioF())
        left = self.width() - side - theme.px(11) if self.isRightToLeft() else theme.px(11)
        QPainter(self).drawPixmap(left, (self.height() - side) // 2, glass)


SWITCH_WIDTH, SWITCH_HEIGHT = 40, 28
"""The room that a switch takes, in pixels of the design."""


class Switch(QAbstractButton):
    """On or off. The knob's place tells, not its colour alone."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(SWITCH_WIDTH), self._theme.px(SWITCH_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height, width = theme.px(20), theme.px(36)
        track = QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)
        quiet = theme.colors.muted if self.isEnabled() else theme.colors.line
        painter.setPen(QPen(theme.colors.accent if self.hasFocus() else quiet, 1))
        painter.setBrush(theme.colors.accent if self.isChecked() else theme.colors.surface)
        painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        knob = height - theme.px(8)
        at_end = self.isChecked() != self.isRightToLeft()
        left = track.right() - knob - theme.s4 if at_end else track.left() + theme.s4
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colors.on_accent if self.isChecked() else quiet)
        painter.drawEllipse(QRectF(left, track.top() + theme.s4, knob, knob))


class Choice(QComboBox):
    """A list of choices that opens, with the family's own arrow."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setMinimumWidth(theme.px(120))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme, side = self._theme, self._theme.px(14)
        left = theme.px(10) if self.isRightToLeft() else self.width() - side - theme.px(10)
        arrow = theme.pixmap("chevron-down", "muted", 14, self.devicePixelRatioF())
        QPainter(self).drawPixmap(left, (self.height() - side) // 2, arrow)


class Segment(QPushButton):
    """One choice of a row; its room is that of its words when they are strong, so that nothing moves."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.setAccessibleName(word)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        usual, strong = super().sizeHint(), QFont(self.font())
        strong.setWeight(QFont.Weight.DemiBold)
        text = self.text()
        more = QFontMetrics(strong).horizontalAdvance(text) - self.fontMetrics().horizontalAdvance(text)
        return QSize(usual.width() + max(0, more), usual.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Segments(QWidget):
    """A row of choices of which one holds; arrow keys go through them."""

    chosen = Signal(str)

    def __init__(self, name: str, choices: Sequence[tuple[str, str, str]]) -> None:
        """`choices` are (value, word, tooltip)."""
        super().__init__()
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._values: list[str] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for at, (value, word, tip) in enumerate(choices):
            part = Segment(word)
            part.setProperty("segment", self._end(at, len(choices)))
            part.setToolTip(tip)
            part.setAccessibleDescription(tip)
            self._group.addButton(part, at)
            self._values.append(value)
            row.addWidget(part)
        self._group.idClicked.connect(lambda at: self.chosen.emit(self._values[at]))

    def _end(self, at: int, count: int) -> str:
        """Return which end of the row a choice is, as the style sheet's left and right have it."""
        first, last = ("last", "first") if QGuiApplication.isRightToLeft() else ("first", "last")
        return first if at == 0 else last if at == count - 1 else "middle"

    def choose(self, value: str) -> None:
        """Show `value` as the one that holds, without a signal; an unknown value changes nothing."""
        if value in self._values:
            self._group.button(self._values.index(value)).setChecked(True)

    def part(self, value: str) -> QAbstractButton:
        """Return the button of a choice."""
        return self._group.button(self._values.index(value))

    def value(self) -> str:
        """Return the value that holds, "" before the first choice."""
        at = self._group.checkedId()
        return self._values[at] if at >= 0 else ""
