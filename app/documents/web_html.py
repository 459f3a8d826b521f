"""HTML as text to read: the main text of a page by trafilatura, else all of its text without what only a
machine sees.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import urljoin

from app.documents.failing import Unreadable

MOST_MARKUP = 4_000_000
"""Characters of HTML that are read; a page of a hundred thousand words has a quarter of that."""
DEEPEST = 500
"""Elements within elements; browsers stop at 512."""
_SHALLOW = 150
"""Depth from which readers of HTML may leave out what stands deeper."""
_ARTICLE = 200
"""Characters below which a main text may be only a scrap of the page."""
_ELEMENTS = 40_000
"""Elements up to which a main text is looked for: that takes 80 microseconds for each."""
_HIDING = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


class Readable(NamedTuple):
    """What a page says. `whole` where it is all of its text, since no main text was found."""

    text: str
    title: str = ""
    date: str = ""
    author: str = ""
    site: str = ""
    language: str = ""
    feed: str = ""
    """The address of a feed that the page names."""
    whole: bool = False


def read_html(markup: str, url: str) -> Readable:
    """Return what a page says, as text with Markdown for headings, lists, tables and code."""
    tree = parse(markup)
    if tree is None:
        return Readable("")
    title, language = _title(tree), str(tree.get("lang") or "")[:20]
    feed = _feed(tree, url)
    everything = plain(tree)
    if not everything and _depth(tree) > _SHALLOW:
        everything = _without_tags(markup)
    found = _main(tree, url)
    if found is None or len(found.text) < _ARTICLE:
        told = found or Readable("")
        return told._replace(
            text=everything, title=title or told.title, language=language, feed=feed, whole=True
        )
    return found._replace(title=title or found.title, language=language, feed=feed)


def parse(markup: str, *, hidden: bool = False) -> Any:
    """Return the tree of a page without what nobody sees, unless that is wanted too; None for one without any
    element.
    """
    from lxml import etree, html as lxml_html

    parser = lxml_html.HTMLParser(huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    body = markup[:MOST_MARKUP].replace("\0", "")
    try:
        tree = lxml_html.document_fromstring(body.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None
    for element in [] if hidden else [one for one in tree.iter() if _is_hidden(one)]:
        parent = element.getparent()
        if parent is not None:
            element.drop_tree()
    return tree


def plain(tree: Any) -> str:
    """Return all text of a tree as lines of Markdown."""
    from lxml import etree

    from app.documents.markup import markup_lines

    try:
        lines = list(markup_lines(etree.tostring(tree, encoding="unicode", method="html")))
    except Unreadable:
        return ""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def plain_of(markup: str) -> str:
    """Return the text of a piece of HTML."""
    tree = parse(f"<div>{markup}</div>")
    return "" if tree is None else plain(tree)


def _is_hidden(element: Any) -> bool:
    if not isinstance(element.tag, str):
        return True
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    return bool(_HIDING.search(element.get("style") or ""))


def _main(tree: Any, url: str) -> Readable | None:
    """Return the main text, None where trafilatura finds none. Uses the tree up."""
    import logging

    from trafilatura import bare_extraction

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    if _depth(tree) > DEEPEST or sum(1 for _ in tree.iter()) > _ELEMENTS:
        return None
    try:
        found: Any = bare_extraction(
            tree,
            url=url,
            include_comments=False,
            include_formatting=True,
            include_links=True,
            include_tables=True,
            with_metadata=True,
            date_extraction_params={"extensive_search": False},  # else any number is taken for a year
        )
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError):
        return None  # a page that it cannot take is read as a whole
    if found is None or not (found.text or "").strip():
        return None
    return Readable(
        text=found.text.strip(),
        title=found.title or "",
        date=found.date or "",
        author=found.author or "",
        site=found.sitename or "",
    )


def _without_tags(markup: str) -> str:
    """Return the text of a page whose elements stand within each other too deeply for any reader."""
    import html

    bare = re.sub(r"(?is)<(script|style|template)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", " ", markup)
    lines = html.unescape(re.sub(r"<[^<>]*>", "\n", bare)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def _depth(tree: Any) -> int:
    """Return how deep elements stand within elements, at most DEEPEST + 1."""
    deepest, level = 0, [tree]
    while level and deepest <= DEEPEST:
        deepest += 1
        level = [child for element in level for child in element]
    return deepest


def _title(tree: Any) -> str:
    for element in tree.iter("title"):
        return " ".join("".join(element.itertext()).split())[:300]
    return ""


def _feed(tree: Any, url: str) -> str:
    """Return the address of the first feed that the head of a page names."""
    for element in tree.iter("link"):
        kind = (element.get("type") or "").lower()
        if "alternate" in (element.get("rel") or "").lower() and kind.endswith(
            ("rss+xml", "atom+xml", "feed+json")
        ):
            try:
                return str(urljoin(url, element.get("href") or ""))
            except ValueError:
                continue
    return ""
