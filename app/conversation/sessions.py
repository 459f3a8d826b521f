"""What a front end can do with sessions: make, list, read, find, rename, pin, delete and bring back,
export, import.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app.conversation.repair import repaired
from app.errors import BrambleError
from app.events import Event, SessionChanged, SessionCreated
from app.platform.ids import new_id
from app.platform.paths import Home
from app.records import Effort, HelperInfo, Message, Mode, SearchHit, SessionInfo, Spending
from app.settings import Settings
from app.store import messages, search, sessions, spend
from app.store.connection import typed_errors
from app.store.database import Store

if TYPE_CHECKING:
    from app.conversation.pins import Pins
    from app.conversation.plans import Plans
    from app.store.incoming import Conversation

SEARCH_LIMIT = 100


class Sessions:
    """Facade over the stored sessions. All methods raise BrambleError (no_session) for an unknown id."""

    def __init__(
        self,
        store: Store,
        home: Home,
        emit: Callable[[Event], None],
        settings: Callable[[], Settings],
        clock: Callable[[], float] = time.time,
        effort_wished: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """`effort_wished(model)` learns that a person chose an effort for a model, "" for the set one."""
        self._effort_wished = effort_wished
        self._store = store
        self._home = home
        self._emit = emit
        self._settings = settings
        self._clock = clock

    @cached_property
    def pins(self) -> Pins:
        """The notes that are pinned in conversations; loaded after a window has drawn its own."""
        from app.conversation.pins import Pins

        return Pins(self._store, self._emit, self._clock)

    @cached_property
    def plans(self) -> Plans:
        """The plans that wait for a word."""
        from app.conversation.plans import Plans

        return Plans(self, self.pins)

    async def create(
        self,
        *,
        cwd: str = "",
        mode: Mode | None = None,
        model: str = "",
        effort: Effort = "",
        title: str = "",
        parent: str = "",
        private: bool = False,
    ) -> SessionInfo:
        """Make a session that works in `cwd`, else in the folder of the settings, else in an empty folder
        of ours. With a `parent` it is a helper of that one; `private` is without memory.
        """
        now, settings = self._clock(), self._settings()
        identity = new_id(now)
        folder = self._folder(cwd or settings.folder, identity)
        info = SessionInfo(
            id=identity,
            title=title,
            cwd=folder,
            model=model,
            effort=effort,
            mode=mode or settings.mode,
            created=now,
            updated=now,
            parent=parent,
            private=private,
        )
        await self._store.write(sessions.create, info)
        self._emit(SessionCreated(session=identity, info=info))
        return info

    async def spending(self, session: str) -> Spending:
        """Return what a session has used in all, and what everything used today; "" has used nothing."""
        return Spending(
            session=await self._store.read(spend.spent_by, session),
            today=await self._store.read(spend.spent, spend.day_of(self._clock())),
        )

    def _folder(self, wanted: str, identity: str) -> str:
        """Return the resolved working folder; home and / are never one (product 5.0)."""
        if not wanted:
            own = self._home.scratch / identity
            with typed_errors(self._home.data):  # a home that cannot be written to, or a full disk
                own.mkdir(parents=True, exist_ok=True)
            return str(own.resolve())
        try:
            folder = Path(wanted).expanduser().resolve()
            there = folder.is_dir()
        except (ValueError, OSError, RuntimeError):  # a NUL, a circle of links, nobody's home
            there = False
        if not there:
            raise BrambleError("no_folder", f"The folder {wanted} does not exist.", path=wanted)
        if folder == Path.home().resolve() or folder == Path(folder.anchor):
            raise BrambleError(
                "bad_folder", f"{folder} is too wide to work in. Pick a folder inside it.", path=str(folder)
            )
        return str(folder)

    async def list(self, *, deleted: bool = False) -> Sequence[SessionInfo]:
        """Return the sessions, newest message first."""
        return await self._store.read(sessions.list_sessions, deleted=deleted)

    async def get(self, session: str) -> SessionInfo:
        """Return one session."""
        info = await self._store.read(sessions.get, session)
        if info is None:
            raise BrambleError("no_session", f"There is no conversation {session}.", session=session)
        return info

    async def messages(self, session: str, *, tail: int = 0) -> Sequence[Message]:
        """Return the shown branch from its start, or its newest `tail` messages."""
        if tail:
            return await self._store.read(messages.tail, session, tail)
        return repaired(await self._store.read(messages.branch, session))

    async def helpers(self, session: str) -> Sequence[HelperInfo]:
        """Return the helpers that a conversation has had, oldest first."""
        from app.store import helpers

        return await self._store.read(helpers.helpers, session)

    async def search(self, text: str) -> Sequence[SearchHit]:
        """Return messages of all branches that hold the words."""
        return await self._store.read(search.search, text, SEARCH_LIMIT)

    async def rename(self, session: str, title: str) -> None:
        """Give the session a title."""
        await self._update(session, title=" ".join(title.split()))

    async def pin(self, session: str, on: bool) -> None:
        """Keep the session on top of the list, or no longer."""
        await self._update(session, pinned=on)

    async def configure(
        self,
        session: str,
        *,
        mode: Mode | None = None,
        model: str | None = None,
        cwd: str | None = None,
        effort: Effort | None = None,
    ) -> SessionInfo:
        """Change mode, model, working folder or reasoning effort from the next turn on."""
        wanted = {
            "mode": mode,
            "model": model,
            "effort": effort,
            "cwd": self._folder(cwd, session) if cwd is not None else None,
        }
        info = await self._update(
            session, **{key: value for key, value in wanted.items() if value is not None}
        )
        if effort is not None and self._effort_wished is not None:
            await self._effort_wished(info.model)
        return info

    async def delete(self, session: str) -> None:
        """Take the session off the list; `restore` brings it back."""
        await self.get(session)
        await self._store.write(sessions.delete, session)
        self._emit(SessionChanged(session=session, info=await self._store.read(sessions.get, session)))

    async def restore(self, session: str) -> None:
        """Bring a deleted session back."""
        await self._store.write(sessions.restore, session)
        self._emit(SessionChanged(session=session, info=await self.get(session)))

    async def export(self, session: str, form: Literal["md", "html", "json"]) -> str:
        """Return the whole session as text in the form asked for; JSON holds every branch."""
        from app.conversation.carrying import packed

        await self.get(session)
        return await packed(self._store, self._home.pictures, session, form)

    async def import_text(self, text: str) -> SessionInfo:
        """As `import_all`; return the first."""
        return (await self.import_all(text))[0]

    async def import_all(self, text: str) -> Sequence[SessionInfo]:
        """Make sessions from an exported text and return them, at least one. Raises StoreError bad_import,
        BrambleError too_large and, of its pictures, disk_full, no_permission.
        """
        from app.conversation.carrying import unpacked

        found = await unpacked(self._home.pictures, text)
        made = [await self._import(conversation) for conversation in found]
        for info in made:
            self._emit(SessionCreated(session=info.id, info=info))
        return made

    async def _import(self, conversation: Conversation) -> SessionInfo:
        """Store a conversation from outside, in its folder where that may be one, else in one of ours."""
        from app.store import importing

        try:
            cwd = conversation.info.cwd and self._folder(conversation.info.cwd, "")
        except BrambleError:
            cwd = ""
        info = await self._store.write(importing.store, conversation.placed(cwd))
        if cwd:
            return info
        own = await asyncio.to_thread(self._folder, "", info.id)
        return await self._store.write(sessions.update, info.id, cwd=own)

    async def _update(self, session: str, **fields: object) -> SessionInfo:
        await self.get(session)
        await self._store.write(sessions.update, session, **fields)
        info = await self.get(session)
        self._emit(SessionChanged(session=session, info=info))
        return info
