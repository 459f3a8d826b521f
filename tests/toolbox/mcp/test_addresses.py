"""What a server at an address sends is bounded, also once it is unpacked."""

from __future__ import annotations

import asyncio
import gzip

import pytest

from app.toolbox.mcp.addresses import http_client


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
