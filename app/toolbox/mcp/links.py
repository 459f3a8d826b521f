"""The way to a server as the SDK wants it: a pair of streams over a process; `addresses` has that over HTTP.

Only these two, `connection`, `oauth` and `results` know the SDK, and they import it when they are used.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from app.toolbox.amounts import VALUES_CAP, has_too_many
from app.toolbox.mcp.child import PIECE, Child
from app.toolbox.mcp.sifting import MESSAGE_BYTES, Lines, TooLarge, is_message, mended, refused, sifted

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage

log = logging.getLogger(__name__)

NOISE_BYTES = 8 << 20
"""Bytes of stray lines between two messages at which a server counts as broken."""
DEAF_SECONDS = 30.0
"""How long a server may leave what we say unread once its pipe is full; it is started anew then."""
MESSAGES_A_SECOND = 500
"""More are read later: a server that floods waits on its pipe, and we do not."""
_TOO_MANY = f"The server's answer holds more than {VALUES_CAP:,} values."
ASIDE = 256 << 10
"""Bytes of a message that is parsed in a thread."""


class Ended(Exception):
    """The way to a server has ended; the text says why."""


class Streams:
    """A read stream that lets the SDK see only what it can take."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def last_context(self) -> Any:
        """The context of the sender, where the inner stream knows it."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Any:
        """Return the next message."""
        return _sifted(await self._inner.receive())

    async def aclose(self) -> None:
        """Close the inner stream."""
        await self._inner.aclose()

    def __aiter__(self) -> Streams:
        return self

    async def __anext__(self) -> Any:
        return _sifted(await self._inner.__anext__())

    async def __aenter__(self) -> Streams:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Any:
        return await self._inner.__aexit__(kind, error, trace)


def _sifted(item: Any) -> Any:
    """An error of a server with the code by which the SDK tells that the way has ended gets another code:
    many servers give that one to every error, and theirs have not ended.
    """
    from mcp_types import CONNECTION_CLOSED, INTERNAL_ERROR, JSONRPCError, JSONRPCResponse

    message = getattr(item, "message", None)
    if isinstance(message, JSONRPCResponse):
        message.result = sifted(message.result)
    elif isinstance(message, JSONRPCError) and message.error.code == CONNECTION_CLOSED:
        message.error.code = INTERNAL_ERROR
    return item


@contextlib.asynccontextmanager
async def over_process(child: Child, ended: asyncio.Future[str]) -> AsyncIterator[tuple[Any, Any]]:
    """Yield the two streams of a running server. `ended` gets the reason once it says nothing more."""
    import anyio

    into, read = anyio.create_memory_object_stream[Any](0)
    write, out = anyio.create_memory_object_stream[Any](0)

    async def reading() -> None:
        async with into:
            why = await _read(child, into)
            if not ended.done():
                ended.set_result(why)

    async def writing() -> None:
        async with out:
            async for item in out:
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    child.input.write(text.encode() + b"\n")
                    async with asyncio.timeout(DEAF_SECONDS):
                        await child.input.drain()
                except TimeoutError:
                    if not ended.done():
                        ended.set_result(f"It read nothing for {DEAF_SECONDS:g} seconds.")
                    return
                except OSError:
                    return  # the reader says what became of it

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(reading)
        tasks.start_soon(writing)
        try:
            yield Streams(read), write
        finally:
            tasks.cancel_scope.cancel()
            for stream in (read, write):
                stream.close()


async def _read(child: Child, into: Any) -> str:
    """Hand over all messages of a server; return why there are no more."""
    from anyio import BrokenResourceError, ClosedResourceError

    lines, noise, pace = Lines(), 0, _Pace()
    try:
        while piece := await child.output.read(PIECE):
            for line in lines.feed(piece):
                message = await _parsed(line)
                if message is None:
                    noise += len(line) + 1
                    continue
                noise = 0
                await into.send(message)
                await pace.wait()
            if noise > NOISE_BYTES:
                return "It wrote megabytes to stdout that are no messages."
            await asyncio.sleep(0)  # a flood leaves the loop to others
    except TooLarge:
        return f"It sent a message of more than {MESSAGE_BYTES >> 20} MB."
    except (BrokenResourceError, ClosedResourceError):
        return ""
    return ""


class _Pace:
    """Waits once too many messages came within a second."""

    def __init__(self) -> None:
        self._began, self._count = 0.0, 0

    async def wait(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._began >= 1:
            self._began, self._count = now, 0
        self._count += 1
        if self._count >= MESSAGES_A_SECOND:
            await asyncio.sleep(1 - (now - self._began))


async def _parsed(line: bytes) -> SessionMessage | None:
    """Return a line as a message, None for one that is none."""
    if not is_message(line):
        if line.strip():
            log.debug("a server wrote a line to stdout that is no message (%d bytes)", len(line))
        return None
    return _message(line) if len(line) < ASIDE else await asyncio.to_thread(_message, line)


def _message(line: bytes) -> SessionMessage | None:
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter as adapter

    if len(line) >= ASIDE and has_too_many(line):
        return _of(refused(line, None, _TOO_MANY))
    with contextlib.suppress(ValueError):
        return SessionMessage(adapter.validate_json(line, by_name=False))
    raw = mended(line)
    return _of(raw) or _of(refused(line, raw))


def _of(candidate: dict[str, Any] | None) -> SessionMessage | None:
    """Return a message that was read in another way, None where it is none."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter as adapter

    if candidate is not None:
        with contextlib.suppress(ValueError):
            return SessionMessage(adapter.validate_python(candidate, by_name=False))
    return None
