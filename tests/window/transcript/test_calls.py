"""The words of a waiting card: what happens to files and whole folders, and how much that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.records import Approval, FileDiff, FilesEffect
from ui.window.approvals.wording import title
from ui.window.transcript.calls import consequence, question

HOME = str(Path.home())


def asked(*files: FileDiff, tool: str = "move_file") -> Approval:
    effect = FilesEffect(files=files)
    return Approval(id="a", session="s", turn="t", call="c", tool=tool, effect=effect, asked=1.0)


def diff(kind: str, name: str, **more: object) -> FileDiff:
    return FileDiff(path=f"/w/{name}", shown=name, kind=kind, **more)  # type: ignore[arg-type]


COPIED = diff("copied", "b.txt", old_path="/w/a.txt", size=2048)
MOVED = diff("renamed", "new", old_path=f"{HOME}/old", items=1234, size=3_000_000)
GONE = diff("deleted", "build", items=212, size=5_000_000)


@pytest.mark.parametrize(
    ("file", "tool", "heading", "words"),
    [
        (COPIED, "copy_file", "Bramble wants to copy 1 item", "b.txt is copied from /w/a.txt (2.0 kB)"),
        (MOVED, "move_file", "Bramble wants to move 1 item", "new is moved from ~/old (1,234 files, 3.0 MB)"),
        (diff("folder", "docs"), "create_dir", "Bramble wants to make 1 folder", "docs is a new folder"),
        (
            GONE,
            "trash_file",
            "Bramble wants to delete 1 folder",
            "build goes to the trash (212 files, 5.0 MB)",
        ),
        (diff("deleted", "x"), "trash_file", "Bramble wants to delete 1 file", "x goes to the trash"),
        (diff("deleted", "x"), "apply_patch", "Bramble wants to delete 1 file", "x is deleted"),
        (
            diff("new", "a.zip", binary=True, items=3, size=900_000),
            "archive",
            "Bramble wants to make 1 file",
            "a.zip is new (3 files, 900 kB)",
        ),
        (
            diff("changed", "run", new_mode=0o755),
            "edit_file",
            "Bramble wants to change 1 file",
            "run changes",
        ),
        (
            diff("changed", "run", added=2, removed=1),
            "edit_file",
            "Bramble wants to change 1 file",
            "run changes 2 lines",
        ),
    ],
)
def test_what_happens_is_said(file: FileDiff, tool: str, heading: str, words: str) -> None:
    approval = asked(file, tool=tool)
    assert question(approval.effect) == title(approval) == heading
    assert consequence(approval) == f"{words}. Can be undone."


def test_several_are_counted() -> None:
    approval = asked(COPIED, COPIED, COPIED, tool="copy_file")
    assert question(approval.effect) == "Bramble wants to copy 3 items"
    assert consequence(approval).endswith("(2.0 kB), 1 more. All of it can be undone.")
