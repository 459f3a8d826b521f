"""What is remembered over conversations: one row each, with an index of its words and the steps that changed
it.

Words of the index come ready from the caller (`words`), since scripts without spaces must be cut first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from app.memory_records import MemoryItem
from app.record import Record
from app.store import feed
from app.store.columns import as_column, as_text, pack, unpack
from app.store.connection import primary_code

CANDIDATES = 60
"""Rows that are looked at one by one for a question."""
STEPS_KEPT = 30 * 86400.0
"""How long a change can be taken back."""
_COLUMNS = "seq, text, topic, project, pinned, body"


class Step(Record):
    """One change of one row; None on a side where it did not stand."""

    item: str
    before: MemoryItem | None
    after: MemoryItem | None
    undone: bool = False


def number(identity: str) -> int:
    """Return the row number of an id, -1 for what is no id."""
    digits = identity[1:] if identity[:1] in ("m", "M") else identity
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 18 else -1


def add(db: sqlite3.Connection, item: MemoryItem, words: str) -> tuple[MemoryItem, str]:
    """Store a new item; return it with its id, and the id of the step."""
    made = _insert(db, item, words)
    return made, _note(db, made.id, None, made)


def get(db: sqlite3.Connection, identity: str) -> MemoryItem | None:
    """Return one item, None where it is gone or put away."""
    rows = _select(db, "WHERE seq = ? AND gone IS NULL", (number(identity),))
    return rows[0] if rows else None


def put_away_items(db: sqlite3.Connection, before: float = 1e18) -> list[MemoryItem]:
    """Return what waits to be forgotten for good since before that time."""
    return _select(db, "WHERE gone < ? ORDER BY seq", (before,))


def listed(
    db: sqlite3.Connection,
    kinds: Sequence[str] = (),
    *,
    project: str | None = None,
    topic: str | None = None,
    pinned: bool = False,
    limit: int = 1_000_000,
) -> list[MemoryItem]:
    """Return items that are not put away, the pinned ones first, then by when they were last said."""
    where, values = ["gone IS NULL"], list[Any]()
    if kinds:
        where.append(f"kind IN ({', '.join('?' * len(kinds))})")
        values += kinds
    for column, wanted in (("project", project), ("topic", topic)):
        if wanted is not None:
            where.append(f"{column} = ?")
            values.append(as_column(wanted))
    if pinned:
        where.append("pinned = 1")
    rest = f"WHERE {' AND '.join(where)} ORDER BY pinned DESC, said DESC, seq DESC LIMIT ?"
    return _select(db, rest, (*values, limit))


def change(db: sqlite3.Connection, item: MemoryItem, words: str | None = None, *, noted: bool = True) -> str:
    """Replace an item, and its words where they are given; return the id of the step, "" for none."""
    before = get(db, item.id)
    if before is None:
        return ""
    _update(db, item, words)
    if not noted:
        return ""
    feed.append(db, "memory")
    return _note(db, item.id, before, item)


def remove(db: sqlite3.Connection, identity: str) -> str:
    """Take an item out so that it can be taken back; return the id of the step."""
    before = get(db, identity)
    db.execute("DELETE FROM memory_items WHERE seq = ? AND gone IS NULL", (number(identity),))
    feed.append(db, "memory")
    return _note(db, identity, before, None)


def use(db: sqlite3.Connection, identities: Iterable[str], now: float) -> None:
    """Take down that these were recalled; no change that anybody has to hear of."""
    for identity in identities:
        found = get(db, identity)
        if found is not None:
            change(db, msgspec.structs.replace(found, used=now), noted=False)


def count(db: sqlite3.Connection) -> int:
    """Return how many items there are, those put away included."""
    return int(db.execute("SELECT count(*) FROM memory_items").fetchone()[0])


def matching(
    db: sqlite3.Connection, match: str, kinds: Sequence[str] = ()
) -> list[tuple[MemoryItem, list[str]]]:
    """Return the items that fit a MATCH best with their words, put away ones left out."""
    named = f"AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    try:
        return _matching(db, match, named, kinds)
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
    # The index alone may be damaged, and the next upkeep makes it anew.
    return _with_words(db, f"WHERE gone IS NULL {named} ORDER BY said DESC", kinds)


def _matching(
    db: sqlite3.Connection, match: str, named: str, kinds: Sequence[str]
) -> list[tuple[MemoryItem, list[str]]]:
    return _with_words(
        db,
        "JOIN (SELECT rowid AS found, rank AS fit FROM memory_words WHERE memory_words MATCH ?"
        f" ORDER BY rank LIMIT {CANDIDATES}) ON found = seq WHERE gone IS NULL {named} ORDER BY fit",
        (match, *kinds),
    )


def _with_words(
    db: sqlite3.Connection, rest: str, values: Sequence[Any]
) -> list[tuple[MemoryItem, list[str]]]:
    rows = db.execute(f"SELECT {_COLUMNS}, words FROM memory_items {rest}", values)
    return [(_item(*row[:-1]), str(row[-1]).split()) for row in rows]


def frequencies(db: sqlite3.Connection, matches: Sequence[str]) -> list[int]:
    """Return how many items hold each of these words, in their order."""
    ask = "SELECT count(*) FROM memory_words WHERE memory_words MATCH ?"
    try:
        return [int(db.execute(ask, (match,)).fetchone()[0]) for match in matches]
    except sqlite3.DatabaseError as error:
        if primary_code(error) != sqlite3.SQLITE_CORRUPT:
            raise
        return [0] * len(matches)


# --- taking back -------------------------------------------------------------------------------------------


def step(db: sqlite3.Connection, identity: int) -> Step | None:
    """Return one change."""
    row = db.execute(
        "SELECT item, before, after, undone FROM memory_steps WHERE seq = ?", (identity,)
    ).fetchone()
    if row is None:
        return None
    before, after = (None if body is None else unpack(body, MemoryItem) for body in row[1:3])
    return Step(f"m{row[0]}", before, after, bool(row[3]))


def take_back(
    db: sqlite3.Connection, identity: int, words: str
) -> Literal["gone", "taken_back", "changed"] | str:
    """Undo a change, which is a change itself: return its id, or why it cannot be done. `words` are those of
    the text that comes back.
    """
    found = step(db, identity)
    if found is None:
        return "gone"
    if found.undone:
        return "taken_back"
    now = get(db, found.item)
    if _content(now) != _content(found.after):
        return "changed"
    back = found.before
    if back is None:
        db.execute("DELETE FROM memory_items WHERE seq = ?", (number(found.item),))
    elif now is None:
        back = msgspec.structs.replace(back, revision=back.revision + 1)
        _insert(db, back, words, number(found.item))
    else:
        back = msgspec.structs.replace(back, revision=now.revision + (back.text != now.text))
        _update(db, back, words)
    db.execute("UPDATE memory_steps SET undone = 1 WHERE seq = ?", (identity,))
    feed.append(db, "memory")
    return _note(db, found.item, now, back)


def _content(item: MemoryItem | None) -> MemoryItem | None:
    """Return an item without what changes by itself."""
    return None if item is None else msgspec.structs.replace(item, revision=0, used=0.0, conflicts=())


def forget_steps(db: sqlite3.Connection, before: float) -> None:
    """Let go of changes that are too old to be taken back."""
    db.execute("DELETE FROM memory_steps WHERE made < ?", (before,))


# --- forgetting --------------------------------------------------------------------------------------------


def put_away(db: sqlite3.Connection, identities: Iterable[str], now: float | None) -> int:
    """Take items out of sight, or with None bring them back; return how many."""
    done = 0
    for identity in identities:
        there = "gone IS NULL" if now is not None else "gone IS NOT NULL"
        ask = f"UPDATE memory_items SET gone = ? WHERE seq = ? AND {there}"
        done += db.execute(ask, (now, number(identity))).rowcount
    if done:
        feed.append(db, "memory")
    return done


def erase(db: sqlite3.Connection, identities: Iterable[str]) -> int:
    """Remove items for good with all that was kept of their changes; return how many there were.

    The connection overwrites what held them; what the log still holds goes with `Store.scrub`.
    """
    done, numbers = 0, [number(identity) for identity in identities]
    for one in numbers:
        db.execute("DELETE FROM memory_steps WHERE item = ?", (one,))
        done += db.execute("DELETE FROM memory_items WHERE seq = ?", (one,)).rowcount
    if done:
        _forget_conflicts(db, {f"m{one}" for one in numbers})
        # A deleted row stays in the index's older segments until they are merged into one.
        db.execute("INSERT INTO memory_words(memory_words) VALUES ('optimize')")
        feed.append(db, "memory")
    return done


def _forget_conflicts(db: sqlite3.Connection, gone: set[str]) -> None:
    for one in _select(db, "WHERE instr(body, '\"conflicts\":[') > 0", ()):
        left = tuple(other for other in one.conflicts if other not in gone)
        if left != one.conflicts:
            _update(db, msgspec.structs.replace(one, conflicts=left), None)


# --- rows --------------------------------------------------------------------------------------------------


def _select(db: sqlite3.Connection, rest: str, values: Sequence[Any]) -> list[MemoryItem]:
    rows = db.execute(f"SELECT {_COLUMNS} FROM memory_items {rest}", values)
    return [_item(*row) for row in rows]


def _item(seq: int, text: Any, topic: Any, project: Any, pinned: int, body: bytes) -> MemoryItem:
    return msgspec.structs.replace(
        unpack(body, MemoryItem),
        id=f"m{seq}",
        text=as_text(text),
        topic=as_text(topic),
        project=as_text(project),
        pinned=bool(pinned),
    )


class _Body(MemoryItem, omit_defaults=True, kw_only=True):
    """An item as JSON without what is empty."""


def _body(item: MemoryItem) -> bytes:
    fields = {name: getattr(item, name) for name in MemoryItem.__struct_fields__}
    return pack(_Body(**{**fields, "text": "", "topic": "", "project": "", "id": "", "pinned": False}))


def _insert(db: sqlite3.Connection, item: MemoryItem, words: str, seq: int | None = None) -> MemoryItem:
    cursor = db.execute(
        "INSERT INTO memory_items(seq, kind, text, topic, project, pinned, said, words, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            seq,
            item.kind,
            as_column(item.text),
            as_column(item.topic),
            as_column(item.project),
            item.pinned,
            item.said,
            words,
            _body(item),
        ),
    )
    feed.append(db, "memory")
    return msgspec.structs.replace(item, id=f"m{cursor.lastrowid}")


def _update(db: sqlite3.Connection, item: MemoryItem, words: str | None) -> None:
    db.execute(
        "UPDATE memory_items SET text = ?, topic = ?, project = ?, pinned = ?, said = ?, body = ?"
        " WHERE seq = ?",
        (
            as_column(item.text),
            as_column(item.topic),
            as_column(item.project),
            item.pinned,
            item.said,
            _body(item),
            number(item.id),
        ),
    )
    if words is not None:
        db.execute("UPDATE memory_items SET words = ? WHERE seq = ?", (words, number(item.id)))


def _note(db: sqlite3.Connection, identity: str, before: MemoryItem | None, after: MemoryItem | None) -> str:
    sides = [None if side is None else pack(side) for side in (before, after)]
    cursor = db.execute(
        "INSERT INTO memory_steps(item, made, before, after) VALUES (?, bramble_now(), ?, ?)",
        (number(identity), *sides),
    )
    return f"memory-{cursor.lastrowid}"
