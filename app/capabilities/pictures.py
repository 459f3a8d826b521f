"""Pictures that a model makes, for one call: asked about together with the file, saved like every
other change.
"""

from __future__ import annotations

import asyncio
import os
import re
import unicodedata
from collections.abc import Callable
from pathlib import PurePath
from typing import Literal
from urllib.parse import urlsplit

from app.capabilities.files_changing import Files
from app.capabilities.gate import Permit
from app.errors import ModelError, ToolError
from app.models import images
from app.models.images import Job, Maker, Picture
from app.models.models import Models
from app.records import RequestEffect
from app.settings import Settings
from tools import ChangeSet, FileBytes, MadePicture, WriteBytes

_ENDINGS = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/webp": (".webp",),
    "image/gif": (".gif",),
}
_NAME_WORDS = 6


class PictureMaker:
    """Implements `tools.MakePictures`."""

    def __init__(
        self,
        models: Models,
        settings: Callable[[], Settings],
        gate: Permit,
        files: Files,
        progress: Callable[[str], None],
    ) -> None:
        self._models = models
        self._settings = settings
        self._gate = gate
        self._files = files
        self._progress = progress

    async def draw(
        self, prompt: str, *, size: Literal["square", "wide", "tall"] = "square", path: str = ""
    ) -> MadePicture:
        """See MakePictures."""
        maker = await self._maker()
        target = await self._target(path, maker, _slug(prompt.partition("\n")[0]))
        return await self._made(maker, maker.drawing(prompt, size, _ending(target)), target)

    async def edit(self, prompt: str, picture: str, *, mask: str = "", path: str = "") -> MadePicture:
        """See MakePictures."""
        maker = await self._maker()
        shown = await self._picture(picture)
        cover = await self._picture(mask) if mask else None
        beside = PurePath(picture)
        target = await self._target(path, maker, f"{beside.stem}-edited", str(beside.parent))
        return await self._made(maker, maker.editing(prompt, shown, cover, _ending(target)), target)

    async def _maker(self) -> Maker:
        return await images.find(self._models, self._settings().image_model)

    async def _picture(self, path: str) -> Picture:
        found = await self._files.read(path)
        if not isinstance(found, FileBytes) or found.kind != "image":
            raise ToolError("wrong_kind", f"{path} is no picture.", path=path)
        if len(found.data) < found.size:
            raise ToolError("too_large", f"{path} has {found.size:,} bytes, more than is sent.", path=path)
        return Picture(PurePath(path).name, found.mime, found.data)

    async def _target(self, path: str, maker: Maker, name: str, folder: str = "") -> str:
        """Return where the picture goes: what was asked for, or a free name."""
        if path and PurePath(path).suffix and not path.endswith(("/", os.sep)):
            return path
        named = path.rstrip("/" + os.sep) if path else ""
        if named and not await asyncio.to_thread(os.path.isdir, self._files.resolve(named)):
            return named + maker.images.ending
        return await asyncio.to_thread(self._free, named or folder, name, maker.images.ending)

    def _free(self, folder: str, name: str, ending: str) -> str:
        for number in range(1, 1_000):
            more = f"-{number}" if number > 1 else ""
            path = os.path.join(folder if folder != "." else "", f"{name}{more}{ending}")
            if not os.path.lexists(self._files.resolve(path)):
                return path
        return path

    async def _made(self, maker: Maker, job: Job, target: str) -> MadePicture:
        foreseen = await self._files.foresee(ChangeSet((WriteBytes(target, b"\0"),)))
        await self._gate.permit(
            RequestEffect(
                method="POST",
                url=job.url,
                host=urlsplit(job.url).hostname or "",
                port=urlsplit(job.url).port or 0,
                headers=(f"{maker.profile.key_header}: ***",) if maker.key else (),
                body=images.shown(job),
                saves=foreseen,
                fixed="web",
            )
        )
        self._progress(f"{maker.name} makes the picture")
        try:
            made = await images.ask(self._models, maker, job)
        except ModelError as error:  # why a picture was refused stands in the provider's own words
            words = ". ".join(filter(None, (str(error), error.problem.detail)))
            raise ToolError(error.code, f"{words} Nothing was written.", **error.problem.fields) from error
        changed = await self._files.change(ChangeSet((WriteBytes(target, made.data),)))
        file = changed.files[0]
        endings = _ENDINGS.get(made.media, ())
        odd = f"It is {made.media}, though its name says otherwise." if _ending(target) not in endings else ""
        return MadePicture(
            path=file.path,
            place=self._files.resolve(file.path),
            data=made.data,
            media=made.media,
            model=maker.name,
            prompt=made.prompt,
            undo=changed.undo,
            verified=file.verified,
            note=" ".join(filter(None, (changed.note, file.note, odd))),
        )


def _ending(path: str) -> str:
    return PurePath(path).suffix.lower()


def _slug(prompt: str) -> str:
    """Return a name for a file by the first words of a prompt, of plain letters."""
    plain = unicodedata.normalize("NFKD", prompt).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)[:_NAME_WORDS]
    return "-".join(words)[:60].strip("-") or "picture"
