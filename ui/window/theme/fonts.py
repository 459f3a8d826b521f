"""The shipped fonts, loaded when first asked for: Inter for text and JetBrains Mono for code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "fonts"
TEXT = "Inter"
MONO = "JetBrains Mono"
_FILES = {
    ("text", 400): "Inter-Regular.otf",
    ("text", 500): "Inter-Medium.otf",
    ("text", 600): "Inter-SemiBold.otf",
    ("italic", 400): "Inter-Italic.otf",
    ("mono", 400): "JetBrainsMono-Regular.ttf",
    ("mono", 700): "JetBrainsMono-Bold.ttf",
}


@cache  # an application font is process-wide in Qt itself; this only keeps each file from being added twice
def _load(file: str) -> int:
    """Add one file to this process; return its id, -1 when unreadable (Qt then uses the system's font)."""
    return QFontDatabase.addApplicationFont(str(FOLDER / file))


def load_for(weight: int, *, mono: bool = False, italic: bool = False) -> None:
    """Load the files that a font of this kind needs."""
    if mono:
        _load(_FILES["mono", 400])
        if weight >= 600:
            _load(_FILES["mono", 700])
        return
    _load(_FILES["text", 400])
    if italic:
        _load(_FILES["italic", 400])
    if weight >= 500:
        _load(_FILES["text", 600 if weight >= 600 else 500])


def load_text() -> None:
    """Load the three weights of Inter, which the style sheet names without asking."""
    for weight in (400, 500, 600):
        load_for(weight)


def load_all() -> None:
    """Load every shipped file, for a document whose Markdown may use bold, italic and code."""
    for file in _FILES.values():
        _load(file)


def make_font(pixels: int, weight: int, *, mono: bool, italic: bool) -> QFont:
    """Return a font of this size in pixels; scripts that ours lack come from the system."""
    load_for(weight, mono=mono, italic=italic)
    font = QFont([MONO, "monospace"] if mono else [TEXT, "sans-serif"])
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight(weight if not mono or weight < 600 else 700))
    font.setItalic(italic)
    font.setStyleHint(QFont.StyleHint.Monospace if mono else QFont.StyleHint.SansSerif)
    # Unhinted outlines keep the letter spacing of the design at every scale.
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
