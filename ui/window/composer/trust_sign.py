"""Two small signs beside the model: what holds commands, and whose text nobody vouches for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.records import Mark, SandboxInfo
from ui.language import _, plural
from ui.trust import layer_text, marks_line, marks_text
from ui.window.parts import button, plain_tip
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

WIDTH = 380
"""Width of what opens, in pixels of the design."""


class Sign(QPushButton):
    """An icon, and its words where there is room for them; a click opens what it means."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "quiet")
        self.setProperty("side", "sign")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme, self._words, self._icon, self._role = theme, "", "shield-check", "muted"
        self._wide = True

    def say(self, words: str, icon: str, role: str, tip: str) -> None:
        """Show something else."""
        words, tip = legible(words), legible(tip)
        self._words, self._icon, self._role = words, icon, role
        self.setAccessibleName(words)
        self.setAccessibleDescription(tip)
        self.setToolTip(plain_tip(f"{words}\n{tip}"))
        self.set_theme(self._theme)

    def set_wide(self, wide: bool) -> None:
        """Show the words too, or the icon alone."""
        self._wide = wide
        self.setText(f" {self._words}".replace("&", "&&") if wide else "")

    def room(self, wide: bool) -> int:
        """Return the width it takes, in pixels."""
        words = QFontMetrics(self._theme.font(13)).horizontalAdvance(f" {self._words}") if wide else 0
        return words + self._theme.px(16 + 20)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setIcon(theme.icon(self._icon, self._role))
        self.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.set_wide(self._wide)


class TrustSign(QWidget):
    """Takes the room between the model and the button that sends, and no more."""

    page_asked = Signal()
    """The page of rules is to be shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._found: SandboxInfo | None = None
        self._marks: tuple[Mark, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sandbox, self.marks = Sign(theme), Sign(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        for part, name in ((self.sandbox, _("Sandbox")), (self.marks, _("Untrusted text"))):
            part.setAccessibleName(name)
            part.hide()
            row.addWidget(part)
        row.addStretch(1)
        self.sandbox.clicked.connect(lambda: self._open(self.sandbox))
        self.marks.clicked.connect(lambda: self._open(self.marks))

    def show_sandbox(self, found: SandboxInfo) -> None:
        """Show what holds commands."""
        self._found = found
        held = found.layer != "none"
        words = _("Sandbox: on") if held else _("Sandbox: off")
        icon, role = ("shield-check", "muted") if held else ("shield-off", "caution")
        self.sandbox.say(words, icon, role, layer_text(found.layer))
        self.sandbox.show()
        self._share()

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Show whose text the conversation holds that nobody vouches for; none hides the sign."""
        self._marks = tuple(marks)
        self.marks.setVisible(bool(marks))
        if marks:
            one = marks_line(marks) if len(marks) == 1 else plural("{n} source", "{n} sources", len(marks))
            words = _("Untrusted text: {sources}").replace("{sources}", one)
            self.marks.say(words, "globe", "caution", marks_text(marks))
        self._share()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        for part in (self.sandbox, self.marks):
            part.set_theme(theme)
        self._share()

    def minimumSizeHint(self) -> QSize:
        shown = [part for part in (self.sandbox, self.marks) if not part.isHidden()]
        return QSize(sum(part.room(False) for part in shown), self._theme.px(30))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Words where they fit: first those of the text nobody vouches for."""
        room = self.width()
        marked = not self.marks.isHidden()
        small = self.sandbox.room(False)
        self.marks.set_wide(marked and self.marks.room(True) + small <= room)
        taken = self.marks.room(self.marks.room(True) + small <= room) if marked else 0
        self.sandbox.set_wide(self.sandbox.room(True) + taken <= room)
        self.updateGeometry()

    def _open(self, sign: Sign) -> None:
        from ui.window.approvals.facts import Fact
        from ui.window.approvals.wording import sandbox_facts

        rows: list[Fact] = []
        if sign is self.sandbox and self._found is not None:
            rows = sandbox_facts(self._found)
        elif self._marks:
            rows = [Fact("globe", "caution", marks_text(self._marks))]
        told_more = Popover(self, self._theme, rows, self.page_asked.emit)
        told_more.open_over(sign)


class Popover(QFrame):
    """Says what a sign means, over it; a click elsewhere or Esc closes it."""

    def __init__(self, parent: QWidget, theme: Theme, rows: Sequence[object], page: object) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        from ui.window.approvals.facts import Facts

        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.s16, theme.s16, theme.s16, theme.s12)
        column.setSpacing(theme.s12)
        self._facts = Facts(theme, rows)  # type: ignore[arg-type]
        column.addWidget(self._facts)
        more = button(_("Rules"), "link")
        more.clicked.connect(self.close)
        more.clicked.connect(page)
        column.addWidget(more, 0, Qt.AlignmentFlag.AlignLeading)
        self.setFixedWidth(theme.px(WIDTH))
        self.setAccessibleName(" ".join(row.sentence for row in rows))  # type: ignore[attr-defined]
        self._more = more

    def open_over(self, sign: QWidget) -> None:
        """Open above a widget, within the screen."""
        height = self.heightForWidth(self.width()) if self.hasHeightForWidth() else self.sizeHint().height()
        self.resize(self.width(), height)
        corner = sign.mapToGlobal(QPoint(0, -height - self._theme.s8))
        if sign.isRightToLeft():
            corner = sign.mapToGlobal(QPoint(sign.width() - self.width(), -height - self._theme.s8))
        self.move(corner)
        self.show()
        self._more.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the corners off: where nothing composes the screen, a see-through corner would be black."""
        super().resizeEvent(event)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), self._theme.r_card, self._theme.r_card)
        self.setMask(QRegion(shape.toFillPolygon().toPolygon()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.colors.line)
        painter.setBrush(self._theme.colors.surface)
        radius = self._theme.r_card
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
