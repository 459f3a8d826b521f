"""Bring a file from the web: streamed into a folder of ours, held against its hash, and only then given its
place in the same way as every other change, so that it can be taken back.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import time
import unicodedata
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import PurePosixPath
from typing import NamedTuple, cast
from urllib.parse import unquote, urlsplit

import msgspec

from app.capabilities.files_arranging import Put
from app.capabilities.files_changing import Files
from app.capabilities.files_paths import odd_windows_name
from app.capabilities.web_addresses import Target
from app.capabilities.web_answers import media_of
from app.capabilities.web_failures import incomplete
from app.capabilities.web_following import Answered, Sender
from app.capabilities.web_sending import Head, Sent, too_large
from app.changes.failures import told
from app.errors import ToolError
from app.models.inflate import Inflater
from app.permissions.protected import protection
from app.platform import trees
from app.platform.plain_text import hides
from app.platform.scratch import folder as new_folder
from app.records import SERVER_NAMES, FilesEffect
from tools import ChangeSet, Download, Operation, Request

LONGEST_NAME = 150
_TOLD_EVERY = 0.5
"""Seconds between two words about how far it is."""
_LOOKS = {
    "pdf": (".pdf",),
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
    "a zip archive or office document": (
        *(".zip", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".jar", ".apk", ".whl"),
    ),
    "a gzip archive": (".gz", ".tgz"),
}
_ENDINGS = {
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "application/json": ".json",
    "text/html": ".html",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
}


class _Staged(NamedTuple):
    """What lies ready: where, how much, its hash, its first bytes, and the name that the server gives it."""

    place: str
    size: int
    sha256: str
    beginning: bytes
    name: str
    media: str


async def download(
    request: Request,
    path: str,
    sha256: str,
    sender: Sender,
    files: Files,
    progress: Callable[[str], None],
    scratch: str = "",
) -> Download:
    """See `tools.ChangeWeb`. Nothing is changed unless the whole file came."""
    expected = _checked_hash(sha256)
    async with _staging(scratch) as place:
        wanted = await asyncio.to_thread(_wanted, request.url, path, files)
        effect = await files.foresee(_put(place, wanted))
        if wanted.open:
            named = tuple(msgspec.structs.replace(one, note=SERVER_NAMES) for one in effect.files)
            effect = msgspec.structs.replace(effect, files=named)
        answered = await _fetched(request, sender, effect, place, progress)
        staged = answered.taken
        if expected and expected != staged.sha256:
            words = f"Its SHA-256 is {staged.sha256}, not {expected}. It was thrown away."
            raise ToolError("hash_mismatch", words, sha256=staged.sha256)
        if wanted.open and staged.name:
            wanted = await asyncio.to_thread(_wanted, staged.name, "", files)
            if protection(
                wanted.target
            ):  # the question left the name to the server, and spoke of no such file
                wanted = await asyncio.to_thread(_wanted, f"download-{staged.name}", "", files)
        made = await files.change(_put(place, wanted))
        same = await asyncio.to_thread(_reads_back, wanted.target, staged)
    return Download(
        url=answered.target.url,
        path=made.files[0].path,
        size=staged.size,
        sha256=staged.sha256,
        kind=staged.media,
        replaced=bool(wanted.expects),
        undo=made.undo,
        verified=same and made.files[0].verified,
        expected=bool(expected),
        looks=looks_like(made.files[0].path, staged.beginning),
    )


class _Wanted(NamedTuple):
    """Where a file shall stand. `expects` is the print of what stands there, "" for nothing; `open` where the
    server may name it.
    """

    path: str
    target: str
    expects: str
    open: bool


def _wanted(url: str, path: str, files: Files) -> _Wanted:
    name = name_of(url)
    into = path.endswith(("/", os.sep)) or (path and os.path.isdir(files.resolve(path)))
    if path and not into:
        target = files.resolve(path)
        return _Wanted(path, target, trees.survey(target).print, False)
    named = os.path.join(path, name or "download")
    free = _free(named, lambda one: not os.path.lexists(files.resolve(one)))
    return _Wanted(free, files.resolve(free), "", not PurePosixPath(name).suffix)


def _free(path: str, is_free: Callable[[str], bool]) -> str:
    """Return the path, or the same with a number where something stands there."""
    stem, ending = os.path.splitext(path)
    names = (f"{stem} ({number}){ending}" if number > 1 else path for number in range(1, 1_000))
    return next((one for one in names if is_free(one)), path)


def _put(place: str, wanted: _Wanted) -> ChangeSet:
    return ChangeSet((cast(Operation, Put(place, wanted.path, (), wanted.expects)),))


async def _fetched(
    request: Request, sender: Sender, saves: FilesEffect, place: str, progress: Callable[[str], None]
) -> Answered[_Staged]:
    async def take(sent: Sent, target: Target) -> _Staged:
        if sent.head.status >= 300:
            raise ToolError(
                "no_answer",
                f"{target.url} answers with HTTP {sent.head.status} {sent.head.reason}. Nothing was written.",
                host=target.host,
                why=f"HTTP {sent.head.status}",
            )
        return await _stream(sent, place, request.most, progress)

    return await sender.ask(request, take, saves, packed=False)


async def _stream(sent: Sent, place: str, most: int, progress: Callable[[str], None]) -> _Staged:
    declared = sent.head.get("content-length")
    total = int(declared) if declared.isdigit() and not sent.head.get("content-encoding") else 0
    if total > most:
        raise too_large(total, most)
    await asyncio.to_thread(_must_fit, place, total)
    hashed, size, beginning, spoke = hashlib.sha256(), 0, b"", 0.0
    try:
        unpack = Inflater(sent.head.get("content-encoding"))
        with open(place, "r+b") as file:
            async for piece in sent.pieces:
                for plain in unpack.feed(piece):
                    size += len(plain)
                    if size > most:
                        raise too_large(size, most)
                    beginning = beginning or plain[:4_096]
                    hashed.update(plain)
                    await asyncio.to_thread(file.write, plain)
                if time.monotonic() - spoke > _TOLD_EVERY:
                    spoke = time.monotonic()
                    progress(_so_far(size, total))
    except OSError as error:
        raise told(error) from error
    except ValueError as error:
        raise ToolError("wrong_kind", f"It is packed in a way that was not asked for: {error}.") from None
    except zlib.error as error:
        raise incomplete(str(error)) from None
    if size and not unpack.whole:
        raise incomplete("its packed data ends in the middle")
    media, _ = media_of(sent.head)
    return _Staged(place, size, hashed.hexdigest(), beginning, _named_by_server(sent.head, media), media)


def _must_fit(place: str, size: int) -> None:
    import shutil

    free = shutil.disk_usage(os.path.dirname(place)).free
    if size > free:
        raise ToolError("disk_full", f"It has {size:,} bytes and the disk has {free:,} left.")


def _so_far(size: int, total: int) -> str:
    done = f"{size / 1e6:,.1f} MB"
    return f"{done} of {total / 1e6:,.1f} MB" if total else done


def _reads_back(target: str, staged: _Staged) -> bool:
    hashed = hashlib.sha256()
    try:
        with open(target, "rb") as file:
            while piece := file.read(1 << 20):
                hashed.update(piece)
    except OSError:
        return False
    return hashed.hexdigest() == staged.sha256


@contextlib.asynccontextmanager
async def _staging(scratch: str) -> AsyncIterator[str]:
    """An empty file in a private folder that goes away."""
    folder = await asyncio.to_thread(new_folder, "bramble-download-", scratch)
    place = os.path.join(folder, "download")
    try:
        await asyncio.to_thread(lambda: open(place, "xb").close())
        yield place
    finally:
        await asyncio.to_thread(trees.remove, folder)


def _checked_hash(text: str) -> str:
    plain = text.strip().lower().removeprefix("sha256:").removeprefix("sha256-").strip()
    if plain and not re.fullmatch(r"[0-9a-f]{64}", plain):
        raise ToolError("bad_arguments", f"{text[:80]!r} is no SHA-256: that has 64 hexadecimal digits.")
    return plain


# --- names -------------------------------------------------------------------------------------------------


def name_of(url: str) -> str:
    """Return a name for the file behind an address, safe on every system; "" where it has none."""
    try:
        path = urlsplit(url).path
    except ValueError:
        path = ""
    return safe_name(unquote(path.rsplit("/", 1)[-1]))


def safe_name(given: str) -> str:
    """Return a name that is one file in its folder, shown as it is: no folders, no hidden files, nothing that
    cannot be seen, no device of Windows.
    """
    text = unicodedata.normalize("NFC", given).replace("\\", "/").rsplit("/", 1)[-1]
    text = "".join(letter for letter in text if letter.isprintable() and not hides(letter))
    text = re.sub(r'[<>:"|?*]+', "_", text).strip(" .")
    stem, ending = os.path.splitext(text)
    text = stem[: LONGEST_NAME - len(ending)] + ending if len(ending) < 20 else text[:LONGEST_NAME]
    while len(text.encode("utf-8", "replace")) > 240:
        text = text[: -len(ending) - 1] + ending if len(ending) < 20 and len(text) > 20 else text[:-1]
    return f"_{text}" if text and odd_windows_name(text) else text


def _named_by_server(head: Head, media: str) -> str:
    """Return the name of Content-Disposition (RFC 6266), else an ending by the media type."""
    said = head.get("content-disposition")
    extended = re.search(r"filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)", said, re.IGNORECASE)
    plain = re.search(r'filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))', said, re.IGNORECASE)
    name = unquote(extended[1]) if extended else (plain[1] or plain[2] or "") if plain else ""
    if name := safe_name(name):
        return name
    return f"download{_ENDINGS[media]}" if media in _ENDINGS else ""


def looks_like(name: str, beginning: bytes) -> str:
    """Return what a file is by its first bytes where that is something else than its name says, "" else."""
    from app.documents.kinds import media_of as picture_of

    ending = PurePosixPath(name).suffix.lower()
    head = beginning.lstrip().lower()
    found = picture_of(beginning)
    if head.startswith((b"<!doctype html", b"<html")):
        return "" if ending in ("", ".html", ".htm", ".xhtml", ".php", ".asp", ".aspx") else "an HTML page"
    if beginning.startswith((b"MZ", b"\x7fELF")):
        return (
            "" if ending in ("", ".exe", ".dll", ".msi", ".bin", ".so", ".appimage", ".run") else "a program"
        )
    found = found or ("pdf" if beginning.startswith(b"%PDF-") else "")
    found = found or ("a zip archive or office document" if beginning.startswith(b"PK\x03\x04") else "")
    found = found or ("a gzip archive" if beginning.startswith(b"\x1f\x8b") else "")
    known = _LOOKS.get(found)
    named = {one for endings in _LOOKS.values() for one in endings}
    if known is None:
        return "" if ending not in named or not beginning else f"not what a {ending} file begins like"
    return "" if ending in known or ending not in named else found.replace("pdf", "a PDF")
