"""`Theme`: everything a widget needs to draw itself, frozen, for one palette and one font size."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QApplication

from ui.window.theme import fonts, icons
from ui.window.theme.palette import DARK, LIGHT, Colors, high_contrast, qt_palette

BASE = 14
"""The font size in pixels at which the design's numbers stand."""
SMALLEST, LARGEST = 10, 28


@dataclass(frozen=True)
class Theme:
    """One palette at one font size. Lengths are device-independent pixels and grow with the font size."""

    colors: Colors
    dark: bool
    size: int = BASE
    """The person's font size in pixels, at 100 %."""
    reduced_motion: bool = False
    s4: int = field(init=False)
    s8: int = field(init=False)
    s12: int = field(init=False)
    s16: int = field(init=False)
    s20: int = field(init=False)
    s24: int = field(init=False)
    s40: int = field(init=False)
    r_control: int = field(init=False, default=8)
    r_card: int = field(init=False, default=10)
    r_big: int = field(init=False, default=14)

    def __post_init__(self) -> None:
        for step in (4, 8, 12, 16, 20, 24, 40):
            object.__setattr__(self, f"s{step}", self.px(step))

    def px(self, n: float) -> int:
        """Return a length of the design, scaled to the person's font size."""
        return round(n * self.size / BASE)

    def font(self, px: float = BASE, weight: int = 400, mono: bool = False, italic: bool = False) -> QFont:
        """Return Inter or JetBrains Mono at `px` of the design; weights 400, 500, 600 (mono 400, 700)."""
        return fonts.make_font(self.px(px), weight, mono=mono, italic=italic)

    def color(self, role: str) -> QColor:
        """Return the colour of a role; raises AttributeError for a role that does not exist."""
        found: QColor = getattr(self.colors, role)
        return found

    def icon(self, name: str, role: str = "text") -> QIcon:
        """Return a Lucide icon in the colour of `role`, sharp at every size and pixel ratio."""
        return QIcon(
            icons.Outline(name, self.color(role), self.colors.line if self.dark else self.colors.muted)
        )

    def pixmap(self, name: str, role: str = "text", px: float = 18, ratio: float = 1.0) -> QPixmap:
        """Return the same icon for a painter: `px` of the design wide, `ratio` the device's pixel ratio."""
        return icons.pixmap(name, self.color(role), self.px(px), ratio, QGuiApplication.isRightToLeft())

    def motion(self, ms: int = 150) -> int:
        """Return a duration in milliseconds, 0 with reduced motion."""
        return 0 if self.reduced_motion else ms

    def apply(self, app: QApplication) -> None:
        """Give the whole application this palette, font and style sheet."""
        from ui.window.theme.stylesheet import stylesheet

        fonts.load_text()
        app.setPalette(qt_palette(self.colors))
        app.setFont(self.font())
        app.setStyleSheet(stylesheet(self))


def system_is_dark() -> bool:
    """Tell whether the system says that it is dark; unknown counts as light."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def make_theme(choice: str = "system", size: int = BASE, *, reduced_motion: bool = False) -> Theme:
    """Return the theme for a person's choice (system, light, dark) and font size; needs a QGuiApplication."""
    size = min(max(size, SMALLEST), LARGEST)
    hints = QGuiApplication.styleHints()
    wants_contrast = hasattr(hints, "accessibility") and (  # since Qt 6.10
        hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
    )
    if choice == "system" and wants_contrast:
        colors = high_contrast(QGuiApplication.palette())
        return Theme(colors, colors.ground.lightnessF() < 0.5, size, reduced_motion)
    dark = choice == "dark" or (choice == "system" and system_is_dark())
    return Theme(DARK if dark else LIGHT, dark, size, reduced_motion)
