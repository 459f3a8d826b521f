"""What was spent each day on each model, so that caps hold across processes and restarts."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from app.record import Record
from app.records import Message, Usage
from app.store import messages
from app.store.columns import as_column


class Spent(Record):
    """A day's use. `cost` in US dollars; `unpriced` counts the requests whose price is not known."""

    requests: int
    usage: Usage
    cost: float
    unpriced: int

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.usage.input + self.usage.output


_SUMS = ("requests", "input", "output", "cached", "written", "reasoning", "cost", "unpriced")
_ADD = f"""
INSERT INTO spend(day, model, requests, input, output, cached, written, reasoning, exact, cost, unpriced)
VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT(day, model) DO UPDATE SET exact = min(exact, excluded.exact),
{", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS)}
"""


def day_of(when: float) -> str:
    """Return the day of a time (unix seconds) in the person's own zone, "2026-11-29"."""
    return datetime.fromtimestamp(when).date().isoformat()


def put_counted(db: sqlite3.Connection, answer: Message) -> None:
    """Store a whole answer and add its use to the day it was asked for, in one step, so that a kill loses
    neither alone. Raises as `messages.put`.
    """
    messages.put(db, answer)
    if answer.usage is not None:
        add(db, day_of(answer.created), answer.model, answer.usage, answer.cost)


def add(db: sqlite3.Connection, day: str, model: str, usage: Usage, cost: float | None) -> None:
    """Add one request to a day ("2026-11-29", the person's own zone); `cost` None means that no price is
    known.
    """
    counts = (usage.input, usage.output, usage.cached, usage.written, usage.reasoning)
    db.execute(
        _ADD,
        (day, as_column(model), *counts, usage.exact, cost or 0.0, cost is None),
    )


def spent(db: sqlite3.Connection, day: str) -> Spent:
    """Return what a day has used over all models."""
    row = db.execute(
        f"SELECT {', '.join(f'coalesce(sum({name}), 0)' for name in _SUMS)}, coalesce(min(exact), 1)"
        " FROM spend WHERE day = ?",
        (day,),
    ).fetchone()
    numbers = dict(zip(_SUMS, row, strict=False))
    cost, unpriced, requests = float(numbers.pop("cost")), numbers.pop("unpriced"), numbers.pop("requests")
    return Spent(requests, Usage(**numbers, exact=bool(row[-1])), cost, unpriced)
