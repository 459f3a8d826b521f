"""The row that says that earlier messages are being summarised, until the summary stands there."""

from __future__ import annotations

from app.events import CompactionEnded, CompactionProgressed, CompactionStarted
from ui.compaction_words import step_text
from ui.window.transcript.rows import Row
from ui.words import _


def show_progress(row: Row, event: CompactionStarted | CompactionProgressed | CompactionEnded) -> None:
    """Let the row say how far it is, or that it came to nothing."""
    if isinstance(event, CompactionEnded):
        row.retry = ""
        row.note = "" if event.message else _("The earlier messages were not summarised.")
    elif isinstance(event, CompactionProgressed) and event.total > 1:
        row.retry = step_text(event.done, event.total)
    elif not row.retry:
        row.retry = _("Summarising the earlier messages")
