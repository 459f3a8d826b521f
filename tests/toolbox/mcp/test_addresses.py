"""What a server at an address sends is bounded, also once it is unpacked, and a refusal says its number."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import time
from pathlib import Path
from typing import Any

import pytest

from app.toolbox.mcp import addresses
from app.toolbox.mcp.addresses import http_client
from app.toolbox.mcp.spec import ServerSpec
from tests.servers.scripted import Exchange, scripted
from tests.toolbox.mcp.server_desk import DeskMeans, connected, until


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_an_answer_is_not_unpacked(kind: str) -> None:
    import httpx2

    packed, asked = gzip.compress(b"\0" * (32 << 20)), []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).lower())
        head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-encoding: gzip\r\n"
        writer.write(f"{head}content-length: {len(packed)}\r\n\r\n".encode() + packed)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server, http_client({"X-Key": "k"}, None) as client:
        with pytest.raises(httpx2.ReadError, match="packed as gzip"):
            await client.get(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    assert b"accept-encoding: identity" in asked[0] and b"x-key: k" in asked[0]


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (403, b"<html>no</html>", "It answered with HTTP 403."),
        (503, b'{"error": "busy"}', "It answered with HTTP 503."),
        (
            500,
            b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "own words"}}',
            "own words.",
        ),
        (200, b"", "Its answer does not follow the protocol."),
        (200, b'{"jsonrpc": "2.0", "id": 1, "result": ', "Its answer does not follow the protocol."),
    ],
)
async def test_a_refusal_says_what_it_is(status: int, body: bytes, words: str, tmp_path: Path) -> None:
    async def play(exchange: Exchange) -> None:
        await exchange.answer(status, body)

    async with scripted(play) as server:
        spec = ServerSpec(id="web", url=server.url)
        async with connected(spec, DeskMeans(tmp_path), pauses=()) as connection:
            assert (connection.state, connection.reason) == ("failed", words)


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.parametrize(
    ("body", "words"),
    [(b"[]," * 500_000, "more than 200,000 values"), (b"x" * (17 << 20), "more than 16 MB")],
)
async def test_an_answer_is_bounded_by_bytes_and_values(kind: str, body: bytes, words: str) -> None:
    import httpx2

    async def play(exchange: Exchange) -> None:
        await exchange.answer(200, b"data: [" + body + b"0]\n\n", kind=kind)

    async with scripted(play) as server, http_client({}, None) as client:
        with pytest.raises(httpx2.ReadError, match=words):
            await client.post(server.url)


RESULTS: dict[str, dict[str, Any]] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "restless", "version": "1"},
    },
    "tools/list": {"tools": [{"name": "ping", "inputSchema": {"type": "object"}}]},
}


async def answer(exchange: Exchange) -> None:
    """Do what a plain server does."""
    asked = json.loads(exchange.request.body or b"{}")
    if "id" not in asked:
        await exchange.answer(202, b"")
    elif asked["method"] in RESULTS:
        answer = {"jsonrpc": "2.0", "id": asked["id"], "result": RESULTS[asked["method"]]}
        await exchange.answer(200, answer, {"mcp-session-id": "s"})
    else:
        error = {"code": -32601, "message": "no such method"}
        await exchange.answer(200, {"jsonrpc": "2.0", "id": asked["id"], "error": error})


async def test_a_call_is_given_up_at_once_though_nobody_hears_it(tmp_path: Path) -> None:
    """The server is told first, and one that hangs takes its time with that too."""
    begun = asyncio.Event()

    async def play(exchange: Exchange) -> None:
        asked = json.loads(exchange.request.body or b"{}").get("method", "")
        if asked in ("tools/call", "notifications/cancelled"):
            begun.set()
            await exchange.gone()
        else:
            await answer(exchange)

    async with (
        scripted(play) as server,
        connected(ServerSpec(id="web", url=server.url), DeskMeans(tmp_path)) as connection,
    ):
        call = asyncio.create_task(connection.call("ping", {}))
        await asyncio.wait_for(begun.wait(), 10)
        began = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert time.monotonic() - began < 0.3, "a stop takes effect at once"
        assert connection.state == "ready"


async def test_streams_that_end_at_once_are_not_opened_without_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may wish that nobody waits before the next one, and end each as it begins."""
    monkeypatch.setattr(addresses, "PAUSE_SECONDS", 0.2)
    opened: list[float] = []

    async def play(exchange: Exchange) -> None:
        if exchange.request.method == "GET":
            opened.append(asyncio.get_running_loop().time())
            await exchange.head(200)
            await exchange.send(b"retry: 0\nid: 1\ndata: \n\n")
            await exchange.end()
        else:
            await answer(exchange)

    async with (
        scripted(play) as server,
        connected(ServerSpec(id="web", url=server.url), DeskMeans(tmp_path)) as connection,
    ):
        assert connection.state == "ready", connection.reason
        await until(lambda: len(opened) >= 4)
    pauses = [after - before for before, after in itertools.pairwise(opened)]
    assert all(pause >= 0.19 * 2**number for number, pause in enumerate(pauses)), pauses
