"""Cut long tool output to its head and tail, keep the whole in a spill file, and show nothing hidden."""

from __future__ import annotations

import codecs
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Literal

from app.platform.plain_text import visible

LIMIT = 20_000
"""Characters of one tool result that the model gets, about 5,000 tokens of English."""
WRAP = 2_000
"""Longest line of a spill file in characters, so that read_file can page through it by lines."""
COPY = 64 << 20
SECONDS = 5.0
"""How much of a log that needs cleaning is copied, in bytes, and for how long."""
_CHUNK = 1 << 16
"""Characters cleaned at once, few milliseconds of work, so that other threads get their turn."""


class Spill:
    """Keeps whole outputs as FOLDER/SESSION/CALL.txt, readable by the person only (0600)."""

    def __init__(self, folder: Path, limit: int = LIMIT, clock: Callable[[], float] = time.monotonic) -> None:
        self.folder = folder
        self.limit = limit
        self._clock = clock

    def cut(
        self, text: str, session: str, call: str, *, whole: str = "", size: int = 0, most: int = 0
    ) -> str:
        """Return `text` as the model gets it: cleaned, and when too long head and tail with a marker between.

        `most` are the characters that a model with a small window gets, 0 for all that others get.

        `whole` names a file with the output as it came (the log of a command), which had `size` bytes; else a
        spill file is made. Blocks on the disk when `text` is longer than the limit: call it in a thread then.
        """
        limit = min(self.limit, most or self.limit)
        if len(text) <= limit:
            text = visible(text)
        if len(text) <= limit:
            return text
        head, tail = _ends(text, limit)
        kind = "bytes" if whole else "characters"
        left_out = (size if whole else len(text)) - len(head) - len(tail)
        try:
            if whole:
                kept = self._log(whole, size, head, session, call)
            else:
                kept = f"All of it: {self._keep(_pieces(text), head, session, call)}"
        except OSError as error:
            kept = f"The whole could not be kept ({error.strerror}); ask for less at once."
        line_end = "" if head.endswith("\n") else "\n"
        about = "About " if whole else ""
        return f"{head}{line_end}[{about}{left_out:,} {kind} left out here. {kept}]\n{tail}"

    def _log(self, whole: str, size: int, head: str, session: str, call: str) -> str:
        """Say where a log can be read: itself, or a copy when read_file could not page through it.

        Raises OSError.
        """
        held, kind = os.path.getsize(whole), _kind_of(whole)
        page = (
            _page(whole, head) if kind == "lines" else f"{whole}, which is binary: read_file cannot show it."
        )
        if kind == "endless":
            with open(whole, "rb") as log:
                copy = _Copy(log, self._clock)
                page = self._keep(copy, head, session, call)
                held = copy.taken
        return f"All of it: {page}" if held >= size else f"The first {held:,} bytes of it: {page}"

    def _keep(self, pieces: Iterable[str], head: str, session: str, call: str) -> str:
        """Write a spill file and say how to page through it. Raises OSError."""
        with _new_file(self.folder / safe_name(session), safe_name(call)) as file:
            open_line = ""
            for piece in pieces:
                text = _wrapped(open_line + visible(piece))
                end = text.rfind("\n") + 1
                file.write(text[:end].encode())
                open_line = text[end:]
            file.write(open_line.encode())
            return _page(str(file.name), _wrapped(head))


class _Copy:
    """The text of a log in pieces, until its end, COPY bytes or SECONDS. `taken` counts its bytes."""

    def __init__(self, log: IO[bytes], clock: Callable[[], float]) -> None:
        self.taken = 0
        self._log = log
        self._clock = clock

    def __iter__(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        until = self._clock() + SECONDS
        while self.taken < COPY and self._clock() < until:
            data = self._log.read(min(_CHUNK, COPY - self.taken))
            self.taken += len(data)
            yield decoder.decode(data, not data)
            if not data:
                return


def _kind_of(path: str) -> Literal["lines", "endless", "binary"]:
    """Return whether read_file can page through a log as it is, through a cleaned copy only, or not at all.

    Raises OSError.
    """
    with open(path, "rb") as log:
        sample = log.read(_CHUNK)
        if len(sample.decode(errors="ignore").encode()) < 0.7 * len(sample):
            return "binary"  # noise: a copy would take minutes and say nothing
        since, chunk = 0, sample
        while chunk:
            if b"\0" in chunk:
                return "endless"
            first, last = chunk.find(b"\n"), chunk.rfind(b"\n")
            lines = chunk.split(b"\n")
            if since + len(lines[0]) > WRAP or max(map(len, lines)) > WRAP:
                return "endless"
            since = since + len(chunk) if first < 0 else len(chunk) - last - 1
            chunk = log.read(_CHUNK)
    return "lines"


def _page(path: str, head: str) -> str:
    return f"{path}; go on with read_file from offset {head.count(chr(10)) + 1}."


def _ends(text: str, limit: int) -> tuple[str, str]:
    """Return cleaned head and tail, `limit` characters together at most, at line ends where one is near."""
    half, near = limit // 2, limit // 8
    head, tail = visible(text[:half])[:half], visible(text[-half:])[-half:]
    end, start = head.rfind("\n", half - near), tail.find("\n", 0, near)
    return head[: end + 1 if end > 0 else half], tail[start + 1 :]


def _pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of about _CHUNK characters, cut after a line end where there is one."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _CHUNK, start + 2 * _CHUNK) + 1 or start + 2 * _CHUNK
        yield text[start:end]
        start = end


def _wrapped(text: str) -> str:
    start = 0
    while len(text) - start > WRAP:
        end = text.rfind("\n", start, start + WRAP + 1)
        if end < 0:
            return re.sub(rf"([^\n]{{{WRAP}}})(?=[^\n])", r"\1\n", text)
        start = end + 1
    return text


def _new_file(folder: Path, name: str) -> IO[bytes]:
    """Make a file that was not there; servers use call ids again, so a number may follow the name."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    number = 1
    while True:
        path = folder / (f"{name}.txt" if number == 1 else f"{name}-{number}.txt")
        try:
            return open(path, "xb", opener=lambda path, flags: os.open(path, flags, 0o600))
        except FileExistsError:
            number += 1


def safe_name(text: str) -> str:
    """Return a plain file name of at most 64 characters for an id that came from elsewhere."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", text)[:64] or "_"
