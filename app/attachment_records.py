"""What stands behind a person's words in a message, as its text has it: files, folders and pictures, each a
part of its own; the words and the parts taken from each other and put together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from app.record import Record
from app.records import Picture

Kind = Literal["file", "folder", "picture"]

MOST_PICTURES = 20
"""Pictures of one message; providers refuse more, or shrink them so far that nothing can be read."""
_BEGIN = "Attached "
_PICTURE = r"Attached picture `([^`\n]*)` \((image/[a-z]+), (\d+) x (\d+), ([0-9a-f]{16})\)"
_PARTS = (
    rf"^Attached (file|folder) `([^`\n]*)`:\n\n(`{{3,}})\n((?:.*?\n)??)\3$"
    rf"|^{_PICTURE}$"
)
"""A part as `app.conversation.attaching` writes it: kind, name, fence, lines; or a picture with what is known
of it: name, media type, width, height, id.
"""


class Attachment(Record, kw_only=True):
    """One part of a message's text."""

    kind: Kind
    name: str
    """Its path as the message has it, or what a picture without one is called."""
    part: str
    """The whole part, word for word."""
    text: str = ""
    """What a file or the list of a folder says."""
    picture: Picture | None = None

    @property
    def title(self) -> str:
        """The last piece of its path, which people know it by."""
        return re.split(r"[/\\]", self.name.rstrip("/\\"))[-1] or self.name


class Looked(Record, kw_only=True):
    """What stands at a path that is to be attached. `size` in bytes, 0 for folders."""

    kind: Kind
    path: str
    size: int = 0
    thumbnail: bytes = b""
    """A small picture of a picture, PNG, JPEG, WebP or GIF."""


class Named(Record, kw_only=True):
    """Files that were found by name."""

    paths: tuple[str, ...] = ()
    """Below the folder, with slashes, the best first."""
    whole: bool = True
    """False while further files are still being looked at."""


def attachments_of(text: str) -> tuple[Attachment, ...]:
    """Return the parts of a message in their order."""
    return tuple(_attachment(found) for found in _found(text))


def own_words(text: str) -> str:
    """Return what the person wrote themselves, without the parts that were put behind it."""
    if _BEGIN not in text:
        return text
    words = re.sub(_PARTS, "", text, flags=re.MULTILINE | re.DOTALL)
    return words.rstrip() if words != text else text


def joined(words: str, parts: Sequence[str]) -> str:
    """Return a message of a person's words with parts behind them."""
    return "\n\n".join([*([words] if words else []), *parts])


def names_of(parts: Sequence[Attachment]) -> str:
    """Return what is attached in one line: "a.pdf, b.png"."""
    return ", ".join(part.title for part in parts)


def said(text: str) -> str:
    """Return a message as one sees it in a list: the person's own words, or the names of what they sent
    without any.
    """
    words = own_words(text)
    return words if words.strip() or words == text else names_of(attachments_of(text))


def _found(text: str) -> list[re.Match[str]]:
    if _BEGIN not in text:  # most messages have nothing attached
        return []
    return list(re.finditer(_PARTS, text, re.MULTILINE | re.DOTALL))


def _attachment(found: re.Match[str]) -> Attachment:
    if found[1]:
        kind: Kind = "folder" if found[1] == "folder" else "file"
        return Attachment(kind=kind, name=found[2], part=found[0], text=found[4].removesuffix("\n"))
    picture = Picture(id=found[9], media=found[6], width=int(found[7]), height=int(found[8]), name=found[5])
    return Attachment(kind="picture", name=found[5], part=found[0], picture=picture)
