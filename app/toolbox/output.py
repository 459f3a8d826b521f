"""Cut long tool output to its head and tail, keep the whole in a spill file, and show nothing hidden."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from app.platform.plain_text import visible

LIMIT = 20_000
"""Characters of one tool result that the model gets, about 5,000 tokens of English."""
WRAP = 2_000
"""Longest line of a spill file in characters, so that read_file can page through it by lines."""
_CHUNK = 1 << 16
"""Characters cleaned at once, few milliseconds of work, so that other threads get their turn."""


class Spill:
    """Keeps whole outputs as FOLDER/SESSION/CALL.txt, readable by the person only (0600)."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder
        self.limit = limit

    def cut(self, text: str, session: str, call: str, *, whole: str = "", size: int = 0) -> str:
        """Return `text` as the model gets it: cleaned, and when too long head and tail with a marker between.

        `whole` names a file that has all of it already (the log of a command), `size` bytes long; else a
        spill file is made. Blocks on the disk: call it in a thread.
        """
        if len(text) <= self.limit:
            text = visible(text)
        if len(text) <= self.limit:
            return text
        head, tail = _ends(text, self.limit)
        if whole and not _has_long_line(whole):
            left_out, kept = f"About {size - len(head) - len(tail):,} bytes", _page(whole, head)
        elif whole:
            left_out, kept = (
                f"About {size - len(head) - len(tail):,} bytes",
                self._keep_log(whole, head, session, call),
            )
        else:
            left_out = f"{len(text) - len(head) - len(tail):,} characters"
            kept = self._keep(_pieces(text), head, session, call)
        line_end = "" if head.endswith("\n") else "\n"
        return f"{head}{line_end}[{left_out} left out here. {kept}]\n{tail}"

    def _keep_log(self, whole: str, head: str, session: str, call: str) -> str:
        """Keep a copy of a log with its long lines wrapped, so that read_file can page through it."""
        with open(whole, encoding="utf-8", errors="backslashreplace", newline="") as log:
            return self._keep(iter(lambda: log.read(_CHUNK), ""), head, session, call)

    def _keep(self, pieces: Iterable[str], head: str, session: str, call: str) -> str:
        try:
            with _new_file(self.folder / safe_name(session), safe_name(call)) as file:
                open_line = ""
                for piece in pieces:
                    text = _wrapped(open_line + visible(piece))
                    end = text.rfind("\n") + 1
                    file.write(text[:end].encode())
                    open_line = text[end:]
                file.write(open_line.encode())
                return _page(str(file.name), _wrapped(head))
        except OSError as error:
            return f"The whole could not be kept ({error.strerror}); ask for less at once."


def _has_long_line(path: str) -> bool:
    """Whether a log has a line that read_file would cut; a log that cannot be read counts as it is."""
    since = 0
    try:
        with open(path, "rb") as log:
            while chunk := log.read(_CHUNK):
                first, last = chunk.find(b"\n"), chunk.rfind(b"\n")
                if first < 0:
                    since += len(chunk)
                    if since > WRAP:
                        return True
                    continue
                lines = chunk[first : last + 1].split(b"\n")
                if since + first > WRAP or max(map(len, lines)) > WRAP:
                    return True
                since = len(chunk) - last - 1
    except OSError:
        return False
    return since > WRAP


def _page(path: str, head: str) -> str:
    return f"All of it: {path}; go on with read_file from offset {head.count(chr(10)) + 1}."


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
