"""The slash commands that fit what is being typed."""

from __future__ import annotations

from PySide6.QtCore import Signal

from ui import slash
from ui.language import _
from ui.window.composer.editor import Editor
from ui.window.composer.offers import Offers
from ui.window.picker import Entry
from ui.window.theme import Theme


def fitting(text: str) -> list[slash.Slash]:
    """Return the commands that `text` may become: it is a slash and the beginning of a name."""
    if not text.startswith("/") or not (text[1:].isalpha() or text == "/"):
        return []
    return [command for command in slash.COMMANDS if command.name.startswith(text[1:].lower())]


class Suggestions(Offers):
    """Offers commands; one that needs an argument is written out."""

    taken = Signal(str)
    """A command that needs no argument was taken; carries "/NAME"."""

    def __init__(self, theme: Theme, editor: Editor) -> None:
        super().__init__(theme, editor, _("Commands"))
        self._left = ""
        editor.textChanged.connect(self._follow)

    def leave(self) -> None:
        self._left = self._editor.toPlainText()
        super().leave()

    def _follow(self) -> None:
        text = self._editor.toPlainText()
        found = fitting(text) if text != self._left else []
        if not text:
            self._left = ""
        entries = []
        for command in found:
            words = (
                f"/{command.name} {_(command.argument)}".strip() if command.argument else f"/{command.name}"
            )
            entry = Entry(command.name, words, note=_(command.description))
            entries.append((entry, f"{words}: {_(command.description)}"))
        self.offer(entries)

    def enter(self, entry: Entry) -> None:
        """Carry a command out that is typed whole and needs no more; Tab goes on to what it may be given."""
        if self._editor.toPlainText().lower() == f"/{entry.value}" and not _command(entry).needs_argument:
            self._editor.replace("")
            self.taken.emit(f"/{entry.value}")
        else:
            self.take(entry)

    def take(self, entry: Entry) -> None:
        command = _command(entry)
        if command.argument:
            self._editor.replace(f"/{command.name} ")
        else:
            self._editor.replace("")
            self.taken.emit(f"/{command.name}")


def _command(entry: Entry) -> slash.Slash:
    return next(one for one in slash.COMMANDS if one.name == entry.value)
