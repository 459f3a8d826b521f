"""What a person said to the instructions of projects, by the path of the project."""

from __future__ import annotations

import sqlite3

from app.record import Record
from app.store.columns import as_column


class Said(Record):
    """A yes or no. `print` tells what the instructions said when the person last saw them: a JSON object of
    paths with hashes.
    """

    agreed: bool
    print: str
    when: float


def said(db: sqlite3.Connection, project: str) -> Said | None:
    """Return what was said to a project, None where nobody was asked."""
    row = db.execute(
        "SELECT agreed, print, said FROM projects WHERE path = ?", (as_column(project),)
    ).fetchone()
    return None if row is None else Said(bool(row[0]), str(row[1]), float(row[2]))


def say(db: sqlite3.Connection, project: str, answer: Said | None) -> None:
    """Keep an answer; None lets the person be asked again."""
    if answer is None:
        db.execute("DELETE FROM projects WHERE path = ?", (as_column(project),))
        return
    db.execute(
        "INSERT INTO projects(path, agreed, print, said) VALUES (?, ?, ?, ?) "
        "ON CONFLICT(path) DO UPDATE SET agreed = excluded.agreed, print = excluded.print, "
        "said = excluded.said",
        (as_column(project), answer.agreed, answer.print, answer.when),
    )
