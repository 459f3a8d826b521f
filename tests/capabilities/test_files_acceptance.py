"""The reported cases of edits (section 3), deletions (6) and undo (7), each as its report tells it, and
C17 to C22; by the capability that every file tool uses.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from app.changes.undo import UndoConflict
from app.errors import Refused, ToolError
from app.records import Answer, CommandEffect, Decision
from app.store import journal as rows
from tests.capabilities.files_desk import Desk, open_desk
from tools import ChangeSet, FileText, Patch, Replace, Trash, Write

Case = Callable[[Desk], Awaitable[None]]
CASES: dict[str, Case] = {}


def case(name: str) -> Callable[[Case], Case]:
    """Take a function as the case of that name."""

    def keep(function: Case) -> Case:
        CASES[name] = function
        return function

    return keep


async def _replace(desk: Desk, path: str, old: str, new: str) -> str:
    made = await desk.files(desk.gate(yes=True)).change(ChangeSet((Replace(path, ((old, new),)),)))
    return made.undo


@case("3 anomalyco/opencode#49600")
@case("C17")
async def latin_1_elsewhere(desk: Desk) -> None:
    path = desk.write("x", b"one\n# caf\xe9\n")
    await _replace(desk, "x", "one", "two")
    assert path.read_bytes() == b"two\n# caf\xe9\n"


@case("3 github/copilot-cli#3732")
async def one_cp1252_byte(desk: Desk) -> None:
    path = desk.write("x", b"one \x93quoted\x94\nlast\n")
    await _replace(desk, "x", "last", "end")
    assert path.read_bytes() == b"one \x93quoted\x94\nend\n"


@case("3 anthropics/claude-code#62723")
async def shift_jis_inside(desk: Desk) -> None:
    path = desk.write("x", "これはテストです\n設定ファイル\n日本語の行\n".encode("shift_jis"))
    await _replace(desk, "x", "設定", "新しい設定")
    assert path.read_bytes() == "これはテストです\n新しい設定ファイル\n日本語の行\n".encode("shift_jis")


@case("3 openai/codex#4003")
async def a_patch_of_crlf(desk: Desk) -> None:
    path = desk.write("x", b"one\r\ntwo\r\nthree\r\n")
    patch = "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+more\n three\n"
    await desk.files(desk.gate(yes=True)).change(ChangeSet((Patch(patch),)))
    assert path.read_bytes() == b"one\r\nTWO\r\nmore\r\nthree\r\n"


@case("3 anthropics/claude-code#11447")
async def tabs_are_shown_and_told(desk: Desk) -> None:
    path = desk.write("x", b"def f():\n\treturn 1\n")
    page = await desk.reader().read("x")
    assert isinstance(page, FileText) and page.lines[1] == "\treturn 1"
    with pytest.raises(ToolError) as caught:
        await _replace(desk, "x", "return 1 +", "x")
    assert "\\t" in str(caught.value) or "\t" in str(caught.value)
    await _replace(desk, "x", "    return 1", "    return 2")
    assert path.read_bytes() == b"def f():\n\treturn 2\n"


@case("3 anthropics/claude-code#7443")
async def times_are_no_change(desk: Desk) -> None:
    path = desk.write("x", "one\n")

    def touch(effect: object) -> Answer:
        os.utime(path, ns=(len(desk.asked), len(desk.asked)))
        return Answer(decision="allow")

    desk.answer = touch
    await desk.files().change(ChangeSet((Replace("x", (("one", "two"),)),)))
    await desk.files().change(ChangeSet((Trash("x"),)))
    assert len(desk.asked) == 2 and not path.exists()


@case("C19")
async def line_ends_stay(desk: Desk) -> None:
    path, mixed = desk.write("x", b"foo\r\nbar\r\n"), desk.write("m", b"foo\r\nbar\nfoo2\r\n")
    await _replace(desk, "x", "foo", "FOO")
    await _replace(desk, "m", "bar", "BAR")
    assert (path.read_bytes(), mixed.read_bytes()) == (b"FOO\r\nbar\r\n", b"foo\r\nBAR\nfoo2\r\n")


@case("C20")
async def the_mark_stays(desk: Desk) -> None:
    path = desk.write("x", "\ufeffgrün\none\n")
    await _replace(desk, "x", "one", "two")
    assert path.read_bytes() == "\ufeffgrün\ntwo\n".encode()


@case("C21")
async def quotes_tabs_and_blanks(desk: Desk) -> None:
    path = desk.write("x", "say “hello” now\n\tindented\nends  \n")
    await _replace(desk, "x", 'say "hello" now', 'say "bye" now')
    await _replace(desk, "x", "    indented", "    moved")
    await _replace(desk, "x", "ends", "end")
    assert path.read_text() == "say “bye” now\n\tmoved\nend  \n"


@case("C22")
async def three_times_empty_and_changed(desk: Desk) -> None:
    desk.write("x", "a\na\na\n")
    for old, code in (("a", "not_unique"), ("", "bad_arguments")):
        with pytest.raises(ToolError) as caught:
            await _replace(desk, "x", old, "b")
        assert caught.value.code == code
    await hand_edits_during_the_question(desk)


@case("6 anthropics/claude-code#71679")
async def hand_edits_during_the_question(desk: Desk) -> None:
    path = desk.write("y", "one\ntwo\n")

    def answer(effect: object) -> Answer:
        if len(desk.asked) == 1:
            path.write_text("one\ntwo\nmine\n")
            return Answer(decision="allow")
        return Answer(decision="allow", edited={str(path): "ONE\nedited\nmine\n"})

    desk.asked.clear()
    desk.answer = answer
    await desk.files().change(ChangeSet((Replace("y", (("one", "ONE"),)),)))
    assert path.read_text() == "ONE\nedited\nmine\n" and len(desk.asked) == 2


@case("6 anthropics/claude-code#46058")
async def thousands_of_pdfs(desk: Desk) -> None:
    for number in range(1_200):
        desk.write(f"pdf/{number}.pdf", b"%PDF")
    gate = desk.gate("trash_file", yes=True, allow=["trash_file(*)"], attended=False)
    with pytest.raises(Refused):
        await desk.files(gate).change(ChangeSet((Trash("pdf"),)))
    made = await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("pdf"),)))
    assert not (desk.folder / "pdf").exists()
    await desk.undo.one(made.undo)
    assert len(os.listdir(desk.folder / "pdf")) == 1_200


@case("6 anthropics/claude-code#23913")
async def count_and_sample_are_shown(desk: Desk) -> None:
    for number in range(20):
        desk.write(f"scaffolding/{number:02}", "x")
    await desk.files(desk.gate("trash_file")).change(ChangeSet((Trash("scaffolding"),)))
    (loss,) = desk.shown().losses
    assert (loss.items, loss.untracked) == (20, 20) and loss.sample and loss.size == 20


@case("7 zed-industries/zed#28676")
async def undo_of_undo(desk: Desk) -> None:
    path = desk.write("x", "one\n")
    back = await desk.undo.one(await _replace(desk, "x", "one", "two"))
    assert path.read_text() == "one\n"
    again = await desk.undo.one(back)
    assert path.read_text() == "two\n"
    await desk.undo.one(again)
    assert path.read_text() == "one\n"


@case("7 zed-industries/zed#30527")
async def what_the_user_wrote_is_not_deleted(desk: Desk) -> None:
    made = await desk.files(desk.gate(yes=True)).change(ChangeSet((Write("new", "ours\n"),)))
    path = desk.folder / "new"
    path.write_text("ours\nand mine\n")
    with pytest.raises(UndoConflict):
        await desk.undo.one(made.undo)
    assert path.read_text() == "ours\nand mine\n"
    await desk.undo.one(made.undo, {str(path): "before"})
    assert not path.exists()


@case("7 zed-industries/zed#58932")
async def only_that_turns_own_edits(desk: Desk) -> None:
    path, other = desk.write("x", "one\n"), desk.write("y", "one\n")
    await _replace(desk, "x", "one", "two")
    files = desk.files(desk.gate(yes=True))
    files._turn = "another"
    await files.change(ChangeSet((Replace("y", (("one", "two"),)),)))
    await desk.undo.turn("t")
    assert (path.read_text(), other.read_text()) == ("one\n", "two\n")


@case("7 zed-industries/zed#59099")
async def only_files_that_differ_are_touched(desk: Desk) -> None:
    path, other = desk.write("x", "one\n"), desk.write("y", "one\n")
    changes = ChangeSet((Write("x", "two\n"), Write("y", "two\n")))
    made = await desk.files(desk.gate(yes=True)).change(changes)
    other.write_text("one\n")  # the person took this one back by hand
    os.utime(other, ns=(7, 7))
    await desk.undo.one(made.undo, {str(other): "before"})
    assert (path.read_text(), other.stat().st_mtime_ns) == ("one\n", 7)


@case("7 anthropics/claude-code#93045")
async def deleted_files_come_back(desk: Desk) -> None:
    path = desk.write("x", "one\n")
    path.chmod(0o755)
    patch = "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"
    for change in (ChangeSet((Patch(patch),)), ChangeSet((Trash("x"),))):
        made = await desk.files(desk.gate(yes=True)).change(change)
        assert not path.exists()
        await desk.undo.one(made.undo)
        assert path.read_text() == "one\n" and path.stat().st_mode & 0o777 == 0o755


@case("7 anthropics/claude-code#87575")
async def what_cannot_be_restored_is_said_before(desk: Desk) -> None:
    asked: list[tuple[CommandEffect, Decision]] = []

    async def ask(effect: object, decision: Decision) -> Answer:
        assert isinstance(effect, CommandEffect)
        asked.append((effect, decision))
        return Answer(decision="deny")

    gate = desk.gate("run_command")
    gate.ask = ask
    with pytest.raises(Refused):
        await gate.permit(CommandEffect(command="make", cwd=str(desk.folder)))
    assert asked[0][0].undoable is False, "the dialog words it: ui/words and ui/terminal/effects"


@case("7 openai/codex#25048")
async def undo_after_line_ends_were_converted(desk: Desk) -> None:
    path = desk.write("x", b"one\r\ntwo\r\n")
    made = await desk.files(desk.gate(yes=True)).change(ChangeSet((Write("x", "one\nTWO\n"),)))
    assert path.read_bytes() == b"one\nTWO\n"
    await desk.undo.one(made.undo)
    assert path.read_bytes() == b"one\r\ntwo\r\n"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("name", CASES)
async def test_case(desk: Desk, name: str) -> None:
    await CASES[name](desk)
    assert await desk.world.journal.store.read(rows.changes) is not None


def test_how_many_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\nacceptance cases of edits, deletions and undo: {len(CASES)}")
    assert len(CASES) == 21
