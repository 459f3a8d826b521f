"""The text of a message file (.eml): who, when, what, and the names of what is attached (RFC 5322, 2045)."""

from __future__ import annotations

from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.markup import markup_lines
from app.documents.ranges import Pages

HEADERS = ("From", "To", "Cc", "Reply-To", "Date", "Subject", "Message-ID", "In-Reply-To")
PARTS = 1_000


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return headers, body and the list of attachments as lines. Raises Unreadable (broken, empty)."""
    from email import policy
    from email.parser import BytesParser

    try:
        message: Any = BytesParser(policy=policy.default).parsebytes(data)
        lines = [f"{name}: {_one(message.get(name))}" for name in HEADERS if message.get(name)]
        if not lines:
            raise Unreadable("broken", "It has none of the headers of a message.")
        lines += ["", *body_lines(message), *_attached(message)]
    except BROKEN as error:
        raise broken(error) from None
    except LookupError as error:
        raise broken(error) from None
    return lines


def _one(value: Any) -> str:
    return " ".join(str(value).split())


def body_lines(message: Any) -> list[str]:
    part = message.get_body(("plain", "html"))
    if part is None:
        return []
    text = part.get_content()
    if not isinstance(text, str):
        return []
    return list(markup_lines(text)) if part.get_content_type() == "text/html" else text.splitlines()


def _attached(message: Any) -> list[str]:
    found = []
    for _, part in zip(range(PARTS), message.iter_attachments(), strict=False):
        content = part.get_payload(decode=True) or b""
        name = _one(part.get_filename() or "without a name")
        found.append(f"- {name} ({part.get_content_type()}, {len(content)} bytes)")
    return ["", "Attachments:", *found] if found else []
