"""The context inspector: its parts, tools, savings and causes; keys, a turn that changes it, and no model."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.records import Caching, ContextPart, ContextReport, LoadedTool, PrefixUse, Problem
from tests.servers.scripted import calls, says, scripted_in_thread
from tests.window.furnished import Furnished
from tests.window.seen import words
from ui.window.pages.inspector import InspectorPage
from ui.window.pages.inspector_rows import LoadedRow
from ui.window.theme import make_theme

REPORT = ContextReport(
    parts=(
        ContextPart(name="system", tokens=180, bytes=800),
        ContextPart(name="tools", tokens=700, bytes=3000, exact=True),
        ContextPart(name="files", tokens=0, bytes=0),
    ),
    total_tokens=880,
    window=128_000,
    tools=("read_file",),
    body='{"messages": []}',
    counted=800,
    loaded=(
        LoadedTool(name="read_file", why="core", tokens=70),
        LoadedTool(name="archive", why="found", tokens=60, words="unpack it", message="m1"),
        *(LoadedTool(name=f"s__{n}_{'x' * 90}", why="joined", tokens=30) for n in range(60)),
    ),
    loadable=210,
    caching=Caching(requests=3, input=3000, cached=2000, written=40, money=0.01),
    prefixes=(PrefixUse(why="first", count=1), PrefixUse(why="model", count=2)),
    anew=True,
)


class Unasked:
    """A bridge that calls nothing: what is shown is given."""

    def call(self, *given: Any) -> None: ...


@pytest.fixture
def page(qtbot: QtBot) -> InspectorPage:
    bridge: Any = Unasked()
    made = InspectorPage(bridge, make_theme("light", 14), lambda: ("", "agent", ""))
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    return made


def test_it_says_all_of_it(page: InspectorPage, qtbot: QtBot) -> None:
    page.show_report(REPORT)
    assert page.sentence.text() == "About 880 tokens, 1 % of what the model reads."
    rows = page.parts.rows
    assert rows["system"].accessibleName() == "Instructions: about 180 tokens, 800 bytes, 20 %"
    assert rows["tools"].accessibleName() == "Tools: 700 tokens, 3.0 kB, 80 %", "what was counted is exact"
    assert "files" not in rows, "what holds nothing is left out"
    qtbot.waitUntil(lambda: "63 %" not in words(page.saved) and "2k tokens (67 %)" in words(page.saved))
    assert "$0.01" in words(page.saved)
    assert "Another model 2 times" in words(page.anew) and "Another mode not yet" in words(page.anew)
    assert "is paid for in full once" in words(page.anew)
    assert "62 tools, about" in words(page.tools_card) and "210 more tools can be loaded" in words(page)
    assert [row.accessibleName() for row in page.tools.rows[:2]] == [
        "read_file, always on, about 70 tokens",
        "archive, found by: unpack it, about 60 tokens",
    ]
    assert len(page.tools.rows) == 20 and page.tools.more.text() == "Show 42 more"
    page.copy_button.click()
    assert QGuiApplication.clipboard().text() == REPORT.body
    page.set_theme(make_theme("dark", 28))


def test_in_a_narrow_window_the_names_keep_their_room(page: InspectorPage, qtbot: QtBot) -> None:
    page.show_report(REPORT)
    row = page.parts.rows["system"]
    narrower = ((900, True, True), (560, False, True), (400, False, False), (900, True, True))
    for width, bar, amounts in narrower:
        page.resize(width, 700)
        qtbot.waitUntil(lambda: row.width() <= page.width())
        assert (row.bar.isVisible(), row._bytes.isVisible()) == (bar, amounts), width
        assert page.area.widget().width() <= page.area.viewport().width(), "nothing is cut at the side"


def test_a_long_list_stays_open_and_rows_are_kept_where_nothing_changed(page: InspectorPage) -> None:
    page.show_report(REPORT)
    page.tools.open()
    first, system = page.tools.rows[0], page.parts.rows["system"]
    page.show_report(REPORT)
    assert page.tools.rows[0] is first and page.parts.rows["system"] is system and len(page.tools.rows) == 62


def test_keys_scroll_and_go_back_and_a_tool_leads_to_its_message(page: InspectorPage, qtbot: QtBot) -> None:
    page.show_report(REPORT)
    bar = page.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    page.setFocus()
    qtbot.keyClick(page, Qt.Key.Key_PageDown)
    assert bar.value() > 0
    qtbot.keyClick(page, Qt.Key.Key_Home)
    assert bar.value() == 0
    row = page.tools.rows[1]
    assert isinstance(row, LoadedRow)
    with qtbot.waitSignal(page.message_asked) as went:
        row.findChildren(QAbstractButton)[0].click()
    assert went.args == ["m1"]
    with qtbot.waitSignal(page.back_asked):
        qtbot.keyClick(page, Qt.Key.Key_Escape)


def test_where_there_is_no_model_it_says_so(page: InspectorPage) -> None:
    page.show_report(REPORT)
    page.show_problem(Problem(code="no_model", detail=""))
    assert page.empty.isVisible() and not page.tools_card.isVisible() and not page.copy_button.isVisible()
    assert page.sentence.text() in words(page.empty)
    page.show_report(REPORT)
    assert not page.empty.isVisible() and page.tools_card.isVisible()


def test_it_follows_a_turn_in_the_window(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted_in_thread(calls(("find_tools", {"query": "unpack an archive"})), says("Done.")) as server:
        monkeypatch.setenv("BRAMBLE_BASE_URL", server.url)
        monkeypatch.setenv("BRAMBLE_API_KEY", "key")
        monkeypatch.setenv("BRAMBLE_MODEL", "test-model")
        life = furnished.open()
        assert life.rest is not None
        life.rest.inspecting.show()
        page: Any = life.rest.inspecting.page
        furnished.until(lambda: page.report is not None, "the first report")
        before = page.report
        assert "Nothing was counted" in words(page.saved) and life.window.page() == "context"
        life.outbox.send("Unpack it")
        furnished.until(lambda: page.report.caching.requests == 2, "the turn")
        found = [row for row in page.tools.rows if "found by" in row.accessibleName()]
        assert found and not before.caching.requests
        assert "conversation" in page.parts.rows and "tool results" in page.parts.rows
        page.back_button.click()
        assert life.window.page() == "chat"
        life.window.chat.title_bar.meter.click()
        assert life.window.page() == "context"
