"""One tool of the person's own to be looked at: its words, its source or what changed, and trust."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QWidget

from app.own_tool_records import OwnTool
from ui.language import _
from ui.own_tool_words import consequence, nature, problem_line, question, state_text
from ui.places import tilde
from ui.window.approvals.editing import TextField
from ui.window.approvals.facts import Fact, Facts, wrapping
from ui.window.diff.view import DiffView
from ui.window.pages.page import Card, clear
from ui.window.parts import IconButton, Segments, button, label
from ui.window.theme import Theme
from ui.window.transcript.legible import legible

_HIGHEST = 460
"""Of the source and of the difference, in pixels of the design; longer ones scroll."""
_LISTED = 20


class OwnToolSheet(Card):
    """The tool that is shown, with the way back to the list."""

    back = Signal()
    trusted = Signal(object)
    """The person wants exactly what is shown to be trusted."""
    forgotten = Signal(object)
    opened = Signal(str)
    """The path of the file that is to be opened in an editor."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "")
        self.tool: OwnTool | None = None
        self.diff: DiffView | None = None
        self.source: TextField | None = None
        self.trust = button(_("Trust it"), "main")
        self.problem = label("")
        self.back_button = IconButton(theme, "chevron-left", _("Back to your tools"))
        self.hide()

    def show_tool(self, tool: OwnTool) -> None:
        """Show a tool as it is now."""
        self._end()
        clear(self.rows)
        self.tool = tool
        info = tool.info
        self.setAccessibleName(f"{legible(info.name)}, {state_text(info)}")
        self._add_head(tool)
        self._add_words(tool)
        if info.problems:
            facts = [
                Fact("triangle-alert", "caution", legible(problem_line(one)))
                for one in info.problems[:_LISTED]
            ]
            self.rows.addWidget(Facts(self.theme, facts))
        self._add_text(tool)
        if info.state in ("waiting", "changed"):
            self._add_question(tool)
        elif info.state in ("on", "off"):
            foot = self._add_line()
            foot.addWidget(label(_("You trust it just as it stands here."), "caption", wrap=True), 1)
            foot.addWidget(button(_("Trust it no longer"), "", lambda: self.forgotten.emit(tool)))
        self.show()
        self.set_theme(self.theme)

    def _add_head(self, tool: OwnTool) -> None:
        head = self._add_line()
        self.back_button = IconButton(self.theme, "chevron-left", _("Back to your tools"))
        self.back_button.clicked.connect(self.back)
        head.addWidget(self.back_button)
        head.addWidget(label(legible(tool.info.name), "strong"), 1)
        head.addWidget(button(_("Open in the editor"), "", lambda: self.opened.emit(tool.info.path)))

    def _add_line(self) -> QHBoxLayout:
        part = QWidget()
        line = QHBoxLayout(part)
        line.setContentsMargins(0, 0, 0, 0)
        self.rows.addWidget(part)
        return line

    def _add_words(self, tool: OwnTool) -> None:
        info = tool.info
        if tool.description:
            self.rows.addWidget(wrapping(legible(tool.description), ""))
        said = f"{state_text(info)} · {nature(info)}" if info.state != "broken" else state_text(info)
        self.rows.addWidget(wrapping(said, "caption"))
        self.rows.addWidget(wrapping(tilde(legible(info.path)), "caption", mono=True))
        if tool.examples:
            examples = " · ".join(legible(one) for one in tool.examples)
            self.rows.addWidget(wrapping(_("Said as: {words}").replace("{words}", examples), "caption"))

    def _add_text(self, tool: OwnTool) -> None:
        if not tool.source:
            return
        self.source = TextField(self.theme)
        self.source.setReadOnly(True)
        self.source.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.source.setTabChangesFocus(True)
        self.source.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.source.setPlainText(legible(tool.source))
        self.source.setAccessibleName(_("Source of {name}").replace("{name}", legible(tool.info.name)))
        self.source.left.connect(self.back)
        if tool.diff is not None:
            self.diff = DiffView(self.theme)
            self.diff.show_file(tool.diff)
            self.diff.set_choosable(False)
            which = Segments(
                _("What is shown"),
                (
                    ("diff", _("What changed"), _("What is different from what you trusted")),
                    ("source", _("All of it"), _("The whole file as it is now")),
                ),
            )
            which.choose("diff")
            which.chosen.connect(self._choose)
            row = self._add_line()
            row.addWidget(which)
            row.addStretch(1)
            self.rows.addWidget(self.diff)
            self.source.hide()
        self.rows.addWidget(self.source)

    def _choose(self, which: str) -> None:
        if self.diff is not None and self.source is not None:
            self.diff.setVisible(which == "diff")
            self.source.setVisible(which == "source")

    def _add_question(self, tool: OwnTool) -> None:
        self.add_rule()
        self.rows.addWidget(label(legible(question(tool)), "strong"))
        self.rows.addWidget(wrapping(consequence(tool), "muted" if tool.held else "caution"))
        self.trust = button(_("Trust it"), "main", lambda: self.trusted.emit(tool))
        self.trust.setAccessibleDescription(consequence(tool))
        self.problem = label("", "danger", wrap=True)
        self.problem.hide()
        self.rows.addWidget(self.problem)
        foot = self._add_line()
        foot.addStretch(1)
        foot.addWidget(button(_("Leave it"), "", self.back.emit))
        foot.addWidget(self.trust)

    def refuse(self, words: str) -> None:
        """Say why it was not trusted."""
        self.trust.setEnabled(True)
        self.problem.setText(legible(words))
        self.problem.show()

    def close_sheet(self) -> None:
        """Hide it and end what it started."""
        self._end()
        self.hide()

    def _end(self) -> None:
        if self.diff is not None:
            self.diff.end()
        self.diff = self.source = None

    def set_theme(self, theme: Theme) -> None:
        """Take the theme's room."""
        super().set_theme(theme)
        if not hasattr(self, "tool"):
            return
        self.back_button.set_theme(theme)
        highest = theme.px(_HIGHEST)
        if self.source is not None:
            self.source.set_theme(theme)
            line = self.source.fontMetrics().lineSpacing()
            self.source.setFixedHeight(min(highest, line * (self.source.blockCount() + 2) + theme.s16))
        if self.diff is not None:
            self.diff.set_theme(theme)
            self.diff.setFixedHeight(min(highest, self.diff.content_height() + theme.s8))
