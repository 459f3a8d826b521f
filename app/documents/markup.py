"""The text of HTML: headings, paragraphs, lists, tables and where links lead, as lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.ranges import Pages
from app.documents.table import rows_as_lines

_SKIPPED = frozenset({"script", "style", "template", "noscript", "head", "svg", "iframe", "object"})
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "dd", "div", "dl", "dt", "fieldset",
        "figcaption", "figure", "footer", "form", "header", "hr", "html", "li", "main", "nav", "ol",
        "p", "pre", "section", "table", "td", "th", "tr", "ul",
    }
)  # fmt: skip
DEEPEST = 200


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the page as lines. Raises Unreadable (broken, empty)."""
    lines = list(markup_lines(data))
    if not any(line.strip() for line in lines):
        raise Unreadable("empty", "The page holds no text.")
    return lines


def markup_lines(data: bytes | str) -> Iterator[str]:
    """Yield the lines of HTML or XHTML. Raises Unreadable."""
    from lxml import etree, html

    try:
        if isinstance(data, str):
            data = data.encode("utf-8", "replace")
            parser = html.HTMLParser(encoding="utf-8", no_network=True)
        else:
            parser = html.HTMLParser(encoding=_charset(data), no_network=True)
        if not data.strip():
            return
        tree = html.document_fromstring(data, parser=parser)
        yield from (line for block in _blocks(tree, 0) for line in block.split("\n"))
    except BROKEN as error:
        raise broken(error) from None
    except etree.LxmlError as error:
        raise broken(error) from None


def _charset(data: bytes) -> str | None:
    """Return UTF-8 where the bytes are it; else the parser looks at marks and what the page says itself."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _blocks(element: Any, depth: int) -> Iterator[str]:
    """Yield the text of block elements; runs of inline text between them are paragraphs."""
    if not isinstance(element.tag, str) or element.tag in _SKIPPED or depth > DEEPEST:
        return
    if element.tag == "table" and not any(True for _ in element.iter("table") if _ is not element):
        yield from ("", *_table(element), "")
        return
    if element.tag == "pre":
        yield from ("```", element.text_content().strip("\n"), "```")
        return
    start = _start(element)
    inline: list[str] = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and (child.tag in _BLOCKS or _heading(child.tag)):
            if text := _folded(inline):
                yield start + text
                start = ""
            inline = []
            yield from _blocks(child, depth + 1)
        else:
            inline.append(_inline(child, 0))
        inline.append(child.tail or "")
    if text := _folded(inline):
        yield start + text


def _start(element: Any) -> str:
    if level := _heading(element.tag):
        return "\n" + "#" * level + " "
    return "- " if element.tag in ("li", "dd") else "> " if element.tag == "blockquote" else ""


def _heading(tag: str) -> int:
    return int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1] in "123456" else 0


def _inline(element: Any, depth: int) -> str:
    if not isinstance(element.tag, str) or element.tag in _SKIPPED or depth > DEEPEST:
        return ""
    if element.tag == "br":
        return "\n"
    if element.tag == "img":
        return str(element.get("alt") or "")
    text = (element.text or "") + "".join(_inline(one, depth + 1) + (one.tail or "") for one in element)
    link = element.get("href") if element.tag == "a" else ""
    return f"{text} ({link})" if link and link.startswith(("http://", "https://", "mailto:")) else text


def _folded(parts: list[str]) -> str:
    """Return inline text with runs of blanks as one; line breaks stay."""
    return "\n".join(line for line in (" ".join(one.split()) for one in "".join(parts).split("\n\n")) if line)


def _table(table: Any) -> list[str]:
    rows = [
        [" ".join(_inline(cell, 0).split()) for cell in row if cell.tag in ("td", "th")]
        for row in table.iter("tr")
    ]
    width = max((len(row) for row in rows), default=0)
    return rows_as_lines([[*row, *[""] * (width - len(row))] for row in rows])
