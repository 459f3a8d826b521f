"""The style sheet of the application: `resources/themes/window.qss` with the theme's tokens filled in."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtGui import QColor

from ui.window.theme.theme import Theme

FILE = Path(__file__).resolve().parents[3] / "resources" / "themes" / "window.qss"


def css(color: QColor) -> str:
    """Return a colour as a style sheet wants it, with its transparency."""
    return f"rgba({color.red()},{color.green()},{color.blue()},{color.alpha()})"


def stylesheet(theme: Theme) -> str:
    """Return the style sheet; the properties that it knows are listed in the package's docstring."""

    def fill(token: re.Match[str]) -> str:
        name = token[1]
        length = re.fullmatch(r"(\d+)px", name)
        if length:
            return f"{theme.px(int(length[1]))}px"
        return f"{getattr(theme, name)}px" if name.startswith("r_") else css(theme.color(name))

    return re.sub(r"@(\w+)", fill, FILE.read_text("utf-8"))
