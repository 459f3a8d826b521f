"""Keep what a command says: in memory while it is little, in a file when it is much, never without end."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Keep:
    """How many bytes are kept where. `edge` is what is shown of each end when there is more."""

    memory: int = 256 << 10
    edge: int = 64 << 10
    disk: int = 64 << 20


@dataclass(frozen=True)
class Piece:
    """A part of the output: `head`, then `gap` bytes left out, then `tail`; `end` is where it stops."""

    head: bytes
    gap: int
    tail: bytes
    end: int


class CommandLog:
    """The output of one command. `size` counts all its bytes, also those that were not kept."""

    def __init__(self, path: Path, keep: Keep) -> None:
        self.path = path
        self.keep = keep
        self.size = 0
        self.kept = 0
        """Bytes from the start that are in the file."""
        self.whole = ""
        """The file that holds the output, "" while all of it is in memory."""
        self.problem = ""
        """Why the file could not be written."""
        self._file = -1
        self._memory = bytearray()
        """All bytes while there is no file, else the newest."""

    @property
    def flooded(self) -> bool:
        """Whether more came than is kept, so that reading on needs no haste."""
        return self.size > self.keep.disk or bool(self.problem)

    def add(self, data: bytes) -> None:
        """Take more output in. A full disk leaves what is there and is told in `problem`."""
        self.size += len(data)
        self._memory += data
        if self._file >= 0:
            self._write(data)
        elif self.size > self.keep.memory and not self.problem:
            self._begin_file()
        if self.size > self.keep.memory and len(self._memory) > 4 * self.keep.edge:
            del self._memory[: -self.keep.edge]

    def _begin_file(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            self.problem = error.strerror or str(error)
            return
        self.whole = str(self.path)
        self._write(bytes(self._memory))

    def _write(self, data: bytes) -> None:
        if self.problem or self.kept >= self.keep.disk:
            return
        rest = memoryview(data)[: self.keep.disk - self.kept]
        try:
            while rest:  # a disk that fills up takes a part first
                written = os.write(self._file, rest)
                self.kept += written
                rest = rest[written:]
        except OSError as error:
            self.problem = error.strerror or str(error)

    def read(self, start: int = 0) -> Piece:
        """Return the output from byte `start` on (negative: from the end); without its middle when long."""
        edge = self.keep.edge
        start = min(max(start if start >= 0 else self.size + start, 0), self.size)
        length = self.size - start
        head = self._bytes(start, length if length <= 2 * edge else edge)
        rest = length - len(head)
        tail = bytes(self._memory[-min(edge, rest) :]) if rest else b""
        return Piece(head, rest - len(tail), tail, self.size)

    def last(self, count: int) -> bytes:
        """Return the last `count` bytes, fewer when there are not so many."""
        return bytes(self._memory[-min(count, self.keep.edge) :])

    def _bytes(self, start: int, count: int) -> bytes:
        """Return up to `count` bytes from `start` on; fewer at the end of the file or when it is gone."""
        first = self.size - len(self._memory)
        if start >= first:
            return bytes(self._memory[start - first : start - first + count])
        if start >= self.kept:
            return b""
        try:
            with open(self.path, "rb") as file:
                file.seek(start)
                return file.read(min(count, self.kept - start))
        except OSError:
            return b""

    def close(self) -> None:
        """Close the file. What it holds can still be read."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
