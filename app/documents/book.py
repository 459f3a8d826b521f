"""The text of e-books (.epub), chapter by chapter in the order of their spine (EPUB 3.3)."""

from __future__ import annotations

import io
import posixpath
import zipfile
from typing import Any
from urllib.parse import unquote

from app.documents.failing import BROKEN, Unreadable, broken
from app.documents.markup import markup_lines
from app.documents.ranges import Pages, wanted
from app.documents.unpacking import check_zip

_PACKAGE = "{http://www.idpf.org/2007/opf}"


def lines_of(data: bytes, pages: Pages = ()) -> list[str]:
    """Return the chapters as lines. Raises Unreadable (locked, broken, empty, too_large)."""
    check_zip(data)
    from lxml import etree

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
            chapters = _spine(parts, lambda part: etree.fromstring(parts.read(part), parser))
            locked = "META-INF/encryption.xml" in parts.namelist()
            lines: list[str] = []
            for number, name in enumerate(chapters, 1):
                if wanted(number, pages):
                    text = list(markup_lines(parts.read(name)))
                    lines += [f"[chapter {number} of {len(chapters)}]", *text, ""]
    except BROKEN as error:
        raise broken(error) from None
    except etree.LxmlError as error:
        raise broken(error) from None
    if not any(line.strip() and not line.startswith("[chapter ") for line in lines):
        raise Unreadable("locked" if locked else "empty", "The book has no text that can be read.")
    return lines


def _spine(parts: zipfile.ZipFile, parse: Any) -> list[str]:
    """Return the names of the chapters' files. Raises KeyError, AttributeError where the book lacks them."""
    root = parse("META-INF/container.xml").find(f".//{'{*}'}rootfile").get("full-path")
    package = parse(root)
    items = {item.get("id"): item.get("href") for item in package.iter(f"{_PACKAGE}item")}
    folder = posixpath.dirname(root)
    names = [
        posixpath.normpath(posixpath.join(folder, unquote(items[ref.get("idref")].partition("#")[0])))
        for ref in package.iter(f"{_PACKAGE}itemref")
        if items.get(ref.get("idref"))
    ]
    there = set(parts.namelist())
    return [name for name in names if name in there]
