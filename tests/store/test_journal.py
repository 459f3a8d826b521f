"""Journaled changes: rows, their files, and the caps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.errors import StoreError
from app.records import ChangeInfo, FileDiff, Mark
from app.store import blobs, journal
from app.store.database import Store
from app.store.journal import JournaledFile


def change(name: str, **fields: Any) -> ChangeInfo:
    """Return a change of one file."""
    files = (FileDiff(path="/x\udcff", shown="x", kind="changed", added=1, removed=2),)
    defaults: dict[str, Any] = {
        "session": "s",
        "turn": "t",
        "tool": "edit_file",
        "made": 100.0,
        "files": files,
    }
    return ChangeInfo(id=name, **{**defaults, **fields})


def file(path: str, before: str | None, after: str | None, size: int = 10) -> JournaledFile:
    """Return a journaled file whose contents have that size."""
    return JournaledFile(
        path=path, before=before, after=after, before_size=size, after_size=size, before_mode=0o644
    )


async def test_changes_are_found_by_session_turn_and_time(store: Store) -> None:
    await store.write(journal.record, change("a", turn="t1", made=1.0), [file("/x\udcff", "A", "B")])
    await store.write(journal.record, change("b", turn="t2", made=2.0), [])
    await store.write(journal.record, change("c", session="other", turn="t3", made=3.0), [])
    found: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["c", "b", "a"]),
        ({"session": "s"}, ["b", "a"]),
        ({"turn": "t1"}, ["a"]),
        ({"since": 2.0}, ["c", "b"]),
        ({"session": "s", "since": 2.0}, ["b"]),
        ({"since": 0}, ["c", "b", "a"]),
        ({"limit": 1}, ["c"]),
    ]
    for wanted, names in found:
        assert [one.id for one in await store.read(journal.changes, **wanted)] == names
    assert await store.read(journal.files, "a") == [file("/x\udcff", "A", "B")]
    assert await store.read(journal.change, "a") == change("a", turn="t1", made=1.0)
    assert await store.read(journal.change, "z") is None


async def test_marks_amendments_and_removal(store: Store) -> None:
    await store.write(journal.record, change("a"), [file("/one", "A", "B")])
    await store.write(journal.record, change("b"), [])
    await store.write(journal.mark_undone, "a")
    marked = await store.read(journal.change, "a")
    assert marked is not None and marked.undone
    await store.write(
        journal.amend, change("a", tool="other"), [file("/two", "A", "C"), file("/three", None, "D")]
    )
    amended = await store.read(journal.change, "a")
    assert amended is not None and amended.tool == "other"
    assert [one.path for one in await store.read(journal.files, "a")] == ["/two", "/three"]
    assert await store.read(journal.known_blobs) == {"A", "C", "D"}
    assert [one.id for one in await store.read(journal.changes)] == ["b", "a"], "it keeps its place"
    await store.write(journal.remove, "a")
    assert await store.read(journal.change, "a") is None
    assert await store.read(journal.known_blobs) == set()
    for work in (journal.mark_undone, lambda db, name: journal.amend(db, change(name), [])):
        with pytest.raises(StoreError) as caught:
            await store.write(work, "z")
        assert caught.value.code == "no_change"


async def test_old_changes_and_their_blobs_go_at_the_caps(store: Store) -> None:
    for number in range(5):
        files = [file(f"/{number}", f"A{number}", f"A{number + 1}", 100)]
        await store.write(journal.record, change(f"c{number}", made=float(number * 1000)), files)
    assert await store.write(journal.forget_old, 4000.0, cap_bytes=10_000, cap_seconds=5000.0) == []
    assert await store.write(journal.forget_old, 4000.0, cap_bytes=10_000, cap_seconds=3500.0) == ["A0"]
    unused = await store.write(journal.forget_old, 4000.0, cap_bytes=300, cap_seconds=9000.0)
    assert unused == ["A1", "A2"], "what a later change still names stays"
    assert [one.id for one in await store.read(journal.changes)] == ["c4", "c3"]
    assert await store.write(journal.forget_old, 4000.0, cap_bytes=0, cap_seconds=9000.0) is not None
    assert await store.read(journal.changes) == []
    assert await store.read(journal.known_blobs) == set()


def test_blobs_are_whole_private_and_stored_once(tmp_path: Path) -> None:
    sha = blobs.put(tmp_path, b"content\0\xff")
    assert blobs.put(tmp_path, b"content\0\xff") == sha
    assert blobs.get(tmp_path, sha) == b"content\0\xff"
    (file_path,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert file_path == blobs.path_of(tmp_path, sha) and file_path.stat().st_mode & 0o777 == 0o600
    assert blobs.get(tmp_path, blobs.put(tmp_path, b"")) == b""
    assert not blobs.remove(tmp_path, sha, older_than=0.0), "somebody put it just now"
    assert blobs.get(tmp_path, sha) == b"content\0\xff"
    assert blobs.remove(tmp_path, sha, older_than=1e12) and blobs.remove(tmp_path, sha, older_than=1e12)
    with pytest.raises(StoreError) as caught:
        blobs.get(tmp_path, sha)
    assert caught.value.code == "not_found"


def test_a_damaged_blob_is_told_and_written_again(tmp_path: Path) -> None:
    sha = blobs.put(tmp_path, b"content")
    blobs.path_of(tmp_path, sha).write_bytes(b"CONTENT")
    with pytest.raises(StoreError) as caught:
        blobs.get(tmp_path, sha)
    assert caught.value.code == "store_corrupt"
    blobs.path_of(tmp_path, sha).write_bytes(b"cut")
    assert blobs.put(tmp_path, b"content") == sha
    assert blobs.get(tmp_path, sha) == b"content"


def test_orphans_go_when_they_are_old(tmp_path: Path) -> None:
    kept, orphan = blobs.put(tmp_path, b"kept"), blobs.put(tmp_path, b"orphan")
    assert blobs.remove_orphans(tmp_path, {kept}, older_than=0.0) == 0
    assert blobs.remove_orphans(tmp_path, {kept}, older_than=1e12) == 1
    assert blobs.get(tmp_path, kept) == b"kept"
    with pytest.raises(StoreError):
        blobs.get(tmp_path, orphan)


async def test_the_marks_of_a_file_are_those_of_its_newest_standing_change(store: Store) -> None:
    web, mail = Mark(kind="web", name="example.org"), Mark(kind="mail", name="a@example.org")
    await store.write(journal.record, change("a", marks=(mail,)), [file("/one", "A", "B")])
    await store.write(journal.record, change("b", marks=(web,)), [file("/one", "B", "C")])
    assert await store.read(journal.marks_of, "/one") == (web,)
    await store.write(journal.record, change("u", undoes=("b",)), [file("/one", "C", "B")])
    await store.write(journal.mark_taken_back, ("b",))
    assert await store.read(journal.marks_of, "/one") == (mail,)
    moved = JournaledFile(path="/two", after="B", after_size=10, old_path="/one")
    await store.write(journal.record, change("m"), [moved, file("/one", "B", None)])
    assert await store.read(journal.marks_of, "/two") == (mail,)
    await store.write(journal.record, change("c"), [file("/one", "B", "D")])
    assert await store.read(journal.marks_of, "/one") == ()
    assert await store.read(journal.marks_of, "/nowhere\udcff") == ()
