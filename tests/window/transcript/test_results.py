"""The results of tools are drawn by the kind of their view; their text stays one press away."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.attachment_records import Attachment
from app.records import Message, Picture, View
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import blocks, call, click, message, parts
from ui.result_views import files_of, links_of, patch_of, table_of
from ui.window.transcript.attached import Pictured
from ui.window.transcript.cards import Picture as PlaceOfPicture
from ui.window.transcript.result_files import FileLines, FileRow
from ui.window.transcript.result_head import Preface, ResultHead
from ui.window.transcript.result_links import LinkRow
from ui.window.transcript.result_table import TableStrip
from ui.window.transcript.tool_rows import Pane
from ui.window.transcript.view import TranscriptView

PATCH = """diff --git a/a b.txt b/a b.txt
index 1..2 100644
--- a/a b.txt
+++ b/a b.txt
@@ -1,3 +1,3 @@ top
 one
-two
+2

 three
diff --git a/pic.png b/pic.png
index 3..4 100644
Binary files a/pic.png and b/pic.png differ
diff --git a/old.py b/new.py
similarity index 90%
rename from old.py
rename to new.py
--- a/old.py
+++ b/new.py
@@ -1 +1 @@
-x
+y
"""
LISTED = [
    {"path": "a b.txt", "kind": "changed", "added": 1, "removed": 1},
    {"path": "pic.png", "kind": "changed", "added": 0, "removed": 0},
    {"path": "new.py", "kind": "renamed", "added": 1, "removed": 1},
    {"path": "left out.c", "kind": "new", "added": 9, "removed": 0},
]


def told(text: str, kind: str, data: dict[str, Any], **fields: Any) -> list[Message]:
    """Return an answer with one call and its result."""
    view = View(kind=kind, data=data)  # type: ignore[arg-type]
    result = message("tool", text, call="c1", tool="any", ok=True, view=view, **fields)
    return [message("assistant", "Look.", calls=(call("c1", arguments="{}"),)), result]


def opened(show: Show, messages: list[Message]) -> TranscriptView:
    view = show(messages)
    press(view, "toggle", "c1")
    return view


def press(view: TranscriptView, act: str, value: str) -> None:
    """Press the part of the view with this meaning."""
    point = next(point for _block, part, point in parts(view, act) if part.value == value)
    click(view, point)
    view.viewport().repaint()


def kinds(view: TranscriptView) -> list[str]:
    return [type(block).__name__ for block in blocks(view)][2:]


def test_the_lines_of_each_file_are_found_in_the_text_of_a_result() -> None:
    text = f"4 files\n\n{PATCH}\n[There is more; name a path to see it.]"
    first, picture, moved, left = files_of(View(kind="diff", data={"listed": LISTED}), text)
    assert first.lines == ("@@ -1,3 +1,3 @@ top", " one", "-two", "+2", "", " three")
    assert picture.lines == ("Binary files a/pic.png and b/pic.png differ",)
    assert (moved.path, moved.kind, moved.lines) == ("new.py", "renamed", ("@@ -1 +1 @@", "-x", "+y"))
    assert (left.added, left.lines) == (9, ())
    assert patch_of(text).startswith("diff --git a/a b.txt") and patch_of("none") == ""


def test_a_merge_has_a_sign_for_each_parent() -> None:
    text = "diff --cc m.py\nindex 1,2..3\n--- a/m.py\n+++ b/m.py\n@@@ -1,1 -1,1 +1,2 @@@\n- a\n -b\n++c\n"
    data = {"listed": [{"path": "m.py", "kind": "changed", "added": 1, "removed": 1}]}
    (file,) = files_of(View(kind="diff", data=data), text)
    assert file.signs == 2 and file.lines == ("@@@ -1,1 -1,1 +1,2 @@@", "- a", " -b", "++c")


def test_what_is_no_table_and_no_link_is_not_drawn_as_one() -> None:
    for data in ({}, {"columns": "a", "rows": [["1"]]}, {"columns": ["a"], "rows": None}, {"columns": ["a"]}):
        assert table_of(View(kind="table", data=data)) is None
    table = table_of(View(kind="table", data={"columns": ["a", "b"], "rows": [[1], [2, None, 3], "no"]}))
    assert table is not None and table.rows == (("1", ""), ("2", ""), ("", ""))
    given = {"links": [{"title": " a\nb ", "url": "https://www.x.example/1"}, "no", {"url": "javascript:a"}]}
    first, second = links_of(View(kind="links", data=given))
    assert (first.title, first.host) == ("a b", "www.x.example")
    assert (second.title, second.host) == ("javascript:a", "")
    assert links_of(View(kind="links", data={"links": [{"title": "t", "url": "https://[x"}]}))[0].host == ""


def test_differences_are_drawn_file_by_file_and_fold(show: Show) -> None:
    data = {"listed": LISTED[:3], "cut": True, "head": "commit 1\n\nWhy"}
    view = opened(show, told(f"3 files\n\n{PATCH}", "diff", data))
    lines = ["FileRow", "FileLines"]
    assert kinds(view) == ["ResultHead", "Preface", *lines, *lines, *lines], "few lines are open at once"
    head = next(block for block in blocks(view) if isinstance(block, ResultHead))
    assert head.title == "3 files · not all lines are shown"
    press(view, "toggle", "file c1 0")
    assert kinds(view) == ["ResultHead", "Preface", "FileRow", *lines, *lines]
    row = next(block for block in blocks(view) if isinstance(block, FileRow))
    assert row.text() == "a b.txt changed +1 \u22121"
    shown = next(block for block in blocks(view) if isinstance(block, FileLines))
    assert shown.text() == "Binary files a/pic.png and b/pic.png differ"
    press(view, "copy", "view")
    assert QGuiApplication.clipboard().text() == PATCH


def test_added_and_removed_lines_stand_on_their_grounds(show: Show) -> None:
    view = opened(show, told(PATCH, "diff", {"listed": LISTED[:1]}))
    at, lines = next((s, s.block) for s in view.shown if isinstance(s.block, FileLines))
    image = view.viewport().grab().toImage()
    corner, colors = view.rect_of(at.row, at.number).topLeft(), view.sheet.theme.colors
    found = []
    for number in range(len(lines.mono.lines)):
        y = (lines.extent(lines.mono.starts[number])[0] + lines.extent(lines.mono.starts[number])[1]) // 2
        found.append(image.pixelColor(corner + QPoint(lines.width - 10, y)).name())
    plain = colors.code_ground.name()
    assert found == [plain, plain, colors.removed.name(), colors.added.name(), plain, plain]


def test_a_long_change_is_folded_and_many_files_are_cut(show: Show) -> None:
    listed = [{"path": f"f{n}", "kind": "changed", "added": 1, "removed": 0} for n in range(20)]
    text = "".join(
        f"diff --git a/f{n} b/f{n}\n--- a/f{n}\n+++ b/f{n}\n@@ -0,0 +1 @@\n+x\n" for n in range(20)
    )
    view = opened(show, told(text, "diff", {"listed": listed}))
    assert kinds(view) == ["ResultHead", *["FileRow"] * 12, "MoreRow"]
    press(view, "toggle", "all c1")
    assert kinds(view) == ["ResultHead", *["FileRow"] * 20]
    long = "diff --git a/f0 b/f0\n--- a/f0\n+++ b/f0\n@@ -0,0 +1,500 @@\n" + "+x\n" * 500
    view = opened(show, told(long, "diff", {"listed": listed[:1]}))
    assert kinds(view) == ["ResultHead", "FileRow"]
    press(view, "toggle", "file c1 0")
    lines = next(block for block in blocks(view) if isinstance(block, FileLines))
    assert lines.mono.shown == 40
    view.resize(700, 1400)
    view.viewport().repaint()
    press(view, "more", "output")
    assert lines.mono.shown == 240


def test_a_table_stands_in_columns_and_shows_more_rows(show: Show) -> None:
    rows = [[str(n), "x" * 500 if n == 3 else f"name {n}", ""] for n in range(500)]
    view = opened(show, told("...", "table", {"columns": ["pid", "name", "empty"], "rows": rows}))
    table = next(block for block in blocks(view) if isinstance(block, TableStrip))
    assert kinds(view) == ["ResultHead", "TableStrip"]
    (pid, right), (name, left), _empty = table._columns
    assert right and not left and pid < name <= table.width, "a long cell is cut"
    before = table.height
    press(view, "more", "table")
    assert len(table.shown) == 210 and table.height > before
    press(view, "copy", "view")
    copied = QGuiApplication.clipboard().text().split("\n")
    assert len(copied) == 501 and copied[:2] == ["pid\tname\tempty", "0\tname 0\t"]
    assert table.markdown(0, 0).startswith("| pid | name | empty |\n| --- | --- | --- |\n| 0 | name 0 |  |")


def test_a_wide_table_scrolls_within_its_bounds(show: Show) -> None:
    columns = [f"column {n}" for n in range(30)]
    view = opened(show, told("...", "table", {"columns": columns, "rows": [columns]}))
    table = next(block for block in blocks(view) if isinstance(block, TableStrip))
    assert table.scroll(50) and table.scroll(100_000)
    assert not table.scroll(1) and table.scroll(-100_000) and not table.scroll(-1)


def test_the_text_of_a_result_is_one_press_away(show: Show) -> None:
    view = opened(show, told("pid 1", "table", {"columns": ["pid"], "rows": [["1"]]}))
    press(view, "toggle", "text c1")
    assert kinds(view) == ["Pane"]
    pane = next(block for block in blocks(view) if isinstance(block, Pane))
    assert pane.text() == "pid 1"
    assert [part.name for part in pane.parts()] == ["As a table", "Copy"]
    press(view, "toggle", "text c1")
    assert kinds(view) == ["ResultHead", "TableStrip"]


def test_a_link_opens_only_when_it_is_pressed_and_shows_its_host(show: Show) -> None:
    links = [
        {"title": f"Page {n}", "url": f"https://www.h{n}.example/p", "text": "word " * 200} for n in range(7)
    ]
    links.insert(0, {"title": "Bad", "url": "file:///etc/passwd"})
    view = show(told("...", "links", {"links": links}))
    asked: list[str] = []
    view.link_activated.connect(asked.append)
    press(view, "toggle", "c1")
    view.resize(700, 1400)
    view.viewport().repaint()
    assert asked == [] and kinds(view) == ["ResultHead", *["LinkRow"] * 6, "MoreRow"]
    assert [part.value for _b, part, _p in parts(view, "link")] == [one["url"] for one in links[1:6]]
    rows = [block for block in blocks(view) if isinstance(block, LinkRow)]
    assert rows[1].text().startswith("Page 0\nh0.example\nword word")
    assert rows[1].parts()[0].name == "Page 0, www.h0.example"
    assert rows[1].height <= view.sheet.theme.px(90), "an excerpt has two lines"
    press(view, "link", links[2]["url"])
    assert asked == [links[2]["url"]]
    press(view, "toggle", "all c1")
    assert kinds(view) == ["ResultHead", *["LinkRow"] * 8]


def test_a_picture_of_a_tool_is_seen_from_what_is_kept_and_opens_large(show: Show, qtbot: QtBot) -> None:
    out = io.BytesIO()
    Image.new("RGB", (400, 200), (0, 200, 0)).save(out, "PNG")
    kept = Picture(id="0123456789abcdef", media="image/png", width=400, height=200, name="/tmp/shot.png")
    messages = told("A picture", "image", {"path": "/tmp/shot.png"}, pictures=(kept,))
    view = show(messages)
    (block,) = [one for one in blocks(view) if isinstance(one, Pictured)]
    with qtbot.waitSignal(view.sheet.gallery.ready):
        view.sheet.gallery.take(kept.id, out.getvalue())
    view.viewport().repaint()
    asked: list[Attachment] = []
    view.attachment_requested.connect(asked.append)
    press(view, "attachment", "/tmp/shot.png")
    assert [one.picture for one in asked] == [kept]
    place = block.parts()[0].rect
    assert place.left() == 0 and place.width() == 2 * place.height(), "it stands where answers begin"
    assert not [one for one in blocks(view) if isinstance(one, PlaceOfPicture)]


def test_a_picture_that_was_not_kept_leaves_its_place(show: Show) -> None:
    view = show(told("A picture", "image", {"path": "/tmp/shot.png"}))
    assert [one.place for one in blocks(view) if isinstance(one, PlaceOfPicture)] == ["/tmp/shot.png"]
    view = show(told("A picture", "image", {}))
    assert not [one for one in blocks(view) if isinstance(one, PlaceOfPicture)]


def test_what_a_table_leaves_out_is_said_above_and_below(show: Show) -> None:
    text = "a\n[There are more; use offset 5.]\n[not a note] b\n[[x]]"
    data = {"columns": ["a"], "rows": [["1"]], "head": "Lisbon\nNow: 14 °C"}
    view = opened(show, told(text, "table", data))
    assert kinds(view) == ["ResultHead", "Preface", "TableStrip", "Preface"]
    above, below = [block.text() for block in blocks(view) if isinstance(block, Preface)]
    assert (above, below) == ("Lisbon\nNow: 14 °C", "There are more; use offset 5.")
