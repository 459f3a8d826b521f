"""Takes fields out of an HTML page by CSS selectors or XPath: elements as rows, and in each what was asked
for.

Meant for a process of its own: an expression of somebody else may run for ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

ROWS = 500
VALUES = 50
"""Values of one field in one row."""
TEXT = 4_000
"""Characters of one value."""
LINKS = 2_000
_NAMED = re.compile(r"\s*([^\W\d][\w .-]{0,40}?)\s*[=:]\s*(\S.*)\Z", re.DOTALL)
_ATTRIBUTE = re.compile(r"(?P<path>.*?)\s*@(?P<name>[A-Za-z_][\w:.-]*)\s*\Z", re.DOTALL)
_ADDRESSES = frozenset({"href", "src", "action", "poster", "data-src"})
_KNOWN = {
    "title": "//title",
    "heading": "//h1",
    "headings": "//h1|//h2|//h3",
    "description": "//meta[@name='description' or @property='og:description']/@content",
    "date": "//time/@datetime|//meta[@property='article:published_time']/@content",
    "author": "//meta[@name='author']/@content",
    "links": "//a/@href",
    "images": "//img/@src",
    "text": ".",
}
"""Names that need no expression."""
_TAG = re.compile(r"[a-z][a-z0-9]*\Z")
_SKIPPED = ("script", "style", "noscript", "template", "svg")
_BLOCKS = frozenset(
    {
        "address",
        "article",
        "blockquote",
        "br",
        "dd",
        "div",
        "dl",
        "dt",
        "figcaption",
        "footer",
        "form",
        "h1",
        "h2",
    }
    | {
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "td",
    }
    | {"th", "tr", "ul", "option", "label", "summary"}
)


class BadExpression(ValueError):
    """An expression is neither CSS nor XPath; the text says what is wrong."""


class Field(NamedTuple):
    """A field: its name, and what it is taken by. `attribute` is taken in place of the text, "" for
    the text.
    """

    name: str
    xpath: str
    attribute: str = ""


class Taken(NamedTuple):
    """What a page gave. Each row has the values of all fields in their order."""

    title: str
    rows: tuple[tuple[tuple[str, ...], ...], ...]
    total: int
    """Elements that fit, of which `rows` are the first."""
    links: tuple[str, ...]
    """Absolute addresses of the pages that it leads to, in their order and once each."""
    text: str
    """All of its text, or of the elements that fit."""


def fields_of(texts: Sequence[str]) -> tuple[Field, ...]:
    """Return fields as they are written: `name = expression`, an expression alone, or one of the known names.

    An expression is CSS, CSS with `@attribute` behind it, or XPath (it begins with / or a dot and slash).
    Raises BadExpression.
    """
    return tuple(_field(text) for text in texts if text.strip())


def take(html: str, url: str, selector: str, texts: Sequence[str]) -> Taken:
    """Return what the selector and the fields find in a page. Raises BadExpression.

    Without a selector the page is the one row; without fields a row is its text.
    """
    root = _parsed(html)
    base = _base(root, url)
    fields = fields_of(texts)
    rows = elements(root, selector) if selector.strip() else [root]
    asked = fields or (Field("text", "."),)
    made = [
        tuple(_values(row, field, base, page=not selector.strip()) for field in asked) for row in rows[:ROWS]
    ]
    title = next((_text(one) for one in root.iterfind(".//title")), "")
    text = "\n".join(filter(None, map(_text, rows[:ROWS])))
    return Taken(title[:300], tuple(made), len(rows), _links(root, base), text)


def _parsed(html: str) -> Any:
    from lxml import etree, html as lxml_html

    parser = lxml_html.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        return lxml_html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    except (etree.LxmlError, ValueError):  # nothing at all
        return lxml_html.document_fromstring(b"<html><body></body></html>", parser=parser)


def _base(root: Any, url: str) -> str:
    named = next((one.get("href") or "" for one in root.iterfind(".//base")), "")
    return _joined(url, named) or url


def _joined(base: str, link: str) -> str:
    try:
        made = urljoin(base, link.strip())
        return made if urlsplit(made).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def _field(text: str) -> Field:
    text = text.strip()
    known = text.lower()
    if known in _KNOWN:
        return _made(known, _KNOWN[known])
    named = _NAMED.match(text)
    # `a[href=x]`, `li:first-child` and `//a[@class='x']` hold the same signs within an expression.
    if named and not text.startswith(("/", ".", "#", "[")) and _plain(named[1], text):
        return _made(named[1].strip(), named[2].strip())
    return _made(text, text)


def _plain(name: str, text: str) -> bool:
    """Whether what stands before the first = or : is a name: followed by a blank or by no pseudo-class."""
    after = text[len(name) :].lstrip()
    if after.startswith("="):
        return True
    return after.startswith(": ") or not _TAG.match(name)


def _made(name: str, expression: str) -> Field:
    if is_xpath(expression):
        return Field(name, _checked(expression))
    found = _ATTRIBUTE.match(expression)
    css, attribute = (found["path"], found["name"]) if found else (expression, "")
    return Field(name, _xpath_of(css) if css.strip() else ".", attribute)


def is_xpath(expression: str) -> bool:
    """Whether an expression is meant as XPath."""
    return expression == "." or expression.startswith(
        ("/", "./", "../", "(", "@", "string(", "normalize-space(", "count(")
    )


def _xpath_of(css: str) -> str:
    from cssselect import SelectorError
    from lxml.cssselect import LxmlHTMLTranslator

    try:
        return str(LxmlHTMLTranslator().css_to_xpath(css, prefix="descendant-or-self::"))
    except SelectorError as error:
        raise BadExpression(f"{css!r} is no CSS selector: {error}") from None


def _checked(expression: str) -> str:
    from lxml import etree

    try:
        etree.XPath(expression)
    except etree.XPathError as error:
        raise BadExpression(f"{expression!r} is no XPath: {error}") from None
    return expression


def elements(root: Any, selector: str) -> list[Any]:
    """Return the elements of a tree that a selector means, CSS or XPath. Raises BadExpression."""
    expression = selector.strip()
    found = _found(root, _checked(expression) if is_xpath(expression) else _xpath_of(expression))
    return [one for one in found if hasattr(one, "iterfind")]


def _found(node: Any, xpath: str) -> list[Any]:
    from lxml import etree

    try:
        found = node.xpath(xpath)
    except etree.XPathError as error:
        raise BadExpression(f"{xpath!r} cannot be evaluated: {error}") from None
    return found if isinstance(found, list) else [found]


def _values(row: Any, field: Field, base: str, *, page: bool) -> tuple[str, ...]:
    # Within a row, `//price` means below it, not anywhere in the page.
    xpath = f".{field.xpath}" if not page and field.xpath.startswith("//") else field.xpath
    values = []
    for one in _found(row, xpath)[:VALUES]:
        value = _value(one, field.attribute, base)
        if value:
            values.append(value[:TEXT])
    return tuple(dict.fromkeys(values)) if field.attribute else tuple(values)


def _value(one: Any, attribute: str, base: str) -> str:
    if hasattr(one, "iterfind"):
        if not attribute:
            return _text(one)
        value = one.get(attribute) or ""
        return (_joined(base, value) or value) if attribute in _ADDRESSES else " ".join(value.split())
    if isinstance(one, bool):
        return "yes" if one else "no"
    if isinstance(one, float):
        return f"{one:g}"
    name = getattr(one, "attrname", None)
    text = " ".join(str(one).split())
    return (_joined(base, text) or text) if name in _ADDRESSES else text


def _text(element: Any) -> str:
    """Return the text of an element as a reader sees it: a line for each block, no scripts."""
    parts: list[str] = []
    _gather(element, parts)
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(filter(None, lines))


def _gather(element: Any, parts: list[str]) -> None:
    """Walk without recursion: pages nest deeper than Python does."""
    stack: list[tuple[Any, bool]] = [(element, False)]
    while stack:
        node, leaving = stack.pop()
        block = node.tag in _BLOCKS
        if leaving:
            parts.append("\n" if block else "")
            parts.append(node.tail or "" if node is not element else "")
            continue
        if node.tag in _SKIPPED or not isinstance(node.tag, str):
            parts.append(node.tail or "" if node is not element else "")
            continue
        parts.append("\n" if block else "")
        parts.append(node.text or "")
        stack.append((node, True))
        stack += [(child, False) for child in reversed(node)]


def _links(root: Any, base: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for one in root.iterfind(".//a[@href]"):
        if link := _joined(base, one.get("href") or "").partition("#")[0]:
            found[link] = None
            if len(found) == LINKS:
                break
    return tuple(found)
