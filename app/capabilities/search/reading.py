"""Reads what a search engine sent: its results, or why that is no answer. Pure.

The one thing that it must never do is to take a page that it cannot read for one without results.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

from app.capabilities.search.engines import Engine
from tools import Hit, Response

Why = Literal["blocked", "limited", "bad_key", "refused", "unreadable", "no_answer", "too_slow"]
_TEXT = 400
"""Characters of a title and of a text that are kept."""
_DEEPEST = 200
_TAGS = re.compile(r"<[^<>]{0,2000}>")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class EngineFailed(Exception):
    """An engine gave no answer that can be read. `detail` is plain English for the model and the log."""

    def __init__(self, why: Why, detail: str) -> None:
        super().__init__(detail)
        self.why = why
        self.detail = detail


class _Row(NamedTuple):
    heading: str
    link: str
    text: str
    date: str


def hits(engine: Engine, response: Response) -> list[Hit]:
    """Return the results in the engine's order, [] where it says that there are none.

    Raises EngineFailed: blocked (it asks whether we are a person), limited, bad_key, refused, unreadable.
    """
    _check_status(engine, response)
    page = response.text.casefold()
    if any(mark in page for mark in engine.blocked) and engine.format == "html":
        raise EngineFailed("blocked", "it asks whether a person is searching (captcha)")
    rows = list(_json(engine, response) if engine.format == "json" else _marked_up(engine, response))
    found = [hit for row in rows if (hit := _hit(engine, row, response.url)) is not None]
    if found:
        return found
    if rows:
        raise EngineFailed("unreadable", "its results cannot be read; its page may have changed")
    if engine.format == "html" and not any(mark in page for mark in engine.nothing):
        raise EngineFailed("unreadable", "neither results nor a word about none can be found in its page")
    return []


def check_status(response: Response) -> None:
    """Raise EngineFailed for what any service says by its status."""
    if response.status == 429:
        raise EngineFailed("limited", f"it has had too many questions{_again(response.headers)}")
    if response.status != 200:
        raise EngineFailed("refused", f"HTTP {response.status}")


def _check_status(engine: Engine, response: Response) -> None:
    status = response.status
    hint = f" {engine.hint}" if engine.hint else ""
    if status == 401 or (status == 403 and engine.key):
        raise EngineFailed("bad_key", f"it refuses the key (HTTP {status})")
    if status == 432 or status == 433:  # Tavily: the plan's own limits
        raise EngineFailed("limited", f"the plan's limit is reached (HTTP {status})")
    if status in engine.busy or (status == 403 and not engine.set_up):
        raise EngineFailed("blocked", f"it turns programs away (HTTP {status})")
    if status not in (200, 429):
        raise EngineFailed("refused", f"HTTP {status}.{hint}")
    check_status(response)


def _again(headers: Mapping[str, str]) -> str:
    after = headers.get("retry-after", "")
    return f"; again in {after} s" if after.isdigit() else ""


# --- JSON --------------------------------------------------------------------------------------------


def _json(engine: Engine, response: Response) -> Iterator[_Row]:
    try:
        value = json.loads(response.body)
    except (ValueError, RecursionError):
        kind = response.kind or "of no kind"
        raise EngineFailed("unreadable", f"its answer is no JSON ({kind}); a page in between?") from None
    items = _at(value, engine.items)
    if not isinstance(items, list):
        if engine.found and _at(value, engine.found) is not None:
            return
        raise EngineFailed("unreadable", _told(value) or "its answer holds no list of results")
    for item in items:
        if isinstance(item, dict):
            link = engine.link
            text = _put(link, item) if "{" in link else _said(_at(item, link))
            yield _Row(
                _said(_at(item, engine.heading)),
                text,
                _said(_at(item, engine.text)) if engine.text else "",
                _said(_at(item, engine.date)) if engine.date else "",
            )


def _at(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _put(template: str, item: Mapping[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: _said(item.get(found[1])), template)


def _said(value: Any) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _told(value: Any) -> str:
    """Return the words of an error that came as JSON."""
    for path in ("error.message", "error.info", "error.detail", "detail.error", "detail", "message", "error"):
        if text := _said(_at(value, path)):
            return f"it says: {' '.join(text.split())[:_TEXT]}"
    return ""


# --- HTML and XML ------------------------------------------------------------------------------------


def _marked_up(engine: Engine, response: Response) -> Iterator[_Row]:
    from lxml import etree

    root = _tree(engine, response)
    try:
        items = root.xpath(engine.items)
        if not items and engine.found and not root.xpath(engine.found):
            raise EngineFailed("unreadable", "its answer is another page than that of results")
        for item in items:
            yield _Row(
                _first(item, engine.heading),
                _first(item, engine.link),
                _first(item, engine.text) if engine.text else "",
                _first(item, engine.date) if engine.date else "",
            )
    except etree.XPathError as error:
        raise EngineFailed("unreadable", f"its description is wrong: {error}") from error


def _tree(engine: Engine, response: Response) -> Any:
    from lxml import etree, html as lxml_html

    try:
        if engine.format == "xml":
            parser = etree.XMLParser(
                resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, recover=False
            )
            return etree.fromstring(response.body, parser)
        if not response.text.strip():
            raise EngineFailed("unreadable", "its answer is empty")
        # As bytes, since a page may declare another charset than that of a text that was read already.
        parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
        return lxml_html.document_fromstring(response.text.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise EngineFailed("unreadable", f"its answer cannot be read: {error}") from None


def _first(item: Any, path: str) -> str:
    found = item.xpath(path)
    if isinstance(found, str):
        return found
    if not isinstance(found, list) or not found:
        return ""
    one = found[0]
    return str(one) if isinstance(one, str) else "".join(map(str, one.itertext()))


# --- one result --------------------------------------------------------------------------------------


def _hit(engine: Engine, row: _Row, base: str) -> Hit | None:
    link = _unwrapped(engine, row.link.strip(), base)
    name = plain(row.heading)
    if not link or not name:
        return None
    return Hit(name, link, plain(row.text), day(row.date), (engine.title,))


def _unwrapped(engine: Engine, link: str, base: str) -> str:
    """Return the address that a result leads to, "" where it is none of the web (or one of the engine's
    own, such as an advertisement).
    """
    try:
        link = urljoin(base, link)
        if engine.unwrap and (behind := parse_qs(urlsplit(link).query).get(engine.unwrap)):
            link = behind[0]
        parts = urlsplit(link)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host or parts.username is not None:
        return ""
    own = engine.host
    return "" if own and host == own and engine.only == "" else link


def plain(text: str) -> str:
    """Return a text of an engine on one line: without tags and entities, cut."""
    line = " ".join(html.unescape(_TAGS.sub("", text)).split())
    return line if len(line) <= _TEXT else f"{line[:_TEXT].rstrip()}..."


def day(text: str) -> str:
    """Return the day of a date in ISO 8601 or as mail writes it, "" for any other."""
    if found := _DATE.match(text.strip()):
        return found[0]
    try:
        return parsedate_to_datetime(text).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
