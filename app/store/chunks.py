"""Long secrets in keyrings that take only short ones: pure splitting, with a manifest that is written last.

Windows takes 2,560 bytes a credential and keyring writes UTF-16, so 1,280 units (facts:
pydantic-ai-harness#886).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

LIMIT = 1200
"""UTF-16 units a part; a little under what Windows takes."""
_MANIFEST = "bramble-parts:"


def split(text: str, limit: int = LIMIT) -> list[str]:
    """Return the text in parts of at most `limit` UTF-16 units, no character cut in two; [text] when it is
    short.
    """
    parts, current, used = [], "", 0
    for character in text:
        units = 2 if ord(character) > 0xFFFF else 1
        if used + units > limit:
            parts.append(current)
            current, used = "", 0
        current += character
        used += units
    return [*parts, current]


def manifest(parts: Sequence[str]) -> str:
    """Return what stands under the secret's own name: how many parts, and the hash of the whole."""
    return f"{_MANIFEST}{len(parts)}:{_hash(''.join(parts))}"


def part_count(text: str) -> int:
    """Return how many parts a manifest names, 0 for a text that is a secret itself."""
    if not text.startswith(_MANIFEST):
        return 0
    return int(text.removeprefix(_MANIFEST).partition(":")[0])


def join(manifest_text: str, parts: Sequence[str | None]) -> str | None:
    """Return the whole secret, None when a part is missing or of another writing."""
    whole = "".join(part for part in parts if part is not None)
    expected = manifest_text.rpartition(":")[2]
    return whole if None not in parts and _hash(whole) == expected else None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
