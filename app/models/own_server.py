"""A server whose address a person enters: look at what it has, and name the profile that it becomes."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from app.errors import ModelError
from app.models.address import plain_base
from app.models.connections import Connections, decoded, is_loopback
from app.models.listing import models_of
from app.models.profile import Profile
from app.models.profiles import ENVIRONMENT, Own, profile_names
from app.models.refusal import Asked, from_answer
from app.records import LocalServer
from app.settings import Settings

SECONDS = 10.0
"""How long an address may take to say what it has."""


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
        """Return what answers at an address; `profile` is the name it would get, and `models` is empty where
        it keeps no list. Raises ModelError as `look`.
        """
        base, found = await look(url, key.strip(), self._connections())
        name = name_for(base, self._own())
        return LocalServer(profile=name, title=host_of(base), base_url=base, models=found)

    async def add(self, server: LocalServer, model: str, key: str = "", *, file_consent: bool = False) -> str:
        """Keep a server that `look` found as a profile, with its key, and return PROFILE/MODEL.

        Raises as `Models.set_key`, and SettingsError; nothing is kept then.
        """
        name, before = server.profile, dict(self._own())
        made = table_of(server.base_url, model, bool(key))
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
    headers = {"authorization": f"Bearer {key}"} if key else {}
    bases = [base] if re.search(r"/v\d\w*$", base) else [f"{base}/v1", base]
    refused: ModelError | None = None
    for one in bases:
        answer = await connections.small("GET", f"{one}/models", asked, headers, SECONDS)
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


def host_of(base: str) -> str:
    """Return the host of a base URL with its port, "" for what is no address of a server."""
    try:
        parts = urlsplit(base)
        _ = parts.port
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2] if parts.scheme in ("http", "https") and parts.hostname else ""


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


def table_of(base: str, model: str, has_key: bool) -> dict[str, Any]:
    """Return what `settings.profiles` says of such a server."""
    return {
        "like": "custom",
        "title": host_of(base),
        "base_url": base,
        "model": model,
        "needs_key": has_key,
        "live": is_loopback(base),
    }


def _knows_paths(body: bytes) -> bool:
    """Whether a 404 is that of a server for programs, which answers in JSON; its list may just not be
    there.
    """
    return body.lstrip()[:1] == b"{"
