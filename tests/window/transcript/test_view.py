"""The view: what is laid out, what keeps its place, and that streamed and loaded text look the same."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.events import MessageStored, ReasoningStreamed, RequestSent, TextStreamed
from app.records import Message
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import (
    RICH,
    blocks,
    call,
    click,
    differences,
    message,
    on_screen,
    picture,
    point_of,
)
from ui.window.theme import make_theme
from ui.window.transcript.code import Code
from ui.window.transcript.view import TranscriptView

ODDITIES = {
    "nul": "a\x00b",
    "surrogates": "lone \ud800 and \udfff",
    "bidi": "x\u202eabc\u2066def",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 " * 20,
    "long line": "x" * 1_000_000,
    "long words": "word " * 100_000,
    "open fence": "```\n" + "y" * 500_000,
    "nested": "> " * 500 + "deep",
    "brackets": "[" * 5_000 + "]" * 5_000,
    "stars": "*" * 20_000,
    "rtl": "שלום " * 500,
    "separators": "a\u2028b\u2029c\x0bd\x0ce\x85f",
    "nonchars": "\ufdd0\ufdd1\uffff\U0001ffff",
    "table": "|a|\n|-|\n" + "|x|\n" * 3_000,
    "combining": "e" + "\u0301" * 5_000,
    "returns": "a\rb\r\nc\r\r",
}


class Painted(QObject):
    """Notes how high what is painted of a widget is."""

    def __init__(self, widget: QWidget, heights: list[int]) -> None:
        super().__init__(widget)
        self._heights = heights
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self._heights.append(event.region().boundingRect().height())
        return False


def talk(count: int) -> list[Message]:
    rng = random.Random(4)
    found = []
    for number in range(count):
        words = " ".join(rng.choice(["alpha", "beta", "gamma"]) for _ in range(rng.randrange(5, 120)))
        found.append(message("assistant" if number % 2 else "user", f"{number} {words}", f"t{number // 2}"))
    return found


def streamed(view: TranscriptView, key: str, text: str, sizes: list[int]) -> None:
    at = index = 0
    while at < len(text):
        size = sizes[index % len(sizes)]
        view.apply(TextStreamed(session="s", turn="t1", message=key, text=text[at : at + size]))
        if index % 3 == 0:
            view.flush()
        at, index = at + size, index + 1
    view.flush()


def test_starts_at_the_end_and_lays_out_only_what_is_seen(show: Show) -> None:
    view = show(talk(2_000))
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum() > 10_000
    assert sum(bool(row.blocks) for row in view.story.rows) < 20
    assert view.shown[-1].row is view.story.rows[-1]


def test_layout_of_what_was_left_is_dropped(show: Show) -> None:
    view = show(talk(600))
    bar = view.verticalScrollBar()
    while bar.value() > 0:
        bar.setValue(bar.value() - bar.pageStep())
    alive = [block for block in blocks(view) if getattr(block, "_document", None) is not None]
    assert len(alive) <= 80


def test_bullets_stand_there_again_when_their_layout_was_dropped(show: Show) -> None:
    view = show([message("assistant", "- a\n" * 20), *talk(400)])
    bar = view.verticalScrollBar()
    bar.setValue(0)
    first = on_screen(view)
    for _ in range(60):
        bar.setValue(bar.value() + bar.pageStep())
    assert all(getattr(block, "_document", None) is None for block in view.story.rows[0].blocks)
    bar.setValue(0)
    assert differences(on_screen(view), first) == []


@pytest.mark.parametrize("sizes", [[1], [3, 7, 2], [40, 1], [1000]])
def test_streamed_looks_like_loaded(show: Show, qtbot: QtBot, sizes: list[int]) -> None:
    whole = message("assistant", RICH, id="a")
    view = show([whole])
    view.resize(700, 1600)
    loaded, heights = picture(view), [block.height for block in blocks(view)]
    view.load([])
    view.apply(RequestSent(session="s", turn="t1", round=1, message="a", model="m"))
    streamed(view, "a", RICH, sizes)
    view.apply(MessageStored(session="s", message=whole))
    view.flush()
    assert [block.height for block in blocks(view)] == heights
    assert picture(view) == loaded


def test_what_was_shifted_is_as_if_painted_anew(show: Show) -> None:
    view = show([message("assistant", RICH, f"t{number}") for number in range(60)])
    view.sheet.highlighter.colours = lambda code, language: []  # type: ignore[method-assign]
    rng, bar = random.Random(1), view.verticalScrollBar()
    for _ in range(40):
        bar.setValue(bar.value() + rng.choice([-300, -120, -40, -5, 60, 7, -900]))
        assert differences(on_screen(view), picture(view)) == []


def test_streamed_text_is_as_if_painted_anew(show: Show) -> None:
    view = show([])
    view.sheet.highlighter.colours = lambda code, language: []  # type: ignore[method-assign]
    text = RICH * 3
    for at in range(0, len(text), 29):
        view.apply(TextStreamed(session="s", turn="t1", message="a", text=text[at : at + 29]))
        view.flush()
        assert differences(on_screen(view), picture(view)) == []


def test_code_that_grows_is_painted_where_it_is_new_and_whole_when_its_colours_come(
    show: Show, qtbot: QtBot
) -> None:
    view = show([])
    streamed(view, "a", "```py\n" + "x = 1\n" * 200, [1000])
    on_screen(view)
    painted: list[int] = []
    watch = Painted(view.viewport(), painted)
    whole = min(view.shown[-1].block.height, view.viewport().height())
    for _ in range(4):
        painted.clear()
        streamed(view, "a", "y = 2\n", [1000])
        qtbot.waitUntil(lambda: bool(painted))
        assert max(painted) < 80 < whole
        assert differences(on_screen(view), picture(view)) == []
    with qtbot.waitSignal(view.sheet.highlighter.ready, timeout=20_000):
        streamed(view, "a", "```\nThat is it.", [1000])
        QApplication.processEvents()
        painted.clear()
    qtbot.waitUntil(lambda: bool(painted))
    code = next(shown for shown in view.shown if isinstance(shown.block, Code))
    in_sight = view.rect_of(code.row, code.number) & view.viewport().rect()
    assert max(painted) >= in_sight.height() > 80
    assert differences(on_screen(view), picture(view)) == []
    watch.deleteLater()


def test_reading_position_keeps_while_text_streams(show: Show) -> None:
    view = show([*talk(40), message("user", "go", "t1")])
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() - 900)
    before = picture(view)
    streamed(view, "a", RICH * 3, [50])
    assert picture(view).copy(0, 0, 640, 500) == before.copy(0, 0, 640, 500)
    assert bar.value() < bar.maximum() - 900


def test_end_stays_in_sight_while_text_streams(show: Show) -> None:
    view = show(talk(20))
    streamed(view, "a", RICH, [25])
    bar = view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    assert view.newest.isEmpty()


def test_scrolling_up_does_not_jump_when_guesses_were_wrong(show: Show) -> None:
    view = show([message("assistant", RICH, f"t{number}") for number in range(60)])
    bar = view.verticalScrollBar()
    for _ in range(40):
        before = {id(shown.block): shown.y for shown in view.shown}
        bar.setValue(bar.value() - 100)
        moves = {shown.y - before[id(shown.block)] for shown in view.shown if id(shown.block) in before}
        assert moves == {100}


def test_older_messages_do_not_move_what_is_read(show: Show) -> None:
    whole = talk(300)
    view = show(whole[-60:])
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before, ids = picture(view), [row.key for row in view.story.rows]
    view.prepend(whole[:-60])
    assert picture(view).copy(0, 0, 640, 600) == before.copy(0, 0, 640, 600)
    assert [row.key for row in view.story.rows][-60:] == ids
    assert [row.order for row in view.story.rows] == list(range(-240, 60))
    bar.setValue(0)
    assert view.shown[0].row is view.story.rows[0]


def test_older_messages_are_asked_for_at_the_top(show: Show, qtbot: QtBot) -> None:
    view = show(talk(60))
    with qtbot.waitSignal(view.older_wanted, timeout=1_000):
        view.verticalScrollBar().setValue(0)


def test_jump_to_newest_by_its_button(show: Show, qtbot: QtBot) -> None:
    view = show(talk(60))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    assert view.newest.isValid()
    click(view, view.newest.center())
    assert bar.value() == bar.maximum()
    assert view.newest.isEmpty()


def test_heights_are_what_documents_need(show: Show) -> None:
    view = show([message("assistant", RICH)])
    view.resize(700, 1600)
    for shown in view.shown:
        document = getattr(shown.block, "_document", None)
        if document is not None and shown.block.kind != "table":
            assert shown.block.height == round(document.size().height())
    ys = [(shown.y, shown.block.height, shown.row.gaps[shown.number]) for shown in view.shown]
    for (y, height, _gap), (below, _height, gap) in pairwise(ys):
        assert below == y + height + gap


def test_reading_column(show: Show) -> None:
    view = show([message("assistant", "text " * 300)])
    for width, column in ((656, 600), (1200, 760), (500, 444)):
        view.resize(width, 500)
        left, wide = view.column(view.width())
        assert wide == column
        assert left == (width - column) // 2


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_narrow_column_stands_beside_the_scroll_bar_not_under_it(
    show: Show, direction: Qt.LayoutDirection
) -> None:
    view = show([message("assistant", "text " * 900)])
    view.setLayoutDirection(direction)
    view.resize(300, 500)
    left, wide = view.column(view.width())
    bar = view.verticalScrollBar()
    assert bar.isVisible() and bar.width() > 12
    assert left >= 0 and left + wide <= view.viewport().width()
    assert wide == 300 - 2 * bar.width()


@pytest.mark.parametrize("name", ODDITIES)
def test_odd_text_never_crashes(show: Show, name: str) -> None:
    text = ODDITIES[name]
    view = show([message("user", text[:50_000]), message("assistant", text, calls=(call("c1", text[:500]),))])
    streamed(view, "a", text[:20_000], [997])
    bar = view.verticalScrollBar()
    for value in (0, bar.maximum() // 2, bar.maximum()):
        bar.setValue(value)
        picture(view)
    view.select_all()
    view.selected_text().encode()
    view.selected_text(marks=False).encode()


def test_a_long_line_is_laid_out_in_parts(show: Show) -> None:
    view = show([message("assistant", "word " * 200_000)])
    made = [block for block in blocks(view) if getattr(block, "_document", None) is not None]
    assert len(blocks(view)) > 300
    assert len(made) < 10


def test_an_open_fence_is_only_added_to(show: Show) -> None:
    view = show([])
    streamed(view, "a", "```python\n" + "x = 1\n" * 50, [20])
    code = blocks(view)[0]
    assert isinstance(code, Code)
    layouts = dict(code.mono._layouts)
    streamed(view, "a", "y = 2\n", [6])
    assert blocks(view)[0] is code
    assert code.mono.text().endswith("x = 1\ny = 2")
    assert all(code.mono._layouts.get(index) is found for index, found in layouts.items() if index < 49)
    assert code.height == 29 + 51 * 21 + 20


def test_theme_and_font_size_change_in_place(show: Show) -> None:
    view = show(talk(60))
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    row = view.shown[1].row
    light = picture(view)
    view.set_theme(make_theme("dark"))
    assert picture(view).pixelColor(2, 300) == make_theme("dark").colors.ground
    view.set_theme(make_theme("light", 20))
    assert any(shown.row is row for shown in view.shown)
    assert picture(view) != light
    view.set_theme(make_theme("light"))
    assert any(shown.row is row for shown in view.shown)


def test_bubble_stands_at_the_far_side(show: Show) -> None:
    view = show([message("user", "short")])
    soft = view.sheet.theme.colors.accent_soft
    y = view.shown[0].y + 20
    shot = picture(view)
    left, width = view.column(view.width())
    assert shot.pixelColor(left + width - 6, y) == soft
    assert shot.pixelColor(left + width // 2, y) == view.sheet.theme.colors.ground
    view.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    shot = picture(view)
    assert shot.pixelColor(left + 6, y) == soft
    assert shot.pixelColor(left + width - 6, y) == view.sheet.theme.colors.ground


def test_hebrew_stands_at_the_right(show: Show) -> None:
    view = show([message("assistant", "שלום עולם\n\nhello")])
    left, width = view.column(view.width())
    shot, line = picture(view), view.rect_of(view.shown[0].row, 0)
    ground = view.sheet.theme.colors.ground
    inked = [
        x
        for x in range(shot.width())
        if any(shot.pixelColor(x, y) != ground for y in range(line.top(), line.bottom()))
    ]
    assert inked[0] > left + width - 90
    assert left + width - 3 <= inked[-1] < left + width
    assert point_of(view, "hello").x() < left + 10


def test_reasoning_opens_and_streams(show: Show, qtbot: QtBot) -> None:
    view = show([])
    for text in ("First I ", "look.\n\nThen ", "I think."):
        view.apply(ReasoningStreamed(session="s", turn="t1", message="a", text=text))
        view.flush()
    assert [block.kind for block in blocks(view)] == ["reasoning"]
    assert blocks(view)[0].text() == "Thinking"
    shown = view.shown[0]
    point = view.rect_of(shown.row, 0).topLeft() + shown.block.parts()[0].rect.center()
    click(view, point)
    assert [block.text() for block in blocks(view)][1:] == ["First I look.", "Then I think."]
    view.apply(ReasoningStreamed(session="s", turn="t1", message="a", text=" More."))
    view.apply(TextStreamed(session="s", turn="t1", message="a", text="So."))
    view.flush()
    texts = [block.text() for block in blocks(view)]
    assert texts == ["Thought about it", "First I look.", "Then I think. More.", "So."]
