"""What memory left in conversations: lines that were recalled, pinned facts at the beginning of requests, and
the words of earlier conversations that a question fits.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence

import msgspec

from app.attachment_records import said
from app.memory_records import PastHit
from app.records import Message
from app.store import messages, sessions
from app.store.columns import as_column, as_text, pack, unpack

FORGOTTEN = "(forgotten)"
_LOOKED_AT = 80
"""Messages that are looked at one by one."""
_OPEN = (
    "s.deleted IS NULL AND s.private = 0 AND s.parent = '' AND s.id != ? AND m.role IN ('user', 'assistant')"
)
_BY_WORDS = f"""
SELECT s.id, m.id, s.title, m.created, m.role, m.text FROM message_words
JOIN messages m ON m.seq = message_words.rowid JOIN sessions s ON s.id = m.session
WHERE message_words MATCH ? AND {_OPEN} ORDER BY message_words.rank LIMIT {_LOOKED_AT}
"""
_BY_SCAN = f"""
SELECT s.id, m.id, s.title, m.created, m.role, m.text FROM messages m JOIN sessions s ON s.id = m.session
WHERE instr(m.text, ?) AND {_OPEN} ORDER BY m.seq DESC LIMIT {_LOOKED_AT}
"""


def past(
    db: sqlite3.Connection,
    match: str,
    pieces: Sequence[str],
    current: str,
    rate: Callable[[str], float],
    limit: int,
) -> list[PastHit]:
    """Return messages of other conversations, the best of each, that `rate` finds above 0, best first.

    `match` is for the index, `pieces` are looked for as they stand (scripts without spaces). Private and
    deleted conversations, helpers and `current` are left out. Marks are those of all that stood before.
    """
    rows = db.execute(_BY_WORDS, (match, as_column(current))).fetchall() if match else []
    for piece in pieces:
        rows += db.execute(_BY_SCAN, (piece, as_column(current))).fetchall()
    best: dict[str, tuple[float, PastHit]] = {}
    for session, message, title, made, role, column in dict.fromkeys(rows):
        person = role == "user"
        text = said(as_text(column)) if person else as_text(column)
        fit = rate(text)
        if fit > best.get(session, (0.0,))[0]:
            best[session] = (
                fit,
                PastHit(
                    session=session,
                    message=message,
                    title=as_text(title),
                    said=made,
                    person=person,
                    text=text,
                ),
            )
    ranked = sorted(best.values(), key=lambda pair: (-pair[0], -pair[1].said))[:limit]
    return [_with_marks(db, hit) for _fit, hit in ranked]


def _with_marks(db: sqlite3.Connection, hit: PastHit) -> PastHit:
    branch = messages.branch(db, hit.session, hit.message)
    looked = branch[-1:] if hit.person else branch
    marks = dict.fromkeys(mark for message in looked for mark in message.marks)
    return msgspec.structs.replace(hit, marks=tuple(marks))


def is_private(db: sqlite3.Connection, session: str) -> bool:
    """Whether nothing of a session is remembered, nor anything told to it; its helpers go with it."""
    info = sessions.get(db, session) if session else None
    return info is not None and (info.private or is_private(db, info.parent))


def take_out(db: sqlite3.Connection, identities: Sequence[str]) -> None:
    """Take what was recalled of these items out of all conversations: the lines in their messages, and those
    at the beginning of their requests. Their own words stay.
    """
    for identity in identities:
        line = re.compile(rf"^- \[{identity}\] .*$", re.MULTILINE)
        rows = db.execute("SELECT id FROM messages WHERE instr(body, ?)", (f"- [{identity}] ",)).fetchall()
        for (one,) in rows:
            found = messages.get(db, one)
            if found is not None and found.state != "streaming":
                messages.put(db, _without(found, line, identity))
        _out_of_beginnings(db, line, identity)


def _without(message: Message, line: re.Pattern[str], identity: str) -> Message:
    return msgspec.structs.replace(message, context=line.sub(f"- [{identity}] {FORGOTTEN}", message.context))


def _out_of_beginnings(db: sqlite3.Connection, line: re.Pattern[str], identity: str) -> None:
    rows = db.execute(
        "SELECT session, key, value FROM kept WHERE key LIKE 'prefix %' AND instr(value, ?)",
        (f"- [{identity}] ",),
    ).fetchall()
    for session, key, value in rows:
        beginning = unpack(value, dict)
        beginning["memory"] = line.sub(f"- [{identity}] {FORGOTTEN}", str(beginning.get("memory", "")))
        db.execute("UPDATE kept SET value = ? WHERE session = ? AND key = ?", (pack(beginning), session, key))


def holding(db: sqlite3.Connection, texts: Sequence[str]) -> int:
    """Return how many conversations say one of these texts themselves."""
    found: set[str] = set()
    for text in texts:
        rows = db.execute(
            "SELECT DISTINCT session FROM messages WHERE instr(text, ?) OR instr(body, ?)",
            (as_column(text), as_column(text)),
        )
        found.update(row[0] for row in rows)
    return len(found)
