"""Pictures of a conversation on their way to a model: their bytes for a request, those of a tool's result,
and the ones that a provider refused.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.attachment_records import PICTURE_ID
from app.conversation.attaching import READ_SECONDS, keep
from app.errors import BrambleError
from app.models.request import ModelRequest
from app.records import Message, Picture
from app.store import kept
from app.store.columns import pack
from app.store.database import Store

log = logging.getLogger(__name__)

MOST_RESULTS = 8
"""Pictures of one result that go to the model."""
REFUSED = "pictures refused"


async def bytes_of(
    store: Store, folder: Path, session: str, model: str, history: Iterable[Message]
) -> dict[str, bytes]:
    """Return the pictures of an effective history by their ids, without those that this model's provider has
    refused in this session; one that is gone from the disk is left out too.
    """
    wanted = dict.fromkeys(picture.id for message in history for picture in message.pictures)
    if not wanted:
        return {}
    refused = await _refused(store, session, model)
    return await asyncio.to_thread(_read, folder, [one for one in wanted if one not in refused])


async def refuse(store: Store, request: ModelRequest) -> None:
    """Note that the pictures of a request were refused, so that the next ones begin as it did without."""
    model = f"{request.profile.name}/{request.model}"
    refused = await _refused(store, request.session, model) | set(request.images)
    await store.write(kept.put, request.session, f"{REFUSED} {model}", pack(sorted(refused)))


async def shots(folder: Path, images: Sequence[bytes], name: str) -> tuple[Picture, ...]:
    """Keep the pictures of a tool's result for the model, shrunk; what is none is left out, the result's text
    speaks of it.
    """
    from app.capabilities.files_work import in_process
    from app.documents.failing import Unreadable
    from app.documents.pictures import fitted

    found: list[Picture] = []
    for image in images[:MOST_RESULTS]:
        try:
            fit = await in_process(fitted, image, seconds=READ_SECONDS)
            id_ = await asyncio.to_thread(keep, folder, fit.data)
        except (Unreadable, BrambleError, TimeoutError, MemoryError, RuntimeError) as error:
            log.warning("a picture of %s does not go to the model: %s", name, error)
            continue
        found.append(Picture(id=id_, media=fit.media, width=fit.width, height=fit.height, name=name))
    return tuple(found)


async def _refused(store: Store, session: str, model: str) -> set[str]:
    from app.conversation.prefix import kept_as

    return set(await kept_as(store, session, f"{REFUSED} {model}", list[str]) or ())


def _read(folder: Path, ids: Iterable[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for id_ in ids:
        if not re.fullmatch(PICTURE_ID, id_):  # of an imported conversation, which may name any file
            log.warning("%r is no picture of ours", id_)
            continue
        try:
            found[id_] = (folder / id_).read_bytes()
        except OSError as error:
            log.warning("picture %s cannot be read: %s", id_, error)
    return found
