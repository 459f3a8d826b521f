"""Refuses packed documents that would unpack to more than anybody reads, before a library unpacks them."""

from __future__ import annotations

import io
import zipfile
from typing import IO

from app.documents.failing import Unreadable

MOST_UNPACKED = 300 * 1024 * 1024
"""Bytes of all parts of one office file together; a workbook of a million rows stays below."""
MOST_PARTS = 20_000


def check_zip(data: bytes | IO[bytes]) -> None:
    """Raise Unreadable for a zip (its bytes, or the open file) that is damaged, or says or turns out to be
    too large.

    Sizes in a directory may lie, so nothing more than is said there is ever unpacked by zipfile itself.
    """
    try:
        parts = zipfile.ZipFile(io.BytesIO(data) if isinstance(data, bytes) else data).infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise Unreadable("broken", str(error)) from None
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise Unreadable("too_large", f"It unpacks to more than {MOST_UNPACKED >> 20} MiB.")
    if any(part.flag_bits & 1 for part in parts):
        raise Unreadable("locked", "It is locked with a password.")
