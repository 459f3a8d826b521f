"""The tables, as numbered steps: a step that was ever released is never edited, a new one is appended.

Times are unix seconds. Columns named text, title, cwd, reasoning and path hold what `columns.as_column`
gives; body holds `columns.pack`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

Step = Callable[[sqlite3.Connection], None]

WORDS = "tokenize=\"unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'\""
"""Vowel signs (Mn, Mc) belong to their word, else every Hindi word falls apart."""

CONVERSATIONS = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE processes(
    owner TEXT PRIMARY KEY, pid INTEGER NOT NULL, begun REAL NOT NULL, place TEXT NOT NULL, opened REAL NOT
    NULL
) WITHOUT ROWID;

CREATE TABLE sessions(
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title NOT NULL, summary NOT NULL DEFAULT '', cwd NOT
    NULL,
    model TEXT NOT NULL, mode TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0, archived INTEGER NOT NULL DEFAULT 0, deleted REAL, head TEXT
);
CREATE INDEX sessions_by_time ON sessions(updated DESC, seq DESC);

CREATE TABLE kept(
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, key TEXT NOT NULL, value NOT NULL,
    PRIMARY KEY(session, key)
) WITHOUT ROWID;

CREATE TABLE messages(
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    parent TEXT REFERENCES messages(id), turn TEXT NOT NULL, role TEXT NOT NULL, state TEXT NOT NULL,
    created REAL NOT NULL, text NOT NULL, body BLOB NOT NULL
);
CREATE INDEX messages_by_session ON messages(session);
CREATE INDEX messages_by_parent ON messages(parent, session);

CREATE TABLE pieces(
    seq INTEGER PRIMARY KEY, message TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    text NOT NULL, reasoning NOT NULL
);
CREATE INDEX pieces_by_message ON pieces(message);

CREATE TABLE queue(
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, kind TEXT NOT NULL, text NOT NULL,
    owner TEXT NOT NULL DEFAULT ''
);
CREATE INDEX queue_by_session ON queue(session, kind);
"""

INDEX = f"""
CREATE VIRTUAL TABLE message_words USING fts5(text, content='messages', content_rowid='seq', {WORDS});
CREATE TRIGGER message_words_add AFTER INSERT ON messages BEGIN
    INSERT INTO message_words(rowid, text) VALUES (new.seq, new.text);
END;
CREATE TRIGGER message_words_change AFTER UPDATE OF text ON messages WHEN old.text IS NOT new.text BEGIN
    INSERT INTO message_words(message_words, rowid, text) VALUES ('delete', old.seq, old.text);
    INSERT INTO message_words(rowid, text) VALUES (new.seq, new.text);
END;
CREATE TRIGGER message_words_drop AFTER DELETE ON messages BEGIN
    INSERT INTO message_words(message_words, rowid, text) VALUES ('delete', old.seq, old.text);
END;

CREATE VIRTUAL TABLE title_words USING fts5(title, content='sessions', content_rowid='seq', {WORDS});
CREATE TRIGGER title_words_add AFTER INSERT ON sessions BEGIN
    INSERT INTO title_words(rowid, title) VALUES (new.seq, new.title);
END;
CREATE TRIGGER title_words_change AFTER UPDATE OF title ON sessions WHEN old.title IS NOT new.title BEGIN
    INSERT INTO title_words(title_words, rowid, title) VALUES ('delete', old.seq, old.title);
    INSERT INTO title_words(rowid, title) VALUES (new.seq, new.title);
END;
CREATE TRIGGER title_words_drop AFTER DELETE ON sessions BEGIN
    INSERT INTO title_words(title_words, rowid, title) VALUES ('delete', old.seq, old.title);
END;
"""

COORDINATION = """
CREATE TABLE leases(
    name TEXT PRIMARY KEY, owner TEXT NOT NULL, pid INTEGER NOT NULL, begun REAL NOT NULL, place TEXT NOT
    NULL,
    taken REAL NOT NULL, until REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE approvals(
    id TEXT PRIMARY KEY, session TEXT NOT NULL, turn TEXT NOT NULL, asked REAL NOT NULL, owner TEXT NOT NULL,
    pid INTEGER NOT NULL, begun REAL NOT NULL, place TEXT NOT NULL, body BLOB NOT NULL, answer BLOB, answered
    REAL
) WITHOUT ROWID;
CREATE INDEX approvals_waiting ON approvals(asked) WHERE answer IS NULL;

CREATE TABLE feed(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, kind TEXT NOT NULL, session TEXT NOT NULL,
    ref TEXT NOT NULL
);
"""

RECORDS = """
CREATE TABLE changes(
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL, turn TEXT NOT NULL, made REAL NOT
    NULL,
    undone INTEGER NOT NULL DEFAULT 0, body BLOB NOT NULL
);
CREATE INDEX changes_by_session ON changes(session);
CREATE INDEX changes_by_turn ON changes(turn);
CREATE INDEX changes_by_time ON changes(made);

CREATE TABLE change_files(
    change INTEGER NOT NULL REFERENCES changes(seq) ON DELETE CASCADE, place INTEGER NOT NULL,
    path NOT NULL, before TEXT, after TEXT, body BLOB NOT NULL, PRIMARY KEY(change, place)
) WITHOUT ROWID;
CREATE INDEX change_files_by_before ON change_files(before);
CREATE INDEX change_files_by_after ON change_files(after);

CREATE TABLE blobs(sha TEXT PRIMARY KEY, size INTEGER NOT NULL, made REAL NOT NULL) WITHOUT ROWID;

CREATE TABLE spend(
    day TEXT NOT NULL, model TEXT NOT NULL, requests INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER
    NOT NULL,
    cached INTEGER NOT NULL, written INTEGER NOT NULL, reasoning INTEGER NOT NULL, exact INTEGER NOT NULL,
    cost REAL NOT NULL, unpriced INTEGER NOT NULL, PRIMARY KEY(day, model)
) WITHOUT ROWID;
"""

EVERYDAY = """
CREATE TABLE inquiries(
    id TEXT NOT NULL PRIMARY KEY, session TEXT NOT NULL, asked REAL NOT NULL, pid INTEGER NOT NULL,
    begun REAL NOT NULL, place TEXT NOT NULL, body BLOB NOT NULL, reply BLOB
) WITHOUT ROWID;
CREATE TABLE timers(
    id TEXT NOT NULL PRIMARY KEY, label NOT NULL, due REAL NOT NULL, session TEXT NOT NULL,
    made REAL NOT NULL, rang REAL, pid INTEGER NOT NULL DEFAULT 0, begun REAL NOT NULL DEFAULT 0,
    place TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX timers_by_due ON timers(due);
"""
"""`rang` is when a process took it upon itself to tell the person; that process is named beside it."""

MEMORY = f"""
CREATE TABLE memory_items(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, text NOT NULL, topic NOT NULL,
    project NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0, gone REAL, said REAL NOT NULL, words TEXT NOT NULL, body BLOB NOT NULL
);
CREATE INDEX memory_items_by_kind ON memory_items(kind, said);

CREATE TABLE memory_steps(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL, made REAL NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0, before BLOB, after BLOB
);
CREATE INDEX memory_steps_by_item ON memory_steps(item);

CREATE VIRTUAL TABLE memory_words USING fts5(words, content='memory_items', content_rowid='seq', {WORDS});
CREATE TRIGGER memory_words_add AFTER INSERT ON memory_items BEGIN
    INSERT INTO memory_words(rowid, words) VALUES (new.seq, new.words);
END;
CREATE TRIGGER memory_words_change AFTER UPDATE OF words ON memory_items WHEN old.words IS NOT new.words BEGIN
    INSERT INTO memory_words(memory_words, rowid, words) VALUES ('delete', old.seq, old.words);
    INSERT INTO memory_words(rowid, words) VALUES (new.seq, new.words);
END;
CREATE TRIGGER memory_words_drop AFTER DELETE ON memory_items BEGIN
    INSERT INTO memory_words(memory_words, rowid, words) VALUES ('delete', old.seq, old.words);
END;
"""

ROUTINES = """
CREATE TABLE routines(
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name NOT NULL, enabled INTEGER NOT NULL,
    zone TEXT NOT NULL, used_zone TEXT NOT NULL, through INTEGER NOT NULL, next INTEGER,
    failures INTEGER NOT NULL, revision INTEGER NOT NULL, removed REAL, body BLOB NOT NULL
);
CREATE INDEX routines_by_next ON routines(next) WHERE enabled AND removed IS NULL;

CREATE TABLE slots(
    routine TEXT NOT NULL REFERENCES routines(id) ON DELETE CASCADE, slot INTEGER NOT NULL,
    last INTEGER NOT NULL, count INTEGER NOT NULL, start INTEGER NOT NULL, state TEXT NOT NULL,
    reason TEXT NOT NULL, cause TEXT NOT NULL, decided REAL NOT NULL, started REAL, finished REAL,
    session TEXT NOT NULL DEFAULT '', detail NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '',
    pid INTEGER NOT NULL DEFAULT 0, begun REAL NOT NULL DEFAULT 0, place TEXT NOT NULL DEFAULT '',
    PRIMARY KEY(routine, slot)
) WITHOUT ROWID;
CREATE INDEX slots_due ON slots(start) WHERE state = 'due';
CREATE INDEX slots_claimed ON slots(routine) WHERE state = 'claimed';
CREATE INDEX slots_by_time ON slots(slot);
"""
"""A slot is one row from the moment it is due, so that its key alone keeps it from running twice."""

WATCH_SNAPSHOTS = """
CREATE TABLE watch_snapshots(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, watch TEXT NOT NULL, at REAL NOT NULL, size INTEGER NOT NULL,
    told INTEGER NOT NULL DEFAULT 0, body BLOB NOT NULL
);
CREATE INDEX watch_snapshots_by_watch ON watch_snapshots(watch, at, seq);

CREATE TABLE watch_values(
    watch TEXT NOT NULL, at REAL NOT NULL, value REAL NOT NULL, PRIMARY KEY(watch, at)
) WITHOUT ROWID;
"""


def _first(db: sqlite3.Connection) -> None:
    for part in (CONVERSATIONS, INDEX, COORDINATION, RECORDS):
        for statement in statements(part):
            db.execute(statement)


def statements(script: str) -> list[str]:
    """Split a script at whole statements (triggers hold semicolons); executescript would commit the
    transaction.
    """
    found, current = [], ""
    for line in script.splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current.strip())
            current = ""
    return [statement for statement in found if statement]


def _paths(db: sqlite3.Connection) -> None:
    """Find the changes of a path fast: its marks, and what was trashed from there."""
    db.execute("CREATE INDEX change_files_by_path ON change_files(path)")


def _lookups(db: sqlite3.Connection) -> None:
    """Count how often tools were looked for, found and called, and keep what found none."""
    db.execute(
        "CREATE TABLE lookups(kind TEXT NOT NULL, tool TEXT NOT NULL, times INTEGER NOT NULL, "
        "PRIMARY KEY(kind, tool)) WITHOUT ROWID"
    )
    db.execute(
        "CREATE TABLE misses(seq INTEGER PRIMARY KEY, query NOT NULL UNIQUE, times INTEGER NOT NULL, "
        "last REAL NOT NULL)"
    )
    db.execute("CREATE INDEX misses_by_time ON misses(last)")


def _projects(db: sqlite3.Connection) -> None:
    """Keep what a person said to the instructions of a project."""
    db.execute(
        "CREATE TABLE projects(path NOT NULL PRIMARY KEY, agreed INTEGER NOT NULL, print TEXT NOT NULL, "
        "said REAL NOT NULL) WITHOUT ROWID"
    )


def _notes(db: sqlite3.Connection) -> None:
    """Keep the notes that a person pins in a conversation, and how much its model reasons."""
    db.execute(
        "CREATE TABLE pins(seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
        "session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE, text NOT NULL, body BLOB NOT NULL)"
    )
    db.execute("CREATE INDEX pins_by_session ON pins(session)")
    db.execute("ALTER TABLE sessions ADD COLUMN effort TEXT NOT NULL DEFAULT ''")


def _helpers(db: sqlite3.Connection) -> None:
    """Let a conversation be the helper of another one."""
    db.execute("ALTER TABLE sessions ADD COLUMN parent TEXT NOT NULL DEFAULT ''")
    db.execute("CREATE INDEX sessions_by_parent ON sessions(parent) WHERE parent != ''")


def _memory(db: sqlite3.Connection) -> None:
    """Remember facts, notes of projects and to-do items, and let a conversation be one without memory."""
    for statement in statements(MEMORY):
        db.execute(statement)
    db.execute("ALTER TABLE sessions ADD COLUMN private INTEGER NOT NULL DEFAULT 0")


def _everyday(db: sqlite3.Connection) -> None:
    """Keep timers, and what models ask the person."""
    for statement in statements(EVERYDAY):
        db.execute(statement)


def _routines(db: sqlite3.Connection) -> None:
    """Keep routines, and one outcome for each of their slots."""
    for statement in statements(ROUTINES):
        db.execute(statement)


def _watch_snapshots(db: sqlite3.Connection) -> None:
    """Keep what page watches saw, and the numbers of it for longer."""
    for statement in statements(WATCH_SNAPSHOTS):
        db.execute(statement)


STEPS: tuple[Step, ...] = (
    _first,
    _paths,
    _lookups,
    _projects,
    _notes,
    _helpers,
    _memory,
    _everyday,
    _routines,
    _watch_snapshots,
)
"""Step number n brings a database from PRAGMA user_version n - 1 to n."""
