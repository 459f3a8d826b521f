"""sqlite_query on real databases: reading that can write nothing, changes with a way back, locks and logs."""

from __future__ import annotations

import asyncio
import sqlite3
import struct
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from app.documents import databases
from app.errors import ToolError
from app.records import Answer, FilesEffect
from tests.tools.documents.desk import DocumentCaller


def shop(path: Path, *, wal: bool = False) -> Path:
    with closing(sqlite3.connect(path)) as db:
        if wal:
            db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, picture BLOB)")
        db.executemany(
            "INSERT INTO item VALUES (?, ?, ?, ?)", [(n, f"n{n}", n / 4, None) for n in range(1, 51)]
        )
        db.execute("UPDATE item SET picture = x'00ff' WHERE id = 1")
        db.commit()
    return path


def names(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("SELECT name FROM item ORDER BY id LIMIT 3")]


async def test_a_query_shows_rows_and_says_when_there_are_more(call: DocumentCaller) -> None:
    shop(call.desk.folder / "shop.db")
    outcome = await call("sqlite_query", path="shop.db", sql="SELECT * FROM item", limit=2)
    assert outcome.ok and not call.desk.asked and outcome.view.kind == "table"
    assert outcome.text.splitlines() == [
        "| id | name | price | picture |",
        "| --- | --- | --- | --- |",
        "| 1 | n1 | 0.25 | x'00ff' (2 bytes) |",
        "| 2 | n2 | 0.5 | NULL |",
        "[2 rows; there are more: narrow the query or use LIMIT]",
    ]
    schema = await call("sqlite_query", path="shop.db", sql="PRAGMA table_info(item)")
    assert schema.ok and "INTEGER" in schema.text


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM item",
        "SELECT 1; DELETE FROM item",
        "WITH a AS (SELECT 1) INSERT INTO item (name) SELECT 'x' FROM a",
        "PRAGMA journal_mode=DELETE",
        "PRAGMA user_version=7",
        "ATTACH 'other.db' AS other",
        "VACUUM INTO 'copy.db'",
        "SELECT load_extension('x')",
        "CREATE TEMP TABLE t (x)",
        "BEGIN EXCLUSIVE",
        "nonsense",
    ],
)
async def test_reading_can_write_nothing(call: DocumentCaller, sql: str) -> None:
    path = shop(call.desk.folder / "shop.db")
    before = path.read_bytes()
    outcome = await call("sqlite_query", path="shop.db", sql=sql)
    assert not outcome.ok and "failed inside" not in outcome.text and not call.desk.asked, outcome.text
    assert path.read_bytes() == before and [p.name for p in call.desk.folder.iterdir()] == ["shop.db"]


@pytest.mark.parametrize("wal", [False, True])
async def test_a_change_asks_with_its_rows_and_is_taken_back(call: DocumentCaller, wal: bool) -> None:
    path = shop(call.desk.folder / "shop.db", wal=wal)
    sql = "UPDATE item SET name = 'sold' WHERE id < 3"
    outcome = await call("sqlite_query", path="shop.db", sql=sql, write=True)
    assert outcome.ok and outcome.undo and "2 rows changed, verified" in outcome.text, outcome.text
    effect = call.desk.asked[-1]
    assert isinstance(effect, FilesEffect) and effect.undoable
    assert effect.files[0].sample == (sql, "→ 2 rows")
    assert names(path) == ["sold", "sold", "n3"]
    await call.desk.undo.one(outcome.undo)
    assert names(path) == ["n1", "n2", "n3"]


async def test_no_means_no(call: DocumentCaller) -> None:
    path = shop(call.desk.folder / "shop.db")
    before = path.read_bytes()
    call.desk.answer = lambda effect: Answer(decision="deny", reason="keep it")
    outcome = await call("sqlite_query", path="shop.db", sql="DELETE FROM item", write=True)
    assert not outcome.ok and "keep it" in outcome.text and path.read_bytes() == before


async def test_several_statements_happen_all_or_none(call: DocumentCaller) -> None:
    path = shop(call.desk.folder / "shop.db")
    sql = "INSERT INTO item (name) VALUES ('a;b'); INSERT INTO item (id) VALUES (1);"
    outcome = await call("sqlite_query", path="shop.db", sql=sql, write=True)
    assert not outcome.ok and "UNIQUE" in outcome.text and not call.desk.asked, "it fails before the question"
    sql = "INSERT INTO item (name) VALUES ('a;b'); -- done;\nSELECT count(*) AS n FROM item"
    outcome = await call("sqlite_query", path="shop.db", sql=sql, write=True)
    assert outcome.ok and "| 51 |" in outcome.text and "1 row changed" in outcome.text, outcome.text
    assert len(names(path)) == 3
    for way_out in ("ATTACH 'x.db' AS x", "COMMIT", "PRAGMA writable_schema=1", ""):
        refused = await call("sqlite_query", path="shop.db", sql=way_out, write=True)
        assert not refused.ok and "failed inside" not in refused.text, way_out
    assert not (call.desk.folder / "x.db").exists()


async def test_a_new_database_is_made_whole(call: DocumentCaller) -> None:
    sql = "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)"
    outcome = await call("sqlite_query", path="new/a.db", sql=sql, write=True)
    assert outcome.ok and outcome.undo and "verified" in outcome.text, outcome.text
    read = await call("sqlite_query", path="new/a.db", sql="SELECT sum(x) AS s FROM t")
    assert "| 3 |" in read.text
    await call.desk.undo.one(outcome.undo)
    assert not (call.desk.folder / "new").exists()


async def test_a_lock_of_another_program_is_told(call: DocumentCaller) -> None:
    path = shop(call.desk.folder / "shop.db")
    script = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute('BEGIN EXCLUSIVE'); print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-P", "-c", script, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin and other.stdout and other.stdout.readline() == "held\n"
        for write in (False, True):
            outcome = await call("sqlite_query", path="shop.db", sql="SELECT 1 FROM item", write=write)
            assert not outcome.ok and "locked" in outcome.text, outcome.text
        other.stdin.close()
    assert not call.desk.asked


async def test_a_log_that_others_still_read_is_not_torn_away(call: DocumentCaller) -> None:
    path = shop(call.desk.folder / "shop.db", wal=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM item").fetchone()
        with closing(sqlite3.connect(path)) as writer:
            writer.execute("UPDATE item SET name = 'fresh' WHERE id = 1")
            writer.commit()
        fresh = await call("sqlite_query", path="shop.db", sql="SELECT name FROM item WHERE id = 1")
        assert "fresh" in fresh.text
        outcome = await call("sqlite_query", path="shop.db", sql="DELETE FROM item", write=True)
        assert not outcome.ok and "Another program" in outcome.text, outcome.text
    assert names(path)[0] == "fresh"


async def test_nothing_is_put_below_a_log_that_another_program_writes(call: DocumentCaller) -> None:
    path = shop(call.desk.folder / "shop.db", wal=True)
    made = await call("sqlite_query", path="shop.db", sql="DELETE FROM item WHERE id > 1", write=True)
    assert made.ok and made.undo, made.text
    script = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]);"
        "db.execute(\"INSERT INTO item (name) VALUES ('mine')\"); db.commit(); print('in', flush=True);"
        "sys.stdin.read()"
    )
    command = [sys.executable, "-P", "-c", script, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin and other.stdout and other.stdout.readline() == "in\n"
        with pytest.raises(ToolError, match="wal"):
            await call.desk.undo.one(made.undo)
        other.stdin.close()
    assert names(path) == ["n1", "mine"]


def test_what_changed_since_it_was_kept_is_not_written_over(tmp_path: Path) -> None:
    path = str(shop(tmp_path / "shop.db"))
    stamp = databases.settle(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO item (name) VALUES ('mine')")
        other.commit()
    with pytest.raises(databases.Unreadable, match="changed it meanwhile"):
        databases.execute(path, "DELETE FROM item", 1, stamp)
    assert len(names(Path(path))) == 3


async def test_what_is_no_database_is_told(call: DocumentCaller) -> None:
    whole = shop(call.desk.folder / "shop.db").read_bytes()
    call.desk.write("text.db", "hello " * 500)
    call.desk.write("half.db", whole[: len(whole) // 2])
    (call.desk.folder / "folder.db").mkdir()
    for name in ("text.db", "folder.db", "missing.db"):
        outcome = await call("sqlite_query", path=name, sql="SELECT * FROM item")
        assert not outcome.ok and "failed inside" not in outcome.text, (name, outcome.text)
    half = await call(
        "sqlite_query", path="half.db", sql="SELECT count(*), max(name), max(picture) FROM item"
    )
    assert "failed inside" not in half.text
    assert not (call.desk.folder / "missing.db").exists()


def test_a_statement_without_end_is_stopped(tmp_path: Path) -> None:
    path = str(shop(tmp_path / "shop.db"))
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(databases.Unreadable, match="longer than"):
        databases.query(path, endless, 10, seconds=0.3)
    with pytest.raises(databases.Unreadable, match="longer than"):
        databases.execute(
            path, f"UPDATE item SET price = ({endless})", 1, databases.settle(path), seconds=0.3
        )
    assert names(Path(path)) == ["n1", "n2", "n3"]
    with pytest.raises(databases.Unreadable, match=r"memory|too big"):
        databases.query(path, "SELECT length(hex(randomblob(900000000)))", 10)


async def test_a_cancelled_query_ends_its_process(call: DocumentCaller) -> None:
    import psutil

    shop(call.desk.folder / "shop.db")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    task = asyncio.ensure_future(call("sqlite_query", path="shop.db", sql=endless))
    mine = psutil.Process()
    before = {child.pid for child in mine.children()}
    while not (started := {child.pid for child in mine.children()} - before):
        await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    while any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in started):
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("write", [False, True])
async def test_looking_leaves_nothing_beside_a_database_with_a_log(call: DocumentCaller, write: bool) -> None:
    path = call.desk.folder / "logged.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE t(x)")
        db.execute("INSERT INTO t VALUES (7)")
        db.commit()
    before = path.read_bytes()
    sql = "UPDATE t SET x = 8" if write else "SELECT x FROM t"
    call.desk.answer = lambda effect: Answer(decision="deny", by="test")
    done = await call("sqlite_query", path="logged.db", sql=sql, write=write)
    assert done.ok is not write and (write or "| 7 |" in done.text)
    assert [one.name for one in call.desk.folder.iterdir() if one.name.startswith("logged")] == ["logged.db"]
    assert path.read_bytes() == before


async def test_all_statements_are_shown_before_they_run(call: DocumentCaller) -> None:
    shop(call.desk.folder / "shop.db")
    lines = [f"UPDATE item SET name = name; -- {number}" for number in range(40)]
    sql = "\n".join(lines) + "; SELECT 1;" + " " * 400 + "DELETE FROM item;"
    await call("sqlite_query", path="shop.db", sql=sql, write=True)
    (effect,) = call.desk.asked
    assert isinstance(effect, FilesEffect)
    shown = effect.files[0].sample
    assert shown[:39] == tuple(lines[:39]) and shown[39].endswith("DELETE FROM item;")
    call.desk.asked.clear()
    many = await call("sqlite_query", path="shop.db", sql="SELECT 1;" * 4_000, write=True)
    assert not many.ok and "several calls" in many.text and call.desk.asked == []


async def test_a_journal_that_names_another_file_deletes_nothing(call: DocumentCaller) -> None:
    path, victim = shop(call.desk.folder / "shop.db"), call.desk.write("notes.txt", "precious")
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    head = magic + struct.pack(">IIIII", 0, 0, path.stat().st_size // 4096, 512, 4096)
    tail = struct.pack(">I", 0) + name + struct.pack(">II", len(name), sum(name)) + magic
    (call.desk.folder / "shop.db-journal").write_bytes(head.ljust(512, b"\0") + tail)
    for sql, write in (("SELECT 1 FROM item", False), ("UPDATE item SET name = 'x'", True)):
        done = await call("sqlite_query", path="shop.db", sql=sql, write=write)
        assert not done.ok and "broken off" in done.text
    assert victim.read_text() == "precious"
    names(path)  # the trap works: SQLite itself falls into it
    assert not victim.exists()


async def test_a_change_that_was_broken_off_is_put_right_by_the_next(call: DocumentCaller) -> None:
    path = shop(call.desk.folder / "shop.db")
    script = f"""
import os, sqlite3
db = sqlite3.connect({str(path)!r}, isolation_level=None)
db.execute("PRAGMA cache_size=5")
db.execute("BEGIN")
db.execute("DELETE FROM item")
db.executemany("INSERT INTO item (name) VALUES (?)", [("x" * 500,)] * 5000)
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", script]).returncode
    looked = await call("sqlite_query", path="shop.db", sql="SELECT count(*) FROM item")
    assert not looked.ok and "was broken off in it" in looked.text
    done = await call("sqlite_query", path="shop.db", sql="DELETE FROM item WHERE id > 2", write=True)
    assert done.ok, done.text
    assert names(path) == ["n1", "n2"]


@pytest.mark.skipif(sys.platform == "win32", reason="ends a process by signal")
def test_a_change_ends_with_the_process_that_wants_it(tmp_path: Path) -> None:
    """Killed hard, the app leaves no child that goes on changing files behind it."""
    path = shop(tmp_path / "shop.db")
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "INSERT INTO item (name) SELECT i FROM n"
    )
    script = textwrap.dedent(f"""
        import asyncio
        from app.capabilities.files_work import in_process
        from app.documents import databases
        path = {str(path)!r}
        work = in_process(
            databases.execute, path, {endless!r}, 5, databases.settle(path), 300.0, seconds=400
        )
        asyncio.run(work)
    """)
    root = str(Path(__file__).parents[3])
    main = tmp_path / "main.py"
    begin = f"import sys\nsys.path.insert(0, {root!r})\nif __name__ == '__main__':\n"
    main.write_text(begin + textwrap.indent(script, "    "))
    with subprocess.Popen([sys.executable, str(main)]) as process:
        journal = path.with_name("shop.db-journal")
        while not (journal.exists() and journal.stat().st_size):
            assert process.poll() is None
            time.sleep(0.02)
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
    gone, alive = psutil.wait_procs(children, timeout=20)
    assert gone and not alive
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM item").fetchone() == (50,)
