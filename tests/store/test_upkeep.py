"""The night's work: backup, purge, journal and spill at their caps."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from app.platform.paths import home as home_of
from app.records import ChangeInfo, SessionInfo
from app.store import blobs, journal, sessions, upkeep
from app.store.database import Store
from app.store.journal import JournaledFile

Make = Callable[..., SessionInfo]


async def test_a_night_backs_up_and_clears_away(home: Path, session: Make) -> None:
    folders = home_of({"BRAMBLE_HOME": str(home)})
    assert folders.make() is None
    now = 1_760_000_000.0
    store = Store(folders.database, lambda: now, backups=folders.backups)
    await store.open()
    old, new = blobs.put(folders.journal, b"old"), blobs.put(folders.journal, b"new")
    orphan = blobs.put(folders.journal, b"orphan")
    for sha in (old, orphan):
        os.utime(blobs.path_of(folders.journal, sha), (now - 2 * upkeep.DAY,) * 2)
    for name, sha, made in (("a", old, now - 31 * upkeep.DAY), ("b", new, now)):
        change = ChangeInfo(id=name, session="s", turn="t", tool="x", made=made, files=())
        file = JournaledFile(path="/x", before=sha, before_size=3)
        await store.write(journal.record, change, [file])
    (folders.spill / "s").mkdir()
    (folders.spill / "s" / "old.txt").write_text("x")
    os.utime(folders.spill / "s" / "old.txt", (now - 31 * upkeep.DAY,) * 2)
    await store.write(sessions.create, session("gone"))
    await store.write(sessions.delete, "gone")
    await store.write(sessions.create, session("kept"))
    for name in ("gone", "kept", "_"):
        (folders.temporaries / name / "below").mkdir(parents=True)
    done = await upkeep.nightly(store, folders, now)
    assert (folders.temporaries / "gone").exists(), "it may still be brought back"
    assert done.backup is not None and done.backup.exists()
    assert (done.sessions, done.blobs, done.spilled) == (0, 2, 1)
    assert [file.name for file in folders.journal.rglob("*") if file.is_file()] == [new]
    assert list(folders.spill.iterdir()) == []
    now += 31 * upkeep.DAY
    later = await upkeep.nightly(store, folders, now)
    assert later.sessions == 1 and later.backup is not None
    assert {place.name for place in folders.temporaries.iterdir()} == {"kept", "_"}
    assert (await upkeep.nightly(store, folders, now + 60)).backup is None
    await store.close()


def test_spill_goes_by_age_and_then_by_size_oldest_first(tmp_path: Path) -> None:
    for number in range(5):
        path = tmp_path / "turn" / f"{number}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * 100)
        os.utime(path, (number * 1000.0,) * 2)
    assert upkeep.clean_spill(tmp_path, 4000.0, seconds=3500.0, cap=10_000) == 1
    assert upkeep.clean_spill(tmp_path, 4000.0, seconds=9000.0, cap=250) == 2
    assert sorted(path.name for path in tmp_path.rglob("*.txt")) == ["3.txt", "4.txt"]
    assert upkeep.clean_spill(tmp_path / "missing", 0.0) == 0
