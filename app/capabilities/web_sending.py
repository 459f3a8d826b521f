"""One request over one connection that was judged: what it sends, and its answer within its caps.

No cookies, no proxy of the environment, no kept connections; only encodings that we can unpack piece by piece
are asked for, so that a few bytes never become a heap of memory.
"""

from __future__ import annotations

import contextlib
import io
import ssl
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

from app.capabilities.web_addresses import Places, Resolve, Target
from app.capabilities.web_failures import from_transport, incomplete
from app.errors import ToolError
from app.models.inflate import Inflater

if TYPE_CHECKING:
    import httpcore

USER_AGENT = "Mozilla/5.0 (compatible; Bramble/0.1)"
"""Sites answer programs that name nothing that they know with an error page."""
CONNECT_SECONDS = 15.0
IDLE_SECONDS = 60.0
"""How long a server may say nothing at all."""
INFLATED = 20_000_000
"""Bytes that a body may have once it is unpacked."""
TIMES = 4
"""How many times larger than its cap on the wire a body may become."""
Pairs = tuple[tuple[str, str], ...]


class Way(NamedTuple):
    """How connections are made, beside where they go."""

    resolve: Resolve
    trust: Callable[[], ssl.SSLContext]
    """Called for https alone: reading certificates takes 26 ms."""
    proxy: str = ""
    """The proxy of the person's settings for public hosts, "" for none. It looks names up by itself, so that
    what we find under them is a first look only.
    """
    network: httpcore.AsyncNetworkBackend | None = None
    """What connects to an address that was judged; None is the network of this computer."""


class Head(NamedTuple):
    """The beginning of an answer. Names of headers have lower case."""

    status: int
    reason: str
    headers: Pairs

    def get(self, name: str) -> str:
        """Return the first header of this name, "" where there is none."""
        return next((value for key, value in self.headers if key == name), "")


class Sent(NamedTuple):
    """An answer whose body has not been read."""

    head: Head
    pieces: AsyncIterator[bytes]
    """The body as it comes. Raises ToolError."""


class Body(NamedTuple):
    """A body, unpacked. `cut` where it went on; `raw` counts the bytes that came."""

    data: bytes
    cut: bool
    raw: int


@contextlib.asynccontextmanager
async def send(
    target: Target,
    method: str,
    headers: Pairs,
    body: bytes,
    way: Way,
    places: Places,
) -> AsyncIterator[Sent]:
    """Send a request and give its answer; the connection ends with the block.

    Raises ToolError: no_host, private_address, no_answer, tls_failed, cut_body, bad_address.
    """
    from app.models.connections import load_httpx

    load_httpx()
    import httpcore

    from app.capabilities.web_backend import Guarded

    guarded = Guarded(target.host, way, places)
    through = way.proxy if target.place == "public" else ""
    if through:
        await guarded.look(target.host, target.port)
    pool = _pool(target, way, guarded, through)
    url = httpcore.URL(
        scheme=target.scheme.encode(),
        host=target.host.encode(),
        port=target.port,
        target=target.path.encode("ascii"),
    )
    waits = {"connect": CONNECT_SECONDS, "pool": CONNECT_SECONDS, "read": IDLE_SECONDS, "write": IDLE_SECONDS}
    try:
        async with (
            pool,
            pool.stream(
                method,
                url,
                headers=_encoded(target, headers),
                content=body or None,
                extensions={"timeout": waits},
            ) as answer,
        ):
            yield Sent(_head(answer), _pieces(answer))
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
        raise from_transport(error, target.host) from error
    except (httpcore.ProxyError, httpcore.UnsupportedProtocol) as error:
        raise from_transport(error, target.host) from error


def _pool(
    target: Target, way: Way, guarded: httpcore.AsyncNetworkBackend, proxy: str
) -> httpcore.AsyncConnectionPool:
    import httpcore

    context = way.trust() if target.scheme == "https" else None
    if proxy:
        address, login = _with_login(proxy)
        return httpcore.AsyncHTTPProxy(
            address, login, ssl_context=context, max_connections=1, max_keepalive_connections=0
        )
    return httpcore.AsyncConnectionPool(
        ssl_context=context, max_connections=1, max_keepalive_connections=0, network_backend=guarded
    )


def _with_login(proxy: str) -> tuple[str, tuple[str, str] | None]:
    """Return the address of a proxy without the name and password in it, and these."""
    parts = urlsplit(proxy)
    if parts.username is None:
        return proxy, None
    login = (unquote(parts.username), unquote(parts.password or ""))
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])), login


def _encoded(target: Target, headers: Pairs) -> list[tuple[bytes, bytes]]:
    """Return the headers of the request; those that carry it are ours alone."""
    named = any(name == "user-agent" for name, _ in headers)
    usual = () if named else (("user-agent", USER_AGENT),)
    every = (("host", target.authority), *usual, *headers)
    return [(name.encode("ascii"), value.encode("utf-8")) for name, value in every]


def _head(answer: httpcore.Response) -> Head:
    reason = answer.extensions.get("reason_phrase", b"")
    headers = tuple((name.decode("latin-1").lower(), _text(value)) for name, value in answer.headers)
    return Head(answer.status, _text(reason), headers)


def _text(data: bytes) -> str:
    """Return the text of a header: UTF-8 where it is that, as addresses of redirects often are."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


async def _pieces(answer: httpcore.Response) -> AsyncIterator[bytes]:
    async for piece in answer.aiter_stream():
        yield piece


async def read_body(sent: Sent, most: int, *, cut: bool, inflated: int = INFLATED) -> Body:
    """Return the body, unpacked, of at most `most` bytes on the wire and `inflated` after that.

    Raises ToolError: too_large unless `cut`, cut_body for one that cannot be unpacked, wrong_kind for an
    encoding that nobody asked for.
    """
    declared = sent.head.get("content-length")
    if not cut and declared.isdigit() and int(declared) > most:
        raise too_large(int(declared), most)
    into, raw, room = io.BytesIO(), 0, min(inflated, most * TIMES)
    try:
        unpack = Inflater(sent.head.get("content-encoding"))
        async for piece in sent.pieces:
            over = raw + len(piece) > most
            raw += len(piece)
            piece = piece[: len(piece) - (raw - most)] if over else piece
            for plain in unpack.feed(piece):
                into.write(plain[: room - into.tell()])
                if len(plain) > room - into.tell() and into.tell() >= room:
                    over = True
                    break
            if over:
                if not cut:
                    raise too_large(raw, most)
                return Body(into.getvalue(), True, raw)
    except ValueError as error:
        raise ToolError(
            "wrong_kind", f"The answer is packed in a way that was not asked for: {error}."
        ) from None
    except zlib.error as error:
        raise incomplete(str(error)) from None
    if raw and not unpack.whole:
        raise incomplete("its packed data ends in the middle")
    return Body(into.getvalue(), False, raw)


def too_large(size: int, most: int) -> ToolError:
    """Return the error for a body that is more than was asked for."""
    return ToolError("too_large", f"It has more than {most:,} bytes ({size:,} so far).", size=str(size))


def checked(headers: Sequence[tuple[str, str]]) -> Pairs:
    """Return headers as they may be sent. Raises ToolError bad_arguments for what would break a request or
    is set by us.
    """
    import re

    made = []
    for name, value in headers:
        name, value = name.strip().lower(), value.strip()
        if not re.fullmatch(r"[a-z0-9!#$%&'*+.^_`|~-]+", name):
            raise ToolError("bad_arguments", f"{name!r} is no name of a header.")
        if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value) or not _encodes(value):
            raise ToolError("bad_arguments", f"The header {name} holds a character that cannot be sent.")
        if name in _OURS:
            raise ToolError("bad_arguments", f"The header {name} is set by the request itself.")
        made.append((name, value))
    return tuple(made)


def _encodes(value: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


_OURS = frozenset(
    {"host", "content-length", "transfer-encoding", "connection", "accept-encoding", "te", "upgrade"}
    | {"expect", "trailer", "proxy-authorization", "proxy-connection", "keep-alive"}
)
