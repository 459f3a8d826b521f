"""Find in the conversation: how many, which one, in sight and marked."""

from __future__ import annotations

from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.events import TextStreamed
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import call, message, picture
from ui.window.transcript.tool_rows import ToolRow


def rgb(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def test_counts_and_steps_around_the_end(show: Show) -> None:
    view = show(
        [
            message("user", "Apple and apple"),
            message("assistant", "no fruit"),
            message("assistant", "an **app**le, `apple`\n\n```\napple = 1\n```"),
        ]
    )
    assert view.find("apple") == (1, 5)
    assert [view.find_next()[0] for _ in range(5)] == [2, 3, 4, 5, 1]
    assert view.find_next(backward=True) == (5, 5)
    assert view.find("nothing") == (0, 0)
    assert view.find("") == (0, 0)
    assert view.find_next() == (0, 0)


def test_marks_in_the_source_are_no_hits(show: Show) -> None:
    view = show([message("assistant", "see [the page](https://example.org/hidden) and snake_case")])
    assert view.find("hidden") == (0, 0)
    assert view.find("snake_case") == (1, 1)
    assert view.find("e_c") == (1, 1)
    assert view.find("(") == (0, 0)


def test_far_hit_comes_into_sight_and_is_marked(show: Show) -> None:
    messages = [message("assistant", f"message {number} " + "words " * 80) for number in range(400)]
    messages[7] = message("assistant", "filler " * 300 + "needle " + "filler " * 300)
    view = show(messages)
    view.viewport().repaint()
    assert view.find("needle") == (1, 1)
    row, shot = view.story.rows[7], picture(view)
    assert any(shown.row is row for shown in view.shown)
    ground, caution = view.sheet.theme.colors.ground, view.sheet.theme.colors.caution
    mixed = [round(0.45 * a + 0.55 * b) for a, b in zip(rgb(ground), rgb(caution), strict=True)]
    seen = {rgb(shot.pixelColor(x, y)) for y in range(0, shot.height(), 3) for x in range(0, shot.width(), 3)}
    assert any(max(abs(a - b) for a, b in zip(color, mixed, strict=True)) <= 2 for color in seen)


def test_find_starts_at_what_is_in_sight(show: Show) -> None:
    view = show([message("user", f"needle {number}\n" * 3) for number in range(100)])
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    first = view.shown[0].row.order
    number, total = view.find("needle")
    assert total == 300
    assert number == first * 3 + 1


def test_long_block_is_searched_by_its_line(show: Show) -> None:
    code = "\n".join(f"line {number}" for number in range(2_000))
    view = show([message("assistant", f"```\n{code}\n```")])
    assert view.find("line 777") == (1, 1)
    shown = view.shown[0]
    upper, lower = shown.block.extent(code.index("line 777"))
    assert 0 <= shown.y + upper < shown.y + lower <= view.viewport().height()


def test_a_message_or_the_result_of_a_call_comes_into_sight(show: Show) -> None:
    messages = [message("user", f"word {number}", f"t{number}", id=f"m{number}") for number in range(200)]
    asked = message("assistant", "I look.", "t20", id="asked", calls=(call("c1"), call("c2")))
    told = message("tool", "three lines", "t20", id="told", call="c2", tool="read_file")
    view = show([*messages[:21], asked, told, *messages[21:]])
    assert view.show_message("m3")
    assert "m3" in [shown.row.key for shown in view.shown if shown.y >= 0]
    assert view.find("WORD", "m3") == (4, 200)
    assert view.says("m3", "Word 3") and not view.says("m3", "word 4")
    assert view.show_message("told") and not view.says("told", "three")
    found = next(shown for shown in view.shown if getattr(shown.block, "call", None) is not None)
    assert found.row.key == "asked"
    keys = [shown.block.call.key for shown in view.shown if isinstance(shown.block, ToolRow)]
    assert "c2" in keys
    assert not view.show_message("nobody")


def test_older_messages_are_searched_too(show: Show, qtbot: QtBot) -> None:
    view = show([message("user", "a needle")])
    with qtbot.waitSignal(view.older_wanted):
        assert view.find("needle") == (1, 1)
    with qtbot.waitSignal(view.found_changed) as caught:
        view.prepend([message("user", "needle, needle"), message("assistant", "none")])
    assert caught.args == [3, 3]
    view.apply(TextStreamed(session="s", turn="t9", message="new", text="one more needle"))
    view.flush()
    assert view.find_next() == (4, 4)
    assert view.find_next() == (1, 4)
