"""Services that tools know by name: where they are is data, keys go along unseen, and one question covers all
that a call reads of one.
"""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from app.capabilities.gate import Permit
from app.capabilities.service_failures import failed, no_account
from app.capabilities.settled import Behind, Settled
from app.effects import SourceKind
from app.errors import SettingsError
from app.models.connections import is_open
from app.record import Record
from app.records import Mark, RequestEffect
from tools import Request, Response, ServiceChange, ServiceReply

PAGE = 100
"""Rows of one page; what most services give at most."""
MOST_PAGES = 5
MOST = 8_000_000
_FILE = Path(__file__).resolve().parent / "services.toml"
_READS = ("GET", "HEAD")


class Service(Record, kw_only=True, forbid_unknown_fields=True):
    """One service; the head of services.toml says what the fields mean."""

    title: str
    address: str
    beside: tuple[str, ...] = ()
    account: str = ""
    key_header: str = "authorization"
    key_prefix: str = ""
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    mark: SourceKind = "web"


@cache
def built_in() -> dict[str, Service]:
    """Return the services of services.toml by name."""
    return msgspec.convert(tomllib.loads(_FILE.read_text("utf-8")), dict[str, Service])


class ServiceBook:
    """What all calls share: the addresses, the keys and the clock."""

    def __init__(
        self,
        addresses: Callable[[], Mapping[str, str]],
        key: Callable[[str], Awaitable[tuple[str, str]]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`addresses` are those of the settings, `key` gives the key of an account and where it is."""
        self._addresses = addresses
        self.key = key
        self.clock = clock

    def service(self, name: str) -> tuple[Service, bool]:
        """Return a service at its address, and whether that is the person's own. Raises SettingsError."""
        service = built_in()[name]
        own = self._addresses().get(name, "")
        if not own:
            return service, False
        if urlsplit(own).scheme not in ("http", "https") or not urlsplit(own).hostname:
            why = f"services.{name}: {own!r} is no address of the web"
            raise SettingsError("bad_settings", why, path="services", why=why)
        if service.account and is_open(own):
            why = f"services.{name}: over {own} everybody on the way could read the key; it must be https"
            raise SettingsError("bad_settings", why, path="services", why=why)
        return msgspec.structs.replace(service, address=own.rstrip("/")), True


class ServiceReader:
    """Implements `tools.ReadServices` for one call."""

    def __init__(self, book: ServiceBook, gate: Permit, web: Behind) -> None:
        self._book = book
        self._gate = gate
        self._web = web
        self._asked: set[str] = set()

    async def get(
        self,
        service: str,
        path: str,
        query: Mapping[str, str] = MappingProxyType({}),
        *,
        accept: str = "",
    ) -> ServiceReply:
        """See ReadServices."""
        response = await self._got(service, path, query, accept)
        if accept:
            return ServiceReply(None, response.status, response.text)
        return ServiceReply(_decoded(self._book.service(service)[0], response), response.status)

    async def rows(
        self, service: str, path: str, query: Mapping[str, str] = MappingProxyType({}), *, limit: int = 30
    ) -> ServiceReply:
        """See ReadServices. Never more than MOST_PAGES pages, whatever the service says of further ones."""
        found: list[Any] = []
        size = min(limit, PAGE)
        for page in range(1, MOST_PAGES + 1):
            asked = {**query, "per_page": str(size), "page": str(page)}
            response = await self._got(service, path, asked, "")
            value = _decoded(self._book.service(service)[0], response)
            if not isinstance(value, list):
                raise failed(self._book.service(service)[0].title, "it sent something else than a list")
            found += value
            more = 'rel="next"' in response.headers.get("link", "")
            if not more or len(found) >= limit or not value:
                break
        return ServiceReply(found[:limit], more=more or len(found) > limit)

    async def _got(self, name: str, path: str, query: Mapping[str, str], accept: str) -> Response:
        service, own = self._book.service(name)
        request = await self._request(service, "GET", path, query, accept)
        if name not in self._asked:
            await self._gate.permit(self._effect(name, service, request))
            self._asked.update((name, *service.beside))
        response = await self._web(self._behind(name, service, own)).get(request)
        return self._checked(service, request, response)

    async def _request(
        self, service: Service, method: str, path: str, query: Mapping[str, str], accept: str, body: str = ""
    ) -> Request:
        headers = dict(service.headers)
        if accept:
            headers["accept"] = accept
        if body:
            headers["content-type"] = "application/json"
        if service.account:
            key, _ = await self._book.key(service.account)
            if not key:
                raise no_account(service.title, service.account)
            headers[service.key_header] = f"{service.key_prefix}{key}"
        return Request(
            f"{service.address}{path}",
            method=method,
            headers=headers,
            query=query,
            body=body,
            most=MOST,
            cut=False,
        )

    def _effect(self, name: str, service: Service, request: Request) -> RequestEffect:
        """Return the effect of one request; of reading, with all hosts that the same question covers."""
        reads = request.method in _READS
        parts = urlsplit(service.address)
        query = f"?{urlencode(dict(request.query))}" if request.query else ""
        also = [self._book.service(one)[0].address for one in service.beside] if reads else []
        hosts = [urlsplit(one).hostname or "" for one in also]
        return RequestEffect(
            method=request.method,
            url=f"{request.url}{query}",
            host=parts.hostname or "",
            port=parts.port or 0,
            headers=(f"{service.key_header}: ...",) if service.account else (),
            body=request.body,
            also=tuple(host for host in dict.fromkeys(hosts) if host != parts.hostname),
            fixed="github" if service.mark == "github" else "web",
        )

    def _behind(self, name: str, service: Service, own: bool) -> Settled:
        host = urlsplit(service.address).hostname or ""
        mark = Mark(kind=service.mark, name=host)
        return Settled(self._gate, [host], [service.address] if own else [], mark)

    def _checked(self, service: Service, request: Request, response: Response) -> Response:
        if 200 <= response.status < 300:
            return response
        now = datetime.fromtimestamp(self._book.clock()).astimezone()
        raise failed(service.title, response=response, request=request, account=service.account, now=now)


class ServiceChanger(ServiceReader):
    """Implements `tools.ChangeServices`."""

    async def send(self, service: str, method: str, path: str, body: Mapping[str, Any]) -> ServiceReply:
        """See ChangeServices. A yes to a change lets the same call read of that service, to look at it."""
        return (await self.send_all(service, (ServiceChange(method, path, body),)))[0]

    async def send_all(self, service: str, changes: Sequence[ServiceChange]) -> tuple[ServiceReply, ...]:
        """See ChangeServices."""
        known, own = self._book.service(service)
        texts = [json.dumps(dict(one.body), ensure_ascii=False, indent=1) for one in changes]
        requests = [
            await self._request(known, one.method, one.path, {}, "", text)
            for one, text in zip(changes, texts, strict=True)
        ]
        await self._gate.permit(_together(self._effect(service, known, requests[0]), requests))
        self._asked.add(service)
        web, replies = self._web(self._behind(service, known, own)), []
        for request in requests:
            # A redirect would send it again elsewhere; none of these services needs one for a change.
            response = await web.send(request._replace(redirects=0))
            self._checked(known, request, response)
            value = _decoded(known, response) if response.body.strip() else None
            replies.append(ServiceReply(value, response.status))
        return tuple(replies)


def _together(effect: RequestEffect, requests: Sequence[Request]) -> RequestEffect:
    """Return the effect of all requests, told in full. Where their methods differ no rule for one of them
    speaks of it.
    """
    if len(requests) == 1:
        return effect
    told = "\n\n".join(f"{one.method} {one.url}\n{one.body}" for one in requests)
    method = "+".join(dict.fromkeys(one.method for one in requests))
    return msgspec.structs.replace(effect, method=method, body=told)


def _decoded(service: Service, response: Response) -> Any:
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError):
        kind = response.kind or "nothing that is named"
        raise failed(
            service.title, f"it sent {kind} in place of JSON; a page of the network in between?"
        ) from None
