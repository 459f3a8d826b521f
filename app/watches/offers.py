"""The price of the thing that a page offers, and whether it can be had: from what it tells machines, and from
what it shows. Works on a tree of `documents.web_html.parse`.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

from app.documents.web_html import plain
from app.watches.amounts import Amount, number_in, placed_prices, prices_in
from app.watches.noise import lines_of
from app.watches.pruning import drop, holds_token
from app.watches.schema_org import Told
from app.watches.stock_words import BUY, IN, NOT_ABOUT_IT, OUT, RELATED

MOST_LINES = 5_000
"""Lines of a page in which the thing that it offers is described."""
LONGEST_LINE = 120
"""Characters of a line that says whether something is in stock; a longer one tells a story."""
_OTHERS = re.compile(
    r"(?:related|similar|recommend\w*|upsells?|cross-?sells?|also-?(?:bought|like|viewed)|recently-?viewed"
    r"|accessor(?:y|ies)|suggest(?:ed|ions)|mini-?cart|cart-?drawer)(?:[-_].*)?",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"(?:.*[-_])?(?:price|prices|preis|prix|precio|prezzo|preco|pris|prijs|cena|kaina|hinta)(?:[-_].*)?|.*price.*",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?:.*[-_])?(?:sale|current|now|final|special|actual|aktuell|our)(?:[-_].*)?", re.IGNORECASE
)
_WAS = re.compile(
    r"(?:.*[-_])?(?:old|was|strike\w*|list|uvp|rrp|msrp|before|original|compare|crossed|regular|unit|per|base"
    r"|shipping|delivery|installments?|monthly|savings?|save|discount|from|streich\w*|alt|ancien|barre)(?:[-_].*)?"
    r"|a-text-price",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:was|were|statt|fr\u00fcher|vorher|uvp|rrp|msrp|list price|regular(?: price)?|instead of|au lieu de"
    r"|antes|era|before|ehem\w*|originally|you save|save|sie sparen|\u00e9conomisez)\b[^\d\n]{0,24}\Z"
    r"|(?:shipping|delivery|versand|lieferung|livraison|env\u00edo|spedizione|verzend\w*|frakt|coupon|gutschein"
    r"|voucher|points|deposit|pfand|monatlich|klarna|installments?|\braten?\b|orders? (?:over|above)"
    r"|bestellwert|grundpreis|gift|geschenk|free over|\bgratis ab)[^\n]{0,40}\Z",
    re.IGNORECASE,
)
"""Behind these stands no price of the thing: what it was, what bringing it costs, from where that is free."""
_AFTER = re.compile(
    r"\A[\s,(]{0,3}(?:/|per\b|pro\b|par\b|je\b|off\b|each month|a month|p\.m\.|mtl|monat|mois"
    r"|savings?\b|rabatt|shipping|delivery|versand|livraison|coupon|gutschein|voucher|pfand|deposit)",
    re.IGNORECASE,
)
_VARIANTS = re.compile(r"(?:.*[-_])?(?:swatch\w*|variants?|sizes?|options?)(?:[-_].*)?", re.IGNORECASE)
_WHOLE = re.compile(r"(?:.*[-_])?(?:whole|integer|units|euros?|main)(?:[-_].*)?", re.IGNORECASE)
_LABEL = re.compile(
    r"\b(?:price|preis|prix|precio|prezzo|pre\u00e7o|cena|pris|prijs|hinta|fiyat)\b[^\d\n]{0,12}?"
    r"([-+]?\d[\d.,'\u2019 \u00a0\u202f]{0,24})",
    re.IGNORECASE,
)
_NO_PIECE = ("script", "style", "body", "html", "meta")
_OUT, _IN, _BUY, _GENERAL, _RELATED = (
    re.compile("|".join(re.escape(words) for words in several))
    for several in (OUT, IN, BUY, NOT_ABOUT_IT, RELATED)
)
_NONE_LEFT = re.compile(
    r"\b(?:in stock|stock|on hand|auf lager|bestand|lagerbestand|en stock)\s*:\s*(?:0|no|none|nein|non)\b"
    r"|(?<![\d.,])0 (?:left|available|verf\u00fcgbar|in stock)\b"
)
_ONLY_IN = re.compile(
    r"\W*(?:(?:availability|status|verf\u00fcgbarkeit|disponibilit\u00e9)\W*)?"
    r"(?:available|verf\u00fcgbar|yes)\W*"
)
"""A line that is no more than that; within a sentence the word says little."""
_STRUCK = ("del", "s", "strike")


def price_in(tree: Any, metadata: Told, language: str) -> Amount | None:
    """Return the price of what a page offers: that of its metadata, since what is shown may be any number;
    else what it shows. Uses the tree up.
    """
    if metadata.price:
        return metadata.price
    drop(tree, lambda one: holds_token(one, _OTHERS), 0.95)
    return _shown_price(tree, language)


def stock_in(tree: Any, metadata: Told) -> str:
    """Return in_stock, out_of_stock or unknown: what a page says in words, since shops leave the metadata as
    they were; else those, else what its button means. Uses the tree up.
    """
    drop(tree, lambda one: holds_token(one, _OTHERS), 0.95)
    drop(tree, lambda one: one.tag in ("select", "option") or holds_token(one, _VARIANTS), 0.5)
    lines = [line.casefold() for line in _main_lines(tree) if len(line) <= LONGEST_LINE]
    lines = [line for line in lines if not _GENERAL.search(line)]
    if any(_OUT.search(line) or _NONE_LEFT.search(line) for line in lines):
        return "out_of_stock"
    if any(_IN.search(line) or _ONLY_IN.fullmatch(line) for line in lines):
        return "in_stock"
    if metadata.stock:
        return metadata.stock
    return "in_stock" if any(_BUY.search(line) for line in _buttons(tree)) else "unknown"


def _shown_price(tree: Any, language: str) -> Amount | None:
    """Return the first price that is shown and is not struck out, by preference one of today."""
    drop(tree, lambda one: one.tag in _STRUCK, 1.0)
    _raise_cents(tree)
    today = copy.deepcopy(tree)
    drop(today, lambda one: holds_token(one, _WAS) and _is_small(one), 1.0)
    for root in (today, tree):
        lines = _main_lines(root)
        found = _marked_price(root, language) or next(_in_text(lines, language), None)
        if found := found or _labelled(lines, language):
            return found
    return None


def _labelled(lines: list[str], language: str) -> Amount | None:
    """Return the number behind a word for price, where no money is named."""
    for line in lines:
        found = _LABEL.search(line[:400])
        number = number_in(found[1], language) if found else None
        if number is not None and number > 0:
            return Amount(number)
    return None


def _with_fraction(element: Any) -> str:
    """Return the text of a piece; where its cents are a piece of their own beside it, with them."""
    text = " ".join(element.text_content().split())
    beside = element.getnext()
    if beside is None or not holds_token(element, _WHOLE) or not text.rstrip(".,").isdecimal():
        return text
    cents = beside.text_content().strip()
    return f"{text.rstrip('.,')}.{cents}" if re.fullmatch(r"\d\d", cents) else text


def _marked_price(tree: Any, language: str) -> Amount | None:
    first: Amount | None = None
    for element in _priced(tree):
        text = _with_fraction(element)
        found = next(_amounts(text, language), None) if len(text) <= 200 else None
        if found is not None and holds_token(element, _NOW):
            return found
        if found is None and len(text) <= 16 and not any(prices_in(text, language)):
            number = number_in(text, language)
            found = Amount(number) if number is not None and number > 0 else None
        first = first or found
    return first


def _is_small(element: Any) -> bool:
    """Whether an element is a piece with a number and not a part of the page with more in it."""
    text = element.text_content()
    return len(text) <= 80 and any(char.isdecimal() for char in text)


def _priced(tree: Any) -> Iterator[Any]:
    for element in tree.iter():
        plain_tag = isinstance(element.tag, str) and element.tag not in _NO_PIECE
        if plain_tag and holds_token(element, _PRICE):
            yield element


def _raise_cents(tree: Any) -> None:
    """Put a point before cents that stand raised after whole units, "19" and a small "99"."""
    for sup in tree.iter("sup"):
        cents = (sup.text or "").strip()
        previous = sup.getprevious()
        parent = sup.getparent()
        before = (previous.tail if previous is not None else parent.text if parent is not None else "") or ""
        if re.fullmatch(r"\d\d", cents) and before.rstrip()[-1:].isdecimal():
            sup.text = f".{cents}"


def _amounts(text: str, language: str) -> Iterator[Amount]:
    """Yield the amounts of a text that are what a thing costs now: not what it was, a share or a rate."""
    place = 0
    for amount, start, end in placed_prices(text, language):
        if not _BEFORE.search(text[place:start]) and not _AFTER.search(text[end:]) and amount.number > 0:
            yield amount
        place = end


def _in_text(lines: list[str], language: str) -> Iterator[Amount]:
    for line in lines:
        yield from _amounts(line[:400], language)


def _main_lines(tree: Any) -> list[str]:
    """Return the lines of a page up to where it shows other things."""
    found: list[str] = []
    for line in lines_of(plain(tree)):
        low = line.casefold().strip(" #*-")
        if (len(low) <= 60 and _RELATED.match(low)) or len(found) == MOST_LINES:
            break
        found.append(line)
    return found


def _buttons(tree: Any) -> Iterator[str]:
    for element in tree.iter("button", "input", "a"):
        off = element.get("disabled") is not None or element.get("aria-disabled") == "true"
        if not off:
            text = f"{element.text_content()} {element.get('value') or ''} {element.get('aria-label') or ''}"
            yield " ".join(text.split()).casefold()
