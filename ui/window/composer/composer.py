"""The composer: the field, the mode, the model, and one button that sends or stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ui.compaction_words import effort_word
from ui.language import _
from ui.window.composer.editor import Editor
from ui.window.parts import IconButton, Segments, box
from ui.window.theme import Theme

if TYPE_CHECKING:
    from ui.window.composer.chips import Chips
    from ui.window.composer.trust_sign import TrustSign

WIDTH = 600, 760
"""Least and most width of the reading column and so of the composer."""
NARROW = 460, 400, 340
"""Widths of the composer below which its parts stand closer; without the button that attaches, since its keys
and a drop do the same; and with the mode in a line of its own.
"""
_NAME_LENGTH = 28


def side_margin(theme: Theme, width: int) -> int:
    """Return the room at each side of the reading column in a view of this width, as the transcript has
    it."""
    least = theme.px(28) if width > theme.px(480) else theme.px(12)
    return max(least, (width - theme.px(WIDTH[1])) // 2)


def _hint() -> str:
    return _("Ask, or say what to do. / shows commands.")


class ModelButton(QPushButton):
    """Shows the model that will answer; a click opens the list of models."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "picker")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setLayoutDirection(self.layoutDirection())
        self._title = self._effort = self._shown = ""
        self.set_theme(theme)
        self.show_model("")

    def show_model(self, title: str) -> None:
        """Show the model's name, "" when none is chosen."""
        self._title = title
        self._show()

    def show_effort(self, effort: str) -> None:
        """Show how much it reasons behind its name, where that is not its own measure ("")."""
        self._effort = effort
        self._show()

    def _show(self) -> None:
        title, effort = self._title, effort_word(self._effort) if self._effort and self._title else ""
        shown = title or _("Choose a model")
        if len(shown) > _NAME_LENGTH:
            shown = f"{shown[: _NAME_LENGTH - 1]}…"
        self._shown = f"{shown} · {effort}" if effort else shown
        self._fit()
        self.updateGeometry()
        name = _("Model: {name}").replace("{name}", title or _("none"))
        more = _("Reasoning: {effort}").replace("{effort}", effort) if effort else ""
        self.setAccessibleName(", ".join(filter(None, [name, more])))
        tip = _("Choose the model and how much it reasons ({keys})").replace("{keys}", "Ctrl+M")
        self.setToolTip("\n".join(filter(None, [tip, title, more])))

    def set_theme(self, theme: Theme) -> None:
        """Draw the arrow anew."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(
            self._around() + self.fontMetrics().horizontalAdvance(self._shown), super().sizeHint().height()
        )

    def minimumSizeHint(self) -> QSize:
        return QSize(self._around() + self._theme.px(24), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _around(self) -> int:
        return self._theme.px(30 + 10) + 4  # the padding of the style sheet, and its line

    def _fit(self) -> None:
        """Cut the name where the row has no room for it."""
        room = max(0, self.width() - self._around() + 1)
        whole = self.fontMetrics().horizontalAdvance(self._shown) <= room or not self.isVisible()
        elide = Qt.TextElideMode.ElideRight
        shown = self._shown if whole else self.fontMetrics().elidedText(self._shown, elide, room)
        self.setText(shown.replace("&", "&&"))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = self._theme
        side, gap = theme.px(14), theme.px(11)
        left = gap if self.isRightToLeft() else self.width() - side - gap
        arrow = theme.pixmap("chevron-down", "muted", 14, self.devicePixelRatioF())
        QPainter(self).drawPixmap(left, (self.height() - side) // 2, arrow)


class Composer(QWidget):
    """What a person writes and how it will be answered. The queue stands above it
    (`ui.window.composer.queue`)."""

    sent = Signal(str)
    steered = Signal(str)
    """A text for the running answer (Ctrl+Enter while one runs)."""
    stopped = Signal()
    reading_stopped = Signal()
    """The person does not want to wait for what goes with the message."""
    attach_asked = Signal()
    """Files are to be chosen."""
    mode_chosen = Signal(str)
    model_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._running = False
        self._open = False
        self._held: bool | None = None
        self._loaded = self._reading = self._over = False
        self._frame = box("composer")
        self.editor = Editor(theme)
        self.editor.setPlaceholderText(_hint())
        self.modes = Segments(
            _("Mode"),
            (
                ("agent", _("Agent"), _("Does what you ask, and asks before it changes something")),
                ("plan", _("Plan"), _("Only reads, and ends with a plan for you to accept")),
                ("chat", _("Chat"), _("Only reads, and talks")),
            ),
        )
        self.modes.choose("agent")
        self.model = ModelButton(theme)
        self.attach = IconButton(theme, "paperclip", _("Attach files"), keys="Ctrl+U")
        self.chips: Chips | None = None
        """What goes with the message; added by the rest of the window, after the first paint."""
        self.trust: TrustSign | None = None
        """Added by the rest of the window, after the first paint."""
        self.send = IconButton(theme, "arrow-up", _("Send"), role="on_accent", keys="Enter")
        self.send.setProperty("kind", "main")
        self.halt = IconButton(theme, "stop", _("Stop"), keys="Esc")
        self.halt.hide()
        self._arrange()
        self._connect()
        # In a low window what is above gives way: squeezed, the field and its chips would lie on each other.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)

    def text(self) -> str:
        """Return what is written."""
        return self.editor.toPlainText()

    def open(self) -> None:
        """Send from now on. What was sent before anybody could take it goes out now."""
        self._open = True
        if self._held is not None:
            self._submit(self._held)

    def put_sign(self, sign: TrustSign) -> None:
        """Show the signs of trust behind the model."""
        self.trust = sign
        self._row.insertWidget(self._row.indexOf(self.model) + 1, sign, 1000)

    def put_chips(self) -> Chips:
        """Make the room for what goes with the message."""
        from ui.window.composer.chips import Chips

        self.chips = Chips(self._theme, self.editor)
        self._words.insertWidget(0, self.chips)
        return self.chips

    def set_loaded(self, loaded: bool) -> None:
        """Say whether something goes with the message, so that it can be sent without words."""
        self._loaded = loaded
        self._show_button()

    def set_reading(self, reading: bool) -> None:
        """Say whether what goes with the message is being read: the text stands still, and Stop ends it."""
        self._reading = reading
        self.editor.setReadOnly(reading)
        self._show_button()

    def show_drop(self, over: bool) -> None:
        """Show that what is dragged can be dropped."""
        self._over = over
        self._frame.setProperty("over", over)
        self._frame.style().polish(self._frame)
        self.editor.setPlaceholderText(_("Drop it here to attach it.") if over else _hint())

    def set_running(self, running: bool) -> None:
        """Turn the button into Stop while a turn runs. With words in the field it sends them, to be
        answered next."""
        self._running = running
        self._show_button()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._frame_box.setContentsMargins(theme.s12, theme.px(12), theme.s12, theme.px(10))
        self._frame_box.setSpacing(theme.px(19))
        side = theme.px(32)
        self._words.setSpacing(theme.s12)
        self._feet.setSpacing(theme.s8 if self._stacked else 0)
        for part in (self.editor, self.model, self.trust, self.halt, self.send, self.attach, self.chips):
            if part is not None:
                part.set_theme(theme)
        self.send.setFixedSize(side, side)
        self._place()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the one soft shadow under the frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        inside = QRectF(self._frame.geometry())
        for spread in (1, 2, 3):
            shade = QColor(self._theme.colors.shadow)
            shade.setAlpha(max(1, shade.alpha() // (4 * spread)))
            painter.setPen(QPen(shade, 1))
            grown = inside.adjusted(0.5 - spread, 1.5 - spread, spread - 0.5, spread + 0.5)
            painter.drawRoundedRect(grown, self._theme.r_big + spread, self._theme.r_big + spread)

    def _place(self) -> None:
        """Keep the frame in the reading column, as wide as the transcript's."""
        theme = self._theme
        margin = side_margin(theme, self.width())
        self._row.setSpacing(theme.px(10) if self.width() >= theme.px(NARROW[0]) else theme.s4)
        self.attach.setVisible(self.width() >= theme.px(NARROW[1]))
        self._stack(self.width() < theme.px(NARROW[2]))
        self._column.setContentsMargins(margin, theme.s4, margin, theme.px(18))

    def _arrange(self) -> None:
        self._frame_box = QVBoxLayout(self._frame)
        self._words = QVBoxLayout()
        self._words.addWidget(self.editor)
        self._frame_box.addLayout(self._words)
        self._over_row, self._stacked = QHBoxLayout(), False
        self._over_row.addStretch(1)
        self._feet = QVBoxLayout()
        self._feet.setSpacing(0)
        self._feet.addLayout(self._over_row)
        self._row = QHBoxLayout()
        self._row.addWidget(self.attach)
        self._row.addWidget(self.modes)
        self._row.addWidget(self.model)
        self._row.addStretch(1)
        self._row.addWidget(self.halt)
        self._row.addWidget(self.send)
        self._feet.addLayout(self._row)
        self._frame_box.addLayout(self._feet)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._frame)
        QWidget.setTabOrder(self.editor, self.modes)
        self.setFocusProxy(self.editor)

    def _stack(self, stacked: bool) -> None:
        """Let the mode stand above the rest where there is no room beside it."""
        if stacked != self._stacked:
            self._stacked = stacked
            self._feet.setSpacing(self._theme.s8 if stacked else 0)
            (self._row if stacked else self._over_row).removeWidget(self.modes)
            if stacked:
                self._over_row.insertWidget(0, self.modes)
            else:
                self._row.insertWidget(1, self.modes)

    def _connect(self) -> None:
        self.editor.submitted.connect(self._submit)
        self.editor.escaped.connect(self._escape)
        self.editor.textChanged.connect(self._show_button)
        self.send.clicked.connect(self._press)
        self.halt.clicked.connect(lambda: self.stopped.emit())
        self.modes.chosen.connect(self.mode_chosen)
        self.attach.clicked.connect(lambda: self.attach_asked.emit())
        self.model.clicked.connect(lambda: self.model_asked.emit())
        self._show_button()

    def _escape(self) -> None:
        if self._reading:
            self.reading_stopped.emit()
        elif self._running:
            self.stopped.emit()

    def _stops(self) -> bool:
        return self._reading or (self._running and not self.text().strip() and not self._loaded)

    def _show_button(self) -> None:
        """Send or Stop; with words in the field while a turn runs, both."""
        stops = self._stops()
        self.halt.setVisible(self._running and not stops and not self._reading)
        self.send.show_icon(self._theme, "stop" if stops else "arrow-up")
        if stops:
            self.send.rename(_("Stop"), "Esc")
        else:
            self.send.rename(_("Send, to be answered next") if self._running else _("Send"), "Enter")

    def _press(self) -> None:
        if self._reading:
            self.reading_stopped.emit()
        elif self._stops():
            self.stopped.emit()
        elif self.text().strip() or self._loaded:
            self._submit(False)
        else:
            self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _submit(self, into_the_answer: bool) -> None:
        text = self.text()
        if self._reading or not (text.strip() or self._loaded):
            return
        if not self._open:
            self._held = into_the_answer
            return
        if text.strip():
            self.editor.remember(text)
        self.editor.replace("")
        if into_the_answer and self._running:
            self.steered.emit(text)
        else:
            self.sent.emit(text)
