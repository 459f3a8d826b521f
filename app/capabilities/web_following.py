"""A request with its redirects: each hop is judged before anything of it is sent, and credentials stay with
the host that they were meant for.

Pages that a person's call asks for are fetched whatever robots.txt says; who fetches by itself, such as a
watch, looks at that first.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Generic, Literal, NamedTuple, TypeVar

from app.capabilities.gate import Permit
from app.capabilities.web import Web
from app.capabilities.web_addresses import STANDARD, Place, Places, Target, joined, place_by_form, read
from app.capabilities.web_failures import never, private, timed_out
from app.capabilities.web_sending import Head, Pairs, Sent, checked, send
from app.errors import ToolError
from app.permissions.requests import READS, request_offers
from app.records import CREDENTIAL_PARTS, FilesEffect, Mark, RequestEffect
from tools import Request

T = TypeVar("T")
MOST_SECONDS = 3_600.0
MOST_REDIRECTS = 5
MOST_BODY = 1_000_000
"""Characters that a request may send: all of them are shown to the person."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MASK = "***"
_REDIRECTS = (301, 302, 303, 307, 308)


class Hop(NamedTuple):
    """One request of a chain."""

    method: str
    target: Target
    headers: Pairs
    body: bytes


class Answered(NamedTuple, Generic[T]):
    """The end of a chain, and what was made of its body."""

    head: Head
    target: Target
    taken: T
    hops: tuple[str, ...]
    seconds: float


Take = Callable[[Sent, Target], Awaitable[T]]


class Sender:
    """Sends the requests of one call behind its gate."""

    def __init__(self, web: Web, gate: Permit, tool: str, permitted: Iterable[str] = ()) -> None:
        """`tool` names the call in rules. `permitted` are public hosts from which it may read without being
        judged again.
        """
        self._web = web
        self._gate = gate
        self._tool = tool
        self._permitted = {(_plain(host), True) for host in permitted}

    async def ask(
        self,
        request: Request,
        take: Take[T],
        saves: FilesEffect | None = None,
        accept: str = "*/*",
        packed: bool = True,
        led: bool = False,
    ) -> Answered[T]:
        """Send a request, follow its redirects, and return what `take` makes of the last answer's body; it
        runs within the time of the request. `saves` is what that would write; `accept` is sent where the
        request names no kinds itself; without `packed` the bytes are asked for as they are. `led` says
        that a page named the address, which is then judged like a redirect.

        Raises ToolError (see `tools.ReadWeb`), Refused, Judged.
        """
        hop, hops, seen = first_hop(request), list[str](), set[tuple[str, str]]()
        left, spent, chain = _seconds(request), 0.0, set(self._permitted)
        usual = (("accept", accept), ("accept-encoding", "gzip, deflate" if packed else "identity"))
        while True:
            seen.add((hop.method, hop.target.url))
            await self._permit(hop, chain, saves, first=not hops and not led)
            began = self._web.clock()
            try:
                async with asyncio.timeout(left - spent), self._sent(hop, usual) as sent:
                    location = _location(sent.head, request, hops)
                    if not location:
                        taken = await take(sent, hop.target)
                        spent += self._web.clock() - began
                        return Answered(sent.head, hop.target, taken, tuple(hops), spent)
                    status = sent.head.status
            except TimeoutError:
                raise timed_out(hop.target.host, left) from None
            spent += self._web.clock() - began
            hops.append(hop.target.url)
            hop = following(hop, status, location)
            if (hop.method, hop.target.url) in seen:
                raise _endless(f"The redirects lead in a circle, back to {hop.target.url}.")

    def _sent(self, hop: Hop, usual: Pairs) -> AbstractAsyncContextManager[Sent]:
        places = Places(
            allowed=lambda place: self._allowed(hop, place),
            refused=lambda address: self._private(hop, address),
        )
        named = {name for name, _ in hop.headers}
        headers = (*hop.headers, *(pair for pair in usual if pair[0] not in named))
        return send(hop.target, hop.method, headers, hop.body, self._web.way(), places)

    async def _permit(
        self, hop: Hop, chain: set[tuple[str, bool]], saves: FilesEffect | None, *, first: bool
    ) -> None:
        """Let the gate judge a hop, unless it goes on reading from a host that this call was permitted."""
        effect = effect_of(hop, saves)
        reads = hop.method in READS
        key = (_site(hop.target), reads)
        if hop.target.place == "never":
            raise never(hop.target.host)
        if (first and not reads) or key not in chain:
            if not first and hop.target.place == "private" and not self._gate.opens(effect):
                raise self._private(hop, hop.target.host)  # no page may lead into the own network
            await self._gate.permit(effect)
        self._gate.mark(Mark(kind="web", name=hop.target.host))
        chain.add(key)
        if reads:
            self._permitted.add(key)

    def _allowed(self, hop: Hop, place: Place) -> bool:
        """Whether an address that the host of a hop resolves to may be connected."""
        if place != "private" or hop.target.place == "private":
            return place != "never"
        return self._gate.opens(effect_of(hop, private="found"))

    def _private(self, hop: Hop, address: str) -> ToolError:
        """Return why an address is not connected, and the rule that would open it."""
        if place_by_form(address) == "never":
            return never(hop.target.host, address)
        effect = effect_of(hop, private="named" if hop.target.place == "private" else "found")
        rules = request_offers(effect, self._tool)
        return private(hop.target.host, address, next(iter(rules), ""))


def first_hop(request: Request) -> Hop:
    """Return the first request of a chain. Raises ToolError bad_address, bad_arguments, too_large."""
    method = request.method.upper()
    if method not in METHODS:
        raise ToolError("bad_arguments", f"The method {method[:20]!r} is not sent; these are: {METHODS}.")
    if request.body and method in READS:
        raise ToolError("bad_arguments", f"{method} sends no body.")
    if len(request.body) > MOST_BODY:
        raise ToolError("too_large", f"The body has more than {MOST_BODY:,} characters.")
    headers = dict(checked(list(request.headers.items())))
    if request.body and "content-type" not in headers:
        headers["content-type"] = _content_type(request.body)
    return Hop(method, read(request.url, request.query), tuple(headers.items()), _encoded(request.body))


def following(hop: Hop, status: int, location: str) -> Hop:
    """Return the request that a redirect asks for: credentials only stay with their host (RFC 9110, 15.4)."""
    target = joined(hop.target, location)
    becomes_get = status == 303 or (status in (301, 302) and hop.method == "POST")
    method = "GET" if becomes_get and hop.method != "HEAD" else hop.method
    headers, body = hop.headers, hop.body
    if method != hop.method:
        headers, body = tuple(pair for pair in headers if not pair[0].startswith("content-")), b""
    if not _same_owner(hop.target, target):
        headers = tuple(pair for pair in headers if not is_credential(pair[0]))
    return Hop(method, target, headers, body)


def effect_of(
    hop: Hop, saves: FilesEffect | None = None, private: Literal["", "named", "found"] | None = None
) -> RequestEffect:
    """Return what a person is asked about."""
    target = hop.target
    return RequestEffect(
        method=hop.method,
        url=target.url,
        host=target.host,
        port=0 if STANDARD[target.scheme] == target.port else target.port,
        headers=tuple(f"{name}: {masked(name, value)}" for name, value in hop.headers),
        body=hop.body.decode("utf-8", "replace"),
        private=private or ("named" if target.place == "private" else ""),
        saves=saves,
    )


def is_credential(name: str) -> bool:
    """Whether a header carries something that lets its bearer in."""
    return any(part in name.lower() for part in CREDENTIAL_PARTS)


def masked(name: str, value: str) -> str:
    """Return the value of a header as anybody may see it."""
    if not is_credential(name):
        return value
    scheme, _, rest = value.partition(" ")
    return f"{scheme} {MASK}" if rest and scheme.isalpha() and len(scheme) < 12 else MASK


def _same_owner(old: Target, new: Target) -> bool:
    upgraded = (old.scheme, old.port, new.scheme, new.port) == ("http", 80, "https", 443)
    return old.origin == new.origin or (old.host == new.host and upgraded)


def _site(target: Target) -> str:
    """Return what one answer covers: a host at its usual ports, with or without www."""
    return _plain(target.host) if target.port in (80, 443) else f"{target.host}:{target.port}"


def _plain(host: str) -> str:
    return host.casefold().removeprefix("www.")


def _location(head: Head, request: Request, hops: Sequence[str]) -> str:
    location = head.get("location") if head.status in _REDIRECTS else ""
    most = min(request.redirects, MOST_REDIRECTS)
    if not location or request.redirects <= 0:
        return ""
    if len(hops) >= most:
        raise _endless(f"It was redirected more than {most} times: {', '.join(hops)}.")
    return location


def _endless(words: str) -> ToolError:
    return ToolError("too_many_redirects", words)


def _seconds(request: Request) -> float:
    if not 0 < request.seconds <= MOST_SECONDS:
        raise ToolError(
            "bad_arguments", f"The time must be more than 0 and at most {MOST_SECONDS:g} seconds."
        )
    return request.seconds


def _content_type(body: str) -> str:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return "text/plain; charset=utf-8"
    return "application/json"


def _encoded(body: str) -> bytes:
    try:
        return body.encode("utf-8")
    except UnicodeEncodeError:
        raise ToolError("bad_arguments", "The body holds half of a character.") from None
