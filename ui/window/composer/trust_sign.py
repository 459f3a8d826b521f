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
ICON, SHORT, FULL = 0, 1, 2
"""How much a sign says."""


class Sign(QPushButton):
    """An icon, and its words where there is room for them; a click opens what it means."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "quiet")
        self.setProperty("side", "sign")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme, self._icon, self._role = theme, "shield-check", "muted"
        self._forms = ("", "", "")
        """The icon alone, with a few words, with all of them."""
        self._form = FULL

    def say(self, words: str, icon: str, role: str, tip: str, short: str = "") -> None:
        """Show something else; `short` is said where there is no room for all of the words."""
        words, tip = legible(words), legible(tip)
        self._forms = ("", legible(short) or words, words)
        self._icon, self._role = icon, role
        self.setAccessibleName(words)
        self.setAccessibleDescription(tip)
        self.setToolTip(plain_tip(f"{words}\n{tip}"))
        self.set_theme(self._theme)

    def set_form(self, form: int) -> None:
        """Show the icon with this much of the words."""
        self._form = form
        said = self._forms[form]
        self.setText(f" {said}".replace("&", "&&") if said else "")

    def room(self, form: int) -> int:
        """Return the width that a form takes, in pixels."""
        said = self._forms[form]
        words = QFontMetrics(self._theme.font(13)).horizontalAdvance(f" {said}") if said else 0
        return words + self._theme.px(16 + 20)

    def widest(self, room: int) -> int:
        """Return the longest form that fits into so many pixels, ICON where none does."""
        return next((form for form in (FULL, SHORT) if self.room(form) <= room), ICON)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setIcon(theme.icon(self._icon, self._role))
        self.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.set_form(self._form)


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
            self.marks.say(words, "globe", "caution", marks_text(marks), short=_("Untrusted text"))
        self._share()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        for part in (self.sandbox, self.marks):
            part.set_theme(theme)
        self._share()

    def minimumSizeHint(self) -> QSize:
        shown = [part for part in (self.sandbox, self.marks) if not part.isHidden()]
        return QSize(sum(part.room(ICON) for part in shown), self._theme.px(30))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Words where they fit: first those of the text nobody vouches for."""
        room = self.width()
        taken = 0
        if not self.marks.isHidden():
            form = self.marks.widest(room - self.sandbox.room(ICON))
            self.marks.set_form(form)
            taken = self.marks.room(form)
        self.sandbox.set_form(self.sandbox.widest(room - taken))
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
