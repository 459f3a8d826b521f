"""A session as text that can be carried away: Markdown and HTML of the shown branch, JSON of every branch."""

from __future__ import annotations

import html
import json
import re
import sqlite3
import time
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from app.errors import StoreError
from app.records import Message, Pin, SessionInfo
from app.store import messages, pins, sessions
from app.store.enclosures import Enclosed, as_fields

FORMAT = "bramble-session"
VERSION = 1

Form = Literal["md", "html", "json"]
_ROLES = {"user": "You", "assistant": "Assistant", "tool": "Tool", "summary": "Summary of the above"}
_NOTES = "Pinned notes"


def export(db: sqlite3.Connection, session: str, form: Form) -> str:
    """Return the session as text. Raises StoreError no_session.

    Lone surrogates, which no file can hold, are escaped in JSON and shown as U+FFFD elsewhere.
    """
    info, found, notes = gather(db, session, form)
    return render(info, found, Enclosed(pins=tuple(notes)), form)


def gather(db: sqlite3.Connection, session: str, form: Form) -> tuple[SessionInfo, list[Message], list[Pin]]:
    """Return what `render` needs, so that a long session can be rendered off the reading thread."""
    info = sessions.get(db, session)
    if info is None:
        raise StoreError("no_session", f"there is no session {session!r}", session=session)
    found = messages.tree(db, session) if form == "json" else messages.branch(db, session)
    return info, found, pins.of(db, session)


def render(info: SessionInfo, found: Sequence[Message], enclosed: Enclosed, form: Form) -> str:
    """Return the text of what was gathered; the bytes of pictures go into JSON alone."""
    if form == "json":
        return as_json(info, found, enclosed)
    return as_markdown(info, found, enclosed.pins) if form == "md" else as_html(info, found, enclosed.pins)


def as_json(info: SessionInfo, tree: Sequence[Message], enclosed: Enclosed) -> str:
    """Return what `importing` reads back: the messages of all branches with times, models and fields, the
    pinned notes, and the pictures by their ids in Base64.
    """
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "session": msgspec.to_builtins(info),
        "messages": [msgspec.to_builtins(message) for message in tree],
        **as_fields(enclosed),
    }
    text = json.dumps(whole, ensure_ascii=False, indent=1)
    return re.sub("[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def as_markdown(info: SessionInfo, branch: Sequence[Message], notes: Sequence[Pin] = ()) -> str:
    """Return the branch as Markdown, one heading a message, the pinned notes before them."""
    parts = [f"# {_line(info.title) or 'Conversation'}"]
    if notes:
        parts += [f"## {_NOTES}", *(fenced(pin.text) for pin in notes)]
    for message in branch:
        parts.append(f"## {_heading(message)}")
        parts += [part for part in _markdown_parts(message) if part]
    return _shown("\n\n".join(parts) + "\n")


def as_html(info: SessionInfo, branch: Sequence[Message], notes: Sequence[Pin] = ()) -> str:
    """Return the branch as one HTML page that loads nothing from anywhere and runs no script."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    title = html.escape(_line(info.title) or "Conversation")
    pinned = "".join(_pre(pin.text) for pin in notes)
    head = f'<section class="notes"><h2>{_NOTES}</h2>{pinned}</section>\n' if notes else ""
    body = head + "\n".join(_html_message(markdown, message) for message in branch)
    return _shown(_PAGE.format(title=title, body=body))


def _heading(message: Message) -> str:
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(message.created))
    name = f"{_ROLES[message.role]}: {_line(message.tool)}" if message.tool else _ROLES[message.role]
    model = f" ({_line(message.model)})" if message.model else ""
    end = " · broken off" if message.state in ("stopped", "failed") else ""
    return f"{name}{model} · {when} UTC{end}"


def _markdown_parts(message: Message) -> list[str]:
    if message.role == "tool":
        return [fenced(message.text), *_pictures(message)]
    calls = [f"Call of `{_line(call.name)}`:\n\n{fenced(call.arguments, 'json')}" for call in message.calls]
    quoted = "\n".join(f"> {line}" for line in message.reasoning.splitlines())
    return [quoted, message.text, *calls]


def _pictures(message: Message) -> list[str]:
    """Return a line for each picture of a tool's result; those of a person stand in the words themselves."""
    return [
        f"Picture: {_line(picture.name) or 'unnamed'} ({picture.media}, {picture.width} x {picture.height})"
        for picture in message.pictures
    ]


def fenced(text: str, language: str = "") -> str:
    """Return the text as a code block whose fence is longer than any in it."""
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}"


def _html_message(markdown: Any, message: Message) -> str:
    parts = []
    if message.reasoning:
        parts.append(f"<details><summary>Reasoning</summary>{_pre(message.reasoning)}</details>")
    if message.role in ("assistant", "summary"):
        parts.append(markdown.render(_shown(message.text)))
    elif message.text:
        parts.append(_pre(message.text))
    if message.role == "tool":
        parts += [f"<p>{html.escape(line)}</p>" for line in _pictures(message)]
    for call in message.calls:
        parts.append(f"<details><summary>{html.escape(call.name)}</summary>{_pre(call.arguments)}</details>")
    heading = html.escape(_heading(message))
    return f'<section class="{message.role}"><h2>{heading}</h2>{"".join(parts)}</section>'


def _pre(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _line(text: str) -> str:
    return " ".join(text.split())


def _shown(text: str) -> str:
    """Return the text as a file and a page can hold it."""
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\0", "\ufffd")


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }}
h2 {{ font-size: .8rem; font-weight: 600; opacity: .7; }}
pre {{ white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem; border-radius: 8px; background: #8881;
}}
.tool pre {{ max-height: 20rem; overflow: auto; }}
section {{ margin: 1.5rem 0; }}
</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""
