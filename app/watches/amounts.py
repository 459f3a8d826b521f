"""Numbers and prices as people write them, in any of the usual ways, as exact decimals. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from app.watches.currencies import COMMA_MONEY, PATTERN, THREE_DECIMALS, code_of

_SPACES = "\u00a0\u202f\u2009 "
_QUOTES = "'\u2019\u02bc"
_NUMBER = (
    rf"\d{{1,3}}(?:[{_SPACES}]\d{{3}}){{1,4}}(?!\d)(?:[.,]\d{{1,4}}(?!\d))?"  # 1 234,56
    rf"|\d{{1,3}}(?:[{_QUOTES}]\d{{3}}){{1,4}}(?:[.,]\d{{1,4}})?"  # 1'234.50
    r"|\d{1,20}(?!\d)(?:[.,]\d{1,12}(?!\d)){0,6}"
)
"""Each part has an end: a page of nothing but digits is read in linear time."""
_DASH = r"[.,]\s?[-\u2010-\u2015]{1,2}"
"""What stands for no cents: "12.-" in Switzerland, "12,--" in Germany."""
_GAP = rf"[{_SPACES}]{{0,2}}"
_PRICE = re.compile(
    rf"(?<![\w.,])(?P<before>{PATTERN}){_GAP}(?P<minus>[-\u2212])?(?P<first>{_NUMBER})(?P<dash>{_DASH})?"
    rf"|(?<![\w.,])(?P<second>{_NUMBER})(?P<mark>{_DASH})?{_GAP}(?P<after>{PATTERN})(?!\w)"
)
_PLAIN = re.compile(rf"(?<![\w.,])(?P<minus>[-\u2212+])?(?P<number>{_NUMBER})(?P<scale>[KkM](?!\w))?")
_MACHINE = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?\Z")
_COMMA = frozenset(
    {
        "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sk", "sv", "da", "nb", "nn", "no", "fi", "ru",
        "uk", "tr", "hu", "ro", "bg", "el", "hr", "sl", "sr", "id", "vi", "ca", "et", "lv", "lt", "is",
    }
)  # fmt: skip
"""Languages whose decimal mark is a comma (CLDR)."""
_POINT_REGIONS = frozenset({"de-ch", "de-li", "es-mx", "it-ch"})
LONGEST = 40
"""Characters of a number that is read."""


class Amount(NamedTuple):
    """An exact number, with the ISO code of its currency where one stands beside it."""

    number: Decimal
    currency: str = ""


def placed_prices(text: str, language: str = "") -> Iterator[tuple[Amount, int, int]]:
    """Yield the amounts of money of a text in its order, numbers beside the sign or code of a currency, each
    with where it begins and ends.
    """
    for found in _PRICE.finditer(ascii_digits(text)):
        sign = found["before"] or found["after"]
        currency = code_of(sign, language)
        trailing = found["after"] is not None
        digits = found["first"] or found["second"]
        if found["dash"] or found["mark"]:  # no cents: what stands before it are whole units
            digits = re.sub(r"[.,](?=\d{3})", "", digits)
        number = _decimal(digits, language, currency, trailing=trailing)
        if number is not None:
            yield Amount(-number if found["minus"] else number, currency), found.start(), found.end()


def prices_in(text: str, language: str = "") -> Iterator[Amount]:
    """Yield the amounts of money of a text, in its order."""
    for amount, _, _ in placed_prices(text, language):
        yield amount


def price_of(text: str, language: str = "") -> Amount | None:
    """Return the first amount of money of a text, else the first number in it, None where there is none."""
    for found in prices_in(text, language):
        return found
    number = number_in(text, language)
    return None if number is None else Amount(number)


def whole_amount(text: str) -> Amount | None:
    """Return the amount that a text is, None where anything else stands in it."""
    text = ascii_digits(text.strip())
    if len(text) <= LONGEST and _MACHINE.match(text):
        number = _made(text)
        return None if number is None else Amount(number)
    if not (_PRICE.fullmatch(text) or _PLAIN.fullmatch(text)):
        return None
    found = price_of(text)
    sign = re.search(r"[^\d\s.,'-]+", text)
    vague = sign is not None and sign[0] in ("$", "kr", "kr.", "\u00a5")  # the money of several countries
    return found._replace(currency="") if found and vague else found


def number_in(text: str, language: str = "") -> Decimal | None:
    """Return the first number of a text; 1.2k is 1200."""
    text = ascii_digits(text)
    money = next(placed_prices(text, language), None)
    for plain in _PLAIN.finditer(text):
        if money is not None and money[1] <= plain.start():
            break
        number = _decimal(plain["number"], language, "")
        if number is not None:  # 1.2.3 is none
            number *= {"k": 1_000, "K": 1_000, "M": 1_000_000}.get(plain["scale"] or "", 1)
            return -number if plain["minus"] in ("-", "\u2212") else number
    return money[0].number if money is not None else None


def machine_number(text: str, language: str = "") -> Decimal | None:
    """Return a number that is meant for machines (a point before decimals, nothing else), as metadata has it;
    what somebody wrote there for people is read as that.
    """
    text = ascii_digits(text).strip()
    if len(text) <= LONGEST and _MACHINE.match(text):
        return _made(text)
    found = price_of(text, language)
    return found.number if found else None


def written(number: Decimal) -> str:
    """Return a number as text: plain digits, a point, no exponent."""
    return f"{number:f}"


def ascii_digits(text: str) -> str:
    """Return a text with all digits as 0 to 9 and their marks as plain ones (Arabic, Devanagari, wide)."""
    if text.isascii():
        return text
    text = text.replace("\u066b", ".").replace("\u066c", ",").replace("\uff0e", ".").replace("\uff0c", ",")
    return "".join(
        str(unicodedata.decimal(char)) if char.isdecimal() and not char.isascii() else char for char in text
    )


def _decimal(text: str, language: str, currency: str, *, trailing: bool = False) -> Decimal | None:
    """Return what digits and marks mean: the last mark is the decimal one, unless it parts thousands."""
    if len(text) > LONGEST:
        return None
    text = re.sub(rf"[{_SPACES}{_QUOTES}]", "", text)
    marks = [char for char in text if char in ".,"]
    if not marks:
        return _made(text)
    last = marks[-1]
    if marks.count(last) > 1:  # 1.234.567 and 1,23,456, but 1.2.3 is no number
        return _made(text.replace(last, "")) if len(set(marks)) == 1 and _grouped(text, last) else None
    if len(marks) == 1 and _is_thousands(text, last, language, currency, trailing=trailing):
        return _made(text.replace(last, ""))
    other = "," if last == "." else "."
    whole = text.rpartition(last)[0]
    if other in whole and not _grouped(whole, other):
        return None
    return _made(text.replace(other, "").replace(last, "."))


def _grouped(text: str, mark: str) -> bool:
    """Whether a mark parts groups of three, or of two before the last three as in India."""
    first, *groups = text.split(mark)
    return 0 < len(first) <= 3 and len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups[:-1])


def _is_thousands(text: str, mark: str, language: str, currency: str, *, trailing: bool) -> bool:
    """Whether the one mark of a number parts thousands. "1.234" alone says nothing: the language of the page
    does, then that money has two decimals. A sign behind the number, or money of countries that write a comma
    before decimals, is not how English writes it.
    """
    whole, _, part = text.partition(mark)
    if len(part) != 3 or not 1 <= len(whole) <= 3 or whole.startswith("0"):
        return False
    if currency in THREE_DECIMALS:
        return False
    language = language.lower().replace("_", "-")
    root = language.split("-")[0]
    if not root:
        return True
    comma = root in _COMMA and language not in _POINT_REGIONS
    if not comma and mark == "." and (trailing or currency in COMMA_MONEY):
        return True
    return mark == ("." if comma else ",")


def _made(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
