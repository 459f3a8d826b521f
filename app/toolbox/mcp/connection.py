"""One server's life: connected behind whoever waits, called with a time-out, started again when it ended.

A task of its own owns the way to the server from end to end, as the SDK wants it; calls come from others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.errors import ToolError
from app.platform.plain_text import visible
from app.records import ServerState
from app.toolbox.mcp.child import Tail
from app.toolbox.mcp.definitions import Definition, read_definitions
from app.toolbox.mcp.faults import WORDS_CAP, Failed, failures, is_gone, sentence
from app.toolbox.mcp.opening import Means, Opening, title_of, tools_of
from app.toolbox.mcp.spec import ServerSpec

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import CallToolResult

log = logging.getLogger(__name__)

PAUSES = (0.5, 2.0, 8.0, 30.0, 120.0)
"""Seconds before a server that ended is started again; after the last one only a call or the person does."""
STEADY_SECONDS = 60.0
"""A server that ran so long begins at the first pause again."""
NEWS_SECONDS, CALM_SECONDS = 0.5, 60.0
"""How long changed tools wait to be read, so that a flood of news is one reading; twice as long each time one
follows another within the second time, and never longer than that.
"""
PROGRESS_SECONDS, PROGRESS_CAP = 0.05, 200
"""How often progress is shown, so that a flood of it reaches nobody, and the characters of it."""
CLOSE_SECONDS = 1.0
"""How long the task of a server has to end before it is told again."""
ENDING_SECONDS = 3.0
"""How long a call waits to learn what became of a server that ended under it."""


class Connection:
    """A server that is to be there. `begin` and `close` once; `call` any time in between."""

    def __init__(
        self, spec: ServerSpec, means: Means, changed: Callable[[], None], pauses: tuple[float, ...] = PAUSES
    ) -> None:
        """`changed` is called in the loop after each change of what can be read here."""
        self.spec = spec
        self.state: ServerState = "connecting"
        self.reason = ""
        self.title = ""
        self.definitions: tuple[Definition, ...] = ()
        self.tail = Tail()
        self._means = means
        self._changed = changed
        self._pauses = pauses
        self._client: Client | None = None
        self._way: Opening | None = None
        self._settled = asyncio.Event()
        self._wanted = asyncio.Event()
        self._news = asyncio.Event()
        self._legacy = False
        self._was_ready = False
        self._closed = False
        self._task: asyncio.Task[None] | None = None
        self._given_up: set[asyncio.Task[Any]] = set()

    def begin(self) -> None:
        """Connect in the background."""
        self._task = asyncio.create_task(self._live(), name=f"server {self.spec.id}")
        self._task.add_done_callback(self._over)

    def _over(self, task: asyncio.Task[None]) -> None:
        """Say so where the life of a server ended by a fault of ours, so that nobody waits for it."""
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the life of server %s broke off", self.spec.id, exc_info=error)
            self._client = None
            self._set("failed", f"It failed inside Bramble: {type(error).__name__}.")

    async def close(self) -> None:
        """End the server with all that it started; calls that wait fail."""
        self._closed = True
        while self._task is not None and not self._task.done():
            self._task.cancel()  # more than once: an error that comes at the same moment can hide it
            await asyncio.wait((self._task,), timeout=CLOSE_SECONDS)
        if self._given_up:
            await asyncio.wait(self._given_up, timeout=CLOSE_SECONDS)
        self._client, self.definitions = None, ()
        self._set("off")

    async def settled(self) -> None:
        """Return once it is no longer connecting."""
        await self._settled.wait()

    async def again(self) -> None:
        """End it if it runs and connect anew; returns when that worked or failed."""
        self._settled.clear()
        self._wanted.set()
        if self._way is not None:
            self._way.end()
        await self._settled.wait()

    async def call(
        self, tool: str, arguments: dict[str, Any], show: Callable[[str], None] = lambda text: None
    ) -> CallToolResult:
        """Call a tool by the server's own name; a server that has ended is started first.

        Raises ToolError server_failed, also when it takes longer than the entry allows. Cancelled, it tells
        the server. A call is never made twice: nobody knows what the first one has done.
        """
        client, seconds = await self.ready(), self.spec.seconds
        loop, said = asyncio.get_running_loop(), float("-inf")

        async def told(progress: float, total: float | None, message: str | None) -> None:
            nonlocal said
            if loop.time() - said < PROGRESS_SECONDS:
                return
            said = loop.time()
            words = message[:PROGRESS_CAP] if message else ""
            show(visible(words) if words else f"{progress:g} / {total:g}" if total else f"{progress:g}")

        work = asyncio.create_task(client.call_tool(tool, arguments, progress_callback=told))
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(work)
        except TimeoutError:
            why = f"It gave no answer within {seconds:g} seconds, so the call was given up."
            raise self._error(why) from None
        except failures() as error:
            raise self._error(await self._why(error, client)) from error
        finally:
            if not work.done():
                self._give_up(work)

    def _give_up(self, work: asyncio.Task[Any]) -> None:
        """Cancel a call without waiting: it tells the server first, which may hear nothing for a while."""

        def over(work: asyncio.Task[Any]) -> None:
            self._given_up.discard(work)
            if not work.cancelled() and (error := work.exception()) is not None:
                log.info("a call of %s that was given up: %s", self.spec.id, sentence(error))

        self._given_up.add(work)
        work.add_done_callback(over)
        work.cancel()

    async def ready(self) -> Client:
        """Return once it can be called, starting it where it has ended. Raises ToolError server_failed."""
        if self._client is None:
            if self._settled.is_set():
                self._settled.clear()
                self._wanted.set()
            await self._settled.wait()
        if self._client is None:
            raise self._error(self.reason or "It is not connected.")
        return self._client

    async def _why(self, error: BaseException, client: Client) -> str:
        """Return what a failed call means; where the server ended under it, that is waited for."""
        way = self._way
        if way is None or not (is_gone(error) or way.refused):
            return sentence(error)
        way.end()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ENDING_SECONDS):
                while self._client is client or self.state == "ready":
                    await asyncio.sleep(0.01)
        if self.state == "sign_in":
            return self.reason
        return f"It ended during the call, so nobody knows what became of it. {self.reason}".strip()

    def _error(self, why: str) -> ToolError:
        text = f"The server {self.spec.id} failed: {why}"
        return ToolError("server_failed", text, server=self.spec.id, why=why)

    # --- its life ------------------------------------------------------------------------------------------

    def _set(self, state: ServerState, reason: str = "") -> None:
        self.state, self.reason = state, reason
        if state == "connecting":
            self._settled.clear()
        else:
            self._settled.set()
        self._changed()

    async def _live(self) -> None:
        count, loop = 0, asyncio.get_running_loop()
        while not self._closed:
            self._wanted.clear()
            self._set("connecting")
            began, self._was_ready = loop.time(), False
            reason = await self._once()
            self._client, self.definitions = None, ()
            if not self._was_ready and self._legacy:
                continue  # asked in the old way now
            count = 1 if loop.time() - began > STEADY_SECONDS else count + 1
            if self._wanted.is_set() or self._closed:
                continue
            if self._way is not None and self._way.refused:
                self._set("sign_in", "It wants you to sign in.")
                await self._wanted.wait()
            else:
                self._set("failed", reason)
                await self._pause(count if self._was_ready or self.spec.url else 0)

    async def _once(self) -> str:
        """Connect, and stay until it has ended; return why it did."""
        self._way = way = Opening(self.spec, self._means, self.tail)
        self._before = self.tail.written
        legacy, self._legacy = self._legacy, False
        try:
            await self._connected(way, legacy)
        except failures() as error:
            log.info("server %s: %s", self.spec.id, sentence(error))
            own = way.ended.result() if way.ended.done() else None
            # A server of the old protocol may end at the question for the new one.
            self._legacy = own == "" and not (legacy or self._was_ready)
            return self._reason(way, own or sentence(error))
        return self._reason(way, way.ended.result())

    async def _connected(self, way: Opening, legacy: bool) -> None:
        async with contextlib.AsyncExitStack() as stack:
            try:
                async with asyncio.timeout(self.spec.start_seconds):
                    client = await way.client(stack, self._heard, legacy=legacy)
                    await self._list(client)
            except TimeoutError:
                raise Failed(f"It was not ready within {self.spec.start_seconds:g} seconds.") from None
            self.title, self._client, self._was_ready = title_of(client), client, True
            self._set("ready")
            await self._follow(client, way.ended)
            self._client = None

    async def _pause(self, count: int) -> None:
        """Wait until it is to be started again: for a while after it ended, else until somebody wants it."""
        after = self._pauses[count - 1] if 0 < count <= len(self._pauses) else None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(after):
                await self._wanted.wait()

    async def _follow(self, client: Client, ended: asyncio.Future[str]) -> None:
        """Read the tools again when the server says that they changed, until it has ended."""
        listening = asyncio.create_task(self._listen(client), name=f"news of {self.spec.id}")
        pause, loop, last = NEWS_SECONDS, asyncio.get_running_loop(), float("-inf")
        try:
            while not ended.done():
                news = asyncio.ensure_future(self._news.wait())
                await asyncio.wait((news, ended), return_when=asyncio.FIRST_COMPLETED)
                news.cancel()
                if ended.done():
                    return
                # Some servers tell such news at each reading.
                calm = loop.time() - last > CALM_SECONDS
                pause = NEWS_SECONDS if calm else min(2 * pause, CALM_SECONDS)
                await asyncio.wait((ended,), timeout=pause)
                if ended.done():
                    return
                self._news.clear()
                last = loop.time()
                async with asyncio.timeout(self.spec.seconds):
                    await self._list(client)
                self._changed()
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def _listen(self, client: Client) -> None:
        """Hear of changed tools where the protocol tells news only to those who ask for them."""
        from mcp_types.version import MODERN_PROTOCOL_VERSIONS

        tools = client.server_capabilities.tools
        if client.protocol_version not in MODERN_PROTOCOL_VERSIONS or not (tools and tools.list_changed):
            return
        try:
            async with client.listen(tools_list_changed=True) as news:
                async for _change in news:
                    self._news.set()
        except failures() as error:
            log.info("server %s tells no news: %s", self.spec.id, sentence(error))

    async def _heard(self, message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            self._news.set()

    async def _list(self, client: Client) -> None:
        self.definitions = await asyncio.to_thread(read_definitions, await tools_of(client))

    def _reason(self, way: Opening, why: str) -> str:
        """Return why it ended: its exit code where it left by itself, and the end of its stderr since
        this start, since it may be started twice for one answer.
        """
        if way.exit is not None and way.exit > 0:
            why = f"It ended with exit code {way.exit}."
        elif way.exit == 0 and (not why or "onnection closed" in why):
            why = "It ended by itself."
        why = why or "It ended."
        said = visible(self.tail.since(self._before).strip())[-WORDS_CAP:].strip()
        return f"{why} It said: {said}" if said and not self.spec.url else why
