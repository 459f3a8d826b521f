"""Unpacks a compressed answer in small pieces, so that a few bytes cannot become a heap of memory at once.

We ask for no compression; some servers compress all the same, and httpx would unpack a whole chunk in one go
(facts: README, fact 3).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

PIECE = 65_536
"""Bytes of plain text at a time."""


class Inflater:
    """Turns the bytes of one answer into plain bytes. Raises ValueError on an encoding that it does not
    know.
    """

    def __init__(self, encoding: str) -> None:
        known = {"": None, "identity": None, "gzip": 31, "x-gzip": 31, "deflate": 47}
        name = encoding.strip().lower()
        if name not in known:
            raise ValueError(f"content encoding {name[:40]!r}")
        self._bits = known[name]
        self._stream = None if self._bits is None else zlib.decompressobj(self._bits)

    @property
    def whole(self) -> bool:
        """Whether what came so far is not cut off within: packed data says where it ends."""
        return self._stream is None or self._stream.eof

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield pieces of at most PIECE bytes. Raises zlib.error on damaged data."""
        if self._stream is None:
            yield chunk
            return
        while chunk:
            if self._stream.eof:  # of gzip several may stand one behind the other (RFC 1952, 2.2)
                if self._bits != 31 or not chunk.startswith(b"\x1f"):
                    return
                self._stream = zlib.decompressobj(self._bits)
            piece = self._stream.decompress(chunk, PIECE)
            if piece:
                yield piece
            chunk = self._stream.unconsumed_tail or self._stream.unused_data
