"""The painted diff: rows, what differs inside, keys, selection, pieces, and a long file."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.changes.diff import file_diff
from app.records import DiffLine, FileDiff
from ui.window.diff import DiffView
from ui.window.diff.colours import Colours, _by_line, drawn
from ui.window.diff.inside import differences, units
from ui.window.diff.rows import LONGEST, side_by_side, unified
from ui.window.theme import make_theme
from ui.window.transcript.highlight import Highlighter

OLD = "# Invoices\n\nPut new files here.\n" + "".join(f"{n}\n" for n in range(20)) + "end\n"
NEW = (
    OLD.replace("new files", "new PDF files")
    .replace("here.\n", "here.\nRun it.\n")
    .replace("end\n", "the end\n")
)


def diff(old: str = OLD, new: str = NEW, name: str = "README.md") -> FileDiff:
    return file_diff(f"/w/{name}", name, old.encode(), new.encode())


@pytest.fixture
def view(qtbot: QtBot) -> DiffView:
    made = DiffView(make_theme("light"))
    qtbot.addWidget(made)
    made.resize(760, 400)
    made.show_file(diff())
    made.show()
    qtbot.waitExposed(made)
    return made


def test_removed_lines_stand_before_added_ones_and_know_their_counterpart() -> None:
    rows = unified(diff().hunks)
    assert [row.hunk for row in rows if row.head] == [0, 1]
    changed = [(row.old or row.new).text for row in rows if not row.head and row.old is not row.new]  # type: ignore[union-attr]
    assert [text.rstrip("\n") for text in changed] == [
        "Put new files here.", "Put new PDF files here.", "Run it.", "end", "the end",
    ]  # fmt: skip
    replaced = next(row for row in rows if row.new and row.new.text.startswith("Put new PDF"))
    assert replaced.other is not None and replaced.other.text.startswith("Put new files")


def test_in_two_columns_what_replaces_stands_beside_what_was_replaced() -> None:
    rows = [row for row in side_by_side(diff().hunks) if row.old is not row.new]
    pairs = [(row.old.text if row.old else "", row.new.text if row.new else "") for row in rows]
    assert [(old.strip(), new.strip()) for old, new in pairs] == [
        ("Put new files here.", "Put new PDF files here."), ("", "Run it."), ("end", "the end"),
    ]  # fmt: skip


def test_only_the_words_that_differ_are_marked() -> None:
    removed, added = differences("Put new files here.", "Put new PDF files here.")
    assert removed == () and ["Put new PDF files here."[s : s + n] for s, n in added] == ["PDF"]
    assert differences("alpha beta", "x = 1") == ((), ())
    assert differences("a" * 500, "a" * 501) == ((), ())


def test_positions_count_as_qt_counts() -> None:
    assert [units("a😀b", position) for position in range(4)] == [0, 1, 3, 4]


def test_lines_are_drawn_whole_safe_and_bounded() -> None:
    line = DiffLine("+", 0, 1, "a\x00\u202eb\ud800\r\n")
    assert "\x00" not in drawn(line) and "\u202e" not in drawn(line)
    long = diff("x\n", "y" * 100_000 + "\n").hunks[0].lines[-1]
    assert len(drawn(long)) < LONGEST + 20


def test_coloured_spans_are_cut_at_line_ends() -> None:
    code = 'a = """x\ny"""\n'
    assert _by_line(code, [(4, 9, "string")]) == {0: [(4, 4, "string")], 9: [(0, 4, "string")]}


def test_colours_arrive_from_the_process(qtbot: QtBot) -> None:
    highlighter = Highlighter()
    file = diff("x = 1\n", "def f(): return 'x'\n", "a.py")
    colours = Colours(highlighter)
    colours.load(file.hunks, file.language)
    line = file.hunks[0].lines[-1]
    with qtbot.waitSignal(highlighter.ready, timeout=20_000):
        assert colours.of(line, 0) == []
    assert (0, 3, "keyword") in colours.of(line, 0)
    highlighter.close()


def test_keys_go_through_the_pieces_and_flip_the_one_at_hand(view: DiffView, qtbot: QtBot) -> None:
    flips: list[tuple[int, bool]] = []
    view.flipped.connect(lambda piece, rejected: flips.append((piece, rejected)))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    qtbot.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert view.piece == 1
    view.set_rejected(frozenset({1}))
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert flips == [(0, True), (1, False)]


def test_each_piece_has_named_buttons(view: DiffView, qtbot: QtBot) -> None:
    names = {part.accessibleName() for part in view.findChildren(QPushButton) if part.isVisible()}
    assert {"Accept piece 1", "Reject piece 1", "Accept piece 2", "Reject piece 2"} <= names
    with qtbot.waitSignal(view.flipped) as caught:
        next(p for p in view.findChildren(QPushButton) if p.accessibleName() == "Reject piece 2").click()
    assert caught.args == [1, True]


def test_selected_lines_are_copied_with_their_marks(view: DiffView, qtbot: QtBot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QApplication.clipboard().text()
    assert "-Put new files here.\n+Put new PDF files here.\n+Run it." in text


def test_a_long_file_is_laid_out_only_where_it_is_seen(qtbot: QtBot) -> None:
    chance = random.Random(1)
    old = [f"    value_{n} = compute(path, limit={n % 97})\n" for n in range(20_000)]
    new = list(old)
    for _ in range(400):
        new[chance.randrange(len(new))] = "    changed = True\n"
    view = DiffView(make_theme("light"))
    qtbot.addWidget(view)
    view.resize(1000, 700)
    view.show_file(diff("".join(old), "".join(new), "big.py"))
    view.show()
    qtbot.waitExposed(view)
    view.viewport().repaint()
    assert len(view._painter._layouts) < 100
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    view.viewport().repaint()
    assert len(view._painter._layouts) < 200
    view._highlighter.close()


def test_files_without_lines_say_so(qtbot: QtBot) -> None:
    view = DiffView(make_theme("dark"))
    qtbot.addWidget(view)
    view.show_file(file_diff("/w/a.bin", "a.bin", None, b"\0\1\2"))
    view.show()
    qtbot.waitExposed(view)
    assert not view.grab().isNull()


def test_it_reads_from_left_to_right_in_every_language(view: DiffView, qapp: QApplication) -> None:
    wanted = view.grab().toImage()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        assert view.grab().toImage() == wanted, "line numbers, captions and choices keep their places"
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
