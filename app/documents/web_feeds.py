"""Feeds as lists of entries: RSS 0.9 to 2.0, Atom and JSON Feed; broken ones as far as they can be read."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urljoin

from app.documents.failing import Unreadable

MOST_ENTRIES = 1_000
LONGEST_TEXT = 4_000
"""Characters of one entry's text."""
_ROOTS = ("rss", "rdf", "feed")


class Entry(NamedTuple):
    """One entry. `date` is ISO 8601 in UTC, "" where there is none or it cannot be read."""

    id: str
    title: str
    link: str
    date: str
    author: str
    text: str


class Feed(NamedTuple):
    """A feed in the order of its file."""

    title: str
    link: str
    entries: tuple[Entry, ...]


def is_feed(text: str) -> bool:
    """Whether a text begins as a feed does."""
    head = text[:2_000].lstrip("\ufeff \t\r\n")
    if head.startswith("{"):
        return "https://jsonfeed.org/version/" in head.replace("\\/", "/")
    head = re.sub(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", "", head, flags=re.DOTALL).lstrip()
    found = re.match(r"<(?:[\w-]+:)?(\w+)[\s>/]", head)
    return bool(found) and found[1].lower() in _ROOTS  # type: ignore[index]


def read_feed(text: str, url: str) -> Feed:
    """Return the feed. Raises Unreadable (broken, unknown)."""
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _json_feed(text, url)
    root = _root(text)
    if root is None or _name(root) not in _ROOTS:
        raise Unreadable("unknown", "It is no RSS, Atom or JSON feed.")
    channel = next((child for child in root if _name(child) == "channel"), root)
    base = urljoin(url, root.get("{http://www.w3.org/XML/1998/namespace}base") or "")
    items = [one for one in root.iter() if isinstance(one.tag, str) and _name(one) in ("item", "entry")]
    if not items and not len(channel):
        raise Unreadable("broken", "There is nothing in the feed, not even its title.")
    entries = tuple(_entry(one, base) for one in items[:MOST_ENTRIES])
    return Feed(_plain(_text(channel, "title")), _link(channel, base), entries)


def _root(text: str) -> Any:
    """Return the root of XML that is read without anything from elsewhere and without entities of its own."""
    from lxml import etree

    parser = etree.XMLParser(
        recover=True,
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        strip_cdata=True,
    )
    body = re.sub(r"\A[\ufeff\s]*<\?xml[^>]*\?>", "", text, count=1).lstrip("\ufeff \t\r\n")
    try:
        return etree.fromstring(body.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable("broken", str(error)) from None


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _text(element: Any, *names: str) -> str:
    """Return the text of the first child with one of the names, in their order."""
    for name in names:
        for child in element:
            if _name(child) == name and (found := "".join(child.itertext()).strip()):
                return found
    return ""


def _entry(element: Any, base: str) -> Entry:
    link = _link(element, base)
    author = _text(element, "creator", "author", "dc:creator")
    people = [_text(child, "name") for child in element if _name(child) == "author"]
    return Entry(
        id=_text(element, "id", "guid") or link,
        title=_plain(_text(element, "title")),
        link=link,
        date=_date(_text(element, "published", "pubdate", "date", "issued", "updated", "modified")),
        author=_plain(next(filter(None, people), author)),
        text=_plain(_text(element, "description", "summary", "encoded", "content"))[:LONGEST_TEXT],
    )


def _link(element: Any, base: str) -> str:
    """Return the link of a feed or entry: Atom's by its relation, RSS's by its text, else a permanent id."""
    found: dict[str, str] = {}
    for child in element:
        if _name(child) == "link":
            target = child.get("href") or "".join(child.itertext()).strip()
            found.setdefault(child.get("rel") or "alternate", target)
    plain = found.get("alternate") or ""
    if not plain:
        ids = (child for child in element if _name(child) == "guid" and child.get("isPermaLink") != "false")
        plain = next(("".join(one.itertext()).strip() for one in ids), "")
    return _joined(base, plain)


def _joined(base: str, link: str) -> str:
    try:
        made = urljoin(base, link.strip())
    except ValueError:
        return ""
    return made if link and made.startswith(("http://", "https://")) else ""


def _date(text: str) -> str:
    """Return a date of RFC 822 or ISO 8601 in UTC; without a zone it is taken for UTC."""
    from email.utils import parsedate_to_datetime

    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text.strip())
            aware = found if found.tzinfo else found.replace(tzinfo=UTC)
            return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
    return ""


def _plain(markup: str) -> str:
    """Return the text of a title or summary, which may be HTML that was escaped once or twice."""
    text = html.unescape(markup) if "&" in markup and "<" not in markup else markup
    if "<" in text and re.search(r"</?[a-zA-Z][^<>]*>", text):
        from app.documents.web_html import plain_of

        text = plain_of(text)
    return re.sub(r"[ \t]+", " ", html.unescape(text)).strip()


def _json_feed(text: str, url: str) -> Feed:
    """Return a JSON Feed (jsonfeed.org, version 1 and 1.1)."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable("broken", str(error)) from None
    items = value.get("items") if isinstance(value, dict) else None
    if not isinstance(items, list):
        raise Unreadable("unknown", "It is no RSS, Atom or JSON feed.")
    entries = tuple(_json_entry(one, url) for one in items[:MOST_ENTRIES] if isinstance(one, dict))
    return Feed(_said(value, "title"), _joined(url, _said(value, "home_page_url")), entries)


def _json_entry(item: dict[str, Any], url: str) -> Entry:
    link = _joined(url, _said(item, "url", "external_url"))
    return Entry(
        id=_said(item, "id") or link,
        title=_plain(_said(item, "title")),
        link=link,
        date=_date(_said(item, "date_published", "date_modified")),
        author=next(_authors(item), ""),
        text=(_said(item, "content_text") or _plain(_said(item, "summary", "content_html")))[:LONGEST_TEXT],
    )


def _authors(item: dict[str, Any]) -> Iterator[str]:
    several = item.get("authors")
    for one in (*(several if isinstance(several, list) else ()), item.get("author")):
        if isinstance(one, dict) and (name := _said(one, "name")):
            yield name


def _said(value: dict[str, Any], *names: str) -> str:
    found = (value.get(name) for name in names)
    return next((str(one) for one in found if isinstance(one, (str, int)) and str(one)), "")
