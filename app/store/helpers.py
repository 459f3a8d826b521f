"""What is stored of the helpers of a conversation, whether or not the call that began them ever ended."""

from __future__ import annotations

import sqlite3

from app.records import HelperInfo
from app.store import messages, sessions

MOST = 40
"""The newest helpers of a conversation that are told of."""


def helpers(db: sqlite3.Connection, session: str) -> list[HelperInfo]:
    """Return the helpers of a conversation, oldest first; one that was given no task yet is left out."""
    found = [_helper(db, one) for one in sessions.helpers_of(db, session)[-MOST:]]
    return [one for one in found if one is not None]


def _helper(db: sqlite3.Connection, helper: str) -> HelperInfo | None:
    branch = messages.branch(db, helper)
    task = next((message for message in branch if message.role == "user"), None)
    if task is None:
        return None
    answers = [message for message in branch if message.role == "assistant"]
    last = branch[-1]
    return HelperInfo(
        session=helper,
        task=task.text,
        rounds=len(answers),
        began=task.created,
        ok=last.role == "assistant"
        and last.state == "complete"
        and not last.calls
        and bool(last.text.strip()),
    )
