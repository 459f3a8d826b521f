"""The door before Copilot: address, token, wire and headers of each request, and what mends a refusal."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext

import msgspec

from app.errors import ModelError
from app.models.copilot.account import Account
from app.models.copilot.exchange import worded
from app.models.copilot.place import identity
from app.models.door import Entry, terms_open
from app.models.listing import Listings
from app.models.profile import Profile, WireName
from app.models.profiles import model_data, wire_for
from app.models.request import ModelRequest
from app.models.wire import wire_of

_OTHER_WAY = (r"model_not_supported", r"unsupported_api_for_model")


class CopilotDoor:
    """Lets the requests of one profile in. For one event loop."""

    def __init__(
        self,
        account: Account,
        listings: Listings,
        agreed: Callable[[Profile], bool],
        at_once: int,
        alone: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
    ) -> None:
        """`at_once` requests run at the same time here, 0 = any number; where it is 1, `alone` keeps other
        processes out meanwhile.
        """
        self._account = account
        self._listings = listings
        self._agreed = agreed
        self._alone = alone if at_once == 1 else nullcontext
        self._places = asyncio.Semaphore(at_once) if at_once > 0 else None

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until a request may begin, and hold its place until it has ended."""
        if self._places is None:
            yield
            return
        async with self._places, self._alone():
            yield

    async def enter(self, request: ModelRequest) -> Entry:
        """Return what to send. Raises ModelError: terms_open, model_terms, model_off and those of
        `Account.enter`.
        """
        profile = request.profile
        if not self._agreed(profile):
            raise terms_open(profile)
        state = model_data(profile, request.model).state
        if state:
            code = "model_terms" if state == "terms" else "model_off"
            raise ModelError(
                code,
                f"{request.model}: {code}",
                profile=profile.name,
                model=request.model,
                title=profile.title,
            )
        made = await self._account.enter(profile)
        wire = _first_built(profile, request.model)
        base = f"{made.base}/v1" if wire == "messages" else made.base
        profile = msgspec.structs.replace(with_wire(profile, request.model, wire), base_url=base)
        headers = headers_for(request)
        if wire == "messages":
            headers["anthropic-version"] = "2023-06-01"
        request = msgspec.structs.replace(request, profile=profile)
        return Entry(request=request, key=made.token, headers=headers)

    async def again(self, error: ModelError, request: ModelRequest, tried: set[str]) -> ModelRequest | None:
        """Return the request that may succeed now, None where nothing mends the refusal.

        401: the short token is made anew. A model that another endpoint takes: the list is read again, and
        the other one is asked. Each once.
        """
        if error.status == 401 and "token" not in tried:
            tried.add("token")
            held = await self._account.enter(request.profile)
            return request if await self._account.renew(request.profile, held.token) else None
        if _wants_other_way(error) and "wire" not in tried:
            tried.add("wire")
            return await self._other_way(request)
        return None

    def worded(self, error: ModelError, request: ModelRequest) -> ModelError:
        """Return the error with the code that it has here."""
        if _wants_other_way(error):
            error.problem.fields["feature"] = request.model
        return worded(error, request.profile)

    async def _other_way(self, request: ModelRequest) -> ModelRequest | None:
        profile, model = request.profile, request.model
        before = _first_built(profile, model)
        await self._account.models(profile, anew=True)
        profile = self._listings.enriched(profile)
        said = model_data(profile, model).wires
        guess: tuple[WireName, ...] = ("responses", "chat") if before == "chat" else ("chat", "responses")
        others = [wire for wire in (*said, *guess) if wire != before and _is_built(wire)]
        if not others:
            return None
        return msgspec.structs.replace(request, profile=with_wire(profile, model, others[0]))


def headers_for(request: ModelRequest) -> dict[str, str]:
    """Return the headers of one request. `x-initiator` says truly whether a person's message is answered."""
    last = request.messages[-1] if request.messages else None
    asked_by_person = last is not None and last.role == "user" and not (last.by_model or request.aside)
    pictures = (picture for message in request.messages for picture in message.pictures)
    headers = {
        **identity(),
        "x-initiator": "user" if asked_by_person else "agent",
        "x-request-id": str(uuid.uuid4()),
    }
    if any(picture.id in request.images for picture in pictures):
        headers["copilot-vision-request"] = "true"
    return headers


def with_wire(profile: Profile, model: str, wire: WireName) -> Profile:
    """Return the profile with a model that is reached by `wire` first."""
    entry = model_data(profile, model)
    wires = (wire, *(one for one in entry.wires if one != wire))
    others = tuple(one for one in profile.models if one.id != model)
    quirks = {**entry.quirks, "cache_marks": wire == "messages"}
    if (quirks.get("effort") in ("adaptive", "budget")) != (wire == "messages"):
        quirks["effort"] = ""  # words of the wire that it is listed for
    entry = msgspec.structs.replace(entry, wire=wire, wires=wires, quirks=quirks)
    return msgspec.structs.replace(profile, models=(*others, entry))


def _first_built(profile: Profile, model: str) -> WireName:
    """Return the best wire of a model that this program speaks."""
    wires = (*model_data(profile, model).wires, wire_for(profile, model))
    return next((wire for wire in wires if _is_built(wire)), "chat")


def _is_built(wire: WireName) -> bool:
    try:
        wire_of(wire)
    except ModelError:
        return False
    return True


def _wants_other_way(error: ModelError) -> bool:
    hay = f"{error.said} {error.problem.detail}"
    return error.status == 400 and any(re.search(pattern, hay, re.I) for pattern in _OTHER_WAY)
