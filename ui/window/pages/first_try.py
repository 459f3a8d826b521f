"""The third step of the first start: one request that is sent by a click, and one that asks first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from ui.language import _
from ui.places import tilde
from ui.window.pages.page import Card
from ui.window.parts import button, label
from ui.window.theme import Theme


class FirstTry(Card):
    """`tried` carries a request that is to be sent now."""

    tried = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self.first = self._offer(_("Nothing is changed by this."))
        self.rows.addSpacing(theme.s8)
        self.second = self._offer(
            _(
                "Before it writes, you are shown the file and asked. Allow lets it, Deny leaves everything "
                "as it is, and Undo takes it back later."
            )
        )
        self.show_example("", "")

    def show_example(self, folder: str, model: str) -> None:
        """Offer what fits the folder, "" for none; `model` is the name of what answers."""
        answers = _("{model} answers.").replace("{model}", model) if model else ""
        place = _("It works in {path}.").replace("{path}", tilde(folder)) if folder else ""
        self.say(f"{answers} {place}".strip())
        look = _("Look through this folder and tell me what is in it.")
        ask = _("What can you do for me on this computer?")
        write = _("Write a file hello.txt with a short greeting.")
        for made, text in ((self.first, look if folder else ask), (self.second, write)):
            made.setText(text)
            made.setAccessibleName(text)

    def begin(self) -> None:
        """Put the keyboard on the request."""
        self.first.setFocus()

    def _offer(self, note: str) -> QPushButton:
        made = button("", "example")
        made.clicked.connect(lambda: self.tried.emit(made.accessibleName()))
        made.setAccessibleDescription(note)
        self.rows.addWidget(made)
        self.rows.addWidget(label(note, "caption", wrap=True))
        return made
