"""What a command changed in a folder becomes one change of the journal, and can be taken back."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from app.changes.apply import Step
from app.changes.journal import Journal
from app.changes.listing import MOST_FILES, TooMuch, listed
from app.changes.snapshot import Settled, Snapshots
from app.changes.undo import Undo, UndoConflict
from app.store import alive, journal as rows


@pytest.fixture
def shots(journal: Journal) -> Snapshots:
    return Snapshots(journal)


async def run(shots: Snapshots, folder: Path, script: str) -> Settled:
    """Run a script in the folder between taking and settling a snapshot."""
    ran = await shots.take("s1", "t1", [str(folder)])
    assert ran
    subprocess.run(["bash", "-c", script], cwd=folder, check=True)
    return await shots.settle(ran)


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return content and mode of all files below."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode) for path in files}


def without(files: dict[str, tuple[bytes, int]], missed: set[str]) -> dict[str, tuple[bytes, int]]:
    """Return the files but those that cannot be taken back, which are named."""
    return {name: file for name, file in files.items() if name not in missed}


async def test_all_kinds_of_changes_are_one_change_and_taken_back(
    shots: Snapshots, undo: Undo, folder: Path
) -> None:
    for name in ("edited", "deleted", "moved", "script", "same"):
        (folder / name).write_text(f"{name}\n")
    before = state(folder)
    script = "echo x >> edited; rm deleted; mv moved there; chmod +x script; touch same"
    settled = await run(shots, folder, f"{script}; mkdir -p a/b; echo n > a/b/new")
    after = state(folder)
    kinds = {os.path.basename(file.path): file.kind for file in settled.files}
    assert kinds == {
        "edited": "changed", "deleted": "deleted", "moved": "deleted", "there": "new", "script": "changed",
        "new": "new",
    }  # fmt: skip
    back = await undo.one(settled.change)
    assert state(folder) == before
    await undo.one(back)
    assert state(folder) == after


async def test_files_are_named_as_seen_from_the_working_folder(
    shots: Snapshots, folder: Path, tmp_path: Path
) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    ran = await shots.take("s1", "t1", [str(folder), str(beside)])
    assert ran
    (folder / "sub").mkdir()
    (folder / "sub" / "small").write_text("1\n")
    (folder / "large").write_bytes(b"x" * (2 << 20))
    (beside / "other").write_text("1\n")
    settled = await shots.settle(ran)
    assert {file.shown: file.path for file in settled.files} == {
        "large": str(folder / "large"),
        "sub/small": str(folder / "sub" / "small"),
        str(beside / "other"): str(beside / "other"),
    }


@pytest.mark.parametrize(
    ("watched", "shown"),
    [
        (["a.db"], {"a.db"}),
        (["deep/b", "a.db"], {"deep/b", "a.db"}),
        (["deep/b"], {"b"}),
    ],
)
async def test_single_files_that_are_watched_have_names(
    shots: Snapshots, folder: Path, watched: list[str], shown: set[str]
) -> None:
    (folder / "deep").mkdir()
    (folder / "a.db").write_text("1")
    (folder / "deep" / "b").write_text("1")
    ran = await shots.take("s1", "t1", [str(folder / name) for name in watched])
    assert ran
    for name in watched:
        (folder / name).write_text("2")
    settled = await shots.settle(ran)
    assert {file.shown for file in settled.files} == shown


async def test_nothing_changed_is_no_change(shots: Snapshots, journal: Journal, folder: Path) -> None:
    (folder / "file").write_text("1")
    settled = await run(shots, folder, "cat file; touch file; cp file copy; rm copy")
    assert settled == Settled() and await journal.store.read(rows.changes) == []


async def test_every_content_is_read_once(
    shots: Snapshots, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(50):
        (folder / str(number)).write_text(str(number))
    await run(shots, folder, "true")
    read: list[bytes] = []
    put = shots._kept.put

    def noted(content: bytes) -> tuple[str, int]:
        read.append(content)
        return put(content)

    monkeypatch.setattr(shots._kept, "put", noted)
    (folder / "7").write_text("seven")
    await run(shots, folder, "true")
    assert read == [b"seven"]


async def test_a_write_that_leaves_size_and_time_alone_is_seen(
    shots: Snapshots, undo: Undo, folder: Path
) -> None:
    file = folder / "file"
    file.write_text("old")
    settled = await run(
        shots, folder, "touch -r file stamp; echo -n new > file; touch -r stamp file; rm stamp"
    )
    await undo.one(settled.change)
    assert file.read_text() == "old"


async def test_what_our_own_tools_wrote_meanwhile_is_not_the_command_s(
    shots: Snapshots, journal: Journal, undo: Undo, folder: Path
) -> None:
    ours, both = folder / "ours", folder / "both"
    for file in (ours, both):
        file.write_text("1")
    ran = await shots.take("s1", "t1", [str(folder)])
    assert ran
    steps = [Step(str(file), b"1", b"2") for file in (ours, both)]
    change, _ = await journal.make(steps, [], session="s1", turn="t1", tool="edit_file")
    both.write_text("3")
    settled = await shots.settle(ran)
    assert [file.path for file in settled.files] == [str(both)]
    await undo.one(settled.change)
    assert (ours.read_text(), both.read_text()) == ("2", "2")
    await undo.one(change)
    assert (ours.read_text(), both.read_text()) == ("1", "1")


async def test_two_commands_at_once_share_what_they_changed(shots: Snapshots, folder: Path) -> None:
    first = await shots.take("s1", "t1", [str(folder)])
    second = await shots.take("s1", "t1", [str(folder)])
    assert first and second
    (folder / "made").write_text("1")
    settled = [await shots.settle(first), await shots.settle(second)]
    assert [len(one.files) for one in settled] == [1, 0]


async def test_what_a_person_changed_since_is_not_lost(shots: Snapshots, undo: Undo, folder: Path) -> None:
    (folder / "file").write_text("1")
    settled = await run(shots, folder, "echo 2 > file")
    (folder / "file").write_text("mine")
    with pytest.raises(UndoConflict):
        await undo.one(settled.change)
    assert (folder / "file").read_text() == "mine"


async def test_a_folder_that_holds_too_much_is_not_promised(shots: Snapshots, folder: Path) -> None:
    assert await shots.holds(str(folder))
    for number in range(30):
        (folder / str(number)).touch()
    with pytest.raises(TooMuch):
        listed(str(folder), most_files=20)
    (folder / "large").touch()
    os.truncate(folder / "large", 300 << 20)
    assert not await shots.holds(str(folder)) and MOST_FILES >= 1000
    assert await shots.take("s1", "t1", [str(folder)]) is None
    assert not await shots.holds(str(folder / "gone"))


async def test_a_huge_file_that_was_made_is_named(shots: Snapshots, folder: Path) -> None:
    settled = await run(shots, folder, "truncate -s 100M huge; echo x > small")
    assert [os.path.basename(path) for path in settled.left_out] == ["huge"]
    assert [os.path.basename(file.path) for file in settled.files] == ["small"]


async def test_odd_things_in_the_folder_are_no_trouble(shots: Snapshots, undo: Undo, folder: Path) -> None:
    (folder / os.fsdecode(b"bad\xffname")).write_text("1")
    (folder / "link").symlink_to("/etc")
    os.mkfifo(folder / "pipe")
    (folder / ".git").mkdir()
    settled = await run(shots, folder, "echo 2 > bad*; ln -s x other; mkfifo more; echo x > .git/HEAD")
    assert len(settled.files) == 1
    await undo.one(settled.change)
    assert (folder / os.fsdecode(b"bad\xffname")).read_text() == "1"


async def test_links_cannot_be_taken_back_and_are_named(shots: Snapshots, undo: Undo, folder: Path) -> None:
    for name in ("one", "two", "three", "other"):
        (folder / name).write_text(name)
    (folder / "link").symlink_to("one")
    settled = await run(shots, folder, "ln -f one two; ln -sf one three; rm link; echo x > other")
    assert {os.path.basename(path) for path in settled.left_out} == {"two", "three", "link"}
    await undo.one(settled.change)
    assert ((folder / "one").read_text(), (folder / "other").read_text()) == ("one", "other")


async def test_a_file_outside_that_was_allowed_is_brought_back(
    shots: Snapshots, undo: Undo, folder: Path, tmp_path: Path
) -> None:
    outside = tmp_path.resolve() / "letter"
    outside.write_text("dear")
    ran = await shots.take("s1", "t1", [str(folder), str(outside)])
    assert ran
    outside.unlink()
    settled = await shots.settle(ran)
    await undo.one(settled.change)
    assert outside.read_text() == "dear"


async def test_a_kill_leaves_a_note_from_which_the_next_start_goes_on(
    shots: Snapshots, journal: Journal, undo: Undo, folder: Path
) -> None:
    (folder / "file").write_text("1")
    ran = await shots.take("s1", "t1", [str(folder)])
    assert ran
    (folder / "file").write_text("2")
    assert await Snapshots(journal).recover() == [], "its process lives"
    dead = subprocess.Popen(["sleep", "60"])
    other = alive.process(dead.pid)
    dead.kill()
    dead.wait()
    note = journal.folder / "ran" / ran.id
    note.write_bytes(msgspec.msgpack.encode(msgspec.structs.replace(ran, process=other)))
    (journal.folder / "ran" / "torn").write_bytes(b"\x93")
    changes = await Snapshots(journal).recover()
    assert len(changes) == 1 and list((journal.folder / "ran").iterdir()) == []
    await undo.one(changes[0])
    assert (folder / "file").read_text() == "1"


async def test_a_content_that_is_gone_is_said(shots: Snapshots, folder: Path) -> None:
    (folder / "file").write_text("1")
    ran = await shots.take("s1", "t1", [str(folder)])
    assert ran
    for kept in shots._kept.folder.glob("*"):
        kept.unlink()
    (folder / "file").write_text("2")
    settled = await shots.settle(ran)
    assert settled.left_out == (str(folder / "file"),) and settled.change == ""


async def test_old_contents_are_cleared_away(shots: Snapshots, folder: Path) -> None:
    old = shots._kept.folder / "old"
    old.parent.mkdir(parents=True)
    old.touch()
    os.utime(old, (0, 0))
    await run(shots, folder, "true")
    assert not old.exists() and len(list(old.parent.iterdir())) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
@pytest.mark.proof("snapshot-undo", small=15, full=1000)
async def test_random_commands_are_taken_back_byte_for_byte(
    shots: Snapshots, undo: Undo, folder: Path, count: int, seed: int
) -> None:
    chance = random.Random(seed)
    names = [f"{place}{name}" for place in ("", "a/", "a/b/") for name in ("x", "y", "z w")]
    deeds = (
        "printf %s {r} > '{n}'", "printf %s {r} >> '{n}'", "rm -f '{n}'", "mv -f '{n}' '{m}'",
        "cp '{n}' '{m}'",
        "chmod {mode} '{n}'", "rm -rf a/b", "ln -f '{n}' '{m}'", "ln -sf '{n}' '{m}'", "truncate -s 3 '{n}'",
    )  # fmt: skip
    for _ in range(count):
        before = state(folder)
        links = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_symlink()}
        lines = ["mkdir -p a/b"]
        for _ in range(chance.randrange(1, 8)):
            line = chance.choice(deeds)
            n, m = chance.choice(names), chance.choice(names)
            lines.append(
                line.format(n=n, m=m, r=chance.randrange(999), mode=chance.choice(("600", "644", "755")))
            )
        settled = await run(shots, folder, "\n".join(f"{line} 2> /dev/null || true" for line in lines))
        missed = {os.path.relpath(path, folder) for path in settled.left_out}
        after = without(state(folder), missed)
        before = without(before, missed)
        stays = {name for name in missed if os.path.lexists(folder / name)}
        assert missed <= stays | links, "a deleted file is always taken back"
        assert bool(settled.change) == (before != after), lines
        if settled.change:
            back = await undo.one(settled.change)
            assert without(state(folder), missed) == before, lines
            if chance.random() < 0.5:
                await undo.one(back)
                assert without(state(folder), missed) == after, lines
