"""Works out what was asked, with units and currencies, and writes numbers as people do."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from tools import ReadContext, Request, ToolFailed, ToolResult
from tools.utility._amounts import Amount
from tools.utility._sums import unit_named, worked_out
from tools.utility._units import currency_of

RATES = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
"""Reference rates of the European Central Bank, made on working days about 16:00 in Frankfurt."""
_DIGITS = 15
_SHOWN = 60
_CONVERTS = re.compile(r"\s+(?:in|to|as|into|nach)(?=\s+\S)|\s*(?:->|→)", re.IGNORECASE)


async def answered(context: ReadContext, expression: str) -> ToolResult:
    """Return what an expression comes to. Raises ToolFailed."""
    text = re.sub(r"(?i)^\s*(?:what is|what's|calculate|convert|compute)\s+", "", expression.strip())
    if not text:
        raise ToolFailed("The expression is empty.")
    amount, wanted = _parts(text)
    said = ""
    if wanted is not None and wanted.dimensions != amount.dimensions:
        amount, said = await _exchanged(context, amount, wanted)
    elif wanted is None and len({base for base, _ in amount.dimensions if currency_of(base)}) > 1:
        raise ToolFailed("Several currencies: say which one the result is wanted in, as in (5 EUR + 3 USD).")
    line = _line(amount, wanted)
    return ToolResult(f"{text} = {line}{said}", summary=line[:60])


def _parts(text: str) -> tuple[Amount, Amount | None]:
    """Return the amount, and the unit it is wanted in: what follows the last `in`, `to` or `as`."""
    for found in reversed(list(_CONVERTS.finditer(text))):
        try:
            wanted = unit_named(text[found.end() :])
            return worked_out(text[: found.start()]), wanted
        except ToolFailed:
            if found[0].strip().lower() != "in":
                raise
    return worked_out(text), None


async def _exchanged(context: ReadContext, amount: Amount, wanted: Amount) -> tuple[Amount, str]:
    """Return an amount of money in another currency, and what rate of which day was taken."""
    source, target = (_currency(one) for one in (amount, wanted))
    others = [tuple(pair for pair in one.dimensions if not currency_of(pair[0])) for one in (amount, wanted)]
    if not source or not target or others[0] != others[1]:
        raise ToolFailed(f"{amount.shown or 'A plain number'} cannot be told in {wanted.shown}.")
    if context.web is None:
        raise ToolFailed("Rates of currencies need the web, which cannot be reached here.")
    response = await context.web.get(Request(RATES, most=200_000, seconds=15))
    if response.status != 200:
        raise ToolFailed(f"The European Central Bank answered {response.status}, so no rate is known.")
    day, rates = _rates(response.text)
    if source not in rates or target not in rates:
        missing = source if source not in rates else target
        raise ToolFailed(f"The European Central Bank gives no rate for {missing}.")
    rate = rates[target] / rates[source]
    made = replace(amount, value=amount.value * rate, dimensions=wanted.dimensions, exact=False)
    return made, f" (1 {source} = {_rounded(rate, 6)} {target}, reference rate of the ECB of {day})"


def _currency(amount: Amount) -> str:
    found = [base for base, count in amount.dimensions if currency_of(base) and count == 1]
    return found[0] if len(found) == 1 else ""


def _rates(text: str) -> tuple[str, dict[str, Fraction]]:
    """Read the day and how much of each currency one euro is."""
    day = re.search(r"time=['\"](\d{4}-\d\d-\d\d)['\"]", text)
    pairs = re.findall(r"currency=['\"]([A-Z]{3})['\"]\s+rate=['\"](\d{1,9}(?:\.\d{1,9})?)['\"]", text)
    rates = {code: Fraction(rate) for code, rate in pairs if Fraction(rate)}
    if day is None or not rates:
        raise ToolFailed("What the European Central Bank answered holds no rates.")
    return day[1], {"EUR": Fraction(1), **rates}


def _line(amount: Amount, wanted: Amount | None) -> str:
    if wanted is None and amount.dimensions and not amount.shown:
        return f"{_number(amount.value, amount.exact)} {_base(amount)}"
    unit = wanted or amount
    money = bool(_currency(unit)) and len(unit.dimensions) == 1
    value = (amount.value - unit.zero) / unit.factor if unit.dimensions else amount.value
    name = (_currency(unit) if money else unit.shown) if unit.dimensions else ""
    if money:
        return f"{_rounded(value, 2, fixed=True)} {name}"
    return f"{_number(value, amount.exact, plain=not name)} {name}".rstrip()


def _base(amount: Amount) -> str:
    return " ".join(name if count == 1 else f"{name}^{count}" for name, count in amount.dimensions)


def _number(value: Fraction, exact: bool, *, plain: bool = False) -> str:
    """Return the number as people write it: all digits where that is short, else rounded and said so."""
    whole = _whole_digits(value)
    if whole is not None and exact:
        return whole
    if abs(value) >= 10**_SHOWN:
        return f"about {_scaled(value)}"
    near = _rounded(value, _DIGITS)
    if not exact:
        return f"about {near}"
    top, bottom = str(value.numerator), str(value.denominator)
    fraction = f" (exactly {top}/{bottom})" if plain and len(top) + len(bottom) <= 24 else ""
    return f"about {near}{fraction}"


def _whole_digits(value: Fraction) -> str | None:
    """Return all digits of a number that has few of them, None for others."""
    bottom, places = value.denominator, 0
    while bottom % 10 == 0:
        bottom, places = bottom // 10, places + 1
    while bottom % 2 == 0 or bottom % 5 == 0:
        bottom, places = bottom // (2 if bottom % 2 == 0 else 5), places + 1
        if places > _SHOWN:
            return None
    if bottom != 1 or abs(value) >= 10**_SHOWN or places > 30:
        return None
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return ("-" if value < 0 else "") + (text.rstrip("0").rstrip(".") if places else text)


def _rounded(value: Fraction, digits: int, *, fixed: bool = False) -> str:
    """Return it with so many digits behind the point (`fixed`), or so many that count."""
    if fixed or not value:
        scaled = abs(value) * 10**digits
        whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
        text = str(whole).rjust(digits + 1, "0")
        text = f"{text[:-digits]}.{text[-digits:]}" if fixed else "0"
        return ("-" if value < 0 and whole else "") + text
    top = _size(value)
    if not -6 <= top < _SHOWN:
        return _scaled(value, digits)
    places = digits - 1 - top
    scaled = abs(value) * Fraction(10) ** places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return _whole_digits(Fraction(whole if value > 0 else -whole) / Fraction(10) ** places) or _scaled(value)


def _size(value: Fraction) -> int:
    """Return the power of ten of the first digit, without writing all digits out."""
    value = abs(value)
    guess = int((value.numerator.bit_length() - value.denominator.bit_length()) * 0.30103)
    while Fraction(10) ** guess > value:
        guess -= 1
    while Fraction(10) ** (guess + 1) <= value:
        guess += 1
    return guess


def _scaled(value: Fraction, digits: int = _DIGITS) -> str:
    """Return it as 1.234 times ten to a power."""
    top = _size(value)
    scaled = abs(value) / Fraction(10) ** (top - digits + 1)
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    text = str(whole)
    if len(text) > digits:
        top, text = top + 1, text[:-1]
    body = f"{text[0]}.{text[1:]}".rstrip("0").rstrip(".")
    return f"{'-' if value < 0 else ''}{body} \u00d7 10^{top}"
