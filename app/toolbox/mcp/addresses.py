"""The way to a server over HTTP: bounded answers, nothing unpacked, and a refusal told with its number."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from app.toolbox.amounts import VALUES_CAP, has_too_many
from app.toolbox.mcp.links import ASIDE, Streams
from app.toolbox.mcp.sifting import MESSAGE_BYTES, Lines, TooLarge

if TYPE_CHECKING:
    import httpx2

CONNECT_SECONDS, SILENCE_SECONDS = 15.0, 300.0
STEADY_SECONDS = 30.0
"""A stream of events that lasted so long may be opened again at once."""
PAUSE_SECONDS, LONGEST_PAUSE = 1.0, 300.0
"""Seconds before the end of the first stream that did not, doubled for each one that follows."""
_EVENTS = "text/event-stream"
_TOO_LONG = f"an answer of more than {MESSAGE_BYTES >> 20} MB"
_GONE = 404
"""The status by which a server says that it has forgotten us; the SDK begins anew then."""


@contextlib.asynccontextmanager
async def over_http(url: str, client: httpx2.AsyncClient) -> AsyncIterator[tuple[Any, Any]]:
    """Yield the two streams to a server at an address."""
    from mcp.client.streamable_http import streamable_http_client

    way = streamable_http_client(url, http_client=client, max_sse_event_size=MESSAGE_BYTES)
    async with way as (read, write):
        yield Streams(read), write


def http_client(
    headers: Mapping[str, str],
    auth: httpx2.Auth | None,
    *,
    check: Callable[[httpx2.Request], Awaitable[None]] | None = None,
    silence: float = SILENCE_SECONDS,
) -> httpx2.AsyncClient:
    """Return a client for one server: bounded answers, no cookies of others, no credentials from .netrc.

    `check` raises for requests that may not be made; `silence` are the seconds that one may say nothing.
    """
    import httpx2

    timeout = httpx2.Timeout(CONNECT_SECONDS, read=silence)

    async def timed(request: httpx2.Request) -> None:
        request.extensions.setdefault("timeout", timeout.as_dict())  # those of a sign-in come without any

    return httpx2.AsyncClient(
        headers={**headers, "Accept-Encoding": "identity"},
        auth=auth,
        timeout=timeout,
        event_hooks={"request": [timed, *filter(None, (check,))], "response": [partial(_bound, _Ends())]},
    )


class _Ends:
    """Holds the end of a stream of events back where one after the other ends at once: the SDK opens the next
    one as soon as the server wishes, so without any pause for ever.
    """

    def __init__(self) -> None:
        self._short = 0

    async def wait(self, seconds: float) -> None:
        """Return when a stream that lasted so long may end."""
        self._short = 0 if seconds >= STEADY_SECONDS else self._short + 1
        if self._short:
            await asyncio.sleep(min(PAUSE_SECONDS * 2.0 ** (self._short - 1), LONGEST_PAUSE))


async def _bound(ends: _Ends, response: httpx2.Response) -> None:
    """Let no more be read of an answer than a message may have. Raises ReadError for a packed one."""
    import httpx2

    packed = response.headers.get("content-encoding", "identity").strip().lower()
    if packed not in ("", "identity"):  # a few bytes can unpack to gigabytes; we asked for none such
        raise httpx2.ReadError(f"an answer packed as {packed[:40]}, which was not asked for")
    stream, refusal = response.stream, _refuses(response)
    assert isinstance(stream, httpx2.AsyncByteStream)
    if refusal:
        response.stream = _body(_told(stream, response.status_code), stream)
        response.headers["content-type"] = "application/json"
    else:
        events = response.headers.get("content-type", "").startswith(_EVENTS)
        held = ends if response.request.method == "GET" else None
        response.stream = _body(_lines(stream, held) if events else _whole(stream), stream)


def _refuses(response: httpx2.Response) -> bool:
    """Whether an answer refuses a message, and not a visit of a sign-in."""
    asked, status = response.request, response.status_code
    message = asked.method == "POST" and _EVENTS in asked.headers.get("accept", "")
    return message and status >= 400 and status != _GONE


async def _whole(inner: httpx2.AsyncByteStream) -> AsyncIterator[bytes]:
    """Yield a body at its end. Raises ReadError where it is more than a message may be."""
    import httpx2

    pieces, size = [], 0
    async for piece in inner:
        size += len(piece)
        if size > MESSAGE_BYTES:
            raise httpx2.ReadError(_TOO_LONG)
        pieces.append(piece)
    await _count(b"".join(pieces))
    for piece in pieces:
        yield piece


async def _lines(inner: httpx2.AsyncByteStream, ends: _Ends | None) -> AsyncIterator[bytes]:
    """Yield a stream of events as it comes. Raises ReadError before the end of a line that is too much."""
    import httpx2

    lines, loop = Lines(), asyncio.get_running_loop()
    began = loop.time()
    async for piece in inner:
        try:
            found = lines.feed(piece)
        except TooLarge:
            raise httpx2.ReadError(_TOO_LONG) from None
        for line in found:
            await _count(line)
        yield piece
    if ends is not None:
        await ends.wait(loop.time() - began)


async def _count(text: bytes) -> None:
    import httpx2

    if len(text) >= ASIDE and await asyncio.to_thread(has_too_many, text):
        raise httpx2.ReadError(f"an answer of more than {VALUES_CAP:,} values")


async def _told(inner: httpx2.AsyncByteStream, status: int) -> AsyncIterator[bytes]:
    """Yield the body of a refusal as it came where it is an error of the protocol, else one that names it."""
    body = b"".join([piece async for piece in _whole(inner)])
    yield body if _is_error(body) else _error(f"It answered with HTTP {status}.")


def _body(pieces: AsyncIterator[bytes], inner: httpx2.AsyncByteStream) -> httpx2.AsyncByteStream:
    """Return these pieces as the body of an answer."""
    import httpx2

    class Body(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for piece in pieces:
                yield piece

        async def aclose(self) -> None:
            await inner.aclose()

    return Body()


def _is_error(body: bytes) -> bool:
    """Whether a body is an error of the protocol."""
    try:
        error = json.loads(body).get("error")
        return isinstance(error["code"], int) and isinstance(error["message"], str)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return False


def _error(words: str) -> bytes:
    error = {"code": -32603, "message": words}
    return json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
