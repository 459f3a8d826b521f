"""A scripted model server whose next answers a test can set while it runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.servers.scripted import Exchange, Script, ScriptedServer, chunk, scripted_in_thread


class ModelServer:
    """`answers` are given out in order, the last one again and again; or `decide` picks one by the body."""

    def __init__(self) -> None:
        self.answers: list[Script] = []
        self.decide: Callable[[dict[str, Any]], Script] | None = None
        self.arrived = threading.Semaphore(0)
        """Counts the requests that have come."""
        self._server: ScriptedServer

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The bodies of all requests to a model so far."""
        return [request.json for request in self._server.requests if request.method == "POST"]

    @property
    def keys(self) -> list[str]:
        """What each request was signed with."""
        return [request.headers.get("authorization", "") for request in self._server.requests]

    def environment(self) -> dict[str, str]:
        """The variables that put this server behind the profile `env`."""
        return {
            "BRAMBLE_BASE_URL": self._server.url,
            "BRAMBLE_API_KEY": "sk-test",
            "BRAMBLE_MODEL": "test-model",
            "BRAMBLE_WIRE": "chat",
        }

    @contextmanager
    def running(self) -> Iterator[ModelServer]:
        """Serve from a thread while inside."""
        with scripted_in_thread(self._answer) as server:
            self._server = server
            yield self

    async def _answer(self, exchange: Exchange) -> None:
        if exchange.request.method == "GET":  # asked for a list of models, as some servers have none
            await exchange.answer(404, {"error": "not found"})
            return
        self.arrived.release()
        if self.decide is not None:
            script = self.decide(exchange.request.json)
        else:
            script = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        await script(exchange)


def holds(text: str) -> Script:
    """A script that begins an answer and never ends it."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"role": "assistant", "content": text}))
        await exchange.gone()

    return script


def breaks_off(text: str) -> Script:
    """A script whose connection breaks in the middle of the answer."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(chunk({"role": "assistant", "content": text}))
        exchange.abort()

    return script
