"""The quiet row that stands where earlier messages were summarised, and opens to the summary."""

from __future__ import annotations

from app.records import Message
from ui.compaction_words import size_text, summarised_text
from ui.window.transcript.cards import Reasoning
from ui.window.transcript.painting import Sheet


class Summarised(Reasoning):
    """One row over the summary; all that it stands for is still there above it."""

    icon = "file-text"

    def __init__(self, sheet: Sheet, message: Message) -> None:
        super().__init__(sheet)
        self._words, self._sizes = summarised_text(message), size_text(message)

    def words(self) -> str:
        return " · ".join(filter(None, (self._words, self._sizes if self.opened else "")))
