"""Read single text values from the head of a GGUF file (format version 2 and 3, as in the ggml project's
gguf.md).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from app.errors import ModelError

_FIXED = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of the value types of fixed size; 8 is text, 9 an array."""
_TEXT, _ARRAY = 8, 9
LONGEST = 64 << 20
"""Bytes of one value that are believed; a longer one means a broken file."""


def text_value(path: Path, key: str) -> str:
    """Return the text that the file holds under `key`, "" when it has none. Raises ModelError local_failed
    for a broken file.
    """
    try:
        with path.open("rb") as file:
            magic, version, _, entries = struct.unpack("<4sIQQ", file.read(24))
            if magic != b"GGUF" or version not in (2, 3):
                raise ModelError("local_failed", f"{path.name} is no GGUF file.")
            for _ in range(entries):
                name = _text(file)
                (kind,) = struct.unpack("<I", file.read(4))
                if name == key and kind == _TEXT:
                    return _text(file)
                _skip(file, kind)
    except (struct.error, UnicodeDecodeError, KeyError, OSError) as error:
        raise ModelError("local_failed", f"{path.name} is damaged.", detail=str(error)) from error
    return ""


def _text(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    if length > LONGEST:
        raise struct.error("a text is longer than the file can be")
    return file.read(length).decode()


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _TEXT:
        (length,) = struct.unpack("<Q", file.read(8))
        file.seek(length, 1)
    elif kind == _ARRAY:
        inner, count = struct.unpack("<IQ", file.read(12))
        if inner in _FIXED:
            file.seek(count * _FIXED[inner], 1)
        else:
            for _ in range(count):
                _skip(file, inner)
    else:
        file.seek(_FIXED[kind], 1)
