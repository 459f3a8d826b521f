"""The quiet row under a message of the person that says what was recalled with it, and opens to that."""

from __future__ import annotations

from collections.abc import Sequence

from ui.memory_words import recalled_text
from ui.window.transcript.cards import Reasoning
from ui.window.transcript.painting import Sheet


class Recalled(Reasoning):
    """One row over what was told from memory."""

    icon = "brain"

    def __init__(self, sheet: Sheet, found: Sequence[tuple[str, str]]) -> None:
        super().__init__(sheet)
        self._words = recalled_text(len(found))

    def words(self) -> str:
        return self._words
