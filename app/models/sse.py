"""Server-sent events out of raw bytes: lines end at CR, LF or CRLF and at nothing else, however the bytes
are cut.

`httpx`'s own line splitting also cuts at U+2028 and its kin, which are legal inside JSON (facts: README,
fact 2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


class TooLong(Exception):
    """One line is longer than the limit."""


class ServerEvent(NamedTuple):
    """One event: its name ("" where none was given) and its data lines joined by LF."""

    name: str
    data: str


class EventReader:
    """Takes bytes as they arrive and gives whole events; comments, ids and retry fields are dropped."""

    def __init__(self, longest_line: int) -> None:
        self._longest = longest_line
        self._rest = bytearray()
        self._begun = False
        self._after_cr = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[ServerEvent]:
        """Yield the events that `chunk` completes. Raises TooLong."""
        seen = len(self._rest)
        self._rest += chunk
        if not self._begun:
            if _BOM.startswith(self._rest[: len(_BOM)]) and len(self._rest) < len(_BOM):
                return
            self._begun = True
            seen = 0
            if self._rest.startswith(_BOM):
                del self._rest[: len(_BOM)]
        yield from self._lines(seen)
        if len(self._rest) > self._longest:
            raise TooLong

    def end(self) -> ServerEvent | None:
        """Return what an unterminated last event holds, for the caller to judge: some servers forget the
        last line end.
        """
        if self._rest:
            self._field(bytes(self._rest).rstrip(b"\r"))
            self._rest.clear()
        return self._take()

    def _lines(self, look_from: int) -> Iterator[ServerEvent]:
        """Cut whole lines off the front; text before `look_from` is known to hold no line end."""
        start = 0
        if self._after_cr and self._rest:
            self._after_cr = False
            start = int(self._rest.startswith(b"\n"))  # the second half of a CRLF that was cut in two
        while match := _LINE_END.search(self._rest, max(start, look_from)):
            self._after_cr = match.group() == b"\r" and match.end() == len(self._rest)
            line = bytes(self._rest[start : match.start()])
            start = match.end()
            if len(line) > self._longest:
                raise TooLong
            if line:
                self._field(line)
            elif event := self._take():
                yield event
        del self._rest[:start]

    def _field(self, line: bytes) -> None:
        name, _, value = line.decode("utf-8", "replace").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value

    def _take(self) -> ServerEvent | None:
        event = ServerEvent(self._name, "\n".join(self._data)) if self._data else None
        self._name = ""
        self._data = []
        return event
