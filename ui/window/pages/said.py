"""What came of something that a person did on a card, said in a line below it."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication
from PySide6.QtWidgets import QLabel

from app.records import Problem
from ui.words import problem_text

Tone = Literal["small", "good", "caution", "danger"]


class Said(QLabel):
    """Hidden while there is nothing to say; a screen reader hears each new line."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        if QGuiApplication.isRightToLeft():  # Qt would put a line in Latin letters at the other side
            right, middle = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter
            self.setAlignment(right | Qt.AlignmentFlag.AlignAbsolute | middle)
        self.hide()

    def say(self, words: str, tone: Tone = "small") -> None:
        """Show a line in a tone of the theme."""
        self.setProperty("tone", tone)
        self.style().unpolish(self)
        self.style().polish(self)
        self.setText(words)
        self.setAccessibleName(words)
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def tell(self, problem: Problem) -> None:
        """Show what went wrong and what helps."""
        words = problem_text(problem)
        self.say(f"{words.title} {words.detail}".strip(), "danger")
