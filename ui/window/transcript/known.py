"""Which row of a conversation shows a message, a call, a result or the end of a turn."""

from __future__ import annotations

from ui.window.transcript.calls import Call
from ui.window.transcript.rows import Row


class Known:
    """Rows from the oldest to the newest, and the ways to find one."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        """The same list as long as the conversation is shown."""
        self.by_key: dict[str, Row] = {}
        self.calls: dict[str, tuple[Row, Call]] = {}
        self.results: dict[str, str] = {}
        """The call of each stored result, by the result's message."""
        self.last: dict[str, Row] = {}
        """The newest answer of each turn, which says what the turn took."""
        self.steps: tuple[Row, Call] | None = None
        """The newest call that set steps of the work down."""

    def place_of(self, message: str) -> tuple[Row, Call | None] | None:
        """Return the row that shows a message, and the call of it when the message is a result."""
        if message in self.results:
            return self.calls[self.results[message]]
        row = self.by_key.get(message)
        return None if row is None else (row, None)

    def put_above(self, older: Known) -> list[Row]:
        """Take in what was loaded of earlier; return the rows whose blocks must be composed anew."""
        changed = self._give_back(older)
        first = (self.rows[0].order if self.rows else 0) - len(older.rows)
        self.rows[:0] = older.rows
        for order, row in enumerate(self.rows, first):
            row.order = order
        self.by_key = older.by_key | self.by_key
        self.calls = older.calls | self.calls
        self.results = older.results | self.results
        self.last = older.last | self.last
        if self.steps is None:
            self.steps = older.steps
        elif older.steps is not None:
            older.steps[1].listed = False
        return changed

    def _give_back(self, older: Known) -> list[Row]:
        """Give results whose call was not known before to the older answer that made the call; return the
        rows that they leave.
        """
        left = []
        for key, (row, call) in older.calls.items():
            if key not in self.calls:
                continue
            orphans, known = self.calls[key]
            known.arguments = known.arguments or call.arguments
            row.calls[key] = known
            orphans.calls.pop(key, None)
            self.calls[key] = row, known
            if orphans.text or orphans.calls:
                left.append(orphans)
            elif self.by_key.pop(orphans.key, None) is not None:
                self.rows.remove(orphans)
                if self.last.get(orphans.turn) is orphans:
                    del self.last[orphans.turn]
        return left
