"""The page of memory: facts, notes of projects and to-do lists: find, pin, change, merge, settle, forget."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.events import Event, MemoryChanged, SettingsChanged
from app.memory_records import Brief, Forgotten, MemoryItem, ProjectInfo
from app.records import Problem
from ui.language import _, plural
from ui.memory_words import forgotten_text, sum_text, unknown_text
from ui.window.approvals.facts import wrapping
from ui.window.bridge import Bridge
from ui.window.pages.long_list import LongList
from ui.window.pages.memory_rows import MemoryForm, MemoryRow
from ui.window.pages.page import Card, Page, clear
from ui.window.parts import Choice, SearchField, Segments, button
from ui.window.theme import Theme
from ui.words import problem_text

_TYPING_MS = 120


class Read(NamedTuple):
    """What one look brings."""

    items: Sequence[MemoryItem]
    everything: Sequence[MemoryItem]
    topics: Sequence[str]
    projects: Sequence[ProjectInfo]
    brief: Brief | None
    on: bool


class MemoryPage(Page):
    """Reads memory whenever it comes forward or something changes; what is forgotten can be had back until
    the page is left.
    """

    said = Signal(str, object)
    """What was done, and how to take it back."""
    tried = Signal(str)
    """An example for the message field."""
    export_asked = Signal()

    def __init__(self, bridge: Bridge, theme: Theme, clock: Callable[[], float] = time.time) -> None:
        super().__init__(theme, _("Memory"), _("Looking…"))
        self._bridge, self._clock = bridge, clock
        self._kind = "fact"
        self._looks = 0
        self._read: Read | None = None
        self.export_button = button(_("Export…"), "quiet", self.export_asked.emit)
        self.add_button = button(_("Remember something"), "main", lambda: self.form.begin(self._kind))
        self.add_action(self.export_button)
        self.add_action(self.add_button)
        self.kinds = Segments(
            _("What is shown"),
            (("fact", _("Facts"), ""), ("project", _("Projects"), ""), ("todo", _("To-do"), "")),
        )
        self.kinds.choose("fact")
        self.kinds.chosen.connect(self.show_kind)
        self.search = SearchField(theme, _("Find in memory"))
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.read)
        self.search.textChanged.connect(lambda text: self._typing.start())
        self.topic = Choice(theme, _("Topic"))
        self.topic.activated.connect(lambda at: self._choose(str(self.topic.itemData(at) or "")))
        top = QWidget()
        self._controls = QHBoxLayout(top)
        self._controls.setContentsMargins(0, 0, 0, 0)
        for part, stretch in ((self.kinds, 0), (self.search, 1), (self.topic, 0)):
            self._controls.addWidget(part, stretch)
        self.form = MemoryForm(theme)
        self.form.kept.connect(self._keep)
        self.form.merged.connect(self._merge)
        self.empty = self._empty(theme)
        self.card = Card(theme, "")
        self.list = LongList(theme, first=30)
        self.card.rows.addWidget(self.list)
        self.unknown = Card(theme, _("Unknown"), _("What nobody wrote down, or what may have changed."))
        for each in (top, self.form, self.empty, self.card, self.unknown):
            self.column.addWidget(each)
        for each in (self.empty, self.card, self.unknown):
            each.hide()
        self.column.addStretch(1)
        self._chosen = ""
        self.set_theme(theme)

    def _empty(self, theme: Theme) -> Card:
        card = Card(theme, _("No fact is remembered yet"))
        card.say(
            _(
                "Say “remember that …” in a conversation, or write it here. Bramble tells it to a model only "
                "where it fits what you ask. Nothing of it is sent anywhere else, and each of it can be "
                "forgotten for good."
            )
        )
        words = _("Remember that I prefer short answers")
        self.example = button(words, "example", lambda: self.tried.emit(words))
        card.rows.addWidget(self.example)
        return card

    # --- reading -------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read again what is shown."""
        self._looks += 1
        look, kind, text, chosen = self._looks, self._kind, self.search.text().strip(), self._chosen

        async def gather(engine: Any) -> Read:
            memory = engine.memory
            projects = await memory.projects()
            project = chosen if any(one.key == chosen for one in projects) else ""
            project = project or (projects[0].key if projects else "")
            everything = await memory.list(("fact",))
            brief = await memory.brief(project) if kind == "project" and project else None
            wanted = ("decision", "note", "open_item") if kind == "project" else (kind,)
            if text:
                items = await memory.search(text, wanted, 200)
            elif kind == "project":
                items = await memory.list(wanted, project=project)
            else:
                items = await memory.list(wanted, topic=chosen or None)
            topics = await memory.topics() if kind == "fact" else _lists(items)
            return Read(items, everything, topics, projects, brief, engine.settings.memory)

        self._bridge.call(gather, lambda found: self._show(look, found), self._problem)

    def apply(self, event: Event) -> None:
        """Follow what is remembered elsewhere."""
        if isinstance(event, (MemoryChanged, SettingsChanged)) and self.isVisible():
            self.read()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.read()

    def hideEvent(self, event: QHideEvent) -> None:
        """Make final what was forgotten here."""
        super().hideEvent(event)
        self._bridge.call(lambda engine: engine.memory.forget_put_away(), self._tell_gone, self._problem)

    def _tell_gone(self, gone: Forgotten) -> None:
        if gone.count:
            self.said.emit(forgotten_text(gone, self._clock()), None)

    def show_kind(self, kind: str) -> None:
        """Show facts, projects or to-do items."""
        self._kind, self._chosen = kind, ""
        self.kinds.choose(kind)
        self.form.close_form()
        self.list.close_again()
        self.read()

    def _choose(self, what: str) -> None:
        self._chosen = what
        self.list.close_again()
        self.read()

    # --- showing -------------------------------------------------------------------------------------------

    def _show(self, look: int, found: Read) -> None:
        if look != self._looks:
            return
        self._read = found
        words = sum_text(found.everything)
        if not found.on:
            words = f"{_('Memory is switched off: nothing is told and nothing is added.')} {words}"
        self.sentence.setText(words)
        self.export_button.setVisible(bool(found.everything or found.projects or found.items))
        self.add_button.setVisible(self._kind != "project" or bool(found.projects))
        self._fill_choice(found)
        searching = bool(self.search.text().strip())
        nothing = not found.items and not searching and not self._chosen
        self.empty.setVisible(nothing and self._kind == "fact")
        self.card.setVisible(not nothing or self._kind != "fact")
        self.card.say("" if found.items else self._nothing(searching))
        self._fill(found)
        self._show_unknown(found.brief if not searching else None)

    def _nothing(self, searching: bool) -> str:
        if searching:
            return _("Nothing holds these words.")
        if self._kind == "project":
            return _(
                "Nothing is noted of a project yet. Say “note for this project that …” in a conversation."
            )
        if self._kind == "todo":
            return _("Nothing is on a list. Say “put milk on my shopping list”, or write it here.")
        return _("Nothing is remembered of this.")

    def _fill(self, found: Read) -> None:
        items, now = found.items, self._clock()
        if self._kind == "todo":
            items = sorted(items, key=lambda one: (bool(one.done), one.due or "~"))
        elif self._kind == "project":
            items = sorted(items, key=lambda one: (bool(one.done), not one.confirmed))
        known = {one.id: one for one in found.everything}
        held = self._held()
        self.list.fill([partial(self._row_of, one, now, known) for one in items])
        self._hold(held)

    def _row_of(self, item: MemoryItem, now: float, known: dict[str, MemoryItem]) -> MemoryRow:
        against = [known[one] for one in item.conflicts if one in known]
        row = MemoryRow(self.theme, item, now, against, kind=self._kind == "project")
        row.pinned.connect(self._pin)
        row.edited.connect(self._edit)
        row.forgotten.connect(self._forget)
        row.confirmed.connect(lambda one: self._do(lambda engine: engine.memory.confirm(one.id), ""))
        row.ticked.connect(self._tick)
        row.settled.connect(self._settle)
        return row

    def _held(self) -> int:
        """Return the number of the row that has the keyboard, -1 for none."""
        focus = self.focusWidget()
        rows = self.list.rows
        return next((at for at, row in enumerate(rows) if focus is not None and row.isAncestorOf(focus)), -1)

    def _hold(self, at: int) -> None:
        """Give the keyboard to the row that stands there now."""
        if at >= 0 and self.list.rows and self.isVisible():
            row = self.list.rows[min(at, len(self.list.rows) - 1)]
            if isinstance(row, MemoryRow):
                row.edit.setFocus()

    def _fill_choice(self, found: Read) -> None:
        self.topic.clear()
        if self._kind == "project":
            for one in found.projects:
                words = plural("{n} entry", "{n} entries", one.items)
                self.topic.addItem(f"{one.name} ({words})", one.key)
        else:
            every = _("Every topic") if self._kind == "fact" else _("Every list")
            self.topic.addItem(every, "")
            for name in found.topics:
                self.topic.addItem(name, name)
        self.topic.setCurrentIndex(max(0, self.topic.findData(self._chosen)))
        self.topic.setVisible(self.topic.count() > (0 if self._kind == "project" else 1))

    def _show_unknown(self, brief: Brief | None) -> None:
        clear(self.unknown.rows, 2)
        self.unknown.setVisible(brief is not None and bool(brief.unknown))
        for code in brief.unknown if brief is not None else ():
            self.unknown.rows.addWidget(wrapping(unknown_text(code), "body"))

    # --- doing ---------------------------------------------------------------------------------------------

    def _do(self, work: Callable[[Any], Any], words: str) -> None:
        """Do something that gives the id of a change, and say how to take it back."""

        def done(undo: str) -> None:
            if words:
                self.said.emit(words, lambda: self._undo(undo))

        self._bridge.call(work, done, self._problem)

    def _undo(self, change: str) -> None:
        self._bridge.call(lambda engine: engine.memory.undo(change), None, self._problem)

    def _pin(self, item: MemoryItem, on: bool) -> None:
        words = _("Every new conversation is told of it.") if on else _("It is told only where it fits.")
        self._do(lambda engine: engine.memory.pin(item.id, on), words)

    def _tick(self, item: MemoryItem, on: bool) -> None:
        self._do(lambda engine: engine.memory.tick(item.id, on), _("Ticked off.") if on else _("Open again."))

    def _edit(self, item: MemoryItem) -> None:
        async def near(engine: Any) -> Sequence[MemoryItem]:
            found = await engine.memory.search(item.text, (item.kind,), 8)
            return [one for one in found if one.id != item.id and one.project == item.project]

        def begin(found: Sequence[MemoryItem]) -> None:
            self.form.change(item, found)
            self.area.ensureWidgetVisible(self.form)

        self._bridge.call(near, begin, self._problem)

    def _keep(self, item: MemoryItem | None, text: str, topic: str, due: str) -> None:
        kind, project = self._kind, self._project_shown()

        async def keep(engine: Any) -> str:
            if item is not None:
                return str(await engine.memory.edit(item.id, text, topic, due))
            new = MemoryItem(
                kind="note" if kind == "project" else kind,  # type: ignore[arg-type]
                text=text, topic=topic, due=due, by="person", confirmed=True,
                project=project if kind == "project" else "",
            )  # fmt: skip
            return str((await engine.memory.remember(new)).undo)

        def done(undo: str) -> None:
            self.form.close_form()
            self.said.emit(_("Kept."), lambda: self._undo(undo))

        self._bridge.call(keep, done, lambda problem: self.form.refuse(_sentence(problem)))

    def _project_shown(self) -> str:
        return self._read.brief.project if self._read is not None and self._read.brief is not None else ""

    def _merge(self, item: MemoryItem, other: str) -> None:
        self.form.close_form()
        self._put_together(item.id, (other,))

    def _settle(self, item: MemoryItem, how: str) -> None:
        if how == "keep":
            self._put_together(item.id, item.conflicts)
        else:
            self._bridge.call(lambda engine: engine.memory.keep_both(item.id), None, self._problem)

    def _put_together(self, keep: str, others: Sequence[str]) -> None:
        gone = list(others)

        def back(undo: str) -> None:
            async def both(engine: Any) -> None:
                await engine.memory.bring_back(gone)
                await engine.memory.undo(undo)

            self._bridge.call(both, None, self._problem)

        self._bridge.call(
            lambda engine: engine.memory.merge(keep, gone),
            lambda undo: self.said.emit(_("One stands for both now."), lambda: back(undo)),
            self._problem,
        )

    def _forget(self, item: MemoryItem) -> None:
        back = partial(
            self._bridge.call, lambda engine: engine.memory.bring_back([item.id]), None, self._problem
        )
        words = _("Forgotten. It is gone for good when you leave this page.")
        self._bridge.call(
            lambda engine: engine.memory.put_away([item.id]),
            lambda count: self.said.emit(words, back),
            self._problem,
        )

    def _problem(self, problem: Problem) -> None:
        self.sentence.setText(_sentence(problem))

    def set_theme(self, theme: Theme) -> None:
        """Draw with another theme."""
        super().set_theme(theme)
        self._controls.setSpacing(theme.s8)


def _lists(items: Sequence[MemoryItem]) -> Sequence[str]:
    return sorted({one.topic for one in items if one.topic}, key=str.casefold)


def _sentence(problem: Problem) -> str:
    return problem_text(problem).title
