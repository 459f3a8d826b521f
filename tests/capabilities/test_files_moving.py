"""Whole files and folders: trashed, restored, moved, copied; each shown first, and each with its way back."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.errors import Refused, ToolError
from app.records import Answer, ChangeInfo
from app.store import journal as rows
from tests.capabilities.files_desk import Desk, open_desk
from tools import ChangeSet, Copy, MakeFolder, Move, Patch, Restore, Trash, Write


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


def tree(folder: Path) -> dict[str, tuple[str, int, bytes | str]]:
    """Everything below a folder: kind, mode and content, links by their target."""
    found: dict[str, tuple[str, int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        mode = path.lstat().st_mode & 0o7777
        if path.is_symlink():
            found[name] = ("link", 0, os.readlink(path))
        elif path.is_dir():
            found[name] = ("folder", mode, "")
        else:
            found[name] = ("file", mode, path.read_bytes())
    return found


def fill(folder: Path) -> None:
    """A folder with everything that gets lost easily."""
    (folder / "empty").mkdir(parents=True)
    (folder / "sub").mkdir()
    (folder / "sub" / "a.bin").write_bytes(b"\0\xff" * 100)
    (folder / "sub" / "run.sh").write_text("#!/bin/sh\n")
    (folder / "sub" / "run.sh").chmod(0o755)
    (folder / "link").symlink_to("sub/a.bin")
    (folder / "broken").symlink_to("/nowhere/at all")
    os.link(folder / "sub" / "a.bin", folder / "second name")
    (folder / "odd \udcff name").write_bytes(b"odd")


def trashed(desk: Desk) -> list[str]:
    folder = Path(desk.world.journal.trash) / "files"
    return sorted(os.listdir(folder)) if folder.is_dir() else []


async def test_a_folder_goes_to_the_trash_and_comes_back_whole(desk: Desk) -> None:
    """anthropics/claude-code#93045, #46058: a deletion is a move that is remembered."""
    fill(desk.folder / "project")
    before, number = tree(desk.folder), (desk.folder / "project").stat().st_ino
    made = await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("project"),)))
    shown, odd = desk.shown().files
    assert (shown.kind, shown.items, shown.shown) == ("deleted", 6, "project")
    assert (odd.note, odd.kind) == ("protected_within", "deleted"), "a name that misleads is named"
    (loss,) = desk.shown().losses
    assert (loss.items, loss.untracked, loss.whole) == (6, 6, False)
    assert tree(desk.folder) == {} and trashed(desk) == ["project"]
    assert made.files[0].verified and "trash" in made.files[0].note
    back = await desk.undo.one(made.undo)
    assert tree(desk.folder) == before and trashed(desk) == []
    assert (desk.folder / "project").stat().st_ino == number
    again = await desk.undo.one(back)
    assert tree(desk.folder) == {} and trashed(desk) == ["project"]
    await desk.undo.one(again)
    assert tree(desk.folder) == before
    info = Path(desk.world.journal.trash) / "info"
    assert os.listdir(info) == []


async def test_a_link_itself_goes_to_the_trash_not_its_target(desk: Desk) -> None:
    target = desk.write("target", "kept")
    (desk.folder / "link").symlink_to("target")
    made = await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("link"),)))
    assert not os.path.lexists(desk.folder / "link") and target.read_text() == "kept"
    await desk.undo.one(made.undo)
    assert os.readlink(desk.folder / "link") == "target"


async def test_a_link_to_a_folder_with_a_slash_is_still_the_link(desk: Desk) -> None:
    fill(desk.folder / "project")
    (desk.folder / "link").symlink_to("project")
    before = tree(desk.folder / "project")
    await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("link/"),)))
    assert not os.path.lexists(desk.folder / "link") and tree(desk.folder / "project") == before


async def test_moved_renamed_into_a_folder_and_back(desk: Desk) -> None:
    fill(desk.folder / "project")
    (desk.folder / "place").mkdir()
    before = tree(desk.folder)
    files = desk.files(desk.gate("move_file"))
    first = await files.change(ChangeSet((Move("project", "place"),)))
    shown = desk.shown().files[0]
    assert (shown.kind, shown.path) == ("renamed", str(desk.folder / "place" / "project"))
    second = await files.change(ChangeSet((Move("place/project", "new/deep/name"),)))
    assert sorted(os.listdir(desk.folder)) == ["new", "place"]
    await desk.undo.one(second.undo)
    assert sorted(os.listdir(desk.folder)) == ["place"]
    back = await desk.undo.one(first.undo)
    assert tree(desk.folder) == before
    await desk.undo.one(back)
    assert (desk.folder / "place" / "project" / "sub" / "a.bin").exists()


async def test_what_is_overwritten_is_in_the_trash_and_comes_back(desk: Desk) -> None:
    desk.write("new.txt", "new")
    desk.write("old.txt", "old")
    files = desk.files(desk.gate("move_file"))
    with pytest.raises(ToolError) as caught:
        await files.change(ChangeSet((Move("new.txt", "old.txt"),)))
    assert caught.value.code == "bad_arguments" and not desk.asked
    made = await files.change(ChangeSet((Move("new.txt", "old.txt", overwrite=True),)))
    assert [loss.path for loss in desk.shown().losses] == [str(desk.folder / "old.txt")]
    assert (desk.folder / "old.txt").read_text() == "new" and trashed(desk) == ["old.txt"]
    back = await desk.undo.one(made.undo)
    assert ((desk.folder / "old.txt").read_text(), (desk.folder / "new.txt").read_text()) == ("old", "new")
    await desk.undo.one(back)
    assert tree(desk.folder).keys() == {"old.txt"} and (desk.folder / "old.txt").read_text() == "new"


async def test_a_copy_is_the_same_in_everything(desk: Desk) -> None:
    fill(desk.folder / "project")
    os.utime(desk.folder / "project" / "sub" / "run.sh", ns=(1, 1_000_000_007))
    if hasattr(os, "setxattr"):
        os.setxattr(desk.folder / "project" / "sub" / "run.sh", "user.note", b"mine")
    made = await desk.files(desk.gate("copy_file")).change(ChangeSet((Copy("project", "twin"),)))
    assert tree(desk.folder / "twin") == tree(desk.folder / "project")
    twin = desk.folder / "twin"
    assert (twin / "second name").samefile(twin / "sub" / "a.bin")
    assert not (twin / "sub" / "a.bin").samefile(desk.folder / "project" / "sub" / "a.bin")
    assert (twin / "sub" / "run.sh").stat().st_mtime_ns == 1_000_000_007
    if hasattr(os, "getxattr"):
        assert os.getxattr(twin / "sub" / "run.sh", "user.note") == b"mine"
    back = await desk.undo.one(made.undo)
    assert not twin.exists()
    await desk.undo.one(back)
    assert tree(twin) == tree(desk.folder / "project")


async def test_a_folder_with_its_parents(desk: Desk) -> None:
    files = desk.files(desk.gate("create_dir"))
    made = await files.change(ChangeSet((MakeFolder("a/b/c"),)))
    assert desk.shown().files[0].kind == "folder" and (desk.folder / "a" / "b" / "c").is_dir()
    same = await files.change(ChangeSet((MakeFolder("a/b"),)))
    assert same.undo == "" and "already" in same.note
    back = await desk.undo.one(made.undo)
    assert tree(desk.folder) == {}
    await desk.undo.one(back)
    assert (desk.folder / "a" / "b" / "c").is_dir()


async def test_restored_from_the_trash_and_an_earlier_version(desk: Desk) -> None:
    path = desk.write("notes.txt", "one\n")
    files = desk.files(desk.gate("restore_file"))
    first = await files.change(ChangeSet((Write("notes.txt", "two\n"),)))
    await files.change(ChangeSet((Write("notes.txt", "three\n"),)))
    with pytest.raises(ToolError) as caught:
        await files.change(ChangeSet((Restore("notes.txt"),)))
    assert caught.value.code == "not_unique" and first.undo in str(caught.value)
    await files.change(ChangeSet((Restore("notes.txt", first.undo),)))
    assert path.read_text() == "one\n"
    gone = await files.change(ChangeSet((Trash("notes.txt"),)))
    made = await files.change(ChangeSet((Restore("notes.txt"),)))
    assert path.read_text() == "one\n" and trashed(desk) == [] and gone.undo
    await desk.undo.one(made.undo)
    assert not path.exists() and trashed(desk) == ["notes.txt"]


async def test_a_patch_sends_what_it_deletes_to_the_trash(desk: Desk) -> None:
    path = desk.write("gone.txt", "one\n")
    path.chmod(0o640)
    number = path.stat().st_ino
    patch = "--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"
    patch += "--- /dev/null\n+++ b/n/new.txt\n@@ -0,0 +1 @@\n+new\n"
    made = await desk.files(desk.gate("apply_patch")).change(ChangeSet((Patch(patch),)))
    assert trashed(desk) == ["gone.txt"] and tree(desk.folder).keys() == {"n", "n/new.txt"}
    assert [loss.path for loss in desk.shown().losses] == [str(path)]
    back = await desk.undo.one(made.undo)
    assert tree(desk.folder) == {"gone.txt": ("file", 0o640, b"one\n")} and path.stat().st_ino == number
    again = await desk.undo.one(back)
    (Path(desk.world.journal.trash) / "files" / "gone.txt").unlink()  # the trash is emptied
    await desk.undo.one(again)
    assert tree(desk.folder) == {"gone.txt": ("file", 0o640, b"one\n")}


async def test_many_or_untracked_are_asked_about_also_under_rules_and_yes(desk: Desk) -> None:
    """anthropics/claude-code#46058, #23913: the count and a sample are shown, and a rule does not answer."""
    for number in range(12):
        desk.write(f"many/{number}.pdf", b"%PDF")
    desk.write("few/1", "x")
    desk.write("one.txt", "x")
    for gate in (desk.gate("trash_file", yes=True, attended=False),
                 desk.gate("trash_file", allow=["trash_file(*)"], attended=False)):  # fmt: skip
        with pytest.raises(Refused):
            await desk.files(gate).change(ChangeSet((Trash("many"),)))
        assert gate.refused is not None and gate.refused.reason == "destructive"
    await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("many"),)))
    (loss,) = desk.shown().losses
    assert (loss.items, loss.untracked, len(loss.sample)) == (12, 12, 8)
    made = await desk.files(desk.gate("trash_file", yes=True)).change(ChangeSet((Trash("one.txt"),)))
    assert made.undo and len(desk.asked) == 1


async def test_what_a_repository_holds_is_told_from_what_it_does_not(desk: Desk) -> None:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(desk.folder)]
    subprocess.run([*git, "init", "-q"], check=True)
    for name in ("kept/a", "kept/b", "loose.txt"):
        desk.write(name, name)
    subprocess.run([*git, "add", "kept"], check=True)
    yes = desk.gate("trash_file", yes=True, attended=False)
    await desk.files(yes).change(ChangeSet((Trash("kept"),)))
    with pytest.raises(Refused):
        await desk.files(yes).change(ChangeSet((Trash("loose.txt"),)))
    assert (desk.folder / "loose.txt").exists()


@pytest.mark.parametrize("path", ["/", "~", "/proc/self", "/dev", "/sys/kernel", ".."])
async def test_whole_places_are_refused_with_yes_too(desk: Desk, path: str) -> None:
    named = "/" if path == ".." else path
    desk.world = type(desk.world)(**{**vars(desk.world), "environ": {"HOME": str(desk.folder)}})
    named = str(desk.folder) if path == "~" else named
    for operation in (Trash(named), Move(named, "elsewhere")):
        with pytest.raises(ToolError) as caught:
            await desk.files(desk.gate("trash_file", yes=True)).change(ChangeSet((operation,)))
        assert caught.value.code == "protected", path
    assert not desk.asked


async def test_what_changes_under_the_question_is_asked_anew(desk: Desk) -> None:
    """anthropics/claude-code#71679."""
    fill(desk.folder / "project")

    def answer(effect: object) -> Answer:
        if len(desk.asked) == 1:
            desk.write("project/added", "since")
        return Answer(decision="allow", by="test")

    desk.answer = answer
    await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("project"),)))
    assert [effect.files[0].items for effect in desk.asked] == [6, 7]  # type: ignore[union-attr]


async def test_rejected_it_stays(desk: Desk) -> None:
    path = desk.write("x", "x")
    desk.answer = lambda effect: Answer(decision="allow", rejected=((0, 0),))
    made = await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("x"),)))
    assert path.exists() and made.undo == "" and made.files[0].kind == "same"
    found: list[ChangeInfo] = await desk.world.journal.store.read(rows.changes)
    assert found == []


async def test_rules_of_writing_speak_of_the_new_tools_but_let_nothing_be_trashed(desk: Desk) -> None:
    desk.write("docs/a", "a")
    desk.write("docs/secret/b", "b")
    allow = ["write_file(docs/**)"]
    moves = desk.gate("move_file", allow=allow, attended=False)
    await desk.files(moves).change(ChangeSet((Move("docs/a", "docs/c"),)))
    with pytest.raises(Refused):
        await desk.files(desk.gate("trash_file", allow=allow, attended=False)).change(
            ChangeSet((Trash("docs/c"),))
        )
    for operation in (Move("docs", "other"), Copy("docs", "other"), Trash("docs")):
        gate = desk.gate(
            "move_file", yes=True, deny=["write_file(docs/secret/**)", "read_file(docs/secret/**)"]
        )
        with pytest.raises(Refused):
            await desk.files(gate).change(ChangeSet((operation,)))
    assert tree(desk.folder).keys() == {"docs", "docs/c", "docs/secret", "docs/secret/b"} and not desk.asked


def _taken(way: str, source: str) -> str:
    return f"diff --git a/{source} b/open.txt\n{way} from {source}\n{way} to open.txt\n"


async def test_what_comes_from_outside_or_is_secret_is_asked_about_under_a_rule(desk: Desk) -> None:
    outside = desk.folder.parent / "theirs.txt"
    outside.write_text("theirs")
    desk.write(".env", "KEY=1")
    allow = ["copy_file(*)", "move_file(*)", "write_file(**)"]
    for operation, reason, tool in (
        (Copy(str(outside), "mine.txt"), "outside", "copy_file"),
        (Copy(".env", "open.txt"), "secret_path", "copy_file"),
        (Move(".env", "open.txt"), "secret_path", "move_file"),
        (Patch(_taken("copy", ".env")), "secret_path", "apply_patch"),
        (Patch(_taken("rename", ".env")), "secret_path", "apply_patch"),
        (Patch(_taken("copy", "../theirs.txt")), "outside", "apply_patch"),
    ):
        gate = desk.gate(tool, allow=allow, attended=False)
        with pytest.raises(Refused):
            await desk.files(gate).change(ChangeSet((operation,)))
        assert gate.refused is not None and gate.refused.reason == reason
    await desk.files(desk.gate("copy_file")).change(ChangeSet((Copy(str(outside), "mine.txt"),)))
    found = await desk.world.journal.store.read(rows.marks_of, str(desk.folder / "mine.txt"))
    assert [mark.name for mark in found] == [str(outside)], "where it comes from is not forgotten"


async def test_a_turn_that_moves_edits_and_trashes_one_file_comes_back_at_once(desk: Desk) -> None:
    path = desk.write("a", "one\n")
    number = path.stat().st_ino
    files = desk.files(desk.gate(yes=True))
    for operation in (
        Move("a", "b"),
        Write("b", "two\n"),
        Move("b", "deep/c"),
        Write("deep/c", "three\n"),
        Trash("deep/c"),
        Restore("deep/c"),
        Copy("deep", "wide"),
        Write("wide/c", "four\n"),
        Move("wide/c", "deep/c", overwrite=True),
    ):
        await files.change(ChangeSet((operation,)))
    after = tree(desk.folder)
    back = await desk.undo.turn("t")
    assert tree(desk.folder) == {"a": ("file", 0o644, b"one\n")} and number
    again = await desk.undo.one(back)
    assert tree(desk.folder) == after
    assert again
    await desk.undo.since(0.0)
    assert tree(desk.folder) == {"a": ("file", 0o644, b"one\n")}
