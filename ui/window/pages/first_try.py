"""The third step of the first start: one request that is sent by a click, and one that asks first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from ui.language import _
from ui.places import tilde
from ui.window.pages.page import Card, clear
from ui.window.parts import button, label
from ui.window.theme import Theme


class FirstTry(Card):
    """`tried` carries a request that is to be sent now."""

    tried = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self._kept = self.rows.count()
        self.first = self.second = button("")
        self.show_example("", "")

    def show_example(self, folder: str, model: str) -> None:
        """Offer what fits the folder, "" for none; `model` is the name of what answers."""
        clear(self.rows, self._kept)
        answers = _("{model} answers.").replace("{model}", model) if model else ""
        place = _("It works in {path}.").replace("{path}", tilde(folder)) if folder else ""
        self.say(f"{answers} {place}".strip())
        look, write = (
            (
                _("Look through this folder and tell me what is in it."),
                _("Write a file hello.txt with a short greeting."),
            )
            if folder
            else (
                _("What can you do for me on this computer?"),
                _("Write a file hello.txt with a short greeting."),
            )
        )
        self.first = self._offer(look, _("Nothing is changed by this."))
        self.rows.addSpacing(self.theme.s8)
        self.second = self._offer(
            write,
            _(
                "Before it writes, you are shown the file and asked. Allow lets it, Deny leaves everything "
                "as it is, and Undo takes it back later."
            ),
        )

    def begin(self) -> None:
        """Put the keyboard on the request."""
        self.first.setFocus()

    def _offer(self, text: str, note: str) -> QPushButton:
        made = button(text, "example", lambda: self.tried.emit(text))
        made.setAccessibleDescription(note)
        self.rows.addWidget(made)
        self.rows.addWidget(label(note, "caption", wrap=True))
        return made
