"""The proxy that a browser has to use: on this computer alone, for as long as one page is read, and each
connection is judged and made by the same guard as our own requests.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable
from types import TracebackType
from urllib.parse import urlsplit

from app.errors import BrambleError

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[str, int], Awaitable[Streams]]
"""Opens a connection to a host and a port that may be reached. Raises BrambleError where it may not, OSError
where it cannot."""
HEAD = 64 * 1024
_PIECE = 64 * 1024
_LINE = re.compile(rb"([A-Z]{1,20}) (\S{1,65536}) HTTP/1\.[01]\r\n")
_HOP = (b"proxy-connection:", b"proxy-authorization:", b"connection:", b"keep-alive:")


class Proxy:
    """Serves one browser; an async context. `refused` are the hosts that it was not let to, and why."""

    def __init__(self, connect: Connect, most: int) -> None:
        """`most` are the bytes that may come in through it, all connections together."""
        self._connect = connect
        self._left = most
        self._tasks: set[asyncio.Task[None]] = set()
        self.refused: dict[str, str] = {}
        self.reached: dict[str, int] = {}
        """Hosts, and how many connections there were to each."""
        self.port = 0

    @property
    def spent(self) -> bool:
        """Whether more came in than may."""
        return self._left < 0

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=HEAD)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            pass  # the browser or the other side left, or what came is no request
        except asyncio.CancelledError:
            pass  # the page has been read
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        found = _LINE.match(head)
        if found is None:
            raise ValueError("no request of a proxy")
        method, target = found[1], found[2].decode("latin-1")
        tunnel = method == b"CONNECT"
        parts = urlsplit(f"//{target}" if tunnel else target)
        host, port = parts.hostname or "", parts.port or 80
        if not host or (not tunnel and parts.scheme != "http"):
            raise ValueError("no address of the web")
        far = await self._opened(host, port, writer)
        if far is None:
            return
        try:
            if tunnel:
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
            else:
                path = parts._replace(scheme="", netloc="").geturl() or "/"
                far[1].write(_onward(method, path, head[found.end() :]))
            await _both(self._copy(reader, far[1], count=False), self._copy(far[0], writer, count=True))
        finally:
            far[1].close()

    async def _opened(self, host: str, port: int, writer: asyncio.StreamWriter) -> Streams | None:
        try:
            streams = await self._connect(host, port)
        except BrambleError as error:
            self.refused[host] = str(error)
            writer.write(b"HTTP/1.1 403 Not allowed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            await writer.drain()
            return None
        except OSError:
            writer.write(b"HTTP/1.1 502 Not reached\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            await writer.drain()
            return None
        self.reached[host] = self.reached.get(host, 0) + 1
        return streams

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, count: bool) -> None:
        while data := await source.read(_PIECE):
            if count:
                self._left -= len(data)
                if self._left < 0:
                    return
            target.write(data)
            await target.drain()
        with contextlib.suppress(OSError, RuntimeError):
            target.write_eof()


async def _both(sending: Awaitable[None], receiving: Awaitable[None]) -> None:
    """Run both directions until the far side has said all, or the near side is gone."""
    tasks = [asyncio.ensure_future(sending), asyncio.ensure_future(receiving)]
    try:
        await tasks[1]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _onward(method: bytes, path: str, fields: bytes) -> bytes:
    """Return the request as the far side gets it: one for each connection, so that a second request, which
    may name another host, cannot ride on the first.
    """
    lines = [line for line in fields.split(b"\r\n") if line and not line.lower().startswith(_HOP)]
    head = [b"%b %b HTTP/1.1" % (method, path.encode("latin-1")), *lines, b"connection: close"]
    return b"\r\n".join(head) + b"\r\n\r\n"
