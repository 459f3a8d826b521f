"""Reads the value of one key of the block: plain, quoted, of several lines, or a list."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from app.record import Record

Complain = Callable[[int, str], None]
_NOTHING = ("", "~", "null")
_RESERVED = "{}[]&*!|>%@`"
_FLOW = r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^,\]\s][^,\]]*|,|\]"""
_TEXTS = ("name", "description")
"""Keys whose value is one text; what looks like a comment or a list in it was meant as words."""


class Raw(NamedTuple):
    """The lines of a key: what stands after the colon, and what is indented below."""

    key: str
    line: int
    rest: str
    below: list[tuple[int, str]]


class Value(Record):
    """What a key says: a text, or items each with its line."""

    line: int
    text: str = ""
    items: tuple[tuple[int, str], ...] = ()


def read(raw: Raw, complain: Complain) -> Value:
    """Return the value of a key; what is wrong with it goes to `complain` with its line."""
    rest = raw.rest
    below = [(line, text) for line, text in raw.below if text.strip()]
    if re.fullmatch(r"[|>][+-]?\d?[+-]?(\s+#.*)?", rest):
        return Value(raw.line, _lines(raw.below, fold=rest[0] == ">"))
    if rest[:1] in ("'", '"'):
        return Value(raw.line, _quoted(raw.line, _joined(rest, below), complain))
    if rest[:1] == "[" and raw.key not in _TEXTS:
        return Value(raw.line, items=tuple(_flow(raw.line, _joined(rest, below), complain)))
    if (not rest or rest[0] == "#") and below and re.match(r"\s*-(\s|$)", below[0][1]):
        return Value(raw.line, items=tuple(_items(below, complain)))
    return Value(raw.line, _plain(raw, below, complain))


def texts(value: Value) -> tuple[tuple[int, str], ...]:
    """Return a value as a list: its items, or the parts of a text between commas."""
    if value.items:
        return value.items
    parts = (part.strip() for part in value.text.replace("\n", ",").split(","))
    return tuple((value.line, part) for part in parts if part)


def _joined(rest: str, below: list[tuple[int, str]]) -> str:
    return " ".join([rest, *(text.strip() for _, text in below)])


def _lines(below: list[tuple[int, str]], *, fold: bool) -> str:
    """Return a text of several lines; folded, lines become one and blank lines become line ends."""
    indents = [len(text) - len(text.lstrip()) for _, text in below if text.strip()]
    indent = min(indents, default=0)
    kept = [text[indent:].rstrip() for _, text in below]
    if not fold:
        return "\n".join(kept).strip("\n")
    paragraphs = "\n".join(kept).strip("\n").split("\n\n")
    return "\n".join(" ".join(paragraph.split("\n")).strip() for paragraph in paragraphs)


def _plain(raw: Raw, below: list[tuple[int, str]], complain: Complain) -> str:
    """Return a text without quotes, as it was meant: YAML would end it at a colon or a sign #."""
    pieces = [(raw.line, raw.rest), *((line, text.strip()) for line, text in below)]
    kept = []
    for line, text in pieces:
        if raw.key in _TEXTS:
            if re.search(r":(\s|$)", text):
                complain(line, f"A colon stands in {raw.key} without quotes: put the text in quotes.")
            if re.search(r"\s#", text):
                complain(line, f"A sign # begins a comment in {raw.key} without quotes: put it in quotes.")
        else:
            text = re.sub(r"(^|\s)#.*", "", text)
        kept.append(text.strip())
    text = " ".join(piece for piece in kept if piece)
    if raw.key in _TEXTS and text[:1] and text[0] in _RESERVED:
        complain(raw.line, f"The {raw.key} begins with {text[0]}: put the text in quotes.")
    return "" if text in _NOTHING else text


def _quoted(line: int, text: str, complain: Complain) -> str:
    inner, rest = _string(text)
    if rest is None:
        complain(line, "The quote is never closed.")
    elif rest.strip() and not rest.strip().startswith("#"):
        complain(line, "Text follows after the closing quote.")
        return f"{inner} {rest.strip()}"
    return inner


def _string(text: str) -> tuple[str, str | None]:
    """Return the text within quotes and what follows, None where the quote is never closed."""
    if text[0] == "'":
        found = re.match(r"'((?:[^']|'')*)'", text)
        if found is None:
            return text[1:].replace("''", "'"), None
        return found[1].replace("''", "'"), text[found.end() :]
    found = re.match(r'"((?:[^"\\]|\\.)*)"', text)
    if found is None:
        return text[1:], None
    return _unescaped(found[1]), text[found.end() :]


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text.replace('\\"', '"')  # such as a path of Windows: taken as it is


def _flow(line: int, text: str, complain: Complain) -> Iterator[tuple[int, str]]:
    """Yield the items of `[a, "b, c"]`."""
    expected, closed = True, False
    for found in re.finditer(_FLOW, text[1:]):
        token = found[0]
        if token == "]":
            closed = True
            break
        if token == ",":
            expected = True
            continue
        if not expected:
            complain(line, "A comma is missing in the list.")
        expected = False
        item = _string(token)[0] if token[0] in "'\"" else token.strip()
        if item:
            yield line, item
    if not closed:
        complain(line, "The list is never closed: ] is missing.")


def _items(below: list[tuple[int, str]], complain: Complain) -> Iterator[tuple[int, str]]:
    """Yield the items of a list with one `- item` a line; further lines belong to the item before."""
    found: list[tuple[int, str]] = []
    for line, text in below:
        text = text.strip()
        if text == "-" or text.startswith("- "):
            found.append((line, text[1:].strip()))
        elif not text.startswith("#"):
            found[-1] = (found[-1][0], f"{found[-1][1]} {text}".strip())
    for line, text in found:
        quoted = text[:1] in ("'", '"')
        text = _quoted(line, text, complain) if quoted else re.sub(r"(^|\s)#.*", "", text)
        if text:
            yield line, text
