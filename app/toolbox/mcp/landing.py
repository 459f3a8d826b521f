"""The page on 127.0.0.1 to which a browser comes back after a sign-in."""

from __future__ import annotations

import asyncio
import secrets
from types import TracebackType
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

PATH = "/callback"
REQUEST_BYTES, REQUEST_SECONDS = 32 << 10, 10.0
_PAGE = (
    "<!doctype html><meta charset=utf-8><title>Bramble</title>"
    "<body style='font: 16px sans-serif; margin: 4em'>{words}</body>"
)
_HEAD = (
    "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {size}\r\n"
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
    "Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
)


class Landed(NamedTuple):
    """What the browser brought: a code, or an error in the words of the server."""

    code: str
    state: str
    issuer: str | None
    error: str


class Landing:
    """Listens on 127.0.0.1 for one visit with the right state, within its `async with`."""

    def __init__(self, port: int = 0) -> None:
        """`port` is tried first, since a server may know it from before."""
        self._port = port
        self._state = ""
        self._landed: asyncio.Future[Landed] = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Landing:
        for port in dict.fromkeys((self._port, 0)):
            try:
                self._server = await asyncio.start_server(self._visit, "127.0.0.1", port, limit=REQUEST_BYTES)
                break
            except OSError:
                if port == 0:
                    raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    @property
    def url(self) -> str:
        """Where the browser comes back to; the number and not the name, since strict servers compare both."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}{PATH}"

    def expect(self, state: str) -> None:
        """Take visits with this state from now on; others are a stranger's."""
        self._state = state

    async def landed(self) -> Landed:
        """Return what the browser brought."""
        return await self._landed

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                status, words = self._take(head)
                page = _PAGE.format(words=words).encode()
                writer.write(_HEAD.format(status=status, size=len(page)).encode() + page)
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # a visitor that is no browser
        finally:
            writer.close()

    def _take(self, head: bytes) -> tuple[str, str]:
        method, _blank, rest = head.split(b"\r\n", 1)[0].decode("latin-1").partition(" ")
        try:
            parts = urlsplit(rest.partition(" ")[0])
            asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        except ValueError:
            return "400 Bad Request", "This is no address that is known here."
        if method != "GET" or parts.path != PATH:
            return "404 Not Found", "There is nothing here."
        if not self._state or not secrets.compare_digest(
            asked.get("state", "").encode(), self._state.encode()
        ):
            return "400 Bad Request", "This does not belong to a sign-in that Bramble began."
        error = asked.get("error_description") or asked.get("error") or ""
        if not self._landed.done():
            found = Landed(asked.get("code", ""), asked["state"], asked.get("iss"), error)
            self._landed.set_result(found)
        if error:
            return "200 OK", "The sign-in did not work. Bramble says why; you can close this page."
        return "200 OK", "Done. You can close this page and go back to Bramble."
