"""Asks a model over HTTP and streams its answer, with retries, waits and limits."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable

from app.models.profile import Profile
from app.models.request import ModelEvent, ModelRequest
from app.records import Record


class Patience(Record, kw_only=True):
    """How long to wait, in seconds, and how often to try again."""

    connect: float = 10.0
    first_byte: float = 120.0
    between: float = 60.0
    grace: float = 1.5
    """After a finish was seen, for usage and the end of the stream."""
    retries: int = 2
    """For 5xx before the first byte and cut streams together."""
    rate_retries: int = 5
    longest_wait: float = 300.0
    """A server that asks for more is not waited for."""


class ModelClient:
    """Sends requests. `key` gives a profile's key, "" when there is none. Use within one event loop; `close` at the end."""

    def __init__(
        self,
        key: Callable[[Profile], Awaitable[str]],
        *,
        patience: Patience = Patience(),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
    ) -> None: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the answer's events, `Finished` last. Raises `ModelError`. Iterate under `contextlib.aclosing`.

        Cancelling the task that iterates closes the connection at once.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Close all connections."""


def body(request: ModelRequest) -> bytes:
    """Return the JSON body exactly as it is sent; a longer conversation's body begins with the same bytes."""
    raise NotImplementedError
