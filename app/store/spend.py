"""What was spent: each day on each model, so that caps hold across processes, and by a session in all."""

from __future__ import annotations

import sqlite3
from datetime import datetime

import msgspec

from app.records import Message, Spent as Spent, Usage
from app.store import messages
from app.store.columns import as_column, unpack


class _Used(msgspec.Struct):
    """What the body of an answer or a summary says of its price."""

    usage: Usage | None = None
    cost: float | None = None
    reasoning: str = ""


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


def spent_by(db: sqlite3.Connection, session: str) -> Spent:
    """Return what a session has used over all of its branches, with its helpers. `unpriced` counts the
    answers whose price is not known, `uncounted` those that broke off before anybody told what they used.
    """
    rows = db.execute(
        "SELECT m.state, m.text <> '', m.body FROM messages m WHERE m.role IN ('assistant', 'summary')"
        " AND m.session IN (SELECT ? UNION SELECT id FROM sessions WHERE parent = ? AND parent != '')",
        (session, session),
    )
    usage, cost, requests, unpriced, uncounted = Usage(), 0.0, 0, 0, 0
    for state, has_text, body in rows:
        used = unpack(body, _Used)
        if used.usage is not None:
            requests += 1
            usage = usage.plus(used.usage)
            cost += used.cost or 0.0
            unpriced += used.cost is None
        elif state in ("failed", "stopped") and (has_text or used.reasoning):
            uncounted += 1
    return Spent(requests, usage, cost, unpriced, uncounted)
