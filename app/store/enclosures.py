"""What an exported conversation holds beside its messages: the bytes of its pictures and its pinned notes."""

from __future__ import annotations

import binascii
import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from app.attachment_records import PICTURE_ID
from app.record import Record
from app.records import Message, Pin

MOST_BYTES = 100 << 20
"""Bytes of the pictures of one conversation that are written and read; of more, the newest are kept."""
MOST_NOTES = 200
"""Pinned notes that are read; a conversation has far fewer."""


class Enclosed(Record, kw_only=True):
    """What goes with the messages. `left_out` counts pictures beyond MOST_BYTES and those that are gone."""

    pins: tuple[Pin, ...] = ()
    pictures: Mapping[str, bytes] = {}
    left_out: int = 0


def collect(folder: Path, messages: Iterable[Message], pins: Iterable[Pin]) -> Enclosed:
    """Return what goes with these messages; pictures stand in `folder` by their ids. Blocks on the disk."""
    wanted = dict.fromkeys(picture.id for message in messages for picture in message.pictures)
    left, found = MOST_BYTES, dict[str, bytes]()
    for id_ in reversed(wanted):
        data = _read(folder, id_, left)
        if data is not None:
            found[id_] = data
            left -= len(data)
    return Enclosed(pins=tuple(pins), pictures=found, left_out=len(wanted) - len(found))


def as_fields(enclosed: Enclosed) -> dict[str, Any]:
    """Return the fields of an exported conversation that hold it, none where there is nothing."""
    fields: dict[str, Any] = {}
    if enclosed.pins:
        fields["pins"] = [msgspec.to_builtins(pin) for pin in enclosed.pins]
    if enclosed.pictures:
        fields["pictures"] = {id_: b64encode(data).decode() for id_, data in enclosed.pictures.items()}
    if enclosed.left_out:
        fields["pictures_left_out"] = enclosed.left_out
    return fields


def of_fields(data: Mapping[str, Any], messages: Iterable[Message]) -> Enclosed:
    """Return what an exported conversation encloses. Raises ValueError for what is no such thing.

    Only pictures that a message names are taken, and only those that are what their id says; whether they are
    pictures at all is for a process of its own to see.
    """
    pins = msgspec.convert(data.get("pins", []), list[Pin])[:MOST_NOTES]
    named = {picture.id for message in messages for picture in message.pictures}
    texts = msgspec.convert(data.get("pictures", {}), dict[str, str])
    left, found = MOST_BYTES, dict[str, bytes]()
    for id_, text in texts.items():
        if id_ not in named or len(text) * 3 // 4 > left + 3:
            continue
        try:
            raw = b64decode(text, validate=True)
        except binascii.Error as error:
            raise ValueError(f"the picture {id_[:16]!r} is no base64") from error
        if hashlib.sha256(raw).hexdigest()[:16] == id_:
            found[id_] = raw
            left -= len(raw)
    return Enclosed(pins=tuple(pins), pictures=found, left_out=len(named) - len(found))


def _read(folder: Path, id_: str, most: int) -> bytes | None:
    if not re.fullmatch(PICTURE_ID, id_):  # of an imported conversation, which may name any file
        return None
    path = folder / id_
    try:
        return path.read_bytes() if path.stat().st_size <= most else None
    except OSError:
        return None
