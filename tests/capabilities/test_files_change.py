"""Changing files: asked with the real diff, checked again when written, all or nothing, told as it was."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.capabilities.gate import Judged
from app.errors import Refused, ToolError
from app.events import ChangeMade
from app.records import Answer, Effect, FilesEffect
from tests.capabilities.files_desk import Desk, open_desk
from tools import ChangeFiles, ChangeSet, Patch, Replace, ReplaceLines, Write


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


def _one(operation: Write | Replace | ReplaceLines | Patch) -> ChangeSet:
    return ChangeSet((operation,))


async def test_a_new_file_is_shown_asked_and_written(desk: Desk) -> None:
    files = desk.files()
    assert isinstance(files, ChangeFiles)
    made = await files.change(_one(Write("sub/new.txt", "one\ntwo\n")))
    (shown,) = desk.shown().files
    assert (shown.path, shown.shown, shown.kind, shown.added) == (
        str(desk.folder / "sub" / "new.txt"), os.path.join("sub", "new.txt"), "new", 2,
    )  # fmt: skip
    (file,) = made.files
    assert (file.kind, file.added, file.verified, file.note) == ("new", 2, True, "")
    assert (desk.folder / "sub" / "new.txt").read_bytes() == b"one\ntwo\n"
    assert desk.events == [ChangeMade(session="s", change=made.undo)]
    await desk.undo.one(made.undo)
    assert not (desk.folder / "sub" / "new.txt").exists()


async def test_no_answer_nothing_written(desk: Desk) -> None:
    path = desk.write("x", "old\n")
    desk.answer = lambda effect: Answer(decision="deny", reason="not that")
    with pytest.raises(Refused) as caught:
        await desk.files().change(_one(Write("x", "new\n")))
    assert "not that" in str(caught.value)
    with pytest.raises(Refused):
        await desk.files(desk.gate(attended=False)).change(_one(Write("x", "new\n")))
    assert path.read_bytes() == b"old\n"


async def test_rules_allow_and_deny(desk: Desk) -> None:
    desk.write("docs/x", "old\n")
    allowed = desk.gate("write_file", allow=["write_file(docs/**)"], attended=False)
    await desk.files(allowed).change(_one(Write("docs/x", "new\n")))
    denied = desk.gate("write_file", deny=["write_file(docs/**)"], yes=True)
    with pytest.raises(Refused):
        await desk.files(denied).change(_one(Write("docs/../docs/x", "newer\n")))
    assert (desk.folder / "docs" / "x").read_bytes() == b"new\n"


async def test_the_stance_judge_changes_nothing(desk: Desk) -> None:
    desk.write("x", "old\n")
    with pytest.raises(Judged) as caught:
        await desk.files(desk.gate(stance="judge")).change(_one(Replace("x", (("old", "new"),))))
    assert caught.value.decision.decision == "ask"
    assert (desk.folder / "x").read_bytes() == b"old\n"
    assert desk.asked == []


async def test_a_file_that_changes_under_the_question_is_shown_again(desk: Desk) -> None:
    """C22 and anthropics/claude-code#71679."""
    path = desk.write("x", "one\ntwo\n")

    def answer(effect: Effect) -> Answer:
        if len(desk.asked) == 1:
            path.write_bytes(b"one, by hand\ntwo\n")
        return Answer(decision="allow")

    desk.answer = answer
    made = await desk.files().change(_one(Replace("x", (("two", "2"),))))
    assert path.read_bytes() == b"one, by hand\n2\n"
    assert len(desk.asked) == 2
    assert desk.shown().files[0].hunks[0].lines[0].text == "one, by hand"
    await desk.undo.one(made.undo)
    assert path.read_bytes() == b"one, by hand\ntwo\n"


async def test_an_edit_that_no_longer_fits_is_refused(desk: Desk) -> None:
    path = desk.write("x", "one\ntwo\n")

    def answer(effect: Effect) -> Answer:
        path.write_bytes(b"all by hand\n")
        return Answer(decision="allow")

    desk.answer = answer
    with pytest.raises(ToolError) as caught:
        await desk.files().change(_one(Replace("x", (("two", "2"),))))
    assert caught.value.code == "changed_since"
    assert path.read_bytes() == b"all by hand\n"


async def test_a_file_that_never_rests_is_given_up(desk: Desk) -> None:
    path = desk.write("x", "two\n")

    def answer(effect: Effect) -> Answer:
        path.write_bytes(b"two\n" + b"more\n" * len(desk.asked))
        return Answer(decision="allow")

    desk.answer = answer
    with pytest.raises(ToolError) as caught:
        await desk.files().change(_one(Replace("x", (("two", "2"),))))
    assert caught.value.code == "changed_since"
    assert len(desk.asked) == 3


async def test_only_the_times_differ_is_no_change(desk: Desk) -> None:
    """anthropics/claude-code#7443: contents are compared, not times."""
    path = desk.write("x", "one\n")
    desk.answer = lambda effect: (os.utime(path, ns=(5, 5)), Answer(decision="allow"))[1]
    await desk.files().change(_one(Replace("x", (("one", "1"),))))
    assert len(desk.asked) == 1


async def test_rejected_pieces_are_not_written_and_told(desk: Desk) -> None:
    lines = [f"line {number}\n" for number in range(1, 31)]
    path = desk.write("x", "".join(lines))
    desk.answer = lambda effect: Answer(decision="allow", rejected=((0, 0),))
    made = await desk.files().change(
        _one(Replace("x", (("line 2\n", "LINE 2\n"), ("line 28\n", "LINE 28\n"))))
    )
    lines[27] = "LINE 28\n"
    assert path.read_bytes() == "".join(lines).encode()
    (file,) = made.files
    assert (file.added, file.removed) == (1, 1)
    assert "-LINE 2\n+line 2" in file.note
    assert made.note


async def test_all_pieces_rejected(desk: Desk) -> None:
    path = desk.write("x", b"caf\xe9\r\n1\r\n")
    desk.answer = lambda effect: Answer(decision="allow", rejected=((0, 0),))
    made = await desk.files().change(_one(Write("x", "other\n")))
    assert path.read_bytes() == b"caf\xe9\r\n1\r\n"
    assert (made.undo, made.files[0].kind) == ("", "same")
    assert "rejected" in made.note


async def test_one_of_three_files_rejected_one_edited(desk: Desk) -> None:
    first, second = desk.write("a", "a\n"), desk.write("b", b"b\r\n")
    desk.answer = lambda effect: Answer(
        decision="allow", rejected=((0, 0),), edited={str(desk.folder / "b"): "mine\nB\n"}
    )
    operations = (Replace("a", (("a", "A"),)), Replace("b", (("b", "B"),)), Write("c", "c\n"))
    made = await desk.files().change(ChangeSet(operations))
    assert (first.read_bytes(), second.read_bytes()) == (b"a\n", b"mine\r\nB\r\n")
    assert (desk.folder / "c").read_bytes() == b"c\n"
    assert [file.kind for file in made.files] == ["same", "changed", "new"]
    assert "+mine" in made.files[1].note
    assert made.files[2].note == ""
    await desk.undo.one(made.undo)
    assert second.read_bytes() == b"b\r\n"


async def test_a_new_file_and_a_rename_can_be_rejected(desk: Desk) -> None:
    desk.write("x", "x\n")
    desk.answer = lambda effect: Answer(decision="allow", rejected=((0, 0), (1, -1)))
    patch = "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\ndiff --git a/x b/y\nrename from x\nrename to y\n"
    await desk.files().change(_one(Patch(patch)))
    assert sorted(os.listdir(desk.folder)) == ["x"]


async def test_a_patch_over_several_files(desk: Desk) -> None:
    desk.write("a", b"1\r\n2\r\n3\r\n")
    gone = desk.write("gone", "g\n")
    desk.write("old name", "o\n")
    patch = (
        "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n"
        "--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
        "diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+#!/bin/sh\n"
        "--- a/old name\n+++ b/sub/new name\n@@ -1 +1 @@\n-o\n+n\n"
    )
    made = await desk.files().change(_one(Patch(patch)))
    assert (desk.folder / "a").read_bytes() == b"1\r\ntwo\r\n3\r\n"
    assert not gone.exists()
    assert (desk.folder / "sub" / "new name").read_bytes() == b"n\n"
    assert [file.kind for file in made.files] == ["changed", "deleted", "new", "renamed"]
    if sys.platform != "win32":
        assert (desk.folder / "run").stat().st_mode & 0o777 == 0o755
    await desk.undo.one(made.undo)
    assert sorted(path.name for path in desk.folder.iterdir() if path.is_file()) == ["a", "gone", "old name"]
    assert (desk.folder / "a").read_bytes() == b"1\r\n2\r\n3\r\n"


async def test_one_bad_part_and_nothing_happens(desk: Desk) -> None:
    path = desk.write("a", "1\n")
    patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n--- a/missing\n+++ b/missing\n@@ -1 +1 @@\n-x\n+y\n"
    with pytest.raises(ToolError) as caught:
        await desk.files().change(_one(Patch(patch)))
    assert caught.value.code == "not_found"
    assert path.read_bytes() == b"1\n"
    assert desk.asked == []


async def test_files_can_trade_places(desk: Desk) -> None:
    first, second = desk.write("a", "first\n"), desk.write("b", "second\n")
    patch = (
        "diff --git a/a b/t\nrename from a\nrename to t\n"
        "diff --git a/b b/a\nrename from b\nrename to a\n"
        "diff --git a/t b/b\nrename from t\nrename to b\n"
    )
    made = await desk.files().change(_one(Patch(patch)))
    assert (first.read_bytes(), second.read_bytes()) == (b"second\n", b"first\n")
    await desk.undo.one(made.undo)
    assert (first.read_bytes(), second.read_bytes()) == (b"first\n", b"second\n")


async def test_the_same_content_asks_nothing(desk: Desk) -> None:
    desk.write("x", "one\n")
    made = await desk.files().change(_one(Write("x", "one\n")))
    assert (made.undo, made.files[0].kind, desk.asked) == ("", "same", [])


@pytest.mark.skipif(sys.platform == "win32", reason="hard links and modes of POSIX")
async def test_hard_links_and_modes_are_kept_and_shown(desk: Desk) -> None:
    path = desk.write("x", "one\n")
    path.chmod(0o750)
    os.link(path, desk.folder / "y")
    await desk.files().change(_one(Replace("x", (("one", "1"),))))
    assert desk.shown().files[0].note == "hard_link"
    assert (desk.folder / "y").read_bytes() == b"1\n"
    assert path.stat().st_mode & 0o777 == 0o750


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
async def test_a_patch_of_permissions_alone_shows_both(desk: Desk) -> None:
    path = desk.write("run", "x\n")
    path.chmod(0o644)
    patch = "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"
    await desk.files().change(_one(Patch(patch)))
    file = desk.shown().files[0]
    assert (file.note, file.old_mode, file.new_mode) == ("mode_changed", 0o644, 0o755)
    assert path.stat().st_mode & 0o777 == 0o755


async def test_two_changes_of_one_file_do_not_lose_each_other(desk: Desk) -> None:
    path = desk.write("x", "a\nb\n" + "-\n" * 20 + "c\n")
    edits = [("a\n", "A\n"), ("b\n", "B\n"), ("c\n", "C\n")]
    await asyncio.gather(
        *(desk.files(desk.gate(yes=True)).change(_one(Replace("x", (edit,)))) for edit in edits)
    )
    assert path.read_bytes() == b"A\nB\n" + b"-\n" * 20 + b"C\n"
    assert desk.world.locks == {}


async def test_a_cancelled_change_is_whole_and_can_be_taken_back(desk: Desk) -> None:
    """Stopping while the files are written: the journal knows what happened."""
    paths = [desk.write(f"f{number}", "old\n") for number in range(5)]
    reached = asyncio.Event()
    make = desk.world.journal.store.write

    async def write(*args: object, **kwargs: object) -> object:
        reached.set()
        return await make(*args, **kwargs)  # type: ignore[arg-type]

    desk.world.journal.store.write = write  # type: ignore[method-assign]
    operations = tuple(Write(path.name, "new\n") for path in paths)
    task = asyncio.create_task(desk.files(desk.gate(yes=True)).change(ChangeSet(operations)))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert {path.read_bytes() for path in paths} == {b"new\n"}
    from app.store import journal as rows

    (change,) = await desk.world.journal.store.read(rows.changes)
    await desk.undo.one(change.id)
    assert {path.read_bytes() for path in paths} == {b"old\n"}


async def test_a_full_disk_and_a_read_only_place(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's own refusal, in the middle of a change over two files."""
    import errno

    first, second = desk.write("a", "a\n"), desk.write("b", "b\n")
    real, seen = os.replace, []

    def full(source: str, target: str, **held: int) -> None:
        if target == "b":
            seen.append(target)
            raise OSError(errno.ENOSPC, "No space left on device", target)
        real(source, target, **held)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ToolError) as caught:
        await desk.files(desk.gate(yes=True)).change(ChangeSet((Write("a", "A\n"), Write("b", "B\n"))))
    assert caught.value.code == "disk_full"
    assert seen
    assert (first.read_bytes(), second.read_bytes()) == (b"a\n", b"b\n")
    assert sorted(os.listdir(desk.folder)) == ["a", "b"]


async def test_the_question_holds_the_whole_effect(desk: Desk) -> None:
    desk.write("x", b"caf\xe9\n")
    await desk.files().change(ChangeSet((Write("x", "café\n"), Write("y", "y"))))
    effect = desk.shown()
    assert isinstance(effect, FilesEffect)
    assert effect.undoable
    assert [(file.kind, file.note) for file in effect.files] == [
        ("changed", "encoding_changed"),
        ("new", "no_final_newline"),
    ]
