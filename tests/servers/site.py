"""A web site on a loopback socket that answers by path, for tests of what reads pages and services."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tests.servers.scripted import Exchange, Received, Script


class Sent(NamedTuple):
    """What a path answers. `body` is bytes, text, or anything for JSON."""

    body: Any = b""
    status: int = 200
    kind: str = ""
    headers: Mapping[str, str] = {}


Route = Sent | Callable[[Received], Sent] | Script


def path_of(request: Received) -> str:
    """Return the path of a request without its query."""
    return urlsplit(request.path).path


def query_of(request: Received) -> dict[str, str]:
    """Return the query of a request."""
    return dict(parse_qsl(urlsplit(request.path).query, keep_blank_values=True))


def form_of(request: Received) -> dict[str, str]:
    """Return the form that a request sent."""
    return dict(parse_qsl(request.body.decode(), keep_blank_values=True))


def site(routes: Mapping[str, Any]) -> Script:
    """Return the script of a site: each path, or METHOD and path, has what it answers; others are not there.

    A route is a Sent, a function of the request, or a script of its own (a coroutine function).
    """

    async def answer(exchange: Exchange) -> None:
        path = path_of(exchange.request)
        route = routes.get(f"{exchange.request.method} {path}", routes.get(path))
        made = Sent("not here", 404, "text/plain") if route is None else route
        if callable(made) and not isinstance(made, Sent):
            made = made(exchange.request if _takes_request(made) else exchange)
        if not isinstance(made, Sent):
            await made
            return
        await _send(exchange, made)

    return answer


def _takes_request(route: Any) -> bool:
    import inspect

    return not inspect.iscoroutinefunction(route)


async def _send(exchange: Exchange, sent: Sent) -> None:
    body, kind = sent.body, sent.kind
    if isinstance(body, str):
        body, kind = body.encode(), kind or "text/html; charset=utf-8"
    elif not isinstance(body, bytes):
        body, kind = json.dumps(body).encode(), kind or "application/json"
    await exchange.answer(sent.status, body, dict(sent.headers), kind=kind or "application/octet-stream")
