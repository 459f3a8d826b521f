"""What a product page tells machines of its offer: JSON-LD and microdata of schema.org, meta tags. Works on a
tree of `documents.web_html.parse`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from app.watches.amounts import Amount, machine_number, price_of

MOST = 200
"""Scripts and offers that are looked at."""
_DEEPEST = 40
_IN = frozenset({"instock", "limitedavailability", "onlineonly", "instoreonly", "madetoorder", "available"})
_OUT = frozenset(
    {
        "outofstock", "soldout", "discontinued", "backorder", "preorder", "presale", "reserved", "oos",
        "unavailable", "notavailable",
    }
)  # fmt: skip
_ELSEWHERE = frozenset(
    {"isRelatedTo", "isSimilarTo", "itemListElement", "review", "reviews", "isAccessoryOrSparePartFor",
     "isConsumableFor", "breadcrumb"}
)  # fmt: skip
"""Properties that lead to other things than the one that a page is about."""
_OFFERS = ("offer", "aggregateoffer", "offerfordemand", "offerforlease", "demand")
_LISTED = re.compile(r"ListPrice|Strikethrough|SRP|MSRP|InvoicePrice", re.IGNORECASE)
_AMOUNTS = ("product:sale_price:amount", "product:price:amount", "og:price:amount", "twitter:data1")
_CURRENCIES = ("product:sale_price:currency", "product:price:currency", "og:price:currency")
_STOCK = ("product:availability", "og:availability")


class Told(NamedTuple):
    """What metadata say. `stock` is in_stock, out_of_stock or ""."""

    price: Amount | None = None
    stock: str = ""


def told(tree: Any, title: str, language: str) -> Told:
    """Return what a page says of its offer, from the surest place to the least sure."""
    found = [_json_ld(tree, title, language), _microdata(tree, language), _meta(tree, language)]
    return Told(
        next((one.price for one in found if one.price), None),
        next((one.stock for one in found if one.stock), ""),
    )


def stock_of(text: str) -> str:
    """Return in_stock, out_of_stock or "" for a value of availability, with or without its address."""
    word = re.sub(r"[\s_-]", "", text.strip().rstrip("/").rpartition("/")[2]).lower()
    return "in_stock" if word in _IN else "out_of_stock" if word in _OUT else ""


def _json_ld(tree: Any, title: str, language: str) -> Told:
    products: list[dict[str, Any]] = []
    for script in list(tree.iter("script"))[:MOST]:
        if "ld+json" in (script.get("type") or "").lower():
            products += _products(_loaded(script.text or ""))
    chosen = _chosen(products, title)
    return _best(list(_offers(chosen, language, 0))[:MOST]) if chosen else Told()


def _loaded(text: str) -> Any:
    """Return the JSON of a script, None where it is none; templates leave comments and semicolons about."""
    bare = re.sub(r"\A\s*(?:<!--|//\s*<!\[CDATA\[|/\*.{0,80}?\*/)|(?:-->|//\s*\]\]>|;|\s)+\Z", "", text)
    try:
        return json.loads(bare, strict=False, parse_float=Decimal)
    except (ValueError, RecursionError):
        return None


def _products(value: Any) -> list[dict[str, Any]]:
    """Return what has offers, except within other offers and lists of other things."""
    found: list[dict[str, Any]] = []
    stack = [(value, 0)]
    while stack and len(found) < MOST:
        one, depth = stack.pop()
        if depth > _DEEPEST:
            continue
        if isinstance(one, list):
            stack += [(inner, depth + 1) for inner in reversed(one)]
        elif isinstance(one, dict):
            if one.get("offers") or one.get("hasVariant"):
                found.append(one)
            else:
                stack += [(inner, depth + 1) for key, inner in reversed(one.items()) if key not in _ELSEWHERE]
    return found


def _chosen(products: list[dict[str, Any]], title: str) -> dict[str, Any] | None:
    """Return what the page is about: the only product, else the one that its title names."""
    if len(products) < 2:
        return products[0] if products else None
    named = [one for one in products if (name := str(one.get("name") or "").casefold()) and name in title]
    return max(named, key=lambda one: len(str(one["name"])), default=None)


class _Offer(NamedTuple):
    price: Decimal | None
    currency: str
    stock: str


def _offers(product: dict[str, Any], language: str, depth: int) -> Iterator[_Offer]:
    for key in ("offers", "hasVariant"):
        for one in _several(product.get(key)):
            if isinstance(one, dict) and depth < 4:
                yield from _offers(one, language, depth + 1)
                if key == "offers":
                    yield _offer(one, language)


def _offer(offer: dict[str, Any], language: str) -> _Offer:
    currency = str(offer.get("priceCurrency") or "")
    stock = stock_of(str(offer.get("availability") or ""))
    for key in ("price", "lowPrice"):
        if (number := _number(offer.get(key), language)) is not None:
            return _Offer(number, currency, stock)
    for one in _several(offer.get("priceSpecification")):
        if not isinstance(one, dict) or _LISTED.search(str(one.get("priceType") or "")):
            continue
        if one.get("referenceQuantity") or "UnitPrice" in str(one.get("@type")):
            continue
        number = _number(one.get("price", one.get("minPrice")), language)
        if number is not None:
            return _Offer(number, str(one.get("priceCurrency") or currency), stock)
    return _Offer(None, currency, stock)


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _number(value: Any, language: str) -> Decimal | None:
    """Return a price of metadata; nothing costs nothing there, so 0 says that there is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int, Decimal)):
        return None
    number = machine_number(str(value), language)
    return number if number else None


def _best(offers: list[_Offer]) -> Told:
    """Return the lowest price of what can be had, of all where nothing can: their order is no matter."""
    stocks = {one.stock for one in offers}
    stock = next((one for one in ("in_stock", "out_of_stock") if one in stocks), "")
    priced = [one for one in offers if one.price is not None]
    there = [one for one in priced if one.stock == "in_stock"] or priced
    first = next((one.currency for one in there if one.currency), "")
    numbers = [one.price for one in there if one.price is not None and one.currency in (first, "")]
    return Told(Amount(min(numbers), first.upper()[:3]) if numbers else None, stock)


def _microdata(tree: Any, language: str) -> Told:
    scopes = [one for one in tree.iter() if "schema.org/" in (one.get("itemtype") or "").lower()]
    things = [one for one in scopes if _type_of(one) in ("product", "productgroup", "vehicle", "book")]
    outer = [one for one in things if not any(one in other.iterdescendants() for other in things[:20])]
    root = outer[0] if outer else None
    if root is None:
        root = next((one for one in scopes if _type_of(one) in _OFFERS), None)
    if root is None:  # templates that lost their scopes
        root = tree if any(one.get("itemprop") in ("price", "availability") for one in tree.iter()) else None
    if root is None:
        return Told()
    offers = [one for one in root.iter() if _type_of(one) in _OFFERS] or [root]
    return _best([_micro_offer(one, language) for one in offers[:MOST]])


def _type_of(element: Any) -> str:
    return (element.get("itemtype") or "").rstrip("/").rpartition("/")[2].lower()


def _micro_offer(scope: Any, language: str) -> _Offer:
    values: dict[str, str] = {}
    for one in scope.iter():
        for name in (one.get("itemprop") or "").split():
            values.setdefault(name, _value(one))
    price = next((_number(values[key], language) for key in ("price", "lowPrice") if key in values), None)
    currency = values.get("priceCurrency", "")
    if price is not None and not currency:
        shown = price_of(values.get("price", ""), language)
        currency = shown.currency if shown else ""
    return _Offer(price, currency, stock_of(values.get("availability", "")))


def _value(element: Any) -> str:
    for attribute in ("content", "href", "value"):
        if (found := element.get(attribute)) is not None:
            return str(found)
    return " ".join(element.text_content().split())[:200]


def _meta(tree: Any, language: str) -> Told:
    values: dict[str, str] = {}
    for one in tree.iter("meta"):
        name = (one.get("property") or one.get("name") or "").lower()
        values.setdefault(name, one.get("content") or "")
    currency = next((values[key] for key in _CURRENCIES if values.get(key)), "")
    stock = next(filter(None, (stock_of(values[key]) for key in _STOCK if key in values)), "")
    for key in _AMOUNTS:
        text = values.get(key, "")
        if key == "twitter:data1" and not re.search(r"[\u20ac$\u00a3]|[A-Z]{3}", text):
            continue
        if text and (number := _number(text, language)) is not None:
            shown = price_of(text, language)
            return Told(Amount(number, currency.upper()[:3] or (shown.currency if shown else "")), stock)
    return Told(None, stock)
