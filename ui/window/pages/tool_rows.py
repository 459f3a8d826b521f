"""One tool as a row, what it costs and its switch, and the cards that hold such rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.records import ToolInfo
from ui.amounts import tokens
from ui.language import _
from ui.window.approvals.facts import wrapping
from ui.window.pages.long_list import FIRST, LongList
from ui.window.pages.page import Card
from ui.window.parts import SWITCH_HEIGHT, SWITCH_WIDTH, Elided, Switch, label, plain_tip
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

NUMBERS = 56
"""The room of the tokens, in pixels of the design, so that they stand in a column."""


class ToolRow(QWidget):
    """Its name, what it does, its tokens, and the switch between always on and only when needed. What leads
    to all the others has no switch, only its room.
    """

    switched = Signal(object, bool)
    """The ToolInfo, and whether it is to be always on."""

    def __init__(self, theme: Theme, tool: ToolInfo) -> None:
        super().__init__()
        self.tool = tool
        name, cost = legible(tool.name), tokens(tool.tokens)
        self.setAccessibleName(f"{name}, {cost}")
        self._line, self._words, self._head = QHBoxLayout(self), QVBoxLayout(), QHBoxLayout()
        title = Elided("strong")
        title.setText(name)
        self._head.addWidget(title)
        if tool.read_only:
            self._head.addWidget(label(_("only reads"), "caption"))
        self._head.addStretch(1)
        self._words.addLayout(self._head)
        if tool.summary:
            self._words.addWidget(wrapping(tool.summary, "caption"))
        self._line.addLayout(self._words, 1)
        self._cost = _cost(tool.tokens)
        self._line.addWidget(self._cost, 0, Qt.AlignmentFlag.AlignTop)
        self.switch: Switch | None = None
        self._room = QWidget()
        if not tool.fixed:
            self.switch = self._room = Switch(theme, _("{name} is always on").replace("{name}", name))
            about = _("Always on costs about {n} in every request").replace("{n}", cost)
            self.switch.setToolTip(plain_tip(about))
            self.switch.setAccessibleDescription(about)
            self.switch.setChecked(tool.state == "always")
            self.switch.toggled.connect(lambda on: self.switched.emit(tool, on))
            self.setFocusProxy(self.switch)
        self._line.addWidget(self._room, 0, Qt.AlignmentFlag.AlignTop)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        self._line.setContentsMargins(0, theme.s4, 0, theme.s4)
        self._line.setSpacing(theme.s8)
        self._words.setSpacing(theme.px(2))
        self._words.setContentsMargins(0, theme.px(3), 0, 0)
        self._head.setSpacing(theme.s8)
        self._room.setFixedSize(theme.px(SWITCH_WIDTH), theme.px(SWITCH_HEIGHT))
        self._cost.setFixedSize(theme.px(NUMBERS), theme.px(SWITCH_HEIGHT))
        if self.switch is not None:
            self.switch.set_theme(theme)


class ToolCard(Card):
    """The tools of one kind; it makes its rows anew only where they are not the same any more."""

    def __init__(
        self, theme: Theme, heading: str, switched: Callable[[ToolInfo, bool], None], first: int = FIRST
    ) -> None:
        """`first` rows are shown before somebody asks for more."""
        super().__init__(theme, legible(heading))
        self._switched = switched
        self._shown: Sequence[ToolInfo] = ()
        self.list = LongList(theme, first=first)
        self.rows.addWidget(self.list)

    def show_tools(self, tools: Sequence[ToolInfo]) -> None:
        """Show these tools; a card without any hides."""
        self.setVisible(bool(tools))
        if tools != self._shown:
            self._shown = tools
            self.list.fill([partial(self._row, tool) for tool in tools])

    def row(self, name: str) -> ToolRow | None:
        """Return the row of a tool, None where it is not shown."""
        found = (row for row in self.list.rows if isinstance(row, ToolRow) and row.tool.name == name)
        return next(found, None)

    def neighbour(self, name: str) -> str:
        """Return the tool with a switch below one, or above the last, "" for none."""
        names = [tool.name for tool in self._shown if not tool.fixed]
        at = names.index(name) if name in names else len(names)
        return next(iter((*names[at + 1 : at + 2], *names[max(0, at - 1) : at])), "")

    def _row(self, tool: ToolInfo) -> ToolRow:
        made = ToolRow(self.theme, tool)
        made.switched.connect(self._switched)
        return made


def _cost(count: int) -> QLabel:
    made = label(f"≈ {count:,}", "caption")
    made.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
    made.setAccessibleName(_("about {n}").replace("{n}", tokens(count)))
    return made
