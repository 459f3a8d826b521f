"""The one door of the assistant: start, send, steer, stop, answer, subscribe, close, and one small facade
per folder.

An engine belongs to one asyncio loop. Front ends call its methods there and receive events there; they
never look behind it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from app import settings as settings_file
from app.errors import SettingsError
from app.events import Event, Noticed, SettingsChanged, ToolFinished, TurnEnded
from app.platform.paths import Home
from app.records import (
    Answer,
    Check,
    ContextReport,
    Decision,
    FixtureFault,
    FoundTool,
    Mode,
    Problem,
    Queued,
    Reachable,
    SandboxInfo,
    Sent,
    ToolInfo,
    TurnOptions,
)
from app.settings import Settings

if TYPE_CHECKING:
    from app.assembly import Parts
    from app.capabilities.approvals import Approvals
    from app.capabilities.daily import Daily
    from app.capabilities.running import Running
    from app.changes.facade import Changes
    from app.conversation.attachments import Attachments
    from app.conversation.instructions import Instructions
    from app.conversation.sessions import Sessions
    from app.conversation.turns import Turns
    from app.memory.memory import Memory
    from app.models.models import Models
    from app.permissions.facade import Rules
    from app.store.copies import Copies
    from app.store.database import Store
    from app.toolbox.lookups import Lookups
    from app.toolbox.mcp.facade import Servers
    from app.toolbox.mcp.market import Market
    from app.toolbox.own.facade import OwnTools
    from app.toolbox.skills.facade import Skills

log = logging.getLogger(__name__)

Kind = Literal["window", "terminal"]
Listener = Callable[[Event], None]


class Engine:
    """All of Bramble behind one object. `open` before use, `close` at the end, in the loop that uses it."""

    def __init__(
        self,
        home: Home,
        environ: Mapping[str, str] = os.environ,
        kind: Kind = "terminal",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.home = home
        self.kind = kind
        self.environ = environ
        self.clock = clock
        self.settings = Settings()
        self._saving = asyncio.Lock()
        self._listeners: list[Listener] = []
        self._opened = False
        self._upkeep: asyncio.Task[None] | None = None
        self._parts: Parts

    # --- life ----------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open settings and store. Raises SettingsError, StoreError; one only to be read sets `problem`."""
        from app.assembly import Parts

        self.settings = settings_file.load(self.home.settings)
        self.home.make()
        self._parts = Parts(self)
        await self._parts.open()
        self._opened = True
        if self.kind == "window":
            from app.nightly import keep_up

            work = keep_up(self._parts, self.home, self.clock)
            self._upkeep = asyncio.create_task(work, name="nightly work")

    @property
    def sessions(self) -> Sessions:
        """Conversations: make, list, read, find, change, export."""
        return self._parts.sessions

    @property
    def approvals(self) -> Approvals:
        """Waiting questions of all processes."""
        return self._parts.approvals

    @property
    def daily(self) -> Daily:
        """What models ask the person, and timers."""
        return self._parts.daily

    @property
    def changes(self) -> Changes:
        """What was changed in files, and taking it back."""
        return self._parts.changes

    @property
    def rules(self) -> Rules:
        """Saved rules: list them with their faults, add, remove, change."""
        return self._parts.rules

    @property
    def skills(self) -> Skills:
        """Skills: list, read, check, find, switch, pin, create."""
        return self._parts.skills

    @property
    def instructions(self) -> Instructions:
        """The instructions of projects: what there is, agree, refuse."""
        return self._parts.instructions

    @property
    def lookups(self) -> Lookups:
        """What became of searches for tools: counters, misses, clear."""
        return self._parts.lookups

    @property
    def memory(self) -> Memory:
        """What is remembered: list, find, change, forget."""
        return self._parts.memory

    @property
    def mcp(self) -> Servers:
        """MCP servers: list, add, approve, switch, try, sign in."""
        return self._parts.elsewhere.servers

    @property
    def mcp_registry(self) -> Market:
        """The registry of MCP servers: search, install, add by hand, remove and put back."""
        return self._parts.elsewhere.market

    @property
    def own_tools(self) -> OwnTools:
        """The person's own tools: list, show, check, begin, trust, switch."""
        return self._parts.elsewhere.own_tools

    @property
    def copies(self) -> Copies:
        """All conversations in one file: copy it, put a copy back, check, salvage."""
        return self._parts.copies

    @property
    def attachments(self) -> Attachments:
        """What goes with messages: look at it, read it, keep pictures, find files."""
        return self._parts.attachments

    @property
    def models(self) -> Models:
        """Models, keys, and the model in the app."""
        return self._parts.models

    @property
    def jobs(self) -> Running:
        """Running commands of this process."""
        return self._parts.running

    @property
    def _store(self) -> Store:
        return self._parts.store

    @property
    def _turns(self) -> Turns:
        return self._parts.turns

    @property
    def opened(self) -> bool:
        """Whether it is open."""
        return self._opened

    @property
    def problem(self) -> Problem | None:
        """Why the store can only be read, None when all is well."""
        return self._store.problem if self._opened else None

    async def close(self) -> None:
        """Stop the turns of this process, withdraw its questions, end its jobs and close the store."""
        if self._opened:
            self._opened = False
            if self._upkeep is not None:
                self._upkeep.cancel()
                await asyncio.gather(self._upkeep, return_exceptions=True)
            await self._parts.close()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every event from now on; returns how to end that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def emit(self, event: Event) -> None:
        """Give an event to every front end. A border: one that fails is logged and stops no turn."""
        for listener in list(self._listeners):
            try:
                listener(event)
            except Exception:
                log.exception("a listener failed on %s", type(event).__name__)

    async def change_settings(self, **changes: Any) -> Settings:
        """Write settings and use them from now on. Raises SettingsError, and nothing changes."""
        async with self._saving:  # two changes at once would each write the file without the other
            self.settings = await asyncio.to_thread(settings_file.save, self.home.settings, **changes)
        await self.tell_settings()
        self.emit(SettingsChanged())
        return self.settings

    async def tell_settings(self, key: str = "") -> None:
        """Let other processes read the settings again, or the `key` that is kept under this name alone; what
        was saved holds even when they cannot be told.
        """
        from app.store import feed

        if self.problem is None:
            await self._store.write(feed.append, "keys" if key else "settings", "", key)

    async def settings_changed(self) -> None:
        """Read again what another process has saved; a file that cannot be used leaves what was read last."""
        try:
            self.settings = await asyncio.to_thread(settings_file.load, self.home.settings)
        except SettingsError as error:
            self.emit(Noticed(problem=error.problem))
        self.emit(SettingsChanged())

    # --- turns ---------------------------------------------------------------------------------------------

    async def send(self, session: str, text: str, options: TurnOptions = TurnOptions()) -> Sent:
        """Begin a turn with `text`, or queue it behind the running one."""
        return await self._turns.of(session).send(text, options)

    async def attach(self, text: str, paths: Sequence[str]) -> str:
        """Return a message with files behind it, for `send`; raises as `attachments.attach`."""
        return await self.attachments.attach(text, paths)

    async def steer(self, session: str, text: str) -> Queued:
        """Give the running turn a message before its next request; without one it waits for the next."""
        return await self._turns.of(session).enqueue(text, "steer")

    async def queue(self, session: str, text: str) -> Queued:
        """Keep a message for after the running turn."""
        return await self._turns.of(session).enqueue(text, "next")

    async def queued(self, session: str) -> list[Queued]:
        """Return what waits in a session."""
        return await self._turns.queued(session)

    async def edit_queued(self, item: str, text: str) -> bool:
        """Change a waiting message; false when it has already gone."""
        return await self._turns.edit_queued(item, text)

    async def remove_queued(self, item: str) -> bool:
        """Take a waiting message out; false when it has already gone."""
        return await self._turns.remove_queued(item)

    async def stop(self, session: str) -> None:
        """Stop the running turn; returns when it has ended, or when another process that runs it was told."""
        await self._turns.stop(session)

    async def compact(self, session: str, options: TurnOptions = TurnOptions()) -> TurnEnded | None:
        """Summarise a conversation's older messages now; `stop` ends that. Return how it ended."""
        return await self._turns.of(session).compact(options)

    def switch_model(self, session: str) -> bool:
        """Let the fall-back model answer what waits for its provider here; false where nothing runs."""
        return self._turns.of(session).switch()

    async def wait(self, session: str) -> TurnEnded | None:
        """Return the TurnEnded of the last turn once nothing of the session runs here, None when none ran."""
        return await self._turns.of(session).wait()

    async def answer(self, approval: str, answer: Answer) -> bool:
        """Answer a waiting question of any process; false when it is gone or answered already."""
        return await self.approvals.answer(approval, answer)

    # --- tools ---------------------------------------------------------------------------------------------

    async def call_tool(
        self, name: str, arguments: str, *, cwd: str, options: TurnOptions = TurnOptions()
    ) -> ToolFinished:
        """Run one tool through the normal permission check and return what became of it."""
        return await self._turns.call_tool(name, arguments, cwd=cwd, options=options)

    async def explain(
        self, name: str, arguments: str, *, cwd: str, options: TurnOptions = TurnOptions(), session: str = ""
    ) -> Decision:
        """Return the Decision on a call, running nothing but permitted reads. With a `session` its rules and
        untrusted sources count too. Raises BrambleError no_session.
        """
        return await self._turns.explain(name, arguments, cwd=cwd, options=options, session=session)

    async def sandbox(self) -> SandboxInfo:
        """Return what holds commands here; the first call starts the layers once."""
        found = await self._parts.sandbox.look()
        return SandboxInfo(layer=found.layer, why=found.why, details=found.details, fix=found.fix)

    async def context(
        self, *, session: str = "", prompt: str = "", mode: Mode | None = None, cwd: str = ""
    ) -> ContextReport:
        """Return the next request as it would be sent now."""
        return await self._turns.context(session=session, prompt=prompt, mode=mode, cwd=cwd)

    def tools(self) -> tuple[ToolInfo, ...]:
        """Return every tool that is known now."""
        return self._turns.tools()

    def tool_arguments(self, name: str) -> Mapping[str, Any] | None:
        """Return the JSON schema of what a tool takes, None where no such tool is known now."""
        found = self._turns.means.calls.registry.tools.get(name)
        return None if found is None else found.schema.parameters

    async def look_for_tools(self, seconds: float = 0.0) -> tuple[str, ...]:
        """Take in the person's own tools and those of servers, which are waited for so long; return the
        servers that are still not there.
        """
        await self._parts.elsewhere.look()
        return await self._parts.elsewhere.connecting(seconds) if seconds else ()

    async def add_fixture(self, path: str) -> tuple[FixtureFault, ...]:
        """Take the tools of a JSON list into the registry of this process, to measure what they cost; return
        what was wrong with entries. Raises BrambleError bad_fixture.
        """
        from app.toolbox.mcp import fixture

        found = await asyncio.to_thread(fixture.load, Path(path).expanduser())
        return fixture.put(self._turns.means.calls.registry, found)

    def tool_finder(self, catalogue: Sequence[Any] | None = None) -> Callable[[str], tuple[FoundTool, ...]]:
        """Return what ranks tools for a request, over ours or the rows of another catalogue."""
        from app.toolbox.discovery import data
        from app.toolbox.discovery.ranker import Ranker

        ours = self._turns.means.calls.registry
        found = data.entries(ours) if catalogue is None else data.foreign(catalogue, ours)
        return Ranker(found, data.table()).rank

    async def reachable(self) -> Reachable:
        """Return what tools can reach as things are set. Raises SettingsError."""
        from app.reachable import reachable

        return await reachable(self)

    async def doctor(self) -> tuple[Check, ...]:
        """Return what works on this machine; also before `open`, and where that fails."""
        from app.doctor import checks

        return await checks(self)
