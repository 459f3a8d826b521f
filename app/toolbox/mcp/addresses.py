"""The way to a server over HTTP: bounded answers, nothing unpacked, and a refusal told with its number."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from app.toolbox.mcp.links import Streams
from app.toolbox.mcp.sifting import MESSAGE_BYTES

if TYPE_CHECKING:
    import httpx2

CONNECT_SECONDS, SILENCE_SECONDS = 15.0, 300.0
_EVENTS = "text/event-stream"
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
        event_hooks={"request": [timed, *filter(None, (check,))], "response": [_bound]},
    )


async def _bound(response: httpx2.Response) -> None:
    """Let no more be read of an answer than a message may have. Raises ReadError for a packed one."""
    import httpx2

    packed = response.headers.get("content-encoding", "identity").strip().lower()
    if packed not in ("", "identity"):  # a few bytes can unpack to gigabytes; we asked for none such
        raise httpx2.ReadError(f"an answer packed as {packed[:40]}, which was not asked for")
    stream, refusal = response.stream, _refuses(response)
    assert isinstance(stream, httpx2.AsyncByteStream)
    if refusal:
        response.stream = _body(stream, response.status_code)
        response.headers["content-type"] = "application/json"
    elif not response.headers.get("content-type", "").startswith(_EVENTS):
        response.stream = _body(stream, 0)


def _refuses(response: httpx2.Response) -> bool:
    """Whether an answer refuses a message, and not a visit of a sign-in."""
    asked, status = response.request, response.status_code
    message = asked.method == "POST" and _EVENTS in asked.headers.get("accept", "")
    return message and status >= 400 and status != _GONE


def _body(inner: httpx2.AsyncByteStream, status: int) -> httpx2.AsyncByteStream:
    """Return the body of an answer, which ends with an error where it is too long; that of a refusal (with a
    status) as it came where it is an error of the protocol, else one that names the status.
    """
    import httpx2

    class Body(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            if not status:
                async for piece in self._pieces():
                    yield piece
                return
            body = b"".join([piece async for piece in self._pieces()])
            yield body if _is_error(body) else _error(f"It answered with HTTP {status}.")

        async def _pieces(self) -> AsyncIterator[bytes]:
            size = 0
            async for piece in inner:
                size += len(piece)
                if size > MESSAGE_BYTES:
                    raise httpx2.ReadError(f"an answer of more than {MESSAGE_BYTES >> 20} MB")
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
