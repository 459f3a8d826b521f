"""What a file says, page by page: text in any encoding, the text of a PDF, or the bytes of a picture."""

from __future__ import annotations

import io
import os
from collections.abc import Callable

from app.capabilities.files_work import Abandoned, Stopped
from app.changes.encodings import guess
from app.changes.lines import body, split
from app.changes.text import decode, is_binary
from app.documents.kinds import media_of
from app.errors import ToolError
from app.platform import filesystem
from tools import FileBytes, FileText

WHOLE = 16 * 1024 * 1024
"""Bytes up to which a text file is read whole; larger ones are walked through line by line."""
LINE_CAP = 2_000
"""Characters of one line that are shown."""
PAGE_CAP = 400_000
"""Characters of one page, whatever its count of lines."""
IMAGE_CAP = 8 * 1024 * 1024
PDF_CAP = 64 * 1024 * 1024
PDF_SECONDS = 30.0
_CHUNK = 1 << 20


def mime_of(beginning: bytes) -> str:
    """Return the kind of picture or PDF by the first bytes, "" for anything else."""
    return "application/pdf" if b"%PDF-" in beginning[:1024] else media_of(beginning)


def page(path: str, shown: str, first: int, count: int, stopped: Stopped) -> FileText | FileBytes:
    """Return lines `first` to `first + count - 1` of a text file, or the bytes of another one.

    Of a PDF the bytes are whole up to PDF_CAP; its text is read elsewhere. Raises OSError and ToolError.
    """
    size = filesystem.status(path).size
    beginning = filesystem.read(path, 8_192)
    mime = mime_of(beginning)
    if mime:
        kind, cap = ("pdf", PDF_CAP) if mime == "application/pdf" else ("image", IMAGE_CAP)
        return FileBytes(shown, kind, filesystem.read(path, cap), size, mime)  # type: ignore[arg-type]
    if is_binary(beginning):
        return FileBytes(shown, "binary", b"", size)
    if size > WHOLE:
        return _walked(path, shown, first, count, size, stopped)
    text = decode(filesystem.read(path, WHOLE))
    lines = split(text.text)
    taken, cut = _taken((body(line) for line in lines[first - 1 : first - 1 + count]).__next__, count)
    return FileText(
        path=shown,
        lines=tuple(taken),
        first=first,
        total=len(lines),
        encoding=text.shown,
        size=size,
        cut=cut or first - 1 + len(taken) < len(lines),
    )


def _taken(following: Callable[[], str], count: int) -> tuple[list[str], bool]:
    """Take lines until count or size is reached; long ones are cut."""
    taken: list[str] = []
    size, cut = 0, False
    while len(taken) < count and size < PAGE_CAP:
        try:
            line = following()
        except StopIteration:
            break
        if len(line) > LINE_CAP:
            line = f"{line[:LINE_CAP]}\u2026 [{len(line) - LINE_CAP} more characters in this line]"
            cut = True
        taken.append(line)
        size += len(line) + 1
    return taken, cut


def _walked(path: str, shown: str, first: int, count: int, size: int, stopped: Stopped) -> FileText:
    """Read one page of a large file without keeping the rest; its lines end at a line feed."""
    with filesystem.opened(path) as descriptor:
        beginning = os.read(descriptor, 1 << 16)
        codec, shown_codec = _codec(beginning, shown)
        os.lseek(descriptor, 0, os.SEEK_SET)
        wanted, total, ends = io.BytesIO(), 0, True
        while chunk := os.read(descriptor, _CHUNK):
            if stopped():
                raise Abandoned
            found = chunk.count(b"\n")
            if total + found >= first - 1 and total < first - 1 + count and wanted.tell() < 8 * PAGE_CAP:
                _keep(chunk, total, first, count, wanted)
            total, ends = total + found, chunk.endswith(b"\n")
    lines = wanted.getvalue().decode(codec, "surrogateescape").split("\n")[:count]
    taken, cut = _taken((line.removesuffix("\r") for line in lines).__next__, count)
    total += not ends
    taken = taken[: max(0, total - first + 1)]
    return FileText(
        shown, tuple(taken), first, total, shown_codec, size, cut or first - 1 + len(taken) < total
    )


def _codec(beginning: bytes, shown: str) -> tuple[str, str]:
    text = decode(beginning[: beginning.rfind(b"\n") + 1] or beginning)
    if text.encoding.startswith("utf-16") or text.encoding.startswith("utf-32"):
        raise ToolError("too_large", f"{shown} is too large to be read in the encoding {text.encoding}.")
    if text.known:
        return ("utf-8-sig" if text.mark else text.encoding), text.shown
    return guess(beginning) or "utf-8", text.shown


def _keep(chunk: bytes, before: int, first: int, count: int, wanted: io.BytesIO) -> None:
    """Add the part of a chunk that lies in the wanted lines; `before` line ends came before it."""
    start = 0
    for _ in range(first - 1 - before):
        start = chunk.find(b"\n", start) + 1
    stop, left = start, first - 1 + count - max(before, first - 1)
    for _ in range(left):
        end = chunk.find(b"\n", stop)
        if end < 0:
            stop = len(chunk)
            break
        stop = end + 1
    wanted.write(chunk[start:stop])


def pdf_page(lines: list[str], shown: str, first: int, count: int, size: int) -> FileText:
    """Return one page of the lines of a PDF."""
    taken, cut = _taken(iter(lines[first - 1 : first - 1 + count]).__next__, count)
    return FileText(
        shown, tuple(taken), first, len(lines), "pdf", size, cut or first - 1 + len(taken) < len(lines)
    )
