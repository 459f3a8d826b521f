"""A conversation as it is carried away and brought back: with its pinned notes and its pictures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.conversation.attaching import READ_SECONDS, keep
from app.conversation.pins import ALL, LONGEST
from app.errors import BrambleError
from app.store import export, importing
from app.store.enclosures import Enclosed, collect

if TYPE_CHECKING:
    from app.records import Pin
    from app.store.database import Store
    from app.store.incoming import Conversation

log = logging.getLogger(__name__)

MOST_LETTERS = 1 << 29
"""Characters of a text that is imported; the export of years of talk elsewhere has a tenth of it."""
_AT_ONCE = 16 << 20
"""Bytes of pictures that one process looks at."""


async def packed(store: Store, folder: Path, session: str, form: export.Form) -> str:
    """Return a session as text; pictures stand in `folder`. Raises StoreError no_session."""
    info, found, notes = await store.read(export.gather, session, form)

    def work() -> str:
        enclosed = collect(folder, found if form == "json" else (), notes)
        return export.render(info, found, enclosed, form)

    return await asyncio.to_thread(work)


async def unpacked(folder: Path, text: str) -> Sequence[Conversation]:
    """Return the conversations of an exported text, whose pictures are in `folder` by then; what is no
    picture as we keep them is left out, as if it were gone from the disk.

    Raises StoreError bad_import, BrambleError too_large, disk_full, no_permission.
    """
    if len(text) > MOST_LETTERS:
        raise BrambleError("too_large", "This file is too large to be imported.")
    found = await asyncio.to_thread(importing.read, text)
    return [await _settled(folder, conversation) for conversation in found]


async def _settled(folder: Path, conversation: Conversation) -> Conversation:
    enclosed = conversation.enclosed
    for some in _batches(enclosed.pictures):
        for id_ in await _sound(some):
            await asyncio.to_thread(keep, folder, some[id_])
    return replace(conversation, enclosed=Enclosed(pins=tuple(_bounded(enclosed.pins))))


async def _sound(pictures: Mapping[str, bytes]) -> Iterable[str]:
    """Return the ids of those that are pictures as we keep them, in a process of its own: whoever wrote the
    file may have put anything there.
    """
    from app.capabilities.files_work import in_process
    from app.documents.pictures import that_fit

    try:
        return await in_process(that_fit, dict(pictures), seconds=READ_SECONDS)
    except (TimeoutError, MemoryError, RuntimeError) as error:
        log.warning("%d imported pictures cannot be read: %s", len(pictures), error)
        return ()


def _batches(pictures: Mapping[str, bytes]) -> Iterator[dict[str, bytes]]:
    some, size = dict[str, bytes](), 0
    for id_, data in pictures.items():
        if some and size + len(data) > _AT_ONCE:
            yield some
            some, size = {}, 0
        some[id_] = data
        size += len(data)
    if some:
        yield some


def _bounded(notes: Iterable[Pin]) -> Iterator[Pin]:
    """Yield the notes that have room: they go with every request for good."""
    left = ALL
    for pin in notes:
        pin = msgspec.structs.replace(pin, text=pin.text.strip())
        if pin.text and len(pin.text) <= min(LONGEST, left):
            left -= len(pin.text)
            yield pin
