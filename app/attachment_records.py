"""What stands behind a person's words in a message, as its text has it: files, folders and pictures, each a
part of its own; the words and the parts taken from each other and put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from app.record import Record
from app.records import Picture

Kind = Literal["file", "folder", "picture"]

MOST_PICTURES = 20
"""Pictures of one message; providers refuse more, or shrink them so far that nothing can be read."""
PICTURE_ID = "[0-9a-f]{16}"
"""The beginning of the hash of its bytes, and the name of its file; nothing else is ever looked for there."""
_BEGIN = "Attached "
_HEADS = (
    r"^Attached (?P<kind>file|folder) `(?P<name>[^`\n]*)`:\n\n(?P<fence>`{3,})\n"
    r"|^Attached picture `(?P<title>[^`\n]*)` "
    r"\((?P<media>image/[a-z]+), (?P<width>\d+) x (?P<height>\d+), "
    rf"(?P<id>{PICTURE_ID})\)$"
)
"""How a part begins, as `app.conversation.attaching` writes it: a name and its fence, or a picture with what
is known of it.
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
    return tuple(part for _start, _end, part in _found(text))


def own_words(text: str) -> str:
    """Return what the person wrote themselves, without the parts that were put behind it."""
    if _BEGIN not in text:
        return text
    kept, at = list[str](), 0
    for start, end, _part in _found(text):
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]]).rstrip() if at else text


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


def _found(text: str) -> Iterator[tuple[int, int, Attachment]]:
    """Yield each part with where it begins and ends. Takes time by the length of the text alone, whatever
    stands in it: a person may paste anything.
    """
    if _BEGIN not in text:  # most messages have nothing attached
        return
    heads, at, open_fences = re.compile(_HEADS, re.MULTILINE), 0, set[str]()
    while (head := heads.search(text, at)) is not None:
        at = head.end()
        if head["id"]:
            yield head.start(), at, _picture(head)
            continue
        fence = head["fence"]
        close = -1 if fence in open_fences else _close(text, at, fence)
        if close < 0:
            open_fences.add(fence)  # nor is there an end of it for any later part
            continue
        at, said = close + len(fence), text[head.end() : close].removesuffix("\n")
        kind: Kind = "folder" if head["kind"] == "folder" else "file"
        part = text[head.start() : at]
        yield head.start(), at, Attachment(kind=kind, name=head["name"], part=part, text=said)


def _close(text: str, start: int, fence: str) -> int:
    """Return where the line stands that is a fence and nothing else, -1 for nowhere."""
    at = start - 1  # the line feed before what may be the first line
    while (at := text.find(f"\n{fence}", at)) >= 0:
        end = at + 1 + len(fence)
        if end == len(text) or text[end] == "\n":
            return at + 1
        at += 1
    return -1


def _picture(head: re.Match[str]) -> Attachment:
    size = int(head["width"]), int(head["height"])
    picture = Picture(id=head["id"], media=head["media"], width=size[0], height=size[1], name=head["title"])
    return Attachment(kind="picture", name=head["title"], part=head[0], picture=picture)
