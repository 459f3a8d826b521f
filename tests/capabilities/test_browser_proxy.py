"""The proxy that a browser has to use, spoken to in bytes: what it lets through, what it refuses, and
its cap.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.capabilities.browser.proxy import Proxy, Streams
from app.errors import ToolError
from tests.servers.scripted import Exchange, ScriptedServer, scripted


@asynccontextmanager
async def proxied(most: int = 1_000_000) -> AsyncIterator[tuple[Proxy, ScriptedServer]]:
    """A proxy that lets through good.example alone, which stands on a loopback socket."""

    async def answer(exchange: Exchange) -> None:
        await exchange.answer(200, exchange.request.path.encode() * 1_000, kind="text/plain")
        if exchange.request.headers.get("connection") == "close":
            exchange.close()

    async with scripted(answer) as server:

        async def connect(host: str, port: int) -> Streams:
            if host == "dead.example":
                raise OSError("nobody there")
            if host != "good.example":
                raise ToolError("private_address", f"{host} may not be reached.")
            return await asyncio.open_connection("127.0.0.1", server.port)

        async with Proxy(connect, most) as proxy:
            yield proxy, server


async def say(proxy: Proxy, *pieces: bytes) -> bytes:
    """Send bytes and return all that comes back until the proxy ends it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
    answer = await reader.read()
    writer.close()
    return answer


async def test_a_plain_request_goes_on_without_what_is_meant_for_the_proxy() -> None:
    async with proxied() as (proxy, server):
        head = b"GET http://good.example/a?b=1 HTTP/1.1\r\nHost: good.example\r\n"
        answer = await say(proxy, head, b"Proxy-Connection: keep-alive\r\nX: y\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 200") and b"/a?b=1/a?b=1" in answer
        assert server.requests[0].path == "/a?b=1" and server.requests[0].headers["connection"] == "close"
        assert "proxy-connection" not in server.requests[0].headers and server.requests[0].headers["x"] == "y"
        assert proxy.reached == {"good.example": 1} and proxy.refused == {}


async def test_a_tunnel_carries_bytes_both_ways() -> None:
    async with proxied() as (proxy, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"CONNECT good.example:443 HTTP/1.1\r\nHost: good.example:443\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 200 OK\r\n\r\n"
        writer.write(b"GET /through HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b"/through" in await reader.readuntil(b"/through")
        writer.close()


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET http://127.0.0.1:22/ HTTP/1.1", b"403"),
        (b"CONNECT inner.example:443 HTTP/1.1", b"403"),
        (b"CONNECT [::1]:443 HTTP/1.1", b"403"),
        (b"GET http://dead.example/ HTTP/1.1", b"502"),
        (b"GET /no/host HTTP/1.1", b""),
        (b"GET https://good.example/ HTTP/1.1", b""),
        (b"GET ftp://good.example/ HTTP/1.1", b""),
        (b"CONNECT good.example:notaport HTTP/1.1", b""),
        (b"nonsense", b""),
        (b"GET http://good.example/\x01 HTTP/9.9", b""),
    ],
)
async def test_what_may_not_be_is_refused_and_reaches_nobody(line: bytes, status: bytes) -> None:
    async with proxied() as (proxy, server):
        answer = await say(proxy, line + b"\r\nHost: good.example\r\n\r\n")
        assert (status in answer.split(b"\r\n")[0]) if status else answer == b""
        assert server.requests == [] and (status != b"403" or len(proxy.refused) == 1)


async def test_a_head_without_an_end_is_no_request() -> None:
    async with proxied() as (proxy, server):
        assert await say(proxy, b"GET http://good.example/ HTTP/1.1\r\n", b"x: y\r\n" * 20_000) == b""
        assert server.requests == []


async def test_more_than_the_cap_does_not_come_in() -> None:
    async with proxied(most=500) as (proxy, _):
        answer = await say(proxy, b"GET http://good.example/abc HTTP/1.1\r\nHost: good.example\r\n\r\n")
        assert proxy.spent and len(answer) < 4_000
