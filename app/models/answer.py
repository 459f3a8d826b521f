"""Reads the body of one HTTP answer within its limits of time and size, and gives what the wire's reader
makes of it.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec

from app.errors import ModelError
from app.models.inflate import Inflater
from app.models.profile import Profile
from app.models.refusal import Asked, from_answer
from app.models.request import ModelEvent
from app.models.sse import EventReader, TooLong
from app.models.wire import AnswerReader
from app.records import Record

if TYPE_CHECKING:
    import httpx

DRAIN = 0.05
"""Seconds for the end of the body after the last event, so that the connection can be used again."""


_FIELDS = (b":", b"data:", b"event:", b"id:", b"retry:")


class Patience(Record, kw_only=True):
    """How long to wait, in seconds, and how often to try again."""

    connect: float = 10.0
    first_byte: float = 120.0
    between: float = 60.0
    quiet: float = 600.0
    """Between two things that an answer says, however busy comments and blanks keep the connection."""
    grace: float = 1.5
    """After the answer is whole, for usage and the end of the stream."""
    retries: int = 2
    """For 5xx before the first byte and cut streams together."""
    rate_retries: int = 5
    longest_wait: float = 300.0
    """A server that asks for more is not waited for."""


def patience_with(patience: Patience, profile: Profile) -> Patience:
    """Return `patience` with the times and tries that a profile sets itself."""
    own = {name: getattr(profile, name) or None for name in ("connect", "first_byte", "between")}
    own |= {name: getattr(profile, name) for name in ("retries", "rate_retries")}
    return msgspec.structs.replace(
        patience, **{name: value for name, value in own.items() if value is not None}
    )


class Bounds(Record, kw_only=True):
    """What one answer may come to before it counts as one that never ends."""

    characters: int = 1_500_000
    """Of text, reasoning and arguments together; the longest answers that models are sold for stay below."""
    line: int = 8 * 1024 * 1024
    whole: int = 16 * 1024 * 1024
    """Bytes of an answer that is not streamed."""
    raw: int = 400 * 1024 * 1024
    """Bytes as they come; a chunk is 100 to 300 bytes around a few characters."""


class _Body:
    """The plain bytes of an answer, each piece waited for at most as long as said."""

    def __init__(self, response: httpx.Response, bounds: Bounds, asked: Asked, quiet: float) -> None:
        self._clock = asyncio.get_running_loop().time
        self._quiet = quiet
        self._spoke = self._clock()
        self._raw = response.aiter_raw()
        self._bounds = bounds
        self._asked = asked
        self._left = bounds.raw
        try:
            self._inflater = Inflater(response.headers.get("content-encoding", ""))
        except ValueError as error:
            raise asked.error("bad_reply", str(error)) from error

    async def next(self, seconds: float) -> bytes | None:
        """Return the next bytes as they came over the network, None at the end. Raises ModelError stalled or
        cut_stream.
        """
        import httpx

        seconds = min(seconds, max(0.0, self._spoke + self._quiet - self._clock()))
        try:
            async with asyncio.timeout(seconds):
                chunk = await anext(self._raw, None)
        except TimeoutError as error:
            raise self._asked.error("stalled", "Nothing was said for too long.") from error
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise self.cut(str(error)) from error
        self._left -= len(chunk or b"")
        if self._left < 0:
            raise self.endless()
        return chunk

    def spoke(self) -> None:
        """Note that something of the answer came, not only what keeps a connection open."""
        self._spoke = self._clock()

    def unpack(self, chunk: bytes) -> list[bytes]:
        """Return the plain text of `chunk` in bounded pieces."""
        pieces: list[bytes] = []
        size = 0
        try:
            for piece in self._inflater.feed(chunk):
                size += len(piece)
                if size > max(self._bounds.line, len(chunk)):
                    raise self.endless()
                pieces.append(piece)
        except zlib.error as error:
            raise self._asked.error("bad_reply", "The answer is packed wrongly.") from error
        return pieces

    def cut(self, detail: str = "") -> ModelError:
        return self._asked.error("cut_stream", "The answer broke off before its end.", detail)

    def endless(self) -> ModelError:
        return self._asked.error("endless", "The answer does not end.")


async def read_answer(
    response: httpx.Response,
    reader: AnswerReader,
    patience: Patience,
    bounds: Bounds,
    asked: Asked,
) -> AsyncGenerator[ModelEvent, None]:
    """Yield the events of an answer with status 200 until it is whole. Raises ModelError.

    What it is shows in its first character, since servers give all sorts of content types: `{` is an answer
    that is not streamed, `<` a page, everything else a stream of events.
    """
    body = _Body(response, bounds, asked, patience.quiet)
    head = bytearray()
    while (chunk := await body.next(patience.between if head else patience.first_byte)) is not None:
        head += b"".join(body.unpack(chunk))
        if head.removeprefix(b"\xef\xbb\xbf").strip():
            body.spoke()
            break
        if len(head) > bounds.line:
            raise body.endless()
    start = bytes(head).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"<":
        raise from_answer(200, {}, bytes(head[:65_536]), asked)
    if start in (b"{", b"["):
        for event in await _whole(body, head, reader, patience, bounds, asked):
            yield event
        return
    if not _looks_like_events(bytes(head)):
        raise asked.error(
            "bad_reply", "The answer is no stream of events.", head[:1000].decode("utf-8", "replace")
        )
    async with aclosing(_stream(body, bytes(head), reader, patience, bounds)) as events:
        async for event in events:
            yield event


async def _whole(
    body: _Body, raw: bytearray, reader: AnswerReader, patience: Patience, bounds: Bounds, asked: Asked
) -> list[ModelEvent]:
    while (chunk := await body.next(patience.between)) is not None:
        for piece in body.unpack(chunk):
            raw += piece
            if not piece.isspace():
                body.spoke()
        if len(raw) > bounds.whole:
            raise body.endless()
    try:
        payload = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        if "truncated" in str(error):
            raise body.cut() from error
        detail = raw[:1000].decode("utf-8", "replace")
        raise asked.error("bad_reply", "The answer is no JSON.", detail) from error
    return reader.take_whole(payload)


def _looks_like_events(head: bytes) -> bool:
    """Whether bytes begin like a field of server-sent events, or are too few to tell."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return any(start.startswith(name) or name.startswith(start) for name in _FIELDS)


async def _stream(
    body: _Body, head: bytes, reader: AnswerReader, patience: Patience, bounds: Bounds
) -> AsyncGenerator[ModelEvent, None]:
    frames = _Frames(reader, bounds.line, body.endless)
    for event in frames.take(head):
        yield event
    until = float("inf")  # set when the answer is whole: what comes later than that is not waited for
    clock = asyncio.get_running_loop().time
    while not reader.done:
        if reader.finished:
            until = min(until, clock() + patience.grace)
        try:
            chunk = await body.next(min(patience.between, max(0.0, until - clock())))
        except ModelError:
            if not reader.finished:
                raise
            return
        if chunk is None:
            for event in frames.end():
                yield event
            return
        for piece in body.unpack(chunk):
            for event in frames.take(piece):
                body.spoke()
                yield event
    await _drain(body)


class _Frames:
    """Bytes of a stream to model events. After the answer is whole, what cannot be read is no error any
    more.
    """

    def __init__(self, reader: AnswerReader, longest_line: int, endless: Callable[[], ModelError]) -> None:
        self._reader = reader
        self._endless = endless
        self._frames = EventReader(longest_line)

    def take(self, piece: bytes) -> Iterator[ModelEvent]:
        """Yield what `piece` completes. Raises ModelError."""
        try:
            for event in self._frames.feed(piece):
                yield from self._reader.take(event)
                if self._reader.done:
                    return
        except TooLong:
            raise self._endless() from None
        except ModelError as error:
            if not (self._reader.finished and error.code in ("bad_reply", "endless")):
                raise

    def end(self) -> Iterator[ModelEvent]:
        """Yield what an unterminated last event brings; half an event means that the stream was cut."""
        event = self._frames.end()
        try:
            yield from self._reader.take(event) if event else ()
        except ModelError as error:
            if error.code != "bad_reply":
                raise  # else `reader.reply()` tells whether the answer was whole


async def _drain(body: _Body) -> None:
    clock = asyncio.get_running_loop().time
    until = clock() + DRAIN
    try:
        while (left := until - clock()) > 0 and await body.next(left) is not None:
            pass
    except ModelError:
        return  # the answer is whole; only the connection cannot be used again
