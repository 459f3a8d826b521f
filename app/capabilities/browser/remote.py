"""Speaks with a browser over its pipes (Chrome DevTools Protocol, JSON ended by NUL)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

MOST = 48 * 1024 * 1024
"""Bytes of one message."""
_PIECE = 256 * 1024
Heard = Callable[[str, str, Mapping[str, Any]], None]
"""Gets the session, the method and the parameters of an event."""


class BrowserGone(Exception):
    """The browser ended, or answered with an error; the text says what it said."""


class Remote:
    """One browser. `heard` gets its events; it is called in the loop and must not block."""

    def __init__(self, reading: int, writing: int, heard: Heard) -> None:
        """Takes over both descriptors, ours of the two pipes."""
        self._reading = reading
        self._writing = writing
        self._heard = heard
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._buffer = bytearray()
        self._ended = False
        os.set_blocking(reading, False)
        os.set_blocking(writing, True)  # our messages are far smaller than a pipe
        asyncio.get_running_loop().add_reader(reading, self._readable)

    async def call(self, method: str, session: str = "", **parameters: Any) -> Any:
        """Return the result of a method. Raises BrowserGone."""
        if self._ended:
            raise BrowserGone("the browser has ended")
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            os.write(self._writing, json.dumps(message).encode() + b"\0")
        except OSError as error:
            self._end()
            raise BrowserGone("the browser has ended") from error
        try:
            return await answer
        finally:
            self._waiting.pop(number, None)

    def close(self) -> None:
        """Let go of the pipes, whereupon a browser ends by itself."""
        self._end()
        for descriptor in (self._reading, self._writing):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _readable(self) -> None:
        try:
            data = os.read(self._reading, _PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self._buffer += data
        if not data or len(self._buffer) > MOST:
            self._end()
            return
        *whole, rest = self._buffer.split(b"\0")
        self._buffer = rest
        for one in whole:
            self._take(json.loads(one))

    def _take(self, message: Mapping[str, Any]) -> None:
        waiting = self._waiting.get(message.get("id", 0))
        if waiting is None:
            if "method" in message:
                self._heard(message.get("sessionId", ""), message["method"], message.get("params", {}))
        elif not waiting.done():
            if "error" in message:
                waiting.set_exception(BrowserGone(str(message["error"].get("message", "an error"))))
            else:
                waiting.set_result(message.get("result", {}))

    def _end(self) -> None:
        if self._ended:
            return
        self._ended = True
        asyncio.get_running_loop().remove_reader(self._reading)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(BrowserGone("the browser has ended"))
