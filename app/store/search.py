"""Full-text search over all branches of all sessions that are not deleted."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from app.attachment_records import said
from app.errors import StoreError
from app.records import SearchHit
from app.store.columns import as_text
from app.store.connection import primary_code

_OPEN, _CLOSE = "\u2068", "\u2069"
_MARK_OPEN, _MARK_CLOSE = "\ue000", "\ue001"
"""Marks inside SQL, from the private use area, changed for the real ones once the snippet is cleaned."""
_SNIPPET_WORDS = 14
_SCAN_BEFORE, _SCAN_AFTER = 30, 70
"""Characters around a hit of the plain scan."""

# Scripts that write without spaces: a whole sentence is one word to the index, so that only a scan finds a
# part of it.
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)

_MATCHES = "SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rank"
_SNIPPET = f"snippet(message_words, 0, '{_MARK_OPEN}', '{_MARK_CLOSE}', '…', {_SNIPPET_WORDS})"
_THERE = """s.deleted IS NULL AND (s.parent = '' OR NOT EXISTS (
    SELECT 1 FROM sessions whole WHERE whole.id = s.parent AND whole.deleted IS NOT NULL))"""
"""What is not deleted, nor the helper of a conversation that is."""
_SENT = "CASE WHEN m.role = 'user' AND instr(m.text, 'Attached ') THEN m.text END"
"""The text of a message that may have attachments, which a snippet leaves out."""
_MATCH = f"""
SELECT s.id, m.id, s.title, CAST({_SNIPPET} AS BLOB), m.created, {_SENT}
FROM message_words JOIN messages m ON m.seq = message_words.rowid JOIN sessions s ON s.id = m.session
WHERE message_words MATCH ? AND message_words.rowid = ? AND {_THERE}
"""
_TITLES = f"""
SELECT s.id, coalesce(s.head, ''), s.title, CAST({_SNIPPET.replace("message", "title")} AS BLOB), s.updated
FROM title_words JOIN sessions s ON s.seq = title_words.rowid
WHERE title_words MATCH ? AND {_THERE} ORDER BY title_words.rank, s.seq DESC LIMIT ?
"""
_BY_SCAN = f"""
SELECT s.id, m.id, s.title, m.text, m.created, m.role = 'user'
FROM messages m JOIN sessions s ON s.id = m.session
WHERE instr(m.text, ?) AND {_THERE} ORDER BY m.seq DESC LIMIT ?
"""
_TITLES_BY_SCAN = f"""
SELECT s.id, coalesce(s.head, ''), s.title, s.title, s.updated, 0 FROM sessions s
WHERE instr(s.title, ?) AND {_THERE} ORDER BY s.seq DESC LIMIT ?
"""


def search(db: sqlite3.Connection, text: str, limit: int = 50) -> list[SearchHit]:
    """Return hits of the titles, then of the messages, best first; the message of a title's hit is its head.

    All words must be there, the last one may be a beginning. Case and accents do not count. Text in scripts
    without
    spaces, or of signs alone, is looked for as it stands.
    """
    text = clean(text)
    match = match_of(text)
    if not match or re.search(_UNSPACED, text):
        return _scan(db, text.strip(), limit)
    try:
        rows = db.execute(_TITLES, (match, limit)).fetchall()
        rows += _best(db, match, limit - len(rows))
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        # The index alone may be damaged, and the next upkeep makes it anew; a scan meets other damage too.
        return _scan(db, text.strip(), limit)
    return [_hit(row, _snippet(row, text)) for row in rows]


def _best(db: sqlite3.Connection, match: str, limit: int) -> list[tuple[Any, ...]]:
    """Return the best messages; a snippet costs so much that it is made for these alone."""
    found: list[tuple[Any, ...]] = []
    matches = db.execute(_MATCHES, (match,))
    while len(found) < limit and (row := matches.fetchone()):
        found += db.execute(_MATCH, (match, row[0])).fetchall()
    matches.close()
    return found


def rebuild(db: sqlite3.Connection) -> None:
    """Make all indexes anew from the messages, titles and what is remembered."""
    for table in ("message_words", "title_words", "memory_words"):
        db.execute(f"INSERT INTO {table}({table}) VALUES ('rebuild')")


def verify(db: sqlite3.Connection) -> bool:
    """Compare the indexes with what they index and make them anew when they differ; False when they did."""
    try:
        for table in ("message_words", "title_words", "memory_words"):
            db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        rebuild(db)
        return False
    return True


def index_is_damaged(error: StoreError) -> bool:
    """Whether an error of a write came from an index alone, not from a page of the database."""
    return getattr(error.__cause__, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT_VTAB


def match_of(text: str) -> str:
    """Return what to give to MATCH: each word quoted, since raw text may be a syntax error; "" for none."""
    words = [word for word in text.split() if any(character.isalnum() for character in word)]
    quoted = ['"' + word.replace('"', '""') + '"' for word in words]
    # The last word may be half typed, but not one with a sign at its end ("C++").
    return " ".join(quoted) + ("*" if words and words[-1][-1].isalnum() else "")


def clean(text: str) -> str:
    """Return the text as the index can hold it: halves of surrogate pairs joined, single ones and NUL as
    spaces.
    """
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\ufffd", " ").replace("\0", " ")


def _snippet(row: tuple[Any, ...], text: str) -> str:
    """Return the words around a hit; of a message with attachments only from the person's own words."""
    sent = as_text(row[5]) if len(row) > 5 and row[5] is not None else ""
    words = said(sent)
    if words == sent:
        return _one_line(as_text(row[3]))
    tries = (re.search(re.escape(word), words, re.IGNORECASE) for word in text.split())
    found = next(filter(None, tries), None)
    return _around(words, found[0] if found else text)


def _scan(db: sqlite3.Connection, text: str, limit: int) -> list[SearchHit]:
    if not text:
        return []
    rows = db.execute(_TITLES_BY_SCAN, (text, limit)).fetchall()
    rows += db.execute(_BY_SCAN, (text, limit - len(rows))).fetchall()
    return [_hit(row, _around(said(as_text(row[3])) if row[5] else as_text(row[3]), text)) for row in rows]


def _around(text: str, found: str) -> str:
    place = text.find(found)
    if place < 0:
        return _one_line(text[: _SCAN_BEFORE + _SCAN_AFTER])
    end = place + len(found)
    before = text[max(0, place - _SCAN_BEFORE) : place]
    snippet = f"{before}{_MARK_OPEN}{found}{_MARK_CLOSE}{text[end : end + _SCAN_AFTER]}"
    return _one_line(
        ("…" if place > _SCAN_BEFORE else "") + snippet + ("…" if end + _SCAN_AFTER < len(text) else "")
    )


def _one_line(snippet: str) -> str:
    """Return the snippet on one line, its marks as U+2068 and U+2069 and none but ours."""
    plain = " ".join(snippet.replace(_OPEN, "").replace(_CLOSE, "").split())
    return plain.replace(_MARK_OPEN, _OPEN).replace(_MARK_CLOSE, _CLOSE)


def _hit(row: tuple[Any, ...], snippet: str) -> SearchHit:
    return SearchHit(session=row[0], message=row[1], title=as_text(row[2]), snippet=snippet, created=row[4])
