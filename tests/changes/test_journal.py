"""What was begun and cut off is settled: all files new, or all old, and never over a person's own text."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import msgspec
import pytest

from app.changes import journaled, shifts
from app.changes.apply import Step
from app.changes.failures import told
from app.changes.journal import Begun, Journal
from app.errors import StoreError, ToolError
from app.platform import trees
from app.records import ChangeInfo
from app.store import alive, blobs, journal as rows
from app.store.database import Store
from app.store.journal import JournaledFile

GONE = alive.Process(2**22 + 1, 1.0, alive.this_process().place)
"""A process that cannot exist: its number is above the system's highest."""


async def _begun(
    journal: Journal,
    folder: Path,
    sides: dict[Path, tuple[bytes | None, bytes | None]],
    *,
    takes_back: tuple[str, ...] = (),
) -> str:
    """Leave behind what a process leaves that is killed after it wrote down a change."""
    files = [
        JournaledFile(
            path=str(path),
            before=blobs.put(journal.folder, before) if before is not None else None,
            after=blobs.put(journal.folder, after) if after is not None else None,
        )
        for path, (before, after) in sides.items()
    ]
    change = ChangeInfo(
        id="cut", session="s", turn="t", tool="edit_file", made=1.0, files=(), undoes=takes_back
    )
    await journal.store.write(rows.record, change, files)
    note = journal.folder / "begun" / "cut"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_bytes(msgspec.json.encode(Begun("cut", GONE, (str(folder),), takes_back)))
    return "cut"


async def test_a_half_made_change_is_taken_back(folder: Path, journal: Journal) -> None:
    done, waiting, new = folder / "done", folder / "waiting", folder / "new"
    done.write_bytes(b"after")
    waiting.write_bytes(b"before")
    new.write_bytes(b"new")
    (folder / ".bramble-cut-1.tmp").write_bytes(b"half")
    await _begun(
        journal, folder, {done: (b"before", b"after"), new: (None, b"new"), waiting: (b"before", b"after")}
    )
    assert await journal.recover() == ["cut"]
    assert sorted(os.listdir(folder)) == ["done", "waiting"]
    assert (done.read_bytes(), waiting.read_bytes()) == (b"before", b"before")
    assert await journal.store.read(rows.changes) == []
    assert os.listdir(journal.folder / "begun") == []


async def test_a_made_change_is_kept(folder: Path, journal: Journal) -> None:
    path = folder / "x"
    path.write_bytes(b"after")
    await _begun(journal, folder, {path: (b"before", b"after")})
    assert await journal.recover() == []
    assert path.read_bytes() == b"after"
    assert [change.id for change in await journal.store.read(rows.changes)] == ["cut"]


async def test_an_undo_that_was_made_but_not_marked_is_marked(folder: Path, journal: Journal) -> None:
    path = folder / "x"
    made, _ = await journal.make([Step(str(path), None, b"after")], [], session="s", turn="t", tool="x")
    path.unlink()
    await _begun(journal, folder, {path: (b"after", None)}, takes_back=(made,))
    assert await journal.recover() == []
    assert {one.id: one.undone for one in await journal.store.read(rows.changes)} == {
        made: True,
        "cut": False,
    }
    assert os.listdir(journal.folder / "begun") == []


async def test_what_cannot_be_settled_now_does_not_keep_the_app_from_starting(
    folder: Path, journal: Journal
) -> None:
    path, other = folder / "x", folder / "y"
    path.write_bytes(b"after")
    other.write_bytes(b"before")
    await _begun(journal, folder, {path: (b"before", b"after"), other: (b"before", b"after")})
    content = blobs.path_of(journal.folder, blobs.put(journal.folder, b"before"))
    aside = content.with_name("aside")
    content.rename(aside)
    assert await journal.recover() == []
    assert os.listdir(journal.folder / "begun") == ["cut"]
    aside.rename(content)
    assert await journal.recover() == ["cut"]
    assert path.read_bytes() == b"before"


async def test_a_torn_write_into_the_file_itself_is_healed(folder: Path, journal: Journal) -> None:
    path = folder / "x"
    path.write_bytes(b"AFTER" + b"before, and longer"[5:])
    await _begun(journal, folder, {path: (b"before, and longer", b"AFTER, short")})
    assert await journal.recover() == ["cut"]
    assert path.read_bytes() == b"before, and longer"


async def test_what_a_person_wrote_after_the_cut_is_left_alone(folder: Path, journal: Journal) -> None:
    path, other = folder / "x", folder / "y"
    path.write_bytes(b"mine")
    other.write_bytes(b"after")
    await _begun(journal, folder, {path: (b"before", b"after"), other: (b"before", b"after")})
    await journal.recover()
    assert (path.read_bytes(), other.read_bytes()) == (b"mine", b"after")


async def test_what_a_living_process_has_begun_is_not_touched(folder: Path, journal: Journal) -> None:
    path = folder / "x"
    path.write_bytes(b"before")
    await _begun(journal, folder, {path: (b"before", b"after")})
    note = Begun("cut", alive.this_process(), (str(folder),))
    (journal.folder / "begun" / "cut").write_bytes(msgspec.json.encode(note))
    assert await journal.recover() == []
    assert [change.id for change in await journal.store.read(rows.changes)] == ["cut"]


async def test_a_note_without_a_row_is_nothing(folder: Path, journal: Journal) -> None:
    await _begun(journal, folder, {})
    await journal.store.write(rows.remove, "cut")
    (journal.folder / "begun" / "torn.part").write_bytes(b"{")
    assert await journal.recover() == []
    assert os.listdir(journal.folder / "begun") == []


async def test_a_change_that_fails_leaves_no_trace(folder: Path, journal: Journal) -> None:
    path, blocked = folder / "x", folder / "blocked"
    path.write_bytes(b"old")
    blocked.mkdir()
    (blocked / "inside").write_bytes(b"")
    steps = [Step(str(path), b"old", b"new"), Step(str(blocked), None, b"x")]
    with pytest.raises(ToolError):
        await journal.make(steps, [], session="s", turn="t", tool="x")
    assert path.read_bytes() == b"old"
    assert await journal.store.read(rows.changes) == []
    assert os.listdir(journal.folder / "begun") == []


async def test_a_file_that_changed_under_the_question_is_refused(folder: Path, journal: Journal) -> None:
    path = folder / "x"
    path.write_bytes(b"theirs")
    with pytest.raises(ToolError) as caught:
        await journal.make([Step(str(path), b"old", b"new")], [], session="s", turn="t", tool="x")
    assert caught.value.code == "changed_since"
    assert path.read_bytes() == b"theirs"


async def test_without_a_journal_nothing_changes(folder: Path, tmp_path: Path) -> None:
    """What cannot be taken back is not done."""
    path, broken = folder / "x", tmp_path / "broken" / "bramble.db"
    path.write_bytes(b"old")
    broken.parent.mkdir()
    broken.write_bytes(b"no database at all, but long enough to be looked at" * 20)
    store = Store(broken)
    await store.open()
    journal = Journal(store, tmp_path / "broken" / "journal")
    with pytest.raises(StoreError, match=r"could not be written down for undo .* Nothing was changed\."):
        await journal.make([Step(str(path), b"old", b"new")], [], session="s", turn="t", tool="x")
    await store.close()
    assert path.read_bytes() == b"old"
    assert os.listdir(journal.folder / "begun") == []


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "disk_full"),
        (errno.EROFS, "no_permission"),
        (errno.ENOENT, "not_found"),
        (errno.EIO, "no_permission"),
    ],
)
def test_errors_of_the_system_have_codes(number: int, code: str) -> None:
    assert told(OSError(number, "words", "/x")).code == code


async def test_the_journal_forgets_what_is_older_than_its_cap(folder: Path, journal: Journal) -> None:
    """Product 5.6: 30 days; the contents go with the rows."""
    now = [1_000.0]
    journal.clock = lambda: now[0]
    await journal.make([Step(str(folder / "x"), None, b"old")], [], session="s", turn="t", tool="x")
    for content in journal.folder.glob("??/*"):
        os.utime(content, (1_000, 1_000))
    now[0] += 31 * 86_400
    await journal.make([Step(str(folder / "y"), None, b"new")], [], session="s", turn="t", tool="x")
    assert [change.made for change in await journal.store.read(rows.changes)] == [now[0]]
    assert len(list(journal.folder.glob("??/*"))) == 1


async def test_contents_beside_a_move_are_settled_together(folder: Path, journal: Journal) -> None:
    """A deletion stands before a write in the rows, but is carried out after it."""
    gone, written, moved = folder / "gone", folder / "written", folder / "moved"
    gone.write_bytes(b"still there")
    written.write_bytes(b"new")
    moved.write_bytes(b"moved")
    await _begun(journal, folder, {gone: (b"still there", None), written: (b"old", b"new")})
    shift = shifts.of("moved", str(moved), trees.survey(str(moved)), source=str(folder / "before"))
    change = await journal.store.read(rows.change, "cut")
    files = await journal.store.read(rows.files, "cut")
    await journal.store.write(rows.remove, "cut")
    assert change is not None
    await journal.store.write(rows.record, change, [*journaled.rows_of(journal.folder, [shift]), *files])
    assert await journal.recover() == ["cut"]
    assert gone.read_bytes() == b"still there" and written.read_bytes() == b"old"
    assert (folder / "before").read_bytes() == b"moved" and not moved.exists()


async def test_the_oldest_go_first_at_the_cap(folder: Path, journal: Journal) -> None:
    journal.cap = 64_000
    made = []
    for number in range(12):
        step = Step(str(folder / f"x{number}"), None, bytes([number]) * 10_000)
        made.append((await journal.make([step], [], session="s", turn="t", tool="x"))[0])
    kept = [change.id for change in await journal.store.read(rows.changes)]
    assert kept == made[: -len(kept) - 1 : -1] and 3 <= len(kept) <= 7, "the newest, within the cap"


async def test_a_change_that_would_push_out_all_others_is_refused(folder: Path, journal: Journal) -> None:
    journal.cap = 64_000
    kept, _ = await journal.make([Step(str(folder / "x"), None, b"x")], [], session="s", turn="t", tool="x")
    with pytest.raises(ToolError) as caught:
        await journal.make(
            [Step(str(folder / "y"), None, bytes(40_000))], [], session="s", turn="t", tool="x"
        )
    assert caught.value.code == "too_large" and not (folder / "y").exists()
    assert [change.id for change in await journal.store.read(rows.changes)] == [kept]
    assert os.listdir(journal.folder / "begun") == []
