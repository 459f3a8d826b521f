"""The row that waits for its provider, and counts down to the next try."""

from __future__ import annotations

from ui.window.transcript.rows import Row
from ui.words import _


class Countdown:
    """One row at a time; times are those of the story's clock, in seconds."""

    def __init__(self) -> None:
        self.row: Row | None = None
        self._why, self._when = "", 0.0

    def begin(self, row: Row, why: str, when: float) -> None:
        """Count down in this row to the try that comes at `when`."""
        self.row, self._why, self._when = row, why, when

    def end(self) -> None:
        """Nothing is waited for any more."""
        self.row = None

    def tick(self, now: float) -> Row | None:
        """Bring the words of the row up to now, and return it; None where nothing is waited for."""
        if self.row is not None:
            left = max(0, round(self._when - now))
            again = _("Trying again in {n} s").replace("{n}", str(left)) if left else _("Trying again")
            self.row.retry = f"{self._why} {again}".strip()
        return self.row
