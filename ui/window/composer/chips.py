"""What goes with the message that is being written: a chip each, which says what it is and can be taken away,
and what hinders it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPainterPath, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.attachment_records import Attachment, Kind
from app.records import Problem
from ui.attachment_words import what_text, why_text
from ui.language import _
from ui.window.composer.flow import Flow
from ui.window.parts import Elided, IconButton, box, button, label, plain_tip
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.words import problem_text

WIDEST, WIDEST_WRONG, ROWS = 232, 380, 3
"""Of a chip, and of one that says what hinders it, in pixels of the design; and how many lines of chips stand
there before they scroll.
"""
ICONS = {"file": "file-text", "folder": "folder", "picture": "image"}


@dataclass(eq=False)
class Thing:
    """One thing that is attached: a path that is read when the message is sent, or a part that was read."""

    name: str
    path: str = ""
    part: str = ""
    kind: Kind = "file"
    size: int = 0
    image: QImage | None = None
    problem: Problem | None = None
    state: str = field(default="")
    """"keeping" while a pasted picture is put away, "reading" while it is read to be sent."""
    known: Attachment | None = None
    """What the part says."""


class Chip(QPushButton):
    """One thing: Delete takes it away, Enter or a click shows it, arrows go to the next."""

    removed = Signal()
    opened = Signal()
    moved = Signal(int)

    def __init__(self, theme: Theme, thing: Thing) -> None:
        super().__init__()
        self.thing, self._theme = thing, theme
        self.setProperty("kind", "chip")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda: self.opened.emit())
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._sign, self._name = QLabel(), Elided("body", middle=True)
        self._what, self._why = Elided("caption"), Elided("wrong")
        self.remove = IconButton(theme, "x", _("Take it away"), px=14)
        self.remove.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.remove.clicked.connect(lambda: self.removed.emit())
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self._name)
        words.addWidget(self._what)
        words.addWidget(self._why)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.s8, theme.px(5), theme.s4, theme.px(5))
        row.setSpacing(theme.s8)
        row.addWidget(self._sign)
        row.addLayout(words, 1)
        row.addWidget(self.remove)
        self.show_thing()

    def show_thing(self) -> None:
        """Show what is known of it now."""
        thing = self.thing
        name = legible(" ".join(thing.name.split()))
        self._name.setText(name)
        what = what_text(thing.kind, thing.size)
        if thing.state:
            what = _("Reading it") if thing.state == "reading" else _("Taking it in")
        self._what.setText(what)
        why = why_text(thing.problem) if thing.problem is not None else ""
        self._why.setText(why)
        self._why.setVisible(bool(why))
        self._what.setVisible(not why)
        self._draw_sign()
        if self.property("state") != ("wrong" if why else ""):
            self.setProperty("state", "wrong" if why else "")
            self.style().polish(self)
        self.setAccessibleName(f"{name}, {why or what}")
        self.setAccessibleDescription(_("Delete takes it away, Enter shows it."))
        remedy = problem_text(thing.problem)[1] if thing.problem is not None else ""
        lines = [legible(thing.path or thing.name), f"{why}. {remedy}" if why else ""]
        self.setToolTip(plain_tip("\n".join(filter(None, lines))))
        self.remove.rename(_("Take {name} away").replace("{name}", name))
        self.updateGeometry()

    def _draw_sign(self) -> None:
        theme, thing, side = self._theme, self.thing, self._theme.px(28)
        self._sign.setFixedSize(side, side)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        if thing.image is not None and thing.problem is None:
            self._sign.setPixmap(square(thing.image, side, theme.px(5), self.devicePixelRatioF()))
            return
        icon, role = ("circle-alert", "danger") if thing.problem else (ICONS[thing.kind], "muted")
        self._sign.setPixmap(theme.pixmap(icon, role, 18, self.devicePixelRatioF()))

    def sizeHint(self) -> QSize:
        said = self._why if self.thing.problem is not None else self._what
        metrics = said.fontMetrics()
        words = max(self._name.sizeHint().width(), metrics.horizontalAdvance(said.text()) + 4)
        theme = self._theme
        around = theme.px(28) + 2 * theme.s8 + theme.s8 + theme.s4 + theme.px(28) + 2
        most = WIDEST if self.thing.problem is None else WIDEST_WRONG
        return QSize(min(words + around, theme.px(most)), theme.px(46))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, back = event.key(), -1 if self.isLeftToRight() else 1
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.moved.emit(back if key == Qt.Key.Key_Left else -back)
        else:
            super().keyPressEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(120), self._theme.px(46))


class Chips(QWidget):
    """All that goes with the message, above its text; hidden while there is nothing."""

    removed = Signal(object)
    """The person took a Thing away."""
    opened = Signal(object)
    cancelled = Signal()
    left = Signal()
    """The last chip that had the keyboard is gone."""

    def __init__(self, theme: Theme, editor: QWidget) -> None:
        """The chips come before `editor` for the Tab key."""
        super().__init__()
        self._theme, self._editor = theme, editor
        self._chips: list[Chip] = []
        self.setAccessibleName(_("Attached"))
        self._inside = QWidget()
        self._flow = Flow(self._inside)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(self._inside)
        self._hint = label("", "caption", wrap=True)
        self._hint.hide()
        self._progress = box("bare")
        self._words = label("", "caption")
        self.cancel = button(_("Cancel"), "link", self.cancelled.emit)
        line = QHBoxLayout(self._progress)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._words)
        line.addWidget(self.cancel)
        line.addStretch(1)
        self._progress.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        for part in (self._area, self._hint, self._progress):
            self._column.addWidget(part)
        self.set_theme(theme)
        self.hide()

    def show_things(self, things: Sequence[Thing]) -> None:
        """Show these; chips of things that stay are kept, with the keyboard where it was."""
        there = {chip.thing: chip for chip in self._chips}
        at = next((n for n, chip in enumerate(self._chips) if chip.hasFocus()), -1)
        for chip in self._chips:
            self._flow.removeWidget(chip)
            if chip.thing not in things:
                chip.hide()
                chip.deleteLater()
        self._chips = [there.get(thing) or self._made(thing) for thing in things]
        for chip in self._chips:
            self._flow.addWidget(chip)
            chip.show()
        self._order()
        self.setVisible(bool(things))
        self._fit()
        if at >= 0 and not any(chip.hasFocus() for chip in self._chips):
            self._focus(min(at, len(self._chips) - 1))

    def chip(self, thing: Thing) -> Chip | None:
        """Return the chip of a thing, None when it is gone."""
        return next((chip for chip in self._chips if chip.thing is thing), None)

    def refresh(self, thing: Thing) -> None:
        """Show anew what is known of a thing."""
        chip = self.chip(thing)
        if chip is not None:
            chip.show_thing()
            self._fit()

    def show_hint(self, words: str) -> None:
        """Say something quiet below the chips, "" for nothing."""
        self._hint.setText(words)
        self._hint.setVisible(bool(words))

    def show_progress(self, words: str) -> None:
        """Say how far the reading is, "" when nothing is read."""
        self._words.setText(words)
        self._progress.setVisible(bool(words))
        for chip in self._chips:
            chip.remove.setEnabled(not words)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setSpacing(theme.s4)
        self._flow.setSpacing(theme.s8)
        things = [chip.thing for chip in self._chips]
        if things:
            self.show_things(())
            self.show_things(things)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._flow.invalidate()

    def _made(self, thing: Thing) -> Chip:
        chip = Chip(self._theme, thing)
        chip.removed.connect(lambda: self.removed.emit(thing))
        chip.opened.connect(lambda: self.opened.emit(thing))
        chip.moved.connect(lambda by: self._focus(self._chips.index(chip) + by))
        return chip

    def _order(self) -> None:
        """Let Tab go over the chips and then to the text."""
        before: QWidget = self._editor
        while True:
            earlier = before.previousInFocusChain()
            if earlier is None or earlier is self._editor:
                return
            before = earlier
            takes = bool(before.focusPolicy() & Qt.FocusPolicy.TabFocus) and before.focusProxy() is None
            # Behind an ancestor Qt would put them behind all that it holds.
            if takes and before not in self._chips and not before.isAncestorOf(self._editor):
                break
        for chip in self._chips:
            QWidget.setTabOrder(before, chip)
            before = chip

    def _focus(self, at: int) -> None:
        if not self._chips:
            self.left.emit()
        elif 0 <= at < len(self._chips):
            self._chips[at].setFocus(Qt.FocusReason.OtherFocusReason)
            self._area.ensureWidgetVisible(self._chips[at], 0, self._theme.s4)

    def _fit(self) -> None:
        """Be as tall as the chips, up to a few lines of them."""
        row = self._theme.px(46) + self._theme.s8
        wanted = self._flow.heightForWidth(self.width()) if self._chips else 0
        rows = min(ROWS, max(1, self.window().height() // (5 * row)))  # in a low window the rest comes first
        most = rows * row + row // 3  # a part of the next line says that there is one
        self._area.setFixedHeight(min(wanted, most))


def square(image: QImage, side: int, radius: int, ratio: float) -> QPixmap:
    """Return the middle of a picture as a small square with round corners."""
    pixels = round(side * ratio)
    cover = image.scaled(
        pixels,
        pixels,
        Qt.AspectRatioMode.KeepAspectRatioByExpanding,
        Qt.TransformationMode.SmoothTransformation,
    )
    made = QPixmap(pixels, pixels)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    path = QPainterPath()
    path.addRoundedRect(QRectF(0, 0, pixels, pixels), radius * ratio, radius * ratio)
    painter.setClipPath(path)
    painter.drawImage((pixels - cover.width()) // 2, (pixels - cover.height()) // 2, cover)
    painter.end()
    made.setDevicePixelRatio(ratio)
    return made
