"""The one door for a process that reads what came from the web: bytes and what the server said of them, to
text. What the bytes are decides where server and bytes disagree.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple

from app.documents.charsets import Form, decode
from app.documents.failing import Unreadable
from app.documents.kinds import Kind as DocumentKind, kind_of
from app.documents.reading import READABLE, lines_of

Kind = Literal["article", "html", "text", "json", "feed", "pdf", "document"]
MOST_TEXT = 2_000_000
"""Characters that leave the process."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')
_HTML = ("text/html", "application/xhtml+xml")
_TEXTS = ("text/", "application/javascript", "application/x-ndjson", "application/yaml", "application/toml")


class Read(NamedTuple):
    """What was read. `cut` where its text goes on."""

    kind: Kind
    text: str
    title: str = ""
    date: str = ""
    author: str = ""
    site: str = ""
    language: str = ""
    feed: str = ""
    cut: bool = False


class Given(NamedTuple):
    """What was fetched: the final address, the media type and charset that the server named, and whether the
    bytes break off.
    """

    url: str
    media: str
    charset: str
    cut: bool = False


def read(data: bytes, given: Given) -> Read:
    """Return what bytes say. Raises Unreadable: unknown for what is no text at all, and as `pdf.lines_of`."""
    kind = kind_of(data)
    if kind in READABLE and kind != "html":
        return _document(data, kind, given)
    if kind != "text" or is_binary(data, given):
        raise Unreadable("unknown", _what(kind, data, given))
    form = form_of(data, given)
    text, _ = decode(data, given.charset, form, cut=given.cut)
    return _bounded(_read_text(text, form, given), given)


def read_as_feed(data: bytes, given: Given) -> Any:
    """Return a feed; of a page the address of the feed that it names, as text. Raises Unreadable."""
    from app.documents.web_feeds import is_feed, read_feed

    if kind_of(data) != "text" or is_binary(data, given):
        raise Unreadable("unknown", "It is no feed.")
    form = form_of(data, given)
    text, _ = decode(data, given.charset, form, cut=given.cut)
    if not is_feed(text) and form == "html":
        from app.documents.web_html import read_html

        return read_html(text, given.url).feed
    return read_feed(text, given.url)


def _read_text(text: str, form: Form, given: Given) -> Read:
    from app.documents.web_feeds import is_feed

    if form in ("xml", "json", "html") and is_feed(text):
        return _feed(text, given.url)
    if form == "json":
        return Read("json", _pretty(text))
    if form == "html":
        from app.documents.web_html import read_html

        found = read_html(text, given.url)
        kind: Kind = "html" if found.whole else "article"
        return Read(
            kind, found.text, found.title, found.date, found.author, found.site, found.language, found.feed
        )
    return Read("text", text)


def _feed(text: str, url: str) -> Read:
    from app.documents.web_feeds import read_feed

    try:
        found = read_feed(text, url)
    except Unreadable:
        return Read("text", text)
    lines: list[str] = []
    for entry in found.entries:
        lines.append(" ".join(filter(None, (f"- {entry.title or entry.link}", entry.date[:10]))))
        lines += [f"  {entry.link}"] if entry.link else []
        lines += [f"  {' '.join(entry.text[:500].split())}"] if entry.text else []
    newest = max((entry.date for entry in found.entries), default="")
    return Read("feed", "\n".join(lines), found.title, newest[:10])


def _document(data: bytes, kind: DocumentKind, given: Given) -> Read:
    if given.cut:
        raise Unreadable("too_large", f"It is a {kind} of more than what is fetched.")
    text = "\n".join(lines_of(data, kind))
    return _bounded(Read("pdf" if kind == "pdf" else "document", text), given)


def _pretty(text: str) -> str:
    """Return JSON with a line for each value, each as it was written; what is no JSON, or would be far more
    then, stays as it is.
    """
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    pieces: list[str] = []
    depth = size = 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token in "]}":
            depth -= 1
        piece = f"\n{' ' * depth}" if (token in "]}" or _opens(pieces)) and not _empty(pieces, token) else ""
        piece += f"{token} " if token == ":" else token
        depth += token in "[{"
        pieces.append(piece)
        size += len(piece)
        if size > MOST_TEXT:
            break
    return "".join(pieces)


def _opens(pieces: list[str]) -> bool:
    """Whether a new line follows: after a bracket that opens, or a comma."""
    return bool(pieces) and pieces[-1].strip()[-1:] in ("[", "{", ",") and pieces[-1].strip()[0] != '"'


def _empty(pieces: list[str], token: str) -> bool:
    """Whether a bracket closes what has nothing in it."""
    return token in "]}" and bool(pieces) and pieces[-1].strip() in ("[", "{")


def form_of(data: bytes, given: Given) -> Form:
    """Return how bytes are written: as the server says where that is one of these, else as they begin."""
    head = data[:1_024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")) or given.media in _HTML:
        return "html"
    if given.media.endswith(("/json", "+json")) or (
        given.media in ("", "text/plain") and head.startswith((b"{", b"[")) and _is_json(data)
    ):
        return "json"
    if head.startswith(b"<?xml") or given.media.endswith(("/xml", "+xml")):
        return "xml"
    if given.media in ("", "application/octet-stream") and head.startswith(
        (b"<head", b"<body", b"<meta", b"<!--")
    ):
        return "html"
    return "text"


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def is_binary(data: bytes, given: Given) -> bool:
    """Whether bytes that begin like no known kind are no text either."""
    from app.documents.charsets import known

    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or known(given.charset).startswith("utf-16"):
        return False
    sample = data[:8_192]
    if b"\0" in sample:
        return True
    odd = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in sample)
    return odd > len(sample) // 20


def _what(kind: str, data: bytes, given: Given) -> str:
    named = {"picture": "a picture", "archive": "an archive", "old office": "an office document"}.get(kind)
    office = {"word": "a Word document", "sheet": "a workbook", "slides": "a presentation"}.get(kind)
    return f"It is {named or office or 'no text'} ({given.media or 'of no named kind'}, {len(data):,} bytes)."


def _bounded(found: Read, given: Given) -> Read:
    cut = found.cut or given.cut or len(found.text) > MOST_TEXT
    return found._replace(text=found.text[:MOST_TEXT], cut=cut)
