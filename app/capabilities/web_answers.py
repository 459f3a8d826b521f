"""Answers as tools get them: bytes and text of a response, and readable pages and feeds, which are read in a
process of their own since anybody may have written them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from app.capabilities.files_work import in_process
from app.capabilities.web_following import Answered, masked
from app.capabilities.web_sending import Body, Head, Sent, read_body
from app.documents import web_pages
from app.documents.charsets import Form, decode
from app.documents.failing import Unreadable
from app.documents.web_pages import Given
from app.errors import ToolError
from tools import Feed, FeedEntry, Page, Request, Response

T = TypeVar("T")
TEXT_BYTES = 4_000_000
"""Bytes of a body that become `Response.text`; all of them are in its body."""
DOCUMENT_BYTES = 16_000_000
"""Bytes on the wire that a page may have where it is a document, which is of no use in part."""
PAGE_BYTES = 8_000_000
"""Bytes that a page may have unpacked; no reader looks at more, and its own process gets a copy."""
READ_SECONDS = 30.0
_AT_ONCE = 262_144
"""Bytes that are decoded in the event loop; more take a thread."""
_WHOLE = ("application/pdf", "officedocument", "opendocument", "msword", "application/epub", "octet-stream")


async def response(answered: Answered[Body]) -> Response:
    """Return the answer to a request, whatever its status."""
    head, body = answered.head, answered.taken
    media, charset = media_of(head)
    text, name = "", ""
    if _is_text(media, body.data):
        form, part = form_of(media), body.data[:TEXT_BYTES]
        cut = body.cut or len(part) < len(body.data)
        if len(part) <= _AT_ONCE:
            text, name = decode(part, charset, form, cut=cut)
        else:
            text, name = await asyncio.to_thread(decode, part, charset, form, cut=cut)
    return Response(
        status=head.status,
        reason=head.reason,
        url=answered.target.url,
        headers=_joined(head),
        kind=media,
        body=body.data,
        text=text,
        charset=name,
        cut=body.cut,
        hops=answered.hops,
        seconds=answered.seconds,
    )


async def take_page(sent: Sent, request: Request) -> Body:
    """Return the body of a page; documents may be larger than what is asked for."""
    if any(part in sent.head.get("content-type").lower() for part in _WHOLE):
        return await read_body(sent, max(request.most, DOCUMENT_BYTES), cut=True)
    return await read_body(sent, request.most, cut=True, inflated=PAGE_BYTES)


async def page(answered: Answered[Body]) -> Page:
    """Return a page as readable text. Raises ToolError wrong_kind, unreadable, too_large."""
    body, given = answered.taken, _given(answered)
    if not body.data.strip():
        return Page(given.url, answered.head.status, "text", "", "", hops=answered.hops)
    found = await _read(web_pages.read, body.data, given)
    return Page(
        url=given.url,
        status=answered.head.status,
        kind=found.kind,
        title=found.title,
        text=found.text,
        date=found.date,
        author=found.author,
        site=found.site,
        language=found.language,
        size=len(body.data),
        cut=found.cut,
        hops=answered.hops,
    )


async def feed(answered: Answered[Body]) -> Feed | str:
    """Return a feed, or the address of the one that a page names. Raises ToolError wrong_kind, unreadable."""
    found = await _read(web_pages.read_as_feed, answered.taken.data, _given(answered))
    if isinstance(found, str):
        if not found:
            raise ToolError("wrong_kind", f"{answered.target.url} is a page that names no feed.")
        return found
    entries = tuple(FeedEntry(*entry) for entry in found.entries)
    return Feed(answered.target.url, found.title, found.link, entries)


async def _read(work: Callable[[bytes, Given], T], data: bytes, given: Given) -> T:
    try:
        return await in_process(work, data, given, seconds=READ_SECONDS)
    except Unreadable as error:
        raise _unreadable(error, given) from None
    except TimeoutError:
        raise ToolError("unreadable", f"{given.url} took too long to be read.") from None
    except MemoryError:
        raise ToolError("unreadable", f"{given.url} needs too much memory to be read.") from None
    except RuntimeError as error:
        raise ToolError("unreadable", f"{given.url} cannot be read: {error}.") from None


def _unreadable(error: Unreadable, given: Given) -> ToolError:
    if error.why == "unknown":
        words = f"{error.detail or 'It is no text.'} download_file brings it as a file."
        return ToolError("wrong_kind", f"{given.url}: {words}")
    why = {
        "locked": "It is locked with a password.",
        "empty": "It holds no text.",
        "broken": "It is damaged.",
        "too_large": "It is too large.",
    }[error.why]
    code = "too_large" if error.why == "too_large" else "unreadable"
    return ToolError(code, f"{given.url}: {why} {error.detail}".rstrip())


def _given(answered: Answered[Body]) -> Given:
    media, charset = media_of(answered.head)
    return Given(answered.target.url, media, charset, answered.taken.cut)


def media_of(head: Head) -> tuple[str, str]:
    """Return media type and charset as the server names them, in lower case, "" where it does not."""
    media, *parameters = head.get("content-type").split(";")
    pairs = (one.partition("=") for one in parameters)
    named = {name.strip().lower(): value.strip().strip("\"'") for name, _, value in pairs}
    return media.strip().lower()[:100], named.get("charset", "").lower()[:40]


def form_of(media: str) -> Form:
    """Return how a text of a media type says what its characters are."""
    if media in ("text/html", "application/xhtml+xml", ""):
        return "html"
    if media.endswith(("/json", "+json", "ndjson")):
        return "json"
    return "xml" if media.endswith(("/xml", "+xml")) else "text"


def _is_text(media: str, data: bytes) -> bool:
    named = media.startswith("text/") or form_of(media) in ("json", "xml") or "javascript" in media
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return bool(data) and (marked or named or b"\0" not in data[:8_192]) and not data.startswith(b"%PDF-")


def _joined(head: Head) -> dict[str, str]:
    """Return the headers, those that came several times in one, as RFC 9110 says (5.2); credentials, such as
    cookies that are to be set, are masked.
    """
    made: dict[str, str] = {}
    for name, value in ((name, masked(name, value)) for name, value in head.headers):
        made[name] = f"{made[name]}, {value}" if name in made else value
    return made
