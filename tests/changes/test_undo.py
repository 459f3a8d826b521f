"""Every change can be taken back, and that too, unless somebody wrote to the file since (product 5.6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.changes import apply
from app.changes.apply import Step
from app.changes.diff import file_diff
from app.changes.journal import Journal
from app.changes.undo import Undo, UndoConflict
from app.errors import ToolError
from app.platform import filesystem
from app.records import Choice
from app.store import journal as rows


async def _make(journal: Journal, *steps: Step, turn: str = "t", session: str = "s") -> str:
    files = [file_diff(step.path, step.path, step.before, step.after) for step in steps]
    change, verified = await journal.make(steps, files, session=session, turn=turn, tool="edit_file")
    assert all(verified)
    return change


def _edit(path: Path, after: bytes | None) -> Step:
    before = apply.content(str(path))
    return Step(str(path), before, after, filesystem.status(str(path)).mode if before is not None else None)


async def test_an_edit_and_its_undo_and_the_undo_of_that(folder: Path, journal: Journal, undo: Undo) -> None:
    path = folder / "x"
    path.write_bytes(b"old\r\n")
    change = await _make(journal, _edit(path, b"new\r\n"))
    back = await undo.one(change)
    assert path.read_bytes() == b"old\r\n"
    again = await undo.one(back)
    assert path.read_bytes() == b"new\r\n"
    assert await _undone(journal) == {change: False, back: True, again: False}
    await undo.one(again)
    assert path.read_bytes() == b"old\r\n"
    assert (await _undone(journal))[change] is True


async def _undone(journal: Journal) -> dict[str, bool]:
    return {change.id: change.undone for change in await journal.store.read(rows.changes)}


async def test_deleted_made_and_moved_files_come_back(folder: Path, journal: Journal, undo: Undo) -> None:
    """anthropics/claude-code#93045: deletions are journaled like edits."""
    gone, made, source = folder / "gone", folder / "made", folder / "source"
    gone.write_bytes(b"gone")
    gone.chmod(0o750)
    source.write_bytes(b"moved")
    number = source.stat().st_ino
    target = folder / "target"
    change = await _make(
        journal,
        _edit(gone, None),
        _edit(made, b"made"),
        Step(str(target), None, b"moved", None, 0o644, str(source)),
        _edit(source, None),
    )
    assert sorted(os.listdir(folder)) == ["made", "target"]
    await undo.one(change)
    assert sorted(os.listdir(folder)) == ["gone", "source"]
    assert gone.read_bytes() == b"gone"
    assert gone.stat().st_mode & 0o777 == 0o750
    assert source.stat().st_ino == number


async def test_a_changed_mode_comes_back_and_one_that_was_left_alone_does_not(
    folder: Path, journal: Journal, undo: Undo
) -> None:
    path = folder / "x"
    path.write_bytes(b"x")
    path.chmod(0o644)
    change = await _make(journal, Step(str(path), b"x", b"y", 0o644, 0o755))
    assert path.stat().st_mode & 0o777 == 0o755
    back = await undo.one(change)
    assert path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o600)
    await undo.one(back)
    assert path.read_bytes() == b"y"
    assert path.stat().st_mode & 0o777 == 0o755
    other = await _make(journal, Step(str(path), b"y", b"z", 0o755))
    path.chmod(0o640)
    await undo.one(other)
    assert path.stat().st_mode & 0o777 == 0o640


async def test_what_a_person_wrote_since_is_not_overwritten(
    folder: Path, journal: Journal, undo: Undo
) -> None:
    """zed-industries/zed#30527; both differences are handed out, and no other file of the change moves."""
    path, other = folder / "x", folder / "y"
    path.write_bytes(b"old\n")
    change = await _make(journal, _edit(path, b"ours\n"), _edit(other, b"new\n"))
    path.write_bytes(b"ours\nand mine\n")
    with pytest.raises(UndoConflict) as caught:
        await undo.one(change)
    assert caught.value.code == "undo_conflict"
    assert (path.read_bytes(), other.read_bytes()) == (b"ours\nand mine\n", b"new\n")
    (conflict,) = caught.value.conflicts
    assert conflict.path == str(path)
    assert [line.kind + line.text for line in conflict.ours.hunks[0].lines] == ["-old", "+ours"]
    assert [line.kind + line.text for line in conflict.since.hunks[0].lines] == [" ours", "+and mine"]
    assert await undo.conflicts(change) == caught.value.conflicts


async def test_undo_works_from_stored_bytes(folder: Path, journal: Journal, undo: Undo) -> None:
    """openai/codex#25048: converting line ends is a change like any other."""
    path = folder / "x"
    path.write_bytes(b"a\r\nb\r\n\xff")
    change = await _make(journal, _edit(path, b"a\nb\n\xff"))
    await undo.one(change)
    assert path.read_bytes() == b"a\r\nb\r\n\xff"


async def test_a_turn_is_taken_back_whole_and_alone(folder: Path, journal: Journal, undo: Undo) -> None:
    """zed-industries/zed#58932: only that turn's own edits are touched."""
    path, other = folder / "x", folder / "y"
    path.write_bytes(b"0")
    other.write_bytes(b"0")
    await _make(journal, _edit(path, b"1"), turn="one")
    await _make(journal, _edit(other, b"1"), turn="two")
    await _make(journal, _edit(path, b"2"), turn="one")
    back = await undo.turn("one")
    assert (path.read_bytes(), other.read_bytes()) == (b"0", b"1")
    await undo.one(back)
    assert (path.read_bytes(), other.read_bytes()) == (b"2", b"1")


async def test_a_turn_that_another_built_on_is_not_taken_back(
    folder: Path, journal: Journal, undo: Undo
) -> None:
    path = folder / "x"
    path.write_bytes(b"0")
    await _make(journal, _edit(path, b"1"), turn="one")
    await _make(journal, _edit(path, b"2"), turn="two")
    await _make(journal, _edit(path, b"3"), turn="one")
    with pytest.raises(UndoConflict):
        await undo.turn("one")
    assert path.read_bytes() == b"3"


async def test_what_was_taken_back_already_is_left_out_of_the_turn(
    folder: Path, journal: Journal, undo: Undo
) -> None:
    path = folder / "x"
    path.write_bytes(b"0")
    await _make(journal, _edit(path, b"1"), turn="one")
    second = await _make(journal, _edit(path, b"2"), turn="one")
    await undo.one(second)
    await undo.turn("one")
    assert path.read_bytes() == b"0"
    with pytest.raises(ToolError) as caught:
        await undo.turn("one")
    assert caught.value.code == "no_change"


async def test_everything_since_a_time(folder: Path, journal: Journal, undo: Undo) -> None:
    times = iter(range(1_000, 2_000, 10))
    journal.clock = lambda: float(next(times))
    path, made = folder / "x", folder / "made"
    path.write_bytes(b"0")
    first = await _make(journal, _edit(path, b"1"))
    second = await _make(journal, _edit(path, b"2"))
    await undo.one(second)
    await _make(journal, _edit(made, b"m"))
    back = await undo.since(1_010.0)
    assert (path.read_bytes(), made.exists()) == (b"1", False)
    state = await _undone(journal)
    assert (state[first], state[second]) == (False, True)
    await undo.one(back)
    assert (path.read_bytes(), made.read_bytes()) == (b"1", b"m")


async def test_since_lets_stand_again_what_was_undone_since(
    folder: Path, journal: Journal, undo: Undo
) -> None:
    times = iter(range(1_000, 2_000, 10))
    journal.clock = lambda: float(next(times))
    path = folder / "x"
    path.write_bytes(b"0")
    first = await _make(journal, _edit(path, b"1"))
    await undo.one(first)
    await undo.since(1_005.0)
    assert path.read_bytes() == b"1"
    assert (await _undone(journal))[first] is False


@pytest.mark.parametrize("change", ["nothing", "", "\udcff"])
async def test_what_is_not_there_cannot_be_taken_back(undo: Undo, change: str) -> None:
    with pytest.raises(ToolError) as caught:
        await undo.one(change)
    assert caught.value.code == "no_change"


async def test_only_files_that_differ_are_written(folder: Path, journal: Journal, undo: Undo) -> None:
    """zed-industries/zed#59099: a restore rewrites every file's time."""
    path, other = folder / "x", folder / "y"
    path.write_bytes(b"0")
    other.write_bytes(b"0")
    change = await _make(journal, _edit(path, b"1"), _edit(other, b"1"))
    os.utime(other, ns=(1, 1))
    path.write_bytes(b"1")
    await undo.one(change)
    assert other.read_bytes() == b"0"
    second = await _make(journal, _edit(path, b"2"), turn="u")
    os.utime(other, ns=(5, 5))
    await undo.one(second)
    assert other.stat().st_mtime_ns == 5


async def test_each_way_out_of_a_conflict(folder: Path, journal: Journal, undo: Undo) -> None:
    """Keep theirs, put back what was before, or take back only our part; each can be taken back in turn."""
    old, ours = b"1\n2\n3\n4\n5\n", b"1\nOURS\n3\n4\n5\n"
    mine = b"1\nOURS\n3\n4\n5\nmine\n"
    wanted: dict[Choice, bytes] = {"before": old, "merged": b"1\n2\n3\n4\n5\nmine\n"}
    for choice, right in wanted.items():
        path, other = folder / f"{choice}", folder / f"{choice}-other"
        path.write_bytes(old)
        other.write_bytes(b"0")
        change = await _make(journal, _edit(path, ours), _edit(other, b"1"))
        path.write_bytes(mine)
        with pytest.raises(UndoConflict) as caught:
            await undo.one(change)
        (conflict,) = caught.value.conflicts
        assert conflict.back is not None and conflict.merged is not None
        assert [line.kind + line.text for line in conflict.merged.hunks[0].lines][1:3] == ["-OURS", "+2"]
        back = await undo.one(change, {str(path): choice})
        assert (path.read_bytes(), other.read_bytes()) == (right, b"0")
        await undo.one(back)
        assert (path.read_bytes(), other.read_bytes()) == (mine, b"1")
        await undo.one(change, {str(path): "mine"})
        assert (path.read_bytes(), other.read_bytes()) == (mine, b"0")


async def test_what_touches_is_not_merged(folder: Path, journal: Journal, undo: Undo) -> None:
    path = folder / "x"
    path.write_bytes(b"1\n2\n3\n")
    change = await _make(journal, _edit(path, b"1\nOURS\n3\n"))
    for mine in (b"1\nMINE\n3\n", b"1\nOURS\nMINE\n3\n", b"1\nOURS\nthree\n", b"1\nOURS\n3\n\0"):
        path.write_bytes(mine)
        (conflict,) = await undo.conflicts(change)
        assert conflict.merged is None
        with pytest.raises(UndoConflict):
            await undo.one(change, {str(path): "merged"})
        assert path.read_bytes() == mine


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
async def test_a_merge_keeps_every_byte(folder: Path, journal: Journal, undo: Undo, encoding: str) -> None:
    def coded(text: str) -> bytes:
        return text.encode(encoding)

    path = folder / "x"
    path.write_bytes(coded("größer\r\nzwei\ndrei\r\nvier\nfünf"))
    change = await _make(journal, _edit(path, coded("größer\r\nOURS\ndrei\r\nvier\nfünf")))
    path.write_bytes(coded("größer\r\nOURS\ndrei\r\nvier\nfünf MINE"))
    await undo.one(change, {str(path): "merged"})
    assert path.read_bytes() == coded("größer\r\nzwei\ndrei\r\nvier\nfünf MINE")


async def test_a_file_that_is_gone_or_came_back(folder: Path, journal: Journal, undo: Undo) -> None:
    path, made = folder / "x", folder / "y"
    path.write_bytes(b"old")
    change = await _make(journal, _edit(path, b"new"), _edit(made, b"made"))
    path.unlink()
    made.write_bytes(b"mine")
    assert {one.path: one.since.kind for one in await undo.conflicts(change)} == {
        str(path): "deleted",
        str(made): "changed",
    }
    back = await undo.one(change, {str(path): "before", str(made): "before"})
    assert path.read_bytes() == b"old" and not made.exists()
    await undo.one(back)
    assert not path.exists() and made.read_bytes() == b"mine"


async def test_a_change_of_which_all_was_kept_goes_on_to_stand(
    folder: Path, journal: Journal, undo: Undo
) -> None:
    kept, other = folder / "kept", folder / "other"
    kept.write_bytes(b"0")
    other.write_bytes(b"0")
    first = await _make(journal, _edit(kept, b"1"), turn="one")
    second = await _make(journal, _edit(other, b"1"), turn="two")
    kept.write_bytes(b"by hand")
    back = await undo.since(0, choices={str(kept): "mine"})
    assert (kept.read_bytes(), other.read_bytes()) == (b"by hand", b"0")
    assert await _undone(journal) == {first: False, second: True, back: False}
    await undo.one(first, {str(kept): "before"})
    assert kept.read_bytes() == b"0"
