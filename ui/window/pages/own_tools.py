"""The page of the person's own tools: one file each, to be begun, looked at, trusted and switched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from app.events import Event, OwnToolsChanged
from app.own_tool_records import OwnTool, OwnToolInfo
from app.records import Problem
from ui.language import _
from ui.own_tool_words import summed_up
from ui.places import tilde
from ui.window.bridge import Bridge
from ui.window.pages.own_tool_rows import OwnToolRow
from ui.window.pages.own_tool_sheet import OwnToolSheet
from ui.window.pages.page import Card, Page, clear
from ui.window.parts import button, label
from ui.window.theme import Theme
from ui.words import problem_text

EXAMPLE = "count_words"
_LONGEST = 64


class OwnToolsPage(Page):
    """Shows the list or one tool. Read anew when files change, here or elsewhere."""

    said = Signal(str, object)
    """What was done, and how to take it back (or None)."""
    opened = Signal(str)
    """The path of a file that is to be opened in an editor."""
    folder_asked = Signal(str)

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__(theme, _("Own tools"), _("Looking…"))
        self._bridge = bridge
        self._folder = ""
        self.rows: dict[str, OwnToolRow] = {}
        self._new = button(_("New tool"), "main", self.begin)
        self._open_folder = button(_("Open the folder"), "", lambda: self.folder_asked.emit(self._folder))
        self.add_action(self._open_folder)
        self.add_action(self._new)
        self.form = Card(
            theme, _("A new tool"), _("It is written as a whole tool that works; change it then.")
        )
        self.field = QLineEdit()
        self.field.setMaxLength(_LONGEST)
        self.field.setProperty("mono", True)
        self.field.setPlaceholderText(_("Its name, such as count_words"))
        self.field.setAccessibleName(_("Name of the tool"))
        self.field.returnPressed.connect(self._make)
        self.problem = label("", "caution", wrap=True)
        self.problem.hide()
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.field, 1)
        self._foot.addWidget(button(_("Leave it"), "", self.leave_form))
        self._foot.addWidget(button(_("Write it"), "main", self._make))
        self.form.rows.addLayout(self._foot)
        self.form.rows.addWidget(self.problem)
        self.form.hide()
        self.sheet = OwnToolSheet(theme)
        self.sheet.back.connect(self.show_list)
        self.sheet.trusted.connect(self._trust)
        self.sheet.forgotten.connect(self._forget)
        self.sheet.opened.connect(self.opened)
        self.card = Card(theme, "")
        self.card.hide()  # until the folder was read
        for part in (self.form, self.sheet, self.card):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.read()

    # --- what is shown -------------------------------------------------------------------------------------

    def read(self) -> None:
        """Look at the folder again."""

        async def look(engine: Any) -> tuple[tuple[OwnToolInfo, ...], str]:
            return await engine.own_tools.list(), str(engine.own_tools.folder)

        self._bridge.call(look, self._take, self._problem)

    def showEvent(self, event: object) -> None:
        """An editor tells nobody what it wrote: look again whenever the page comes forward."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.read()
        if self.sheet.tool is not None and not self.sheet.isHidden():
            self.open(self.sheet.tool.info.name)

    def apply(self, event: Event) -> None:
        """Follow files that come, go and change."""
        if isinstance(event, OwnToolsChanged):
            self.read()

    def _take(self, found: tuple[tuple[OwnToolInfo, ...], str]) -> None:
        infos, self._folder = found
        kept = next(
            (name for name, row in self.rows.items() if row.isAncestorOf(self.focusWidget() or self)), ""
        )
        clear(self.card.rows)
        self.rows = {}
        if infos:
            self.sentence.setText(summed_up(infos))
        else:
            self.sentence.setText(_("What no other tool does for you, in one file of Python."))
            self._add_example()
        for info in infos:
            if self.rows:
                self.card.add_rule()
            row = OwnToolRow(self.theme, info)
            row.opened.connect(lambda one: self.open(one.name))
            row.switched.connect(self._switch)
            self.rows[info.name] = row
            self.card.rows.addWidget(row)
        self.card.setVisible(self.sheet.isHidden())
        if kept in self.rows:
            self.rows[kept].name.setFocus()

    def _add_example(self) -> None:
        """Teach with an example that can be tried by a click."""
        rows = self.card.rows
        rows.addWidget(label(_("No tools of your own yet"), "strong"))
        words = _(
            "A tool is one async function: its docstring tells the model what it does, its parameters are "
            "the arguments. It reads, writes and runs only through Bramble, so your rules, questions and "
            "undo hold for it. You look at it once, and again whenever the file changes."
        )
        rows.addWidget(label(words, "muted", wrap=True))
        made = button(_("Begin with {name}").replace("{name}", EXAMPLE), "example")
        made.clicked.connect(lambda checked=False: self.begin(EXAMPLE))
        rows.addWidget(made)
        rows.addWidget(label(tilde(self._folder), "caption", wrap=True))

    def show_list(self) -> None:
        """Go back to the list."""
        name = self.sheet.tool.info.name if self.sheet.tool is not None else ""
        self.sheet.close_sheet()
        self._show_parts(list_shown=True)
        if name in self.rows:
            self.rows[name].name.setFocus()

    def _show_parts(self, *, list_shown: bool) -> None:
        for part in (self.card, self._new, self._open_folder):
            part.setVisible(list_shown)
        if not list_shown:
            self.form.hide()

    def open(self, name: str) -> None:
        """Show one tool with its source."""
        self._bridge.call(lambda engine: engine.own_tools.show(name), self._show, self._tell)

    def _show(self, tool: OwnTool) -> None:
        self._show_parts(list_shown=False)
        same = self.sheet.tool is not None and self.sheet.tool == tool and not self.sheet.isHidden()
        if not same:
            self.sheet.show_tool(tool)
            self.area.verticalScrollBar().setValue(0)
            self.sheet.back_button.setFocus()

    # --- what the person does ------------------------------------------------------------------------------

    def begin(self, name: str | bool = "") -> None:
        """Ask for the name of a new tool."""
        self.problem.hide()
        self.field.setText(name if isinstance(name, str) else "")
        self.form.show()
        self.field.setFocus()
        self.area.ensureWidgetVisible(self.form)

    def leave_form(self) -> None:
        """Write nothing."""
        self.form.hide()
        self._new.setFocus()

    def _make(self) -> None:
        def refuse(problem: Problem) -> None:
            text = problem_text(problem)
            self.problem.setText(f"{text.title} {text.detail}")
            self.problem.show()
            self.field.setFocus()

        def done(tool: OwnTool) -> None:
            self.form.hide()
            self._show(tool)
            self.read()

        name = self.field.text().strip()
        self._bridge.call(lambda engine: engine.own_tools.new(name), done, refuse)

    def _trust(self, tool: OwnTool) -> None:
        name, hash = tool.info.name, tool.info.hash

        def done(found: OwnTool) -> None:
            self.show_list()
            words = _("{name} is trusted as it is, and on.").replace("{name}", name)
            self.said.emit(words, lambda: self._do(lambda engine: engine.own_tools.forget(name, hash)))

        def refuse(problem: Problem) -> None:
            text = problem_text(problem)
            self.sheet.refuse(f"{text.title} {text.detail}")
            self.open(name)  # where it was changed meanwhile, that is shown

        self.sheet.trust.setEnabled(False)
        self._bridge.call(lambda engine: engine.own_tools.trust(name, hash), done, refuse)

    def _forget(self, tool: OwnTool) -> None:
        name = tool.info.name

        def done(known: bool) -> None:
            self.open(name)
            self.said.emit(_("{name} is not trusted any more.").replace("{name}", name), None)

        self._bridge.call(lambda engine: engine.own_tools.forget(name), done, self._tell)

    def _switch(self, info: OwnToolInfo, on: bool) -> None:
        words = _("{name} is on.") if on else _("{name} is off.")

        def done(nothing: object) -> None:
            self.said.emit(
                words.replace("{name}", info.name),
                lambda: self._do(lambda engine: engine.own_tools.enable(info.name, not on)),
            )

        self._bridge.call(lambda engine: engine.own_tools.enable(info.name, on), done, self._tell)

    def _do(self, work: Callable[[Any], Any]) -> None:
        self._bridge.call(work, lambda done: self.read(), self._tell)

    def _tell(self, problem: Problem) -> None:
        """Say what did not work, and show what holds."""
        self.said.emit(problem_text(problem).title, None)
        self.read()

    def _problem(self, problem: Problem) -> None:
        self.sentence.setText(problem_text(problem).title)

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        super().set_theme(theme)
        self._foot.setSpacing(theme.s8)
