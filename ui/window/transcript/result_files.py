"""What changed in the files of a tool's result: a row for each, which opens to its lines on their grounds."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics

from ui.result_views import FileSeen
from ui.window.transcript.calls import Call
from ui.window.transcript.legible import legible
from ui.window.transcript.lexing import Span
from ui.window.transcript.painting import (
    Part,
    Sheet,
    Sight,
    draw_icon,
    draw_parts,
    draw_ring,
    draw_text,
    draw_veil,
    width_of,
)
from ui.window.transcript.tool_rows import InCard, Pane

FIRST_FILES = 12
OPEN_FILES, OPEN_LINES = 3, 120
"""So many files, with so many lines in all, are open by themselves."""
FIRST_LINES = 40
_ICONS = {
    "new": "file-plus",
    "added": "file-plus",
    "deleted": "file-x",
    "removed": "file-x",
    "folder": "folder",
}


class FileRow(InCard):
    """Path, kind and amounts; pressed, it opens to the lines where there are any."""

    kind = "tool"

    def __init__(self, sheet: Sheet, file: FileSeen, key: str) -> None:
        super().__init__(sheet)
        self.file, self._key = file, key
        self.opened = False
        self.height = sheet.theme.px(32)

    def _lay_out(self, width: int) -> int:
        return self.sheet.theme.px(32)

    def parts(self) -> list[Part]:
        if not self.file.lines:
            return []
        whole = QRect(0, 0, self.width, self.height)
        return [Part("toggle", self._key, whole, self.text(), radius=self.sheet.theme.r_control)]

    def paint(self, sight: Sight) -> None:
        theme, colors, painter = self.sheet.theme, self.sheet.theme.colors, sight.painter
        place, width = self.sheet.place, self.width
        self._card(sight)
        parts, inside = self.parts(), QRect(1, 1, width - 2, self.height - 2)
        if parts and parts[0].key == sight.hover:
            draw_veil(painter, theme, inside, theme.r_control, pressed=sight.pressed)
        side = theme.px(16)
        y = (self.height - side) // 2
        icon = _ICONS.get(self.file.kind, "file-pen")
        draw_icon(painter, self.sheet, icon, "muted", place(QRect(theme.px(14), y, side, side), width))
        if parts:
            arrow = "chevron-down" if self.opened else "chevron-right"
            draw_icon(
                painter, self.sheet, arrow, "muted", place(QRect(width - theme.px(28), y, side, side), width)
            )
        right = width - theme.px(37)
        for words, color in self._amounts():
            wide = width_of(words, self.sheet.font(12)) + 1
            room = place(QRect(right - wide, 0, wide, self.height), width)
            draw_text(painter, room, words, self.sheet.font(12), color)
            right -= wide + theme.s8
        room = QRect(theme.px(39), 0, max(20, right - theme.px(39)), self.height)
        near = Qt.AlignmentFlag.AlignRight if self.sheet.mirrored else Qt.AlignmentFlag.AlignLeft
        font = self.sheet.font(12, mono=True)
        draw_text(painter, place(room, width), self._path(room.width()), font, colors.text, near)
        if parts and parts[0].key == sight.focus:
            draw_ring(painter, theme, inside, theme.r_control)

    def _path(self, room: int) -> str:
        """Return the path, cut at its start: people know a file by its end."""
        metrics = QFontMetrics(self.sheet.font(12, mono=True))
        return metrics.elidedText(legible(self.file.path), Qt.TextElideMode.ElideLeft, room)

    def _amounts(self) -> list[tuple[str, QColor]]:
        colors, file = self.sheet.theme.colors, self.file
        found: list[tuple[str, QColor]] = []
        if file.removed:
            found.append((f"\u2212{file.removed}", colors.danger))
        if file.added:
            found.append((f"+{file.added}", colors.good))
        return found

    def text(self) -> str:
        amounts = [words for words, _color in reversed(self._amounts())]
        return " ".join([self.file.path, self.file.kind, *amounts])

    def plain(self, start: int, end: int) -> str:
        return self.text()

    def markdown(self, start: int, end: int) -> str:
        return f"  - {self.text()}"


class FileLines(Pane):
    """The lines of one file, added and removed ones on their grounds; the first of a long one."""

    def __init__(self, sheet: Sheet, call: Call, file: FileSeen) -> None:
        self._file = file
        super().__init__(sheet, call, "output")
        self.mono.most = FIRST_LINES
        self.height = self._height()

    def refresh(self) -> None:
        """Nothing comes later."""
        if self.mono.lines:
            return
        at, spans = 0, list[Span]()
        lines = [line.rstrip("\r")[:2_000] for line in self._file.lines]
        for line in lines:
            if line[:1] in ("@", "\\"):
                spans.append((at, len(line), "comment"))
            at += len(line) + 1
        self.mono.extend(lines)
        self.mono.colour(spans)

    def _head(self) -> int:
        return self.sheet.theme.px(8)

    def parts(self) -> list[Part]:
        return [part for part in super().parts() if part.act == "more"]

    def title(self) -> str:
        return ""

    def paint(self, sight: Sight) -> None:
        theme = self.sheet.theme
        self._card(sight, code=True)
        area, line = self._area(), theme.px(self.mono.line)
        first = max(0, int((sight.top - area.top()) // line))
        for index in range(first, min(self.mono.shown, int((sight.bottom - area.top()) // line) + 1)):
            ground = self._ground(self.mono.lines[index])
            if ground is not None:
                top = int(area.top()) + index * line
                sight.painter.fillRect(QRect(1, top, self.width - 2, line), ground)
        parts = self.parts()
        draw_parts(sight, theme, parts)
        for part in parts:
            middle = Qt.AlignmentFlag.AlignHCenter
            draw_text(sight.painter, part.rect, part.name, self.sheet.font(12), theme.colors.accent, middle)
        self.mono.paint(sight, self.sheet, area)

    def _ground(self, line: str) -> QColor | None:
        colors, signs = self.sheet.theme.colors, line[: self._file.signs]
        if line.startswith("@"):
            return None
        return colors.added if "+" in signs else colors.removed if "-" in signs else None

    def source(self) -> str:
        return "\n".join(self._file.lines)
