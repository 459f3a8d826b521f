"""Rows of the context inspector: a part of the request with its bar, a fact with its amount, a tool."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.records import ContextPart, LoadedTool
from ui.amounts import size, tokens
from ui.context_words import part_name, why_loaded
from ui.language import _
from ui.window.approvals.facts import wrapping
from ui.window.parts import Elided, box, button, label
from ui.window.progress import Bar
from ui.window.theme import Theme
from ui.window.transcript.legible import legible
from ui.window.work.context import ICONS

_NAME, _TOKENS, _BYTES = 200, 84, 72
"""Widths of the columns, in pixels of the design; the bar takes the rest."""
_NARROW, _NARROWEST = 460, 360
"""Below these widths the bar, then the bytes give their room to the name."""


class PartRow(QWidget):
    """One part: its icon and name, its bar, its tokens and its bytes."""

    def __init__(self, theme: Theme, icon: str, *, strong: bool = False) -> None:
        super().__init__()
        self._icon_name, self._theme, self._has_bar = icon, theme, True
        self._line = QHBoxLayout(self)
        self._icon = QLabel()
        self._name = Elided("strong" if strong else "body")
        self.bar = Bar(theme)
        self._tokens, self._bytes = (label("", "body" if strong else "small") for _at in range(2))
        for part in (self._tokens, self._bytes):
            part.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self._line.addWidget(self._icon)
        self._line.addWidget(self._name)
        self._line.addWidget(self.bar, 1)
        self._line.addWidget(self._tokens)
        self._line.addWidget(self._bytes)
        self.set_theme(theme)

    def show_part(self, name: str, amount: int, bytes: int, exact: bool, whole: int) -> None:
        """Show its amounts; `whole` are the tokens that fill the bar."""
        share = amount / whole if whole else 0.0
        self._name.setText(name)
        self._tokens.setText(f"{amount:,}" if exact else f"≈ {amount:,}")
        self._bytes.setText(size(bytes))
        self.bar.show_share(share)
        count = tokens(amount) if exact else _("about {n}").replace("{n}", tokens(amount))
        percent = _("{n} %").replace("{n}", str(round(share * 100)))
        self.setAccessibleName(f"{name}: {count}, {size(bytes)}, {percent}")
        self.setToolTip(percent)

    def give_bar(self, has: bool) -> None:
        """Show a bar, or none, as where the model's window is not known."""
        self._has_bar = has
        self._fit()

    def _fit(self) -> None:
        theme = self._theme
        narrow = self.width() < theme.px(_NARROW)
        self._name.setMinimumWidth(0 if narrow else theme.px(_NAME))
        self._name.setMaximumWidth(theme.px(_NARROW) if narrow else theme.px(_NAME))
        self._line.setStretchFactor(self._name, 1 if narrow else 0)
        self.bar.setVisible(self._has_bar and not narrow)
        self._bytes.setVisible(self.width() >= theme.px(_NARROWEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._theme.px(28))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(theme.s12)
        self.setFixedHeight(theme.px(28))
        self._icon.setFixedWidth(theme.px(16))
        if self._icon_name:
            self._icon.setPixmap(theme.pixmap(self._icon_name, "muted", 16, self.devicePixelRatioF()))
        self._tokens.setFixedWidth(theme.px(_TOKENS))
        self._bytes.setMinimumWidth(theme.px(_BYTES))
        self.bar.set_theme(theme)
        self._fit()


class Parts(QWidget):
    """All parts that hold something, and below them the whole of the model's window."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.rows: dict[str, PartRow] = {}
        self.total = PartRow(theme, "coins", strong=True)
        self._column.addWidget(box("rule"))
        self._column.addWidget(self.total)
        self.set_theme(theme)

    def show_parts(self, parts: Sequence[ContextPart], total: int, exact: bool, window: int) -> None:
        """Show these; rows that stay are not made anew, so that nothing flickers after a turn."""
        seen = [part for part in parts if part.bytes]
        for name in [name for name in self.rows if name not in {part.name for part in seen}]:
            row = self.rows.pop(name)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for at, part in enumerate(seen):
            if part.name not in self.rows:
                self.rows[part.name] = PartRow(self._theme, ICONS.get(part.name, "file-text"))
                self._column.insertWidget(at, self.rows[part.name])
            self.rows[part.name].show_part(part_name(part.name), part.tokens, part.bytes, part.exact, total)
        whole = sum(part.bytes for part in parts)
        name = _("Of the model's {n}").replace("{n}", tokens(window)) if window else _("In all")
        self.total.give_bar(bool(window))
        self.total.show_part(name, total, whole, exact, window)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        self._theme = theme
        self._column.setSpacing(theme.s4)
        for row in (*self.rows.values(), self.total):
            row.set_theme(theme)


class FactRow(QWidget):
    """A few words and an amount at the end."""

    def __init__(self, theme: Theme, words: str, amount: str, *, quiet: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(f"{words}: {amount}")
        self._line = QHBoxLayout(self)
        self._line.addWidget(wrapping(words, "small" if quiet else "body"), 1)
        self._line.addWidget(label(amount, "small" if quiet else "body"))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s12)


class LoadedRow(QWidget):
    """A tool in the request, why it is in it, and its tokens. Where a message brought it, it leads there."""

    def __init__(self, theme: Theme, tool: LoadedTool, go: Callable[[str], None]) -> None:
        super().__init__()
        self.tool = tool
        name, why = legible(tool.name), why_loaded(tool)
        cost = _("about {n}").replace("{n}", tokens(tool.tokens))
        self.setAccessibleName(f"{name}, {legible(why)}, {cost}")
        self._line, self._words = QHBoxLayout(self), QVBoxLayout()
        title = Elided("strong")
        title.setText(name)
        self._words.addWidget(title)
        self._words.addWidget(wrapping(why, "caption"))
        self._line.addLayout(self._words, 1)
        if tool.message:
            show = button(_("Show where"), "link", lambda: go(tool.message))
            show.setAccessibleName(_("Show where {name} came in").replace("{name}", name))
            self.setFocusProxy(show)
            self._line.addWidget(show, 0, Qt.AlignmentFlag.AlignTop)
        self._cost = label(f"≈ {tool.tokens:,}", "small")
        self._cost.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignTop)
        self._line.addWidget(self._cost, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s12)
        self._words.setSpacing(theme.px(2))
        self._cost.setMinimumWidth(theme.px(_BYTES))
