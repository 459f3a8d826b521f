"""The line above the transcript: title, working folder, how full the context is, and the switches of the
side panels."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from ui.language import _
from ui.places import tilde
from ui.window.parts import Elided, IconButton, label
from ui.window.theme import Theme

HEIGHT = 52
_NARROW = 460, 360
"""Widths of the bar below which the meter has no word, and then no bar, beside its number."""
OWN = "."
"""Stands for the empty folder that a conversation got since none was chosen; no path of a folder is that."""


class FolderButton(QPushButton):
    """The working folder; a click picks another one. A long path is cut in its middle."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._path = ""
        self.setProperty("kind", "quiet")
        self.setProperty("side", "start")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_theme(theme)
        self.show_folder("")

    def show_folder(self, path: str) -> None:
        """Show the folder; "" says that none is picked, OWN that it is an empty one of ours."""
        self._path = path
        self.setAccessibleName(_("Working folder: {path}").replace("{path}", self._words()))
        more = path if path != OWN else _("This conversation works in an empty folder of its own.")
        self.setToolTip(_("Choose the folder that Bramble works in") + (f"\n{more}" if more else ""))
        self._cut()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setIcon(theme.icon("folder", "muted"))
        self.setIconSize(QSize(theme.px(17), theme.px(17)))
        self._cut()

    def sizeHint(self) -> QSize:
        words = self._words()
        width = min(self.fontMetrics().horizontalAdvance(words), self._theme.px(300))
        return QSize(width + self._theme.px(44), self._theme.px(30))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(44), self._theme.px(30))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _words(self) -> str:
        if self._path == OWN:
            return _("A folder of its own")
        return tilde(self._path) if self._path else _("Choose a folder")

    def _cut(self) -> None:
        words = self._words()
        room = max(0, self.width() - self._theme.px(38)) if self.isVisible() else self._theme.px(300)
        cut = Qt.TextElideMode.ElideMiddle if self._path else Qt.TextElideMode.ElideRight
        shown = self.fontMetrics().elidedText(words, cut, room)
        if self._path not in ("", OWN):
            shown = f"\u2066{shown}\u2069"  # a path reads from left to right among right-to-left words too
        self.setText(" " + shown.replace("&", "&&"))  # room between the icon and the words
        self.updateGeometry()


class ContextMeter(QAbstractButton):
    """How much of the model's window the next request fills; a click shows its parts."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._share = 0.0
        self._words = self._costs = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(_("Context"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._row = QHBoxLayout(self)
        self._word = label(_("Context"), "caption")
        self._bar = _Bar(theme)
        self._number = label("", "caption")
        for part in (self._word, self._bar, self._number):
            self._row.addWidget(part)
        self.set_theme(theme)
        self.hide()

    def show_use(self, used: int, window: int, exact: bool) -> None:
        """Show tokens used of the window; hidden while the window's size is unknown."""
        self.setVisible(window > 0)
        if window <= 0:
            return
        self._share = min(1.0, used / window)
        percent = max(1, round(self._share * 100)) if used else 0
        self._bar.show_share(self._share)
        self._number.setText(_("{n} %").replace("{n}", str(percent)))
        kind = _("{used} of {window} tokens") if exact else _("about {used} of {window} tokens")
        self._words = kind.replace("{used}", f"{used:,}").replace("{window}", f"{window:,}")
        self.setAccessibleName(_("Context: {words}").replace("{words}", self._words))
        self._tell()

    def give_way(self, narrow: bool, narrower: bool) -> None:
        """Leave out the word, then the bar; the tooltip says all of it everywhere."""
        self._word.setVisible(not narrow)
        self._bar.setVisible(not narrower)

    def show_costs(self, words: str) -> None:
        """Say beside it what the conversation and the day cost, a line each."""
        self._costs = words
        self._tell()

    def _tell(self) -> None:
        self.setToolTip("\n".join(filter(None, [self._words, self._costs])))
        shows = _("Shows what the next request holds")
        self.setAccessibleDescription(". ".join([shows, *filter(None, self._costs.split("\n"))]))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._row.setContentsMargins(theme.s8, theme.s4, theme.s8, theme.s4)
        self._row.setSpacing(theme.s8)
        self._bar.set_theme(theme)

    def sizeHint(self) -> QSize:
        return self._row.sizeHint().expandedTo(QSize(0, self._theme.px(28)))

    def event(self, event: QEvent) -> bool:
        """Draw anew where the pointer comes and goes."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), self._theme.colors
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colors.accent if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(colors.hover if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class _Bar(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._share = 0.0
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedSize(theme.px(88), theme.px(6))
        self.update()

    def show_share(self, share: float) -> None:
        self._share = share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), self._theme.colors
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.line)
        radius = self.height() / 2
        painter.drawRoundedRect(self.rect(), radius, radius)
        painter.setBrush(colors.caution if self._share > 0.8 else colors.accent)
        width = max(self.height(), self.width() * self._share) if self._share else 0.0
        left = self.width() - width if self.isRightToLeft() else 0.0
        painter.drawRoundedRect(QRectF(left, 0, width, self.height()), radius, radius)


class TitleBar(QWidget):
    """Title and folder at the start, context and panel switches at the end."""

    folder_asked = Signal()
    list_toggled = Signal()
    panel_toggled = Signal()
    context_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.list_switch = IconButton(theme, "panel-left", _("Show conversations"), keys="Ctrl+B")
        self.list_switch.clicked.connect(self.list_toggled)
        self.list_switch.hide()
        self.title = Elided("strong")
        self.title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.private = label("", "caution")
        self.private.hide()
        self.folder = FolderButton(theme)
        self.folder.clicked.connect(lambda: self.folder_asked.emit())
        self.meter = ContextMeter(theme)
        self.meter.clicked.connect(lambda: self.context_asked.emit())
        self.panel_switch = IconButton(theme, "panel-right", _("Changes, jobs and context"), keys="Ctrl+J")
        self.panel_switch.clicked.connect(self.panel_toggled)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.list_switch)
        self._row.addWidget(self.title)
        self._row.addWidget(self.private)
        self._row.addWidget(self.folder)
        self._row.addStretch(1)
        self._row.addWidget(self.meter)
        self._row.addWidget(self.panel_switch)
        self.set_theme(theme)
        self.show_title("")

    def show_title(self, title: str) -> None:
        """Show the conversation's title."""
        self.title.setText(title or _("New conversation"))
        self._share_room()

    def show_private(self, on: bool) -> None:
        """Show the sign of a conversation without memory."""
        if on and not self.private.text():
            from ui.memory_words import private_text  # late: it knows all records of the engine

            self.private.setText(_("Private"))
            self.private.setToolTip(private_text())
            self.private.setAccessibleName(private_text())
        self.private.setVisible(on)
        self._share_room()

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self.setFixedHeight(theme.px(HEIGHT))
        self._row.setContentsMargins(theme.s20, 0, theme.px(13), 1)
        self._row.setSpacing(theme.s4)
        for part in (self.list_switch, self.folder, self.meter, self.panel_switch):
            part.set_theme(theme)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Share the room anew whenever a part asks for another size."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._share_room()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, self.height() - 1, self.width(), 1, self._theme.colors.line)

    def _share_room(self) -> None:
        """Give the title what it needs; where it and the folder do not both fit, a little more than half."""
        self.meter.give_way(*(self.width() < self._theme.px(narrow) for narrow in _NARROW))
        room = self.width() - self.panel_switch.sizeHint().width() - self._theme.px(60)
        if not self.private.isHidden():
            room -= self.private.sizeHint().width() + self._theme.s4
        if not self.meter.isHidden():
            room -= self.meter.sizeHint().width()
        most = max(room - self.folder.sizeHint().width(), room * 3 // 5, self._theme.px(40))
        self.title.setFixedWidth(min(self.title.sizeHint().width(), most))
