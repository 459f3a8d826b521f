"""The servers of this process: read from the file, started in the background, their tools in the registry."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from app.errors import BrambleError
from app.events import Event, ServersChanged
from app.toolbox.mcp.connection import PAUSES, Connection
from app.toolbox.mcp.entry import Entry, source_of
from app.toolbox.mcp.house import House
from app.toolbox.mcp.pins import Texts
from app.toolbox.mcp.servers import ServerFile, no_server
from app.toolbox.mcp.spec import ServerSpec
from app.toolbox.registry import Registry

log = logging.getLogger(__name__)


class Fleet:
    """All entries of the file. Nothing is started before `begin`, but what is started by itself."""

    def __init__(
        self,
        file: ServerFile,
        texts: Texts,
        house: House,
        registry: Registry,
        emit: Callable[[Event], None],
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self.file = file
        self.texts = texts
        self.house = house
        self.entries: dict[str, Entry] = {}
        self.fault = ""
        """Why the file as a whole cannot be read."""
        self._registry = registry
        self._emit = emit
        self._pauses = pauses
        self._begun = False
        self._closed = False
        self._changing = asyncio.Lock()
        self._beginning: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._pins: set[asyncio.Task[None]] = set()

    def begin(self) -> None:
        """Start the servers that are on and approved, in the background; once."""
        if self._beginning is None and not self._closed:
            self._begun = True
            self._beginning = self._aside(self._reload())

    async def begun(self) -> None:
        """Return once the file was read and all that may be started is under way."""
        if self._beginning is not None:
            await asyncio.shield(self._beginning)

    async def late(self, seconds: float) -> tuple[str, ...]:
        """Wait at most so long for servers whose tools nobody knows yet; return those that are not there."""
        try:
            async with asyncio.timeout(seconds):
                await self.begun()
                for entry in list(self.entries.values()):
                    if not entry.known:
                        await self.settled(entry)
        except TimeoutError:
            pass
        return tuple(
            id for id, entry in self.entries.items() if entry.state == "connecting" and not entry.known
        )

    async def reload(self) -> None:
        """Take the file as it is now; servers come, go or are started anew as it says.

        It is done to its end also where who asked for it is cancelled: half of it would leave servers that
        run and are not known.
        """
        if not self._closed:
            await asyncio.shield(self._aside(self._reload()))

    async def offer_known(self) -> None:
        """Let the registry have what is known from before, and start nothing for it."""
        await self.reload()
        for entry in self.entries.values():
            if entry.connection is None and entry.wanted:
                self._registry.put(source_of(entry.spec.id), entry.tools())

    async def _reload(self) -> None:
        async with self._changing:
            listing = await asyncio.to_thread(self.file.read)
            self.fault = listing.fault
            if listing.fault:
                log.warning("%s", listing.fault)
                return  # what runs stays as it is
            before = self.entries
            found = {spec.id: await self._taken(spec, before.get(spec.id)) for spec in listing.specs}
            self.entries = found  # at once: whoever looks meanwhile sees all of the old ones, or of the new
            for entry in before.values():
                if found.get(entry.spec.id) is not entry:
                    await self._end(entry)
            for entry in found.values():
                if self._begun:
                    self.start(entry)
                if entry.connection is None and not entry.wanted:
                    self._registry.leave_out(source_of(entry.spec.id), entry.left_out())

    async def _taken(self, spec: ServerSpec, entry: Entry | None) -> Entry:
        """Return the entry of a server as it goes on, or another one, that is not started yet."""
        if entry is None or not _runs_alike(entry.spec, spec):
            return Entry(spec, await asyncio.to_thread(self.texts.read, spec.id))
        if spec.pinned is None:  # it could not be taken down; it holds in this process
            spec = msgspec.structs.replace(spec, pinned=entry.spec.pinned)
        changed, entry.spec = entry.spec != spec, spec
        if changed:
            entry.learn(await asyncio.to_thread(self.texts.read, spec.id))
            self._offer(entry)
        return entry

    async def look_at_sign_ins(self) -> None:
        """Learn which servers have a sign-in; this asks the keyring, so no turn waits for it."""
        for entry in list(self.entries.values()):
            if entry.spec.url and not entry.spec.fault:
                entry.signed_in = await self.house.grants.read(entry.spec.id, entry.spec.url) is not None

    def entry(self, server: str) -> Entry:
        """Return one server. Raises BrambleError no_server."""
        if server not in self.entries:
            raise no_server(server)
        return self.entries[server]

    def start(self, entry: Entry) -> None:
        """Start a server in the background, where it may be and does not run."""
        if entry.connection is None and entry.wanted and not self._closed:
            entry.connection = Connection(entry.spec, self.house, lambda: self._on_news(entry), self._pauses)
            entry.connection.begin()
            self._offer(entry)

    async def settled(self, entry: Entry) -> None:
        """Return once a server that was started is ready, its tools taken down, or has failed."""
        if entry.connection is not None:
            await entry.connection.settled()
            await self._pinned()

    async def close(self) -> None:
        """End all, with all that they started."""
        self._closed = True
        await self._pinned()  # else a server that was just added could change unseen until the next start
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        ending = [entry.connection.close() for entry in self.entries.values() if entry.connection]
        await asyncio.gather(*ending, return_exceptions=True)
        await asyncio.to_thread(self.house.close)

    async def _end(self, entry: Entry) -> None:
        connection, entry.connection = entry.connection, None
        self._registry.drop(source_of(entry.spec.id))
        if connection is not None:
            await connection.close()

    def _on_news(self, entry: Entry) -> None:
        """Take in what a connection says now."""
        if entry.connection is None or self._closed:
            return
        if entry.connection.state == "ready" and entry.spec.pinned is None:
            task = self._aside(self._pin(entry))
            self._pins.add(task)
            task.add_done_callback(self._pins.discard)
        self._offer(entry)
        self._emit(ServersChanged(server=entry.spec.id))

    def _offer(self, entry: Entry) -> None:
        """Let the registry have the tools that can be called; a call of one that is not there yet waits."""
        source = source_of(entry.spec.id)
        if entry.state in ("connecting", "ready", "failed"):
            self._registry.put(source, entry.tools())
        else:
            self._registry.drop(source)
        self._registry.leave_out(source, entry.left_out())

    async def _pin(self, entry: Entry) -> None:
        """Take down what a server says of its tools at first: later changes are asked about."""
        assert entry.connection is not None
        texts = {one.tool: one.text for one in entry.connection.definitions}
        pinned = {one.tool: one.digest for one in entry.connection.definitions}

        def change(spec: ServerSpec) -> ServerSpec:
            return spec if spec.pinned is not None else msgspec.structs.replace(spec, pinned=pinned)

        try:
            await asyncio.to_thread(self.texts.write, entry.spec.id, texts)
            entry.spec = await asyncio.to_thread(self.file.edit, entry.spec.id, change)
        except BrambleError as error:
            # Where nothing can be written, what changes later is held back all the same while this runs.
            log.warning("the tools of %s were not taken down: %s", entry.spec.id, error)
            entry.spec = change(entry.spec)
        entry.learn(texts)
        self._offer(entry)

    async def _pinned(self) -> None:
        """Return once all that is being taken down is written; who waits less long stops nothing."""
        if self._pins:
            await asyncio.wait(tuple(self._pins))

    def _aside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _runs_alike(one: ServerSpec, other: ServerSpec) -> bool:
    """Whether a server may go on running when its entry becomes the other one."""
    return msgspec.structs.replace(one, pinned=None) == msgspec.structs.replace(other, pinned=None)
