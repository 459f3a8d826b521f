"""What a message of the person brings stands below its words: seen, pressed, copied, found, read out."""

from __future__ import annotations

import io

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.attachment_records import joined
from app.records import Picture
from tests.window.transcript.conftest import Show
from tests.window.transcript.stage import blocks, click, message, parts, picture
from ui.window.theme import make_theme
from ui.window.transcript.accessible import MessageItem
from ui.window.transcript.attached import Attached
from ui.window.transcript.gallery import Gallery
from ui.window.transcript.view import TranscriptView

FILE = "Attached file `/work/a.md`:\n\n```\nKumquats & medlars\n```"
PICTURE = "Attached picture `b.png` (image/png, 400 x 200, 0123456789abcdef)"
TALL = "Attached picture `c.png` (image/png, 100 x 4000, 0123456789abcde0)"


def png() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (400, 200), (0, 200, 0)).save(out, "PNG")
    return out.getvalue()


def test_own_words_stand_above_what_is_attached(show: Show, qtbot: QtBot) -> None:
    view = show([message("user", joined("Look", [FILE, PICTURE])), message("user", TALL)])
    kinds = [block.kind for block in blocks(view)]
    assert kinds == ["bubble", "attached", "attached"], "a message of a picture alone has no bubble"
    assert blocks(view)[0].text() == "Look"
    assert [part.name for _b, part, _p in parts(view, "attachment")] == [
        "Show a.md, file", "Show b.png, picture", "Show c.png, picture",
    ]  # fmt: skip
    row = view.story.rows[0]
    assert row.markdown() == joined("Look", [FILE, PICTURE])
    item = MessageItem(view, row)
    assert item.text(QAccessible.Text.Name) == "You: Look\nAttached: a.md, b.png"
    assert view.find("medlars") == (0, 0) and view.find("look") == (1, 1)
    view.select_all()
    assert "Kumquats" in view.selected_text()
    assert view.selected_text(marks=False).startswith("Look\n\nAttached: a.md, b.png")


def test_a_press_by_mouse_or_key_opens_it(show: Show, qtbot: QtBot) -> None:
    view = show([message("user", joined("Look", [FILE, PICTURE]))])
    opened: list[str] = []
    view.attachment_requested.connect(lambda one: opened.append(one.title))
    for _block, _part, point in parts(view, "attachment"):
        click(view, point)
    assert opened == ["a.md", "b.png"]
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert opened == ["a.md", "b.png", "b.png"]
    QGuiApplication.clipboard().clear()


def test_a_picture_is_drawn_when_it_comes_and_moves_nothing(view: TranscriptView, qtbot: QtBot) -> None:
    wanted: list[Picture] = []
    view.sheet.gallery.wanted.connect(wanted.append)
    view.load([message("user", joined("Look", [PICTURE, TALL])), message("assistant", "Below.")])
    qtbot.waitExposed(view)
    before = picture(view)
    height = view.content_height
    assert [one.id for one in wanted] == ["0123456789abcdef", "0123456789abcde0"]
    view.sheet.gallery.take("0123456789abcdef", png())
    view.sheet.gallery.miss("0123456789abcde0")
    qtbot.waitUntil(lambda: view.sheet.gallery.image(wanted[0]) is not None)
    (_b, _part, point), (_c, _tall, empty) = parts(view, "attachment")
    after = picture(view)
    assert after.pixelColor(point).green() == 200 and before.pixelColor(point).green() != 200
    assert after.pixelColor(empty) == before.pixelColor(empty)
    assert view.content_height == height and len(wanted) == 2


def test_chips_fill_lines_within_the_column_in_both_directions(show: Show, qtbot: QtBot) -> None:
    many = [FILE.replace("a.md", f"{'long name ' * (n % 7)}{n}.md") for n in range(40)]
    view = show([message("user", joined("Look", [*many, PICTURE, TALL]))])
    for size in (14, 28):
        view.set_theme(make_theme("light", size))
        for direction in (Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight):
            view.setLayoutDirection(direction)
            view.flush()
            block = next(one for one in blocks(view) if isinstance(one, Attached))
            block.measure(view.sheet.width)
            places = [part.rect for part in block.parts()]
            assert all(place.left() >= 0 and place.right() < view.sheet.width for place in places)
            assert not any(a.intersects(b) for n, a in enumerate(places) for b in places[n + 1 :])
            assert max(place.bottom() for place in places) < block.height


def test_only_the_named_format_is_unpacked(qtbot: QtBot) -> None:
    gallery = Gallery()
    svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
    bad = [("image/png", svg), ("image/svg", svg), ("image/png", b""), ("image/jpeg", png())]
    for number, (media, data) in enumerate([*bad, ("image/png", png()[:60])]):
        one = Picture(id=f"{number:016}", media=media, width=9, height=9)
        assert gallery.image(one) is None
        with qtbot.waitSignal(gallery.ready):
            gallery.take(one.id, data)
        assert gallery.image(one) is None, media
    good = Picture(id="a" * 16, media="image/png", width=400, height=200)
    assert gallery.image(good) is None
    with qtbot.waitSignal(gallery.ready):
        gallery.take(good.id, png())
    image = gallery.image(good)
    assert isinstance(image, QImage) and (image.width(), image.height()) == (400, 200)
