"""Fills the list of conversations, and carries out what is asked for in it: search, rename, pin, delete,
export, import."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.events import Event, SessionChanged, SessionCreated
from app.records import SearchHit, SessionInfo
from ui.language import _
from ui.window.bridge import Bridge
from ui.window.saving import read_text, save_text
from ui.window.sessions.panel import SessionPanel
from ui.words import brought_text

if TYPE_CHECKING:
    from app.engine import Engine

_NEW_DAY_MS = 60_000
"""How often the headings are compared with the calendar: "today" is another day after midnight."""


class SessionFeed(QObject):
    """Knows all conversations of the store, those of other processes included."""

    filled = Signal()
    """The list is filled for the first time."""
    opened = Signal(object, str)
    """A conversation (SessionInfo) is to be shown, and the message in it that was found ("" for none)."""
    done = Signal(str, object)
    """Something was done that can be taken back: the words, and what takes it back."""
    gone = Signal(str)
    """A conversation was deleted."""
    problem = Signal(object)

    def __init__(self, bridge: Bridge, panel: SessionPanel) -> None:
        super().__init__()
        self._bridge, self._panel = bridge, panel
        panel.opened.connect(self._open)
        panel.renamed.connect(self.rename)
        panel.pinned.connect(self.pin)
        panel.deleted.connect(self.delete)
        panel.searched.connect(self.search)
        self._new_day = QTimer(self)
        self._new_day.setInterval(_NEW_DAY_MS)
        self._new_day.timeout.connect(panel.new_day)
        self._new_day.start()

    def read(self) -> None:
        """Read the list."""
        self._bridge.call(lambda engine: engine.sessions.list(), self._show, self.problem.emit)

    def apply(self, event: Event) -> None:
        """Follow what happens to any conversation."""
        info = event.info if isinstance(event, (SessionCreated, SessionChanged)) else None
        if info is not None and info.parent:
            return  # a helper is opened from the card of its call
        if isinstance(event, SessionCreated):
            self._panel.put(event.info)
        elif isinstance(event, SessionChanged):
            if event.info is None or event.info.deleted:
                self._panel.remove(event.session)
            else:
                self._panel.put(event.info)

    def search(self, text: str) -> None:
        """Search the messages of all conversations."""
        self._bridge.call(
            lambda engine: engine.sessions.search(text),
            lambda hits: self._found(text, hits),
            self.problem.emit,
        )

    def rename(self, session: str, title: str) -> None:
        """Give a conversation another title."""
        before = self._panel.info(session)
        old = before.title if before else ""
        self._bridge.call(
            lambda engine: engine.sessions.rename(session, title),
            lambda done: self.done.emit(_("Renamed."), lambda: self._rename_back(session, old)),
            self.problem.emit,
        )

    def pin(self, session: str, on: bool) -> None:
        """Keep a conversation on top, or no longer."""
        self._bridge.call(lambda engine: engine.sessions.pin(session, on), None, self.problem.emit)

    def delete(self, session: str) -> None:
        """Take a conversation off the list, to be brought back from the toast."""
        info = self._panel.info(session)
        name = (info.title if info else "") or _("New conversation")
        words = _("Deleted “{title}”.").replace("{title}", name if len(name) < 40 else f"{name[:39]}…")
        self._bridge.call(
            lambda engine: engine.sessions.delete(session),
            lambda done: self._deleted(session, words),
            self.problem.emit,
        )

    def export(self, session: str, form: str, path: str) -> None:
        """Write a conversation into a file; `form` is md, html or json."""

        async def write(engine: Engine) -> None:
            text = await engine.sessions.export(session, form)  # type: ignore[arg-type]
            await asyncio.to_thread(save_text, path, text)

        words = _("Saved as {name}.").replace("{name}", Path(path).name)
        self._bridge.call(write, lambda done: self.done.emit(words, None), self.problem.emit)

    def bring(self, path: str) -> None:
        """Bring the conversations of an exported file in, and open the first of them."""

        async def read(engine: Engine) -> Sequence[SessionInfo]:
            return await engine.sessions.import_all(await asyncio.to_thread(read_text, path))

        self._bridge.call(read, self._brought, self.problem.emit)

    def _brought(self, made: Sequence[SessionInfo]) -> None:
        for info in made:
            self._panel.put(info)
        self.done.emit(brought_text(made), None)
        self.opened.emit(made[0], "")

    def _rename_back(self, session: str, title: str) -> None:
        self._bridge.call(lambda engine: engine.sessions.rename(session, title), None, self.problem.emit)

    def _deleted(self, session: str, words: str) -> None:
        self._panel.remove(session)
        self.gone.emit(session)
        self.done.emit(words, lambda: self._restore(session))

    def _restore(self, session: str) -> None:
        def show(info: SessionInfo) -> None:
            self._panel.put(info)
            self.opened.emit(info, "")

        async def restore(engine: Engine) -> SessionInfo:
            await engine.sessions.restore(session)
            return await engine.sessions.get(session)

        self._bridge.call(restore, show, self.problem.emit)

    def _show(self, sessions: Sequence[SessionInfo]) -> None:
        self._panel.show_sessions(sessions)
        self.filled.emit()

    def _found(self, text: str, hits: Sequence[SearchHit]) -> None:
        self._panel.show_hits(text, hits)

    def _open(self, session: str, message: str) -> None:
        known = self._panel.info(session)
        if known is not None:
            self.opened.emit(known, message)
            return
        self._bridge.call(
            lambda engine: engine.sessions.get(session),
            lambda info: self.opened.emit(info, message),
            self.problem.emit,
        )
