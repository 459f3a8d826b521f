"""Turns what other processes of ours changed into events here, and follows their wishes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.errors import BrambleError
from app.events import (
    ApprovalAnswered,
    ApprovalAsked,
    ChangeMade,
    Event,
    InquiryAnswered,
    InquiryAsked,
    InstructionsChanged,
    MemoryChanged,
    MessageStored,
    Noticed,
    OwnToolsChanged,
    PinsChanged,
    QueueChanged,
    RulesChanged,
    SessionChanged,
    SettingsChanged,
    SkillsChanged,
    TimersChanged,
)
from app.store import approvals, inquiries, messages, queue, sessions
from app.store.feed import FeedRow

if TYPE_CHECKING:
    from app.assembly import Parts
    from app.engine import Engine

log = logging.getLogger(__name__)


class News:
    """Turns what other processes changed into events of ours, and follows their wishes."""

    def __init__(self, engine: Engine, parts: Parts) -> None:
        self._engine = engine
        self._parts = parts
        self._store = parts.store
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, rows: tuple[FeedRow, ...]) -> None:
        """Take the rows of one look; the reading happens in a task of its own."""
        task = asyncio.create_task(self._tell(rows), name="news of other processes")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, rows: tuple[FeedRow, ...]) -> None:
        for kind, session, ref in dict.fromkeys((row.kind, row.session, row.ref) for row in rows):
            try:
                for event in await self._events(kind, session, ref):
                    self._engine.emit(event)
            except BrambleError as error:  # the person learns that what they see may be old; the rest is told
                log.warning("news of another process (%s) could not be read: %s", kind, error)
                self._engine.emit(Noticed(session=session, problem=error.problem))
            except Exception:
                log.exception("news of another process (%s) could not be told", kind)

    async def _events(self, kind: str, session: str, ref: str) -> Sequence[Event]:
        await self._look(kind)
        match kind:
            case "session":
                return [SessionChanged(session=session, info=await self._store.read(sessions.get, session))]
            case "message":
                message = await self._store.read(messages.get, ref)
                return [MessageStored(session=session, message=message)] if message else []
            case "queue":
                waiting = await self._store.read(queue.waiting, session)
                return [QueueChanged(session=session, queued=tuple(waiting))]
            case "approval":
                approval = await self._store.read(approvals.get, ref)
                gone = ApprovalAnswered(session=session, approval=ref)
                return [ApprovalAsked(session=session, approval=approval) if approval else gone]
            case "inquiry":
                inquiry = await self._store.read(inquiries.get, ref)
                over = InquiryAnswered(session=session, inquiry=ref)
                return [InquiryAsked(session=session, inquiry=inquiry) if inquiry else over]
            case "missed":  # too much at once, or a backup was put in place: everything is told again
                self._parts.forget_keys()
                await self._engine.settings_changed()
                infos = await self._store.read(sessions.list_sessions)
                return [SessionChanged(session=info.id, info=info) for info in infos]
        await self._follow(kind, session, ref)
        return _plain(kind, session, ref)

    async def _look(self, kind: str) -> None:
        """Take the answers and timers that others gave, and let changed rules answer."""
        if kind in ("approval", "missed"):
            await self._parts.questions.look()
        if kind in ("inquiry", "missed"):
            await self._parts.daily.inquiries.look()
        if kind in ("timers", "missed"):
            self._parts.daily.timers.look()
        if kind in ("rules", "missed"):
            await self._parts.questions.reconsider()

    async def _follow(self, kind: str, session: str, ref: str) -> None:
        """Do what another process wishes: read the settings or a key again, stop a turn of ours."""
        if kind == "settings":
            await self._engine.settings_changed()
        elif kind == "keys":
            self._parts.forget_keys(ref)
        elif kind == "servers":
            await self._parts.elsewhere.servers_changed()
        elif kind == "stop" and self._parts.turns_made is not None:
            await self._parts.turns_made.stop_wished(session)


def _plain(kind: str, session: str, ref: str) -> Sequence[Event]:
    """Return the event of what needs no look into the store."""
    match kind:
        case "change":
            return [ChangeMade(session=session, change=ref)]
        case "keys":
            return [SettingsChanged()]
        case "rules":
            return [RulesChanged(session=session)]
        case "skills":
            return [SkillsChanged()]
        case "instructions":
            return [InstructionsChanged()]
        case "own_tools":
            return [OwnToolsChanged()]
        case "memory":
            return [MemoryChanged()]
        case "timers":
            return [TimersChanged()]
        case "pins":
            return [PinsChanged(session=session)]
    return []
