"""The HTTP clients, each made when it is first needed: what they trust, which proxies they take, how long
they wait.
"""

from __future__ import annotations

import asyncio
import importlib.util
import ipaddress
import json
import ssl
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from app.errors import ModelError
from app.models.refusal import Asked, from_transport, not_understood

if TYPE_CHECKING:
    import httpx

USER_AGENT = "bramble"
SMALL_ANSWER = 4 * 1024 * 1024
"""Bytes that a list of models may have."""


def load_httpx() -> None:
    """Import httpx without its command line, which would bring click and rich along: 53 ms in place of 130.

    And remember that sniffio is not there: httpcore looks for it on disk at every lock, 1 ms a request.
    """
    if "httpx" in sys.modules:
        return
    if importlib.util.find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]
    sys.modules["httpx._main"] = None  # type: ignore[assignment]  # Python's own sign for "not importable"
    try:
        import httpx  # noqa: F401
    finally:
        sys.modules.pop("httpx._main", None)


def load_all() -> None:
    """Import what a first request needs: httpx, and what that imports at its first connection. For a thread
    beside other work; takes 100 ms.
    """
    load_httpx()
    import httpcore  # noqa: F401
    from anyio import connect_tcp, run, sleep  # noqa: F401

    run(sleep, 0)  # loads what it has for asyncio


def is_loopback(url: str) -> bool:
    """Whether a URL names this computer; such requests never go through a proxy."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_open(url: str) -> bool:
    """Whether what goes to a URL can be read on its way: plain HTTP to a host beyond the own network."""
    if not url.lower().startswith("http:") or is_loopback(url):
        return False
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        # One word, or an ending that is only given out inside a network (RFC 6762, RFC 8375).
        return "." in host and not host.endswith((".local", ".lan", ".internal", ".home.arpa"))


class Ways(NamedTuple):
    """How requests leave this computer, as the person set it."""

    ca_file: str = ""
    """A file of certificates that are trusted beside those of the system."""
    proxy: str = ""
    """"" takes the proxies of the environment, `none` takes none, a URL is the one to take."""


class Answer(NamedTuple):
    """A small answer, whatever its status. Names of headers have lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connections:
    """Owns up to three clients: for this computer, for plain and for secure addresses. Use within one event
    loop.
    """

    def __init__(self, connect: float = 10.0, ways: Callable[[], Ways] = Ways) -> None:
        """`ways` is looked at for each request, so that a changed setting holds at once."""
        self._connect = connect
        self._ways = ways
        self._clients: dict[tuple[bool, bool, Ways], httpx.AsyncClient] = {}

    def client(self, url: str) -> httpx.AsyncClient:
        """Return the client for a URL. Raises ValueError for a port that is none, ValueError or ImportError
        for a proxy setting that cannot be used.

        Reading the trusted certificates takes 26 ms, so it is left out where nothing is encrypted; a client
        made without them trusts nobody, should it come to that.
        """
        from urllib.request import getproxies

        _ = urlsplit(url).port  # a number that is too high would come up as a fault deep in the sockets
        near, ways = is_loopback(url), self._ways()
        no_proxy = near or ways.proxy == "none" or not (ways.proxy or getproxies())
        bare = not url.lower().startswith("https:") and no_proxy
        if (near, bare, ways) not in self._clients:
            self._clients[near, bare, ways] = self._make(near, bare, ways)
        return self._clients[near, bare, ways]

    def proxy_of(self, url: str) -> str:
        """Return the host of the proxy that a request takes, "" for none."""
        from urllib.request import getproxies, proxy_bypass

        named = self._ways().proxy
        if named == "none" or is_loopback(url):
            return ""
        if not named:
            try:
                parts, found = urlsplit(url), getproxies()
                named = found.get(parts.scheme.lower()) or found.get("all") or ""
                if not named or proxy_bypass(parts.hostname or ""):
                    return ""
            except ValueError:
                return ""
        try:
            return urlsplit(named if "://" in named else f"//{named}").netloc.rpartition("@")[2] or named
        except ValueError:
            return named

    def failed(self, error: Exception, url: str, asked: Asked) -> ModelError:
        """Return the error for a request that got no answer at all; where it was to go through a proxy and
        nobody was reached, that is where to look.
        """
        made = from_transport(error, asked)
        if made.code == "no_network" and (proxy := self.proxy_of(url)):
            fields = {**made.problem.fields, "proxy": proxy}
            made.problem = msgspec.structs.replace(made.problem, code="proxy_failed", fields=fields)
        return made

    def _make(self, near: bool, bare: bool, ways: Ways) -> httpx.AsyncClient:
        load_httpx()
        import httpx

        return httpx.AsyncClient(
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if bare else trusted(ways.ca_file),
            trust_env=not near and not ways.proxy,
            proxy=ways.proxy if ways.proxy not in ("", "none") and not near else None,
            follow_redirects=False,  # a key must not travel to where a server points
            timeout=httpx.Timeout(None, connect=self._connect, write=60.0, pool=self._connect),
            headers={"user-agent": USER_AGENT, "accept-encoding": "identity"},
        )

    async def get_json(self, url: str, asked: Asked, headers: dict[str, str], seconds: float) -> Any:
        """Return the JSON value behind a URL of at most SMALL_ANSWER bytes. Raises ModelError, also when
        time runs out.
        """
        return await self._small(url, asked, headers, seconds, None)

    async def post_json(
        self, url: str, asked: Asked, headers: dict[str, str], seconds: float, body: Any
    ) -> Any:
        """Send a JSON value and return the one that comes back; else as `get_json`."""
        return await self._small(url, asked, headers, seconds, body)

    async def _small(self, url: str, asked: Asked, headers: dict[str, str], seconds: float, body: Any) -> Any:
        method = "GET" if body is None else "POST"
        answer = await self.small(
            method, url, asked, headers, seconds, **({} if body is None else {"json": body})
        )
        if answer.status != 200:
            raise asked.error("unsupported", f"HTTP {answer.status}")
        return decoded(answer.body, asked)

    async def small(
        self,
        method: str,
        url: str,
        asked: Asked,
        headers: dict[str, str],
        seconds: float,
        *,
        most: int = SMALL_ANSWER,
        **content: Any,
    ) -> Answer:
        """Send a request and return its answer of at most `most` bytes, whatever its status.

        `content` is httpx's `json`, `data` or `files`. Raises ModelError, also when time runs out.
        """
        load_httpx()
        import httpx

        raw = bytearray()
        try:
            async with (
                asyncio.timeout(seconds),
                self.client(url).stream(method, url, headers=headers, **content) as answer,
            ):
                async for piece in answer.aiter_raw():
                    raw += piece
                    if len(raw) > most:
                        raise asked.error("bad_reply", "The answer is too long.")
            return Answer(answer.status_code, answer.headers, bytes(raw))
        except TimeoutError as error:
            raise asked.error("stalled", "No answer in time.") from error
        except (httpx.HTTPError, httpx.InvalidURL, ImportError, ValueError) as error:
            raise self.failed(error, url, asked) from error

    async def close(self) -> None:
        """Close all connections."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.aclose()


def decoded(body: bytes, asked: Asked) -> Any:
    """Return the JSON value of a body. Raises ModelError bad_reply, web_page for the page of a sign-in."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise not_understood(body, asked) from error


def trusted(ca_file: str) -> ssl.SSLContext:
    """Return what is trusted: the system's certificates and those of the person's file. Takes 26 ms.

    Raises ModelError bad_settings.
    """
    load_httpx()
    import httpx

    context = httpx.create_ssl_context()
    if ca_file:
        try:
            context.load_verify_locations(cafile=ca_file)
        except (OSError, ssl.SSLError) as error:
            raise ModelError(
                "bad_settings", f"{ca_file}: {error}", path="ca_file", why=f"{ca_file}: {error}"
            ) from error
    return context
