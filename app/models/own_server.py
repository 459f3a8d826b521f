"""A server whose address a person enters: look at what it has, and name the profile that it becomes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.errors import ModelError
from app.models.address import below, host_of, plain_base
from app.models.connections import Connections, decoded, is_loopback
from app.models.listing import models_of
from app.models.profile import Profile, WireName
from app.models.profiles import ENVIRONMENT, Own, profile_names
from app.models.refusal import Asked, from_answer
from app.records import LocalServer
from app.settings import Settings

SECONDS = 10.0
"""How long an address may take to say what it has."""
ASK_SECONDS = 5.0
"""How long it may take to refuse an empty request."""
WAYS: Mapping[WireName, tuple[str, str]] = {
    "chat": ("/chat/completions", r'"choices"'),
    "responses": ("/responses", r'"object":\s*"response"|"response\.'),
    "messages": ("/messages", r'message_start|"stop_reason"'),
}
"""The path of each wire, and what stands in an answer of it; the one that most servers know comes first."""
_VERSION = {"anthropic-version": "2023-06-01"}


class OwnServers:
    """Looks at servers by their address and keeps them as profiles of the person's own."""

    def __init__(
        self,
        connections: Callable[[], Connections],
        own: Callable[[], Own],
        change_settings: Callable[..., Awaitable[Settings]],
        set_key: Callable[..., Awaitable[str]],
    ) -> None:
        self._connections, self._own = connections, own
        self._change_settings, self._set_key = change_settings, set_key

    async def look(self, url: str, key: str = "") -> LocalServer:
        """Return what answers at an address; `profile` is the name it would get, `models` is empty where
        it keeps no list, and `wires` are the ways to talk to it that were found, () where none could be told.
        Raises ModelError as `look`.
        """
        connections, key = self._connections(), key.strip()
        base, found = await look(url, key, connections)
        wires = await spoken(base, key, connections)
        name = name_for(base, self._own())
        return LocalServer(profile=name, title=host_of(base), base_url=base, models=found, wires=wires)

    async def add(
        self,
        server: LocalServer,
        model: str,
        key: str = "",
        *,
        wire: WireName = "chat",
        file_consent: bool = False,
    ) -> str:
        """Keep a server that `look` found as a profile that is talked to by `wire`, with its key, and return
        PROFILE/MODEL.

        Raises as `Models.set_key`, and SettingsError; nothing is kept then.
        """
        name, before = server.profile, dict(self._own())
        made = table_of(server.base_url, model, bool(key), wire)
        await self._change_settings(profiles={**before, name: {**before.get(name, {}), **made}})
        if key:
            try:
                await self._set_key(name, key, file_consent=file_consent)
            except BaseException:
                await self._change_settings(profiles=before)
                raise
        return f"{name}/{model}"


async def look(url: str, key: str, connections: Connections) -> tuple[str, tuple[str, ...]]:
    """Return the base URL and the models that it lists, () where it keeps no list.

    A base without a version is tried with /v1 too, as most servers have it. Raises ModelError: bad_reply for
    what is no address or no such server, no_key, bad_key, no_network and the others of a request.
    """
    base = plain_base(url)
    host = host_of(base)
    if not host:
        raise ModelError("bad_reply", f"{url!r} is no address", profile="custom", host=url.strip()[:80])
    asked = Asked(name="custom", title=host, host=host, key=key)
    bases = [base] if re.search(r"/v\d\w*(\?|$)", base) else [below(base, "/v1"), base]
    refused: ModelError | None = None
    for one in bases:
        answer = await connections.small("GET", below(one, "/models"), asked, _bearer(key), SECONDS)
        if answer.status in (401, 403) and key:  # the clients of Messages show their key in another way
            shown = {"x-api-key": key, **_VERSION}
            other = await connections.small("GET", below(one, "/models"), asked, shown, SECONDS)
            answer = other if other.status == 200 else answer
        if answer.status == 200:
            try:
                found = models_of(decoded(answer.body, asked), Profile(name="custom"))
            except ModelError as error:  # a page for people: the address with a version may be right
                refused, found = error, None
            if found is not None:
                return one, tuple(model.id for model in found)
        elif answer.status in (401, 403) and not key:
            raise asked.error("no_key", f"{host} wants a key")
        elif answer.status not in (404, 405, 501):
            raise from_answer(answer.status, answer.headers, answer.body, asked)
        else:
            known = _knows_paths(answer.body)
            refused = refused or (None if known else asked.error("bad_reply", "no list of models"))
            if known:
                return one, ()
    raise refused or asked.error("bad_reply", "no list of models")


async def spoken(base: str, key: str, connections: Connections) -> tuple[WireName, ...]:
    """Return the wires that a server knows, found out with empty requests, which every server that knows the
    path refuses and none answers with a model's work. One that refuses the key there counts where none takes
    it: many ask for the key before they look at the path.
    """
    known = await asyncio.gather(*(_knows(base, wire, key, connections) for wire in WAYS))
    found = dict(zip(WAYS, known, strict=True))
    return tuple(wire for wire, sure in found.items() if sure) or tuple(
        wire for wire, sure in found.items() if sure is None
    )


async def _knows(base: str, wire: WireName, key: str, connections: Connections) -> bool | None:
    """Whether a server knows the path of a wire; None where it refuses the key there."""
    path, sign = WAYS[wire]
    asked = Asked(name="custom", title=host_of(base), host=host_of(base), key=key)
    headers = _bearer(key)
    if wire == "messages":
        headers = {**({"x-api-key": key} if key else {}), **_VERSION}
    try:
        answer = await connections.small("POST", below(base, path), asked, headers, ASK_SECONDS, json={})
    except ModelError:
        return False
    if answer.status == 200:  # LM Studio answers so for paths that it does not know
        return bool(re.search(sign, answer.body.decode("utf-8", "replace")))
    if answer.status in (401, 403):
        return None
    return answer.status not in (404, 405, 501) and not 300 <= answer.status < 400


def _bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"} if key else {}


def name_for(base: str, own: Own) -> str:
    """Return the profile's name for a base URL: the one that has it already, else a new one of its host."""
    for name, table in own.items():
        if table.get("base_url") == base and table.get("like") == "custom":
            return name
    plain = re.sub(r"[^a-z0-9]+", "-", host_of(base).lower()).strip("-")
    names, number, name = {*own, *profile_names({}, {}, hidden=True), ENVIRONMENT, ""}, 2, plain or "server"
    while name in names:
        name, number = f"{plain or 'server'}-{number}", number + 1
    return name


def table_of(base: str, model: str, has_key: bool, wire: WireName = "chat") -> dict[str, Any]:
    """Return what `settings.profiles` says of such a server."""
    return {
        "like": "custom",
        "title": host_of(base),
        "base_url": base,
        "model": model,
        "wire": wire,
        "needs_key": has_key,
        "live": is_loopback(base),
    }


def _knows_paths(body: bytes) -> bool:
    """Whether a 404 is that of a server for programs, which answers in JSON; its list may just not be
    there.
    """
    return body.lstrip()[:1] == b"{"
