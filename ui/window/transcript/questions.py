"""The questions that wait for the person in the rows of a conversation."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import NamedTuple

from app.events import ApprovalAnswered
from app.records import Approval
from ui.window.transcript.calls import Call
from ui.window.transcript.rows import Row


class Asked(NamedTuple):
    """A question that waits: the row that shows it, and when it was put, by the story's clock."""

    row: Row
    since: float
    borrowed: bool
    """Its call is that of a helper: it stands here for the question alone, and its end is told elsewhere."""


class Questions:
    """Puts questions under their calls, and takes them away when they are answered."""

    def __init__(self) -> None:
        self._waiting: dict[str, Asked] = {}

    def put(self, approval: Approval, row: Row, call: Call, since: float, *, borrowed: bool) -> None:
        """Show that a call asks."""
        call.name = call.name or approval.tool
        call.state = "asking"
        row.approvals[approval.id] = approval
        self._waiting[approval.id] = Asked(row, since, borrowed)

    def answered(self, event: ApprovalAnswered, calls: MutableMapping[str, tuple[Row, Call]]) -> Asked | None:
        """Take the answer to a question that waits here, and return what waited; None where none did."""
        asked = self._waiting.pop(event.approval, None)
        approval = asked.row.approvals.pop(event.approval, None) if asked is not None else None
        if asked is None or approval is None:
            return asked
        if asked.borrowed:
            asked.row.calls.pop(approval.call, None)
            calls.pop(approval.call, None)
        elif (call := calls[approval.call][1]).state == "asking":
            call.state = "running" if event.answer is not None else "waiting"
        return asked
