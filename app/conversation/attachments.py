"""What a front end can do with attachments: look at what is to be attached, read it, keep a picture that has
no file, show a kept one, find files by name.
"""

from __future__ import annotations

import asyncio
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from app.attachment_records import PICTURE_ID, Looked, Named
from app.conversation import attaching
from app.conversation.file_names import FileNames
from app.errors import BrambleError

THUMBNAIL = 192, 400_000
"""Longest side in pixels, and most bytes, of the small picture that stands for one."""


class Attachments:
    """Facade over the files that go with messages. Pictures are kept in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = FileNames()
        self._drawing = asyncio.Semaphore(1)
        """Thumbnails are made one at a time: each takes a process."""

    def close(self) -> None:
        """End what is under way."""
        self._names.close()

    async def attach(self, text: str, paths: Sequence[str]) -> str:
        """Return a message with files behind it; see `attaching.attach`."""
        return await attaching.attach(self._folder, text, paths)

    async def part(self, path: str, left: int = attaching.ATTACH_CAP) -> str:
        """Return the part of one file or folder, to be put behind a person's words; `left` are the bytes
        that the parts of a message may still take. Raises as `attaching.part_of`.
        """
        return await attaching.part_of(self._folder, path, left)

    async def keep_picture(self, data: bytes, name: str) -> str:
        """Shrink and keep a picture that has no file, such as one that was pasted; return its part.

        Raises BrambleError attachment_unknown, attachment_empty, too_large, disk_full, no_permission.
        """
        if len(data) > attaching.FILE_CAP:
            raise BrambleError("too_large", f"{name} is too large.", path=name)
        return await attaching.picture_part(self._folder, name, data)

    async def look(self, path: str) -> Looked:
        """Return what stands at a path, a picture with a small one of itself.

        Raises BrambleError not_found, no_permission, attachment_unknown, attachment_empty, too_large.
        """
        kind, size = await asyncio.to_thread(_stand, path)
        if kind == "folder":
            return Looked(kind="folder", path=path)
        if not size:
            raise BrambleError("attachment_empty", f"{path} is empty.", path=path)
        from app.documents.kinds import media_of

        if not media_of(await asyncio.to_thread(_head, path)):
            return Looked(kind="file", path=path, size=size)
        async with self._drawing:
            data = await asyncio.to_thread(attaching.read_whole, path)
            return Looked(kind="picture", path=path, size=size, thumbnail=await self._small(path, data))

    async def picture(self, id: str) -> bytes:
        """Return the bytes of a kept picture. Raises BrambleError not_found."""
        path = self._folder / id
        try:
            if re.fullmatch(PICTURE_ID, id):
                return await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise BrambleError("not_found", f"{path}: {error}", path=str(path)) from error
        raise BrambleError("not_found", f"{id} is no picture.", path=id)

    async def find(self, folder: str, typed: str, limit: int = 20) -> Named:
        """Return paths of files below a folder that go on from what is typed; see `FileNames.find`."""
        return await self._names.find(folder, typed, limit)

    async def _small(self, path: str, data: bytes) -> bytes:
        from app.documents.pictures import fitted

        return (await attaching.apart(path, fitted, data, *THUMBNAIL)).data


def _stand(path: str) -> tuple[str, int]:
    """Return whether a path is a folder or a file, and its bytes. Raises BrambleError."""
    try:
        found = os.stat(path)
    except FileNotFoundError as error:
        raise BrambleError("not_found", f"{path} does not exist.", path=path) from error
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", "") or str(error)
        raise BrambleError("no_permission", f"{path}: {detail}", detail=detail, path=path) from error
    if not stat.S_ISDIR(found.st_mode) and not stat.S_ISREG(found.st_mode):
        raise BrambleError("attachment_unknown", f"{path} is no file.", path=path)
    if found.st_size > attaching.FILE_CAP and stat.S_ISREG(found.st_mode):
        raise BrambleError("too_large", f"{path} is too large.", path=path)
    return ("folder", 0) if stat.S_ISDIR(found.st_mode) else ("file", found.st_size)


def _head(path: str) -> bytes:
    """Return the first bytes of a file, which tell a picture. Raises BrambleError."""
    from app.platform import filesystem

    try:
        return filesystem.read(os.path.realpath(path), 64)
    except OSError as error:
        raise BrambleError("no_permission", f"{path}: {error}", detail=str(error), path=path) from error
