"""Asks a model over HTTP and streams its answer, with retries, waits and limits."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import msgspec

from app.errors import ModelError
from app.models.address import below
from app.models.answer import Bounds, Patience, patience_with, read_answer
from app.models.connections import Connections, Ways, load_httpx
from app.models.door import Door, Entry
from app.models.held import told
from app.models.learned import Learned
from app.models.profile import Profile
from app.models.profiles import quirks_of, wire_for
from app.models.refusal import Asked, ErrorEvent, from_answer
from app.models.refused_effort import left, lost
from app.models.request import (
    UNASKED,
    CallPart,
    Finished,
    ModelEvent,
    ModelRequest,
    PicturesRefused,
    Reasoning,
    Reply,
    Restarted,
    Text,
    Waiting,
)
from app.models.tokens import PICTURE, estimate
from app.models.window import Windows
from app.models.wire import Wire, body_bytes, wire_of
from app.platform.ids import new_id
from app.records import Problem, Usage

if TYPE_CHECKING:
    import httpx

ERROR_BODY = 65_536
"""Bytes of an error's body that are read, and the seconds it may take."""
ERROR_SECONDS = 10.0
WRITE_SECONDS = 60.0
PASSING = ("server_error", "overloaded", "cut_stream")
"""Failures that often pass by themselves."""
RESCUED = (400, 415, 422, 500)
"""Answers that may name what to leave out; llama.cpp refuses a picture by 500."""


class _Ready(NamedTuple):
    """One request as it is sent."""

    request: ModelRequest
    content: bytes
    headers: dict[str, str]
    asked: Asked


class ModelClient:
    """Sends requests. `key` gives a profile's key, "" when there is none. For one event loop; `close` at the
    end.
    """

    def __init__(
        self,
        key: Callable[[Profile], Awaitable[str]],
        *,
        patience: Patience | None = None,
        bounds: Bounds | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
        ids: Callable[[], str] = new_id,
        door: Callable[[Profile], Door | None] = lambda profile: None,
        ways: Callable[[], Ways] = Ways,
        learned: Learned | None = None,
        tell: Callable[[str, Problem], None] = lambda session, problem: None,
    ) -> None:
        """`door` gives what stands before a provider whose way in is made for the moment, None for a key.

        `learned` keeps what requests taught; `tell(session, problem)` says it to the person.
        """
        self._key = key
        self._door = door
        self._patience = patience or Patience()
        self._bounds = bounds or Bounds()
        self._sleep = sleep
        self._now = now
        self._chance = chance
        self._ids = ids
        self._plainer: dict[tuple[str, str], tuple[Profile, Profile]] = {}
        """Profiles by name and model, each with the one to use in its place since a request was refused."""
        self.connections = Connections(self._patience.connect, ways)
        self.learned = learned or Learned(now=now)
        self.windows = Windows(self.connections, now, self.learned)
        self._tell = tell

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield the answer's events, `Finished` last. Raises ModelError. Iterate under `contextlib.aclosing`.

        Cancelling the task that iterates, or closing the iterator, closes the connection at once.
        """
        door = self._door(request.profile)
        async with AsyncExitStack() as stack:
            if door is not None:
                turn = asyncio.ensure_future(stack.enter_async_context(door.turn()))
                async with aclosing(told(turn, "turn", request.profile)) as waits:
                    async for held in waits:
                        yield held
                turn.result()
            async with aclosing(self._tries(request, door)) as events:
                async for event in events:
                    yield event

    async def _tries(self, request: ModelRequest, door: Door | None) -> AsyncGenerator[ModelEvent, None]:
        patience = patience_with(self._patience, request.profile)
        if door is None:
            ready = await self._made_ready(request, None)
        else:
            making = asyncio.ensure_future(self._made_ready(request, door))
            async with aclosing(told(making, "way_in", request.profile)) as waits:
                async for held in waits:
                    yield held
            ready = making.result()
        failed = limited = 0
        tried: set[str] = set()
        while True:
            shown = False
            try:
                async with aclosing(self._attempt(ready, patience)) as events:
                    async for event in events:
                        shown = shown or isinstance(event, Text | Reasoning | CallPart)
                        yield event
                return
            except ModelError as error:
                other = None if door is None or shown else await door.again(error, request, tried)
                if other is not None:
                    ready = await self._made_ready(other, door)
                    continue
                failed += error.code in PASSING
                limited += error.code == "rate_limit"
                wait = self._wait(error, failed, limited, patience)
                if wait is None and door is not None:
                    raise door.worded(error, request) from error
                if wait is None:
                    raise
                problem = error.problem
            yield Waiting(problem=problem, seconds=wait, attempt=failed + limited + 1)
            await self._sleep(wait)
            ready = ready if door is None else await self._made_ready(ready.request, door)
            if shown:
                yield Restarted()

    async def _made_ready(self, request: ModelRequest, door: Door | None) -> _Ready:
        """Return what is sent. Raises ModelError where there is no way in."""
        if door is None:
            entry = Entry(request=request, key=(await self._key(request.profile)).strip())
        else:
            entry = await door.enter(request)
        request, key = self._learned(entry.request), entry.key
        asked = _asked(request, key, self._now())
        if not key and request.profile.needs_key:
            raise asked.error("no_key", f"There is no key for {request.profile.name}.")
        if not key.isascii() or not (key.isprintable()):
            raise asked.error("unusable_key", "The key holds characters that no key has.")
        headers = {**headers_of(request.profile, key), **entry.headers}
        await self.windows.check(request, asked, headers)
        return _Ready(request, body_bytes(request), headers, asked)

    async def window(self, request: ModelRequest) -> int:
        """Return the window in tokens that a request has; a server that says it is asked now and then. Raises
        ModelError unsupported when it is too small for tools.
        """
        if quirks_of(request.profile, request.model).window_from:
            key = (await self._key(request.profile)).strip()
            if key.isascii() and key.isprintable():
                asked = _asked(request, key, self._now())
                await self.windows.check(request, asked, headers_of(request.profile, key))
        return self.windows.of(request.profile, request.model)

    def _learned(self, request: ModelRequest) -> ModelRequest:
        """Return the request without what its model was found to refuse."""
        before, after = self._plainer.get((request.profile.name, request.model), (None, None))
        if after is not None and before == request.profile:
            request = msgspec.structs.replace(request, profile=after)
        return left(request, self.learned.refused(request.profile, request.model))

    def _wait(self, error: ModelError, failed: int, limited: int, patience: Patience) -> float | None:
        """Return the seconds until the next try, None when there is none: what the server asks for, else
        doubling with chance.
        """
        again = (error.code == "rate_limit" and limited <= patience.rate_retries) or (
            error.code in PASSING and not isinstance(error, ErrorEvent) and failed <= patience.retries
        )
        if not again:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= patience.longest_wait else None
        first = 2.0 if error.code == "rate_limit" else 0.5
        return min(first * 2.0 ** (failed + limited - 1), 60.0) * (0.5 + self._chance() / 2)

    async def _attempt(
        self, ready: _Ready, patience: Patience, first: ModelRequest | None = None
    ) -> AsyncGenerator[ModelEvent, None]:
        """Ask once, and again in place of `first` without what was refused; that it was this, and not
        something else in the request, is only known once the server takes the rest.
        """
        request, content, headers, asked = ready
        wire = wire_of(wire_for(request.profile, request.model))
        response = await self._send(
            below(request.profile.base_url, wire.path), content, headers, patience, asked
        )
        try:
            if response.status_code != 200:
                reply = await self._refusal(response, wire, request, asked)
            else:
                if first is not None:
                    self._learn(first, request)
                    if first.images and not request.images:
                        yield PicturesRefused()
                reader = wire.reader(request, asked, self._ids, self._bounds.characters)
                answer = read_answer(response, reader, patience, self._bounds, asked)
                async with aclosing(answer) as events:
                    async for event in events:
                        yield event
                reply = _counted(reader.reply(), request)
        finally:
            await response.aclose()
        if isinstance(reply, ModelRequest):
            plainer = _Ready(reply, body_bytes(reply), headers, asked)
            async with aclosing(self._attempt(plainer, patience, first or request)) as events:
                async for event in events:
                    yield event
            return
        yield Finished(reply=reply)  # the connection is free by now, also for one who stops listening here

    async def _send(
        self, url: str, content: bytes, headers: dict[str, str], patience: Patience, asked: Asked
    ) -> httpx.Response:
        load_httpx()
        import httpx

        try:
            client = self.connections.client(url)
            timeout = httpx.Timeout(
                None, connect=patience.connect, pool=patience.connect, write=WRITE_SECONDS
            )
            async with asyncio.timeout(patience.connect + patience.first_byte):
                return await client.send(
                    client.build_request("POST", url, content=content, headers=headers, timeout=timeout),
                    stream=True,
                )
        except TimeoutError as error:
            raise asked.error("stalled", "The server did not answer in time.") from error
        except (httpx.HTTPError, httpx.InvalidURL, ImportError, ValueError) as error:
            raise self.connections.failed(error, url, asked) from error

    async def _refusal(
        self, response: httpx.Response, wire: Wire, request: ModelRequest, asked: Asked
    ) -> Reply | ModelRequest:
        """Raise the error that an answer stands for, or return the answer that it holds all the same, or the
        request to send in its place.
        """
        raw = await _beginning(response)
        if response.status_code in RESCUED and (reply := wire.rescue(_decoded(raw), request, self._ids)):
            return reply
        error = from_answer(response.status_code, response.headers, raw, asked)
        if error.code == "proxy_failed":
            fields = {**error.problem.fields, "proxy": self.connections.proxy_of(request.profile.base_url)}
            error.problem = msgspec.structs.replace(error.problem, fields=fields)
        raise error

    def _learn(self, refused: ModelRequest, taken: ModelRequest) -> None:
        """Remember what had to be left out: an effort beside the model's list, which is told once; all else
        until the program ends or the profile changes.
        """
        if effort := lost(refused, taken):
            profile, model = refused.profile, refused.model
            self.learned.refuse(profile, model, effort)
            said = "" if effort == UNASKED else effort
            fields = {"profile": profile.title or profile.name, "model": model, "effort": said}
            self._tell(refused.session, Problem(code="effort_refused", fields=fields))
        place = (refused.profile.name, refused.model)
        before, after = self._plainer.get(place, (None, None))
        first = before if before is not None and after == refused.profile else refused.profile
        if taken.profile != refused.profile:
            self._plainer[place] = (first, taken.profile)

    async def close(self) -> None:
        """Close all connections."""
        await self.connections.close()


def body(request: ModelRequest) -> bytes:
    """Return the JSON body exactly as it is sent; a longer conversation's body begins with the same bytes."""
    return body_bytes(request)


def headers_of(profile: Profile, key: str) -> dict[str, str]:
    """Return the headers of a request; the key goes into the one that the profile names."""
    headers = {"content-type": "application/json", "accept": "text/event-stream", **profile.headers}
    if key:
        headers[profile.key_header] = f"{profile.key_prefix}{key}"
    return headers


def _asked(request: ModelRequest, key: str, now: float) -> Asked:
    quirks = quirks_of(request.profile, request.model)
    url = request.profile.base_url
    try:
        host = urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        host = url
    return Asked(
        name=request.profile.name,
        title=request.profile.title or request.profile.name,
        host=host,
        path=urlsplit(url).path if host != url else "",
        endpoint=wire_of(wire_for(request.profile, request.model)).path,
        model=request.model,
        key=key,
        now=now,
        overflow=quirks.overflow,
        unsupported=quirks.unsupported,
    )


def _counted(reply: Reply, request: ModelRequest) -> Reply:
    """Put an estimate in place of the counts that a server did not give."""
    if reply.usage.exact:
        return reply
    said = [reply.text, reply.reasoning, *(call.name + call.arguments for call in reply.calls)]
    seen = PICTURE * sum(len(message.pictures) for message in request.messages) if request.images else 0
    content = body_bytes(msgspec.structs.replace(request, images={})).decode()
    usage = Usage(input=estimate(content) + seen, output=sum(map(estimate, said)), exact=False)
    return msgspec.structs.replace(reply, usage=usage)


def _decoded(raw: bytes) -> object:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


async def _beginning(response: httpx.Response) -> bytes:
    """Return the start of an error's body, as far as it comes in time."""
    import httpx

    raw = bytearray()
    try:
        async with asyncio.timeout(ERROR_SECONDS):
            async for piece in response.aiter_raw():
                raw += piece
                if len(raw) >= ERROR_BODY:
                    break
    except (httpx.HTTPError, TimeoutError):
        return bytes(raw)  # the status says enough
    return bytes(raw)
