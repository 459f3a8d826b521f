"""Looks for a secret where none may be: in every file below a folder, however it is written there."""

from __future__ import annotations

import base64
import gzip
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus


def spellings(secret: str) -> list[bytes]:
    """A secret as it might stand somewhere: plain, for an address, in base64 at any place of a text."""
    raw = secret.encode()
    found = [raw, raw.hex().encode(), secret.encode("utf-16-le")]
    found += [quote(secret).encode(), quote(secret, safe="").encode(), quote_plus(secret).encode()]
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        # What stands before and behind it shifts its letters and changes those at both ends.
        found += [encode(b"x" * before + raw)[4 if before else 0 : -4] for before in range(3)]
    return found


def holds(data: bytes, *secrets: str) -> bool:
    """Whether bytes hold one of the secrets in any spelling."""
    return any(one in data for secret in secrets for one in spellings(secret))


def assert_nowhere(folder: Path, *secrets: str, but: str = "") -> int:
    """No file below a folder holds a secret in any spelling, nor what is packed in it, except the one named
    `but`; return how many files were looked at.
    """
    looked = 0
    for path in folder.rglob("*"):
        if path.is_file() and path.name != but:
            looked += 1
            for data in _unpacked(path.read_bytes()):
                assert not holds(data, *secrets), path
    assert looked > 2
    return looked


def _unpacked(data: bytes) -> Iterator[bytes]:
    yield data
    if data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            for name in packed.namelist():
                yield name.encode() + packed.read(name)
