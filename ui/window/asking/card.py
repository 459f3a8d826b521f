"""The card above the composer with a question of the model: choices by mouse, Tab or number key, and a field
for an answer in the person's own words.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.daily_records import Inquiry, InquiryChoice, InquiryReply
from ui.inquiry_words import asks_title, no_grant, several_text
from ui.language import _
from ui.window.composer.composer import side_margin
from ui.window.parts import box, button, label
from ui.window.theme import Theme

_HIGH, _LOW = 400, 40
"""Most and least pixels (of the design) of the question with its choices before they scroll."""
_AROUND, _TRANSCRIPT = 137, 120
"""Pixels of the design for the title and the margins, and pixels of the transcript that stay."""


class ChoiceButton(QPushButton):
    """One answer: its number, its text and what it means, wrapped to the width there is."""

    def __init__(self, number: int, choice: InquiryChoice, several: bool) -> None:
        super().__init__()
        self.choice = choice
        self.setProperty("kind", "choice")
        self.setCheckable(several)
        self.setAutoDefault(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{number}. {choice.text}")
        self.setAccessibleDescription(choice.detail)
        self._number = label(str(number), "muted")
        self._text = label(choice.text, "strong", wrap=True)
        self._detail = label(choice.detail, "small", wrap=True)
        self._detail.setVisible(bool(choice.detail))
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._number, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._text)
        words.addWidget(self._detail)
        self._row.addLayout(words, 1)
        for part in (self._number, self._text, self._detail):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._row.setContentsMargins(theme.s12, theme.s8, theme.s12, theme.s8)
        self._row.setSpacing(theme.s12)
        self._number.setMinimumWidth(theme.px(11))  # the texts stand in one line, whatever their numbers

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._row.heightForWidth(width)

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._row.minimumSize().height())


class InquiryCard(QWidget):
    """Hidden while no question waits in the shown conversation."""

    answered = Signal(object)
    """The InquiryReply that the person gives."""

    def __init__(self, theme: Theme, room: Callable[[], int] = lambda: 2_000) -> None:
        """`room` gives the pixels that title, transcript and this card have together."""
        super().__init__()
        self._theme, self._room = theme, room
        self.inquiry: Inquiry | None = None
        self.choices: list[ChoiceButton] = []
        self._card = box("waiting")
        self._icon = QLabel()
        self._title = label(asks_title(), "small")
        self._title.setToolTip(no_grant())
        self._question = label("", "strong", wrap=True)
        self._how = label("", "small", wrap=True)
        self._list = QWidget()
        self._rows = QVBoxLayout()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._list)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Your own answer"))
        self.field.setAccessibleName(_("Your own answer"))
        self.field.returnPressed.connect(self._send)
        self.field.textChanged.connect(self._look)
        self.decline = button(_("Rather not answer"), "", self._decline)
        self.send = button(_("Answer"), "main", self._send)
        self._lay_out()
        self.set_theme(theme)
        self.hide()

    def _lay_out(self) -> None:
        self._words = QVBoxLayout()
        self._words.setSpacing(0)
        for part in (self._title, self._question, self._how):
            self._words.addWidget(part)
        self._head = QHBoxLayout()
        self._head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        self._head.addLayout(self._words, 1)
        self._deeds = QHBoxLayout()
        self._deeds.addWidget(self.field, 1)
        self._deeds.addWidget(self.decline)
        self._deeds.addWidget(self.send)
        self._asked = QVBoxLayout(self._list)
        self._asked.setContentsMargins(0, 0, 0, 0)
        self._asked.addLayout(self._head)
        self._asked.addLayout(self._rows)
        self._inside = QVBoxLayout(self._card)
        self._inside.addWidget(self._scroll)
        self._inside.addLayout(self._deeds)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self._card)

    def show_inquiry(self, inquiry: Inquiry | None) -> None:
        """Ask a question; None asks nothing."""
        if inquiry == self.inquiry and inquiry is not None:
            return
        self.inquiry = inquiry
        for old in self.choices:
            self._rows.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.choices = []
        self.field.clear()
        self.set_busy(False)
        if inquiry is not None:
            self._fill(inquiry)
        self.setVisible(inquiry is not None)
        if inquiry is not None:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _fill(self, inquiry: Inquiry) -> None:
        self._question.setText(inquiry.question)
        self.setAccessibleName(f"{asks_title()}: {inquiry.question}")
        self._how.setText(several_text(inquiry.several))
        self._how.setVisible(bool(inquiry.choices))
        for number, choice in enumerate(inquiry.choices, 1):
            made = ChoiceButton(number, choice, inquiry.several)
            made.set_theme(self._theme)
            made.clicked.connect(lambda _=False, one=made: self._picked(one))
            self._rows.addWidget(made)
            self.choices.append(made)
        before: QWidget = self.choices[0] if self.choices else self.field
        for part in (*self.choices[1:], self.field, self.decline, self.send):
            QWidget.setTabOrder(before, part)
            before = part
        self._look()
        self.place()

    def _picked(self, chosen: ChoiceButton) -> None:
        if self.inquiry is not None and not self.inquiry.several and not self.field.text().strip():
            self.answered.emit(InquiryReply(picked=(chosen.choice.text,)))
        elif self.inquiry is not None and not self.inquiry.several:
            self.answered.emit(InquiryReply(picked=(chosen.choice.text,), text=self.field.text().strip()))
        self._look()

    def _send(self) -> None:
        picked = tuple(one.choice.text for one in self.choices if one.isChecked())
        text = self.field.text().strip()
        if picked or text:
            self.answered.emit(InquiryReply(picked=picked, text=text))

    def _decline(self) -> None:
        self.answered.emit(InquiryReply(declined=True))

    def _look(self) -> None:
        """An empty answer cannot be sent."""
        ready = bool(self.field.text().strip()) or any(one.isChecked() for one in self.choices)
        self.send.setEnabled(ready)

    def set_busy(self, busy: bool) -> None:
        """While an answer is on its way no second one can be given."""
        self._card.setEnabled(not busy)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A number picks its choice, as long as no text is being written."""
        at = event.key() - Qt.Key.Key_1
        if 0 <= at < len(self.choices) and not self.field.hasFocus():
            self.choices[at].setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.choices[at].click()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    def place(self) -> None:
        """Keep to the reading column; what is too high for the window scrolls, the field stays."""
        theme = self._theme
        margin = side_margin(theme, self.width())
        self._column.setContentsMargins(margin, theme.s8, margin, theme.s4)
        wide = max(1, self.width() - 2 * margin - 2 * theme.s16)
        high = max(self._asked.heightForWidth(wide), self._asked.minimumSize().height())
        room = self._room() - self._deeds.sizeHint().height() - theme.px(_AROUND) - _TRANSCRIPT
        self._scroll.setFixedHeight(min(high, theme.px(_HIGH), max(room, theme.px(_LOW))))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._icon.setPixmap(theme.pixmap("message-square", "accent", 20, self.devicePixelRatioF()))
        self._inside.setContentsMargins(theme.s16, theme.s12, theme.s16, theme.s12)
        self._inside.setSpacing(theme.s12)
        self._asked.setSpacing(theme.s12)
        self._head.setSpacing(theme.s12)
        self._deeds.setSpacing(theme.s8)
        self._rows.setSpacing(theme.s4)
        for one in self.choices:
            one.set_theme(theme)
        self.place()
