"""Put attached files into a message: the text of files and documents as fenced parts, folders as lists,
pictures beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from app.attachment_records import MOST_PICTURES, attachments_of, joined, own_words as own_words
from app.errors import BrambleError
from app.permissions.marks import merged
from app.platform.plain_text import visible
from app.records import Mark, Picture

T = TypeVar("T")

ATTACH_CAP = 256 * 1024
"""Bytes of text of all attached files together, about 65,000 tokens of English."""
FILE_CAP = 64 * 1024 * 1024
"""Bytes of one document or picture as it lies on the disk."""
MOST_NAMES = 500
"""Names of an attached folder."""
READ_SECONDS = 60.0
"""How long one document may take to be read."""
_CODES = {"locked": "attachment_locked", "empty": "attachment_empty", "too_large": "too_large"}


async def attach(folder: Path, text: str, paths: Sequence[str]) -> str:
    """Return the message with the files behind it; pictures are shrunk and kept in `folder`.

    What is attached stands in the text alone, so a message that is queued, edited or asked again keeps it.
    Raises BrambleError naming the path: see `part_of`, and too_many_pictures. Nothing is attached then.
    """
    parts, left = list[str](), ATTACH_CAP
    for path in paths:
        part = await part_of(folder, path, left)
        left -= len(part.encode("utf-8", "surrogatepass"))
        parts.append(part)
    whole = joined(text, parts)
    if len(pictures_of(whole)) > MOST_PICTURES:
        raise BrambleError(
            "too_many_pictures", f"More than {MOST_PICTURES} pictures.", most=str(MOST_PICTURES)
        )
    return whole


def pictures_of(text: str) -> tuple[Picture, ...]:
    """Return the pictures that were attached to a message, in their order, each once."""
    found = (part.picture for part in attachments_of(text))
    return tuple({picture.id: picture for picture in found if picture is not None}.values())


async def attached_marks(text: str, cwd: str) -> tuple[Mark, ...]:
    """Return a mark for each attached file that lies outside of the working folder."""
    names = [part.name for part in attachments_of(text)]
    return await asyncio.to_thread(_marks_of, names, cwd) if names else ()


def _marks_of(names: Sequence[str], cwd: str) -> tuple[Mark, ...]:
    """Block on the disk, which may be one of the network that does not answer."""
    paths = (str(Path(cwd, name).resolve()) for name in names)
    return merged(Mark(kind="file", name=path) for path in paths if not Path(path).is_relative_to(cwd))


async def part_of(folder: Path, path: str, left: int = ATTACH_CAP) -> str:
    """Return the part of one file or folder for a message that has so many bytes left; a picture is shrunk
    and kept in `folder`.

    Raises BrambleError naming the path: not_found, no_permission, attachment_unknown (no text, document or
    picture), attachment_locked, attachment_empty, too_large, disk_full.
    """
    if await asyncio.to_thread(os.path.isdir, path):
        return _fenced("folder", path, await asyncio.to_thread(_names, path))
    data = await asyncio.to_thread(read_whole, path)
    if not data:
        raise BrambleError("attachment_empty", f"{path} is empty.", path=path)
    from app.documents.kinds import ENCRYPTED, kind_of
    from app.documents.reading import READABLE

    kind = kind_of(data)
    if kind == "old office" and ENCRYPTED in data:
        raise BrambleError("attachment_locked", f"{path} is locked with a password.", path=path)
    if kind == "picture":
        return await picture_part(folder, path, data)
    if kind in READABLE:
        from app.documents.reading import lines_of

        lines = await apart(path, lines_of, data, kind)
        return _fenced("file", path, _cut(lines, left, path))
    return await asyncio.to_thread(_text, path, data, left)


async def picture_part(folder: Path, path: str, data: bytes) -> str:
    """Return the part of a picture, which is shrunk in a process of its own and kept in `folder`; `path` may
    be any name that people know it by. Raises BrambleError as `part_of` does.
    """
    from app.documents.pictures import fitted

    fit = await apart(path, fitted, data)
    id_ = await asyncio.to_thread(keep, folder, fit.data)
    return f"Attached picture `{_named(path)}` ({fit.media}, {fit.width} x {fit.height}, {id_})"


async def apart(path: str, work: Callable[..., T], *args: Any) -> T:
    """Return what `work` makes of somebody else's bytes, in a process of its own. Raises BrambleError."""
    from app.capabilities.files_work import in_process
    from app.documents.failing import Unreadable

    try:
        return await in_process(work, *args, seconds=READ_SECONDS)
    except Unreadable as error:
        code, detail = _CODES.get(error.why, "attachment_unknown"), error.detail
    except (TimeoutError, MemoryError, RuntimeError) as error:  # it ran wild, or its process died of it
        code, detail = "too_large", type(error).__name__
    raise BrambleError(code, f"{path} cannot be attached: {code}.", detail=detail, path=path)


def keep(folder: Path, data: bytes) -> str:
    """Keep the bytes of a picture and return its id, the beginning of its hash. Blocks. Raises BrambleError
    disk_full, no_permission.
    """
    from app.platform import filesystem
    from app.platform.ids import new_id
    from app.platform.paths import make_private

    id_ = hashlib.sha256(data).hexdigest()[:16]
    target = folder / id_
    try:
        make_private(folder)
        with contextlib.suppress(FileNotFoundError):
            os.utime(target)  # a night may be about to clear it away, if nobody named it for long
            return id_
        with contextlib.suppress(FileExistsError):  # another process was first
            filesystem.prepare(str(target), data, f".{new_id()}", mode=0o600).put()
    except OSError as error:
        code = "disk_full" if error.errno in filesystem.FULL else "no_permission"
        raise BrambleError(code, f"{target}: {error}", detail=str(error), path=str(target)) from error
    return id_


def read_whole(path: str) -> bytes:
    """Return a whole file. Blocks. Raises BrambleError."""
    from app.platform import filesystem  # most messages have no files

    try:
        found = os.stat(path)
        size = found.st_size
        if not stat.S_ISREG(found.st_mode):  # a pipe would never end
            raise BrambleError("attachment_unknown", f"{path} is no file.", path=path)
        data = b"" if size > FILE_CAP else filesystem.read(os.path.realpath(path), FILE_CAP + 1)
    except FileNotFoundError as error:
        raise BrambleError("not_found", f"{path} does not exist.", path=path) from error
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", "") or str(error)
        raise BrambleError("no_permission", f"{path}: {detail}", detail=detail, path=path) from error
    if max(size, len(data)) > FILE_CAP:
        raise _too_large(path)
    return data


def _text(path: str, data: bytes, left: int) -> str:
    from app.changes.text import decode, is_binary

    if len(data) > left:
        raise _too_large(path)
    found = decode(data)
    if is_binary(data) or not found.known or data.startswith(b"{\\rtf"):
        raise BrambleError("attachment_unknown", f"{path} is no text, so it cannot be attached.", path=path)
    text = visible(found.text)  # what nobody sees would be said to the model behind the person's back
    if len(text) > len(found.text) and len(text.encode("utf-8", "surrogatepass")) > left:
        raise _too_large(path)
    return _fenced("file", path, text)


def _too_large(path: str) -> BrambleError:
    cap = f"{ATTACH_CAP // 1024} KiB"
    return BrambleError("too_large", f"Texts of at most {cap} together can be attached.", path=path)


def _cut(lines: Sequence[str], left: int, path: str) -> str:
    """Return as many lines as fit, and how many are left out."""
    taken: list[str] = []
    for line in map(visible, lines):
        left -= len(line.encode("utf-8", "surrogatepass")) + 1
        if left < 0:
            break
        taken.append(line)
    if not taken:
        raise _too_large(path)
    more = len(lines) - len(taken)
    return "\n".join([*taken, f"[{more} more lines are left out]"] if more else taken)


def _names(path: str) -> str:
    """Return what a folder holds, two levels deep, folders with a slash, files with their size in bytes."""
    lines: list[str] = []
    for top, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        depth = len(Path(top).relative_to(path).parts)
        room = MOST_NAMES + 1 - len(lines)  # of a hundred thousand names only these are looked at
        lines += [_entry(path, os.path.join(top, name)) for name in sorted(names)[:room]]
        if depth:
            lines += [f"{os.path.relpath(os.path.join(top, name), path)}/" for name in folders[:room]]
            folders.clear()
        if len(lines) > MOST_NAMES:
            break
    more = ["[more is left out]"] if len(lines) > MOST_NAMES else []
    return "\n".join([*map(visible, lines[:MOST_NAMES]), *more]) or "[empty]"


def _entry(root: str, path: str) -> str:
    try:
        found = os.lstat(path)
    except OSError:
        return os.path.relpath(path, root)
    size = f" ({found.st_size} bytes)" if stat.S_ISREG(found.st_mode) else ""
    return f"{os.path.relpath(path, root)}{size}"


def _fenced(kind: str, path: str, text: str) -> str:
    # A fence ends at the next one that is at least as long (CommonMark 0.31, 4.5).
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    end = "" if text.endswith("\n") or not text else "\n"
    return f"Attached {kind} `{_named(path)}`:\n\n{fence}\n{text}{end}{fence}"


def _named(path: str) -> str:
    return visible(path).replace("\n", " ").replace("`", "'")
