"""Markdown as documents: what is shown, what is never loaded, and the way back to Markdown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from ui.window.theme import make_theme
from ui.window.transcript.documents import markdown_document, plain_document, to_markdown
from ui.window.transcript.highlight import Highlighter
from ui.window.transcript.painting import Sheet


@pytest.fixture
def sheet(qtbot: QtBot) -> Sheet:
    return Sheet(make_theme("light"), Highlighter(), lambda problem: (problem.code, "", "", ""))


def shown(document: QTextDocument) -> str:
    return document.toPlainText()


def whole(document: QTextDocument, *, marks: bool = True) -> str:
    return to_markdown(document, 0, document.characterCount() - 1, marks=marks)


@pytest.mark.parametrize(
    "source",
    [
        "plain **bold** and *italic* with `code`",
        "see [the manual](https://example.org/a_b) and ~~not~~",
        "# A heading *in part*",
        "3. third\n   - inner `x`\n   - [x] done\n   - [ ] open",
        "> quoted words",
        "an emoji 😀 **before 👩‍👩‍👧 bold** after",
    ],
)
def test_markdown_comes_back(sheet: Sheet, source: str) -> None:
    assert whole(markdown_document(source, sheet)) == source


def test_a_part_comes_back_as_markdown(sheet: Sheet) -> None:
    document = markdown_document("one **two three** four", sheet)
    start, end = shown(document).index("three"), shown(document).index("four") + 2
    assert to_markdown(document, start, end) == "**three** fo"
    assert to_markdown(document, start, end, marks=False) == "three fo"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\(x_1 * y_2\) and $a_1*b*c$", r"\(x_1 * y_2\) and $a_1*b*c$"),
        (r"`\(raw\)` costs $5 or *6*, not $7", r"\(raw\) costs $5 or 6, not $7"),
        ("[x]: https://example.org", "[x]: https://example.org"),
        ("<b>bold</b> <script>alert(1)</script>", "<b>bold</b> <script>alert(1)</script>"),
        ("one  \ntwo\\\nthree", "one\ntwo\nthree"),
        ("soft\nbreak", "soft break"),
        ("a\x00b \u202e c", "a⟨NUL⟩b ⟨U+202E⟩ c"),
    ],
)
def test_what_is_shown(sheet: Sheet, source: str, text: str) -> None:
    assert shown(markdown_document(source, sheet)) == text


def test_pictures_become_words_and_nothing_is_loaded(sheet: Sheet) -> None:
    document = markdown_document("before ![a chart](file:///etc/hostname) after", sheet)
    kind = QTextDocument.ResourceType.ImageResource.value
    assert document.resource(kind, QUrl("file:///etc/hostname")) is None
    document.setTextWidth(300)
    assert document.size().height() > 0
    assert shown(document) == "before ▧ a chart after"
    assert whole(document) == "before ![a chart](file:///etc/hostname) after"


def test_joined_text_is_no_list_or_heading(sheet: Sheet) -> None:
    for source in ("- not an item", "# no heading", "2. neither"):
        assert shown(markdown_document(source, sheet, joined=True)) == source


def test_number_of_an_item_counts_on(sheet: Sheet) -> None:
    assert whole(markdown_document("1. again", sheet, number=7)) == "7. again"


def test_right_to_left_is_told_by_each_block(sheet: Sheet) -> None:
    document = plain_document("שלום עולם\nhello", sheet)
    document.setTextWidth(400)
    document.size()
    hebrew = document.begin().layout().lineAt(0)
    english = document.begin().next().layout().lineAt(0)
    assert hebrew.naturalTextRect().right() > 390
    assert english.naturalTextRect().left() < 10
