"""What an answer to a message file needs of it (RFC 5322, 3.6.4)."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.documents.failing import BROKEN, Unreadable, broken

QUOTED = 400
"""Lines of the message that the answer quotes."""


class Original(NamedTuple):
    """The message that is answered: its id, those of the thread, whom to answer, and its text by lines."""

    id: str
    references: str
    subject: str
    sender: str
    date: str
    lines: tuple[str, ...]


def original(data: bytes) -> Original:
    """Return what an answer takes over. Raises Unreadable (broken). Meant for a process of its own."""
    from email import policy
    from email.parser import BytesParser

    from app.documents.mail import body_lines

    try:
        message: Any = BytesParser(policy=policy.default).parsebytes(data)
        if not message.get("From") and not message.get("Subject"):
            raise Unreadable("broken", "It is no message.")
        references = " ".join(filter(None, (_one(message["References"]), _one(message["Message-ID"]))))
        return Original(
            _one(message["Message-ID"]),
            references[-900:].partition(" ")[2] if len(references) > 900 else references,
            _one(message["Subject"]),
            _one(message["Reply-To"]) or _one(message["From"]),
            _one(message["Date"]),
            tuple(line.rstrip() for line in body_lines(message)[:QUOTED]),
        )
    except BROKEN as error:
        raise broken(error) from None
    except LookupError as error:
        raise broken(error) from None


def _one(value: Any) -> str:
    return " ".join(str(value).split()) if value else ""
