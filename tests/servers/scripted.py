"""A real HTTP server on a loopback socket that plays scripted bytes, for tests of everything that talks to a
model.

One script is played for each request, in order, the last one again and again. A script is a coroutine
function that gets an `Exchange`: what was asked, and ways to send bytes and to wait for what the other side
does. Nothing here sleeps for luck.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Received:
    """One request as it came: `headers` with lower-case names, `body` as bytes."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass
class Exchange:
    """One request and its answer."""

    request: Received
    number: int
    """Counts the requests of this server from 1."""
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    chunked: bool = False
    over: bool = field(default=False)

    async def raw(self, data: bytes) -> None:
        """Send bytes as they are, at once."""
        self._writer.write(data)
        await self._writer.drain()

    async def head(
        self,
        status: int = 200,
        headers: dict[str, str] | None = None,
        *,
        kind: str = "text/event-stream",
        chunked: bool = True,
    ) -> None:
        """Send the status line and headers. Without `chunked` the body ends with the connection, or by a
        content-length.
        """
        self.chunked = chunked
        lines = {
            "content-type": kind,
            **({"transfer-encoding": "chunked"} if chunked else {}),
            **(headers or {}),
        }
        text = f"HTTP/1.1 {status} X\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        await self.raw(text.encode("latin-1") + b"\r\n")

    async def send(self, data: bytes) -> None:
        """Send a piece of the body."""
        if not data:
            return
        await self.raw(b"%x\r\n%b\r\n" % (len(data), data) if self.chunked else data)

    async def events(self, *payloads: Any) -> None:
        """Send each payload as one event; a str goes out as it is, anything else as JSON."""
        for payload in payloads:
            text = payload if isinstance(payload, str) else json.dumps(payload)
            await self.send(f"data: {text}\n\n".encode())

    async def end(self) -> None:
        """End the body: the last chunk, or the end of the connection."""
        if self.chunked:
            await self.raw(b"0\r\n\r\n")
        else:
            self.close()

    async def answer(
        self, status: int, body: Any, headers: dict[str, str] | None = None, *, kind: str = "application/json"
    ) -> None:
        """Send a whole answer; `body` is bytes, or anything for JSON."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        await self.head(
            status, {"content-length": str(len(data)), **(headers or {})}, kind=kind, chunked=False
        )
        await self.raw(data)

    def close(self) -> None:
        """Close the connection in good order."""
        self.over = True
        self._writer.close()

    def abort(self) -> None:
        """Break the connection."""
        self.over = True
        self._writer.transport.abort()

    async def gone(self) -> None:
        """Wait until the other side has closed the connection."""
        while await self._reader.read(65_536):
            pass


Script = Callable[[Exchange], Awaitable[None]]


@dataclass
class ScriptedServer:
    """The server: `url` ends in /v1, `requests` are all that came so far."""

    scripts: tuple[Script, ...]
    port: int = 0
    scheme: str = "http"
    requests: list[Received] = field(default_factory=list)
    connections: int = 0
    failures: list[BaseException] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{self.scheme}://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        self.connections += 1
        try:
            while (request := await _receive(reader)) is not None:
                self.requests.append(request)
                number = len(self.requests)
                exchange = Exchange(request, number, reader, writer)
                await self.scripts[min(number, len(self.scripts)) - 1](exchange)
                if exchange.over:
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the other side left; tests look at that with `gone`
        except asyncio.CancelledError:
            pass  # the server stops
        except BaseException as error:
            self.failures.append(error)
        finally:
            writer.close()


async def _receive(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, path, headers, body)


@asynccontextmanager
async def scripted(*scripts: Script, tls: ssl.SSLContext | None = None) -> AsyncIterator[ScriptedServer]:
    """Serve scripts from the running loop; `tls` makes it a server of https."""
    server = ScriptedServer(scripts, scheme="https" if tls else "http")
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        await server.serve(reader, writer)

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for failure in server.failures:
        raise failure


@contextmanager
def scripted_in_thread(*scripts: Script, tls: ssl.SSLContext | None = None) -> Iterator[ScriptedServer]:
    """Serve scripts from a thread of their own, for tests that wait for a process."""
    ready = threading.Event()
    box: dict[str, Any] = {}

    async def main() -> None:
        box["stop"], box["loop"] = asyncio.Event(), asyncio.get_running_loop()
        async with scripted(*scripts, tls=tls) as server:
            box["server"] = server
            ready.set()
            await box["stop"].wait()

    def run() -> None:
        try:
            asyncio.run(main())
        except BaseException as error:
            box["error"] = error
        finally:
            ready.set()

    thread = threading.Thread(target=run, name="scripted server")
    thread.start()
    ready.wait(10)
    try:
        yield box["server"]
    finally:
        if "stop" in box:
            box["loop"].call_soon_threadsafe(box["stop"].set)
        thread.join(10)
    if "error" in box:
        raise box["error"]


# --- what a Chat Completions server sends


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    """One chunk with one choice; `fields` stand beside `choices`."""
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "model": "test-model",
        "choices": [choice],
        **fields,
    }


def piece(
    index: int | None = None, id_: str | None = None, name: str | None = None, arguments: str | None = None
) -> dict[str, Any]:
    """One piece of `tool_calls`; what is None is left out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    fields = {"index": index, "id": id_, "type": "function" if name else None, "function": function}
    return {key: value for key, value in fields.items() if value is not None}


def usage_chunk(prompt: int = 10, answer: int = 5, **fields: Any) -> dict[str, Any]:
    """The chunk that carries usage and no choice."""
    usage = {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer, **fields}
    return {"id": "c1", "model": "test-model", "choices": [], "usage": usage}


def streams(*payloads: Any) -> Script:
    """A script that sends payloads as events, then `[DONE]`."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        await exchange.events(*payloads, "[DONE]")
        await exchange.end()

    return script


def says(text: str, **usage: Any) -> Script:
    """A script that answers with plain text in two pieces."""
    half = len(text) // 2
    return streams(
        chunk({"role": "assistant", "content": text[:half]}),
        chunk({"content": text[half:]}),
        chunk(finish="stop"),
        usage_chunk(**usage),
    )


def calls(*made: tuple[str, dict[str, Any]], text: str = "") -> Script:
    """A script that calls tools, side by side, with ids call_N_I for request N."""

    async def script(exchange: Exchange) -> None:
        await exchange.head()
        if text:
            await exchange.events(chunk({"content": text}))
        for index, (name, arguments) in enumerate(made):
            id_ = f"call_{exchange.number}_{index}"
            encoded = json.dumps(arguments)
            await exchange.events(chunk({"tool_calls": [piece(index, id_, name, "")]}))
            await exchange.events(
                chunk({"tool_calls": [piece(index, arguments=encoded[:5])]}),
                chunk({"tool_calls": [piece(index, arguments=encoded[5:])]}),
            )
        await exchange.events(chunk(finish="tool_calls"), usage_chunk(), "[DONE]")
        await exchange.end()

    return script


def fails(
    status: int, body: Any, headers: dict[str, str] | None = None, *, kind: str = "application/json"
) -> Script:
    """A script that answers with an error."""

    async def script(exchange: Exchange) -> None:
        await exchange.answer(status, body, headers, kind=kind)

    return script
