"""The text that a person is typing: cursor, words, several lines, history. Knows no terminal."""

from __future__ import annotations

import re
from collections.abc import Callable

from ui.terminal.keys import Key


class Editor:
    """One text with a cursor. `press` changes it and returns the text once it is sent."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._history: list[str] = []
        self._place = 0
        """Where in the history; its length is the text that is being written."""
        self._draft = ""

    def remember(self, text: str) -> None:
        """Add a text to the history that the up key goes through."""
        if text.strip() and self._history[-1:] != [text]:
            self._history.append(text)
        self._place = len(self._history)

    def clear(self) -> None:
        """Begin an empty text."""
        self.text, self.cursor, self._place = "", 0, len(self._history)

    def press(self, key: Key) -> str | None:
        """Take a key; return the whole text when it was sent, None otherwise."""
        if key.name == "enter":
            return self._enter()
        if key.name == "text":
            self._insert(key.text)
        elif action := _ACTIONS.get(key.name):
            action(self)
        return None

    def _enter(self) -> str | None:
        if self.text[: self.cursor].endswith("\\"):  # as in a shell: the line goes on
            self.text = self.text[: self.cursor - 1] + self.text[self.cursor :]
            self.cursor -= 1
            self._insert("\n")
            return None
        text = self.text
        self.remember(text)
        self.clear()
        return text

    def _insert(self, text: str) -> None:
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def _cut(self, start: int, end: int) -> None:
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start

    def _line_start(self) -> int:
        return self.text.rfind("\n", 0, self.cursor) + 1

    def _line_end(self) -> int:
        end = self.text.find("\n", self.cursor)
        return len(self.text) if end < 0 else end

    def _word_start(self) -> int:
        found = re.search(r"\w+\W*\Z|\W+\Z", self.text[: self.cursor])
        return found.start() if found else 0

    def _word_end(self) -> int:
        found = re.match(r"\W*\w+|\W+", self.text[self.cursor :])
        return self.cursor + (found.end() if found else 0)

    def up(self) -> None:
        """One line up, from the first line to the text before."""
        start = self._line_start()
        if start == 0:
            self._go(self._place - 1)
            return
        above = self.text.rfind("\n", 0, start - 1) + 1
        self.cursor = min(above + self.cursor - start, start - 1)

    def down(self) -> None:
        """One line down, from the last line to the text after."""
        end = self._line_end()
        if end == len(self.text):
            self._go(self._place + 1)
            return
        column = self.cursor - self._line_start()
        below = self.text.find("\n", end + 1)
        self.cursor = min(end + 1 + column, len(self.text) if below < 0 else below)

    def _go(self, place: int) -> None:
        if not 0 <= place <= len(self._history):
            return
        if self._place == len(self._history):
            self._draft = self.text
        self._place = place
        self.text = self._draft if place == len(self._history) else self._history[place]
        self.cursor = len(self.text)

    def move(self, cursor: int) -> None:
        """Put the cursor somewhere within the text."""
        self.cursor = max(0, min(cursor, len(self.text)))


_ACTIONS: dict[str, Callable[[Editor], None]] = {
    "newline": lambda editor: editor._insert("\n"),
    "backspace": lambda editor: editor._cut(max(0, editor.cursor - 1), editor.cursor),
    "delete": lambda editor: editor._cut(editor.cursor, min(len(editor.text), editor.cursor + 1)),
    "left": lambda editor: editor.move(editor.cursor - 1),
    "right": lambda editor: editor.move(editor.cursor + 1),
    "up": Editor.up,
    "down": Editor.down,
    "home": lambda editor: editor.move(editor._line_start()),
    "end": lambda editor: editor.move(editor._line_end()),
    "word_left": lambda editor: editor.move(editor._word_start()),
    "word_right": lambda editor: editor.move(editor._word_end()),
    "kill_word": lambda editor: editor._cut(editor._word_start(), editor.cursor),
    "kill_before": lambda editor: editor._cut(editor._line_start(), editor.cursor),
    "kill_after": lambda editor: editor._cut(editor.cursor, editor._line_end()),
}
