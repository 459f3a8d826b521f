"""Icons: Lucide outlines, drawn by QtSvg in the colour of the text at the screen's own pixel ratio."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QImage, QPainter, QPixmap

FOLDER = Path(__file__).resolve().parents[3] / "resources" / "icons"
LINE = "1.75"
"""Line width in the 24 x 24 box of the outlines."""
DIRECTED = frozenset(
    {
        "chevron-right",
        "chevron-left",
        "undo-2",
        "panel-right",
        "panel-left",
        "external-link",
        "list-start",
        "corner-down-left",
    }
)
"""Icons that point somewhere and are mirrored where people read from right to left."""


@lru_cache(maxsize=128)
def outline(name: str) -> str:
    """Return the SVG text of an icon; raises FileNotFoundError for a name that is not shipped."""
    return (FOLDER / f"{name}.svg").read_text("utf-8").replace('stroke-width="2"', f'stroke-width="{LINE}"')


@lru_cache(maxsize=512)
def draw(name: str, color: str, pixels: int, mirrored: bool = False) -> QImage:
    """Return the icon as a square image of `pixels` device pixels in `color` (#RRGGBB)."""
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    if mirrored:
        painter.translate(pixels, 0)
        painter.scale(-1, 1)
    QSvgRenderer(QByteArray(outline(name).replace("currentColor", color).encode())).render(
        painter, QRectF(0, 0, pixels, pixels)
    )
    painter.end()
    return image


def pixmap(name: str, color: QColor, size: int, ratio: float, mirrored: bool = False) -> QPixmap:
    """Return the icon `size` device-independent pixels wide, sharp at the pixel ratio `ratio`."""
    made = QPixmap.fromImage(
        draw(name, color.name(), max(1, round(size * ratio)), mirrored and name in DIRECTED)
    )
    made.setDevicePixelRatio(ratio)
    return made


class Outline(QIconEngine):
    """Draws one icon at any size and pixel ratio; `faded` is its colour where it is disabled."""

    def __init__(self, name: str, color: QColor, faded: QColor) -> None:
        super().__init__()
        self._name, self._color, self._faded = name, color, faded

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatio()
        side = min(rect.width(), rect.height())
        corner = QPoint(rect.x() + (rect.width() - side) // 2, rect.y() + (rect.height() - side) // 2)
        painter.drawPixmap(corner, self._pixmap(side, ratio, mode))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self._pixmap(min(size.width(), size.height()), 1.0, mode)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return self._pixmap(min(size.width(), size.height()), scale, mode)

    def clone(self) -> QIconEngine:
        return Outline(self._name, self._color, self._faded)

    def _pixmap(self, side: int, ratio: float, mode: QIcon.Mode) -> QPixmap:
        from PySide6.QtGui import QGuiApplication

        color = self._faded if mode == QIcon.Mode.Disabled else self._color
        return pixmap(self._name, color, side, ratio, QGuiApplication.isRightToLeft())
