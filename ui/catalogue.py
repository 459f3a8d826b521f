"""Read a .po file as it stands, so that translations need no build step and no binary beside them."""

from __future__ import annotations

import ast
import io
import struct
from gettext import GNUTranslations
from pathlib import Path

_MAGIC = 0x950412DE  # GNU gettext manual, "The Format of GNU MO Files"


def entries(text: str) -> dict[str, str]:
    """Return {id: translation} of a .po text without its fuzzy ones; plural forms joined by NUL as in .mo."""
    found: dict[str, str] = {}
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            if line.startswith("#"):
                if line.startswith("#,") and "fuzzy" in line:
                    fields.clear()
                    break
                continue
            if not line.startswith('"'):
                key, _, line = line.partition(" ")
            if line.startswith('"'):
                fields[key] = fields.get(key, "") + ast.literal_eval(line.strip())
        if "msgid" in fields:
            forms = [value for name, value in fields.items() if name.startswith("msgstr")]
            source = fields["msgid"] + ("\0" + fields["msgid_plural"] if "msgid_plural" in fields else "")
            if any(forms):
                found[source] = "\0".join(forms)
    return found


def compiled(found: dict[str, str]) -> bytes:
    """Return the entries as the bytes of a .mo file, which the standard library reads."""
    pairs = sorted((source.encode(), target.encode()) for source, target in found.items())
    start = 28 + 16 * len(pairs)
    tables: tuple[list[bytes], list[bytes]] = ([], [])
    data = b""
    for column in (0, 1):
        for pair in pairs:
            tables[column].append(struct.pack("<II", len(pair[column]), start + len(data)))
            data += pair[column] + b"\0"
    head = struct.pack("<7I", _MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return head + b"".join(tables[0]) + b"".join(tables[1]) + data


def read_catalogue(path: Path) -> GNUTranslations:
    """Return the translations of one .po file."""
    return GNUTranslations(io.BytesIO(compiled(entries(path.read_text("utf-8")))))
