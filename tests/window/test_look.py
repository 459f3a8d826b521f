"""What can be seen and reached: names of all controls, sizes of what is clicked, columns that give way,
themes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from tests.window.furnished import Furnished
from tests.window.test_talking import CLOSED, point_at
from ui.window.life import Life
from ui.window.theme import DARK, LIGHT

CONTROLS = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox, QAbstractItemView)
INNER = (QAbstractSpinBox, QComboBox, QLineEdit, QAbstractItemView)
PARTS_OF_QT = ("qt_spinbox_lineedit", "qt_toolbar_ext_button", "_q_qlineeditclearaction")


def controls(root: QObject) -> Iterator[QWidget]:
    """Every control below `root` that a person can act on, without the inner parts of Qt's own."""
    for widget in root.findChildren(QWidget):
        inner = isinstance(widget.parent(), INNER) or widget.window() is not root
        if isinstance(widget, CONTROLS) and not inner and widget.objectName() not in PARTS_OF_QT:
            yield widget


def every_page(life: Life) -> None:
    """Make every page that there is."""
    for page in ("settings", "keys", "inbox", "changed", "permissions", "context", "tools"):
        life.window.show_page(page)
    for tab in ("tools", "skills", "servers", "own", "misses"):
        life.rest.toolbox.show(tab)
    life.window.show_page("chat")
    life.rest.deeds.setting_up.show_first_run()
    life.rest.find_bar.open()


def test_every_control_has_a_name(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    every_page(life)
    furnished.until(
        lambda: life.rest.first_run is not None and life.rest.first_run.entry.provider.count() > 0,
        "the providers",
    )
    nameless = [
        f"{type(one).__name__} in {type(one.parent()).__name__}"
        for one in controls(life.window)
        if not one.accessibleName()
    ]
    assert nameless == []


def test_every_icon_alone_has_a_tooltip_and_room(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    every_page(life)
    bare = [
        one.accessibleName()
        for one in controls(life.window)
        if isinstance(one, QAbstractButton) and not one.text() and not one.toolTip() and one.isVisible()
    ]
    small = [
        (one.accessibleName(), one.width(), one.height())
        for one in controls(life.window)
        if isinstance(one, QAbstractButton) and one.isVisible() and (one.height() < 28 or one.width() < 24)
    ]
    assert (set(bare) - {"Without motion"}, small) == (set(), [])


def test_no_two_deeds_share_their_keys(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    keys = [key for act in life.rest.deeds.acts for key in (act.keys, *act.more_keys) if key]
    assert len({QKeySequence(key).toString() for key in keys}) == len(keys)
    assert all(not QKeySequence(key).isEmpty() for key in keys)
    assert len({act.name for act in life.rest.deeds.acts}) == len(life.rest.deeds.acts)


def test_each_tab_of_the_tools_is_in_the_palette(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    acts = {act.name: act for act in life.rest.deeds.acts}
    for name, tab in (
        ("servers", "servers"),
        ("own_tools", "own"),
        ("misses", "misses"),
        ("skills", "skills"),
    ):
        acts[name].run()
        page = life.rest.toolbox.page
        assert page is not None and page.tab() == tab


def test_every_remedy_of_a_problem_does_something(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.problems import ACTIONS

    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    quiet = {"none", "wait"}
    assert set(ACTIONS) - quiet - life.rest.deeds.remedies.known() == set()


def test_columns_give_way_as_the_window_narrows(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    page = life.window.chat
    seen = []
    for width in (1280, 1099, 819, 1280):
        life.window.resize(width, 800)
        furnished.until(lambda width=width: life.window.width() == width, "the size")
        seen.append((page.list_side.isVisible(), page.panel_side.isVisible()))
    assert seen == [(True, True), (True, False), (False, False), (True, True)]
    page.toggle(page.panel_side)
    assert not page.panel_side.isVisible()
    life.window.resize(700, 600)
    furnished.until(lambda: life.window.width() == 700, "the size")
    assert page.title_bar.list_switch.isVisible()
    page.toggle(page.list_side)
    assert page.list_side.isVisible(), "the switch shows the list in a narrow window too"


def test_the_theme_changes_at_once_and_is_remembered(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    assert life.window.theme.colors == LIGHT
    life.look.choose("dark")
    furnished.until(lambda: life.window.theme.colors == DARK, "the dark theme")
    assert life.list.view.itemDelegate().theme.dark
    life.look.larger(2)
    furnished.until(lambda: life.window.theme.size == 16, "the larger text")
    assert life.window.rail.width() == round(72 * 16 / 14)
    life.rest.keep()
    path = life.home.data / "window.json"
    furnished.until(lambda: path.exists() and '"dark"' in path.read_text(), "the theme on disk")
    assert "dark" in life.home.settings.read_text()


def test_the_window_is_mirrored_for_right_to_left(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    furnished.app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        life = furnished.open()
        rail, page = life.window.rail, life.window.chat
        assert rail.x() + rail.width() == life.window.width()
        assert page.list_side.x() > page.panel_side.x()
        modes = page.composer.modes.findChildren(QAbstractButton)
        assert [one.property("segment") for one in modes] == ["last", "middle", "first"]
        assert not life.window.grab().isNull()
    finally:
        furnished.app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_long_words_are_cut_and_move_nothing(furnished: Furnished, monkeypatch: pytest.MonkeyPatch) -> None:
    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    bar = life.window.chat.title_bar
    bar.show_title("Donaudampfschifffahrtsgesellschaftskapitän " * 8)
    bar.folder.show_folder("/home/somebody/" + "a/very/long/path/" * 30)
    bar.meter.show_use(90_000, 100_000, True)
    furnished.until(lambda: bar.title.geometry().right() < bar.folder.x(), "room for both")
    right = bar.panel_switch.x() + bar.panel_switch.width()
    assert right <= bar.width()
    assert bar.folder.geometry().right() < bar.meter.x()
    assert life.window.width() == 1280


def test_composer_and_transcript_share_their_column_at_every_width(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.window.composer.composer import side_margin

    point_at(monkeypatch, CLOSED)
    life = furnished.open()
    transcript = life.transcript
    for width in (360, 480, 481, 700, 816, 818, 1200):
        left, wide = transcript.column(width)
        margin = side_margin(life.window.theme, width)
        assert (left + transcript.viewport().x(), width - wide) == (margin, 2 * margin)


def test_words_in_the_place_of_a_folder_are_cut_at_their_end(
    furnished: Furnished, monkeypatch: pytest.MonkeyPatch
) -> None:
    point_at(monkeypatch, CLOSED)
    folder = furnished.open().window.chat.title_bar.folder
    folder.resize(100, 30)
    folder.show_folder("")
    assert folder.text().strip().startswith("Choose") and folder.text().endswith("…")
    folder.show_folder("/home/somebody/very/long/path")
    assert folder.text().strip("\u2066\u2069 ")[-1] == "h"
