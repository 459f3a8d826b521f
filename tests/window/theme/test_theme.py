"""The look: contrast of every pair of text and ground, fonts and icons that are there and used, sizes that
scale."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtWidgets import QApplication

from ui.window.theme import DARK, LIGHT, Colors, Theme, make_theme
from ui.window.theme.fonts import FOLDER as FONTS
from ui.window.theme.icons import FOLDER as ICONS, draw
from ui.window.theme.stylesheet import stylesheet

ROOT = Path(__file__).parents[3]
TEXTS = ("text", "muted", "accent", "good", "caution", "danger")
GROUNDS = ("ground", "surface", "panel")
PAIRS = (
    *((text, ground) for text in TEXTS for ground in GROUNDS),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    *((text, "accent_soft") for text in ("text", "muted", "accent")),
    *(("text", ground) for ground in ("added", "added_inside", "removed", "removed_inside")),
    *((f"code_{part}", "code_ground") for part in ("keyword", "string", "comment", "function")),
    ("ground", "text"),
)


def luminance(color: QColor) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    """Contrast ratio, WCAG 2.2."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_can_be_read(colors: Colors) -> None:
    weak = {
        pair: round(found, 2)
        for pair in PAIRS
        if (found := contrast(getattr(colors, pair[0]), getattr(colors, pair[1]))) < 4.5
    }
    assert weak == {}


def test_fonts_are_ours_and_free(qapp: QApplication) -> None:
    theme = make_theme("light")
    for weight in (400, 500, 600):
        font = theme.font(14, weight)
        assert QFontInfo(font).family() == "Inter"
        assert QFontInfo(font).weight() == weight
    assert QFontInfo(theme.font(13, mono=True)).family() == "JetBrains Mono"
    assert QFontInfo(theme.font(13, mono=True)).fixedPitch()
    files = [path for path in FONTS.iterdir() if path.suffix in (".otf", ".ttf")]
    assert sum(path.stat().st_size for path in files) < 1_500_000
    for name in ("Inter-OFL.txt", "JetBrainsMono-OFL.txt"):
        assert "SIL Open Font License, Version 1.1" in (FONTS / name).read_text("utf-8")


def test_every_icon_is_used_and_every_used_icon_is_there() -> None:
    there = {path.stem for path in ICONS.glob("*.svg")}
    text = "\n".join(path.read_text("utf-8") for path in (ROOT / "ui").rglob("*.py"))
    quoted = set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)*)"', text))
    assert there - quoted - {"bramble"} == set()
    assert "ISC License" in (ICONS / "Lucide-LICENSE.txt").read_text("utf-8")


def test_an_icon_is_drawn_in_its_colour_at_any_size(qapp: QApplication) -> None:
    for side in (16, 36, 72):
        image = draw("folder", "#ff0000", side)
        assert image.size().width() == side
        inked = [
            pixel for x in range(side) for y in range(side) if (pixel := image.pixelColor(x, y)).alpha() > 250
        ]
        assert inked and all(pixel.red() > 250 and pixel.green() < 5 for pixel in inked)
    plain, mirrored = draw("undo-2", "#000000", 32), draw("undo-2", "#000000", 32, True)
    assert plain != mirrored


def test_lengths_grow_with_the_font_size() -> None:
    small, large = Theme(LIGHT, False, 14), Theme(LIGHT, False, 28)
    assert (small.px(18), large.px(18), small.s12, large.s12) == (18, 36, 12, 24)
    assert large.font(11).pixelSize() == 22
    assert small.motion(150) == 150 and Theme(LIGHT, False, 14, True).motion(150) == 0


def test_the_style_sheet_has_no_open_tokens(qapp: QApplication) -> None:
    sheet = stylesheet(Theme(DARK, True, 17))
    assert "@" not in sheet
    assert re.search(r"#[0-9a-fA-F]{6}", sheet) is None, "colours stand in the palette alone"


def test_no_colour_stands_outside_the_theme() -> None:
    found = {
        str(path.relative_to(ROOT)): hits
        for path in (ROOT / "ui" / "window").rglob("*.py")
        if "theme" not in path.parts and (hits := re.findall(r"#[0-9a-fA-F]{6}\b", path.read_text("utf-8")))
    }
    assert found == {}
