"""Read what a person types, line by line, inside the event loop, so that waiting for it can be given up."""

from __future__ import annotations

import asyncio
import os
import sys

SETTLE_SECONDS = 0.3
"""What was typed before a question could be read is no answer to it (product 5.5)."""


def _settle(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


class Lines:
    """Lines of a terminal in its own editing mode. One reader at a time."""

    def __init__(self) -> None:
        self._rest = b""

    async def read(self) -> str | None:
        """Return the next line without its end, None when the input has ended."""
        if sys.platform == "win32":  # its loop cannot watch a console
            line = await asyncio.to_thread(sys.stdin.readline)
            return line.rstrip("\n") if line else None
        loop = asyncio.get_running_loop()
        number = sys.stdin.fileno()
        while b"\n" not in self._rest:
            ready: asyncio.Future[None] = loop.create_future()
            loop.add_reader(number, _settle, ready)
            try:
                await ready
            finally:
                loop.remove_reader(number)
            piece = os.read(number, 65536)
            if not piece:
                rest, self._rest = self._rest, b""
                return rest.decode("utf-8", "surrogateescape") if rest else None
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "surrogateescape").rstrip("\r")

    async def settle(self) -> None:
        """Throw away what was typed so far and in the next moment."""
        await asyncio.sleep(SETTLE_SECONDS)
        self._rest = b""
        try:
            import termios

            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        except (ImportError, OSError):
            return  # no terminal of this kind: there is nothing to throw away
