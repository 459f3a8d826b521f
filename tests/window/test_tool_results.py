"""What real tools return is drawn by its kind in the window, also after the conversation is opened again."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.test_talking import point_at
from ui.window.transcript.attached import Pictured
from ui.window.transcript.result_files import FileLines, FileRow
from ui.window.transcript.result_table import TableStrip


def repository(folder: Path) -> None:
    """Make a repository with one commit and one change that is not committed."""
    git = ["git", "-C", str(folder), "-c", "user.name=Ada", "-c", "user.email=ada@x.example"]
    subprocess.run([*git, "init", "-q"], check=True)
    (folder / "tea list.txt").write_text("Assam\nmilk\n")
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "Begin"], check=True)
    (folder / "tea list.txt").write_text("Assam\noat milk\n")


def drawn(furnished: Furnished, kind: type[Any]) -> list[Any]:
    """Open all calls and return the blocks of a kind."""
    view = furnished.life.transcript
    for row in view.story.rows:
        row.make()
        for key in row.calls:
            if key not in row._made.opened:
                row.toggle(key)
    view.changed()
    return [block for row in view.story.rows for block in row.blocks if isinstance(block, kind)]


def test_differences_tables_and_pictures_of_real_tools(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    repository(folder)
    Image.new("RGB", (300, 200), (0, 160, 0)).save(folder / "green.png")
    steps = [calls((name, arguments)) for name, arguments in (
        ("use_tool", {"name": "git_diff", "arguments": {}}),
        ("use_tool", {"name": "git_log", "arguments": {}}),
        ("use_tool", {"name": "view_image", "arguments": {"path": "green.png"}}),
    )]  # fmt: skip
    with scripted_in_thread(*steps, says("Seen.")) as server:
        point_at(monkeypatch, server.url)
        life = furnished.open()
        life.change_settings(folder=str(folder))
        furnished.until(lambda: life.settings.folder == str(folder), "the folder")
        life.conversation.show_new()
        furnished.send("Look at my work")
        furnished.until(lambda: "Seen." in furnished.text(), "the answer")
    check(furnished, "as it came")
    info = life.conversation.info
    life.conversation.show_new()
    furnished.until(lambda: "Seen." not in furnished.text(), "an empty page")
    life.conversation.open(info)
    furnished.until(lambda: "Seen." in furnished.text(), "the conversation")
    check(furnished, "opened again")


def check(furnished: Furnished, when: str) -> None:
    """Look at the blocks of the three results."""
    (file,) = [row.file for row in drawn(furnished, FileRow)]
    assert (file.path, file.added, file.removed) == ("tea list.txt", 1, 1), when
    (lines,) = drawn(furnished, FileLines)
    assert lines.text().split("\n")[-3:] == [" Assam", "-milk", "+oat milk"]
    (table,) = drawn(furnished, TableStrip)
    assert table.table.columns == ("commit", "date", "author", "subject")
    assert table.table.rows[0][2] == "Ada" and table.table.rows[0][3].endswith(" Begin")
    assert table.table.rows[0][3].startswith("(HEAD -> ")
    (seen,) = drawn(furnished, Pictured)
    picture = seen.attached[0].picture
    gallery = furnished.life.transcript.sheet.gallery
    furnished.until(lambda: gallery.image(picture) is not None, "the picture")
    assert gallery.image(picture).pixelColor(150, 100).green() > 140
