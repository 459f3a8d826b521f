"""Bytes as text and back without loss: the encoding a file is in, and edits spliced into its original bytes.

Only the bytes of an edit are ever written anew; the rest is copied. The result is decoded again and compared
with what was meant, so that an encoding that cannot take the edit (stateful codecs, an unknown one) is
refused with a reason instead of being damaged.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.changes.encodings import guess
from app.changes.lines import split
from app.errors import ToolError

MARKS = (  # utf-32 first: its little-endian mark begins with that of utf-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
PROBE = 8_192  # bytes that are looked at for NUL, as git and grep do


@dataclass(frozen=True)
class Text:
    """A file's bytes and what they say. `text` has no mark (BOM) and keeps every line end as it stands."""

    data: bytes
    text: str
    encoding: str = "utf-8"
    mark: bytes = b""
    errors: str = "strict"

    @property
    def known(self) -> bool:
        """False where the encoding is unknown: then only ASCII may be inserted."""
        return self.errors != "surrogateescape"

    @property
    def old_mac(self) -> bool:
        """Whether lines end at a lone carriage return."""
        return "\r" in self.text and "\n" not in self.text

    @property
    def shown(self) -> str:
        """The encoding as people name it."""
        if not self.known:
            return "unknown"
        return f"{self.encoding} with BOM" if self.mark and self.encoding == "utf-8" else self.encoding


@dataclass(frozen=True)
class Splice:
    """Put `text` in place of the characters `start` to `end` (half open) of a Text."""

    start: int
    end: int
    text: str


def is_binary(data: bytes) -> bool:
    """Whether the bytes are no text: a NUL in the first 8 KiB that no wide encoding explains."""
    if any(data.startswith(mark) and "utf-8" not in name for mark, name in MARKS):
        return False
    return b"\0" in data[:PROBE] and not _wide(data)


def decode(data: bytes) -> Text:
    """Return the bytes as text.

    Never fails, unknown bytes become lone surrogates that encode to themselves.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            found = _try(data, encoding, mark)
            return found or Text(data, data.decode("utf-8", "surrogateescape"), errors="surrogateescape")
    wide = _wide(data)
    found = _try(data, wide, b"") if wide else _try(data, "utf-8", b"")
    if found:
        return found
    codec = "" if b"\0" in data[:PROBE] else guess(data)
    found = _try(data, codec, b"") if codec else None
    return found or Text(data, data.decode("utf-8", "surrogateescape"), errors="surrogateescape")


def decode_like(data: bytes, like: Text) -> Text:
    """Decode with the encoding of another text. Raises ToolError (encoding)."""
    try:
        text = data[len(like.mark) :].decode(like.encoding, like.errors)
    except UnicodeDecodeError as error:
        raise _refused("the edit does not fit into it", like) from error
    return Text(data, text, like.encoding, like.mark, like.errors)


def encode(text: str, like: Text) -> bytes:
    """Return `text` in the encoding of `like`, without its mark.

    Raises ToolError (encoding) that names the character.
    """
    if not like.known and any(letter > "\x7f" and not "\udc80" <= letter <= "\udcff" for letter in text):
        raise _refused("its encoding is unknown, so only ASCII characters can be written into it", like)
    try:
        return text.encode(like.encoding, like.errors)
    except UnicodeEncodeError as error:
        raise _refused(f"it cannot hold the character {text[error.start]!a}", like) from error


def splice(source: Text, splices: Sequence[Splice]) -> Text:
    """Return the text with the splices made; all bytes outside them are the original ones.

    They must not overlap. Raises ToolError (encoding) when a new character does not exist in the file's
    encoding or the bytes would not read back as meant.
    """
    ordered = sorted(splices, key=lambda one: (one.start, one.end))
    places = _offsets(source, [at for one in ordered for at in (one.start, one.end)])
    out, meant, byte, char = [], [], 0, 0
    for number, one in enumerate(ordered):
        out += [source.data[byte : places[2 * number]], encode(one.text, source)]
        meant += [source.text[char : one.start], one.text]
        byte, char = places[2 * number + 1], one.end
    out.append(source.data[byte:])
    meant.append(source.text[char:])
    made = decode_like(b"".join(out), source)
    if made.text != "".join(meant):
        raise _refused("the edit would not read back as it was meant", source)
    return made


def byte_lines(source: Text) -> list[bytes]:
    """Return the bytes of each line of `split(source.text)`, without the mark. Raises ToolError."""
    if not source.encoding.startswith(
        ("utf-16", "utf-32")
    ):  # elsewhere no part of a character looks like a line end
        return _cut(source.data[len(source.mark) :], b"\r" if source.old_mac else b"\n")
    lines = split(source.text)
    ends, at = [], 0
    for line in lines:
        at += len(line)
        ends.append(at)
    places = [len(source.mark), *_offsets(source, ends)]
    return [source.data[start:end] for start, end in pairwise(places)]


def _cut(data: bytes, end: bytes) -> list[bytes]:
    parts = data.split(end)
    last = parts.pop()
    lines = [part + end for part in parts]
    return [*lines, last] if last else lines


def _refused(why: str, like: Text) -> ToolError:
    """Return the error (encoding) that says why bytes cannot be written."""
    return ToolError(
        "encoding",
        f"The file is in the encoding {like.shown}: {why}. Nothing was changed.",
        encoding=like.shown,
    )


def _wide(data: bytes) -> str:
    """Return utf-16 without a mark where nearly every second byte of the beginning is NUL, else ""."""
    probe = data[:PROBE]
    if len(data) % 2 or len(probe) < 4 or b"\0" not in probe:
        return ""
    half = len(probe) // 2
    low, high = probe[0::2].count(0), probe[1::2].count(0)
    if high > 0.7 * half and not low:
        return "utf-16-le"
    return "utf-16-be" if low > 0.7 * half and not high else ""


def _try(data: bytes, encoding: str, mark: bytes) -> Text | None:
    for errors in ("strict", "surrogatepass") if encoding.startswith(("utf-16", "utf-32")) else ("strict",):
        try:
            return Text(data, data[len(mark) :].decode(encoding, errors), encoding, mark, errors)
        except UnicodeDecodeError:
            continue
    return None


def _offsets(source: Text, places: Sequence[int]) -> list[int]:
    """Return the byte offset of each character place; `places` must not fall."""
    out, char, byte = [], 0, len(source.mark)
    for place in places:
        byte = _advance(source, char, place, byte)
        char = place
        out.append(byte)
    return out


def _advance(source: Text, start: int, end: int, byte: int) -> int:
    """Return the byte offset after the characters start to end, which begin at `byte`.

    Encoding them again gives the length, if it gives the same bytes; some codecs read several byte pairs as
    one character, then the bytes are walked one by one.
    """
    piece = _encoded(source, source.text[start:end])
    if piece is not None and source.data.startswith(piece, byte):
        return byte + len(piece)
    if end - start > 256:
        middle = (start + end) // 2
        return _advance(source, middle, end, _advance(source, start, middle, byte))
    return _walk(source, end - start, byte)


def _encoded(source: Text, text: str) -> bytes | None:
    try:
        return text.encode(source.encoding, source.errors)
    except UnicodeEncodeError:
        return None


def _walk(source: Text, wanted: int, byte: int) -> int:
    reader = codecs.getincrementaldecoder(source.encoding)(source.errors)
    seen = 0
    while seen < wanted:
        if byte >= len(source.data):
            raise _refused("the place of the edit cannot be told in its bytes", source)
        seen += len(reader.decode(source.data[byte : byte + 1]))
        byte += 1
    return byte
